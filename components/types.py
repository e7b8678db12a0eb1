"""Types of the values that pages and server exchange."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NotRequired, TypeAlias, TypedDict, Union

if TYPE_CHECKING:  # some users of this module do without Dash, whose import takes a while
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
    """Option of a menu."""

    value: str
    label: Union[str, "Component"]
    search: NotRequired[str]
    title: NotRequired[str]
    disabled: NotRequired[bool]


class DeviceJson(TypedDict):
    """Fields of `solvers.core.devices.Device`."""

    kind: str
    name: str
    available: bool
    reason: str
    threads: int
    memory: int
    compute_capability: str
    limits: dict[str, int]


class StageJson(TypedDict):
    """Stage of a lane or an entry."""

    algorithm: str
    params: NotRequired[dict[str, Json]]


class ItemJson(TypedDict):
    """Lane of a race, which has a device, or entry of a study, which has a label."""

    stages: list[StageJson]
    device: NotRequired[str]
    label: NotRequired[str]


#: JSON for a page.
Payload: TypeAlias = Json | Option | StageJson | ItemJson | Sequence["Payload"] | Mapping[str, "Payload"]
#: Value of a component's property, returned by a callback.
Property: TypeAlias = Union[Payload, "Component", Sequence["Component"], "NoUpdate"]
