"""2-opt with random restarts: each climber improves its own start tour to a local optimum."""

from collections.abc import Generator, Iterator, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar

from data.instance import Instance
from solvers.algorithms.two_opt.params import TwoOptParams
from solvers.algorithms.two_opt.variant import TwoOptVariant
from solvers.algorithms.two_opt.variants import CUDA_VARIANTS
from solvers.core.devices import cpu_text, cpu_threads
from solvers.core.events import Compiling, Event, Started
from solvers.core.params import Params
from solvers.core.solver import Job, Preset, Solver, Variant
from solvers.core.sources import UTNE_HANSEN
from solvers.presets.published import list_published_presets

if TYPE_CHECKING:
    from solvers.core.machine import Machine

_KERNEL = "solvers.algorithms.two_opt.kernels.climb_cpu:advance"
_CPU = (
    Variant("cpu", "cpu", _KERNEL, "Climbers in parallel, one thread a core.", directed=True),
    Variant("sequential", "cpu", _KERNEL, "One climber after the other, on one thread.", directed=True),
)
#: The variants from which ``auto`` takes the first that can run.
_PREFERRED = (*(variant for variant in CUDA_VARIANTS if variant.name in ("strip", "calculated")), _CPU[0])
#: Moves per city in a climb from a random tour, and seconds per evaluated move, for
#: `solvers.core.solver.Solver.first_row_seconds`: 1,000 cities took 1,262 moves and 0.52 s; 2,000 took 2,694 and 4.5 s.
_MOVES_PER_CITY, _MOVE_SECONDS = 1.3, 8.4e-10


def _resolve(variant: TwoOptVariant, params: TwoOptParams) -> TwoOptVariant:
    return variant.resolve(params.scan_rows, params.published, params.block_threads)


class TwoOpt(Solver[TwoOptParams]):
    """Random-restart hill climbing with best-improvement 2-opt."""

    name: ClassVar[str] = "two-opt"
    title: ClassVar[str] = "2-opt, random restarts"
    family: ClassVar[str] = "local search"
    source: ClassVar[str] = (
        'G. A. Croes, "A Method for Solving Traveling-Salesman Problems" (1958); as M. A. O\'Neil and M. Burtscher, '
        '"Rethinking the Parallelization of Random-Restart Hill Climbing" (2015), and '
        f"{UTNE_HANSEN}, section 3.1.1"
    )
    summary: ClassVar[str] = (
        "Each climber starts from a random tour and always makes the exchange of two edges that shortens it most."
    )
    params: ClassVar[type[Params]] = TwoOptParams
    variants: ClassVar[tuple[Variant, ...]] = (*_CPU, *CUDA_VARIANTS)
    presets: ClassVar[tuple[Preset, ...]] = list_published_presets("two-opt")
    iteration_unit: ClassVar[str] = "climber"
    evaluation_unit: ClassVar[str] = "move"
    step_unit: ClassVar[str] = "move"
    needs_matrix_on_globe: ClassVar[bool] = True
    comparison: ClassVar[str] = (
        "The same climbs, computed in different ways: all variants but multi-move make the same moves from the same "
        "tours, as far as their distances agree, unless the published program is to run."
    )
    throughput: ClassVar[str] = "two_opt_h200.json"

    def solve(self, job: Job[TwoOptParams]) -> Generator[Event, None, None]:
        """Run the climbs and report them in order.

        See `solvers.algorithms.two_opt.reporter.ClimbReporter`.

        Raises
        ------
        DeviceUnavailable
            If a GPU is requested and there is none, or the variant cannot compute this kind of distance.
        InstanceTooLarge
            See `solvers.core.kernel_distances.build_measure` and `solvers.algorithms.two_opt.layout_cuda`.
        """
        yield Compiling()
        variant = job.variant
        if isinstance(variant, TwoOptVariant):
            from solvers.algorithms.two_opt.cuda import solve

            yield from solve(job, _resolve(variant, job.params))
            return
        start_time = perf_counter()
        from solvers.algorithms.two_opt.cpu import climb_in_parallel, make_workers
        from solvers.algorithms.two_opt.reporter import ClimbReporter

        climbers = job.params.climbers
        threads = min(climbers, cpu_threads()) if variant.name == "cpu" else 1
        workers = make_workers(job, threads)
        yield Started(self.name, variant.name, cpu_text(threads), threads, perf_counter() - start_time)
        slices = climb_in_parallel(workers, climbers, job.stop.evaluations_left)
        yield from ClimbReporter(job, climbers).report_all(slices)

    def first_row_seconds(self, n: int, params: Params, threads: int) -> float:
        """See `solvers.core.solver.Solver`; each thread runs its own climber."""
        return _MOVE_SECONDS * _MOVES_PER_CITY * n * (n - 1) * (n - 2) / 2

    def replay(self, job: Job[TwoOptParams], climber: int) -> Iterator[Event]:
        """Reproduce the `Moves` of one climber."""
        variant = job.variant
        if isinstance(variant, TwoOptVariant):
            from solvers.algorithms.two_opt import cuda

            yield from cuda.replay(job, _resolve(variant, job.params), climber)
            return
        from solvers.algorithms.two_opt.cpu import make_workers
        from solvers.algorithms.two_opt.reporter import replay

        yield from replay(make_workers(job, 1)[0], job, climber)

    def preferred(self, instance: Instance, params: TwoOptParams, machine: "Machine") -> Sequence[Variant]:
        """See `solvers.core.solver.Solver`; a published form rules out `strip`."""
        return [variant for variant in _PREFERRED if params.published == "no" or variant.name != "strip"]
