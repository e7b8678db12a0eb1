"""Savings: merge round trips from a hub where that saves most."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from data.distances import edge_lengths
from solvers.algorithms.construction.greedy import DirectedPaths
from solvers.algorithms.construction.tries import Construction, ConstructionSolver, sequential
from solvers.core.events import ClimbEvent
from solvers.core.params import Params, param
from solvers.core.solver import Job, Variant
from solvers.reporting.constructions import build_steps, chosen_edges

#: Number of distances computed between two heartbeats: about 20 ms.
_BUDGET = 20_000_000
#: Phases of the record.
STAR, JOINS = range(2)


@dataclass(frozen=True)
class SavingsParams(Params):
    """Parameters of `Savings`."""

    hubs: int = param(
        1, label="Hubs", help="The number of hubs to try, in an order that the seed decides; at most all.",
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
    variants: ClassVar[tuple[Variant, ...]] = sequential(
        "solvers.algorithms.construction.kernels.construct_cpu:greedy", "One join after the other."
    )
    iteration_unit: ClassVar[str] = "hub"
    step_unit: ClassVar[str] = "step"
    needs_matrix_on_globe: ClassVar[bool] = True

    def construction(self, job: Job) -> Construction:
        """Create the construction and load its kernels."""
        return _DirectedSavings(job) if job.instance.directed else _SymmetricSavings(job)

    def tries(self, job: Job) -> int:
        """Return the number of hubs."""
        assert isinstance(job.params, SavingsParams)
        return min(job.params.hubs, job.instance.n)

    def first_row_seconds(self, n: int, params: Params, threads: int) -> float:
        """See `solvers.core.solver.Solver`; 20,000 cities took 2.2 s."""
        return 5.5e-9 * n * n


class _SavingsConstruction(Construction):
    """Fragments that each form a tour with the hub."""

    bytes_per_city: ClassVar[int] = 60

    def __init__(self, job: Job) -> None:
        from solvers.core.kernel_distances import build_measure
        from solvers.kernels.tours_cpu import random_tours

        super().__init__(job)
        self._measure, self._hubs = build_measure(job.instance), np.empty((1, job.instance.n), np.int32)
        self._state = np.zeros(0, np.int64)
        random_tours(np.uint64(job.seed), 0, self._hubs)

    def begin(self, climber: int) -> None:
        """Start with a round trip from the climber's hub to each other city."""
        self._hub, self.seconds = int(self._hubs[0, climber]), 0.0

    @abstractmethod
    def _fragments(self) -> np.ndarray:
        """Return the cities fragment by fragment, (n - 1,) int32."""

    @abstractmethod
    def _joins(self) -> np.ndarray:
        """Return the joined pairs of cities in order, (n - 1, 2) int32; the last row is unused."""

    @property
    def complete(self) -> bool:
        """Whether all tours have been joined into one."""
        return int(self._state[1]) >= self._job.instance.n - 2

    @property
    def evaluations(self) -> int:
        """Number of distances computed, including those to the hub."""
        return int(self._state[-1])

    def order(self) -> np.ndarray:
        """Return the tour from its hub, fragment by fragment."""
        return np.append(np.int32(self._hub), self._fragments())

    def record(self, climber: int) -> Iterator[ClimbEvent]:
        """Yield the round trips and the joins as steps, then the tour's edges in the order they were added."""
        n, hub, order = self._job.instance.n, self._hub, self.order()
        joined = self._joins()[: max(0, n - 2)]
        if n > 1:
            yield build_steps(self._job, climber, *_steps(hub, n, joined))
        ends = np.array([[hub, order[1 % n]], [order[-1], hub]], np.int32)[: min(2, n)]
        yield chosen_edges(self._job, climber, np.concatenate((ends, joined)))


class _SymmetricSavings(_SavingsConstruction):
    """Joins fragments at either end."""

    def __init__(self, job: Job) -> None:
        from solvers.algorithms.construction.kernels import construct_cpu
        from solvers.core.kernel_distances import new_path

        super().__init__(job)
        n, self._kernel = job.instance.n, construct_cpu
        self._path, self._place = new_path(self._measure, n), np.empty(n, np.int32)
        self._row = np.empty(n + 1, np.int32)
        self.begin(0)
        self._join(0)

    def begin(self, climber: int) -> None:
        """See `_SavingsConstruction.begin`."""
        from solvers.core.kernel_distances import lay_identity

        super().begin(climber)
        n, hub = self._job.instance.n, self._hub
        lay_identity(self._measure, self._path, self._place)
        self._kernel.swap(self._measure, self._path, self._place, hub, n - 1)
        cities = np.arange(n, dtype=np.int32)
        self._price = edge_lengths(self._job.instance, np.full(n, hub, np.int32), cities).astype(np.int32)
        self._degree, self._link = np.zeros(n, np.int32), np.zeros((n, 2), np.int32)
        self._edges, self._state = np.zeros((n - 1, 2), np.int32), np.array([0, 0, n - 1, n - 1], np.int64)
        self._degree[hub] = 2
        # With three cities, mates and keys are final; with more, the kernel finds them.
        others = cities[cities != hub]
        self._mate, self._key = cities.copy(), np.full(n, 2**62, np.int64)
        self._mate[others], self._key[others] = others[::-1], others[:1].sum()
        self._tail = cities

    def _join(self, budget: int) -> None:
        fragments = (self._tail, self._degree, self._link, self._edges, self._state)
        arrays = (self._path, self._place, self._row, self._price, self._key, self._mate)
        self._kernel.greedy(self._measure, *arrays, *fragments, budget)

    def _continue(self) -> None:
        self._join(_BUDGET)

    def _joins(self) -> np.ndarray:
        return self._edges

    def _fragments(self) -> np.ndarray:
        order = np.empty(self._job.instance.n - 1, np.int32)
        self._kernel.join_fragments(self._degree, self._link, order)
        return order


class _DirectedSavings(_SavingsConstruction):
    """Joins the end of one fragment to the start of another, like the directed greedy algorithm."""

    def __init__(self, job: Job) -> None:
        super().__init__(job)
        self.begin(0)
        self._paths.extend(0)

    def begin(self, climber: int) -> None:
        """See `_SavingsConstruction.begin`."""
        super().begin(climber)
        n, hub, matrix = self._job.instance.n, self._hub, self._measure.matrix
        self._cities = np.delete(np.arange(n, dtype=np.int32), hub)
        costs = matrix[np.ix_(self._cities, self._cities)]
        costs -= matrix[self._cities, hub, None]
        costs -= matrix[hub, self._cities]
        self._paths = DirectedPaths(costs)
        self._state = self._paths.state
        self._state[-1] = 2 * (n - 1)

    def _continue(self) -> None:
        self._paths.extend(_BUDGET)

    def _joins(self) -> np.ndarray:
        return self._cities[self._paths.edges] if self._cities.size else self._paths.edges

    def _fragments(self) -> np.ndarray:
        return self._cities[self._paths.order()]


def _steps(hub: int, n: int, joined: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the changed edges as arguments of `build_steps`: two per city first, then three per join."""
    there = np.delete(np.arange(n, dtype=np.int32), hub)
    star = np.stack((np.full(n - 1, hub, np.int32), there, there, np.full(n - 1, hub, np.int32)), axis=1)
    hubs = np.full(len(joined), hub, np.int32)
    joins = np.stack((joined[:, 0], hubs, hubs, joined[:, 1], *joined.T), axis=1)
    edges = np.concatenate((star.reshape(-1, 2), joins.reshape(-1, 2)))
    leaves = np.concatenate((np.zeros(2 * (n - 1), bool), np.tile([True, True, False], len(joined))))
    counts = np.array([2 * (n - 1), *[3] * len(joined)])
    return edges, leaves, counts, np.array([STAR, *[JOINS] * len(joined)], np.uint8)
