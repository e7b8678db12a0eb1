"""Local search on many tours on the CPU, with all threads. Imports Numba: for use inside `solve()`."""

from collections.abc import Generator

import numpy as np

from solvers.core.neighbours import with_distances
from solvers.kernels.local_search_cpu import allocate_search, is_three_opt
from solvers.kernels.local_search_moves import MIN_CITIES
from solvers.kernels.local_search_tours_cpu import SPAN, shorten
from solvers.kernels.segment_exchange_cpu import exchange_in_tours
from solvers.parallel.thread_team import ThreadTeam

#: Work of local search between two checks of the clock, in the unit of `solvers.kernels.local_search_cpu.improve`; this
#: takes at most about 10 ms.
WORK = 1 << 21
#: Maximum total number of cities in the tours that a thread takes at a time.
_CITIES = 1 << 12


class TourSearch:
    """Local search among nearest cities, for all tours of an iteration.

    Parameters
    ----------
    distances : ndarray, shape (n, n), int32
    near : ndarray, shape (n, k), int32
        Each city's nearest cities, by distance.
    tours : ndarray, shape (m, n), int32
        The tours, which `shorten` changes in place.
    workers : int
        Number of threads that take part.
    moves : str
        One of `solvers.kernels.local_search_cpu.KINDS`.
    """

    def __init__(self, distances: np.ndarray, near: np.ndarray, tours: np.ndarray, workers: int, moves: str) -> None:
        self._distances, self._tours = distances.reshape(-1), tours
        self._near, self._near_distance = with_distances(distances, near)
        self._searches = [allocate_search(len(distances), moves) for _ in range(workers)]
        self._spans = [np.zeros(SPAN, np.int64) for _ in range(workers)]
        self._exchanges = is_three_opt(moves)

    def load(self) -> None:
        """Compile or load the kernel."""
        self._shorten_on(0)

    def shorten(self, team: ThreadTeam) -> Generator[None, None, None]:
        """Improve all tours; yield after each slice."""
        ants, n = self._tours.shape
        if n < MIN_CITIES:
            return
        few = max(1, min(ants // (8 * len(self._spans)), _CITIES // n))
        yield from team.distribute(self._shorten_on, ants, few, self._spans)

    def _shorten_on(self, worker: int) -> None:
        shorten(
            self._tours.reshape(-1), self._tours.shape[1], self._distances, self._near, self._near_distance,
            self._searches[worker], self._spans[worker], WORK, self._exchanges,
        )  # fmt: skip


class DirectedTourSearch(TourSearch):
    """Local search that keeps directions, for directed instances; see `solvers.kernels.segment_exchange_cpu`.

    Parameters
    ----------
    distances, near, tours, workers
        See `TourSearch`.
    """

    def __init__(self, distances: np.ndarray, near: np.ndarray, tours: np.ndarray, workers: int) -> None:
        self._distances, self._near, self._tours = distances, np.ascontiguousarray(near), tours
        self._spans = [np.zeros(SPAN, np.int64) for _ in range(workers)]

    def _shorten_on(self, worker: int) -> None:
        tours = self._tours
        exchange_in_tours(tours.reshape(-1), tours.shape[1], self._distances, self._near, self._spans[worker])
