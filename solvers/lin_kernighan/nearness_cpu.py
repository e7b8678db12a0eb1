"""Candidates by alpha-nearness, which few cities need fewer of. Imports Numba: for use inside `solve()`."""

import numpy as np

from solvers.bounds.alpha import alpha_nearness
from solvers.bounds.kernels import sparse_tree_cpu as kernel
from solvers.lin_kernighan.kernels.nearness_cpu import choose_by_alpha, list_graph
from solvers.lin_kernighan.kernels.tour_cpu import Cities

#: Iterations of the ascent, and how often the step is halved in them; units of a price in a unit of length; the first
#: step is the mean length of an edge over this.
_ITERATIONS, _PERIOD, _SCALE, _FIRST_STEP = 40, 20, 64, 64
#: Of a price's absolute value, in its units.
_LIMIT = 1 << 50


def by_alpha(cities: Cities, order: np.ndarray, count: int) -> tuple[Cities, np.ndarray]:
    """Keep those candidates alone that are nearest by alpha, after a short ascent of the prices.

    K. Helsgaun, "An Effective Implementation of the Lin-Kernighan Traveling Salesman Heuristic" (2000), section 4.1.

    Parameters
    ----------
    cities : Cities
    order : ndarray, shape (n,), int32
        A tour, whose edges are candidates too, so that these connect all cities.
    count : int
        Candidates of each city.

    Returns
    -------
    cities : Cities
    prices : ndarray, shape (n,), float64
        Of each city, in units of length.
    """
    graph = kernel.Graph(*list_graph(*cities, order, _SCALE))
    prices = _ascended(graph, order.size)
    near, far = np.empty((2, order.size, count), np.int32)
    choose_by_alpha(graph, prices, alpha_nearness(graph, prices), _SCALE, near, far)
    return Cities(cities.policy, cities.matrix, cities.points, near, far), prices / _SCALE


def _ascended(graph: kernel.Graph, n: int) -> np.ndarray:
    """The prices of the best bound of a short ascent, (n,) int64."""
    prices, before, best = np.zeros(n, np.int64), np.zeros(n, np.int32), np.zeros(n, np.int64)
    state, tree = np.zeros(kernel.STATE, np.int64), kernel.empty_tree(n)
    state[kernel.BEST], state[kernel.DOUBLING] = -kernel.FAR, 1
    state[kernel.STEP] = max(1, int(graph.length.mean()) // _FIRST_STEP)
    state[[kernel.PERIOD, kernel.LEFT]] = _PERIOD
    done = 0
    while done < _ITERATIONS and state[kernel.PERIOD] and state[kernel.STEP] and not state[kernel.TIGHT]:
        done += kernel.ascend(graph, prices, _LIMIT, tree, before, best, state, _ITERATIONS - done)
    return best
