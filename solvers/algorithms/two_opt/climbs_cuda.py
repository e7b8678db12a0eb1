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
from solvers.algorithms.two_opt.layout_cuda import (
    SIMULATED,
    check,
    choose_memory,
    choose_threads,
    fit,
    flat_matrix,
    kernel_points,
    signature,
)
from solvers.algorithms.two_opt.trial import TRIAL_CLIMBERS, measure_threads, question
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
        Whether to use exact distances, if the variant supports the choice.
    threads : int, optional
        Threads of a block; by default chosen by n, the device and the number of climbers.
    of_run : int, optional
        Number of climbers per device of the run, if these climbs repeat some of them.

    Attributes
    ----------
    compile_seconds : float
    fit : Fit
    recorded : int
        May be changed between two batches, to a climber that has not begun.
    records_more : bool
        Whether to record another climber once the recorded one has finished: the next that begins.

    Raises
    ------
    DeviceUnavailable
        If the variant cannot compute this kind of distance.
    InstanceTooLarge
        If the instance, or the memory that it needs, is too large for the variant or the device.
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
            inputs = question(variant, instance.kind, instance.n, cuda.get_current_device(), limits) if tries else {}
        if tries:
            threads = measure_threads(inputs, self._trial_climbs)
        with self._on_device():
            climbers = self._last - self._first
            if threads is None:
                load = of_run if variant.threads_decide and of_run is not None else climbers
                threads = choose_threads(variant, instance.n, limits, load)
            memory = choose_memory(variant, instance.n, threads, limits)
            kernel, registers = self._compile(threads, memory.shared, limits)
            if variant.per == "thread" and not SIMULATED:
                # The kernel is the same for all block sizes; its registers now determine the number of threads.
                threads = choose_threads(variant, instance.n, limits, climbers, registers)
                memory = choose_memory(variant, instance.n, threads, limits)
                compile_kernel(kernel, signature(variant), memory.shared)
            self.compile_seconds = perf_counter() - start_time
            self.fit = fit(instance, variant, limits, climbers, threads, registers, memory, slots)
            self._arguments = self._upload(seed, start, memory.scratch)
            self._kernel = kernel[self.fit.blocks, threads, 0, memory.shared]
        self._budget, self._best = 0, (_NO_LENGTH, -1)
        self._scans_reported = 0
        self._best_order = np.empty(0, np.int32)

    def _on_device(self) -> Any:
        return cuda.gpus[self._device]

    def _upload(self, seed: int, start: np.ndarray | None, scratch: int) -> dict[str, Any]:
        """Upload all data; return the arguments of every kernel, in order."""
        variant, n, slots, k = self._variant, self._instance.n, self.fit.slots, self._last - self._first
        order = variant.order_words(n) * slots if variant.per == "thread" else (slots, n)
        upload = cuda.to_device
        return {
            "points": upload(kernel_points(self._instance)),
            "matrix": upload(flat_matrix(self._instance) if variant.reads_matrix else np.empty(0, np.int32)),
            "seed": np.uint64(seed),
            "start": upload(np.empty(0, np.int32) if start is None else np.ascontiguousarray(start, np.int32)),
            "first": np.int64(self._first),
            "last": np.int64(self._last),
            "budget": np.int64(1),
            "queue": upload(np.array([self._first], np.int64)),
            "slot_climber": upload(np.full(slots, -1, np.int64)),
            "slot_order": cuda.device_array(order, np.int32),
            "slot_moves": upload(np.zeros(slots, np.int32)),
            "slot_scans": upload(np.zeros(slots, np.int32)),
            "out_length": upload(np.zeros(k, np.int64)),
            "out_moves": upload(np.zeros(k, np.int32)),
            "out_scans": upload(np.zeros(k, np.int32)),
            "best_length": upload(np.full(slots, _NO_LENGTH, np.int64)),
            "best_climber": upload(np.full(slots, -1, np.int64)),
            "best_order": cuda.device_array((slots, n), np.int32),
            "recorded": np.int64(self.recorded),
            "rec_i": cuda.device_array(_RECORD, np.int32),
            "rec_j": cuda.device_array(_RECORD, np.int32),
            "rec_delta": cuda.device_array(_RECORD, np.int32),
            "rec_count": upload(np.zeros(1, np.int32)),
            "scratch": upload(np.zeros((scratch, slots) if variant.per == "thread" else (slots, scratch), np.int32)),
            "table": upload(pair_table(n) if variant.reads_table else np.empty(0, np.int32)),
        }

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
        return kernel, 0 if SIMULATED else compile_kernel(kernel, signature(self._variant), shared)

    def differing_pairs(self) -> int:
        """Return how many pairs of cities have a distance other than TSPLIB's; 0 with a matrix."""
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
        # Without the cache, each run would compile it again, which takes a quarter of a second.
        cache_kernel(kernel, (build_difference_counter.__name__, kind, str(exact)))
        with self._on_device():
            count = cuda.to_device(np.zeros(1, np.int64))
            for first in range(0, n, step):
                kernel[min(step, n - first), min(256, self.fit.threads)](self._arguments["points"], first, count)
            return int(count.copy_to_host()[0])

    def batches(self, budget: int = FIRST_SCANS) -> Generator[LaunchResult, None, None]:
        """Launch until all climbers finish, and yield each launch's result; then free the GPU's memory.

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
        """Continue for the given number of scans per slot; return the duration in seconds."""
        with self._on_device():
            self._arguments["budget"] = np.int64(budget)
            self._arguments["recorded"] = np.int64(self.recorded)
            start_time = perf_counter()
            self._kernel(*self._arguments.values())
            cuda.synchronize()
            return perf_counter() - start_time

    def scans_made(self) -> int:
        """Return the number of scans so far, including those of running climbers."""
        with self._on_device():
            is_running = self._arguments["slot_climber"].copy_to_host() >= 0
            now = self._arguments["slot_scans"].copy_to_host()[is_running].sum(dtype=np.int64)
            # The sum over reported climbers is known; of millions, only a few have finished since.
            a, b = self._done - self._first, self._next_climber() - self._first
            since = self._arguments["out_scans"][a:b].copy_to_host().sum(dtype=np.int64) if b > a else 0
            return int(self._scans_reported + now + since)

    def _next_climber(self) -> int:
        """Return the first climber that has not started."""
        return min(self._last, int(self._arguments["queue"].copy_to_host()[0]))

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
                first, length, moves, scans, best_climber, best_length, self._best_order, i, j, delta, next_climber,
                seconds, self.scans_made(), recorded=self.recorded,
            )  # fmt: skip
            if self.records_more and self.recorded >= 0:
                at = self.recorded - self._first
                result.has_ended = bool(self._arguments["out_scans"][at : at + 1].copy_to_host()[0])
                if result.has_ended:
                    self.recorded = next_climber if next_climber < self._last else -1
            return result

    def _take_columns(self, next_climber: int) -> list[np.ndarray]:
        """Return the lengths, moves and scans of the next finished climbers, in order."""
        a, b = self._done - self._first, next_climber - self._first
        names = ("out_length", "out_moves", "out_scans")
        if a == b:
            return [np.empty(0, np.int64) for _ in names]
        columns = [self._arguments[name][a:b].copy_to_host().astype(np.int64) for name in names]
        # Not by the length, which can have any value if weights are negative.
        unfinished = np.flatnonzero(columns[2] == 0)
        k = unfinished[0] if unfinished.size else b - a
        return [column[:k] for column in columns]

    def _update_best(self) -> None:
        lengths = self._arguments["best_length"].copy_to_host()
        climbers = self._arguments["best_climber"].copy_to_host()
        slot = np.lexsort((climbers, lengths))[0]
        best = int(lengths[slot]), int(climbers[slot])
        if best[1] >= 0 and best < self._best:
            self._best = best
            self._best_order = self._arguments["best_order"][slot].copy_to_host()

    def _moves(self) -> list[np.ndarray]:
        """Return the moves recorded since the last launch."""
        m = int(self._arguments["rec_count"].copy_to_host()[0])
        if m == 0:
            return [np.empty(0, np.int32)] * 3
        moves = [self._arguments[name][:m].copy_to_host() for name in ("rec_i", "rec_j", "rec_delta")]
        self._arguments["rec_count"].copy_to_device(np.zeros(1, np.int32))
        return moves

    def close(self) -> None:
        """Free the GPU's memory."""
        self._arguments = {}
        with self._on_device():
            free_unused_memory()


def make_climbs(
    instance: Instance, variant: TwoOptVariant, seed: int, start: np.ndarray | None, climbers: int | tuple[int, int],
    device: int = 0, slots: int | None = None, recorded: int = -1, exact: bool = True, of_run: int | None = None,
) -> Climbs | ArrayClimbs:  # fmt: skip
    """Return a variant's climbs: `Climbs` for a climbing kernel, `ArrayClimbs` for array operations."""
    if variant.per == "host":
        return ArrayClimbs(instance, variant, seed, start, climbers, device, slots, recorded)
    return Climbs(instance, variant, seed, start, climbers, device, slots, recorded, exact, of_run=of_run)
