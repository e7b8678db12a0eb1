"""Minimum 1-trees over all edges, which prove a bound. Imports Numba: for use inside `solve()`."""

from collections.abc import Generator
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from solvers.bounds.kernels import dense_tree_cpu as kernel
from solvers.bounds.kernels.dense_tree_cpu import FAR
from solvers.bounds.problem import Problem

#: Target duration of a slice in seconds.
SLICE_SECONDS = 0.03
#: Number of distances in the first slice, before the speed is measured.
_INITIAL_WORK = 1 << 20
#: Number of leaves that are tried as special city.
_LEAVES = 64


@dataclass(frozen=True, slots=True, eq=False)
class OneTree:
    """A minimum 1-tree: a spanning tree plus a second edge at one of its leaves.

    Attributes
    ----------
    edges : ndarray, shape (n, 2), int32
        The last edge is the special city's second one, with the special city first.
    weight : ndarray, shape (n,), int64
        The edges' reduced lengths.
    prices : ndarray, shape (n,), int64
        The prices for which the tree is a minimum.
    """

    edges: np.ndarray
    weight: np.ndarray
    prices: np.ndarray

    @property
    def bound(self) -> int:
        """The scaled bound: no tour has a smaller scaled length."""
        return int(self.weight.sum()) - 2 * int(self.prices.sum())

    @property
    def degrees(self) -> np.ndarray:
        """Number of edges at each city, (n,) int64."""
        return np.bincount(self.edges.ravel(), minlength=len(self.prices))


def find_full_tree(problem: Problem, prices: np.ndarray) -> Generator[None, None, OneTree]:
    """Return a minimum 1-tree over all edges; yield between slices.

    Parameters
    ----------
    problem : Problem
        A problem of at least 3 cities.
    prices : ndarray, shape (n,), int64
    """
    n, policy, matrix, scale = problem.n, problem.policy, problem.matrix, problem.scale
    outside = kernel.OutsideCities(
        np.arange(n, dtype=np.int32), problem.points.copy(), prices.copy(), np.full(n, FAR, np.int64),
        np.full(n, -1, np.int32), np.empty(n, np.int32),
    )  # fmt: skip
    remaining, work = n - 1, _INITIAL_WORK
    while remaining:
        start_time = perf_counter()
        count = max(1, work // remaining)
        done = sum(range(max(0, remaining - count), remaining + 1))
        remaining = kernel.grow(policy, matrix, scale, outside, remaining, count)
        work = _next_work(work, done, perf_counter() - start_time)
        yield
    edges = np.stack((outside.city[:-1], outside.near[:-1]), axis=1)
    spanning = OneTree(edges, outside.weight[:-1], outside.price[np.argsort(outside.city)])
    special, to, second = _choose_special_city(problem, spanning)
    return OneTree(np.vstack((edges, [[special, to]])), np.append(spanning.weight, second), spanning.prices)


def _next_work(work: int, done: int, elapsed: float) -> int:
    """Return how many distances to compute in the next slice, estimated from the last slice's speed."""
    return max(_INITIAL_WORK // 16, int((work + done * SLICE_SECONDS / max(elapsed, 1e-5)) / 2))


def _choose_special_city(problem: Problem, tree: OneTree) -> tuple[int, int, int]:
    """Choose the special city; return it, the other end of its second edge, and that edge's reduced length.

    Any leaf of a minimum spanning tree may be the special city: its tree edge is its shortest edge, and without it the
    tree is a minimum spanning tree of the other cities. The longest second edge gives the best bound (Helsgaun, 2000,
    section 4.1). A second edge is no shorter than the tree edge, so the leaves with the longest tree edges are tried.
    """
    city, row = np.arange(problem.n, dtype=np.int32), np.empty(problem.n, np.int32)
    reduced, best = np.empty(problem.n, np.int64), (0, 0, -int(FAR))
    at_leaf = tree.degrees[tree.edges] == 1
    rows = np.flatnonzero(at_leaf.any(axis=1))
    for k in rows[np.argsort(-tree.weight[rows], kind="stable")[:_LEAVES]]:
        leaf, used = tree.edges[k] if at_leaf[k, 0] else tree.edges[k, ::-1]
        kernel.reduced_row(
            problem.policy, problem.matrix, problem.points, city, tree.prices, problem.scale, leaf, row, reduced
        )
        reduced[used] = FAR
        to = int(reduced.argmin())
        if reduced[to] > best[2]:
            best = (int(leaf), to, int(reduced[to]))
    return best
