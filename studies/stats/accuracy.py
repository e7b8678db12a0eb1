"""Climbers against accuracy: how accurate entries' tours are at points of an axis.

After J. Utne and H. N. W. Hansen, "Solving TSP on the GPU based on heuristic algorithms" (2023), sections 7.4, 7.5,
whose quantity is climbers: the iterations of 2-opt from many starts. The corresponding curve is `studies.stats.anytime`
with the measure ``accuracy_percent``.
"""

from dataclasses import dataclass

import numpy as np

from studies.stats.axes import find_unit
from studies.stats.references import References, accuracy_percent
from studies.stats.step_functions import sample_lengths
from studies.stats.table import Table


@dataclass(frozen=True, slots=True)
class MedianRange:
    """Median, minimum and maximum over the runs."""

    median: float
    minimum: float
    maximum: float


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The accuracy of an entry's runs on an instance, at a point of an axis.

    Attributes
    ----------
    instance, entry : int
    at : float
        Value of the stopping quantity.
    runs : int
        Number of runs that reached this value and had a tour; others are left out.
    length : MedianRange
        Shortest length of each run so far.
    accuracy_percent : MedianRange or None
        100 optimum / length; None if neither an optimum nor a best known length is known.
    """

    instance: int
    entry: int
    at: float
    runs: int
    length: MedianRange
    accuracy_percent: MedianRange | None


def list_powers(table: Table, axis: str) -> tuple[float, ...]:
    """Return the powers of ten up to the longest run, from 1 for counts, or from the first tour for seconds."""
    first, last = getattr(table.logs, axis), getattr(table.runs, axis)
    first = first[first > 0] if axis == "seconds" else np.ones(1)
    if not first.size or not last.size or last.max() < first.min():
        return ()
    low, high = np.ceil(np.log10(first.min())), np.floor(np.log10(last.max()))
    return tuple(10.0**power for power in range(int(low), int(high) + 1))


def compute_accuracies(
    table: Table, references: References, axis: str = "iterations", at: tuple[float, ...] | None = None
) -> list[Accuracy]:
    """Return the accuracy for each instance, entry and point of the axis that any of their runs reaches.

    Parameters
    ----------
    table : Table
    references : References
        References of the whole study.
    axis : str
        Stopping quantity, one of `studies.stats.logs.AXES`.
    at : tuple of float, optional
        Ascending points on the axis; by default `list_powers`.

    Raises
    ------
    NotComparable
        If the entries have different units on the axis.
    """
    find_unit(table, axis)
    points = list_powers(table, axis) if at is None else at
    lengths, totals = sample_lengths(table, axis, np.array(points)), getattr(table.runs, axis)
    results = []
    for instance, entry, rows in table.groups():
        for column, point in enumerate(points):
            reaching = lengths[rows[totals[rows] >= point], column]
            reaching = reaching[reaching > 0]
            if reaching.size:
                percents = (
                    accuracy_percent(reaching, references.length[instance]) if references.known[instance] else None
                )
                accuracy_range = None if percents is None else _compute_median_range(percents)
                results.append(
                    Accuracy(instance, entry, point, reaching.size, _compute_median_range(reaching), accuracy_range)
                )
    return results


def _compute_median_range(values: np.ndarray) -> MedianRange:
    return MedianRange(float(np.median(values)), float(values.min()), float(values.max()))
