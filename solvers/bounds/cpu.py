"""Minimum 1-trees on one core, for the ascent. Imports Numba: for use inside `solve()`."""

from collections.abc import Generator

import numpy as np

from solvers.bounds.full_tree import OneTree, find_full_tree
from solvers.bounds.kernels import sparse_tree_cpu as kernel
from solvers.bounds.problem import Problem


class CoreTreeSolver:
    """Computes minimum 1-trees on one core; see `solvers.bounds.ascent.TreeSolver`."""

    def __init__(self, problem: Problem) -> None:
        self._problem, self._tree = problem, kernel.empty_tree(problem.n)

    def take(self, graph: kernel.Graph) -> None:
        """Set the candidate edges."""
        self._graph = graph

    def ascend(
        self, prices: np.ndarray, before: np.ndarray, best_prices: np.ndarray, state: np.ndarray, iterations: int
    ) -> int:
        """Continue the ascent; see `solvers.bounds.kernels.sparse_tree_cpu.ascend`."""
        return kernel.ascend(
            self._graph, prices, self._problem.limit, self._tree, before, best_prices, state, iterations
        )

    def full_tree(self, prices: np.ndarray) -> Generator[None, None, OneTree]:
        """Return a minimum 1-tree over all edges; yield between slices."""
        return find_full_tree(self._problem, prices)

    def close(self) -> None:
        """Do nothing: there is no memory to free."""
