"""A run of 2-opt on one or all GPUs.

Imports Numba: for use inside `solve()`.
"""

from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing
from time import perf_counter

from solvers.algorithms.two_opt.array_climbs_cuda import ArrayClimbs
from solvers.algorithms.two_opt.batch_cuda import LaunchResult
from solvers.algorithms.two_opt.climbs_cuda import Climbs, make_climbs
from solvers.algorithms.two_opt.params import TwoOptParams
from solvers.algorithms.two_opt.reporter_cuda import CudaReporter
from solvers.algorithms.two_opt.variant import TwoOptVariant
from solvers.core.devices import cuda_devices, gpu_text, split_climbers
from solvers.core.events import Event, Moves, Started
from solvers.core.solver import Job
from solvers.reporting.climbs import DeviceClimbRecorder


def solve(job: Job, variant: TwoOptVariant) -> Generator[Event, None, None]:
    """Climb, and report climbers in order; see `solvers.algorithms.two_opt.reporter_cuda.CudaReporter`.

    Raises
    ------
    DeviceUnavailable
        If there is no CUDA device, or the variant cannot compute this kind of distance.
    InstanceTooLarge
        If the instance is too large for the variant or a device's memory.
    """
    start_time = perf_counter()
    devices = cuda_devices()
    climbers, shares = _divide_climbers(job, len(devices))
    of_run = climbers // len(shares)
    with ExitStack() as stack:
        climbs = []
        for index, share in enumerate(shares):
            recorded = 0 if index == 0 else -1
            climbs.append(_create_climbs(job, variant, share, of_run, index, recorded))
            stack.callback(climbs[-1].close)
        climbs[0].records_more = job.pictures
        differing = climbs[0].differing_pairs()
        device = f"{gpu_text(len(shares))}, {_describe_accuracy(job.instance.n, differing)}"
        yield Started("two-opt", variant.name, device, 1, perf_counter() - start_time)
        reporter = CudaReporter(job, climbers, differing == 0)
        yield from reporter.report_all(_merge_launches(climbs))
    if (missing := reporter.missing()) is not None:
        with closing(_create_climbs(job, variant, (missing, missing + 1), of_run).batches()) as batches:
            *_, last = batches
        yield from reporter.report_recovered(last)
    yield from reporter.report_end()


def replay(job: Job, variant: TwoOptVariant, climber: int) -> Iterator[Moves]:
    """Reproduce the `Moves` of one climber."""
    climbers, shares = _divide_climbers(job, len(cuda_devices()))
    climbs = _create_climbs(job, variant, (climber, climber + 1), climbers // len(shares), recorded=climber)
    record = DeviceClimbRecorder(job, climber, exact=climbs.differing_pairs() == 0)
    with closing(climbs.batches()) as batches:
        for batch in batches:
            yield from record.take((batch.i, batch.j, batch.delta), last=batch.length.size > 0)


def _create_climbs(
    job: Job[TwoOptParams], variant: TwoOptVariant, share: tuple[int, int], of_run: int, device: int = 0,
    recorded: int = -1,
) -> Climbs | ArrayClimbs:  # fmt: skip
    """Create the climbs of a GPU's share of the climbers; `of_run` is the run's number of climbers per GPU."""
    return make_climbs(
        job.instance, variant, job.seed, job.start, share, device, recorded=recorded, exact=job.params.exact,
        of_run=of_run,
    )  # fmt: skip


def _divide_climbers(job: Job[TwoOptParams], devices: int) -> tuple[int, list[tuple[int, int]]]:
    """Return the run's number of climbers, and each GPU's share of them as a half-open range."""
    climbers = job.stop.affordable(job.params.climbers)
    return climbers, split_climbers(climbers, devices if job.params.gpus == "all" else 1)


def _describe_accuracy(n: int, differing: int) -> str:
    """Describe how accurate the distances are, given the number of differing pairs."""
    if differing == 0:
        return "exact distances"
    return f"{differing:,} of {n * (n - 1) // 2:,} distances rounded differently from TSPLIB"


def _merge_launches(climbs: list[Climbs | ArrayClimbs]) -> Generator[LaunchResult, None, None]:
    """Yield the results of all GPUs as they arrive; each GPU has its own thread."""
    with ExitStack() as stack, ThreadPoolExecutor(len(climbs)) as pool:
        sources = [stack.enter_context(closing(climb.batches())) for climb in climbs]
        working: dict[Future[LaunchResult | None], int] = {}

        def launch(part: int) -> None:
            working[pool.submit(next, sources[part], None)] = part

        try:
            for part in range(len(climbs)):
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
            # A running generator cannot be closed, so first wait for the current launches.
            wait(working)
