"""What kinds of values the elements of a page hold: as the classes of Dash's components declare their properties."""

import collections.abc
import inspect
import json
import types
from functools import lru_cache
from typing import Annotated, Any, Literal, SupportsComplex, SupportsFloat, SupportsInt, Union, get_args, get_origin

from dash import Dash

_NUMBERS = (int, float, SupportsComplex, SupportsFloat, SupportsInt)


class Kinds:
    """The kinds of values of a page's elements.

    Parameters
    ----------
    page : Dash
        With its layout. Elements that callbacks make later are of no kind, unless all that match the same pattern in
        the layout are of one class.
    """

    def __init__(self, page: Dash) -> None:
        self._elements: dict[str, type] = {}
        self._many: list[tuple[dict[str, Any], type]] = []
        for element in page._layout_value()._traverse():
            name = getattr(element, "id", None)
            if isinstance(name, dict):
                self._many.append((name, type(element)))
            elif name is not None:
                self._elements[name] = type(element)

    def fits(self, declared: dict[str, str], value: Any) -> bool:
        """Whether a value can be one of an input or a state that a callback declares; nothing always can.

        Parameters
        ----------
        declared : dict
            ``id``, as text also where it is a pattern, and ``property``.
        value : decoded JSON
        """
        element = self._element(declared["id"])
        return value is None or element is None or _fits(_annotation(element, declared["property"]), value)

    def _element(self, name: str) -> type | None:
        if not name.startswith("{"):
            return self._elements.get(name)
        pattern = json.loads(name)
        found = {element for known, element in self._many if matches(known, pattern)}
        return found.pop() if len(found) == 1 else None  # fields of a form are of several


def matches(name: Any, pattern: dict[str, Any]) -> bool:
    """Whether an id is one that a pattern stands for; all that is left open in one is text."""
    if not isinstance(name, dict) or name.keys() != pattern.keys():
        return False
    return all(
        isinstance(name[key], str) if isinstance(wanted, list) else name[key] == wanted
        for key, wanted in pattern.items()
    )


@lru_cache(None)
def _annotation(element: type, name: str) -> Any:
    """What a class declares of a property; anything where it declares nothing, as of ``data-`` and ``aria-``."""
    found = inspect.signature(element.__init__).parameters.get(name)  # type: ignore[misc]
    return Any if found is None or found.annotation is found.empty else found.annotation


def _fits(declared: Any, value: Any) -> bool:
    kind, parts = get_origin(declared) or declared, get_args(declared)
    if kind in (Union, types.UnionType):
        return any(_fits(part, value) for part in parts)
    if kind is Annotated:
        return _fits(parts[0], value)
    if kind is Literal:
        return any(value == part for part in parts)
    if kind in (bool, str):
        return isinstance(value, kind)
    if kind in _NUMBERS:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if kind is collections.abc.Sequence:
        return isinstance(value, list) and all(_fits(part, each) for part in parts for each in value)
    return kind is not type(None)  # of an element or an object no more is known than that there is one
