"""Fixed budgets: how the tours that each entry's runs had by then are spread, for any budget, from the logs."""

from dataclasses import dataclass

import numpy as np

from studies.stats.axes import unit
from studies.stats.quantiles import quantiles
from studies.stats.references import References, gap_percent
from studies.stats.step_functions import lengths_at
from studies.stats.table import Table


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """The runs of one entry on one instance as they stood at a budget.

    Attributes
    ----------
    instance, entry : int
    kind : str
        What the gaps are held against.
    seed, length : ndarray, shape (k,), int64
        A row a run, in order of the seed; length 0 where there was no tour yet.
    gap_percent : ndarray, shape (k,), float64
        Infinite where there was no tour yet.
    five : ndarray, shape (5,), float64
        Least gap, lower quartile, median, upper quartile, greatest; NaN where it lies with runs without a tour.
    ended : int
        How many had ended before the budget: more of it would not have been theirs to use.
    """

    instance: int
    entry: int
    kind: str
    seed: np.ndarray
    length: np.ndarray
    gap_percent: np.ndarray
    five: np.ndarray
    ended: int


def lengths_by(table: Table, axis: str = "seconds", budget: float = np.inf) -> np.ndarray:
    """Length of every run, had it been ended at a budget, shape (r,), int64; 0 where it had no tour yet."""
    return table.runs.length if budget == np.inf else lengths_at(table, axis, budget)


def spreads(table: Table, held: References, axis: str = "seconds", budget: float = np.inf) -> list[Spread]:
    """How the gaps of every entry on every instance are spread at a budget; by default at the runs' ends.

    Parameters
    ----------
    table : Table
    held : References
        Of the whole study.
    axis : str
        One of `studies.stats.logs.AXES`.
    budget : float
        On the axis.

    Raises
    ------
    NotComparable
        If the entries count different things along the axis, and a budget is asked for.
    """
    if budget != np.inf:
        unit(table, axis)
    runs, lengths = table.runs, lengths_by(table, axis, budget)
    gaps = gap_percent(lengths, held.length[runs.instance])
    over = getattr(runs, axis) < budget
    return [
        Spread(
            instance=instance,
            entry=entry,
            kind=held.kind[instance],
            seed=runs.seed[rows],
            length=lengths[rows],
            gap_percent=gaps[rows],
            five=quantiles(gaps[rows], (0.0, 0.25, 0.5, 0.75, 1.0)),
            ended=int(over[rows].sum()),
        )
        for instance, entry, rows in table.groups()
    ]
