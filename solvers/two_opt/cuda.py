"""A run of 2-opt on one CUDA device or on all of them.

Imports Numba: for use inside `solve()`.
"""

from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing
from itertools import pairwise
from time import perf_counter

from solvers.devices import cuda_devices
from solvers.events import Event, Moves, Started
from solvers.reporting.climbs import DeviceClimbRecorder
from solvers.solver import Job
from solvers.two_opt.array_climbs_cuda import ArrayClimbs
from solvers.two_opt.batch_cuda import LaunchResult
from solvers.two_opt.climbs_cuda import Climbs, climbs_of
from solvers.two_opt.params import TwoOptParams
from solvers.two_opt.reporter_cuda import CudaReporter
from solvers.two_opt.variants_published import TwoOptVariant


def solve(job: Job, row: TwoOptVariant) -> Generator[Event, None, None]:
    """Climb, and report climbers in order of their index; see `solvers.two_opt.reporter_cuda.CudaReporter`.

    Raises
    ------
    DeviceUnavailable
        If there is no CUDA device, or the variant cannot compute this kind of distance.
    InstanceTooLarge
        If the instance is too large for the variant or a device's memory.
    """
    assert isinstance(job.params, TwoOptParams)
    began = perf_counter()
    devices = cuda_devices()
    climbers = _within_budget(job, job.params.climbers)
    shares = _shares(climbers, len(devices) if job.params.gpus == "all" else 1)
    with ExitStack() as stack:
        lanes = []
        for index, share in enumerate(shares):
            recorded = 0 if index == 0 else -1
            lanes.append(_climbs(job, row, share, index, recorded))
            stack.callback(lanes[-1].close)
        off = lanes[0].differing_pairs()
        name = devices[0].name if len(shares) == 1 else f"{len(shares)} x {devices[0].name}"
        yield Started("two-opt", row.name, f"{name}, {_metric(job.instance.n, off)}", 1, perf_counter() - began)
        reporter = CudaReporter(job, climbers, off == 0)
        with closing(_together(lanes)) as batches:
            for batch in batches:
                yield from reporter.take(batch)
                if reporter.stopped():
                    break
    if (missing := reporter.missing()) is not None:
        with closing(_climbs(job, row, (missing, missing + 1)).batches()) as batches:
            *_, last = batches
        yield from reporter.found(last)
    yield from reporter.cut()


def replay(job: Job, row: TwoOptVariant, climber: int) -> Iterator[Moves]:
    """Reproduce the `Moves` of one climber."""
    lane = _climbs(job, row, (climber, climber + 1), recorded=climber)
    record = DeviceClimbRecorder(job, climber, exact=lane.differing_pairs() == 0)
    with closing(lane.batches()) as batches:
        for batch in batches:
            yield from record.take((batch.i, batch.j, batch.delta), last=batch.length.size > 0)


def _climbs(
    job: Job, row: TwoOptVariant, share: tuple[int, int], device: int = 0, recorded: int = -1
) -> Climbs | ArrayClimbs:
    assert isinstance(job.params, TwoOptParams)
    exact = job.params.exact
    return climbs_of(job.instance, row, job.seed, job.start, share, device, recorded=recorded, exact=exact)


def _within_budget(job: Job, climbers: int) -> int:
    """Number of climbers, or as many of them as the limit of iterations leaves."""
    limit = job.stop.budget.iterations
    return climbers if limit is None else max(1, min(climbers, limit - job.stop.iterations))


def _shares(climbers: int, devices: int) -> list[tuple[int, int]]:
    """Contiguous ranges of climbers, one per device, as even as possible; devices without climbers are left out."""
    count = min(climbers, devices)
    bounds = [climbers * k // count for k in range(count + 1)]
    return list(pairwise(bounds))


def _metric(n: int, off: int) -> str:
    """Describe how exact the distances were."""
    pairs = n * (n - 1) // 2
    return "exact distances" if off == 0 else f"{off:,} of {pairs:,} distances rounded differently from TSPLIB"


def _together(lanes: list[Climbs | ArrayClimbs]) -> Generator[LaunchResult, None, None]:
    """Results of all devices as they come; each device has its own thread."""
    with ExitStack() as stack, ThreadPoolExecutor(len(lanes)) as pool:
        sources = [stack.enter_context(closing(lane.batches())) for lane in lanes]
        working: dict[Future[LaunchResult | None], int] = {}

        def launch(part: int) -> None:
            working[pool.submit(next, sources[part], None)] = part

        try:
            for part in range(len(lanes)):
                launch(part)
            while working:
                done, _ = wait(working, return_when=FIRST_COMPLETED)
                for future in done:
                    part, batch = working.pop(future), future.result()
                    if batch is not None:
                        launch(part)
                        batch.part = part
                        yield batch
        finally:
            # A running generator cannot be closed: let current launches end first.
            wait(working)
