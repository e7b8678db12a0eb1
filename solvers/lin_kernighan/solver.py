"""Lin-Kernighan with kicks: an iterated local search whose steps replace up to five edges at a time."""

from collections.abc import Generator, Iterator
from time import perf_counter
from typing import ClassVar

from data.instance import Instance
from solvers.devices import cpu_text, cpu_threads
from solvers.events import Compiling, Event, Started
from solvers.lin_kernighan.params import LinKernighanParams
from solvers.params import Params
from solvers.solver import Job, Preset, Solver, Variant, variant_that_runs

_KERNEL = "solvers.lin_kernighan.kernels.chain_cpu:run_kicks"
_SOURCE = (
    'S. Lin and B. W. Kernighan, "An Effective Heuristic Algorithm for the Traveling-Salesman Problem" (1973); K. '
    'Helsgaun, "An Effective Implementation of the Lin-Kernighan Traveling Salesman Heuristic" (2000)'
)
_KICKS = (
    'O. Martin, S. W. Otto and E. W. Felten, "Large-Step Markov Chains for the Traveling Salesman Problem" (1991); D. '
    'Applegate, W. Cook and A. Rohe, "Chained Lin-Kernighan for Large Traveling Salesman Problems" (2003)'
)
_CROSSING = (
    'Y. Nagata and S. Kobayashi, "A Powerful Genetic Algorithm Using Edge Assembly Crossover for the Traveling '
    'Salesman Problem" (2013)'
)
#: Seconds for each city until the start tour is reported; see `solvers.solver.Solver.first_row_seconds`.
_CITY_SECONDS = 3e-6


class LinKernighan(Solver):
    """Iterated local search with Lin-Kernighan steps."""

    name: ClassVar[str] = "lin-kernighan"
    title: ClassVar[str] = "Lin-Kernighan with kicks"
    family: ClassVar[str] = "local search"
    source: ClassVar[str] = f"{_SOURCE}; kicks: {_KICKS}; crossing: {_CROSSING}"
    summary: ClassVar[str] = (
        "Chains of edge exchanges shorten the tour; then kicks change four near edges, and stay if the repaired tour "
        "is hardly longer."
    )
    params: ClassVar[type[Params]] = LinKernighanParams
    variants: ClassVar[tuple[Variant, ...]] = (
        Variant(
            "cpu", "cpu", _KERNEL, "Tours that are kicked side by side and crossed; of many cities one tour.",
            f"{_SOURCE}; {_KICKS}; {_CROSSING}",
            "Tours as arrays, with positions, coordinates and candidates of the cities along a Hilbert curve; all "
            "distances where tours are crossed.",
            "What a kick costs does not grow with the number of cities: only what it changed is searched and taken "
            "back. Where two tours differ, crossing takes the shorter part.",
        ),
    )  # fmt: skip
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
        variant, began = variant_that_runs(self, job), perf_counter()
        from solvers.lin_kernighan.load import load
        from solvers.lin_kernighan.run import events_of

        load(job.instance, job.params)
        threads = cpu_threads()
        yield Started(self.name, variant.name, cpu_text(threads), threads, perf_counter() - began)
        yield from events_of(job, threads)

    def replay(self, job: Job, climber: int) -> Iterator[Event]:
        """Reproduce the `Moves` of one round, by repeating all rounds up to it."""
        from solvers.lin_kernighan.run import replayed

        yield from replayed(job, cpu_threads(), climber)

    def first_row_seconds(self, n: int, params: Params, threads: int) -> float:
        """See `solvers.solver.Solver`: candidates and the start tour."""
        return _CITY_SECONDS * n

    def refusal(self, instance: Instance, params: Params, device: str) -> str:
        """See `solvers.solver.Solver`: nothing is refused but what `solvers.directed` says."""
        return ""
