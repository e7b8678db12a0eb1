"""A population with order crossover. Imports Numba: for use inside `solve()`."""

from collections.abc import Callable, Generator
from functools import partial

import numpy as np

from solvers.algorithms.genetic.cpu import WORK, CpuPopulation
from solvers.algorithms.genetic.kernels.order_crossover_cpu import (
    OrderBreeding,
    allocate_order_crossing,
    cross_order_pairs,
)
from solvers.core.solver import Job


class OrderPopulation(CpuPopulation):
    """Stores tours in visiting order, in two alternating arrays; see `CpuPopulation`."""

    def __init__(self, job: Job, threads: int) -> None:
        super().__init__(job, threads)
        distance, mutation = self.distances.reshape(-1), round(self.params.mutation * 2**32)
        self._breeding = OrderBreeding(distance, self.params.offspring, mutation, self._seed)
        self._crossings = [allocate_order_crossing(self.n) for _ in range(threads)]
        self._new = np.zeros_like(self._tours)

    def make_loaders(self) -> list[Callable[[], object]]:
        """See `CpuPopulation.make_loaders`."""
        return [*super().make_loaders(), partial(self._work, 0)]

    def tour(self, index: int) -> np.ndarray:
        """See `CpuPopulation.tour`."""
        return self._tours[index].copy()

    def _adopt(self, tours: np.ndarray) -> None:
        pass

    def _current(self) -> tuple[np.ndarray, bool]:
        return self._tours, False

    def _is_over(self) -> bool:
        """Return False, as mutation can always change a tour."""
        return False

    def _cross(self) -> Generator[None, None, None]:
        return self._team.distribute(self._work, self.m, self._pairs(), [crossing.span for crossing in self._crossings])

    def _work(self, worker: int) -> None:
        cross_order_pairs(
            self._breeding, self._tours, self.lengths, self.sequence, self.stream, self._new, self.new_lengths,
            self.child_counts, self._crossings[worker], WORK,
        )  # fmt: skip

    def _replace(self) -> None:
        self._tours, self._new = self._new, self._tours
