"""Expected running time: how long it takes to reach a target if one starts again and again."""

from dataclasses import dataclass

import numpy as np

from studies.stats.axes import unit
from studies.stats.quantiles import quantiles
from studies.stats.references import References, longest_within
from studies.stats.table import Table
from studies.stats.targets import first_hits, reached

#: Gaps in per cent whose expected running time is told: 0 is the reference itself.
TOLD = (1.0, 0.1, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class FixedTarget:
    """What one entry takes on one instance to come within a gap.

    Attributes
    ----------
    instance, entry : int
    gap : float
        Per cent above the reference, whose kind is `kind`.
    kind : str
    target : int
        The longest length that is within it.
    runs, successes, failed : int
        Of the runs, `failed` ended by an error; they count among those without success.
    expected : float
        Expected running time, in the axis's unit (see `expected_times`); infinite without a success.
    quartiles : ndarray, shape (3,), float64
        Of the runs' own times until the target, with those that did not reach it at infinity; NaN where it lies
        there.
    """

    instance: int
    entry: int
    gap: float
    kind: str
    target: int
    runs: int
    successes: int
    failed: int
    expected: float
    quartiles: np.ndarray

    @property
    def success_rate(self) -> float:
        """Share of the runs that reached the target, 0 to 1."""
        return self.successes / self.runs


def expected_times(
    table: Table,
    held: References,
    axis: str = "seconds",
    gaps: tuple[float, ...] = TOLD,
    budget: float = np.inf,
    hits: np.ndarray | None = None,
) -> list[FixedTarget]:
    """Expected running time of every entry on every instance to every target, and how the runs' own times lie.

    What all runs took, the unsuccessful ones in full, over the number of successes: the mean time to the target of
    one who starts again, with another seed, whenever a run ends without it. A. Auger and N. Hansen, "Performance
    evaluation of an advanced local search evolutionary algorithm" (CEC 2005); N. Hansen, A. Auger, R. Ros,
    O. Mersmann, T. Tušar and D. Brockhoff, "COCO: a platform for comparing continuous optimizers in a black-box
    setting" (Optimization Methods and Software 36, 2021).

    A run that ended by an error is one without success. It counts with its whole budget, as solver competitions count a
    crash as a run out of time: what it took on the run's clock is lost with it, and an error that comes early must not
    make an algorithm look quick. Where the budget has no limit along the axis, it counts as the longest run of the
    same entry on the instance that did not fail.

    Parameters
    ----------
    table : Table
    held : References
        Of the whole study.
    axis : str
        One of `studies.stats.logs.AXES`.
    gaps : tuple of float
        Per cent, falling.
    budget : float
        On the axis: all runs, had they been ended there.
    hits : ndarray, shape (r, t), float64, optional
        Where they are known: `studies.stats.targets.first_hits` of these runs and gaps.

    Raises
    ------
    NotComparable
        If the entries count different things along the axis.
    """
    unit(table, axis)
    hits, spent = reached(table, first_hits(table, held, axis, gaps) if hits is None else hits, axis, budget)
    totals, told = getattr(table.runs, axis), []
    for instance, entry, rows in _groups(table):
        failed = 0 if table.plan is None else int(table.plan.failed[instance, entry])
        lost = failed * _lost(table, axis, totals[rows], budget)
        successes = np.isfinite(hits[rows]).sum(axis=0).tolist()
        sums, whole = spent[rows].sum(axis=0), np.concatenate([hits[rows], np.full((failed, len(gaps)), np.inf)])
        middles = quantiles(whole).T
        for place, gap in enumerate(gaps):
            there = successes[place]
            told.append(
                FixedTarget(
                    instance=instance,
                    entry=entry,
                    gap=gap,
                    kind=held.kind[instance],
                    target=longest_within(int(held.length[instance]), gap),
                    runs=len(whole),
                    successes=there,
                    failed=failed,
                    expected=float(sums[place] + lost) / there if there else np.inf,
                    quartiles=middles[place],
                )
            )
    return told


def _groups(table: Table) -> list[tuple[int, int, np.ndarray]]:
    """Those of the table, and those all of whose runs failed, in order."""
    groups = table.groups()
    if table.plan is None:
        return groups
    there = {(instance, entry) for instance, entry, _ in groups}
    none = np.empty(0, np.int64)
    more = [(i, e, none) for i, e in np.argwhere(table.plan.failed).tolist() if (i, e) not in there]
    return sorted(groups + more, key=lambda group: group[:2])


def _lost(table: Table, axis: str, totals: np.ndarray, budget: float) -> float:
    """What one run that failed counts as."""
    limit = None if table.plan is None else getattr(table.plan.budget, axis)
    whole = limit if limit is not None else totals.max(initial=0)
    return float(min(whole, budget))
