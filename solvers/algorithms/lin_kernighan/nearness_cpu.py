"""Reduces candidate lists by alpha-nearness. Imports Numba: for use inside `solve()`."""

import numpy as np

from solvers.algorithms.lin_kernighan.kernels.nearness_cpu import choose_by_alpha, list_candidates, list_graph
from solvers.algorithms.lin_kernighan.kernels.prices_cpu import ascend
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import Cities
from solvers.bounds.alpha import alpha_nearness
from solvers.bounds.kernels.sparse_tree_cpu import Graph

#: Number of minimum 1-trees of a short ascent; number of price units in a unit of length.
_TREES, _SCALE = 25, 64
#: Minimum ratio of the mean to the median distance of the farthest candidates in clusters: it is 1.1 for uniform
#: cities, at most 1.8 for drilled boards and countries, 2.9 for the clusters of the DIMACS challenge.
_CLUSTERED_RATIO = 2.0


def are_clustered(cities: Cities) -> bool:
    """Return whether the cities are clustered: some have candidates much farther away than most."""
    far = cities.near_distance.max(axis=1)
    return bool(far.mean() > _CLUSTERED_RATIO * np.median(far))


def reduce_candidates(cities: Cities, order: np.ndarray, count: int, trees: int = _TREES) -> tuple[Cities, np.ndarray]:
    """Keep only the nearest candidates by alpha, after a short price ascent.

    K. Helsgaun, "An Effective Implementation of the Lin-Kernighan Traveling Salesman Heuristic" (2000), section 4.1.

    Parameters
    ----------
    cities : Cities
    order : ndarray, shape (n,), int32
        A tour, whose edges are also candidates, so that these connect all cities.
    count : int
        Number of candidates of each city.
    trees : int
        Number of minimum 1-trees of the ascent.

    Returns
    -------
    cities : Cities
    prices : ndarray, shape (n,), float64
        Price of each city, in units of length.
    """
    n = order.size
    ends, length = list_candidates(*cities, order, _SCALE)
    prices, (near, far) = np.empty(n, np.int64), np.empty((2, n, count), np.int32)
    ascend(ends, length, trees, prices)
    graph = Graph(*list_graph(n, ends, length))
    choose_by_alpha(graph, prices, alpha_nearness(graph, prices), _SCALE, near, far)
    return Cities(cities.policy, cities.matrix, cities.points, near, far), prices / _SCALE
