"""Measurements of runs besides lengths: cities, threads, bandwidth and energy."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class RunMeasurements:
    """Additional columns with the same rows as `studies.stats.table.Runs`; NaN where unknown.

    Attributes
    ----------
    cities : ndarray, shape (r,), int64
    threads : ndarray, shape (r,), int64
        Number of threads; for a run on a GPU, those of the host process.
    move_bytes : ndarray, shape (r,), float64
        Bytes that the run's variant reads per 2-opt move, see `solvers.algorithms.two_opt.variant`.
    memory : ndarray, shape (r,), float64
        Peak memory bandwidth of the run's GPU in bytes per second.
    joules : ndarray, shape (r,), float64
        Energy used by the run's GPU.
    no_energy : tuple of str
        Distinct reasons why runs have no energy.
    """

    cities: np.ndarray
    threads: np.ndarray
    move_bytes: np.ndarray
    memory: np.ndarray
    joules: np.ndarray
    no_energy: tuple[str, ...] = ()

    def take(self, rows: np.ndarray) -> Self:
        """Select runs."""
        return replace(
            self, cities=self.cities[rows], threads=self.threads[rows], move_bytes=self.move_bytes[rows],
            memory=self.memory[rows], joules=self.joules[rows],
        )  # fmt: skip
