"""A large tour that all GPUs kick together. Imports Numba: for use inside `solve()`."""

from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import pairwise
from time import perf_counter

import numpy as np

from solvers.algorithms.lin_kernighan.cuda import GpuKicks, GpuSearch, none_allowed
from solvers.algorithms.lin_kernighan.kernels import search_cpu
from solvers.algorithms.lin_kernighan.kernels.repair_cuda import RESULT
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import Cities
from solvers.algorithms.lin_kernighan.params import LinKernighanParams
from solvers.algorithms.lin_kernighan.pieces_cpu import PiecesResult, enqueue, improve_pieces
from solvers.gpu.calibration import (
    LARGE_BATCH,
    LARGE_FEW_RESULTS,
    LARGE_KICKS_PER_CITY,
    LARGE_MAX_KICKS,
    MIN_HALVED_CITIES,
)
from solvers.gpu.launch import on_gpu
from solvers.gpu.limits import free_unused_memory
from solvers.kernels.device_cuda import SIMULATED
from solvers.parallel.thread_team import ThreadTeam

#: Target seconds of a slice, and maximum seconds of a launch, for which slices do not wait.
_SLICE_SECONDS, _LAUNCH_SECONDS = 0.02, 0.1
#: Minimum number of cities for first improving a tour in pieces, and number of cities of a piece; exchanges evaluated
#: per city in a later round.
MIN_PIECED_CITIES, PIECE, _LATER_DESCENT = 150_000, 50_000, 4


class LargeSearch(GpuSearch):
    """An iterated local search for many cities, whose kicks are divided among all GPUs.

    From `MIN_HALVED_CITIES` cities on, a core makes the results of one half while GPUs kick the other. Halves are those
    of the curve along which cities are numbered. The number of GPUs does not affect the result. If a GPU fails, the
    others continue. The cores compute the first local optimum, initially in pieces.

    Parameters
    ----------
    cities, order, length, seed, params, target
        See `solvers.algorithms.lin_kernighan.cpu.LocalSearch`.
    team : ThreadTeam
        Improves the pieces.
    devices : sequence of int
        The GPUs' numbers.

    Attributes
    ----------
    lost : list of int
        The numbers of the GPUs that have failed.

    Raises
    ------
    InstanceTooLarge
        See `solvers.algorithms.lin_kernighan.cuda.GpuKicks`.
    """

    _firsts: tuple[int, ...] = ()
    _pieces: Generator[bool, None, None] | None = None
    _pieced, _few = False, LARGE_FEW_RESULTS

    def __init__(
        self, cities: Cities, order: np.ndarray, length: int, seed: int, params: LinKernighanParams,
        target: int | None, team: ThreadTeam, devices: Sequence[int],
    ) -> None:  # fmt: skip
        self._devices, self._team, self.lost_devices = devices, team, list[int]()
        super().__init__(cities, order, length, seed, params, target)
        n = order.size
        self._batch = min(LARGE_MAX_KICKS, max(LARGE_BATCH, int(LARGE_KICKS_PER_CITY * n)))
        self._most, self._halved = LARGE_MAX_KICKS, n >= MIN_HALVED_CITIES
        if n >= MIN_PIECED_CITIES:
            self._piece, self._firsts = n * _LATER_DESCENT, (0, PIECE // 2)
            self.start_round()
        self._pool, self._halted = ThreadPoolExecutor(len(devices)), False
        self._running: list[Future[tuple[np.ndarray, int]]] = []
        self._submitted, self._kicks_running, self._made_kicks, self._turn = 0, 0, 0, 0

    def _open(self, seed: int) -> None:
        self._gpus: list[tuple[int, GpuKicks]] = []
        for device in self._devices:
            with on_gpu(device):
                kicks = GpuKicks(self.cities, seed, self._params, maximum=LARGE_MAX_KICKS, seconds=_LAUNCH_SECONDS)
                self._gpus.append((device, kicks))

    @property
    def round_over(self) -> bool:
        """Whether the round has ended."""
        return not self._pieces if self._pieced else super().round_over

    def start_round(self) -> None:
        """Start the next round: pieces, exchanges, or one batch (or the requested number of batches) of kicks."""
        super().start_round()
        self._pieced = bool(self._firsts)
        if self._pieced:
            first, *rest = self._firsts
            self._firsts, self._pieces = tuple(rest), self._improve_pieces(first)

    def close(self) -> None:
        """End the threads, and free the devices' memory."""
        self._halted = True
        self._pool.shutdown()
        devices = [device for device, _ in self._gpus]
        self._gpus = []
        for device in devices:
            with on_gpu(device):
                free_unused_memory()

    def _descend(self, limit: int) -> None:
        """Work on the first local optimum for one slice."""
        if not self._pieced:
            super()._descend(limit)
            return
        self._team.deadline = perf_counter() + _SLICE_SECONDS
        if self._pieces and next(self._pieces, True):
            self._pieces = None

    def _improve_pieces(self, first: int) -> Generator[bool, None, None]:
        """Improve pieces of the tour; after the last, queue cities with candidates in other pieces."""
        state, tour, chain = self._state, self._tour, self._chain
        steps = improve_pieces(self.cities, tour, first, PIECE, self._params.depth, self._team)
        while True:
            try:
                next(steps)
            except StopIteration as stop:
                improved: PiecesResult = stop.value
                break
            yield False
        state[search_cpu.LENGTH] += improved.change
        state[search_cpu.BEST] = state[search_cpu.LENGTH]
        state[search_cpu.EVALUATED] += improved.evaluated
        state[search_cpu.MADE] += improved.move_count
        self._parts += improved.record
        self._rows += sum(map(len, improved.record))
        if not self._firsts:
            waiting = enqueue(self.cities, tour, first, PIECE)
            chain.queued[:] = False
            chain.queued[waiting] = True
            chain.queue[: waiting.size] = waiting
            state[search_cpu.QUEUED], state[search_cpu.HEAD] = waiting.size, 0

    def _kick(self, limit: int) -> None:
        """Apply results for one slice; when none are left, take those of the GPUs, which may continue meanwhile."""
        if self._sequence is None:
            if not self._running:
                self._submit()
            if wait(self._running, timeout=_SLICE_SECONDS).not_done:
                return
            kicks = self._kicks_running
            self._collect()
            if self._halved:
                self._submit()
            self._made_kicks = kicks
            self._sort()
        if self._make():
            self._end_batch(int(self._state[search_cpu.KICKS]) + self._made_kicks)

    def _submit(self) -> None:
        """Let the GPUs kick the current tour: all of it, or the next half."""
        kicks = min(self._params.kicks or self._batch, self._most)
        n, first, half = self.order.size, self._submitted, self._turn
        self._turn = 1 - half
        self._submitted, self._kicks_running = first + kicks, kicks
        bounds = [kicks * k // len(self._gpus) for k in range(len(self._gpus) + 1)]
        for (device, gpu), (begin, end) in zip(self._gpus, pairwise(bounds), strict=True):
            with on_gpu(device):
                gpu.origins = (n // 2 * half, n // 2 + half * (n % 2)) if self._halved else (0, n)
                gpu.take(self.order, none_allowed(1))
            self._running.append(self._pool.submit(self._launch, device, gpu, first, begin, kicks, end))
            if SIMULATED:  # the simulator runs one kernel at a time
                wait(self._running)

    def _launch(
        self, device: int, gpu: GpuKicks, first: int, begin: int, kicks: int, end: int
    ) -> tuple[np.ndarray, int]:
        """Run a GPU's share of a batch in its thread; return the results and the number of evaluated exchanges."""
        improved, evaluated = [np.empty((0, RESULT), np.int32)], 0
        with on_gpu(device):
            while begin < end and not self._halted:
                begin, results, seen = gpu.launch(first, begin, kicks, end)
                improved.append(results)
                evaluated += seen
        return np.concatenate(improved), evaluated

    def _collect(self) -> None:
        """Collect the results of all GPUs; raise the error if the last one has failed."""
        failed = []
        for each, (device, _) in zip(self._running, self._gpus, strict=True):
            if error := each.exception():
                failed.append((device, error))
            else:
                results, evaluated = each.result()
                self._results.append(results)
                self._seen += evaluated
        self._running = []
        self.lost_devices += [device for device, _ in failed]
        self._gpus = [(device, gpu) for device, gpu in self._gpus if device not in self.lost_devices]
        if not self._gpus:
            raise failed[-1][1]
