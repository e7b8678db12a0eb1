"""Lin-Kernighan with kicks: an iterated local search whose steps replace up to five edges at a time."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar

from data.instance import Instance
from solvers.algorithms.lin_kernighan.params import LinKernighanParams
from solvers.algorithms.lin_kernighan.schedule import LARGE
from solvers.algorithms.lin_kernighan.variants import (
    CPU,
    CROSSING,
    CUDA,
    KICKS,
    SOURCE,
    VARIANTS,
    longest_distance,
    too_long_reason,
)
from solvers.core.devices import cpu_text, cpu_threads, gpu_text
from solvers.core.events import Compiling, Event, Started
from solvers.core.params import Params, on_all_gpus
from solvers.core.solver import Job, Preset, Solver, Variant
from solvers.presets.published import list_published_presets

if TYPE_CHECKING:
    from solvers.algorithms.lin_kernighan.run import SearchKind
    from solvers.core.machine import Machine

#: Seconds per city until the start tour is reported, for `solvers.core.solver.Solver.first_row_seconds`.
_CITY_SECONDS = 3e-6


class LinKernighan(Solver[LinKernighanParams]):
    """Iterated local search with Lin-Kernighan steps."""

    name: ClassVar[str] = "lin-kernighan"
    title: ClassVar[str] = "Lin-Kernighan with kicks"
    family: ClassVar[str] = "local search"
    source: ClassVar[str] = f"{SOURCE}; kicks: {KICKS}; crossing: {CROSSING}"
    summary: ClassVar[str] = (
        "Chains of edge exchanges shorten the tour; then kicks change four near edges, and stay if the repaired tour "
        "is hardly longer."
    )
    params: ClassVar[type[Params]] = LinKernighanParams
    variants: ClassVar[tuple[Variant, ...]] = VARIANTS
    presets: ClassVar[tuple[Preset, ...]] = list_published_presets("lin-kernighan")
    iteration_unit: ClassVar[str] = "round"
    evaluation_unit: ClassVar[str] = "exchange"
    step_unit: ClassVar[str] = "move"
    needs_matrix_on_globe: ClassVar[bool] = True
    #: One size for each kind of search: a single tour that is kicked; tours made in one call and crossed with a matrix
    #: of distances; tours made in slices and crossed without a matrix.
    kernel_cities: ClassVar[tuple[int, ...]] = (16, 200, 9000)

    def solve(self, job: Job[LinKernighanParams]) -> Generator[Event, None, None]:
        """Improve one tour in rounds; see `solvers.algorithms.lin_kernighan.run.run_search`.

        Raises
        ------
        DeviceUnavailable
            If a GPU is requested and there is none.
        InstanceTooLarge
            See `solvers.core.kernel_distances.build_measure`.
        """
        yield Compiling()
        variant, start_time = job.variant, perf_counter()
        from solvers.algorithms.lin_kernighan.load import load
        from solvers.algorithms.lin_kernighan.run import run_search
        from solvers.worker.kernel_loading import load_first_part

        search = _choose_search(variant)
        with closing(load(job.instance, job.params, search)) as loading:
            load_rest = load_first_part(loading)
            threads = cpu_threads()
            device = cpu_text(threads)
            if variant.device == "cuda":
                from solvers.algorithms.lin_kernighan.islands_cuda import count_gpus

                device = f"{gpu_text(count_gpus(job.params, job.instance.n))}, exact distances"
            started = Started(self.name, variant.name, device, threads, perf_counter() - start_time)
            yield started
            yield from run_search(job, threads, search, load_rest and load_rest(started))

    def replay(self, job: Job, climber: int) -> Iterator[Event]:
        """Reproduce the `Moves` of a round, by repeating all rounds up to that one."""
        from solvers.algorithms.lin_kernighan.run import replay

        yield from replay(job, cpu_threads(), _choose_search(job.variant), climber)

    def first_row_seconds(self, n: int, params: Params, threads: int) -> float:
        """See `solvers.core.solver.Solver`; the time that candidates and the start tour take."""
        return _CITY_SECONDS * n

    def preferred(self, instance: Instance, params: LinKernighanParams, machine: "Machine") -> Sequence[Variant]:
        """See `solvers.core.solver.Solver`; for few cities, cores are preferred: they cross faster than a GPU."""
        few = params.tours > 1 and instance.n <= LARGE and not on_all_gpus(params)
        return [CPU] if few or instance.directed else [CUDA, CPU]

    def refusal(self, instance: Instance, params: LinKernighanParams, device: str) -> str:
        """See `solvers.core.solver.Solver`; on a GPU, distances whose sums could exceed 32 bits are refused."""
        return too_long_reason(longest_distance(instance)) if device == "cuda" else ""


def _choose_search(variant: Variant) -> "SearchKind":
    """Return the function that creates a variant's search."""
    if variant.device == "cpu":
        from solvers.algorithms.lin_kernighan.merged_cpu import make_cpu_search

        return make_cpu_search
    from solvers.algorithms.lin_kernighan.islands_cuda import make_gpu_search

    return make_gpu_search
