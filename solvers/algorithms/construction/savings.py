"""Savings: join round trips from a hub where that saves most."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from solvers.algorithms.construction.paths import DirectedPaths, PathConstruction, Paths, SymmetricPaths
from solvers.algorithms.construction.tries import Construction, ConstructionSolver, make_variants
from solvers.core.events import ClimbEvent
from solvers.core.params import Params, param
from solvers.core.solver import Job, Variant
from solvers.reporting.constructions import build_steps, make_edges_event

#: Phases of the record.
STAR, JOINS = range(2)


@dataclass(frozen=True)
class SavingsParams(Params):
    """Parameters of `Savings`."""

    hubs: int = param(
        1, label="Hubs", help="How many hubs to try, in an order that the seed decides; at most all of them.",
        low=1, high=200_000, step=1, scale="log",
    )  # fmt: skip


class Savings(ConstructionSolver):
    """Applies the largest savings first; ties by (lower city, higher city) or, if directed, (from, to)."""

    name: ClassVar[str] = "savings"
    title: ClassVar[str] = "Savings"
    source: ClassVar[str] = (
        'G. Clarke and J. W. Wright, "Scheduling of Vehicles from a Central Depot to a Number of Delivery Points" '
        "(Operations Research 12, 1964)"
    )
    summary: ClassVar[str] = (
        "Goes from a hub to each city and back, then repeatedly joins the two tours that save most."
    )
    params: ClassVar[type[Params]] = SavingsParams
    variants: ClassVar[tuple[Variant, ...]] = make_variants(
        "solvers.algorithms.construction.kernels.construct_cpu:greedy", "One join after the other."
    )
    iteration_unit: ClassVar[str] = "hub"
    step_unit: ClassVar[str] = "step"
    needs_matrix_on_globe: ClassVar[bool] = True

    def construction(self, job: Job) -> Construction:
        """Create the construction and load its kernels."""
        return _SavingsConstruction(job)

    def tries(self, job: Job[SavingsParams]) -> int:
        """Return the number of hubs."""
        return min(job.params.hubs, job.instance.n)

    def first_row_seconds(self, n: int, params: Params, threads: int) -> float:
        """See `solvers.core.solver.Solver`; 20,000 cities took 2.2 s."""
        return 5.5e-9 * n * n


class _SavingsConstruction(PathConstruction):
    """Paths that each form a tour with the hub."""

    bytes_per_city: ClassVar[int] = 60

    def __init__(self, job: Job) -> None:
        from solvers.kernels.tours_cpu import random_tours

        self._hubs = np.empty((1, job.instance.n), np.int32)
        random_tours(np.uint64(job.seed), 0, self._hubs)
        super().__init__(job)

    def _make_paths(self, climber: int) -> Paths:
        """Return a round trip from the climber's hub to each other city, as paths without the hub."""
        instance, hub = self._job.instance, int(self._hubs[0, climber])
        self._hub, self._cities = hub, np.arange(instance.n, dtype=np.int32)
        if not instance.directed:
            return SymmetricPaths(instance, self._measure, hub)
        self._cities, matrix = np.delete(self._cities, hub), self._measure.matrix
        costs = matrix[np.ix_(self._cities, self._cities)]
        costs -= matrix[self._cities, hub, None]
        costs -= matrix[hub, self._cities]
        paths = DirectedPaths(costs)
        paths.state[-1] = 2 * len(costs)
        return paths

    def order(self) -> np.ndarray:
        """Return the tour from its hub, path by path."""
        return np.append(np.int32(self._hub), self._cities[self._paths.order()])

    def record(self, climber: int) -> Iterator[ClimbEvent]:
        """Yield the round trips and the joins as steps, then the tour's edges in the order they were added."""
        n, hub, order = self._job.instance.n, self._hub, self.order()
        joined = self._cities[self._paths.edges[: max(0, n - 2)]]
        if n > 1:
            yield build_steps(self._job, climber, *_list_steps(hub, n, joined))
        ends = np.array([[hub, order[1 % n]], [order[-1], hub]], np.int32)[: min(2, n)]
        yield make_edges_event(self._job, climber, np.concatenate((ends, joined)))


def _list_steps(hub: int, n: int, joined: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the changed edges, as arguments of `build_steps`: first two per city, then three per join."""
    there = np.delete(np.arange(n, dtype=np.int32), hub)
    star = np.stack((np.full(n - 1, hub, np.int32), there, there, np.full(n - 1, hub, np.int32)), axis=1)
    hubs = np.full(len(joined), hub, np.int32)
    joins = np.stack((joined[:, 0], hubs, hubs, joined[:, 1], *joined.T), axis=1)
    edges = np.concatenate((star.reshape(-1, 2), joins.reshape(-1, 2)))
    leaves = np.concatenate((np.zeros(2 * (n - 1), bool), np.tile([True, True, False], len(joined))))
    counts = np.array([2 * (n - 1), *[3] * len(joined)])
    return edges, leaves, counts, np.array([STAR, *[JOINS] * len(joined)], np.uint8)
