"""Lin-Kernighan with kicks: an iterated local search whose steps replace up to five edges at a time."""

from collections.abc import Generator, Iterator
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar

from data.instance import Instance
from solvers.devices import cpu_text, cpu_threads, cuda_devices
from solvers.events import Compiling, Event, Started
from solvers.lin_kernighan.params import LinKernighanParams
from solvers.lin_kernighan.variants import CPU, CROSSING, CUDA, KICKS, SOURCE, VARIANTS, longest_distance, too_long
from solvers.params import Params
from solvers.solver import Job, Preset, Solver, Variant, choose_variant, is_automatic, variant_that_runs

if TYPE_CHECKING:
    from solvers.lin_kernighan.run import SearchKind

#: Seconds for each city until the start tour is reported; see `solvers.solver.Solver.first_row_seconds`.
_CITY_SECONDS = 3e-6


class LinKernighan(Solver):
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
    presets: ClassVar[tuple[Preset, ...]] = (
        Preset(
            "two-opt", "2-opt, iterated", {"depth": 2, "tours": 0},
            'J. L. Bentley, "Fast Algorithms for Geometric Traveling Salesman Problems" (1992): 2-opt with neighbour '
            "lists and don't-look bits; with our kicks",
        ),
        Preset(
            "three-opt", "3-opt, iterated", {"depth": 3, "tours": 0},
            'D. S. Johnson and L. A. McGeoch, "The Traveling Salesman Problem: A Case Study in Local Optimization" '
            "(1997), section 3; with our kicks",
        ),
    )  # fmt: skip
    iteration_unit: ClassVar[str] = "round"
    evaluation_unit: ClassVar[str] = "exchange"
    step_unit: ClassVar[str] = "move"
    #: One tour kicked; tours made in one call and crossed with a table of distances; made in slices, without a table.
    kernel_cities: ClassVar[tuple[int, ...]] = (16, 200, 9000)

    def solve(self, job: Job) -> Generator[Event, None, None]:
        """Improve one tour in rounds; see `solvers.lin_kernighan.run.events_of`.

        Raises
        ------
        DeviceUnavailable
            If it is to run on a GPU.
        InstanceTooLarge
            See `solvers.kernel_distances.measure_of`.
        """
        assert isinstance(job.params, LinKernighanParams)
        yield Compiling()
        variant, began = self._variant_of(job), perf_counter()
        from solvers.lin_kernighan.load import load
        from solvers.lin_kernighan.run import events_of

        search = _search_of(variant)
        load(job.instance, job.params, search)
        threads = cpu_threads()
        device = cpu_text(threads) if variant is CPU else f"{cuda_devices()[0].name}, exact distances"
        yield Started(self.name, variant.name, device, threads, perf_counter() - began)
        yield from events_of(job, threads, search)

    def replay(self, job: Job, climber: int) -> Iterator[Event]:
        """Reproduce the `Moves` of one round, by repeating all rounds up to it."""
        from solvers.lin_kernighan.run import replayed

        yield from replayed(job, cpu_threads(), _search_of(self._variant_of(job)), climber)

    def _variant_of(self, job: Job) -> Variant:
        """The variant that runs: ``auto`` takes a GPU if there is one and it takes the distances."""
        if is_automatic(job.params, job.device) and too_long(longest_distance(job.instance)):
            return choose_variant(self, job.params, "cpu")
        return variant_that_runs(self, job)

    def first_row_seconds(self, n: int, params: Params, threads: int) -> float:
        """See `solvers.solver.Solver`: candidates and the start tour."""
        return _CITY_SECONDS * n

    def refusal(self, instance: Instance, params: Params, device: str) -> str:
        """See `solvers.solver.Solver`: a GPU takes no distances whose sums might not fit 32 bits."""
        assert isinstance(params, LinKernighanParams)
        asked = params.variant == CUDA.name or (device == "cuda" and params.variant != CPU.name)
        return too_long(longest_distance(instance)) if asked else ""


def _search_of(variant: Variant) -> "SearchKind":
    """The search of a variant."""
    if variant is CPU:
        from solvers.lin_kernighan.merged_cpu import cpu_search

        return cpu_search
    from solvers.lin_kernighan.merged_cuda import gpu_search

    return gpu_search
