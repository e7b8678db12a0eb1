"""Anytime logs of many runs, as flat columns: when each run found a shorter tour."""

from dataclasses import dataclass
from typing import Self

import numpy as np

#: Units of a run's progress: columns of `Logs`, and totals of `studies.stats.table.Runs`.
AXES = ("seconds", "evaluations", "iterations")


@dataclass(frozen=True, slots=True, eq=False)
class Logs:
    """Every improvement of every run, run after run.

    The best length of a run over seconds, evaluations or iterations is a step function: at any point, it is the length
    of the last improvement so far, and unknown before the first.

    Attributes
    ----------
    offsets : ndarray, shape (r + 1,), int64
        Run k has the rows from ``offsets[k]`` to ``offsets[k + 1]``, exclusive; none if it found no tour.
    seconds : ndarray, shape (p,), float64
        Time on the run's clock, non-decreasing within a run.
    evaluations, iterations : ndarray, shape (p,), int64
        Totals of the run at that time, in its algorithm's declared units, non-decreasing within a run.
    length : ndarray, shape (p,), int64
        Length, strictly decreasing within a run.

    Raises
    ------
    ValueError
        If columns are inconsistent, a length does not decrease, or time goes back.
    """

    offsets: np.ndarray
    seconds: np.ndarray
    evaluations: np.ndarray
    iterations: np.ndarray
    length: np.ndarray

    def __post_init__(self) -> None:
        offsets, points = self.offsets, self.length.size
        if offsets.size == 0 or offsets[0] != 0 or offsets[-1] != points or (np.diff(offsets) < 0).any():
            raise ValueError("The offsets of the logs do not partition their rows.")
        if points and self.length.min() <= 0:
            raise ValueError("A log has a length that is not positive.")
        within = np.ones(max(points - 1, 0), bool)  # whether rows k and k + 1 belong to the same run
        borders = offsets[1:-1]
        within[borders[(borders > 0) & (borders < points)] - 1] = False
        if (np.diff(self.length)[within] >= 0).any():
            raise ValueError("A log's lengths do not decrease.")
        for axis in AXES:
            column = getattr(self, axis)
            if column.size != points or not np.isfinite(column).all() or (points and column.min() < 0):
                raise ValueError(f"The {axis} of the logs are not all finite and non-negative.")
            if (np.diff(column)[within] < 0).any():
                raise ValueError(f"The {axis} of a log decrease.")

    @property
    def run(self) -> np.ndarray:
        """Run of each row, (p,) int64."""
        return np.repeat(np.arange(self.offsets.size - 1), np.diff(self.offsets))

    def take(self, runs: np.ndarray) -> Self:
        """Select the logs of runs, in the order of `runs`."""
        counts = np.diff(self.offsets)[runs]
        offsets = np.concatenate([[0], np.cumsum(counts)])
        rows = np.arange(offsets[-1]) + np.repeat(self.offsets[runs] - offsets[:-1], counts)
        columns = {name: getattr(self, name)[rows] for name in (*AXES, "length")}
        return type(self)(offsets=offsets, **columns)
