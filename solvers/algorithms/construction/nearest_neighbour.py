"""Nearest neighbour: always visit the nearest unvisited city next."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from solvers.algorithms.construction.tries import Construction, ConstructionSolver, make_variants
from solvers.core.events import Edges
from solvers.core.params import Params, param
from solvers.core.solver import Job, Variant
from solvers.reporting.constructions import make_tour_event

#: Number of distances computed between two heartbeats: about 10 ms.
_BUDGET = 10_000_000


@dataclass(frozen=True)
class NearestNeighbourParams(Params):
    """Parameters of `NearestNeighbour`."""

    starts: int = param(
        1, label="Start cities",
        help="How many cities to start from, in an order that the seed decides; at most all of them.",
        low=1, high=200_000, step=1, scale="log",
    )  # fmt: skip


class NearestNeighbour(ConstructionSolver):
    """Builds nearest-neighbour tours from one or more start cities; ties go to the lowest city."""

    name: ClassVar[str] = "nearest-neighbour"
    title: ClassVar[str] = "Nearest neighbour"
    source: ClassVar[str] = (
        "D. J. Rosenkrantz, R. E. Stearns and P. M. Lewis, "
        '"An Analysis of Several Heuristics for the Traveling Salesman Problem" (SIAM Journal on Computing 6, 1977)'
    )
    summary: ClassVar[str] = "Goes from city to city, each time to the nearest one that has not been visited."
    params: ClassVar[type[Params]] = NearestNeighbourParams
    variants: ClassVar[tuple[Variant, ...]] = make_variants(
        "solvers.algorithms.construction.kernels.construct_cpu:nearest_neighbour", "One start after the other."
    )
    iteration_unit: ClassVar[str] = "start"
    needs_matrix_on_globe: ClassVar[bool] = True

    def construction(self, job: Job) -> Construction:
        """Create the construction and load its kernels."""
        return _NearestNeighbourConstruction(job)

    def tries(self, job: Job[NearestNeighbourParams]) -> int:
        """Return the number of start cities."""
        return min(job.params.starts, job.instance.n)

    def first_row_seconds(self, n: int, params: Params, threads: int) -> float:
        """See `solvers.core.solver.Solver`; 20,000 cities took 0.25 s."""
        return 6.3e-10 * n * n


class _NearestNeighbourConstruction(Construction):
    """An incomplete tour, stored as a path whose first cities have been visited."""

    def __init__(self, job: Job) -> None:
        from solvers.algorithms.construction.kernels import construct_cpu
        from solvers.core.kernel_distances import build_measure, new_path
        from solvers.kernels.tours_cpu import random_tours

        super().__init__(job)
        n = job.instance.n
        self._kernel, self._measure = construct_cpu, build_measure(job.instance)
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
        """Start at a climber's start city; all others are unvisited."""
        from solvers.core.kernel_distances import lay_identity

        lay_identity(self._measure, self._path, self._place)
        self._kernel.swap(self._measure, self._path, self._place, 0, int(self._starts[0, climber]))
        self._position, self.seconds = 0, 0.0

    def _continue(self) -> None:
        self._position = self._kernel.nearest_neighbour(
            self._measure, self._path, self._place, self._row, self._position, _BUDGET
        )

    def order(self) -> np.ndarray:
        """Return the tour, followed by the unvisited cities."""
        return self._path.city[: self._job.instance.n].copy()

    @property
    def evaluations(self) -> int:
        """Number of distances computed."""
        n, steps = self._job.instance.n, min(self._position, self._job.instance.n - 1)
        return sum((n - 1, n - steps)) * steps // 2

    def record(self, climber: int) -> Iterator[Edges]:
        """Yield the edges in visiting order."""
        yield make_tour_event(self._job, climber, self.order())
