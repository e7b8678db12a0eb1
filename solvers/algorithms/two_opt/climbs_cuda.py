"""2-opt climbs on one GPU: arrays, time-limited launches and results.

Imports Numba: for use inside `solve()`.
"""

from collections.abc import Generator
from importlib import import_module
from time import perf_counter
from typing import Any

import numpy as np
from numba import cuda

from data.instance import Instance
from solvers.algorithms.two_opt.array_climbs_cuda import ArrayClimbs
from solvers.algorithms.two_opt.batch_cuda import LaunchResult
from solvers.algorithms.two_opt.kernels.array_cuda import pair_table
from solvers.algorithms.two_opt.kernels.climb_arrays import Problem, Recording, Results, Slots
from solvers.algorithms.two_opt.layout_cuda import (
    SIMULATED,
    check,
    choose_layout,
    choose_memory,
    choose_threads,
    flat_matrix,
    kernel_points,
)
from solvers.algorithms.two_opt.trial import TRIAL_CLIMBERS, make_question, measure_threads
from solvers.algorithms.two_opt.variant import TwoOptVariant
from solvers.gpu.calibration import FIRST_LAUNCH_SECONDS, FIRST_SCANS, LAUNCH_SECONDS
from solvers.gpu.kernel_cache import cache_kernel
from solvers.gpu.limits import Limits, compile_kernel, free_unused_memory

#: Maximum number of moves that a launch can record.
_RECORD = 1 << 15
_NO_LENGTH = np.iinfo(np.int64).max


class Climbs:
    """All climbers of a run on one GPU.

    Parameters
    ----------
    instance : Instance
    variant : TwoOptVariant
    seed : int
    start : ndarray, shape (n,), int32, or None
        Start tour of climber 0.
    climbers : int or (int, int)
        Number of climbers, or a half-open range of their indices.
    device : int
    slots : int, optional
        Number of climbers that run at the same time; by default as many as fill the device.
    recorded : int, optional
        The climber whose moves are recorded; it must not have begun.
    exact : bool, optional
        Whether to use exact distances, if the variant gives the choice.
    threads : int, optional
        Number of threads per block; by default chosen by n, the device and the number of climbers.
    of_run : int, optional
        Number of climbers per device in the original run, if these climbs repeat some of that run's.

    Attributes
    ----------
    compile_seconds : float
    fit : Fit
    recorded : int
        May be set between two batches to a climber that has not begun.
    records_more : bool
        Whether, once the recorded climber has finished, the next one to begin is recorded.

    Raises
    ------
    DeviceUnavailable
        If the variant cannot compute this kind of distance.
    InstanceTooLarge
        If the instance is too large for the variant, or needs more memory than the device has.
    """

    def __init__(
        self, instance: Instance, variant: TwoOptVariant, seed: int, start: np.ndarray | None,
        climbers: int | tuple[int, int],
        device: int = 0, slots: int | None = None, recorded: int = -1, exact: bool = True,
        threads: int | None = None, of_run: int | None = None,
    ) -> None:  # fmt: skip
        self._instance, self._variant, self._device, self._exact = instance, variant, device, exact
        self._first, self._last = (0, climbers) if isinstance(climbers, int) else climbers
        self._done, self.recorded, self.records_more = self._first, recorded, False
        start_time = perf_counter()
        with self._on_device():
            limits = Limits.from_device()
            check(instance, variant, limits)
            tries = threads is None and variant.tried and not SIMULATED
            inputs = (
                make_question(variant, instance.kind, instance.n, cuda.get_current_device(), limits) if tries else {}
            )
        if tries:
            threads = measure_threads(inputs, self._trial_climbs)
        with self._on_device():
            climbers = self._last - self._first
            if threads is None:
                load = of_run if variant.threads_decide and of_run is not None else climbers
                threads = choose_threads(variant, instance.n, limits, load)
            memory = choose_memory(variant, instance.n, threads, limits)
            self._upload(seed, start)
            self._allocate(1, 1, memory.scratch)
            kernel, registers = self._compile(threads, memory.shared, limits)
            if variant.per == "thread" and not SIMULATED:
                # The kernel is the same for all block sizes; its registers now determine the number of threads.
                threads = choose_threads(variant, instance.n, limits, climbers, registers)
                memory = choose_memory(variant, instance.n, threads, limits)
                compile_kernel(kernel, self._types(kernel), memory.shared)
            self.compile_seconds = perf_counter() - start_time
            self.fit = choose_layout(instance, variant, limits, climbers, threads, registers, memory, slots)
            self._allocate(self.fit.slots, climbers, memory.scratch)
            self._kernel = kernel[self.fit.blocks, threads, 0, memory.shared]
        self._budget, self._best = 0, (_NO_LENGTH, -1)
        self._scans_reported = 0
        self._best_order = np.empty(0, np.int32)

    def _on_device(self) -> Any:
        return cuda.gpus[self._device]

    def _upload(self, seed: int, start: np.ndarray | None) -> None:
        """Upload the instance, and allocate the arrays for recorded moves."""
        variant, empty, upload = self._variant, np.empty(0, np.int32), cuda.to_device
        # Named tuples of device arrays: the host uses attributes that NumPy's arrays do not have.
        self._problem: Any = Problem(
            upload(kernel_points(self._instance)),
            upload(flat_matrix(self._instance) if variant.reads_matrix else empty),
            upload(pair_table(self._instance.n) if variant.reads_table else empty),
            upload(empty if start is None else np.ascontiguousarray(start, np.int32)),
            np.uint64(seed),
        )
        i, j, delta = (cuda.device_array(_RECORD, np.int32) for _ in range(3))
        self._recording: Any = Recording(i, j, delta, upload(np.zeros(1, np.int32)))
        self._queue = upload(np.array([self._first], np.int64))

    def _allocate(self, slots: int, climbers: int, scratch: int) -> None:
        """Allocate `slots` slots, each with `scratch` words of working memory, and the results of all `climbers`."""
        n, upload, by_thread = self._instance.n, cuda.to_device, self._variant.per == "thread"
        zeros, unused = np.zeros(slots, np.int32), np.full(slots, -1, np.int64)
        self._slots: Any = Slots(
            upload(unused),
            cuda.device_array(self._variant.order_words(n) * slots if by_thread else (slots, n), np.int32),
            upload(zeros),
            upload(zeros),
            upload(np.full(slots, _NO_LENGTH, np.int64)),
            upload(unused),
            cuda.device_array((slots, n), np.int32),
            upload(np.zeros((scratch, slots) if by_thread else (slots, scratch), np.int32)),
        )
        counts = [upload(np.zeros(climbers, np.int32)) for _ in range(2)]
        self._results: Any = Results(upload(np.zeros(climbers, np.int64)), *counts)

    def _arguments(self, budget: int) -> tuple[Any, ...]:
        """Return a launch's arguments."""
        numbers = map(np.int64, (self._first, self._last, budget, self.recorded))
        return self._problem, self._slots, self._results, self._recording, self._queue, *numbers

    def _types(self, kernel: Any) -> tuple[Any, ...]:
        """Return the types of a launch's arguments, which do not depend on the number of slots."""
        return tuple(kernel.typeof_pyval(argument) for argument in self._arguments(1))

    def _trial_climbs(self, threads: int) -> "Climbs":
        """Create trial climbs of the same instance that fill the same GPU with blocks of `threads` threads."""
        return Climbs(
            self._instance, self._variant, 0, None, TRIAL_CLIMBERS, self._device, exact=self._exact, threads=threads
        )

    def _compile(self, threads: int, shared: int, limits: Limits) -> tuple[Any, int]:
        """Compile or load the kernel; return it and its registers per thread."""
        module, _, name = self._variant.kernel.partition(":")
        arguments = (self._instance.kind, self._instance.n, threads)
        options = self._variant.options(self._instance.n, threads, limits)
        if self._variant.switch:
            options |= {"exact": self._exact, "in_shared": shared > 0}
        kernel = getattr(import_module(module), name)(*arguments, **options)
        cache_kernel(kernel, (self._variant.kernel, *arguments, *options.values()))
        return kernel, 0 if SIMULATED else compile_kernel(kernel, self._types(kernel), shared)

    def differing_pairs(self) -> int:
        """Return how many pairs of cities have a distance other than TSPLIB's; 0 if distances come from a matrix."""
        if self._variant.reads_matrix:
            return 0
        from solvers.algorithms.two_opt.kernels.metric_cuda import build_difference_counter, build_single_metric
        from solvers.algorithms.two_opt.kernels.strip_scan_cuda import build_metric

        kind = self._instance.kind
        n, step = self._instance.n, max(1, 100_000_000 // self._instance.n)
        exact = self._exact if self._variant.switch else None
        kernel = build_difference_counter(
            build_single_metric(kind) if exact is None else build_metric(kind, exact), kind
        )
        # Without the cache, each run would compile this kernel again, which takes a quarter of a second.
        cache_kernel(kernel, (build_difference_counter.__name__, kind, str(exact)))
        with self._on_device():
            count = cuda.to_device(np.zeros(1, np.int64))
            for first in range(0, n, step):
                kernel[min(step, n - first), min(256, self.fit.threads)](self._problem.points, first, count)
            return int(count.copy_to_host()[0])

    def batches(self, budget: int = FIRST_SCANS) -> Generator[LaunchResult, None, None]:
        """Launch until all climbers have finished, and yield each launch's result; finally free the GPU's memory.

        Parameters
        ----------
        budget : int
            Number of scans per slot in the first launch; later launches take about `LAUNCH_SECONDS`.
        """
        self._budget = budget
        seconds = FIRST_LAUNCH_SECONDS
        try:
            while self._done < self._last:
                elapsed = self.launch(self._budget)
                yield self._result(elapsed)
                # The speed may change as climbers finish, so the scans per launch grow at most fourfold.
                self._budget = max(1, min(_RECORD, int(self._budget * min(4.0, seconds / max(elapsed, 1e-6)))))
                seconds = LAUNCH_SECONDS
        finally:
            self.close()

    def launch(self, budget: int) -> float:
        """Continue all climbs for `budget` scans per slot; return the duration in seconds."""
        with self._on_device():
            start_time = perf_counter()
            self._kernel(*self._arguments(budget))
            cuda.synchronize()
            return perf_counter() - start_time

    def scans_made(self) -> int:
        """Return the number of scans made so far, including those of running climbers."""
        with self._on_device():
            busy_slots = self._slots.climber.copy_to_host() >= 0
            now = self._slots.scans.copy_to_host()[busy_slots].sum(dtype=np.int64)
            # The sum over reported climbers is known; only a few of millions have finished since.
            a, b = self._done - self._first, self._next_climber() - self._first
            since = self._results.scans[a:b].copy_to_host().sum(dtype=np.int64) if b > a else 0
            return int(self._scans_reported + now + since)

    def _next_climber(self) -> int:
        """Return the first climber that has not started."""
        return min(self._last, int(self._queue.copy_to_host()[0]))

    def _result(self, seconds: float) -> LaunchResult:
        with self._on_device():
            next_climber = self._next_climber()
            first, columns = self._done, self._take_columns(next_climber)
            self._done += columns[0].size
            self._scans_reported += int(columns[2].sum())
            self._update_best()
            best_length, best_climber = self._best
            length, moves, scans = columns
            i, j, delta = self._moves()
            result = LaunchResult(
                first, length, moves, scans, best_climber, best_length, self._best_order, i, j, delta,
                seconds, self.scans_made(), recorded=self.recorded,
            )  # fmt: skip
            if self.records_more and self.recorded >= 0:
                at = self.recorded - self._first
                result.has_ended = bool(self._results.scans[at : at + 1].copy_to_host()[0])
                if result.has_ended:
                    self.recorded = next_climber if next_climber < self._last else -1
            return result

    def _take_columns(self, next_climber: int) -> list[np.ndarray]:
        """Return the lengths, moves and scans of the climbers that have finished since, up to the first gap."""
        a, b = self._done - self._first, next_climber - self._first
        if a == b:
            return [np.empty(0, np.int64) for _ in self._results]
        columns = [column[a:b].copy_to_host().astype(np.int64) for column in self._results]
        # The length does not show this, since it can have any value if weights are negative.
        unfinished = np.flatnonzero(columns[2] == 0)
        k = unfinished[0] if unfinished.size else b - a
        return [column[:k] for column in columns]

    def _update_best(self) -> None:
        lengths = self._slots.best_length.copy_to_host()
        climbers = self._slots.best_climber.copy_to_host()
        slot = np.lexsort((climbers, lengths))[0]
        best = int(lengths[slot]), int(climbers[slot])
        if best[1] >= 0 and best < self._best:
            self._best = best
            self._best_order = self._slots.best_order[slot].copy_to_host()

    def _moves(self) -> list[np.ndarray]:
        """Return the moves recorded since the last launch."""
        m = int(self._recording.move_count.copy_to_host()[0])
        if m == 0:
            return [np.empty(0, np.int32)] * 3
        moves = [column[:m].copy_to_host() for column in self._recording[:3]]
        self._recording.move_count.copy_to_device(np.zeros(1, np.int32))
        return moves

    def close(self) -> None:
        """Free the GPU's memory."""
        self._problem = self._slots = self._results = self._recording = self._queue = None
        with self._on_device():
            free_unused_memory()


def make_climbs(
    instance: Instance, variant: TwoOptVariant, seed: int, start: np.ndarray | None, climbers: int | tuple[int, int],
    device: int = 0, slots: int | None = None, recorded: int = -1, exact: bool = True, of_run: int | None = None,
) -> Climbs | ArrayClimbs:  # fmt: skip
    """Create a variant's climbs: `Climbs` for a climbing kernel, `ArrayClimbs` for array operations."""
    if variant.per == "host":
        return ArrayClimbs(instance, variant, seed, start, climbers, device, slots, recorded)
    return Climbs(instance, variant, seed, start, climbers, device, slots, recorded, exact, of_run=of_run)
