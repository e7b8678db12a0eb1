"""Greedy: repeatedly add the shortest edge that still fits."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar

import numpy as np

from solvers.devices import cpu_text
from solvers.events import Compiling, Edges, Event, Started
from solvers.params import Params
from solvers.reporting.constructions import chosen_edges, one_tour
from solvers.reporting.statistics import FinishedClimbs, RunStatistics, heartbeat
from solvers.solver import Job, Solver, Variant

#: Distances computed between two heartbeats: some 20 ms.
_BUDGET = 20_000_000


@dataclass(frozen=True)
class GreedyParams(Params):
    """`Greedy` has no parameters."""


class Greedy(Solver):
    """Shortest edges first, ties by (lower city, higher city)."""

    name: ClassVar[str] = "greedy"
    title: ClassVar[str] = "Greedy edges"
    family: ClassVar[str] = "construction"
    source: ClassVar[str] = (
        'J. L. Bentley, "Fast Algorithms for Geometric Traveling Salesman Problems" (ORSA Journal on Computing 4, 1992)'
    )
    summary: ClassVar[str] = (
        "Adds the shortest edge that makes no branch and closes no cycle, until the tour is complete."
    )
    params: ClassVar[type[Params]] = GreedyParams
    variants: ClassVar[tuple[Variant, ...]] = (
        Variant("sequential", "cpu", "solvers.construction.kernels.construct_cpu:greedy", "One edge after the other."),
    )
    iteration_unit: ClassVar[str] = "tour"
    evaluation_unit: ClassVar[str] = "distance"
    makes_start: ClassVar[bool] = True
    chance: ClassVar[bool] = False

    def solve(self, job: Job) -> Generator[Event, None, None]:
        """Construct the tour; a run that is stopped before the end joins its fragments in their order.

        Raises
        ------
        InstanceTooLarge
            See `solvers.kernel_distances.measure_of`.
        """
        yield Compiling()
        began = perf_counter()
        builder = _Builder(job)
        yield Started(self.name, "sequential", cpu_text(1), 1, perf_counter() - began)
        statistics = RunStatistics(job, 1)
        while not builder.extend():
            yield heartbeat()
            if statistics.stopped():
                break
        if builder.complete:
            yield builder.edges(0)
        batch = builder.batch()
        yield from statistics.events(batch, statistics.count(batch))
        statistics.stopped()

    def first_row_seconds(self, n: int, params: Params, threads: int) -> float:
        """See `solvers.solver.Solver`: 5,000 cities took 0.07 s, 20,000 took 1.06 s."""
        return 2.6e-9 * n * n

    def replay(self, job: Job, climber: int) -> Iterator[Event]:
        """Yield the `Edges` of the tour: the same for every climber."""
        builder = _Builder(job)
        while not builder.extend():
            yield heartbeat()
        yield builder.edges(climber)


class _Builder:
    """The fragments of one construction."""

    def __init__(self, job: Job) -> None:
        from solvers.construction.kernels import construct_cpu
        from solvers.kernel_distances import lay_identity, measure_of, new_path

        n = job.instance.n
        self._job, self._kernel, measure = job, construct_cpu, measure_of(job.instance)
        path, place = new_path(measure, n), np.empty(n, np.int32)
        lay_identity(measure, path, place)
        self._edges, self._state = np.zeros((n, 2), np.int32), np.array([0, 0, n, 0], np.int64)
        self._degree, self._link = np.zeros(n, np.int32), np.zeros((n, 2), np.int32)
        # These mates are final if there are two cities; `greedy` finds those of more.
        mate = (np.arange(n, dtype=np.int32) + 1) % n
        key, tail, row = np.zeros(n, np.int64), np.arange(n, dtype=np.int32), np.empty(n + 1, np.int32)
        fragments = (tail, self._degree, self._link, self._edges, self._state)
        self._arrays = (measure, path, place, row, key, mate, *fragments)
        self._seconds = 0.0
        self._kernel.greedy(*self._arrays, 0)
        self._kernel.string_together(self._degree, self._link, np.empty(n, np.int32))

    @property
    def complete(self) -> bool:
        """Whether all fragments are joined."""
        return bool(self._state[1] >= self._job.instance.n - 1)

    def extend(self) -> bool:
        """Continue for a slice; return whether the construction is complete."""
        began = perf_counter()
        self._kernel.greedy(*self._arrays, _BUDGET)
        self._seconds += perf_counter() - began
        return self.complete

    def edges(self, climber: int) -> Edges:
        """Return all n edges, with the edge that closes the tour last."""
        order, edges = self._order(), self._edges.copy()
        edges[-1] = sorted((order[0], order[-1]))
        return chosen_edges(self._job, climber, edges)

    def batch(self) -> FinishedClimbs:
        """Return the tour along the fragments."""
        return one_tour(self._job, self._order(), int(self._state[3]), self._seconds)

    def _order(self) -> np.ndarray:
        order = np.empty(self._job.instance.n, np.int32)
        self._kernel.string_together(self._degree, self._link, order)
        return order
