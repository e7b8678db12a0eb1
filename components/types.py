"""Types of values exchanged between pages and server."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NotRequired, TypeAlias, TypedDict, Union

if TYPE_CHECKING:  # some importers of this module do not need Dash, which loads slowly
    from dash import NoUpdate
    from dash.dependencies import Wildcard
    from dash.development.base_component import Component

#: A JSON value; unchecked if a page sent it.
Json: TypeAlias = str | int | float | bool | Sequence["Json"] | Mapping[str, "Json"] | None
JsonObject: TypeAlias = dict[str, Json]
#: Value in a pattern-matching id.
Name: TypeAlias = Union[str, "Wildcard"]
#: Pattern-matching id of a component.
PatternId: TypeAlias = dict[str, Name]
#: Children of a component.
Children: TypeAlias = Union[str, "Component", Sequence[Union[str, "Component"]]]


class Option(TypedDict):
    """A menu's option."""

    value: str
    label: Union[str, "Component"]
    search: NotRequired[str]
    title: NotRequired[str]
    disabled: NotRequired[bool]


class DeviceJson(TypedDict):
    """The fields of `solvers.core.devices.Device`."""

    kind: str
    name: str
    available: bool
    reason: str
    threads: int
    memory: int
    compute_capability: str
    limits: dict[str, int]


class StageJson(TypedDict):
    """A stage of a lane or entry."""

    algorithm: str
    params: NotRequired[dict[str, Json]]


class ItemJson(TypedDict):
    """A race's lane, which has a device, or a study's entry, which has a label."""

    stages: list[StageJson]
    device: NotRequired[str]
    label: NotRequired[str]


#: A JSON value for a page.
Payload: TypeAlias = Json | Option | StageJson | ItemJson | Sequence["Payload"] | Mapping[str, "Payload"]
#: Value of a component's property, returned by a callback.
Property: TypeAlias = Union[Payload, "Component", Sequence["Component"], "NoUpdate"]
