"""Fixed budgets: each entry's gaps at a given budget, computed from the logs."""

from dataclasses import dataclass

import numpy as np

from studies.stats.axes import unit
from studies.stats.quantiles import quantiles
from studies.stats.references import References, gap_percent
from studies.stats.step_functions import lengths_at
from studies.stats.table import Table


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """An entry's runs on an instance, at a budget.

    Attributes
    ----------
    instance, entry : int
    kind : str
        Kind of the reference for gaps.
    seed, length : ndarray, shape (k,), int64
        Seed and length of each run, by seed; length 0 where there was no tour yet.
    gap_percent : ndarray, shape (k,), float64
        Gap of each run; infinite where there was no tour yet.
    five_numbers : ndarray, shape (5,), float64
        Minimum, lower quartile, median, upper quartile and maximum of the gaps; NaN where undefined (see
        `studies.stats.quantiles`).
    ended : int
        Number of runs that ended before the budget.
    """

    instance: int
    entry: int
    kind: str
    seed: np.ndarray
    length: np.ndarray
    gap_percent: np.ndarray
    five_numbers: np.ndarray
    ended: int


def lengths_at_budget(table: Table, axis: str = "seconds", budget: float = np.inf) -> np.ndarray:
    """Return every run's length at a budget, (r,) int64; 0 where it had no tour yet."""
    return table.runs.length if budget == np.inf else lengths_at(table, axis, budget)


def spreads(table: Table, references: References, axis: str = "seconds", budget: float = np.inf) -> list[Spread]:
    """Return the gaps of every entry on every instance at a budget, by default at the runs' ends.

    Parameters
    ----------
    table : Table
    references : References
        References of the whole study.
    axis : str
        One of `studies.stats.logs.AXES`.
    budget : float
        Budget on the axis.

    Raises
    ------
    NotComparable
        If there is a budget and the entries have different units on the axis.
    """
    if budget != np.inf:
        unit(table, axis)
    runs, lengths = table.runs, lengths_at_budget(table, axis, budget)
    gaps = gap_percent(lengths, references.length[runs.instance])
    ended = getattr(runs, axis) < budget
    return [
        Spread(
            instance=instance,
            entry=entry,
            kind=references.kind[instance],
            seed=runs.seed[rows],
            length=lengths[rows],
            gap_percent=gaps[rows],
            five_numbers=quantiles(gaps[rows], (0.0, 0.25, 0.5, 0.75, 1.0)),
            ended=int(ended[rows].sum()),
        )
        for instance, entry, rows in table.groups()
    ]
