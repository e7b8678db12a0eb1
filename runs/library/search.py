"""Searching the library: which entries are wanted, in which order, and how many there are of each sort."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from itertools import chain
from typing import Any, NamedTuple

from runs.library.entry import Entry, Page
from runs.library.index import Listed

#: By what entries can be put in order; None comes last, whichever way round.
_VALUES: dict[str, Callable[[Listed], Any]] = {
    "created": lambda each: each.entry.created,
    "name": lambda each: each.title,
    "gap": lambda each: each.entry.gap_percent,
    "length": lambda each: each.entry.length,
    "seconds": lambda each: each.entry.seconds,
    "size": lambda each: each.entry.bytes,
}
ORDERS = tuple(_VALUES)


class Asked(NamedTuple):
    """What is wanted; of each collection one value at least, an empty one lets all pass."""

    text: str = ""
    kinds: Collection[str] = ()
    algorithms: Collection[str] = ()
    instances: Collection[str] = ()
    tags: Collection[str] = ()
    states: Collection[str] = ()
    order: str = "created"
    descending: bool = True
    lanes: bool = False


def found(listed: Sequence[Listed], asked: Asked, offset: int, limit: int | None, pending: int) -> Page:
    """The page of entries that are wanted.

    Parameters
    ----------
    listed : sequence of Listed
        All there are, the newest first.
    asked : Asked
    offset, limit : int, int or None
        Which of them; None for all.
    pending : int
        Handed on.

    Raises
    ------
    ValueError
        If there is no such order.
    """
    if asked.order not in _VALUES:
        raise ValueError(f"{asked.order!r} is not one of {', '.join(ORDERS)}")
    matching = _matching(listed, asked)
    wanted = _ordered(_filtered(matching, asked), asked)
    start = max(offset, 0)
    shown = wanted[start:] if limit is None else wanted[start : start + max(limit, 0)]
    return Page(tuple(each.entry for each in shown), len(wanted), _facets(matching), pending)


def _matching(listed: Sequence[Listed], asked: Asked) -> list[Listed]:
    """Those that hold every word of the text; lanes only if they are asked for."""
    words = asked.text.casefold().split()
    kept = list(listed) if asked.lanes else [each for each in listed if each.entry.race is None]
    for word in words:
        kept = [each for each in kept if word in each.words]
    return kept


def _filtered(matching: list[Listed], asked: Asked) -> list[Listed]:
    tags = {tag.casefold() for tag in asked.tags}
    tests: list[tuple[Collection[str], Callable[[Entry, frozenset[str]], bool]]] = [
        (asked.kinds, lambda entry, wanted: entry.kind in wanted),
        (asked.states, lambda entry, wanted: entry.state in wanted),
        (asked.algorithms, lambda entry, wanted: not wanted.isdisjoint(entry.uses)),
        (asked.instances, lambda entry, wanted: not wanted.isdisjoint(entry.instances)),
        (tags, lambda entry, wanted: any(tag.casefold() in wanted for tag in entry.tags)),
    ]
    for values, passes in tests:
        if values:
            wanted = frozenset(values)
            matching = [each for each in matching if passes(each.entry, wanted)]
    return matching


def _ordered(kept: list[Listed], asked: Asked) -> list[Listed]:
    """In order; those that are level stay as they are, the newest first."""
    if (asked.order, asked.descending) == ("created", True):
        return kept
    value = _VALUES[asked.order]
    known = [each for each in kept if value(each) is not None]
    known.sort(key=value, reverse=asked.descending)
    return known + [each for each in kept if value(each) is None]


def _facets(matching: list[Listed]) -> dict[str, dict[str, int]]:
    entries = [each.entry for each in matching]
    return {
        "kind": dict(Counter(entry.kind for entry in entries)),
        "algorithm": dict(Counter(chain.from_iterable(entry.uses for entry in entries))),
        "instance": dict(Counter(chain.from_iterable(entry.instances for entry in entries))),
        "tag": dict(Counter(chain.from_iterable(entry.tags for entry in entries))),
        "state": dict(Counter(entry.state for entry in entries)),
    }
