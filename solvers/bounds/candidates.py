"""Candidate edges: edges to near cities, and those of minimum 1-trees over all edges. Imports Numba and SciPy."""

from collections.abc import Generator

import numpy as np
from scipy.spatial import cKDTree

from data.distances import edge_lengths
from solvers.bounds.kernels.sparse_tree_cpu import Graph
from solvers.bounds.problem import Problem
from solvers.core.neighbours import neighbours
from solvers.kernels.distance_rows_cpu import MATRIX

#: Number of nearest cities to which each city has candidate edges.
NEAREST = 8
#: Number of cities whose nearest cities are searched at a time.
_SLICE = 10_000


def list_nearest_pairs(problem: Problem) -> Generator[None, None, np.ndarray]:
    """Return the pairs of each city with its nearest cities, (m, 2) int64; yield between slices."""
    n, count = problem.n, min(NEAREST, problem.n - 1)
    if problem.policy == MATRIX:
        near = neighbours(problem.matrix, count).astype(np.int64)
    else:
        points, parts = np.ascontiguousarray(problem.points.T), []
        tree = cKDTree(points)
        for first in range(0, n, _SLICE):
            parts.append(np.asarray(tree.query(points[first : first + _SLICE], count + 1)[1]))
            yield
        near = np.vstack(parts)
    return np.stack((np.repeat(np.arange(n), near.shape[1]), near.ravel()), axis=1)


def build_graph(problem: Problem, pairs: np.ndarray) -> Graph:
    """Return the graph whose edges are these pairs of cities, each edge once.

    Parameters
    ----------
    problem : Problem
    pairs : ndarray, shape (m, 2), int
        Pairs of a city with itself are left out.
    """
    n, a, b = problem.n, pairs.min(axis=1).astype(np.int64), pairs.max(axis=1).astype(np.int64)
    keys = np.unique(a[a != b] * n + b[a != b])
    a, b = keys // n, keys % n
    one, other = np.concatenate((a, b)), np.concatenate((b, a))
    by_city = np.lexsort((other, one))
    one, other = one[by_city], other[by_city]
    start = np.concatenate(([0], np.cumsum(np.bincount(one, minlength=n))))
    return Graph(start.astype(np.int64), other.astype(np.int32), compute_lengths(problem, one, other))


def compute_lengths(problem: Problem, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the scaled distance of each pair, int64."""
    if problem.policy == MATRIX:
        return problem.matrix[a, b].astype(np.int64) * problem.scale
    return edge_lengths(problem.instance, a, b) * problem.scale
