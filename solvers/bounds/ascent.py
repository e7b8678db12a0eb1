"""Price ascent on candidate edges, with a regular proof over all edges. Imports Numba."""

from collections.abc import Generator
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol, TypeVar

import numpy as np

from solvers.bounds.candidates import build_graph, list_nearest_pairs
from solvers.bounds.full_tree import SLICE_SECONDS, OneTree
from solvers.bounds.kernels import sparse_tree_cpu as kernel
from solvers.bounds.problem import Problem

T = TypeVar("T")
#: Minimum and maximum length of the first period, in iterations.
_PERIODS = 300, 1000
#: The number of iterations between two proofs is at least the first value, and at least the number of cities divided by
#: the second.
_PROOFS = 20, 32
#: The first step is the mean reduced length of the first tree's edges, divided by this; it doubles while that helps.
_FIRST_STEP = 64
#: If a round has raised the bound by at least the first tree's length divided by `_GAIN_DIVISOR`, another one follows.
#: Later rounds start with `_LATER_STEP_FACTOR` times the first round's step, because the first round ends far below the
#: bound if cities are clustered.
_GAIN_DIVISOR, _LATER_STEP_FACTOR = 2000, 8
#: Initial estimate of the seconds per iteration and city.
_PACE = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class AscentState:
    """The state of the ascent after a slice of work.

    Attributes
    ----------
    tree : OneTree or None
        The best proven tree; None before the first proof.
    iterations : int
        Number of 1-trees of candidate edges computed so far.
    """

    tree: OneTree | None
    iterations: int


class TreeSolver(Protocol):
    """Computes a problem's minimum 1-trees: `solvers.bounds.cpu.CoreTreeSolver` or its counterpart for GPUs."""

    def take(self, graph: kernel.Graph) -> None:
        """Set the candidate edges."""

    def ascend(
        self, prices: np.ndarray, before: np.ndarray, best_prices: np.ndarray, state: np.ndarray, iterations: int
    ) -> int:
        """Continue the ascent; see `solvers.bounds.kernels.sparse_tree_cpu.ascend`."""
        ...

    def full_tree(self, prices: np.ndarray) -> Generator[None, None, OneTree]:
        """Return a minimum 1-tree over all edges; yield between slices."""
        ...

    def close(self) -> None:
        """Free the memory."""


class Ascent:
    """The ascent that improves one problem's prices.

    M. Held and R. M. Karp, "The Traveling-Salesman Problem and Minimum Spanning Trees: Part II" (1971), with the steps
    of K. Helsgaun, "An Effective Implementation of the Lin-Kernighan Traveling Salesman Heuristic" (2000, section 4.1).
    The ascent uses only candidate edges. A minimum 1-tree of these may be longer than one of all edges, so its length
    is not a bound. Therefore a minimum 1-tree over all edges proves the best prices from time to time, and its edges
    then become candidates.

    Parameters
    ----------
    problem : Problem
        A problem of at least 3 cities.
    trees : TreeSolver
        Computes the trees of this problem.
    proof_every : int, optional
        Number of iterations between two proofs; by default so many that proofs take only a small part of the time.
    """

    def __init__(self, problem: Problem, trees: TreeSolver, proof_every: int | None = None) -> None:
        n = problem.n
        self._problem, self._trees = problem, trees
        self._prices, self._best_prices = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self._before, self._state = np.zeros(n, np.int32), np.zeros(kernel.STATE, np.int64)
        self._pairs = np.empty((0, 2), np.int64)
        self._best: OneTree | None = None
        self._between = proof_every or max(_PROOFS[0], n // _PROOFS[1])
        self._pace = _PACE * n

    def run(self) -> Generator[AscentState, None, None]:
        """Run the ascent, and yield its state after each slice; the last state does not depend on where slices end.

        The ascent starts again from the best prices, with a larger step, as long as that raises the bound noticeably.
        """
        yield from self._begin()
        yield self._state_now()
        yield from self._round()
        grown = self._worth
        while self._best is not None and grown >= self._worth and not self._state[kernel.TIGHT]:
            before = self._best.bound
            self._return_to(self._best)
            self._begin_round(_LATER_STEP_FACTOR * self._first_step)
            yield from self._round()
            grown = self._best.bound - before
        yield self._state_now()

    def _round(self) -> Generator[AscentState, None, None]:
        since, over = 0, False
        while not over:
            since += self._climb(self._between - since)
            over = self._is_over()
            yield self._state_now()
            if since >= self._between or over:
                since = 0
                grown = yield from self._prove_best()
                # Among more edges, a 1-tree that is a tour may no longer be a minimum.
                over = over and not (grown and self._period_left())

    def _begin(self) -> Generator[AscentState, None, None]:
        problem = self._problem
        self._pairs = yield from self._run_in_slices(list_nearest_pairs(problem))
        first = yield from self._prove(np.zeros(problem.n, np.int64))
        self._best = first
        self._take_edges(first)
        length = abs(int(first.weight.sum()))
        self._first_step, self._worth = max(1, length // problem.n // _FIRST_STEP), max(1, length // _GAIN_DIVISOR)
        self._state[kernel.BEST] = -kernel.FAR
        self._begin_round(self._first_step)

    def _begin_round(self, step: int) -> None:
        """Start a round whose first step is `step`."""
        state = self._state
        state[kernel.STEP] = step
        state[[kernel.PERIOD, kernel.LEFT]] = min(max(self._problem.n // 2, _PERIODS[0]), _PERIODS[1])
        state[kernel.DOUBLING], state[kernel.LAST] = 1, 0

    def _climb(self, maximum: int) -> int:
        """Ascend for at most `maximum` iterations; return the number of iterations done."""
        count = max(1, min(maximum, int(SLICE_SECONDS / self._pace)))
        start_time = perf_counter()
        done = self._trees.ascend(self._prices, self._before, self._best_prices, self._state, count)
        self._pace = (self._pace + (perf_counter() - start_time) / done) / 2
        return done

    def _is_over(self) -> bool:
        return bool(self._state[kernel.TIGHT]) or not self._period_left()

    def _period_left(self) -> bool:
        return bool(self._state[kernel.PERIOD] and self._state[kernel.STEP])

    def _prove_best(self) -> Generator[AscentState, None, bool]:
        """Prove the best prices on all edges; return whether this found new candidate edges."""
        state = self._state
        if self._best is not None and state[kernel.BEST] <= self._best.bound:
            return False
        ascended = yield from self._prove(self._best_prices)
        if self._best is None or ascended.bound > self._best.bound:
            self._best = ascended
        edges = self._graph.city.size
        if ascended.bound < state[kernel.BEST]:
            self._take_edges(ascended)
            if ascended is not self._best:
                self._return_to(self._best)
            state[kernel.BEST], state[kernel.TIGHT] = self._best.bound, 0
            self._best_prices[:] = self._best.prices
        return self._graph.city.size > edges

    def _return_to(self, best: OneTree) -> None:
        """Return to proven prices: on candidates that contain no tour, the bound would grow without limit."""
        self._prices[:], self._before[:] = best.prices, 0
        self._state[kernel.STEP] = min(self._state[kernel.STEP], self._first_step)

    def _take_edges(self, tree: OneTree) -> None:
        """Add a tree's edges to the candidates."""
        self._pairs = np.vstack((self._pairs, tree.edges))
        self._graph = build_graph(self._problem, self._pairs)
        self._trees.take(self._graph)

    def _prove(self, prices: np.ndarray) -> Generator[AscentState, None, OneTree]:
        return (yield from self._run_in_slices(self._trees.full_tree(prices)))

    def _run_in_slices(self, work: Generator[None, None, T]) -> Generator[AscentState, None, T]:
        """Run work in slices; yield the state after each slice, and return the work's result."""
        while True:
            try:
                next(work)
            except StopIteration as end:
                return end.value
            yield self._state_now()

    def _state_now(self) -> AscentState:
        return AscentState(self._best, int(self._state[kernel.ITERATIONS]))
