"""Parallel climbs on the CPU: one worker per thread, in time-limited slices."""

from collections.abc import Callable, Generator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from time import perf_counter

import numpy as np

from solvers.algorithms.two_opt.kernels import climb_cpu as kernel
from solvers.algorithms.two_opt.kernels import insertion_climb_cpu
from solvers.algorithms.two_opt.launch_sizes import paper_threads
from solvers.core.kernel_distances import build_measure, check_reversals, new_path
from solvers.core.solver import Job
from solvers.kernels.distance_rows_cpu import Measure
from solvers.kernels.tours_cpu import apply_moves, random_tour, random_tours
from solvers.reporting.climbs import follows_program
from solvers.worker.kernel_loading import load_kernels

#: Target seconds per slice; the first slices are shorter, for early events.
SLICE_SECONDS = 0.02
FIRST_SLICE_SECONDS = 0.005
_FIRST_SLICES = 8
#: Initial estimate of moves per second, until the speed is measured; deliberately low.
_PACE = 2e8
#: How many of the functions that `make_loaders` returns load the kernels of start tours.
START_LOADS = 2
#: Capacity of a slice: maximum numbers of finished climbers, of cities in their tours, and of recorded moves.
_CLIMBERS, _TOURS, MOVES = 4096, 1 << 18, 1 << 15


@dataclass(slots=True, eq=False)
class ClimbSlice:
    """The result of one slice of a worker's time: k climbers have finished, and another may be running.

    Attributes
    ----------
    first : int
        Index of the first finished climber; the others follow.
    length, moves, evaluations : ndarray, shape (k,), int64
        Values of the finished climbers, over all their slices.
    order : ndarray, shape (k, n), int32
    i, j, delta : ndarray, shape (m,), int32
        The moves of this slice, including those of the running climber.
    is_running : bool
        Whether climber `first` + k has begun.
    current : ndarray, shape (n,), int32
        Tour, length, moves and evaluations of climber `first` + k so far.
    current_length, current_moves, current_evaluations : int
    seconds : float
        Duration of the slice.
    """

    first: int
    length: np.ndarray
    moves: np.ndarray
    evaluations: np.ndarray
    order: np.ndarray
    i: np.ndarray
    j: np.ndarray
    delta: np.ndarray
    is_running: bool
    current: np.ndarray
    current_length: int
    current_moves: int
    current_evaluations: int
    seconds: float


class ClimbWorker:
    """One thread's current climb, its buffers and its measured speed."""

    def __init__(
        self, measure: Measure, n: int, seed: int, start: np.ndarray | None,
        kernel_advance: Callable[..., int] = kernel.advance,
    ) -> None:  # fmt: skip
        self._kernel_advance = kernel_advance
        state = np.zeros(kernel.STATE, np.int64)
        state[kernel.ROW] = -1
        self._climb = kernel.Climb(new_path(measure, n), np.empty((2, n + 1), np.int32), state)
        rows = max(1, min(_CLIMBERS, _TOURS // n))
        self._log = kernel.Log(
            np.empty(rows, np.int64), np.empty(rows, np.int32), np.empty(rows, np.int64), np.empty((rows, n), np.int32),
            *(np.empty(MOVES, np.int32) for _ in range(3)),
        )  # fmt: skip
        self._measure, self._seed = measure, np.uint64(seed)
        self._start = np.empty(0, np.int32) if start is None else np.ascontiguousarray(start, np.int32)
        self._last = 0
        self._slices = 0
        self.pace = _PACE

    @property
    def idle(self) -> bool:
        """Whether all of the worker's climbers have finished."""
        return self._climb.state[kernel.ROW] < 0 and self._climb.state[kernel.CLIMBER] >= self._last

    def make_loaders(self) -> list[Callable[[], object]]:
        """Return functions that compile or load the kernels; the first `START_LOADS` are for start tours."""
        order, nothing = np.zeros((1, self._climb.path.city.size - 1), np.int32), np.empty(0, np.int32)
        return [
            partial(random_tour, self._seed, 0, order.size, order[0]), partial(random_tours, self._seed, 0, order),
            partial(apply_moves, order[0], nothing, nothing), partial(ClimbWorker.advance, self),
        ]  # fmt: skip

    def assign(self, first: int, last: int) -> None:
        """Assign climbers `first` to `last` - 1 to an idle worker."""
        self._climb.state[kernel.CLIMBER], self._last = first, last

    def advance(self, limit: int | None = None) -> ClimbSlice:
        """Climb for at most `limit` evaluations, rounded up to whole rows, and return the slice."""
        seconds = FIRST_SLICE_SECONDS if self._slices < _FIRST_SLICES else SLICE_SECONDS
        budget = max(1, int(self.pace * seconds))
        first = int(self._climb.state[kernel.CLIMBER])
        start_time = perf_counter()
        used = self._kernel_advance(
            self._measure, self._climb, self._log, self._seed, self._start,
            self._last, budget if limit is None else min(budget, limit),
        )  # fmt: skip
        elapsed = perf_counter() - start_time
        self._slices += 1
        if used and elapsed > 0:
            # Average with the old speed, since one slow slice on a busy machine must not make the next ones tiny.
            self.pace = 0.5 * self.pace + 0.5 * used / elapsed
        return self._slice(first, elapsed)

    def _slice(self, first: int, seconds: float) -> ClimbSlice:
        state, log = self._climb.state, self._log
        k, m = int(state[kernel.FINISHED]), int(state[kernel.RECORDED])
        return ClimbSlice(
            first=first,
            length=log.length[:k].copy(),
            moves=log.moves[:k].astype(np.int64),
            evaluations=log.evaluations[:k].copy(),
            order=log.order[:k].copy(),
            i=log.i[:m].copy(),
            j=log.j[:m].copy(),
            delta=log.delta[:m].copy(),
            is_running=bool(state[kernel.ROW] >= 0),
            current=self._climb.path.city[:-1].copy(),
            current_length=int(state[kernel.LENGTH]),
            current_moves=int(state[kernel.MOVES]),
            current_evaluations=int(state[kernel.EVALUATIONS]),
            seconds=seconds,
        )


def make_workers(job: Job, threads: int) -> list[ClimbWorker]:
    """Return workers for a job, with their kernels compiled or loaded.

    Raises
    ------
    InstanceTooLarge
        See `solvers.core.kernel_distances.build_measure`.
    """
    measure = build_measure(job.instance)
    if job.instance.directed:
        check_reversals(job.instance, measure.matrix)
    n = job.instance.n
    workers = [ClimbWorker(measure, n, job.seed, job.start, _choose_advance(job)) for _ in range(threads)]
    load_kernels(workers[0].make_loaders())
    return workers


def _choose_advance(job: Job) -> Callable[..., int]:
    """Return the kernel that climbs for a slice, bound to buffers of its own if it needs any."""
    if job.instance.directed:
        return insertion_climb_cpu.advance
    if not follows_program(job):
        return kernel.advance
    from solvers.algorithms.two_opt.kernels import program_cpu

    return partial(program_cpu.advance, *np.zeros((2, paper_threads(job.instance.n)), np.int64))


def climb_in_parallel(
    workers: list[ClimbWorker], climbers: int, limit: int | None
) -> Generator[ClimbSlice, None, None]:
    """Yield the slices of climbers 0 to `climbers` - 1 as workers finish them, in any order.

    While the caller processes one slice, the workers compute the next ones; finished slices wait for the caller.

    Parameters
    ----------
    workers : list of ClimbWorker
        One per thread.
    climbers : int
    limit : int or None
        Number of evaluations after which climber 0 stops, so that the end does not depend on timing.
    """
    next_climber = finished = evaluations = 0
    with ThreadPoolExecutor(len(workers)) as pool:
        working: dict[Future[ClimbSlice], ClimbWorker] = {}

        def send(worker: ClimbWorker, evaluations_left: int | None) -> None:
            nonlocal next_climber
            if worker.idle and next_climber < climbers:
                share = _share(worker.pace, finished, evaluations, -(-(climbers - next_climber) // len(workers)))
                worker.assign(next_climber, next_climber + share)
                next_climber += share
            if not worker.idle:
                working[pool.submit(worker.advance, evaluations_left)] = worker

        for worker in workers:
            send(worker, limit if next_climber == 0 else None)
        while working:
            done, _ = wait(working, return_when=FIRST_COMPLETED)
            for future in done:
                worker, result = working.pop(future), future.result()
                finished += result.length.size
                evaluations += int(result.evaluations.sum())
                in_climber_0 = limit is not None and result.first == 0 and result.length.size == 0
                send(worker, max(1, limit - result.current_evaluations) if in_climber_0 and limit else None)
                yield result


def _share(pace: float, finished: int, evaluations: int, evaluations_left: int) -> int:
    """Return how many climbers to assign for about a slice's work, estimated from the finished climbers."""
    if finished == 0:
        return 1
    worth = int(pace * SLICE_SECONDS * finished / max(1, evaluations))
    return max(1, min(worth, evaluations_left, _CLIMBERS))
