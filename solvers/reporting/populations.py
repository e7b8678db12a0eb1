"""Reports a population of tours, iteration by iteration. Imports Numba: for use inside `solve()`."""

from collections.abc import Generator

import numpy as np

from solvers.core.events import Event, Individuals, Population
from solvers.core.solver import Job
from solvers.kernels.population_cpu import count_edges, link
from solvers.parallel.population import Generation
from solvers.reporting.pictures import find_next_picture
from solvers.reporting.statistics import PROGRESS_ROWS, make_heartbeat

#: Maximum number of a population's lengths that are reported.
_MAX_LENGTHS = 1000
#: Number of edges to count between two heartbeats, which takes about 20 ms.
_WORK = 4_000_000


class PopulationReporter:
    """Turns a population into events: statistics of each iteration, and the lengths of all tours of some iterations.

    Lengths are reported after iterations chosen by their number alone, like the pictures of ant colonies, and after the
    last one. While edges are counted, the run's clock is paused.

    Parameters
    ----------
    job : Job
    iterations : int
        Total number of iterations.
    """

    def __init__(self, job: Job, iterations: int) -> None:
        self._job, self._total = job, iterations
        self._row_interval = -(-iterations // PROGRESS_ROWS)
        self._next = 1

    def load(self) -> None:
        """Compile or load the kernels."""
        for _ in count_tour_edges(find_tour_neighbours(np.zeros((1, 1), np.int32)), 0):
            pass

    def report(self, iteration: int, generation: Generation, last: bool) -> Generator[Event, None, None]:
        """Yield the events of one iteration.

        Parameters
        ----------
        iteration : int
            Counted from 1.
        generation : Generation
        last : bool
            Whether the run ends with this iteration.
        """
        last, lengths = last or iteration == self._total, generation.lengths
        if iteration % self._row_interval == 0 or last:
            edges, shared = yield from self._diversity(generation)
            yield Population(
                iteration=np.array([iteration]),
                best=np.array([lengths.min()]),
                mean=np.array([float(lengths.mean())]),
                worst=np.array([lengths.max()]),
                edges=np.array([edges]),
                shared=np.array([shared]),
            )
        if self._job.pictures and (iteration >= self._next or last):
            self._next = find_next_picture(iteration)
            yield Individuals(iteration, lengths.size, sample_by_rank(lengths))

    def _diversity(self, generation: Generation) -> Generator[Event, None, tuple[int, float]]:
        clock, tours = self._job.stop.clock, generation.tours
        clock.pause()
        links = tours if generation.linked else find_tour_neighbours(tours)
        steps = count_tour_edges(links, int(generation.lengths.argmin()))
        while True:
            try:
                next(steps)
            except StopIteration as end:
                clock.resume()
                return end.value
            yield make_heartbeat()


def sample_by_rank(lengths: np.ndarray) -> np.ndarray:
    """Return the lengths in ascending order; of very many, those at evenly spaced ranks, including both ends."""
    ordered = np.sort(lengths)
    if ordered.size <= _MAX_LENGTHS:
        return ordered
    return ordered[np.linspace(0, ordered.size - 1, _MAX_LENGTHS).round().astype(np.int64)]


def find_tour_neighbours(orders: np.ndarray) -> np.ndarray:
    """Return each city's two neighbours in each tour, (m, n, 2) int32."""
    links = np.empty((*orders.shape, 2), np.int32)
    link(np.ascontiguousarray(orders, np.int32), links)
    return links


def count_tour_edges(links: np.ndarray, best: int) -> Generator[None, None, tuple[int, float]]:
    """Count the edges of tours; yield after each part of the work.

    Parameters
    ----------
    links : ndarray, shape (m, n, 2), int32
        Each city's two neighbours in each tour.
    best : int

    Returns
    -------
    edges : int
        Number of distinct edges.
    shared : float
        Share of a tour's edges that tour `best` also has, as a mean over the other tours; 1 if there are no others.
    """
    m, n, _ = links.shape
    seen, step = np.full(n, -1, np.int32), max(1, _WORK // m)
    total = np.zeros(3, np.int64)
    for first in range(0, n, step):
        total += count_edges(links, best, first, min(n, first + step), seen)
        if first + step < n:
            yield
    edges, own, shared = (int(count) for count in total)
    return edges, shared / ((m - 1) * own) if m > 1 and own else 1.0
