"""Iterated local search on one tour, in time-limited slices. Imports Numba: for use inside `solve()`."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from time import perf_counter

import numpy as np

from solvers.algorithms.lin_kernighan.kernels import make_tour_cpu
from solvers.algorithms.lin_kernighan.kernels import search_cpu as kernel
from solvers.algorithms.lin_kernighan.kernels.chain_cpu import MIN_CITIES, first_position, run_kicks
from solvers.algorithms.lin_kernighan.kernels.merge_cpu import find_reversals
from solvers.algorithms.lin_kernighan.kernels.search_cpu import Chain, Search, descend
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import ROW, Cities, Tour
from solvers.algorithms.lin_kernighan.params import LinKernighanParams

#: Target seconds per slice, and the number of exchanges evaluated per second that is assumed until it is measured.
_SLICE_SECONDS, _PACE = 0.02, 1e7
#: Maximum number of exchanges per slice.
_RECORDED = 8192
#: Number of alternatives that are followed at each level of a step.
_BREADTH = (3, 2, 1, 1)
#: Number of exchanges evaluated in a round of the descent: per city, and at least.
_DESCENT, _MIN_DESCENT = 40, 100_000
#: Maximum number of cities for which the reversals between two tours are found.
_MAX_COMPARED = 1 << 16
#: The start cities of kicks that may begin anywhere.
EVERYWHERE = np.empty(0, np.int32)


@cache
def shapes() -> np.ndarray:
    """Return the shapes of all exchanges; see `solvers.algorithms.lin_kernighan.kernels.search_cpu.shapes`."""
    return kernel.shapes()


def search_breadths(depth: int) -> np.ndarray:
    """Return how many alternatives a search of this depth tries at each level, int64."""
    return np.array([*_BREADTH[: depth - 2], 0], np.int64)


def allocate(order: np.ndarray, length: int, depth: int, first: int, keeps_best: bool) -> tuple[Tour, Search, Chain]:
    """Allocate a search from a tour; see `solvers.algorithms.lin_kernighan.kernels.make_tour_cpu.allocate`."""
    return make_tour_cpu.allocate(order, length, search_breadths(depth), shapes(), first, keeps_best, _RECORDED)


@dataclass(frozen=True, slots=True, eq=False)
class RoundResult:
    """The result of one round.

    Attributes
    ----------
    length : int
    order : ndarray, shape (n,), int32
        The tour, in the kernels' numbering.
    record : ndarray, shape (m, ROW), int32, or None
        All exchanges of the round, as rows of a log; None if they are unknown, see `make_result`.
    best_count : int
        The number of exchanges, from the first on, that lead to the tour.
    """

    length: int
    order: np.ndarray
    record: np.ndarray | None
    best_count: int


def list_reversals(order: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a tour, rotated to start like `target`, and the reversals, as log rows, that turn it into `target`."""
    n, order = order.size, order.copy()
    position, record = np.empty(n, np.int32), np.empty((2 * n, ROW), np.int32)
    position[order] = np.arange(n, dtype=np.int32)
    target = np.roll(target, -int(np.flatnonzero(target == order[0])[0]))
    rows = find_reversals(order, position, target, record)
    return order, record[:rows].copy()


def make_result(order: np.ndarray, target: np.ndarray, length: int) -> RoundResult:
    """Return the result of a round that led from one tour to another.

    Its exchanges are reversals; with many cities these are unknown, since finding them would take as long as a round.
    """
    if order.size > _MAX_COMPARED:
        return RoundResult(length, target.copy(), None, 0)
    order, record = list_reversals(order, target)
    return RoundResult(length, order, record, len(record))


class LocalSearch:
    """An iterated local search that starts at a tour and runs in slices.

    Parameters
    ----------
    cities : Cities
    order : ndarray, shape (n,), int32
    length : int
    seed : int
    params : LinKernighanParams
    target : int or None
        The length at which to stop.

    Attributes
    ----------
    candidates : Cities and ndarray, shape (n,), float64, or None
        The cities with candidates by alpha-nearness, and the cities' prices, if the search has found these.
    """

    candidates: tuple[Cities, np.ndarray | None] | None = None

    def __init__(
        self, cities: Cities, order: np.ndarray, length: int, seed: int, params: LinKernighanParams, target: int | None
    ) -> None:
        self.cities = cities
        first = first_position(np.uint64(seed), order.size)
        self._tour, self._search, self._chain = allocate(
            order, length, params.depth, first, params.heat(order.size, length) > 0
        )
        self._state = self._chain.state
        self._state[kernel.TARGET] = kernel.NO_TARGET if target is None else target
        self._seed, self._steps, self._kicks = np.uint64(seed), params.walk, params.kicks_per_round(order.size)
        self._params, self._heat = params, -1.0
        self._pace, self._until = _PACE, 0
        self.slice_seconds = _SLICE_SECONDS
        self._parts: list[np.ndarray] = []
        self._rows, self._kept_rows = 0, -1
        self._piece = max(_MIN_DESCENT, _DESCENT * order.size)
        self._end = 0
        self.start_round()

    @property
    def length(self) -> int:
        """Length of the current tour."""
        return int(self._state[kernel.LENGTH])

    @property
    def evaluated(self) -> int:
        """Number of exchanges evaluated so far."""
        return int(self._state[kernel.EVALUATED])

    @property
    def order(self) -> np.ndarray:
        """The current tour, in the kernels' numbering."""
        return self._tour.order

    @property
    def best(self) -> tuple[np.ndarray, int]:
        """The best tour so far, in the kernels' numbering, and its length."""
        if self._chain.best.size:
            return self._chain.best, int(self._state[kernel.BEST])
        return self.order, self.length

    @property
    def descending(self) -> bool:
        """Whether the search is still on its way to the first local optimum."""
        return bool(self._state[kernel.QUEUED])

    @property
    def complete(self) -> bool:
        """Whether no further improvement is possible."""
        return not self.descending and self.order.size < MIN_CITIES

    @property
    def round_over(self) -> bool:
        """Whether the round has ended."""
        if self.length <= self._state[kernel.TARGET]:
            return True
        if self.in_descent:
            return not self.descending or self.evaluated >= self._end
        return self._state[kernel.KICKS] >= self._until

    def start_round(self) -> None:
        """Start the next round."""
        self._parts, self._rows, self._kept_rows = [], 0, -1
        self.in_descent = self.descending
        self._end = self.evaluated + self._piece
        self._until = int(self._state[kernel.KICKS]) + self._kicks
        if not self.in_descent and self._heat < 0:
            self._heat = self._params.heat(self.order.size, self.length)

    def end_round(self) -> RoundResult:
        """Return the result of the round: its last tour, or the best tour so far if this round has found it."""
        record = np.concatenate([np.empty((0, ROW), np.int32), *self._parts])
        if self._kept_rows < 0 or self.length == self._state[kernel.BEST]:
            return RoundResult(self.length, self.order.copy(), record, len(record))
        return RoundResult(int(self._state[kernel.BEST]), self._chain.best.copy(), record, self._kept_rows)

    def advance(self, limit: int) -> None:
        """Work for one slice of at most `limit` exchanges."""
        state = self._state
        state[kernel.RECORDED], state[kernel.KEPT_ROWS] = 0, -1
        if self.in_descent:
            self._descend(limit)
        else:
            self._kick(limit)
        if state[kernel.KEPT_ROWS] >= 0:
            self._kept_rows = self._rows + int(state[kernel.KEPT_ROWS])
        self._rows += int(state[kernel.RECORDED])
        self._parts.append(self._chain.record[: state[kernel.RECORDED]].copy())

    def _descend(self, limit: int) -> None:
        """Descend towards the first local optimum, for one slice."""
        state = self._state
        with self._slice_size(limit) as work:
            work = min(work, self._end - self.evaluated)
            state[kernel.LENGTH] += descend(self.cities, self._tour, self._search, self._chain, False, work)
        state[kernel.BEST], state[kernel.KEPT_ROWS] = state[kernel.LENGTH], state[kernel.RECORDED]
        self._chain.best[:] = self._tour.order[: self._chain.best.size]

    def _kick(self, limit: int) -> None:
        """Kick for one slice."""
        search = self.cities, self._tour, self._search, self._chain
        with self._slice_size(limit) as work:
            run_kicks(*search, EVERYWHERE, self._seed, self._until, self._steps, self._heat, work)

    def close(self) -> None:
        """Do nothing: the search uses only memory of the CPU."""

    @contextmanager
    def _slice_size(self, limit: int) -> Iterator[int]:
        """Yield the number of exchanges for a slice, and measure the speed of the work within the context."""
        before, start_time = self.evaluated, perf_counter()
        yield max(1, min(limit, int(self._pace * min(self.slice_seconds, _SLICE_SECONDS))))
        elapsed = perf_counter() - start_time
        if elapsed > 0 and self.evaluated > before:
            self._pace = 0.5 * self._pace + 0.5 * (self.evaluated - before) / elapsed
