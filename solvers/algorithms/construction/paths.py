"""Paths that are joined by the cheapest edge first, as in the greedy algorithm and in savings."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from data.distances import edge_lengths
from data.instance import Instance
from solvers.algorithms.construction.tries import Construction
from solvers.core.solver import Job

if TYPE_CHECKING:
    from solvers.kernels.distance_rows_cpu import Measure

#: Number of distances computed between two heartbeats: about 20 ms.
_BUDGET = 20_000_000


class Paths(ABC):
    """Paths, initially one per city, which the cheapest edges join.

    Attributes
    ----------
    edges : ndarray, shape (p, 2), int32
        The chosen edges, in order of choice; p is the initial number of paths, so the last row is unused.
    state : ndarray, int64
        The kernel's state: the second entry is the number of chosen edges, the last entry the number of distances
        computed.
    """

    edges: np.ndarray
    state: np.ndarray

    @abstractmethod
    def extend(self, budget: int) -> None:
        """Choose edges until the given number of distances and keys has been evaluated."""

    @abstractmethod
    def order(self) -> np.ndarray:
        """Return the cities path by path, (p,) int32."""


class DirectedPaths(Paths):
    """Directed paths: the end of one is joined to the start of another.

    Parameters
    ----------
    matrix : ndarray, shape (p, p), int32
        Lengths from the row's city to the column's.
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
        """See `Paths.extend`."""
        self._kernel.greedy_directed(*self._arrays, budget)

    def order(self) -> np.ndarray:
        """See `Paths.order`."""
        order = np.empty(len(self.edges), np.int32)
        self._kernel.join_paths(self._following, self._entered, order)
        return order


class SymmetricPaths(Paths):
    """Paths that are joined at any of their ends.

    Parameters
    ----------
    instance : Instance
    measure : Measure
    hub : int, optional
        A city that belongs to no path. With a hub, the length of the way between two cities through the hub is
        subtracted from an edge's length.
    """

    def __init__(self, instance: Instance, measure: "Measure", hub: int | None = None) -> None:
        from solvers.algorithms.construction.kernels import construct_cpu
        from solvers.core.kernel_distances import lay_identity, new_path

        n, self._kernel = instance.n, construct_cpu
        path, place = new_path(measure, n), np.empty(n, np.int32)
        lay_identity(measure, path, place)
        cities = np.arange(n, dtype=np.int32)
        others, price = cities[cities != hub], np.empty(0, np.int32)
        self.state = np.array([0, 0, others.size, 0], np.int64)
        self._degree, self._link = np.zeros(n, np.int32), np.zeros((n, 2), np.int32)
        if hub is not None:
            construct_cpu.swap(measure, path, place, hub, n - 1)
            price = edge_lengths(instance, np.full(n, hub, np.int32), cities).astype(np.int32)
            self.state[-1], self._degree[hub] = others.size, 2
        self.edges = np.zeros((others.size, 2), np.int32)
        # With two cities, the mates and keys are final; with more, the kernel finds them.
        mate, key = cities.copy(), np.full(n, 2**62, np.int64)
        mate[others], key[others] = others[::-1], others[:1].sum()
        joined = (cities, self._degree, self._link, self.edges, self.state)
        self._arrays = (measure, path, place, np.empty(n + 1, np.int32), price, key, mate, *joined)

    def extend(self, budget: int) -> None:
        """See `Paths.extend`."""
        self._kernel.greedy(*self._arrays, budget)

    def order(self) -> np.ndarray:
        """See `Paths.order`."""
        order = np.empty(len(self.edges), np.int32)
        self._kernel.join_fragments(self._degree, self._link, order)
        return order


class PathConstruction(Construction):
    """Joins paths until one is left."""

    def __init__(self, job: Job) -> None:
        from solvers.core.kernel_distances import build_measure

        super().__init__(job)
        self._measure = build_measure(job.instance)
        self.begin(0)
        self._paths.extend(0)
        self._paths.order()

    def begin(self, climber: int) -> None:
        """Start with a path per city."""
        self._paths, self.seconds = self._make_paths(climber), 0.0

    @abstractmethod
    def _make_paths(self, climber: int) -> Paths:
        """Return a climber's paths."""

    @property
    def complete(self) -> bool:
        """Whether all paths are joined."""
        return int(self._paths.state[1]) >= len(self._paths.edges) - 1

    @property
    def evaluations(self) -> int:
        """Number of distances computed."""
        return int(self._paths.state[-1])

    def order(self) -> np.ndarray:
        """Return the cities path by path."""
        return self._paths.order()

    def _continue(self) -> None:
        self._paths.extend(_BUDGET)
