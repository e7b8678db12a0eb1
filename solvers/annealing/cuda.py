"""Simulated annealing on one CUDA device or on all of them. Anneal on the GPU; finish each chain by 2-opt on the CPU.

A cold chain needs a few thousand more steps: back to its best tour, then to a local optimum. The workers of
`solvers.annealing.cpu` take these steps while the GPU continues with other chains.

Imports Numba: for use inside `solve()`.
"""

from collections import deque
from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from threading import Event as Flag
from time import perf_counter
from typing import Any

import numpy as np

from solvers.annealing.chains_cuda import GpuChains, LaunchResult
from solvers.annealing.cpu import AnnealingSlice, ChainWorker, ColdChain, workers_of
from solvers.annealing.params import AnnealingParams
from solvers.annealing.reporter import ChainReporter
from solvers.annealing.variants import AnnealingVariant
from solvers.devices import cpu_threads, cuda_devices, gpu_text, shares_of
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
    chains = job.stop.affordable(params.chains)
    shares = shares_of(chains, len(cuda_devices()) if params.gpus == "all" else 1)
    workers = workers_of(job, len(shares) + min(chains, cpu_threads()))
    starters, workers = workers[: len(shares)], workers[len(shares) :]
    limit = job.stop.budget.evaluations
    left = None if limit is None else max(1, limit - job.stop.evaluations)
    with ExitStack() as stack:
        gpus = []
        for device, (share, starter) in enumerate(zip(shares, starters, strict=True)):
            gpus.append(GpuChains(job, variant, starter, share, left, device))
            stack.callback(gpus[-1].close)
        yield Started("simulated-annealing", variant.name, gpu_text(len(shares)), 1, perf_counter() - began)
        reporter = ChainReporter(job, chains, params.levels)
        yield from reporter.report_all(_slices(gpus, workers, left))
        if job.stop.reason is not None:
            yield from reporter.cut()
            best = min((gpu.best for gpu in gpus), key=lambda best: best[1])
            yield from reporter.cut_others(*best, draws_of_others(gpus))


def draws_of_others(gpus: Sequence[GpuChains]) -> int:
    """Return the draws of all running chains except the lowest."""
    climbers, draws = (np.concatenate(each) for each in zip(*(gpu.running for gpu in gpus), strict=True))
    return int(draws.sum() - draws[climbers.argmin()]) if climbers.size else 0


def _slices(
    gpus: Sequence[GpuChains], workers: list[ChainWorker], limit: int | None
) -> Generator[AnnealingSlice | None, None, None]:
    """Yield the slices of GPU and CPU as they finish; None if there is nothing to report."""
    idle, waiting, stopped = list(workers), deque[ColdChain](), Flag()
    climbing: dict[Future[AnnealingSlice], ChainWorker] = {}
    launching: dict[Future[LaunchResult], GpuChains] = {}
    with ThreadPoolExecutor(len(gpus) + len(workers)) as pool:
        try:
            while any(gpu.busy for gpu in gpus) or waiting or climbing or launching:
                for gpu in gpus:
                    if gpu not in launching.values() and gpu.busy and len(waiting) < WAITING_CHAINS * len(workers):
                        launching[pool.submit(gpu.launch)] = gpu
                while waiting and idle:
                    worker = idle.pop()
                    climbing[_start(pool, worker, waiting.popleft(), stopped)] = worker
                under_way: list[Future[Any]] = [*climbing, *launching]
                done, _ = wait(under_way, timeout=_HEARTBEAT_SECONDS, return_when=FIRST_COMPLETED)
                if not done:
                    yield None
                for future in done:
                    if future in launching:
                        del launching[future]
                        launched = future.result()
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
