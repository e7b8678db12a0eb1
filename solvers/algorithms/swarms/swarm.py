"""Base class of swarms: tours and lengths, threads, and local search. Imports Numba."""

from collections.abc import Callable, Generator

import numpy as np

from data.distances import distance_matrix
from solvers.algorithms.swarms.kernels.span_cpu import SPAN, Local, measure_tour, rotate_to_first
from solvers.core.neighbours import neighbours, with_distances
from solvers.core.solver import Job
from solvers.kernels.local_search_cpu import allocate_search
from solvers.kernels.tours_cpu import random_tours
from solvers.parallel.population import Generation, Population

#: Amount of a kernel's work between two checks of the clock: a few milliseconds.
WORK = 1 << 20
#: Minimum total number of cities for which threads share the work; with fewer, waking them takes longer than the work.
_SHARED = 50_000
#: Number of near cities that local search tries.
_NEAR = 20


class Swarm(Population):
    """A population of tours, and the threads that change them.

    Parameters
    ----------
    job : Job
    size : int
        Number of tours.
    threads : int
    local : bool
        Whether tours are shortened by local search.

    Attributes
    ----------
    size, evaluations : int
        Number of tours, and of tours measured in the last iteration.
    tours : ndarray, shape (size, n), int32
    lengths : ndarray, shape (size,), int64
    best : ndarray, shape (n,), int32
        Shortest tour of the last iteration; before the first iteration, the shortest initial tour.
    best_length : int
    """

    def __init__(self, job: Job, size: int, threads: int, local: bool) -> None:
        n = job.instance.n
        self.size, self.evaluations, self._seed = size, 0, np.uint64(job.seed)
        matrix = distance_matrix(job.instance)
        self._distance = matrix.reshape(-1)
        near = neighbours(matrix, _NEAR if local else 0)
        self.tours = np.empty((size, n), np.int32)
        random_tours(self._seed, 0, self.tours)
        if job.start is not None:
            self.tours[0] = job.start
        scratch = np.empty(n, np.int32)
        for tour in self.tours:
            rotate_to_first(tour, scratch)
        self.lengths = np.array([measure_tour(self._distance, tour) for tour in self.tours], np.int64)
        workers = threads if local or size * n >= _SHARED else 1
        super().__init__(workers)
        self._spans = [np.zeros(SPAN, np.int64) for _ in range(workers)]
        flat = with_distances(matrix, near)
        self._locals = [Local(self._distance, *flat, allocate_search(n), job.instance.directed) for _ in range(workers)]
        self._shortens = local or None
        self.best, self.best_length = self.tours[0], 0
        self.update_best()

    def update_best(self) -> None:
        """Set the best tour to the shortest current one, the first on ties."""
        k = int(self.lengths.argmin())
        self.best, self.best_length = self.tours[k].copy(), int(self.lengths[k])

    def find_unfinished(self) -> np.ndarray:
        """Return the best of the initial tours; see `Population`."""
        return self.best

    def _build_generation(self, seconds: float) -> Generation:
        return Generation(self.lengths, self.tours, self.best, self.best_length, self.evaluations, seconds)

    def share(self, work: Callable[[int], None]) -> Generator[None, None, None]:
        """Run `work(thread)` in all threads until every individual is done; yield after each slice."""
        return self._team.distribute(work, self.size, -(-self.size // (4 * len(self._spans))), self._spans)
