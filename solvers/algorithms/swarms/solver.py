"""Base class of swarm algorithms."""

from abc import abstractmethod
from collections.abc import Generator, Iterator
from contextlib import closing
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar

from data.instance import Instance
from data.limits import MAX_MATRIX
from solvers.algorithms.swarms.params import SwarmParams
from solvers.core.devices import cpu_text, cpu_threads
from solvers.core.events import Compiling, Event, Started
from solvers.core.params import Params
from solvers.core.solver import Job, Solver

if TYPE_CHECKING:
    from solvers.algorithms.swarms.swarm import Swarm


class SwarmSolver(Solver):
    """Base class of swarm algorithms; each iteration is a table row and a tour that can be replayed."""

    family: ClassVar[str] = "swarm"
    iteration_unit: ClassVar[str] = "iteration"
    evaluation_unit: ClassVar[str] = "tour"
    views: ClassVar[tuple[str, ...]] = ("population",)
    comparison: ClassVar[str] = "The same tours, computed by one thread or by all: a seed's result is the same."

    def solve(self, job: Job) -> Generator[Event, None, None]:
        """Run the swarm; see `solvers.algorithms.swarms.run.run_swarm`.

        Raises
        ------
        InstanceTooLarge
            If the distances between all cities do not fit into memory.
        """
        from solvers.algorithms.swarms.run import run_swarm
        from solvers.reporting.populations import PopulationReporter
        from solvers.worker.kernel_loading import load_and_begin

        assert isinstance(job.params, SwarmParams)
        yield Compiling()
        variant, start_time = job.variant, perf_counter()
        threads = cpu_threads() if variant.name == "cpu" else 1
        population = PopulationReporter(job, job.params.iterations)
        with closing(self._swarm(job, threads)) as swarm:
            yield from load_and_begin(
                job, [population.load, *swarm.make_loaders()], 0,
                lambda: Started(self.name, variant.name, cpu_text(threads), threads, perf_counter() - start_time),
                lambda: swarm.best,
            )  # fmt: skip
            yield from run_swarm(job, swarm, population, job.params.iterations)

    def replay(self, job: Job, climber: int) -> Iterator[Event]:
        """Yield the `Edges` of an iteration's best tour, by repeating all iterations up to it."""
        from solvers.algorithms.swarms.run import replay

        with closing(self._swarm(job, cpu_threads())) as swarm:
            yield from replay(job, swarm, climber)

    def refusal(self, instance: Instance, params: Params, device: str) -> str:
        """See `solvers.core.solver.Solver`; refuses instances with too large a distance matrix."""
        n = instance.n
        if n <= MAX_MATRIX:
            return ""
        return (
            f"{instance.name} has {n:,} cities; with the distances between all of them at most {MAX_MATRIX:,} can run."
        )

    @abstractmethod
    def _swarm(self, job: Job, threads: int) -> "Swarm":
        """Create the swarm."""
