"""The genetic algorithm: children replace parents in a population of tours if they are shorter."""

from collections.abc import Generator, Iterator
from contextlib import closing
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar

from data.instance import Instance
from solvers.algorithms.genetic.memory import too_large_reason
from solvers.algorithms.genetic.params import SHORTENED, GeneticParams
from solvers.core.devices import cpu_text, cpu_threads
from solvers.core.events import Compiling, Event, Started
from solvers.core.params import Params
from solvers.core.solver import Job, Preset, Solver, Variant
from solvers.presets.published import published_presets

if TYPE_CHECKING:
    from solvers.algorithms.genetic.cpu import CpuPopulation

_KERNEL = "solvers.algorithms.genetic.kernels.edge_assembly_cpu:cross_pairs"
_DAVIS = 'L. Davis, "Applying Adaptive Algorithms to Epistatic Domains" (1985)'
_NAGATA = (
    'Y. Nagata and S. Kobayashi, "A Powerful Genetic Algorithm Using Edge Assembly Crossover for the Traveling '
    'Salesman Problem" (2013)'
)

#: Seconds per city of a tour with local search, and per pair of its cities, since reversals get longer; and per city of
#: a tour without local search. See `solvers.core.solver.Solver.first_row_seconds`: 100 tours of 1,000 cities took 0.16
#: s, and 20 tours of 5,000 cities 0.67 s.
_SHORTENED_SECONDS, _REVERSED_SECONDS, _RANDOM_SECONDS = 5.5e-7, 1.0e-9, 2.2e-8


class GeneticAlgorithm(Solver):
    """A genetic algorithm with edge assembly crossover or order crossover."""

    name: ClassVar[str] = "genetic-algorithm"
    title: ClassVar[str] = "Genetic algorithm"
    family: ClassVar[str] = "population"
    source: ClassVar[str] = (
        'J. H. Holland, "Adaptation in Natural and Artificial Systems" (1975); edge assembly crossover: Y. Nagata, '
        '"Edge Assembly Crossover: A High-power Genetic Algorithm for the Traveling Salesman Problem" (1997), in the '
        f"local form of {_NAGATA}; order crossover: {_DAVIS}"
    )
    summary: ClassVar[str] = (
        "Pairs of tours have children made of both; the best child takes its parent's place if it is shorter."
    )
    params: ClassVar[type[Params]] = GeneticParams
    variants: ClassVar[tuple[Variant, ...]] = (
        Variant(
            "cpu", "cpu", _KERNEL, "Pairs in parallel, on all cores.", _NAGATA,
            "Each tour as a doubly linked list; distances as a matrix.",
            "Parents and entropy are those before the generation, so that threads need not wait for each other; in the "
            "paper each replacement counts at once.", directed=True,
        ),
        Variant(
            "sequential", "cpu", _KERNEL, "One pair after the other, on one thread.", _NAGATA,
            "Each tour as a doubly linked list; distances as a matrix.", "The same tours as cpu.", directed=True,
        ),
    )  # fmt: skip
    presets: ClassVar[tuple[Preset, ...]] = published_presets("genetic-algorithm")
    iteration_unit: ClassVar[str] = "generation"
    evaluation_unit: ClassVar[str] = "tour"
    views: ClassVar[tuple[str, ...]] = ("population",)

    def solve(self, job: Job) -> Generator[Event, None, None]:
        """Run the generations; see `solvers.algorithms.genetic.run.run_population`.

        Raises
        ------
        DeviceUnavailable
            If a GPU is requested.
        InstanceTooLarge
            If the population does not fit into memory.
        """
        assert isinstance(job.params, GeneticParams)
        yield Compiling()
        start_time = perf_counter()
        from solvers.algorithms.genetic.run import run_population
        from solvers.reporting.populations import PopulationReporter
        from solvers.worker.kernel_loading import load_and_begin

        variant, total = job.variant, job.params.generations
        threads = cpu_threads() if variant.name == "cpu" else 1
        reporter = PopulationReporter(job, total)
        with closing(self._population(job, threads)) as population:
            yield from load_and_begin(
                job, [*population.make_loaders(), reporter.load], 0,
                lambda: Started(self.name, variant.name, cpu_text(threads), threads, perf_counter() - start_time),
                population.find_unfinished,
            )  # fmt: skip
            yield from run_population(job, population, reporter, total)

    def replay(self, job: Job, climber: int) -> Iterator[Event]:
        """Yield the explained `Edges` of a generation's best tour, by repeating all generations up to it."""
        from solvers.algorithms.genetic.run import replay
        from solvers.worker.kernel_loading import load_kernels

        with closing(self._population(job, cpu_threads())) as population:
            load_kernels(population.make_loaders())
            yield from replay(job, population, climber)

    def refusal(self, instance: Instance, params: Params, device: str) -> str:
        """See `solvers.core.solver.Solver`; refuses populations that do not fit into memory."""
        assert isinstance(params, GeneticParams)
        doubled = instance.directed and params.exchanges_edges
        return too_large_reason(instance.name, instance.n, params.population, doubled)

    def first_row_seconds(self, n: int, params: Params, threads: int) -> float:
        """See `solvers.core.solver.Solver`; the first generation, whose tours are divided among the threads."""
        assert isinstance(params, GeneticParams)
        shortened = _SHORTENED_SECONDS + _REVERSED_SECONDS * n
        each = shortened if params.initial == SHORTENED else _RANDOM_SECONDS
        return each * n * params.population / threads

    def _population(self, job: Job, threads: int) -> "CpuPopulation":
        """Create the population, before its first generation."""
        from solvers.algorithms.genetic.edge_assembly_cpu import EdgeAssemblyPopulation
        from solvers.algorithms.genetic.order_cpu import OrderPopulation

        assert isinstance(job.params, GeneticParams)
        kind = EdgeAssemblyPopulation if job.params.exchanges_edges else OrderPopulation
        return kind(job, threads)
