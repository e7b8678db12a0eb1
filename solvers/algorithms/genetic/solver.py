"""The genetic algorithm: in a population of tours, children replace their parents if they are shorter."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from data.instance import Instance
from solvers.algorithms.genetic.memory import too_large_reason
from solvers.algorithms.genetic.params import SHORTENED, GeneticParams
from solvers.core.events import Event
from solvers.core.params import Params
from solvers.core.solver import Job, Preset, Variant
from solvers.parallel.population import Generation
from solvers.parallel.population_solver import PopulationSolver
from solvers.presets.published import list_published_presets

if TYPE_CHECKING:
    from solvers.algorithms.genetic.cpu import CpuPopulation

_KERNEL = "solvers.algorithms.genetic.kernels.edge_assembly_cpu:cross_pairs"
_DAVIS = 'L. Davis, "Applying Adaptive Algorithms to Epistatic Domains" (1985)'
_NAGATA = (
    'Y. Nagata and S. Kobayashi, "A Powerful Genetic Algorithm Using Edge Assembly Crossover for the Traveling '
    'Salesman Problem" (2013)'
)

#: Seconds per city of a tour with local search, and per pair of its cities, since reversals become longer; and per city
#: of a tour without local search. See `solvers.core.solver.Solver.first_row_seconds`: 100 tours of 1,000 cities took
#: 0.16 s, and 20 tours of 5,000 cities 0.67 s.
_SHORTENED_SECONDS, _REVERSED_SECONDS, _RANDOM_SECONDS = 5.5e-7, 1.0e-9, 2.2e-8


class GeneticAlgorithm(PopulationSolver[GeneticParams]):
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
    presets: ClassVar[tuple[Preset, ...]] = list_published_presets("genetic-algorithm")
    iteration_unit: ClassVar[str] = "generation"

    def refusal(self, instance: Instance, params: GeneticParams, device: str) -> str:
        """See `solvers.core.solver.Solver`; refuses populations that do not fit into memory."""
        doubled = instance.directed and params.exchanges_edges
        return too_large_reason(instance.name, instance.n, params.population, doubled)

    def first_row_seconds(self, n: int, params: GeneticParams, threads: int) -> float:
        """See `solvers.core.solver.Solver`; this is the first generation, whose tours are divided among the threads."""
        shortened = _SHORTENED_SECONDS + _REVERSED_SECONDS * n
        each = shortened if params.initial == SHORTENED else _RANDOM_SECONDS
        return each * n * params.population / threads

    def _population(self, job: Job[GeneticParams], threads: int) -> "CpuPopulation":
        """Create the population, before its first generation."""
        from solvers.algorithms.genetic.edge_assembly_cpu import EdgeAssemblyPopulation
        from solvers.algorithms.genetic.order_cpu import OrderPopulation

        kind = EdgeAssemblyPopulation if job.params.exchanges_edges else OrderPopulation
        return kind(job, threads)

    def _describe(self, job: Job, number: int, generation: Generation) -> Iterator[Event]:
        """Yield how the best tour of a generation was made from its parents, then the tour."""
        from solvers.algorithms.genetic.inheritance import explain_child

        if generation.parents is not None:
            yield explain_child(number, generation.order, generation.parents, job.instance.directed)
        yield from super()._describe(job, number, generation)
