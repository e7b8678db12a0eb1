"""2-opt on the tour of the iteration's best ant on a GPU, with two kernel launches per change.

Imports Numba: for use inside `solve()`.
"""

from collections.abc import Callable, Generator
from time import perf_counter
from typing import Any

import numpy as np
from numba import cuda

from solvers.algorithms.ants.acs.kernels import best_two_opt_cuda as kernels
from solvers.algorithms.ants.arrays_cuda import build_matrix
from solvers.algorithms.ants.cuda import SHORTENING
from solvers.algorithms.ants.launches_cuda import TOUR_THREADS
from solvers.core.events import Progress
from solvers.core.solver import Job
from solvers.gpu.calibration import LAUNCH_SECONDS
from solvers.gpu.launch import Step
from solvers.reporting.statistics import make_heartbeat


class BestTwoOpt:
    """A step that improves the best ant's tour until no exchange of two edges shortens it.

    See `solvers.gpu.launch.Step`. The function that `on` returns makes changes for about 50 ms, and returns whether
    there may be more.

    Parameters
    ----------
    tours : array, int32 (ants * n,)
    distance : array, int32 (n * n,)
    n : uint32
    lengths : array, int64 (ants,)
        The lengths of the tours before the changes.
    """

    phase = SHORTENING

    def __init__(self, tours: Any, distance: Any, n: np.uint32, lengths: Any) -> None:
        self._lengths, self._ant = lengths, cuda.to_device(np.zeros(1, np.int32))
        self._found, self._none = cuda.to_device(np.zeros(1, np.int64)), np.zeros(1, np.int64)
        pairs, best_move, ant = kernels.count_pairs(int(n)), self._found, self._ant
        self._check = Step(
            SHORTENING, kernels.build_check, (TOUR_THREADS,), max(1, -(-pairs // TOUR_THREADS)), TOUR_THREADS,
            (tours, ant, distance, n, np.uint32(pairs), best_move),
        )  # fmt: skip
        blocks = -(-max(1, int(n) // 4) // TOUR_THREADS)
        self._change = Step(
            SHORTENING, kernels.build_change, (TOUR_THREADS,), blocks, TOUR_THREADS, (tours, ant, n, best_move)
        )

    def on(self, stream: Any) -> Callable[[], bool]:
        """Return a function that launches the next changes on the stream."""
        check, change, best_move, begins = self._check.on(stream), self._change.on(stream), np.zeros(1, np.int64), True

        def search() -> bool:
            nonlocal begins
            if begins:
                stream.synchronize()
                best = self._lengths.copy_to_host(stream=stream)
                stream.synchronize()
                self._ant.copy_to_device(np.array([best.argmin()], np.int32), stream)
            start_time, begins = perf_counter(), False
            while True:
                self._found.copy_to_device(self._none, stream)
                check()
                self._found.copy_to_host(best_move, stream)
                stream.synchronize()
                if not best_move[0]:
                    begins = True
                    return False
                change()
                if perf_counter() - start_time > LAUNCH_SECONDS:
                    return True

        return search


def shorten(job: Job, order: np.ndarray) -> Generator[Progress, None, np.ndarray | None]:
    """Improve a copy of a tour to a local optimum, and return it; None if the run is cancelled first."""
    tour, stream = cuda.to_device(order.astype(np.int32)), cuda.stream()
    distance, length = cuda.to_device(build_matrix(job.instance).reshape(-1)), cuda.to_device(np.zeros(1, np.int64))
    search = BestTwoOpt(tour, distance, np.uint32(order.size), length).on(stream)
    while search():
        yield make_heartbeat()
        if job.stop.reason == "cancelled":
            return None
    return tour.copy_to_host()
