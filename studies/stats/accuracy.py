"""Climbers against accuracy, for any stopping quantity: how near the optimum the tours of every entry are by then.

After J. Utne and H. N. W. Hansen, "Solving TSP on the GPU based on heuristic algorithms" (2023), sections 7.4, 7.5,
whose quantity is climbers: the iterations of 2-opt from many starts. The curve to the table is `studies.stats.anytime`
with the measure ``accuracy_percent``.
"""

from dataclasses import dataclass

import numpy as np

from studies.stats.axes import unit
from studies.stats.references import References, accuracy_percent
from studies.stats.step_functions import lengths_on
from studies.stats.table import Table


@dataclass(frozen=True, slots=True)
class Middle:
    """Median, least and greatest over the runs."""

    median: float
    least: float
    greatest: float


@dataclass(frozen=True, slots=True)
class Accuracy:
    """What the runs of one entry on one instance had come to when they had spent so much.

    Attributes
    ----------
    instance, entry : int
    at : float
        Of the stopping quantity.
    runs : int
        Those that had spent as much and had a tour; the others are left out.
    length : Middle
        The lowest length of each run by then.
    accuracy_percent : Middle or None
        100 times the optimum, over the length; None where neither an optimum nor a best known length is known.
    """

    instance: int
    entry: int
    at: float
    runs: int
    length: Middle
    accuracy_percent: Middle | None


def powers(table: Table, axis: str) -> tuple[float, ...]:
    """The powers of ten up to the longest run: of a count from 1 on, of seconds from the first tour on."""
    first, last = getattr(table.logs, axis), getattr(table.runs, axis)
    first = first[first > 0] if axis == "seconds" else np.ones(1)
    if not first.size or not last.size or last.max() < first.min():
        return ()
    low, high = np.ceil(np.log10(first.min())), np.floor(np.log10(last.max()))
    return tuple(10.0**power for power in range(int(low), int(high) + 1))


def accuracies(
    table: Table, held: References, axis: str = "iterations", at: tuple[float, ...] | None = None
) -> list[Accuracy]:
    """Rows of the table, for every instance and entry and every place that any of their runs has reached.

    Parameters
    ----------
    table : Table
    held : References
        Of the whole study.
    axis : str
        The stopping quantity, one of `studies.stats.logs.AXES`.
    at : tuple of float, optional
        Places, rising; by default `powers`.

    Raises
    ------
    NotComparable
        If the entries count different things along the axis.
    """
    unit(table, axis)
    places = powers(table, axis) if at is None else at
    lengths, totals = lengths_on(table, axis, np.array(places)), getattr(table.runs, axis)
    told = []
    for instance, entry, rows in table.groups():
        for column, place in enumerate(places):
            there = lengths[rows[totals[rows] >= place], column]
            there = there[there > 0]
            if there.size:
                near = accuracy_percent(there, held.length[instance]) if held.known[instance] else None
                spread = None if near is None else _middle(near)
                told.append(Accuracy(instance, entry, place, there.size, _middle(there), spread))
    return told


def _middle(values: np.ndarray) -> Middle:
    return Middle(float(np.median(values)), float(values.min()), float(values.max()))
