"""Anytime curves: median and quartiles of each entry's tour quality along an axis."""

from dataclasses import dataclass

import numpy as np

from studies.stats.axes import POINTS, Grid, NotComparable, make_grid
from studies.stats.quantiles import compute_quantiles
from studies.stats.references import References, accuracy_percent, gap_percent
from studies.stats.step_functions import sample_lengths
from studies.stats.table import Table

MEASURES = ("gap_percent", "length", "accuracy_percent")


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """The curve of an entry.

    Attributes
    ----------
    entry : int
    median, lower, upper : ndarray, shape (g,), float64
        Quartiles of the runs' values. NaN where too many runs have no tour yet, so that the quantile is undefined (see
        `studies.stats.quantiles`).
    """

    entry: int
    median: np.ndarray
    lower: np.ndarray
    upper: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Anytime:
    """Curves of all entries; `kinds` are the kinds of their instances' references."""

    grid: Grid
    measure: str
    kinds: tuple[str, ...]
    bands: tuple[Band, ...]


def compute_anytime(
    table: Table,
    references: References,
    axis: str = "seconds",
    measure: str = "gap_percent",
    points: int = POINTS,
    grid: Grid | None = None,
) -> Anytime:
    """Return each entry's median and quartiles over its runs, on one instance or several.

    Parameters
    ----------
    table : Table
        Table of the selected runs.
    references : References
        References of the whole study.
    axis : str
        One of `studies.stats.logs.AXES`.
    measure : str
        ``gap_percent``; ``length``, for a single instance; ``accuracy_percent``, which omits instances without a known
        optimum or best known length.
    points : int
        Maximum number of points on the axis.
    grid : Grid, optional
        Precomputed points: `studies.stats.axes.make_grid` of these runs.

    Raises
    ------
    NotComparable
        If the entries have different units on the axis, or ``length`` is requested for several instances.
    ValueError
        If there is no such axis or measure.
    """
    if measure not in MEASURES:
        raise ValueError(f"There is no measure {measure!r:.40}; there are {', '.join(MEASURES)}.")
    if measure == "accuracy_percent":
        table = table.take(references.known[table.runs.instance])
    instances = np.unique(table.runs.instance).tolist()
    if measure == "length" and len(instances) > 1:
        raise NotComparable("Lengths of different instances have no common median; use gaps, or one instance.")
    grid = grid or make_grid(table, axis, points)
    values = _apply_measure(
        sample_lengths(table, axis, grid.x), references.length[table.runs.instance][:, None], measure
    )
    entries = np.unique(table.runs.entry).tolist()
    bands = tuple(_make_band(entry, values[table.entry_mask(entry)]) for entry in entries)
    return Anytime(grid, measure, tuple(references.kind[code] for code in instances), bands)


def _apply_measure(lengths: np.ndarray, reference: np.ndarray, measure: str) -> np.ndarray:
    """Apply the measure to lengths; infinity where there is no tour."""
    if measure == "gap_percent":
        return gap_percent(lengths, reference)
    if measure == "accuracy_percent":
        return accuracy_percent(lengths, reference)
    return np.where(lengths == 0, np.inf, lengths)


def _make_band(entry: int, values: np.ndarray) -> Band:
    lower, median, upper = compute_quantiles(values)
    return Band(entry, median, lower, upper)
