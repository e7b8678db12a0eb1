"""Local search on the best tour of a run, after the last iteration.

Qin and Han (2022), section 3.2.5, "Last 2-opt". The moves are the same as in the local search on all ants' tours.
Except for Qin and Han's own 2-opt, the search runs on the CPU, even after ants on a GPU. Imports Numba: for use inside
`solve()`.
"""

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor, wait
from typing import NamedTuple

import numpy as np

from data.distances import distance_matrix, tour_length
from data.instance import Instance
from solvers.algorithms.ants.params import BEST_TWO_OPT, ColonyParams
from solvers.core.events import Event, Progress, Shortened
from solvers.core.neighbours import neighbours, with_distances
from solvers.core.solver import Job
from solvers.kernels.local_search_cpu import allocate_search, is_three_opt
from solvers.kernels.local_search_moves import MIN_CITIES
from solvers.kernels.local_search_tours_cpu import LAST, SPAN, TOUR
from solvers.kernels.local_search_tours_cpu import shorten as shorten_tours
from solvers.kernels.segment_exchange_cpu import exchange_segments
from solvers.reporting.statistics import RunStatistics, make_heartbeat

#: Work of a slice, in the unit of `solvers.kernels.local_search_cpu.improve`: about 20 ms.
WORK = 1 << 22
#: Seconds between heartbeats while distances are computed.
_WAIT = 0.03


class Map(NamedTuple):
    """Distances and nearest cities for local search.

    Attributes
    ----------
    distances : ndarray, shape (n * n,), int32
    near, near_distance : ndarray, shape (n * k,), int32
        Each city's nearest cities, and the distances to them.
    """

    distances: np.ndarray
    near: np.ndarray
    near_distance: np.ndarray


def is_wanted(job: Job[ColonyParams]) -> bool:
    """Return whether local search runs on the best tour at the end."""
    return job.params.shortens_at_the_end and job.instance.n >= MIN_CITIES


def load(job: Job[ColonyParams]) -> None:
    """Compile or load the kernels if they are needed."""
    if is_wanted(job) and job.instance.directed:
        exchange_segments(np.zeros(1, np.int32), np.zeros((1, 1), np.int32), np.zeros((1, 0), np.int32))
    elif is_wanted(job) and job.params.moves != BEST_TWO_OPT:
        search, none = allocate_search(MIN_CITIES, job.params.moves), np.zeros(MIN_CITIES, np.int32)
        span, exchanges = np.zeros(SPAN, np.int64), is_three_opt(job.params.moves)
        shorten_tours(none, MIN_CITIES, none, none, none, search, span, WORK, exchanges)


def shorten_best_tour(job: Job, statistics: RunStatistics, order: np.ndarray | None) -> Generator[Event, None, None]:
    """If requested, improve the best tour and yield the result, unless the run was cancelled.

    The run's counts do not change, but its clock keeps running.

    Parameters
    ----------
    job : Job
    statistics : RunStatistics
        Statistics of the run; at least one iteration has been reported.
    order : ndarray, shape (n,), int32
        The best tour so far.
    """
    if not is_wanted(job) or job.stop.reason == "cancelled":
        return
    assert order is not None
    assert statistics.best is not None
    before, start_time = statistics.best, job.stop.clock.seconds
    shorter = yield from _shorten(job, order)
    if shorter is None:
        return
    length, elapsed = tour_length(job.instance, shorter), job.stop.clock.seconds - start_time
    if length < before:
        yield from statistics.report_improved(shorter, length)
    was, now, milliseconds = (np.array([value], np.float64) for value in (before, length, 1e3 * elapsed))
    yield Shortened(np.array([statistics.finished], np.int64), was, now, milliseconds, best=True)
    statistics.stopped()


def _shorten(job: Job[ColonyParams], order: np.ndarray) -> Generator[Progress, None, np.ndarray | None]:
    """Improve a copy of the tour to a local optimum, and return it; None if the run is cancelled first."""
    if job.params.moves == BEST_TWO_OPT:
        from solvers.algorithms.ants.acs.best_two_opt_cuda import shorten

        return (yield from shorten(job, order))
    tables = yield from _build_map_in_thread(job)
    if tables is None:
        return None
    if job.instance.directed:
        n, order = order.size, order.astype(np.int32)
        exchange_segments(order, tables.distances.reshape(n, n), tables.near.reshape(n, -1))
        return order
    order, search = order.astype(np.int32), allocate_search(order.size, job.params.moves)
    span, exchanges = np.zeros(SPAN, np.int64), is_three_opt(job.params.moves)
    span[LAST] = 1
    while span[TOUR] < 1:
        shorten_tours(order, order.size, *tables, search, span, WORK, exchanges)
        yield make_heartbeat()
        if job.stop.reason == "cancelled":
            return None
    return order


def _build_map_in_thread(job: Job[ColonyParams]) -> Generator[Progress, None, Map | None]:
    """Run `build_map` in a thread, since it may take seconds; return None if the run is cancelled."""
    thread = ThreadPoolExecutor(1)
    try:
        making = thread.submit(build_map, job.instance, job.params.search_neighbours(job.instance.n))
        while wait({making}, _WAIT).not_done:
            yield make_heartbeat()
            if job.stop.reason == "cancelled":
                return None
        return making.result()
    finally:
        thread.shutdown(wait=False, cancel_futures=True)


def build_map(instance: Instance, search_neighbours: int) -> Map:
    """Compute an instance's distances and each city's `search_neighbours` nearest cities."""
    distances = distance_matrix(instance)
    return Map(distances.reshape(-1), *with_distances(distances, neighbours(distances, search_neighbours)))
