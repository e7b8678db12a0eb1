"""A colony of bees. Imports Numba: for use inside `solve()`."""

from collections.abc import Callable, Generator

import numpy as np

from solvers.algorithms.swarms.bees.params import CHANGES, BeeParams
from solvers.algorithms.swarms.kernels import bees_cpu as kernel
from solvers.algorithms.swarms.kernels.span_cpu import SPAN
from solvers.algorithms.swarms.swarm import WORK, Swarm
from solvers.core.solver import Job

#: Random stream of the onlookers' choices; lower numbers belong to sources and scouts.
_ONLOOKERS = 1 << 40


class BeeColony(Swarm):
    """Food sources with employed bees, onlookers and scouts.

    Parameters
    ----------
    job : Job
    threads : int

    Attributes
    ----------
    scouts : int
        Number of food sources abandoned so far.
    """

    def __init__(self, job: Job[BeeParams], threads: int) -> None:
        params = job.params
        super().__init__(job, params.size, threads, params.local_search == "every")
        m, n = self.tours.shape
        self._limit, self._change = params.trials(n), CHANGES.index(params.change)
        failed, tried = np.zeros((2, m), np.int64)
        self._sources = kernel.Sources(self.tours, self.lengths, failed, tried, np.zeros(m, np.int32))
        self.scouts, self._iteration = 0, 0
        self._candidates = [np.empty(n, np.int32) for _ in range(len(self._spans))]
        self._sums = np.empty(m)

    def _create_next(self) -> Generator[None, None, None]:
        """Send employed bees, onlookers and at most one scout (Karaboga and Basturk, 2007, section 3).

        The best tour is recorded before a scout may replace it.
        """
        self._sources.bees[:] = 1
        yield from self.share(self._visit)
        self._choose(self.size)
        yield from self.share(self._visit)
        self._iteration += 1
        self.update_best()
        abandoned = kernel.scout(self._sources, self._limit, self._seed, self.size + self.scouts, self._distance)
        self.scouts += abandoned >= 0
        self.evaluations = 2 * self.size + (abandoned >= 0)

    def make_loaders(self) -> list[Callable[[], object]]:
        """See `Population`."""
        return [
            lambda: self._choose(0),
            lambda: kernel.scout(self._sources, np.iinfo(np.int64).max, self._seed, 0, self._distance),
            lambda: self._visit(0, np.zeros(SPAN, np.int64)),
        ]

    def _choose(self, onlookers: int) -> None:
        step = np.uint64(self._iteration * self.size)
        kernel.choose(self._sources, onlookers, self._seed, _ONLOOKERS, step, self._sums)

    def _visit(self, thread: int, span: np.ndarray | None = None) -> None:
        kernel.visit(
            self._sources, self._change, self._locals[thread], self._shortens,
            self._spans[thread] if span is None else span, self._seed, self._candidates[thread], WORK,
        )  # fmt: skip
