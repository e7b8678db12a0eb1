"""Chains of simulated annealing on a GPU: their arrays, time-limited launches and results.

Imports Numba: for use inside `solve()`.
"""

from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numba import cuda

from solvers.algorithms.annealing.cpu import AnnealingSlice, ChainWorker, FinishedChain, make_slice
from solvers.algorithms.annealing.kernels import anneal_cuda, chain_cuda, rounds_cuda
from solvers.algorithms.annealing.kernels.chain_cpu import BEST, EVALUATIONS, LENGTH, LEVEL, RECORDED, ROWS, STATE
from solvers.algorithms.annealing.variants import AnnealingVariant
from solvers.core.errors import InstanceTooLarge
from solvers.core.solver import Job
from solvers.gpu.calibration import FIRST_LAUNCH_SECONDS, FIRST_ROUNDS, LAUNCH_SECONDS, RESIDENT_CHAINS
from solvers.gpu.launch import Step, on_gpu
from solvers.gpu.limits import Limits, count_resident_blocks, free_unused_memory
from solvers.kernels.distance_rows_cpu import GRID, MATRIX, Measure

#: Maximum numbers of rows and of moves of chain 0 that a launch can record.
_MAX_ROWS, _MAX_MOVES = 1 << 12, 1 << 18
#: Work of the first launch, until the speed is measured.
_INITIAL_WORK = FIRST_ROUNDS * chain_cuda.ROUND
#: Maximum work of a launch; it must fit into 32 bits.
_MAX_WORK = 1 << 30
#: Maximum number of chains that run on a GPU at the same time.
_MAX_SLOTS = 1 << 16
_NO_LIMIT = 1 << 62


@dataclass(slots=True, eq=False)
class LaunchResult:
    """The result of a launch.

    Attributes
    ----------
    first : AnnealingSlice or None
        The slice of chain 0, if that chain was running.
    finished : list of FinishedChain
        Chains that have completed their last temperature.
    """

    first: AnnealingSlice | None
    finished: list[FinishedChain]


class GpuChains:
    """The chains that one GPU runs; as many run at the same time as fill the GPU.

    Parameters
    ----------
    job : Job
    variant : AnnealingVariant
    worker : ChainWorker
        Provides the measure, the plan and the start tour.
    chains : int or (int, int)
        The number of chains, or a half-open range of their indices.
    limit : int or None
        Number of draws after which each chain may stop.
    device : int
        The GPU's number.

    Attributes
    ----------
    slots : int
        Number of chains that run at the same time.
    best : tuple of ndarray, shape (n,), int32, and int and int
        The best tour of all chains so far, its length and its chain. If chains do not return to their best tours, only
        their current tours count.

    Raises
    ------
    InstanceTooLarge
        If the tour does not fit into a block's shared memory, or the matrix into the device's memory.
    """

    def __init__(
        self,
        job: Job,
        variant: AnnealingVariant,
        worker: ChainWorker,
        chains: int | tuple[int, int],
        limit: int | None,
        device: int = 0,
    ) -> None:
        self._worker, self._n, self._device = worker, job.instance.n, device
        self._next, self._last = (0, chains) if isinstance(chains, int) else chains
        with self._on_device():
            self._prepare(job, variant, self._last - self._next, limit)

    def _on_device(self) -> Any:
        return on_gpu(self._device)

    def _prepare(self, job: Job, variant: AnnealingVariant, chains: int, limit: int | None) -> None:
        worker = self._worker
        limits = Limits.from_device()
        self._check(job, variant, worker.measure, limits)
        shared = chain_cuda.shared_bytes(self._n)
        each = min(RESIDENT_CHAINS, limits.shared // (shared + 2048))
        if worker.plan.proposals > 1:
            each = min(each, count_resident_blocks(shared, worker.plan.proposals, rounds_cuda.REGISTERS, limits))
        slots = min(chains, limits.multiprocessors * max(1, each), _MAX_SLOTS)
        self.slots, self._start_reported = slots, False
        self._cold_draws = 0
        self._climber, self._seconds = np.full(slots, -1, np.int64), np.zeros(slots)
        self._order, self._shortest = np.zeros((2, slots, self._n), np.uint16)
        self._state = np.zeros((slots, STATE), np.int64)
        self._temperature = np.zeros(slots)
        self.best = np.empty(0, np.int32), _NO_LIMIT, -1
        self._begin()
        self._upload(limit, job.seed, shared)

    def _check(self, job: Job, variant: AnnealingVariant, measure: Measure, limits: Limits) -> None:
        reason = variant.unavailable_reason(job.instance.kind, self._n, limits)
        if not reason and measure.matrix.nbytes > 0.8 * limits.free:
            reason = f"The distances of {job.instance.name} do not fit the device's memory."
        if reason:
            raise InstanceTooLarge(reason)

    def _upload(self, limit: int | None, seed: int, shared: int) -> None:
        """Copy all data to the device and prepare the kernel."""
        upload, plan, measure = cuda.to_device, self._worker.plan, self._worker.measure
        near = upload(plan.near.astype(np.uint16).reshape(-1))
        device_plan = chain_cuda.Plan(
            upload(_distance_data(measure)), near, np.uint32(self._n), np.uint32(plan.near.shape[1]),
            plan.far_threshold, plan.idle_threshold, np.int64(plan.draws_per_level), np.int64(plan.quench_draws),
            np.int32(plan.levels), np.int32(plan.end), np.float64(plan.acceptance_divisor), upload(plan.factors),
        )  # fmt: skip
        arrays = self._climber, self._order, self._shortest, self._state, self._temperature
        # Named tuples of device arrays: the host uses attributes that NumPy's arrays do not have.
        self._device_chains: Any = chain_cuda.Chains(*map(upload, arrays))
        i, j, delta = (cuda.device_array(_MAX_MOVES, np.int32) for _ in range(3))
        rows, step = upload(np.zeros((_MAX_ROWS, 3), np.int64)), cuda.device_array(_MAX_MOVES, np.int64)
        self._log: Any = chain_cuda.Log(i, j, delta, rows, step, cuda.device_array(_MAX_MOVES, np.float64))
        self._bounds = upload(np.array([0, _NO_LIMIT if limit is None else limit], np.int64))
        in_rounds = plan.proposals > 1
        build, threads = (rounds_cuda.build, plan.proposals) if in_rounds else (anneal_cuda.build, anneal_cuda.THREADS)
        self._kernel = Step(
            0, build, (measure.policy,), self._climber.size, threads,
            (device_plan, self._device_chains, self._log, np.uint64(seed), self._bounds), shared,
        )  # fmt: skip
        self._work, self._target_seconds = _INITIAL_WORK, FIRST_LAUNCH_SECONDS

    @property
    def is_busy(self) -> bool:
        """Whether any chain is still running."""
        return bool((self._climber >= 0).any())

    def launch(self) -> LaunchResult:
        """Run all chains in one launch that takes about the target duration."""
        with self._on_device():
            start_time = perf_counter()
            self._bounds[:1].copy_to_device(np.array([self._work], np.int64))
            self._kernel.on(0)()
            cuda.synchronize()
            elapsed = perf_counter() - start_time
            self._work = min(_MAX_WORK, max(1, int(self._work * min(4.0, self._target_seconds / elapsed))))
            self._target_seconds = LAUNCH_SECONDS
            return self._collect(elapsed)

    def _collect(self, elapsed: float) -> LaunchResult:
        self._device_chains.state.copy_to_host(self._state)
        busy_slots = np.flatnonzero(self._climber >= 0)
        share = elapsed / busy_slots.size
        self._seconds[busy_slots] += share
        first = self._first_slice(share) if self._climber[0] == 0 else None
        self._update_best(busy_slots)
        is_cold = self._state[busy_slots, LEVEL] >= self._worker.plan.end
        return LaunchResult(first, self._take_finished(busy_slots[is_cold]))

    def _first_slice(self, seconds: float) -> AnnealingSlice:
        """Return the slice of chain 0, which occupies slot 0 until it is cold."""
        state = self._state[0]
        m = int(state[RECORDED])
        log = self._log
        columns = (log.i, log.j, log.delta, log.step, log.control)
        moves = tuple(column[:m].copy_to_host() if m else np.empty(0, column.dtype) for column in columns)
        count, back = int(state[ROWS]), self._worker.plan.back
        rows = self._log.rows[:count].copy_to_host() if count else np.empty((0, 3), np.int64)
        tour = (self._device_chains.best if back else self._device_chains.order)[0].copy_to_host().astype(np.int32)
        result = make_slice(0, state, moves, rows, tour, back, seconds)
        if not self._start_reported:
            start = np.array([[0, result.start_length, result.start_length]], np.int64)
            result.levels = np.concatenate([start, rows])
            self._start_reported = True
        return result

    def _update_best(self, busy_slots: np.ndarray) -> None:
        """Update the best tour of all chains; only current tours count if chains do not return to their best."""
        back, chains = self._worker.plan.back, self._device_chains
        lengths = self._state[busy_slots, BEST if back else LENGTH]
        slot, length = busy_slots[np.argmin(lengths)], int(lengths.min())
        if length < self.best[1] or not back:
            order = (chains.best if back else chains.order)[slot].copy_to_host().astype(np.int32)
            self.best = order, length, int(self._climber[slot])

    def _take_finished(self, slots: np.ndarray) -> list[FinishedChain]:
        """Replace cold chains by new ones in their slots."""
        if not slots.size:
            return []
        mirrors = self._climber, self._order, self._shortest, self._state, self._temperature
        for array, mirror in zip(self._device_chains, mirrors, strict=True):
            array.copy_to_host(mirror)
        finished = [
            FinishedChain(
                int(self._climber[slot]), self._order[slot].astype(np.int32), self._shortest[slot].astype(np.int32),
                self._state[slot].copy(), float(self._seconds[slot]),
            )
            for slot in slots
        ]  # fmt: skip
        self._cold_draws += int(self._state[slots, EVALUATIONS].sum())
        self._climber[slots] = -1
        self._begin()
        for array, mirror in zip(self._device_chains, mirrors, strict=True):
            array.copy_to_device(mirror)
        return finished

    def _begin(self) -> None:
        """Start the next chains in the free slots."""
        for slot in np.flatnonzero(self._climber < 0)[: self._last - self._next]:
            chain = self._worker.begin(self._next)
            self._climber[slot], self._seconds[slot] = self._next, 0.0
            self._order[slot], self._shortest[slot], self._state[slot] = chain.order, chain.best, chain.state
            self._temperature[slot] = chain.temperature[0]
            self._next += 1

    @property
    def draws(self) -> int:
        """The total number of draws that all chains have made so far."""
        return self._cold_draws + int(self._state[self._climber >= 0, EVALUATIONS].sum())

    @property
    def running(self) -> tuple[np.ndarray, np.ndarray]:
        """The indices of the running chains, and the number of draws that each has made so far."""
        busy_slots = np.flatnonzero(self._climber >= 0)
        return self._climber[busy_slots], self._state[busy_slots, EVALUATIONS]

    def close(self) -> None:
        """Free the device's memory."""
        del self._kernel, self._device_chains, self._log, self._bounds
        with self._on_device():
            free_unused_memory()


def _distance_data(measure: Measure) -> np.ndarray:
    """Return the data from which the kernel computes distances.

    See `solvers.algorithms.annealing.kernels.chain_cuda.Plan`.
    """
    if measure.policy == MATRIX:
        return measure.matrix.reshape(-1)
    if measure.policy == GRID:
        x, y = measure.grid.astype(np.uint32)
        return x | y << np.uint32(16)
    return np.ascontiguousarray(measure.points.T).reshape(-1)
