"""Nearest, farthest and cheapest insertion: a partial tour grows by one city at a time."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from solvers.algorithms.construction.tries import Construction, ConstructionSolver, make_variants
from solvers.core.events import ClimbEvent
from solvers.core.params import Params, param
from solvers.core.solver import Job, Variant
from solvers.reporting.constructions import build_steps, make_edges_event

#: Number of distances computed between two heartbeats: about 20 ms.
_BUDGET = 5_000_000
_SOURCE = (
    "D. J. Rosenkrantz, R. E. Stearns and P. M. Lewis, "
    '"An Analysis of Several Heuristics for the Traveling Salesman Problem" (SIAM Journal on Computing 6, 1977)'
)


@dataclass(frozen=True)
class InsertionParams(Params):
    """Parameters of the insertions."""

    starts: int = param(
        1, label="Start cities",
        help="How many cities to start from, in an order that the seed decides; at most all of them.",
        low=1, high=200_000, step=1, scale="log",
    )  # fmt: skip


def _make_variants(kernel: str) -> tuple[Variant, ...]:
    return make_variants(f"solvers.algorithms.construction.kernels.insertion_cpu:{kernel}", "One city after the other.")


class _Insertion(ConstructionSolver):
    """Base class of the three insertion algorithms."""

    source: ClassVar[str] = _SOURCE
    params: ClassVar[type[Params]] = InsertionParams
    iteration_unit: ClassVar[str] = "start"
    step_unit: ClassVar[str] = "step"
    needs_matrix_on_globe: ClassVar[bool] = True

    def tries(self, job: Job[InsertionParams]) -> int:
        """Return the number of start cities."""
        return min(job.params.starts, job.instance.n)


class NearestInsertion(_Insertion):
    """Inserts the city that is nearest to the partial tour."""

    name: ClassVar[str] = "nearest-insertion"
    title: ClassVar[str] = "Nearest insertion"
    summary: ClassVar[str] = "Inserts the city that is nearest to the tour so far, where it lengthens that least."
    variants: ClassVar[tuple[Variant, ...]] = _make_variants("insert_by_distance")

    def construction(self, job: Job) -> Construction:
        """Create the construction and load its kernels."""
        from solvers.algorithms.construction.kernels.insertion_cpu import NEAREST

        return _DistanceInsertion(job, NEAREST)

    def first_row_seconds(self, n: int, params: Params, threads: int) -> float:
        """See `solvers.core.solver.Solver`; 20,000 cities took 1.34 s."""
        return 3.4e-9 * n * n


class FarthestInsertion(_Insertion):
    """Inserts the city that is farthest from the partial tour."""

    name: ClassVar[str] = "farthest-insertion"
    title: ClassVar[str] = "Farthest insertion"
    summary: ClassVar[str] = "Inserts the city that is farthest from the tour so far, where it lengthens that least."
    variants: ClassVar[tuple[Variant, ...]] = _make_variants("insert_by_distance")

    def construction(self, job: Job) -> Construction:
        """Create the construction and load its kernels."""
        from solvers.algorithms.construction.kernels.insertion_cpu import FARTHEST

        return _DistanceInsertion(job, FARTHEST)

    def first_row_seconds(self, n: int, params: Params, threads: int) -> float:
        """See `solvers.core.solver.Solver`; 20,000 cities took 1.34 s."""
        return 3.4e-9 * n * n


class CheapestInsertion(_Insertion):
    """Inserts the city that lengthens the partial tour least."""

    name: ClassVar[str] = "cheapest-insertion"
    title: ClassVar[str] = "Cheapest insertion"
    summary: ClassVar[str] = "Inserts the city that lengthens the tour least, at the place where it does so."
    variants: ClassVar[tuple[Variant, ...]] = _make_variants("insert_cheapest")

    def construction(self, job: Job) -> Construction:
        """Create the construction and load its kernels."""
        return _CheapestInsertion(job)

    def first_row_seconds(self, n: int, params: Params, threads: int) -> float:
        """See `solvers.core.solver.Solver`; 5,000 cities took 0.82 s."""
        return 3.3e-8 * n * n


class _PartialTour(Construction):
    """A partial tour, stored at the front of a path; the other cities follow."""

    bytes_per_city: ClassVar[int] = 60

    def __init__(self, job: Job) -> None:
        from solvers.algorithms.construction.kernels import insertion_cpu
        from solvers.core.kernel_distances import build_measure, new_path
        from solvers.kernels.tours_cpu import random_tours

        super().__init__(job)
        n, self._directed = job.instance.n, job.instance.directed
        self._kernel, self._measure = insertion_cpu, build_measure(job.instance)
        self._path, self._place = new_path(self._measure, n), np.empty(n, np.int32)
        self._rows, self._near = np.empty((insertion_cpu.BUFFERS, n + 1), np.int32), np.zeros(n, np.int32)
        self._following, self._since = np.zeros(n, np.int32), np.zeros(n, np.int32)
        self._inserted = np.zeros((n, 3), np.int32)
        self._tour = (self._following, np.zeros(n, np.int32), self._since, self._inserted)
        self._starts, self._state = np.empty((1, n), np.int32), np.zeros(1, np.int64)
        random_tours(np.uint64(job.seed), 0, self._starts)
        self.begin(0)
        self._grow(0)

    def begin(self, climber: int) -> None:
        """Start at a climber's start city."""
        from solvers.core.kernel_distances import lay_identity

        lay_identity(self._measure, self._path, self._place)
        first = int(self._starts[0, climber])
        arrays = (self._path, self._place, self._rows, self._tour, self._near, first)
        self._kernel.begin(self._measure, *arrays, self._directed)
        self._state[0], self._size, self.seconds = self._job.instance.n - 1, 1, 0.0

    def _grow(self, budget: int) -> None:
        """Insert cities until the given number of distances has been evaluated."""
        raise NotImplementedError

    def _continue(self) -> None:
        self._grow(_BUDGET)

    @property
    def complete(self) -> bool:
        """Whether every city is in the tour."""
        return self._size >= self._job.instance.n

    @property
    def evaluations(self) -> int:
        """Number of distances computed."""
        return int(self._state[0])

    def order(self) -> np.ndarray:
        """Return the tour from its start city, followed by the missing cities."""
        successor, city = self._following.tolist(), int(self._inserted[1, 1] if self._size > 1 else self._path.city[0])
        order = [city]
        while (city := successor[city]) != order[0]:
            order.append(city)
        return np.array([*order, *self._path.city[self._size : self._job.instance.n]], np.int32)

    def record(self, climber: int) -> Iterator[ClimbEvent]:
        """Yield the insertions, then the tour's edges in the order they were added."""
        n = self._job.instance.n
        if n > 1:
            yield build_steps(self._job, climber, *list_steps(self._inserted[1:]))
        first = self.order()
        order = first[np.argsort(self._since[first], kind="stable")]
        yield make_edges_event(self._job, climber, np.stack((order, self._following[order]), axis=1))


class _DistanceInsertion(_PartialTour):
    """Insertion of the nearest or the farthest city."""

    def __init__(self, job: Job, rule: int) -> None:
        self._rule = rule
        super().__init__(job)

    def _grow(self, budget: int) -> None:
        arrays = (self._path, self._place, self._rows, self._tour, self._near, self._rule)
        self._size = self._kernel.insert_by_distance(
            self._measure, *arrays, self._size, self._state, budget, self._directed
        )


class _CheapestInsertion(_PartialTour):
    """Insertion of the cheapest city."""

    def begin(self, climber: int) -> None:
        """Start at a climber's start city."""
        super().begin(climber)
        first, matrix = int(self._starts[0, climber]), self._measure.matrix
        self._best = np.full(self._near.size, first, np.int32)
        self._cost = 2 * self._near.astype(np.int64)
        if self._directed:
            self._cost = matrix[first].astype(np.int64) + matrix[:, first]

    def _grow(self, budget: int) -> None:
        arrays = (self._path, self._place, self._rows, self._tour, self._cost, self._best)
        self._size = self._kernel.insert_cheapest(
            self._measure, *arrays, self._size, self._state, budget, self._directed
        )


def list_steps(inserted: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the edges changed by insertions, as arguments of `build_steps`.

    Parameters
    ----------
    inserted : ndarray, shape (s, 3), int32
        Each row is a city and the two cities between which it was inserted; in the first row, these are the same city.

    Returns
    -------
    edges : ndarray, shape (m, 2), int32
    leaves : ndarray, shape (m,), bool
    counts : ndarray, shape (s,), int64
        Number of edges that each step changes.
    """
    city, after, before = inserted.T
    edges = np.stack((after, before, after, city, city, before), axis=1).reshape(-1, 2)
    counts = np.full(len(city), 3)
    counts[0] = 2  # the first step creates a tour of two cities and removes no edge
    return edges[1:], np.tile([True, False, False], len(city))[1:], counts
