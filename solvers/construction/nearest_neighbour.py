"""Nearest neighbour: always visit the nearest unvisited city next."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar

import numpy as np

from solvers.devices import cpu_text
from solvers.events import Compiling, Event, Started
from solvers.params import Params, param
from solvers.reporting.constructions import one_tour, tour_edges
from solvers.reporting.statistics import RECORD_BYTES, FinishedClimbs, RunStatistics, heartbeat
from solvers.solver import Job, Solver, Variant

#: Distances computed between two heartbeats: some 10 ms.
_BUDGET = 10_000_000


@dataclass(frozen=True)
class NearestNeighbourParams(Params):
    """Parameters of `NearestNeighbour`."""

    starts: int = param(
        1, label="Start cities", help="From how many cities to try, in an order that the seed decides; all at most.",
        low=1, high=200_000, step=1, scale="log",
    )  # fmt: skip


class NearestNeighbour(Solver):
    """Nearest neighbour from one or more start cities; ties by the lowest city number."""

    name: ClassVar[str] = "nearest-neighbour"
    title: ClassVar[str] = "Nearest neighbour"
    family: ClassVar[str] = "construction"
    source: ClassVar[str] = (
        "D. J. Rosenkrantz, R. E. Stearns and P. M. Lewis, "
        '"An Analysis of Several Heuristics for the Traveling Salesman Problem" (SIAM Journal on Computing 6, 1977)'
    )
    summary: ClassVar[str] = "Goes from city to city, each time to the nearest one that has not been visited."
    params: ClassVar[type[Params]] = NearestNeighbourParams
    variants: ClassVar[tuple[Variant, ...]] = (
        Variant(
            "sequential",
            "cpu",
            "solvers.construction.kernels.construct_cpu:nearest_neighbour",
            "One start after the other.",
            directed=True,
        ),
    )
    iteration_unit: ClassVar[str] = "start"
    evaluation_unit: ClassVar[str] = "distance"
    makes_start: ClassVar[bool] = True

    def solve(self, job: Job) -> Generator[Event, None, None]:
        """Construct from each start city; a run stopped during its first tour appends the rest in stored order.

        Raises
        ------
        InstanceTooLarge
            See `solvers.kernel_distances.measure_of`.
        """
        assert isinstance(job.params, NearestNeighbourParams)
        yield Compiling()
        began = perf_counter()
        walker = _Walker(job)
        yield Started(self.name, "sequential", cpu_text(1), 1, perf_counter() - began)
        starts, recorded = min(job.params.starts, job.instance.n), 0
        statistics = RunStatistics(job, starts)
        while statistics.finished < starts and (job.stop.reason is None or not statistics.finished):
            walker.begin(statistics.finished)
            while not walker.extend():
                yield heartbeat()
                if statistics.stopped():
                    break
            if statistics.finished and not walker.complete:
                break
            batch = walker.batch()
            counted = statistics.count(batch)
            if counted.improvements.size or recorded < RECORD_BYTES:
                recorded += 12 * job.instance.n
                yield tour_edges(job, statistics.finished, batch.order[0])
            yield from statistics.events(batch, counted)
            statistics.stopped()

    def first_row_seconds(self, n: int, params: Params, threads: int) -> float:
        """See `solvers.solver.Solver`: 20,000 cities took 0.25 s."""
        return 6.3e-10 * n * n

    def replay(self, job: Job, climber: int) -> Iterator[Event]:
        """Reproduce the `Edges` of one start."""
        walker = _Walker(job)
        walker.begin(climber)
        while not walker.extend():
            yield heartbeat()
        yield tour_edges(job, climber, walker.batch().order[0])


class _Walker:
    """One construction after another, in the same arrays."""

    def __init__(self, job: Job) -> None:
        from solvers.construction.kernels import construct_cpu
        from solvers.kernel_distances import measure_of, new_path
        from solvers.kernels.tours_cpu import random_tours

        n = job.instance.n
        self._job, self._kernel, self._measure = job, construct_cpu, measure_of(job.instance)
        self._path = new_path(self._measure, n)
        self._place, self._row = np.empty(n, np.int32), np.empty(n + 1, np.int32)
        self._starts = np.empty((1, n), np.int32)
        random_tours(np.uint64(job.seed), 0, self._starts)
        self.begin(0)
        self._kernel.nearest_neighbour(self._measure, self._path, self._place, self._row, 0, 0)

    @property
    def complete(self) -> bool:
        """Whether every city has been visited."""
        return self._position >= self._job.instance.n - 1

    def begin(self, climber: int) -> None:
        """Begin at a climber's start city, with all other cities unvisited."""
        from solvers.kernel_distances import lay_identity

        lay_identity(self._measure, self._path, self._place)
        self._kernel.swap(self._measure, self._path, self._place, 0, int(self._starts[0, climber]))
        self._position, self._seconds = 0, 0.0

    def extend(self) -> bool:
        """Continue for a slice; return whether the tour is complete."""
        began = perf_counter()
        self._position = self._kernel.nearest_neighbour(
            self._measure, self._path, self._place, self._row, self._position, _BUDGET
        )
        self._seconds += perf_counter() - began
        return self.complete

    def batch(self) -> FinishedClimbs:
        """Return the tour, with unvisited cities last."""
        n = self._job.instance.n
        order = self._path.city[:n].copy()
        steps = min(self._position, n - 1)
        evaluations = sum((n - 1, n - steps)) * steps // 2
        return one_tour(self._job, order, evaluations, self._seconds)
