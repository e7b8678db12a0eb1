"""Estimates a study's time left from the durations of its runs."""

from collections import defaultdict
from collections.abc import Iterable
from statistics import median

from studies.pool.dispatch import Run


class Estimate:
    """Predicts runs' durations without compilation: the median of the same entry and instance, the entry, or all."""

    def __init__(self) -> None:
        self._durations: dict[tuple[int, ...], list[float]] = defaultdict(list)

    def add(self, cell: Run, seconds: float) -> None:
        """Record a run's duration."""
        for key in self._list_keys(cell):
            self._durations[key].append(seconds)

    def estimate_seconds(self, cells: Iterable[Run]) -> float | None:
        """Return the total seconds of these runs in sequence; None until a duration is known."""
        if not self._durations:
            return None
        medians: dict[tuple[int, ...], float] = {}
        total = 0.0
        for cell in cells:
            key = next(key for key in self._list_keys(cell) if self._durations.get(key))
            if key not in medians:
                medians[key] = median(self._durations[key])
            total += medians[key]
        return total

    @staticmethod
    def _list_keys(cell: Run) -> tuple[tuple[int, ...], ...]:
        return (cell.entry, cell.instance), (cell.entry,), ()
