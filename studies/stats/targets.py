"""Fixed targets: which targets each run reached, and when."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from studies.stats.axes import POINTS, Grid, make_grid
from studies.stats.references import References
from studies.stats.step_functions import find_first_reached
from studies.stats.table import Table

#: Gaps in per cent, from 100 to 0.01 at equal ratios: the default targets of `compute_ecdf`.
GAPS = tuple((10.0 ** np.linspace(2, -2, 51)).tolist())


@dataclass(frozen=True, slots=True, eq=False)
class EcdfCurve:
    """An entry's curve: the `share` (g,), 0 to 1, of its `pairs` (run, target) reached so far.

    Failed runs count as having reached no target.
    """

    entry: int
    pairs: int
    share: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Ecdf:
    """Empirical distribution functions of all entries; `kinds` are the kinds of reference used for the instances."""

    grid: Grid
    gaps: tuple[float, ...]
    kinds: tuple[str, ...]
    curves: tuple[EcdfCurve, ...]


def compute_target_lengths(references: References, gaps: tuple[float, ...]) -> np.ndarray:
    """Return the longest length within each gap of each instance, (i, t) int64.

    `gaps` are descending. A length is 0 if it is unknown.
    """
    parts = [
        Fraction(repr(float(gap))) / 100 for gap in gaps
    ]  # exact, like `studies.stats.references.max_length_within`
    lengths = references.length.tolist()
    return np.array([[n + n * part.numerator // part.denominator for part in parts] for n in lengths], np.int64)


def find_first_hits(table: Table, references: References, axis: str, gaps: tuple[float, ...]) -> np.ndarray:
    """Return where on an axis each run reached each gap, (r, t) float64.

    Infinite if the run never reached the gap.
    """
    return find_first_reached(table, axis, compute_target_lengths(references, gaps))


def limit_hits(table: Table, hits: np.ndarray, axis: str, budget: float = np.inf) -> tuple[np.ndarray, np.ndarray]:
    """Return where each run reached each gap, within a budget.

    Parameters
    ----------
    table : Table
    hits : ndarray, shape (r, t), float64
        See `find_first_hits`.
    axis : str
        One of `studies.stats.logs.AXES`.
    budget : float
        Budget on the axis.

    Returns
    -------
    hits : ndarray, shape (r, t), float64
        Positions; infinite if a run never reached the gap.
    spent : ndarray, shape (r, t), float64
        Amount on the axis until then, or of the whole run if it never reached the gap.
    """
    hits = np.where(hits <= budget, hits, np.inf)
    totals = np.minimum(getattr(table.runs, axis), budget).astype(np.float64)
    return hits, np.where(np.isfinite(hits), hits, totals[:, None])


def compute_ecdf(
    table: Table,
    references: References,
    axis: str = "seconds",
    gaps: tuple[float, ...] = GAPS,
    points: int = POINTS,
    grid: Grid | None = None,
) -> Ecdf:
    """Return the share of (run, target) pairs that each entry has reached along an axis.

    After N. Hansen, A. Auger, D. Brockhoff, D. Tušar and T. Tušar, "COCO: Performance Assessment" (2016),
    arXiv:1605.03560, section on empirical distribution functions.

    Parameters
    ----------
    table : Table
    references : References
        References of the whole study.
    axis : str
        One of `studies.stats.logs.AXES`.
    gaps : tuple of float
        Gaps in per cent, descending. A single gap gives the distribution of times to that target.
    points : int
        Maximum number of points on the axis.
    grid : Grid, optional
        Precomputed points, see `studies.stats.axes.make_grid`.

    Raises
    ------
    NotComparable
        If the entries have different units on the axis.
    """
    grid = grid or make_grid(table, axis, points)
    hits, curves = find_first_hits(table, references, axis, gaps), []
    for entry in _list_entries(table):
        rows = hits[table.entry_mask(entry)]
        first = np.searchsorted(grid.x, rows[np.isfinite(rows)], side="left")  # the first point at or after the hit
        by_then = np.cumsum(np.bincount(first, minlength=grid.x.size)[: grid.x.size])
        pairs = rows.size + count_failed_runs(table, entry) * len(gaps)
        curves.append(EcdfCurve(entry, pairs, by_then / pairs))
    kinds = tuple(references.kind[code] for code in np.unique(table.runs.instance))
    return Ecdf(grid, gaps, kinds, tuple(curves))


def _list_entries(table: Table) -> list[int]:
    """Return the entries with finished or failed runs, in order."""
    failed = () if table.plan is None else np.flatnonzero(table.plan.failed.any(axis=0))
    return np.union1d(table.runs.entry, failed).astype(int).tolist()


def count_failed_runs(table: Table, entry: int) -> int:
    """Return how many of an entry's runs failed on the table's instances; 0 if unknown."""
    return 0 if table.plan is None else int(table.plan.failed[:, entry].sum())
