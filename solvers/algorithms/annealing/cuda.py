"""Simulated annealing on CUDA devices: chains anneal on one or all GPUs, and finish by 2-opt on the CPU.

A cold chain needs a few thousand more moves: back to its best tour, then to a local optimum. The workers of
`solvers.algorithms.annealing.cpu` make these moves while the GPU continues with other chains.

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

from solvers.algorithms.annealing.chains_cuda import GpuChains, LaunchResult
from solvers.algorithms.annealing.cpu import AnnealingSlice, ChainWorker, FinishedChain, make_chain_workers
from solvers.algorithms.annealing.params import AnnealingParams
from solvers.algorithms.annealing.reporter import ChainReporter
from solvers.algorithms.annealing.variants import AnnealingVariant
from solvers.core.devices import cpu_threads, cuda_devices, gpu_text, split_climbers
from solvers.core.events import Event, Started
from solvers.core.solver import Job
from solvers.gpu.calibration import WAITING_CHAINS
from solvers.worker.kernel_loading import load_kernels

#: Maximum time between two events, and the time for which a core finishes chains before it returns them, in seconds.
#: Handing out chains one by one would take as long as finishing them.
_HEARTBEAT_SECONDS, _BATCH_SECONDS = 0.05, 0.02


def solve(job: Job[AnnealingParams], variant: AnnealingVariant) -> Generator[Event, None, None]:
    """Run the chains and report them in order; see `solvers.algorithms.annealing.reporter.ChainReporter`.

    Raises
    ------
    DeviceUnavailable
        If there is no CUDA device.
    InstanceTooLarge
        If the tour does not fit into a block's shared memory, or the matrix into the device's memory.
    """
    params = job.params
    start_time = perf_counter()
    chains = job.stop.affordable(params.chains)
    shares = split_climbers(chains, len(cuda_devices()) if params.gpus == "all" else 1)
    workers = make_chain_workers(job, len(shares) + min(chains, cpu_threads()))
    load_kernels(workers[0].make_loaders())
    starters, workers = workers[: len(shares)], workers[len(shares) :]
    evaluations_left = job.stop.evaluations_left
    with ExitStack() as stack:
        gpus = []
        for device, (share, starter) in enumerate(zip(shares, starters, strict=True)):
            gpus.append(GpuChains(job, variant, starter, share, evaluations_left, device))
            stack.callback(gpus[-1].close)
        yield Started("simulated-annealing", variant.name, gpu_text(len(shares)), 1, perf_counter() - start_time)
        reporter = ChainReporter(job, chains, params.levels)
        yield from reporter.report_all(_collect_slices(gpus, workers, evaluations_left))
        if job.stop.reason is not None:
            best = min((gpu.best for gpu in gpus), key=lambda best: best[1])
            yield from reporter.report_best_running(*best, count_other_evaluations(gpus))


def count_other_evaluations(gpus: Sequence[GpuChains]) -> int:
    """Return the number of draws made by all running chains except the one with the lowest index."""
    climbers, draws = (np.concatenate(each) for each in zip(*(gpu.running for gpu in gpus), strict=True))
    return int(draws.sum() - draws[climbers.argmin()]) if climbers.size else 0


def _collect_slices(
    gpus: Sequence[GpuChains], workers: list[ChainWorker], limit: int | None
) -> Generator[AnnealingSlice | None, None, None]:
    """Yield slices from GPUs and CPU as they finish; None if none has finished for a while."""
    idle, waiting, stopped = list(workers), deque[FinishedChain](), Flag()
    climbing: dict[Future[list[AnnealingSlice]], ChainWorker] = {}
    launching: dict[Future[LaunchResult], GpuChains] = {}
    # Chains that start together become cold together, so many may wait for the cores while GPUs run other chains.
    maximum = max(WAITING_CHAINS * len(workers), sum(gpu.slots for gpu in gpus))
    with ThreadPoolExecutor(len(gpus) + len(workers)) as pool:
        try:
            while any(gpu.is_busy for gpu in gpus) or waiting or climbing or launching:
                for gpu in gpus:
                    if gpu not in launching.values() and gpu.is_busy and len(waiting) < maximum:
                        launching[pool.submit(gpu.launch)] = gpu
                for worker in idle[: len(waiting)]:
                    idle.remove(worker)
                    climbing[pool.submit(_finish, worker, waiting, stopped)] = worker
                under_way: list[Future[Any]] = [*climbing, *launching]
                done, _ = wait(under_way, timeout=_HEARTBEAT_SECONDS, return_when=FIRST_COMPLETED)
                if not done:
                    yield None
                for future in done:
                    if future in launching:
                        del launching[future]
                        launched = future.result()
                        for finished_chain in launched.finished:
                            if finished_chain.climber:
                                waiting.append(finished_chain)
                            else:
                                waiting.appendleft(finished_chain)
                        yield launched.first
                        continue
                    worker, results = climbing.pop(future), future.result()
                    if worker.idle:
                        idle.append(worker)
                    else:
                        evaluations_left = None if limit is None else max(1, limit - results[-1].current_evaluations)
                        climbing[pool.submit(_advance, worker, evaluations_left)] = worker
                    yield from results
        finally:
            stopped.set()


def _finish(worker: ChainWorker, waiting: deque[FinishedChain], stopped: Flag) -> list[AnnealingSlice]:
    """Finish waiting chains for a limited time and return their slices; of chain 0, which is recorded, only one."""
    results: list[AnnealingSlice] = []
    until = perf_counter() + _BATCH_SECONDS
    while not stopped.is_set() and (not results or perf_counter() < until):
        try:
            finished_chain = waiting.popleft()
        except IndexError:  # another worker took the last chain
            break
        if finished_chain.climber == 0:
            worker.take(finished_chain)
            return [*results, worker.advance(None)]
        results.append(worker.finish(finished_chain, lambda: not stopped.is_set()))
    return results


def _advance(worker: ChainWorker, limit: int | None) -> list[AnnealingSlice]:
    """Advance a worker's current chain by one slice."""
    return [worker.advance(limit)]
