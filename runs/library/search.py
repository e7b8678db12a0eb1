"""Searches the library: filters and sorts entries, and counts facets."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from itertools import chain
from typing import Any, NamedTuple

from runs.library.entry import Entry, Page
from runs.library.index import IndexedEntry

#: Sort keys of entries; None comes last, ascending or descending.
_SORT_KEYS: dict[str, Callable[[IndexedEntry], Any]] = {
    "created": lambda each: each.entry.created,
    "name": lambda each: each.title,
    "gap": lambda each: each.entry.gap_percent,
    "length": lambda each: each.entry.length,
    "seconds": lambda each: each.entry.seconds,
    "size": lambda each: each.entry.bytes,
}
ORDERS = tuple(_SORT_KEYS)


class Query(NamedTuple):
    """A search. Entries must match one value of each non-empty collection.

    Attributes
    ----------
    text : str
        Words to find anywhere in titles, tags, ids, states and the names of instances and algorithms.
    kinds, algorithms, instances, tags, states : collection of str
    order : str
        One of `ORDERS`; entries without that value come last.
    descending : bool
    lanes : bool
        Whether to list the runs of races as well.
    offset, limit : int, int or None
        First entry of the page, and number of entries; None for all.
    """

    text: str = ""
    kinds: Collection[str] = ()
    algorithms: Collection[str] = ()
    instances: Collection[str] = ()
    tags: Collection[str] = ()
    states: Collection[str] = ()
    order: str = "created"
    descending: bool = True
    lanes: bool = False
    offset: int = 0
    limit: int | None = 100


def search_page(entries: Sequence[IndexedEntry], query: Query, pending: int) -> Page:
    """Return the page of entries that match a query.

    Parameters
    ----------
    entries : sequence of IndexedEntry
        All entries, newest first.
    query : Query
    pending : int
        See `runs.library.entry.Page`.

    Raises
    ------
    ValueError
        If the order is unknown.
    """
    if query.order not in _SORT_KEYS:
        raise ValueError(f"{query.order!r} is not one of {', '.join(ORDERS)}")
    matching = _match_text(entries, query)
    results = _sort(_filter(matching, query), query)
    start = max(query.offset, 0)
    page = results[start:] if query.limit is None else results[start : start + max(query.limit, 0)]
    return Page(tuple(each.entry for each in page), len(results), _count_facets(matching), pending)


def _match_text(entries: Sequence[IndexedEntry], query: Query) -> list[IndexedEntry]:
    """Return entries that contain every word of the text; lanes only if the query includes them."""
    words = query.text.casefold().split()
    matching = list(entries) if query.lanes else [entry for entry in entries if entry.entry.race is None]
    for word in words:
        matching = [each for each in matching if word in each.words]
    return matching


def _filter(matching: list[IndexedEntry], query: Query) -> list[IndexedEntry]:
    tags = {tag.casefold() for tag in query.tags}
    tests: list[tuple[Collection[str], Callable[[Entry, frozenset[str]], bool]]] = [
        (query.kinds, lambda entry, allowed: entry.kind in allowed),
        (query.states, lambda entry, allowed: entry.state in allowed),
        (query.algorithms, lambda entry, allowed: not allowed.isdisjoint(entry.uses)),
        (query.instances, lambda entry, allowed: not allowed.isdisjoint(entry.instances)),
        (tags, lambda entry, allowed: any(tag.casefold() in allowed for tag in entry.tags)),
    ]
    for values, predicate in tests:
        if values:
            allowed = frozenset(values)
            matching = [each for each in matching if predicate(each.entry, allowed)]
    return matching


def _sort(matching: list[IndexedEntry], query: Query) -> list[IndexedEntry]:
    """Sort entries; ties stay newest first."""
    if (query.order, query.descending) == ("created", True):
        return matching
    value = _SORT_KEYS[query.order]
    with_value = [each for each in matching if value(each) is not None]
    with_value.sort(key=value, reverse=query.descending)
    return with_value + [each for each in matching if value(each) is None]


def _count_facets(matching: list[IndexedEntry]) -> dict[str, dict[str, int]]:
    entries = [each.entry for each in matching]
    return {
        "kind": dict(Counter(entry.kind for entry in entries)),
        "algorithm": dict(Counter(chain.from_iterable(entry.uses for entry in entries))),
        "instance": dict(Counter(chain.from_iterable(entry.instances for entry in entries))),
        "tag": dict(Counter(chain.from_iterable(entry.tags for entry in entries))),
        "state": dict(Counter(entry.state for entry in entries)),
    }
