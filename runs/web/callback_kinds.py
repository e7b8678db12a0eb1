"""Types of elements' properties, as declared by Dash's component classes."""

import collections.abc
import inspect
import json
import types
from functools import lru_cache
from typing import Annotated, Any, Literal, SupportsComplex, SupportsFloat, SupportsInt, Union, get_args, get_origin

from dash import Dash

_NUMBERS = (int, float, SupportsComplex, SupportsFloat, SupportsInt)


class Kinds:
    """Declared types of a page's elements.

    Parameters
    ----------
    page : Dash
        The page with its layout. An element created later by a callback has no known type, unless all elements of the
        layout that match its pattern have the same class.
    """

    def __init__(self, page: Dash) -> None:
        self._elements: dict[str, type] = {}
        self._patterns: list[tuple[dict[str, Any], type]] = []
        for element in page._layout_value()._traverse():
            name = getattr(element, "id", None)
            if isinstance(name, dict):
                self._patterns.append((name, type(element)))
            elif name is not None:
                self._elements[name] = type(element)

    def fits(self, declaration: dict[str, str], value: Any) -> bool:
        """Return whether a value has an input's or state's declared type; None always does.

        Parameters
        ----------
        declaration : dict
            ``id`` (patterns as text) and ``property``.
        value : decoded JSON
        """
        element = self._find_element(declaration["id"])
        return value is None or element is None or _fits(_find_annotation(element, declaration["property"]), value)

    def _find_element(self, name: str) -> type | None:
        if not name.startswith("{"):
            return self._elements.get(name)
        pattern = json.loads(name)
        classes = {element for name, element in self._patterns if matches(name, pattern)}
        return classes.pop() if len(classes) == 1 else None  # fields of a form have several classes


def matches(name: Any, pattern: dict[str, Any]) -> bool:
    """Return whether an id matches a pattern; a pattern's wildcard keys have string values."""
    if not isinstance(name, dict) or name.keys() != pattern.keys():
        return False
    return all(
        isinstance(name[key], str) if isinstance(expected, list) else name[key] == expected
        for key, expected in pattern.items()
    )


@lru_cache(None)
def _find_annotation(element: type, name: str) -> Any:
    """Return the declared type of a class's property; `Any` if there is none, as for ``data-`` and ``aria-``."""
    parameter = inspect.signature(element.__init__).parameters.get(name)  # type: ignore[misc]
    return Any if parameter is None or parameter.annotation is parameter.empty else parameter.annotation


def _fits(annotation: Any, value: Any) -> bool:
    kind, parts = get_origin(annotation) or annotation, get_args(annotation)
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
    return kind is not type(None)  # any element or object
