"""Measurements of runs besides their lengths: cities, threads, bandwidth and energy."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """Columns beside those of `studies.stats.table.Runs`, row by row of the same run; NaN where it is not known.

    Attributes
    ----------
    cities : ndarray, shape (r,), int64
    threads : ndarray, shape (r,), int64
        Of the run: on a GPU, of the process that leads it.
    move_bytes : ndarray, shape (r,), float64
        Bytes that its variant reads for each move of 2-opt, see `solvers.two_opt.variant`.
    memory : ndarray, shape (r,), float64
        Bytes a second of its GPU's memory at most.
    joules : ndarray, shape (r,), float64
        That its GPU took.
    no_energy : tuple of str
        Why runs have no joules, each reason once.
    """

    cities: np.ndarray
    threads: np.ndarray
    move_bytes: np.ndarray
    memory: np.ndarray
    joules: np.ndarray
    no_energy: tuple[str, ...] = ()

    def take(self, rows: np.ndarray) -> Self:
        """Some of the runs."""
        return replace(
            self, cities=self.cities[rows], threads=self.threads[rows], move_bytes=self.move_bytes[rows],
            memory=self.memory[rows], joules=self.joules[rows],
        )  # fmt: skip
