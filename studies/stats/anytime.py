"""Anytime curves: how good the tours of each entry are along an axis, as the median over runs and its quartiles."""

from dataclasses import dataclass

import numpy as np

from studies.stats.axes import POINTS, Grid, NotComparable, grid
from studies.stats.quantiles import quantiles
from studies.stats.references import References, accuracy_percent, gap_percent
from studies.stats.step_functions import lengths_on
from studies.stats.table import Table

MEASURES = ("gap_percent", "length", "accuracy_percent")


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """One entry's curve.

    Attributes
    ----------
    entry : int
    runs : int
    median, lower, upper : ndarray, shape (g,), float64
        Half of the runs are at or below `median`, half of them from `lower` to `upper`: quartiles, numerically. NaN
        where so many runs have no tour yet that the quantile is undefined (see `studies.stats.quantiles`).
    having, ended : ndarray, shape (g,), float64
        Share of the runs, 0 to 1, that have a tour by then, and that had ended before.
    """

    entry: int
    runs: int
    median: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    having: np.ndarray
    ended: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Anytime:
    """Curves of all entries; `kinds` is what the instances that they are made from are held against."""

    grid: Grid
    measure: str
    kinds: tuple[str, ...]
    bands: tuple[Band, ...]


def anytime(
    table: Table,
    held: References,
    axis: str = "seconds",
    measure: str = "gap_percent",
    points: int = POINTS,
    along: Grid | None = None,
) -> Anytime:
    """Median and quartiles of every entry over all its runs in the table, of one instance or of several.

    Parameters
    ----------
    table : Table
        The runs that are asked for.
    held : References
        Of the whole study.
    axis : str
        One of `studies.stats.logs.AXES`.
    measure : str
        ``gap_percent``; ``length``, of one instance alone; ``accuracy_percent``, of instances whose optimum or best
        known length is known alone: others are left out.
    points : int
        Places along the axis at most.
    along : Grid, optional
        The places, where they are known: those of `studies.stats.axes.grid` of these runs.

    Raises
    ------
    NotComparable
        If the entries count different things along the axis, or lengths of several instances are asked for.
    ValueError
        If there is no such axis or measure.
    """
    if measure not in MEASURES:
        raise ValueError(f"There is no measure {measure!r:.40}; there are {', '.join(MEASURES)}.")
    if measure == "accuracy_percent":
        table = table.take(held.known[table.runs.instance])
    instances = np.unique(table.runs.instance).tolist()
    if measure == "length" and len(instances) > 1:
        raise NotComparable("Lengths of different instances have no common median; take gaps, or one instance.")
    along = along or grid(table, axis, points)
    values = _values(lengths_on(table, axis, along.x), held.length[table.runs.instance][:, None], measure)
    entries = np.unique(table.runs.entry).tolist()
    bands = tuple(_band(table, along, values, entry) for entry in entries)
    return Anytime(along, measure, tuple(held.kind[code] for code in instances), bands)


def _values(lengths: np.ndarray, reference: np.ndarray, measure: str) -> np.ndarray:
    """What is told of lengths; infinitely bad where there is no tour."""
    if measure == "gap_percent":
        return gap_percent(lengths, reference)
    if measure == "accuracy_percent":
        return accuracy_percent(lengths, reference)
    return np.where(lengths == 0, np.inf, lengths)


def _band(table: Table, along: Grid, values: np.ndarray, entry: int) -> Band:
    rows = table.of_entry(entry)
    lower, median, upper = quantiles(values[rows])
    ends = np.sort(getattr(table.runs, along.axis)[rows])
    return Band(
        entry=entry,
        runs=ends.size,
        median=median,
        lower=lower,
        upper=upper,
        having=np.isfinite(values[rows]).mean(axis=0),
        ended=np.searchsorted(ends, along.x, side="left") / ends.size,
    )
