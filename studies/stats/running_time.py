"""Expected running time: the mean time to a target, restarting until it is reached."""

from dataclasses import dataclass

import numpy as np

from studies.stats.axes import find_unit
from studies.stats.references import References, max_length_within
from studies.stats.table import Table
from studies.stats.targets import find_first_hits, limit_hits

#: Gaps in per cent with an expected running time; 0 is the reference itself.
GAPS = (1.0, 0.1, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class FixedTarget:
    """An entry's running time to a target gap on an instance.

    Attributes
    ----------
    instance, entry : int
    gap : float
        Gap to the reference of kind `kind`, in per cent.
    kind : str
    target : int
        The longest length within the gap.
    runs, successes, failed : int
        Numbers of runs, of those that reached the target, and of those that failed, which count as unsuccessful.
    expected : float
        Expected running time in the unit of the axis (see `compute_expected_times`); infinite without a success.
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


def compute_expected_times(
    table: Table,
    references: References,
    axis: str = "seconds",
    gaps: tuple[float, ...] = GAPS,
    budget: float = np.inf,
    hits: np.ndarray | None = None,
) -> list[FixedTarget]:
    """Return each entry's expected running time to each target on each instance.

    The expected running time is the total time of all runs until the target, unsuccessful ones in full, divided by the
    number of successes. It is the mean time to the target if a run that ends without it is restarted with another seed.
    A. Auger and N. Hansen, "Performance evaluation of an advanced local search evolutionary algorithm" (CEC 2005); N.
    Hansen, A. Auger, R. Ros, O. Mersmann, T. Tušar and D. Brockhoff, "COCO: a platform for comparing continuous
    optimizers in a black-box setting" (Optimization Methods and Software 36, 2021).

    A failed run is unsuccessful. It counts with its whole budget, as solver competitions count a crash as a timeout:
    its time is lost, and an early error must not make an algorithm look fast. If the budget has no limit on the axis,
    the run counts as the longest successful run of the same entry on the instance.

    Parameters
    ----------
    table : Table
    references : References
        References of the whole study.
    axis : str
        One of `studies.stats.logs.AXES`.
    gaps : tuple of float
        Gaps in per cent, descending.
    budget : float
        Budget on the axis, at which all runs are cut off.
    hits : ndarray, shape (r, t), float64, optional
        Precomputed `studies.stats.targets.find_first_hits` of these runs and gaps.

    Raises
    ------
    NotComparable
        If the entries have different units on the axis.
    """
    find_unit(table, axis)
    hits, spent = limit_hits(
        table, find_first_hits(table, references, axis, gaps) if hits is None else hits, axis, budget
    )
    totals, times = getattr(table.runs, axis), []
    for instance, entry, rows in _list_groups(table):
        failed = 0 if table.plan is None else int(table.plan.failed[instance, entry])
        lost_time = failed * _compute_lost_time(table, axis, totals[rows], budget)
        successes = np.isfinite(hits[rows]).sum(axis=0).tolist()
        sums = spent[rows].sum(axis=0)
        for k, gap in enumerate(gaps):
            count = successes[k]
            times.append(
                FixedTarget(
                    instance=instance,
                    entry=entry,
                    gap=gap,
                    kind=references.kind[instance],
                    target=max_length_within(int(references.length[instance]), gap),
                    runs=rows.size + failed,
                    successes=count,
                    failed=failed,
                    expected=float(sums[k] + lost_time) / count if count else np.inf,
                )
            )
    return times


def _list_groups(table: Table) -> list[tuple[int, int, np.ndarray]]:
    """Return the table's groups in order, including those whose runs all failed."""
    groups = table.groups()
    if table.plan is None:
        return groups
    present = {(instance, entry) for instance, entry, _ in groups}
    none = np.empty(0, np.int64)
    missing = [(i, e, none) for i, e in np.argwhere(table.plan.failed).tolist() if (i, e) not in present]
    return sorted(groups + missing, key=lambda group: group[:2])


def _compute_lost_time(table: Table, axis: str, totals: np.ndarray, budget: float) -> float:
    """Return the time charged for a failed run."""
    limit = None if table.plan is None else getattr(table.plan.budget, axis)
    full = limit if limit is not None else totals.max(initial=0)
    return float(min(full, budget))
