"""A population on the CPU: each generation is made in slices, each shared by all threads.

All parents of a generation are tours of the previous one. So threads need not wait for each other, and the tours do not
depend on the number of threads.
"""

from abc import abstractmethod
from collections.abc import Callable, Generator
from functools import partial

import numpy as np

from data.distances import distance_matrix, tour_length
from solvers.algorithms.genetic.kernels.order_crossover_cpu import measure_tour
from solvers.algorithms.genetic.memory import too_large_reason
from solvers.algorithms.genetic.params import SHORTENED, GeneticParams
from solvers.core.errors import InstanceTooLarge
from solvers.core.neighbours import neighbours
from solvers.core.solver import Job
from solvers.kernels.tours_cpu import random_tour, random_tours
from solvers.parallel.population import Generation, Parents, Population
from solvers.parallel.tour_search import DirectedTourSearch, TourSearch

#: Amount of work of a thread between two checks of the time, in the kernels' unit: a few milliseconds.
WORK = 1_000_000
#: Total number of cities in the tours that are made or measured at a time.
_CITIES = 1 << 17
#: Maximum number of pairs that a thread takes at a time; first random stream for the order of a generation's pairs.
_PAIRS, _SEQUENCES = 8, 1 << 48


class CpuPopulation(Population):
    """A population and its generations; subclasses define how tours are stored and crossed.

    Parameters
    ----------
    job : Job
    threads : int

    Attributes
    ----------
    m, n : int
        Number of tours and of cities.
    distances : ndarray, shape (n, n), int32
    near : ndarray, shape (n, k), int32
        The nearest cities of each city.
    lengths : ndarray, shape (m,), int64
        Lengths of the current generation's tours.
    new_lengths, child_counts : ndarray, shape (m,), int64
        Lengths of the next generation's tours, and number of children of each pair.
    still : int
        Number of generations since the last surviving child.
    sequence : ndarray, shape (m,), int32
        A random order of the tours, in which neighbours form pairs.
    stream : int
        Random stream of the first pair in this generation; pair k has stream `stream` + k.

    Raises
    ------
    InstanceTooLarge
        If the population does not fit into memory.
    """

    def __init__(self, job: Job[GeneticParams], threads: int) -> None:
        self.params, self.m, self.n = job.params, job.params.population, job.instance.n
        directed = job.instance.directed
        if reason := too_large_reason(job.instance.name, self.n, self.m, directed and self.params.exchanges_edges):
            raise InstanceTooLarge(reason)
        self._seed = np.uint64(job.seed)
        self.distances = distance_matrix(job.instance)
        self.near = neighbours(self.distances, self.params.neighbours)
        self.lengths, self.new_lengths, self.child_counts = np.zeros((3, self.m), np.int64)
        self.sequence, self.stream = np.zeros(self.m, np.int32), 0
        self._tours = np.zeros((self.m, self.n), np.int32)
        super().__init__(threads)
        self._number = 0
        self._make_random(0, 1)
        self._instance, self._start, self.still = job.instance, job.start, 0
        self._search: TourSearch | None = None
        if self.params.initial == SHORTENED:
            arguments = self.distances, self.near, self._tours, threads
            self._search = DirectedTourSearch(*arguments) if directed else TourSearch(*arguments, "2-opt+or-opt")
        self._parents: Parents | None = None

    @abstractmethod
    def _adopt(self, tours: np.ndarray) -> None:
        """Store the tours of the first generation, (m, n) int32."""

    @abstractmethod
    def _cross(self) -> Generator[None, None, None]:
        """Cross all pairs of `sequence`; yield after each slice."""

    @abstractmethod
    def _replace(self) -> None:
        """Make the next generation the current one; `lengths` are already replaced."""

    @abstractmethod
    def _current(self) -> tuple[np.ndarray, bool]:
        """Return the current tours, and whether they are linked lists (`Generation.linked`)."""

    @abstractmethod
    def tour(self, index: int) -> np.ndarray:
        """Return a copy of a tour in the current generation, in visiting order, (n,) int32."""

    @abstractmethod
    def _is_over(self) -> bool:
        """Return whether later generations are unlikely to differ from the current one."""

    def make_loaders(self) -> list[Callable[[], object]]:
        """See `Population`."""
        return [
            partial(self._measure, 0, 1),
            partial(random_tour, self._seed, _SEQUENCES, self.m, self.sequence),
            *([] if self._search is None else [self._search.load]),
        ]

    @property
    def _threads(self) -> int:
        return self._team.threads

    def find_unfinished(self) -> np.ndarray:
        """Return the first individual's tour, or the start tour if that is shorter, (n,) int32."""
        order = self._tours[0].copy()
        if self._start is not None and tour_length(self._instance, self._start) < tour_length(self._instance, order):
            return self._start
        return order

    def _create_first(self) -> Generator[None, None, None]:
        piece = max(1, _CITIES // self.n)
        yield from self._team.share(self._make_random, self.m, piece, 1)
        if self._start is not None:
            self._tours[0] = self._start
        if self._search is not None:
            yield from self._search.shorten(self._team)
        yield from self._team.share(self._measure, self.m, piece, self._threads)
        self.child_counts[:] = 1
        self._adopt(self._tours)

    def _create_next(self) -> Generator[None, None, None]:
        random_tour(self._seed, _SEQUENCES + self._number, self.m, self.sequence)
        self.stream = self.m * self._number
        yield from self._cross()
        self._parents = self._find_best_parents()
        self.still = self.still + 1 if np.array_equal(self.lengths, self.new_lengths) else 0
        self.lengths, self.new_lengths = self.new_lengths, self.lengths
        self._replace()

    def _find_best_parents(self) -> Parents | None:
        """Return the parents of the next generation's shortest tour; None if that tour is old."""
        best = int(self.new_lengths.argmin())
        if self.new_lengths[best] >= self.lengths[best]:
            return None
        pair = int(np.flatnonzero(self.sequence == best)[0])
        other = int(self.sequence[(pair + 1) % self.m])
        lengths = int(self.lengths[best]), int(self.lengths[other])
        return Parents(best, other, *lengths, self.tour(best), self.tour(other), int(self.child_counts[best]))

    def _make_random(self, first: int, last: int) -> None:
        random_tours(self._seed, first, self._tours[first:last])

    def _measure(self, first: int, last: int) -> None:
        for k in range(first, last):
            self.lengths[k] = measure_tour(self.distances.reshape(-1), self._tours[k])

    def _pairs(self) -> int:
        """Return how many pairs a thread takes at a time."""
        return max(1, min(_PAIRS, self.m // (4 * self._threads)))

    def _build_generation(self, seconds: float) -> Generation:
        self._number += 1
        tours, linked = self._current()
        best, children = int(self.lengths.argmin()), int(self.child_counts.sum())
        return Generation(
            self.lengths.copy(), tours, self.tour(best), int(self.lengths[best]), children, seconds, linked,
            self._is_over(), self._parents,
        )  # fmt: skip
