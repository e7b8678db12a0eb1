"""A large tour that all GPUs kick together, and cores in regions. Imports Numba: for use inside `solve()`."""

from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import pairwise
from time import perf_counter

import numpy as np

from solvers.gpu.calibration import (
    HALVED,
    LARGE_BATCH,
    LARGE_FEW_RESULTS,
    LARGE_KICKS_ALONE,
    LARGE_KICKS_OF_A_CITY,
    LARGE_MOST_KICKS,
)
from solvers.gpu.launch import on_gpu
from solvers.gpu.limits import give_memory_back
from solvers.kernels.device_cuda import SIMULATED
from solvers.lin_kernighan.cuda import Application, GpuKicks, allocate_held, none_allowed
from solvers.lin_kernighan.kernels import search_cpu
from solvers.lin_kernighan.kernels.repair_cuda import RESULT
from solvers.lin_kernighan.kernels.tour_cpu import Cities
from solvers.lin_kernighan.params import LinKernighanParams
from solvers.lin_kernighan.pieces_cpu import Improved, enqueue, improve_pieces
from solvers.lin_kernighan.regions_cpu import RegionSearch
from solvers.parallel.thread_team import ThreadTeam

#: Target seconds of a slice, and maximum seconds of a launch, for which slices do not wait.
_SLICE_SECONDS, _LAUNCH_SECONDS = 0.02, 0.1
#: Minimum number of cities for first improving a tour in pieces, and number of cities of a piece; exchanges evaluated
#: per city in a later round.
PIECED, PIECE, _LATER_DESCENT = 150_000, 50_000, 4


class LargeSearch(RegionSearch):
    """An iterated local search for many cities, whose kicks are divided among all GPUs.

    First only GPUs kick. Then cores work in regions while GPUs kick the tour with which a round began; their results
    are applied at its end. From `HALVED` cities on, GPUs kick one half at a time: the halves are those of the curve
    along which cities are numbered, and at first a core makes the results of the other one meanwhile. The number of
    GPUs changes nothing. If a GPU fails, the others go on. The cores compute the first local optimum, initially in
    pieces.

    Parameters
    ----------
    cities, order, length, seed, params, target, team
        See `solvers.lin_kernighan.regions_cpu.RegionSearch`.
    devices : sequence of int
        The GPUs' numbers.

    Attributes
    ----------
    lost : list of int
        The numbers of the GPUs that have failed.

    Raises
    ------
    InstanceTooLarge
        See `solvers.lin_kernighan.cuda.GpuKicks`.
    """

    _firsts: tuple[int, ...] = ()
    _pieces: Generator[bool, None, None] | None = None
    _pieced = False

    def __init__(
        self, cities: Cities, order: np.ndarray, length: int, seed: int, params: LinKernighanParams,
        target: int | None, team: ThreadTeam, devices: Sequence[int],
    ) -> None:  # fmt: skip
        self._submitted = 0
        super().__init__(cities, order, length, seed, params, target, team)
        n, self.lost = order.size, list[int]()
        self._tour = self._tour._replace(held=allocate_held(n))
        self._requested, self._halved = params.kicks, n >= HALVED
        self._batch = min(LARGE_MOST_KICKS, max(LARGE_BATCH, int(LARGE_KICKS_OF_A_CITY * n)))
        self._gpus: list[tuple[int, GpuKicks]] = []
        for device in devices:
            with on_gpu(device):
                kicks = GpuKicks(cities, seed, params, most=LARGE_MOST_KICKS, seconds=_LAUNCH_SECONDS)
                self._gpus.append((device, kicks))
        if n >= PIECED:
            self._piece, self._firsts = n * _LATER_DESCENT, (0, PIECE // 2)
            self.start_round()
        self._pool, self._halted = ThreadPoolExecutor(len(devices)), False
        self._running: list[Future[tuple[np.ndarray, int]]] = []
        self._application = Application()
        self._half, self._before = 0, 0

    @property
    def round_over(self) -> bool:
        """Whether the round has ended."""
        return not self._pieces if self._pieced else super().round_over

    def start_round(self) -> None:
        """Start the next round: pieces, exchanges, one batch of kicks, or a round of cores."""
        super().start_round()
        self._pieced, self._joined = bool(self._firsts), False
        self._alone = self._submitted < LARGE_KICKS_ALONE
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
                give_memory_back()

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
                improved: Improved = stop.value
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
        """Work for one slice: in regions unless GPUs kick alone; then wait for the GPUs, and apply their results."""
        if not self._application.over:
            self._apply()
            return
        if not self._running:
            self._submit()
        if not (self._alone or self._joined):
            super()._kick(limit)
            self._joined = self._work is None
            if self._joined:  # but the round is not over
                self._state[search_cpu.KICKS] = self._until - self._kicks
        elif not wait(self._running, timeout=_SLICE_SECONDS).not_done:
            self._collect()
            if self._halved and self._alone:
                self._submit()

    def _apply(self) -> None:
        """Apply results for one slice; after the last, end the round, and enlarge a batch with few results."""
        state = self._state
        self._application.step(self._tour, self._search, self._chain)
        if self._application.over:
            if state[search_cpu.ACCEPTED] - self._before < self._batch >> LARGE_FEW_RESULTS:
                self._batch = min(LARGE_MOST_KICKS, 2 * self._batch)
            state[search_cpu.KICKS] = self._until

    def _submit(self) -> None:
        """Let the GPUs kick the current tour: all of it, or the next half."""
        kicks = min(self._requested or self._batch, LARGE_MOST_KICKS)
        n, first, half = self.order.size, self._submitted, self._half
        self._half = 1 - half
        self._submitted = first + kicks
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
        """Begin to apply the results of all GPUs; raise the error if the last one has failed."""
        failed, found = [], [np.empty((0, RESULT), np.int32)]
        for each, (device, _) in zip(self._running, self._gpus, strict=True):
            if error := each.exception():
                failed.append((device, error))
            else:
                results, evaluated = each.result()
                found.append(results)
                self._state[search_cpu.EVALUATED] += evaluated
        self._running = []
        self.lost += [device for device, _ in failed]
        self._gpus = [(device, gpu) for device, gpu in self._gpus if device not in self.lost]
        if not self._gpus:
            raise failed[-1][1]
        self._application.begin(found)
        self._before = int(self._state[search_cpu.ACCEPTED])
