"""Base classes of algorithms that construct one tour after another."""

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator
from time import perf_counter
from typing import ClassVar

import numpy as np

from solvers.core.devices import cpu_text
from solvers.core.events import ClimbEvent, Compiling, Event, Started
from solvers.core.solver import Job, Solver, Variant
from solvers.reporting.constructions import make_batch
from solvers.reporting.statistics import RECORD_BYTES, FinishedClimbs, RunStatistics, make_heartbeat


def make_variants(kernel: str, note: str, directed: bool = True, supports_large: bool = False) -> tuple[Variant, ...]:
    """Return the only variant of an algorithm with one thread; see `solvers.core.variant.Variant`."""
    return (Variant("sequential", "cpu", kernel, note, directed=directed, supports_large=supports_large),)


class Construction(ABC):
    """Constructs one tour after another in the same arrays.

    Attributes
    ----------
    seconds : float
        Duration of the current construction so far.
    """

    #: Bytes per city in the record of a tour.
    bytes_per_city: ClassVar[int] = 12

    def __init__(self, job: Job) -> None:
        self._job, self.seconds = job, 0.0

    @abstractmethod
    def begin(self, climber: int) -> None:
        """Start a new construction, discarding the previous one."""

    @property
    @abstractmethod
    def complete(self) -> bool:
        """Whether the tour is complete."""

    @abstractmethod
    def _continue(self) -> None:
        """Continue for a few milliseconds."""

    @abstractmethod
    def order(self) -> np.ndarray:
        """Return the current tour, (n,) int32, completed in any way if necessary."""

    @property
    @abstractmethod
    def evaluations(self) -> int:
        """Number of evaluations in the current construction."""

    @abstractmethod
    def record(self, climber: int) -> Iterator[ClimbEvent]:
        """Yield the events that record a complete construction."""

    def extend(self) -> bool:
        """Continue for a slice; return whether the construction is complete."""
        start_time = perf_counter()
        self._continue()
        self.seconds += perf_counter() - start_time
        return self.complete

    def batch(self) -> FinishedClimbs:
        """Return the tour as the result of one climber."""
        return make_batch(self._job, self.order(), self.evaluations, self.seconds)


class ConstructionSolver(Solver):
    """Base class of these algorithms; subclasses define the construction and the number of tries."""

    family: ClassVar[str] = "construction"
    iteration_unit: ClassVar[str] = "tour"
    evaluation_unit: ClassVar[str] = "distance"
    makes_start: ClassVar[bool] = True

    def construction(self, job: Job) -> Construction:
        """Create the construction and load its kernels."""
        raise NotImplementedError

    def tries(self, job: Job) -> int:
        """Return the number of tours to construct, unless a limit ends the run earlier."""
        return 1

    def solve(self, job: Job) -> Generator[Event, None, None]:
        """Construct tours; a run that is interrupted during the first one completes it in any way.

        Raises
        ------
        InstanceTooLarge
            See `solvers.core.kernel_distances.build_measure`.
        """
        yield Compiling()
        start_time = perf_counter()
        construction = self.construction(job)
        yield Started(self.name, "sequential", cpu_text(1), 1, perf_counter() - start_time)
        tries, recorded = self.tries(job), 0
        statistics = RunStatistics(job, tries)
        while statistics.finished < tries and (job.stop.reason is None or not statistics.finished):
            construction.begin(statistics.finished)
            while not construction.extend():
                yield make_heartbeat()
                if statistics.stopped():
                    break
            if statistics.finished and not construction.complete:
                break
            batch = construction.batch()
            counted = statistics.count(batch)
            if construction.complete and (counted.improvements.size or recorded < RECORD_BYTES):
                recorded += construction.bytes_per_city * job.instance.n
                yield from construction.record(statistics.finished)
            yield from statistics.events(batch, counted)
            statistics.stopped()

    def replay(self, job: Job, climber: int) -> Iterator[Event]:
        """Reproduce the record of a construction."""
        construction = self.construction(job)
        construction.begin(climber)
        while not construction.extend():
            yield make_heartbeat()
        yield from construction.record(climber)
