"""Ids of a page: each occurs once, and callbacks use no others; Dash does not check this (`dash_page`)."""

from collections import Counter
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

import dash


def find_ids(page) -> list[Any]:
    """The ids of a component and of all components in it."""
    return [each.id for each in [page, *page._traverse()] if getattr(each, "id", None) is not None]


def ids_of_module(module: ModuleType) -> set[str]:
    """The ids defined in a module of ids."""
    return {value for name, value in vars(module).items() if name.isupper()}


def assert_ids(page, expected: Iterable[str], app: dash.Dash | None = None) -> None:
    """Assert that each id occurs once, that those in `expected` occur, and that the callbacks of `app` use no
    others."""
    counted = Counter(each for each in find_ids(page) if isinstance(each, str))
    assert {each: counted[each] for each in expected} == dict.fromkeys(expected, 1)
    assert {each for each, times in counted.items() if times > 1} == set()
    assert app is None or dangling_ids(app, page) == set()


def dangling_ids(app: dash.Dash, page) -> set[str]:
    """Ids of a page's callbacks that its layout lacks, except those of patterns, which begin with a brace."""
    return {name for name in _ids_in_callbacks(app) if not name.startswith("{")} - {*map(str, find_ids(page))}


def _ids_in_callbacks(app: dash.Dash) -> Iterator[str]:
    for callback in app._callback_list:
        yield from (dependency["id"] for side in ("inputs", "state") for dependency in callback[side])
        for output in callback["output"].strip(".").split("..."):
            name, _, _property = output.partition("@")[0].rpartition(".")
            if name:  # else the callback has none, and a number of its own
                yield name
