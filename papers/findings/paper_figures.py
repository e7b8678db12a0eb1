"""Figures of a paper's entries, as published and as measured here."""

from collections.abc import Callable
from typing import Any

from papers.catalogue import load_paper
from papers.committed import (
    cite,
    cite_entry,
    climb_time,
    copy_rate,
    core_speed_up,
    figure,
    hundred_iterations_time,
    pace,
    phase_time,
)


class Lookup:
    """A figure that a text names by the arguments of a function, such as ``{pace[strip][1000]}``.

    Parameters
    ----------
    function : callable
    *keys : str
        The first arguments.
    """

    def __init__(self, function: Callable[..., Any], *keys: str) -> None:
        self._function, self._keys = function, keys

    def __getitem__(self, key: object) -> "Lookup":
        return Lookup(self._function, *self._keys, str(key))

    def __format__(self, style: str) -> str:
        return format(self._function(*self._keys), style)


class PaperFigures:
    """The figures of one paper.

    Parameters
    ----------
    paper : str
    column : str
        The column where a text names none; by default, our results use the entry's own name.
    """

    def __init__(self, paper: str, column: str = "") -> None:
        self.paper, self._column = load_paper(paper), column

    def published(self, entry: str, row: str, column: str = "") -> float:
        """Return a published figure."""
        return self.paper.entry(entry).figures()[row][column or self._column]

    def ours(self, entry: str, row: str, column: str = "") -> float:
        """Return a figure of the shipped result."""
        return figure(f"{self.paper.id}/{entry}", row, column or self._column or entry.replace("-", "_"))

    def machine(self, entry: str) -> str:
        """Return the hardware and date of the shipped result."""
        return cite_entry(f"{self.paper.id}/{entry}")

    def to_lookups(self, entry: str) -> dict[str, Lookup]:
        """Return what the text on an entry may name; `own` and `machine` refer to the entry's shipped result."""
        return {
            "own": Lookup(self.ours, entry),
            "machine": Lookup(self.machine, entry),
            "ours": Lookup(self.ours),
            "published": Lookup(self.published),
            "cite": Lookup(lambda stem: cite(f"{stem}.json")),
            "pace": Lookup(lambda name, n: pace(name, int(n))),
            "climb_time": Lookup(lambda name, climbers: climb_time(name, int(climbers))),
            "copy_rate": Lookup(copy_rate),
            "phase_time": Lookup(phase_time),
            "hundred_iterations": Lookup(hundred_iterations_time),
            "core_speed_up": Lookup(lambda variant, n: core_speed_up(variant, int(n))),
        }
