"""Expected running time: how long it takes to reach a target if one starts again and again."""

from dataclasses import dataclass

import numpy as np

from studies.axes import unit
from studies.quantiles import quantiles
from studies.references import References, longest_within
from studies.table import Table
from studies.targets import reached

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
    runs, successes : int
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
) -> list[FixedTarget]:
    """Expected running time of every entry on every instance to every target, and how the runs' own times lie.

    What all runs took, the unsuccessful ones in full, over the number of successes: the mean time to the target of
    one who starts again, with another seed, whenever a run ends without it. A. Auger and N. Hansen, "Performance
    evaluation of an advanced local search evolutionary algorithm" (CEC 2005); N. Hansen, A. Auger, R. Ros,
    O. Mersmann, T. Tušar and D. Brockhoff, "COCO: a platform for comparing continuous optimizers in a black-box
    setting" (Optimization Methods and Software 36, 2021).

    Runs that failed are in no table, and so they are left out: what they took on the run's clock is not known.

    Parameters
    ----------
    table, held, axis, gaps, budget
        As `studies.targets.reached`.

    Raises
    ------
    NotComparable
        If the entries count different things along the axis.
    """
    unit(table, axis)
    hits, spent = reached(table, held, axis, gaps, budget)
    told = []
    for instance, entry, rows in table.groups():
        for place, gap in enumerate(gaps):
            times = hits[rows, place]
            successes = int(np.isfinite(times).sum())
            told.append(
                FixedTarget(
                    instance=instance,
                    entry=entry,
                    gap=gap,
                    kind=held.kind[instance],
                    target=longest_within(int(held.length[instance]), gap),
                    runs=times.size,
                    successes=successes,
                    expected=float(spent[rows, place].sum()) / successes if successes else np.inf,
                    quartiles=quantiles(times),
                )
            )
    return told
