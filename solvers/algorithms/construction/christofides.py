"""Christofides' algorithm: minimum spanning tree, matching of odd cities, Euler tour and shortcuts."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from data.distances import distance_matrix
from data.instance import Instance
from solvers.algorithms.construction.tries import Construction, ConstructionSolver
from solvers.core.errors import InstanceTooLarge
from solvers.core.events import ClimbEvent
from solvers.core.params import Params
from solvers.core.solver import Job, Variant
from solvers.gpu.limits import Limits
from solvers.reporting.constructions import build_steps, make_tour_event

if TYPE_CHECKING:
    from solvers.algorithms.construction.kernels.matching_cpu import Matching

#: Maximum number of cities: if all of them are odd, their matching takes about 20 s and 400 MB.
MAX_CITIES = 2_000
#: Numbers of distances computed, of triples of cities compared, and of pairs matched between two heartbeats.
_BUDGET, _TRIPLES, _PAIRS = 5_000_000, 20_000_000, 4
#: Phases of the record.
TREE, MATCHING, SHORTCUTS = range(3)


@dataclass(frozen=True)
class ChristofidesParams(Params):
    """`Christofides` has no parameters."""


class ChristofidesVariant(Variant):
    """The only variant, with its limit on cities."""

    def max_cities(self, limits: Limits) -> int | None:
        """See `solvers.core.variant.Variant`."""
        return MAX_CITIES


class Christofides(ConstructionSolver):
    """Christofides' algorithm: at most 3/2 of the optimum if the triangle inequality holds."""

    name: ClassVar[str] = "christofides"
    title: ClassVar[str] = "Christofides"
    source: ClassVar[str] = (
        'N. Christofides, "Worst-Case Analysis of a New Heuristic for the Travelling Salesman Problem" '
        "(Carnegie-Mellon University, Report 388, 1976)"
    )
    summary: ClassVar[str] = (
        "Joins all cities by a shortest tree, pairs the cities with an odd number of its edges, and walks along both."
    )
    params: ClassVar[type[Params]] = ChristofidesParams
    variants: ClassVar[tuple[Variant, ...]] = (
        ChristofidesVariant(
            "sequential",
            "cpu",
            "solvers.algorithms.construction.kernels.matching_cpu:match_pair",
            "One edge after the other.",
            bound="the matching's time grows as the cube of the odd cities",
        ),
    )
    step_unit: ClassVar[str] = "step"
    chance: ClassVar[bool] = False

    def construction(self, job: Job) -> Construction:
        """Create the construction and load its kernels.

        Raises
        ------
        InstanceTooLarge
            If there are more than `MAX_CITIES`.
        """
        if reason := self.refusal(job.instance, job.params, "cpu"):
            raise InstanceTooLarge(reason)
        return _ChristofidesConstruction(job)

    def refusal(self, instance: Instance, params: Params, device: str) -> str:
        """See `solvers.core.solver.Solver`."""
        if instance.n <= MAX_CITIES:
            return ""
        return (
            f"Christofides takes at most {MAX_CITIES:,} cities, as the time of its matching grows as the cube of the "
            f"odd ones; {instance.name} has {instance.n:,}."
        )


class _ChristofidesConstruction(Construction):
    """Runs the phases of the construction one after another."""

    bytes_per_city: ClassVar[int] = 60

    def __init__(self, job: Job) -> None:
        from solvers.algorithms.construction.kernels import matching_cpu, tree_cpu
        from solvers.core.kernel_distances import build_measure, new_path
        from solvers.worker.kernel_loading import load_kernels

        super().__init__(job)
        n = job.instance.n
        self._trees, self._matchings, self._measure = tree_cpu, matching_cpu, build_measure(job.instance)
        self._path, self._place = new_path(self._measure, n), np.empty(n, np.int32)
        self._near, self._parent = np.zeros(n, np.int32), np.zeros(n, np.int32)
        self._row, self._distances = np.empty(n + 1, np.int32), distance_matrix(job.instance)
        self.begin(0)
        load_kernels([
            partial(self._grow, 0), partial(tree_cpu.max_excess, self._distances, 0, 0),
            lambda: matching_cpu.match_pair(matching_cpu.new_matching(np.zeros((2, 2), np.int32))),
        ])  # fmt: skip

    def begin(self, climber: int) -> None:
        """Start with a tree of only the first city."""
        from solvers.core.kernel_distances import lay_identity

        lay_identity(self._measure, self._path, self._place)
        self._size, self._compared, self.seconds = 1, 0, 0.0
        self._excess = 0
        self._odd, self._pairs = np.empty(0, np.int32), np.empty((0, 2), np.int32)
        self._matching: Matching | None = None
        self._visits: list[int] = []
        self._tour: np.ndarray | None = None

    def _grow(self, budget: int) -> None:
        arrays = (self._path, self._place, self._row, self._near, self._parent)
        self._size = self._trees.grow_tree(self._measure, *arrays, self._size, budget)

    def _continue(self) -> None:
        n = self._job.instance.n
        if self._size < n:
            self._grow(_BUDGET)
        elif self._matching is None:
            self._odd = find_odd_cities(self.tree, n)
            self._matching = self._matchings.new_matching(self._distances[np.ix_(self._odd, self._odd)])
        elif self._tour is None:
            for _ in range(_PAIRS):
                if not self._matchings.match_pair(self._matching):
                    self._walk()
                    break
        else:
            last = min(n, self._compared + max(1, _TRIPLES // max(1, n * n)))
            maximum = self._trees.max_excess(self._distances, self._compared, last)
            self._excess, self._compared = max(self._excess, int(maximum)), last

    def _walk(self) -> None:
        """Collect the matched pairs, and build the tour from the tree and the matching."""
        assert self._matching is not None
        mate = self._matching.mate[1 : self._odd.size + 1] - 1
        lower = np.flatnonzero(np.arange(mate.size) < mate)
        self._pairs = np.stack((self._odd[lower], self._odd[mate[lower]]), axis=1)
        self._visits = find_euler_tour(np.concatenate((self.tree, self._pairs)), self._job.instance.n)
        self._tour = np.array(list(dict.fromkeys(self._visits)), np.int32)

    @property
    def tree(self) -> np.ndarray:
        """Edges of the tree, in the order in which they were added, (n - 1, 2) int32."""
        cities = self._path.city[1 : self._size]
        return np.stack((self._parent[cities], cities), axis=1)

    @property
    def complete(self) -> bool:
        """Whether the tour is complete and its triangles are checked."""
        return self._tour is not None and self._compared >= self._job.instance.n

    @property
    def evaluations(self) -> int:
        """Number of distances computed."""
        n = self._job.instance.n
        remaining = n - self._size
        return n * (n - 1) // 2 - remaining * (remaining - 1) // 2 + self._odd.size * (self._odd.size - 1) // 2

    def order(self) -> np.ndarray:
        """Return the tour; until it exists, the cities in tree order, followed by the remaining ones."""
        return self._path.city[: self._job.instance.n].copy() if self._tour is None else self._tour

    def record(self, climber: int) -> Iterator[ClimbEvent]:
        """Yield the tree, the matching and the shortcuts as steps, then the tour's edges."""
        assert self._tour is not None
        if self._job.instance.n > 1:
            skips = list_shortcuts(self._visits)
            edges = np.concatenate((self.tree, self._pairs, skips.reshape(-1, 2))).astype(np.int32)
            before = len(self.tree) + len(self._pairs)
            leaves = np.concatenate((np.zeros(before, bool), np.tile([True, True, False], len(skips))))
            counts = np.repeat([1, 3], [before, len(skips)])
            phase = np.repeat([TREE, MATCHING, SHORTCUTS], [len(self.tree), len(self._pairs), len(skips)])
            yield build_steps(self._job, climber, edges, leaves, counts, phase.astype(np.uint8), self._excess)
        yield make_tour_event(self._job, climber, self._tour)


def find_odd_cities(edges: np.ndarray, n: int) -> np.ndarray:
    """Return the cities of odd degree among edges (m, 2), in ascending order."""
    return np.flatnonzero(np.bincount(edges.ravel(), minlength=n) % 2).astype(np.int32)


def find_euler_tour(edges: np.ndarray, n: int) -> list[int]:
    """Return a closed walk from city 0 that uses each of the edges (m, 2) once; every degree must be even.

    C. Hierholzer, "Ueber die Möglichkeit, einen Linienzug ohne Wiederholung und ohne Unterbrechung zu umfahren" (1873).
    """
    adjacent: list[list[tuple[int, int]]] = [[] for _ in range(n)]
    for k, (a, b) in enumerate(edges.tolist()):
        adjacent[a].append((b, k))
        adjacent[b].append((a, k))
    used, ahead, walk = [False] * len(edges), [0], list[int]()
    while ahead:
        neighbours = adjacent[ahead[-1]]
        while neighbours and used[neighbours[-1][1]]:
            neighbours.pop()
        if neighbours:
            city, k = neighbours.pop()
            used[k] = True
            ahead.append(city)
        else:
            walk.append(ahead.pop())
    return walk


def list_shortcuts(visits: list[int]) -> np.ndarray:
    """Return, for each shortcut of a closed walk, the two edges removed and the one added, (s, 3, 2) int32."""
    visited, at, shortcuts = {visits[0]}, visits[0], []
    for k, city in enumerate(visits[1:-1], 1):
        if city in visited:
            shortcuts.append([[at, city], [city, visits[k + 1]], [at, visits[k + 1]]])
        else:
            visited.add(city)
            at = city
    return np.array(shortcuts, np.int32).reshape(-1, 3, 2)
