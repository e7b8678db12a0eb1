"""Fixed targets: which of them runs have reached, and when."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from studies.stats.axes import POINTS, Grid, grid
from studies.stats.references import References
from studies.stats.step_functions import first_reached
from studies.stats.table import Table

#: Gaps in per cent, from 100 to 0.01 at equal ratios: the targets of an `ecdf` that is not told which.
GAPS = tuple((10.0 ** np.linspace(2, -2, 51)).tolist())


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """One entry's curve: `share` (g,), 0 to 1, of its `pairs` pairs of a run and a target that are reached by then.

    Runs that failed count, as runs that reached nothing.
    """

    entry: int
    pairs: int
    share: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Ecdf:
    """Empirical distribution functions of all entries; `kinds` is what the instances' targets are held against."""

    grid: Grid
    gaps: tuple[float, ...]
    kinds: tuple[str, ...]
    curves: tuple[Reached, ...]


def target_lengths(held: References, gaps: tuple[float, ...]) -> np.ndarray:
    """The longest length within each gap of each instance, shape (i, t), int64; `gaps` fall. 0 where unknown."""
    parts = [Fraction(repr(float(gap))) / 100 for gap in gaps]  # exactly, as `studies.stats.references.longest_within`
    lengths = held.length.tolist()
    return np.array([[n + n * part.numerator // part.denominator for part in parts] for n in lengths], np.int64)


def first_hits(table: Table, held: References, axis: str, gaps: tuple[float, ...]) -> np.ndarray:
    """Where on an axis every run came within each gap, shape (r, t), float64; infinite where it never did."""
    return first_reached(table, axis, target_lengths(held, gaps))


def reached(table: Table, hits: np.ndarray, axis: str, budget: float = np.inf) -> tuple[np.ndarray, np.ndarray]:
    """When every run came within each gap, had it been ended at a budget.

    Parameters
    ----------
    table : Table
    hits : ndarray, shape (r, t), float64
        By `first_hits`.
    axis : str
        One of `studies.stats.logs.AXES`.
    budget : float
        On the axis.

    Returns
    -------
    hits : ndarray, shape (r, t), float64
        Infinite where a run never did.
    spent : ndarray, shape (r, t), float64
        What the run took until then, or in all if it never did.
    """
    hits = np.where(hits <= budget, hits, np.inf)
    totals = np.minimum(getattr(table.runs, axis), budget).astype(np.float64)
    return hits, np.where(np.isfinite(hits), hits, totals[:, None])


def ecdf(
    table: Table,
    held: References,
    axis: str = "seconds",
    gaps: tuple[float, ...] = GAPS,
    points: int = POINTS,
    along: Grid | None = None,
) -> Ecdf:
    """Share of the pairs of a run and a target that each entry has reached, along an axis.

    After N. Hansen, A. Auger, D. Brockhoff, D. Tušar and T. Tušar, "COCO: Performance Assessment" (2016),
    arXiv:1605.03560, section on empirical distribution functions.

    Parameters
    ----------
    table : Table
    held : References
        Of the whole study.
    axis : str
        One of `studies.stats.logs.AXES`.
    gaps : tuple of float
        Per cent, falling. One gap alone gives the distribution of times to that target.
    points : int
        Places along the axis at most.
    along : Grid, optional
        The places, where they are known: those of `studies.stats.axes.grid`.

    Raises
    ------
    NotComparable
        If the entries count different things along the axis.
    """
    along = along or grid(table, axis, points)
    hits, curves = first_hits(table, held, axis, gaps), []
    for entry in _entries(table):
        rows = hits[table.of_entry(entry)]
        first = np.searchsorted(along.x, rows[np.isfinite(rows)], side="left")  # the place that sees it first
        by_then = np.cumsum(np.bincount(first, minlength=along.x.size)[: along.x.size])
        pairs = rows.size + failed_runs(table, entry) * len(gaps)
        curves.append(Reached(entry, pairs, by_then / pairs))
    kinds = tuple(held.kind[code] for code in np.unique(table.runs.instance))
    return Ecdf(along, gaps, kinds, tuple(curves))


def _entries(table: Table) -> list[int]:
    """The entries that have runs, failed ones counted, in order."""
    failed = () if table.plan is None else np.flatnonzero(table.plan.failed.any(axis=0))
    return np.union1d(table.runs.entry, failed).astype(int).tolist()


def failed_runs(table: Table, entry: int) -> int:
    """How many runs of an entry failed on the instances that the table has; 0 where that is not known."""
    return 0 if table.plan is None else int(table.plan.failed[:, entry].sum())
