"""Base class of algorithms that change a population of tours, generation by generation."""

from abc import abstractmethod
from collections.abc import Generator, Iterator
from contextlib import closing
from time import perf_counter
from typing import ClassVar, Generic

from solvers.core.devices import cpu_text, cpu_threads
from solvers.core.events import Compiling, Event, Started
from solvers.core.solver import Job, Solver, SolverParams, plural
from solvers.parallel.population import Generation, Population


class PopulationSolver(Solver[SolverParams], Generic[SolverParams]):
    """Base class of algorithms with a population; each generation is a table row and a tour that can be replayed."""

    evaluation_unit: ClassVar[str] = "tour"
    views: ClassVar[tuple[str, ...]] = ("population",)

    def solve(self, job: Job[SolverParams]) -> Generator[Event, None, None]:
        """Run the generations; see `solvers.reporting.generations.run_population`.

        Raises
        ------
        InstanceTooLarge
            If the population does not fit into memory.
        """
        yield Compiling()
        start_time = perf_counter()
        from solvers.reporting.generations import run_population
        from solvers.reporting.populations import PopulationReporter
        from solvers.worker.kernel_loading import load_and_begin

        variant, total = job.variant, getattr(job.params, plural(self.iteration_unit))
        threads = cpu_threads() if variant.name == "cpu" else 1
        reporter = PopulationReporter(job, total)
        with closing(self._population(job, threads)) as population:
            yield from load_and_begin(
                job, [reporter.load, *population.make_loaders()], 0,
                lambda: Started(self.name, variant.name, cpu_text(threads), threads, perf_counter() - start_time),
                population.find_unfinished,
            )  # fmt: skip
            yield from run_population(job, population, reporter, total, self._describe)

    def replay(self, job: Job[SolverParams], climber: int) -> Iterator[Event]:
        """Yield the events of a generation's best tour, by repeating all generations up to it."""
        from solvers.reporting.generations import replay
        from solvers.worker.kernel_loading import load_kernels

        with closing(self._population(job, cpu_threads())) as population:
            load_kernels(population.make_loaders())
            yield from replay(job, population, climber, self._describe)

    @abstractmethod
    def _population(self, job: Job[SolverParams], threads: int) -> Population:
        """Create the population, before its first generation."""

    def _describe(self, job: Job[SolverParams], number: int, generation: Generation) -> Iterator[Event]:
        """Yield the events of a generation's best tour: its `Edges`."""
        from solvers.reporting.constructions import make_tour_event

        yield make_tour_event(job, number, generation.order)
