"""Simulated annealing on a CUDA device. Anneal on the GPU; finish each chain by 2-opt on the CPU.

A cold chain needs a few thousand more steps: back to its best tour, then to a local optimum. The workers of
`solvers.annealing.cpu` take these steps while the GPU continues with other chains.

Imports Numba: for use inside `solve()`.
"""

from collections import deque
from collections.abc import Generator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from threading import Event as Flag
from time import perf_counter
from typing import Any

from solvers.annealing.chains_cuda import GpuChains, LaunchResult
from solvers.annealing.cpu import AnnealingSlice, ChainWorker, ColdChain, workers_of
from solvers.annealing.params import AnnealingParams
from solvers.annealing.reporter import ChainReporter
from solvers.annealing.variants import AnnealingVariant
from solvers.devices import cpu_threads, cuda_devices
from solvers.events import Event, Started
from solvers.gpu.calibration import WAITING_CHAINS
from solvers.solver import Job

#: Most seconds between two events.
_HEARTBEAT_SECONDS = 0.05


def solve(job: Job, variant: AnnealingVariant) -> Generator[Event, None, None]:
    """Anneal, and report chains in order of their index; see `solvers.annealing.reporter.ChainReporter`.

    Raises
    ------
    DeviceUnavailable
        If there is no CUDA device.
    InstanceTooLarge
        If the tour is too long for a block's shared memory, or the matrix for the device's.
    """
    params = job.params
    assert isinstance(params, AnnealingParams)
    began = perf_counter()
    device, chains = cuda_devices()[0], job.stop.affordable(params.chains)
    starter, *workers = workers_of(job, 1 + min(chains, cpu_threads()))
    limit = job.stop.budget.evaluations
    left = None if limit is None else max(1, limit - job.stop.evaluations)
    gpu = GpuChains(job, variant, starter, chains, left)
    with closing(gpu):
        yield Started("simulated-annealing", variant.name, device.name, 1, perf_counter() - began)
        reporter = ChainReporter(job, chains, params.levels)
        yield from reporter.report_all(_slices(gpu, workers, left))
        if job.stop.reason is not None:
            yield from reporter.cut()
            yield from reporter.cut_others(*gpu.best, gpu.draws_of_others())


def _slices(
    gpu: GpuChains, workers: list[ChainWorker], limit: int | None
) -> Generator[AnnealingSlice | None, None, None]:
    """Yield the slices of GPU and CPU as they finish; None if there is nothing to report."""
    idle, waiting, stopped = list(workers), deque[ColdChain](), Flag()
    climbing: dict[Future[AnnealingSlice], ChainWorker] = {}
    launching: Future[LaunchResult] | None = None
    with ThreadPoolExecutor(1 + len(workers)) as pool:
        try:
            while gpu.busy or waiting or climbing or launching:
                if launching is None and gpu.busy and len(waiting) < WAITING_CHAINS * len(workers):
                    launching = pool.submit(gpu.launch)
                while waiting and idle:
                    worker = idle.pop()
                    climbing[_start(pool, worker, waiting.popleft(), stopped)] = worker
                under_way: list[Future[Any]] = [*climbing, *([launching] if launching else [])]
                done, _ = wait(under_way, timeout=_HEARTBEAT_SECONDS, return_when=FIRST_COMPLETED)
                if not done:
                    yield None
                for future in done:
                    if future is launching:
                        launched = launching.result()
                        launching = None
                        waiting.extend(launched.cold)
                        yield launched.first
                        continue
                    worker, result = climbing.pop(future), future.result()
                    if worker.idle:
                        idle.append(worker)
                    else:
                        left = None if limit is None else max(1, limit - result.current_evaluations)
                        climbing[pool.submit(worker.advance, left)] = worker
                    yield result
        finally:
            stopped.set()


def _start(pool: ThreadPoolExecutor, worker: ChainWorker, cold: ColdChain, stopped: Flag) -> "Future[AnnealingSlice]":
    """Start a worker on a chain: for one slice of chain 0, which is recorded move by move; for the whole of others."""
    if cold.climber:
        return pool.submit(worker.finish, cold, lambda: not stopped.is_set())
    worker.take(cold)
    return pool.submit(worker.advance, None)
