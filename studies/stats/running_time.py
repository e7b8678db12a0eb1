"""Expected running time: the mean time to reach a target when restarting until it is reached."""

from dataclasses import dataclass

import numpy as np

from studies.stats.axes import unit
from studies.stats.quantiles import quantiles
from studies.stats.references import References, longest_within
from studies.stats.table import Table
from studies.stats.targets import first_hits, hits_within_budget

#: Gaps in per cent whose expected running time is shown: 0 is the reference itself.
GAPS = (1.0, 0.1, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class FixedTarget:
    """Running time of one entry on one instance to a target gap.

    Attributes
    ----------
    instance, entry : int
    gap : float
        Per cent above the reference, whose kind is `kind`.
    kind : str
    target : int
        The longest length within the gap.
    runs, successes, failed : int
        Numbers of runs, of those that reached the target, and of those that ended by an error, which count as
        unsuccessful.
    expected : float
        Expected running time, in the axis's unit (see `expected_times`); infinite without a success.
    quartiles : ndarray, shape (3,), float64
        Of the runs' own times to the target, infinite for those that did not reach it; NaN where undefined.
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


def expected_times(
    table: Table,
    references: References,
    axis: str = "seconds",
    gaps: tuple[float, ...] = GAPS,
    budget: float = np.inf,
    hits: np.ndarray | None = None,
) -> list[FixedTarget]:
    """Expected running time of every entry on every instance to every target, and quartiles of the runs' own times.

    The time of all runs until the target, of unsuccessful ones in full, over the number of successes: the mean time to
    the target when restarting, with another seed, whenever a run ends without it. A. Auger and N. Hansen, "Performance
    evaluation of an advanced local search evolutionary algorithm" (CEC 2005); N. Hansen, A. Auger, R. Ros,
    O. Mersmann, T. Tušar and D. Brockhoff, "COCO: a platform for comparing continuous optimizers in a black-box
    setting" (Optimization Methods and Software 36, 2021).

    A run that ended by an error is unsuccessful. It counts with its whole budget, as solver competitions count a crash
    as a timeout: its time is lost, and an early error must not make an algorithm look fast. If the budget has no limit
    along the axis, it counts as the longest run of the same entry on the instance that did not fail.

    Parameters
    ----------
    table : Table
    references : References
        Of the whole study.
    axis : str
        One of `studies.stats.logs.AXES`.
    gaps : tuple of float
        Per cent, descending.
    budget : float
        On the axis: all runs are cut off there.
    hits : ndarray, shape (r, t), float64, optional
        If known already: `studies.stats.targets.first_hits` of these runs and gaps.

    Raises
    ------
    NotComparable
        If the entries count different things along the axis.
    """
    unit(table, axis)
    hits, spent = hits_within_budget(
        table, first_hits(table, references, axis, gaps) if hits is None else hits, axis, budget
    )
    totals, times = getattr(table.runs, axis), []
    for instance, entry, rows in _groups(table):
        failed = 0 if table.plan is None else int(table.plan.failed[instance, entry])
        lost = failed * _lost(table, axis, totals[rows], budget)
        successes = np.isfinite(hits[rows]).sum(axis=0).tolist()
        sums, full = spent[rows].sum(axis=0), np.concatenate([hits[rows], np.full((failed, len(gaps)), np.inf)])
        quartiles = quantiles(full).T
        for k, gap in enumerate(gaps):
            count = successes[k]
            times.append(
                FixedTarget(
                    instance=instance,
                    entry=entry,
                    gap=gap,
                    kind=references.kind[instance],
                    target=longest_within(int(references.length[instance]), gap),
                    runs=len(full),
                    successes=count,
                    failed=failed,
                    expected=float(sums[k] + lost) / count if count else np.inf,
                    quartiles=quartiles[k],
                )
            )
    return times


def _groups(table: Table) -> list[tuple[int, int, np.ndarray]]:
    """The groups of the table, and those all of whose runs failed, in order."""
    groups = table.groups()
    if table.plan is None:
        return groups
    present = {(instance, entry) for instance, entry, _ in groups}
    none = np.empty(0, np.int64)
    more = [(i, e, none) for i, e in np.argwhere(table.plan.failed).tolist() if (i, e) not in present]
    return sorted(groups + more, key=lambda group: group[:2])


def _lost(table: Table, axis: str, totals: np.ndarray, budget: float) -> float:
    """The time that one failed run counts as."""
    limit = None if table.plan is None else getattr(table.plan.budget, axis)
    full = limit if limit is not None else totals.max(initial=0)
    return float(min(full, budget))
