"""Populations on several GPUs that exchange their best tours. Imports Numba: for use inside `solve()`."""

from collections import deque
from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack

import numpy as np

from solvers.algorithms.genetic.kernels.draws_cpu import stream_key
from solvers.algorithms.lin_kernighan.cpu import RoundResult, make_result
from solvers.algorithms.lin_kernighan.cuda import GpuSearch
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import Cities
from solvers.algorithms.lin_kernighan.large_cuda import LargeSearch
from solvers.algorithms.lin_kernighan.merged_cpu import has_few_candidates
from solvers.algorithms.lin_kernighan.merged_cuda import GpuMergedSearch
from solvers.algorithms.lin_kernighan.params import LinKernighanParams
from solvers.algorithms.lin_kernighan.schedule import ALONE, REGIONS, Schedule
from solvers.core.devices import cuda_devices
from solvers.core.params import on_all_gpus
from solvers.gpu.launch import on_gpu
from solvers.gpu.limits import free_unused_memory
from solvers.kernels.device_cuda import SIMULATED
from solvers.parallel.thread_team import ThreadTeam

#: Seconds per slice, during which the threads continue, and maximum number of rounds by which a GPU may be ahead of the
#: reports.
_SLICE_SECONDS, _MAX_AHEAD = 0.02, 4
_NO_LIMIT = 1 << 62


class Island(GpuMergedSearch):
    """One GPU's populations; after each, GPUs exchange best tours, which are crossed with the next population.

    Attributes
    ----------
    sent : tuple of ndarray and int, or None
        The best tour of a population that has ended, and its length, until `receive` is called.
    """

    sent: tuple[np.ndarray, int] | None = None
    _received: Sequence[tuple[np.ndarray, int]] = ()

    @property
    def best(self) -> tuple[np.ndarray, int]:
        """The best tour so far, and its length."""
        return self._first.best if self._in_first else (self._order, self._length)

    def receive(self, tours: Sequence[tuple[np.ndarray, int]]) -> None:
        """Receive the best tours of the other GPUs, and continue."""
        self._received, self.sent = tours, None

    def _exchange(self, best: tuple[np.ndarray, int]) -> Generator[bool, None, list[tuple[np.ndarray, int]]]:
        self.sent = best[0].copy(), best[1]
        yield True
        for tour in self._received:
            self._evaluated += self._merge(*tour)
        return list(self._received)


class _IslandGpu:
    """A GPU, its island, and its unreported rounds: the best tour, its length, and the exchanges evaluated.

    `is_ready` says whether the population has ended and all its rounds are in `rounds`, `is_lost` whether the GPU has
    failed.
    """

    def __init__(self, device: int, island: Island) -> None:
        self.device, self.island, self.rounds = device, island, deque[tuple[np.ndarray, int, int]]()
        self.is_ready, self.is_lost, self.evaluated = False, False, 0
        self.running: Future[None] | None = None

    @property
    def may_run(self) -> bool:
        """Whether the GPU may continue: it is neither too far ahead nor waiting for other GPUs."""
        return len(self.rounds) < _MAX_AHEAD and not self.is_ready and not self.is_lost


class IslandSearch:
    """Populations on several GPUs, each with a share of the cores.

    Round r ends when every GPU has finished its round r, and all populations end at the same time. So the tours depend
    on the number of GPUs, but not on their speeds. If a GPU fails, the others continue.

    Parameters
    ----------
    cities, order, length, seed, params, target, team, schedule
        See `GpuMergedSearch`.
    devices : sequence of int
        The GPUs' numbers.

    Attributes
    ----------
    order : ndarray, shape (n,), int32
        The best tour, in the kernels' numbering.
    length : int
        The length of the best tour.
    evaluated : int
        Number of exchanges and children evaluated, in finished rounds.
    """

    descending = complete = False

    def __init__(
        self, cities: Cities, order: np.ndarray, length: int, seed: int, params: LinKernighanParams,
        target: int | None, team: ThreadTeam, schedule: Schedule, devices: Sequence[int],
    ) -> None:  # fmt: skip
        self.order, self.length, self.evaluated = order, length, 0
        self._shown, self._halted, self._gpus = order, False, list[_IslandGpu]()
        with ExitStack() as stack:
            self._pool = stack.enter_context(ThreadPoolExecutor(len(devices)))
            for k, device in enumerate(devices):
                own_seed = int(stream_key(np.uint64(seed), np.uint64(k))) >> 1 if k else seed
                own_team = ThreadTeam(max(1, team.threads // len(devices)))
                stack.callback(own_team.close)
                with on_gpu(device):
                    island = Island(cities, order, length, own_seed, params, target, own_team, schedule)
                self._gpus.append(_IslandGpu(device, island))
                stack.callback(_close, self._gpus[-1])
            stack.callback(self._halt)
            self._ends = stack.pop_all()

    @property
    def lost_devices(self) -> list[int]:
        """The numbers of the GPUs that have failed."""
        return [gpu.device for gpu in self._gpus if gpu.is_lost]

    @property
    def round_over(self) -> bool:
        """Whether every GPU with a running population has finished the round."""
        return any(gpu.rounds for gpu in self._gpus) and all(gpu.rounds or gpu.is_ready for gpu in self._gpus)

    def start_round(self) -> None:
        """Do nothing: each GPU starts its own rounds."""

    def advance(self, limit: int) -> None:
        """Wait for one slice, while the GPUs' threads continue."""
        if all(gpu.is_ready and not gpu.rounds for gpu in self._gpus):
            self._exchange()
        for gpu in self._gpus:
            if gpu.running is None and gpu.may_run:
                gpu.running = self._pool.submit(self._run, gpu)
                if SIMULATED:  # the simulator runs one kernel at a time
                    wait([gpu.running])
        wait([gpu.running for gpu in self._gpus if gpu.running], timeout=_SLICE_SECONDS)
        for gpu in self._gpus:
            if gpu.running and gpu.running.done():
                self._collect(gpu)

    def end_round(self) -> RoundResult:
        """Return the result of the round, the best tour so far."""
        if self.round_over:
            for gpu in self._gpus:
                if gpu.rounds:
                    self._take(gpu, *gpu.rounds.popleft())
        else:
            self._halt()
            for gpu in self._gpus:
                for each in gpu.rounds:
                    self._take(gpu, *each)
                gpu.rounds.clear()
                result = gpu.island.end_round()
                self._take(gpu, result.order, result.length, gpu.island.evaluated)
        result = make_result(self._shown, self.order, self.length)
        self._shown = result.order
        return result

    def close(self) -> None:
        """Stop the threads and free the GPUs' memory."""
        self._ends.close()

    def _run(self, gpu: _IslandGpu) -> None:
        """Run a GPU in its own thread until it has to wait."""
        island = gpu.island
        with on_gpu(gpu.device):
            while gpu.may_run and not self._halted:
                island.advance(_NO_LIMIT)
                if island.round_over:
                    order, length = island.best
                    gpu.rounds.append((order.copy(), length, island.evaluated))
                    gpu.is_ready = island.sent is not None  # set once the last round has been added
                    island.start_round()

    def _collect(self, gpu: _IslandGpu) -> None:
        """Handle the end of a GPU's thread; raise its error if no other GPU is left."""
        assert gpu.running is not None
        error, gpu.running = gpu.running.exception(), None
        if error is None:
            return
        gpu.is_lost = gpu.is_ready = True
        if all(gpu.is_lost for gpu in self._gpus):
            raise error

    def _exchange(self) -> None:
        """Send each population's best tour to the other populations."""
        left = [gpu for gpu in self._gpus if not gpu.is_lost]
        sent = [gpu.island.sent for gpu in left]
        for k, gpu in enumerate(left):
            gpu.island.receive([each for each in (*sent[:k], *sent[k + 1 :]) if each])
            gpu.is_ready = False

    def _halt(self) -> None:
        """Start no more work, and wait until all threads have finished theirs."""
        self._halted = True
        for gpu in self._gpus:
            if gpu.running:
                wait([gpu.running])
                self._collect(gpu)
        self._halted = False

    def _take(self, gpu: _IslandGpu, order: np.ndarray, length: int, evaluated: int) -> None:
        """Count a GPU's round, and store its tour if that is the best so far."""
        self.evaluated, gpu.evaluated = self.evaluated + evaluated - gpu.evaluated, evaluated
        if length < self.length:
            self.order, self.length = order, length


def make_gpu_search(
    cities: Cities, order: np.ndarray, length: int, seed: int, params: LinKernighanParams, target: int | None,
    team: ThreadTeam,
) -> GpuSearch | GpuMergedSearch | LargeSearch | IslandSearch:  # fmt: skip
    """Return the search for this number of cities, on one or all GPUs."""
    schedule = Schedule.for_cities(params, order.size, gpu=True)
    start, devices = (cities, order, length, seed, params, target), range(count_gpus(params, order.size))
    if schedule.kind == REGIONS:
        return LargeSearch(*start, team, devices, has_few_candidates(cities, schedule))
    if schedule.kind == ALONE:
        return GpuSearch(*start)
    if len(devices) == 1:
        return GpuMergedSearch(*start, team, schedule)
    return IslandSearch(*start, team, schedule, devices)


def count_gpus(params: LinKernighanParams, n: int) -> int:
    """Return how many GPUs a run uses: only one if there are few cities, or if a single tour is kicked."""
    alone = Schedule.for_cities(params, n, gpu=True).kind == ALONE
    return len(cuda_devices()) if on_all_gpus(params) and not alone else 1


def _close(gpu: _IslandGpu) -> None:
    if not gpu.is_lost:  # a failed GPU no longer responds
        with on_gpu(gpu.device):
            gpu.island.close()
            free_unused_memory()
