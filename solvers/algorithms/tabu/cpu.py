"""Tabu searches on the CPU: each thread runs one after the other. Imports Numba: for use inside `solve()`."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from typing import ClassVar

import numpy as np

from data.distances import distance_matrix
from solvers.algorithms.annealing.cpu import AnnealingSlice, ChainWorker
from solvers.algorithms.annealing.neighbours import find_nearest
from solvers.algorithms.tabu.kernels import insertions_cpu, scan_cpu
from solvers.algorithms.tabu.kernels import tabu_cpu as kernel
from solvers.algorithms.tabu.kernels.edge_lists_cpu import ADDED, REMOVED, allocate_lists
from solvers.algorithms.tabu.params import TabuParams
from solvers.algorithms.two_opt.kernels import insertion_climb_cpu
from solvers.core.kernel_distances import build_measure, check_reversals
from solvers.core.solver import Job
from solvers.kernels.distance_rows_cpu import MATRIX, Measure

#: Maximum number of cities for which distances are read from a matrix: it has 4 MiB and fits into the caches.
_MATRIX_CITIES = 1024
#: Number of rows of progress within a search.
ROWS = 1000


def make_plan(params: TabuParams, near: np.ndarray) -> kernel.Plan:
    """Return the settings of a job's searches; `near` is (n, k), with k = 0 to evaluate all moves."""
    n = len(near)
    low, high = params.tenures(n)
    steps = params.steps_per_city * n
    return kernel.Plan(
        near, steps, max(1, steps // ROWS), low, high, params.added_tenure, 2 * high, params.tabu_if == "both"
    )


@dataclass(slots=True, eq=False)
class SearchSlice(AnnealingSlice):
    """The result of a slice of a tabu search.

    Attributes
    ----------
    steps : int
        Number of moves of the search so far.
    removed, added : ndarray, shape (k, 2), int32, or None
        The tabu edges, as in `solvers.core.events.Tabu`; None after the search, when the worker climbs.
    """

    steps: int = 0
    removed: np.ndarray | None = None
    added: np.ndarray | None = None


class SearchWorker(ChainWorker):
    """Runs one search at a time, and improves its best tour by 2-opt; it is used like `ClimbWorker`.

    Parameters
    ----------
    measure : Measure
    plan : Plan
    seed : int
    start : ndarray, shape (n,), int32, or None
        Start tour of search 0.
    """

    _advance = staticmethod(kernel.advance)
    _edges_per_move: ClassVar[int] = 2

    def __init__(self, measure: Measure, plan: kernel.Plan, seed: int, start: np.ndarray | None) -> None:
        super().__init__(measure, plan, seed, start)
        order, position, best = np.zeros((3, len(plan.near)), np.int32)
        lists = allocate_lists(max(plan.high, plan.held) + 1, self._edges_per_move)
        self._chain = scan_cpu.Search(order, position, best, np.zeros(scan_cpu.STATE, np.int64), lists)

    @property
    def _returns(self) -> bool:
        """True, unlike in `ChainWorker`: a search always returns to its best tour."""
        return True

    @property
    def _climbs(self) -> bool:
        """True, unlike in `ChainWorker`: a search always ends with a descent from its best tour."""
        return True

    def advance(self, limit: int | None = None) -> AnnealingSlice:
        """Search or climb for one slice; see `ChainWorker`."""
        result = super().advance(limit)
        if result.tour is None:
            return result
        values = {field.name: getattr(result, field.name) for field in fields(AnnealingSlice)}
        return SearchSlice(
            **values, steps=int(self._chain.state[scan_cpu.STEPS]),
            removed=self._edges(REMOVED), added=self._edges(ADDED),
        )  # fmt: skip

    def make_loaders(self) -> list[Callable[[], object]]:
        """See `ChainWorker`; the kernels that `_advance` calls without linking are last, where a fork starts."""
        return [*super().make_loaders(), *self._make_shared_loaders()]

    def _make_shared_loaders(self) -> list[Callable[[], object]]:
        measure, plan = self._measure, self.plan
        return [
            partial(scan_cpu.scan_near, measure, plan.near, plan.both, self._chain, 0),
            partial(scan_cpu.scan_all, measure, plan.both, self._chain, 0),
        ]

    def _edges(self, which: int) -> np.ndarray:
        lists = self._chain.lists
        first, size = lists.span[which]
        edges = lists.edge[which, (first + np.arange(size)) % lists.edge.shape[1]]
        return np.stack([edges >> np.uint64(32), edges & np.uint64(0xFFFFFFFF)], axis=1).astype(np.int32)


class DirectedSearchWorker(SearchWorker):
    """Runs one search of directed tours at a time, by insertions."""

    _advance = staticmethod(insertions_cpu.advance_insertions)
    _edges_per_move: ClassVar[int] = insertions_cpu.EDGES

    def __init__(self, measure: Measure, plan: kernel.Plan, seed: int, start: np.ndarray | None) -> None:
        super().__init__(measure, plan, seed, start)
        self._kernel_advance = insertion_climb_cpu.advance

    def _make_shared_loaders(self) -> list[Callable[[], object]]:
        return []


def make_search_workers(job: Job[TabuParams], threads: int) -> list[SearchWorker]:
    """Return workers for a job; their kernels are not loaded.

    Raises
    ------
    InstanceTooLarge
        See `solvers.core.kernel_distances`.
    """
    measure = build_measure(job.instance)
    if job.instance.directed:
        check_reversals(job.instance, measure.matrix)
    if job.instance.n <= _MATRIX_CITIES:
        measure = measure._replace(policy=MATRIX, matrix=distance_matrix(job.instance))
    near = np.empty((job.instance.n, 0), np.int32)
    if job.params.neighbours:
        near = find_nearest(job.instance, measure, job.params.neighbours)
    plan = make_plan(job.params, near)
    kind = DirectedSearchWorker if job.instance.directed else SearchWorker
    return [kind(measure, plan, job.seed, job.start) for _ in range(threads)]
