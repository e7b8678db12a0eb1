"""Greedy: repeatedly add the shortest edge that still fits."""

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar

import numpy as np

from solvers.algorithms.construction.tries import sequential
from solvers.core.devices import cpu_text
from solvers.core.events import Compiling, Edges, Event, Started
from solvers.core.params import Params
from solvers.core.solver import Job, Solver, Variant
from solvers.reporting.constructions import chosen_edges, one_tour
from solvers.reporting.statistics import FinishedClimbs, RunStatistics, heartbeat

#: Number of distances computed between two heartbeats: about 20 ms.
_BUDGET = 20_000_000


@dataclass(frozen=True)
class GreedyParams(Params):
    """`Greedy` has no parameters."""


class Greedy(Solver):
    """Adds the shortest edges first; ties by (lower city, higher city) or, if directed, (from, to)."""

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
    variants: ClassVar[tuple[Variant, ...]] = sequential(
        "solvers.algorithms.construction.kernels.construct_cpu:greedy", "One edge after the other."
    )
    iteration_unit: ClassVar[str] = "tour"
    evaluation_unit: ClassVar[str] = "distance"
    makes_start: ClassVar[bool] = True
    chance: ClassVar[bool] = False
    needs_matrix_on_globe: ClassVar[bool] = True

    def solve(self, job: Job) -> Generator[Event, None, None]:
        """Construct the tour; an interrupted run joins its fragments in order.

        Raises
        ------
        InstanceTooLarge
            See `solvers.core.kernel_distances.build_measure`.
        """
        yield Compiling()
        start_time = perf_counter()
        builder = make_builder(job)
        yield Started(self.name, "sequential", cpu_text(1), 1, perf_counter() - start_time)
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
        """See `solvers.core.solver.Solver`; 5,000 cities took 0.07 s, 20,000 took 1.06 s."""
        return 2.6e-9 * n * n

    def replay(self, job: Job, climber: int) -> Iterator[Event]:
        """Yield the `Edges` of the tour, the same for every climber."""
        builder = make_builder(job)
        while not builder.extend():
            yield heartbeat()
        yield builder.edges(climber)


def make_builder(job: Job) -> "_Builder":
    """Return a new construction."""
    return _DirectedBuilder(job) if job.instance.directed else _SymmetricBuilder(job)


class _Builder(ABC):
    """The fragments of a construction."""

    def __init__(self, job: Job) -> None:
        self._job, self._seconds = job, 0.0
        self._edges = np.zeros((job.instance.n, 2), np.int32)

    @property
    @abstractmethod
    def _counts(self) -> tuple[int, int]:
        """Numbers of edges chosen and distances evaluated."""

    @abstractmethod
    def _continue(self, budget: int) -> None:
        """Choose edges until the given number of distances and keys has been evaluated."""

    @abstractmethod
    def _order(self) -> np.ndarray:
        """Return the cities fragment by fragment."""

    @property
    def complete(self) -> bool:
        """Whether all fragments are joined."""
        return self._counts[0] >= self._job.instance.n - 1

    def extend(self) -> bool:
        """Continue for a slice; return whether the construction is complete."""
        start_time = perf_counter()
        self._continue(_BUDGET)
        self._seconds += perf_counter() - start_time
        return self.complete

    def edges(self, climber: int) -> Edges:
        """Return all n edges, the closing edge last."""
        order, edges = self._order(), self._edges.copy()
        edges[-1] = self._closing_edge(order)
        return chosen_edges(self._job, climber, edges)

    def _closing_edge(self, order: np.ndarray) -> Sequence[int]:
        return order[-1], order[0]

    def batch(self) -> FinishedClimbs:
        """Return the tour along the fragments."""
        return one_tour(self._job, self._order(), self._counts[1], self._seconds)


class _DirectedBuilder(_Builder):
    """Joins directed paths."""

    def __init__(self, job: Job) -> None:
        from solvers.core.kernel_distances import build_measure

        super().__init__(job)
        self._paths = DirectedPaths(build_measure(job.instance).matrix)
        self._edges = self._paths.edges
        self._continue(0)
        self._order()

    @property
    def _counts(self) -> tuple[int, int]:
        return int(self._paths.state[1]), int(self._paths.state[2])

    def _continue(self, budget: int) -> None:
        self._paths.extend(budget)

    def _order(self) -> np.ndarray:
        return self._paths.order()


class DirectedPaths:
    """Directed paths that the greedy choice of edges joins, initially one per city.

    Parameters
    ----------
    matrix : ndarray, shape (n, n), int32
        Lengths from row to column.

    Attributes
    ----------
    edges : ndarray, shape (n, 2), int32
        The chosen edges, in order of choice.
    state : ndarray, shape (3,), int64
        See `solvers.algorithms.construction.kernels.construct_directed_cpu.greedy_directed`.
    """

    def __init__(self, matrix: np.ndarray) -> None:
        from solvers.algorithms.construction.kernels import construct_directed_cpu

        n, self._kernel = len(matrix), construct_directed_cpu
        self.edges, self.state = np.zeros((n, 2), np.int32), np.zeros(3, np.int64)
        self._entered, self._following = np.zeros(n, np.bool_), np.full(n, -1, np.int32)
        mate, head, tail = np.zeros(n, np.int32), np.arange(n, dtype=np.int32), np.arange(n, dtype=np.int32)
        paths = (head, tail, self._following, self._entered, self.edges, self.state)
        self._arrays = (matrix, np.zeros(n, np.int64), mate, *paths)

    def extend(self, budget: int) -> None:
        """Choose edges until the given number of distances and keys has been evaluated."""
        self._kernel.greedy_directed(*self._arrays, budget)

    def order(self) -> np.ndarray:
        """Return the cities path by path, (n,) int32."""
        order = np.empty(len(self.edges), np.int32)
        self._kernel.join_paths(self._following, self._entered, order)
        return order


class _SymmetricBuilder(_Builder):
    """Joins paths at either end."""

    def __init__(self, job: Job) -> None:
        from solvers.algorithms.construction.kernels import construct_cpu
        from solvers.core.kernel_distances import build_measure, lay_identity, new_path

        super().__init__(job)
        n = job.instance.n
        self._kernel, measure = construct_cpu, build_measure(job.instance)
        path, position = new_path(measure, n), np.empty(n, np.int32)
        lay_identity(measure, path, position)
        self._state = np.array([0, 0, n, 0], np.int64)
        self._degree, self._link = np.zeros(n, np.int32), np.zeros((n, 2), np.int32)
        # These mates are final if there are two cities; with more, `greedy` finds them.
        mate = (np.arange(n, dtype=np.int32) + 1) % n
        key, tail, row = np.zeros(n, np.int64), np.arange(n, dtype=np.int32), np.empty(n + 1, np.int32)
        fragments = (tail, self._degree, self._link, self._edges, self._state)
        self._arrays = (measure, path, position, row, np.empty(0, np.int32), key, mate, *fragments)
        self._continue(0)
        self._order()

    @property
    def _counts(self) -> tuple[int, int]:
        return int(self._state[1]), int(self._state[3])

    def _continue(self, budget: int) -> None:
        self._kernel.greedy(*self._arrays, budget)

    def _order(self) -> np.ndarray:
        order = np.empty(self._job.instance.n, np.int32)
        self._kernel.join_fragments(self._degree, self._link, order)
        return order

    def _closing_edge(self, order: np.ndarray) -> Sequence[int]:
        return sorted((order[0], order[-1]))
