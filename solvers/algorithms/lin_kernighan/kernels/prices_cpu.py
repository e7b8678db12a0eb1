"""Prices of cities, from a short ascent on candidate edges.

M. Held, P. Wolfe and H. P. Crowder, "Validation of Subgradient Optimization" (1974): a step is proportional to the
difference between a target and the bound. After 30 trees, this ascent is closer to the optimum than the one in
`solvers.bounds`, whose periods of constant steps are meant for hundreds of trees, is after 40.

Minimum spanning trees are built by Kruskal's algorithm. With only a few edges per city, a radix sort takes less time
than Prim's queue, and only the tree's degrees are needed, not its paths.
"""

import numpy as np

from solvers.algorithms.lin_kernighan.kernels.digits_cpu import DIGIT, sort_by
from solvers.kernels.compiler import njit

#: `_TARGET`: the target, as a multiple of the bound without prices. `_MIN_STEP`: the target's minimum distance from the
#: bound, as a fraction of the bound. `_FIRST`: the fraction of that distance that the first step would cover if no
#: degree changed. `_NEXT`: the factor from each step to the next. `_BEFORE`: the weight of the previous tree in a step.
_TARGET, _MIN_STEP, _FIRST, _NEXT, _BEFORE = 1.18, 0.01, 2.0, 0.9, 0.3
_FAR = np.int64(2**62)


@njit(cache=True, nogil=True)
def _root(parent, city):
    """Return the city that represents a component of the forest."""
    while parent[city] != city:
        parent[city] = parent[parent[city]]
        city = parent[city]
    return city


@njit(cache=True, nogil=True)
def one_tree(ends, order, keys, parent, degree, neighbour):
    """Find a minimum 1-tree of edges that connect all cities.

    Its special city is the leaf with the longest second edge.

    Parameters
    ----------
    ends : ndarray, shape (m, 2), int32
    order : ndarray, shape (m,), int32
        The edges by length.
    keys : ndarray, shape (m,), int64
        Lengths of the edges; only their differences count.
    parent, neighbour : ndarray, shape (n,), int32
        Working memory.
    degree : ndarray, shape (n,), int32
        Written in place.

    Returns
    -------
    int
        The sum of the lengths of the 1-tree's n edges.
    """
    n, total, remaining = degree.size, np.int64(0), degree.size - 1
    for a in range(n):
        parent[a], degree[a], neighbour[a] = a, 0, 0
    for at in range(order.size):
        e = order[at]
        a, b = ends[e, 0], ends[e, 1]
        one, other = _root(parent, a), _root(parent, b)
        if one == other:
            continue
        parent[one] = other
        degree[a] += 1
        degree[b] += 1
        neighbour[a] ^= b  # for a leaf, this is its only neighbour
        neighbour[b] ^= a
        total += keys[e]
        remaining -= 1
        if remaining == 0:
            break
    # Each leaf's second edge is the first that occurs, so the last leaf to get one has the longest.
    last = np.int64(-1)
    for at in range(order.size):
        e = order[at]
        for side in range(2):
            a, b = ends[e, side], ends[e, 1 - side]
            if degree[a] == 1 and neighbour[a] >= 0 and neighbour[a] != b:
                neighbour[a] = -1
                last = 2 * np.int64(e) + side
    if last >= 0:
        e = last >> 1
        degree[ends[e, 0]] += 1
        degree[ends[e, 1]] += 1
        total += keys[e]
    return total


@njit(cache=True, nogil=True)
def ascend(ends, length, iterations, best_prices):
    """Run an ascent, and write the prices that gave its best bound.

    Parameters
    ----------
    ends : ndarray, shape (m, 2), int32
        Edges that connect all cities.
    length : ndarray, shape (m,), int64
    iterations : int
        Maximum number of trees; if a tree is a tour, no more are built.
    best_prices : ndarray, shape (n,), int64
        Written in place, in units of length.

    Returns
    -------
    int
        The bound.
    """
    n, m = best_prices.size, length.size
    prices, before, degree = np.zeros(n, np.int64), np.zeros(n, np.int32), np.empty(n, np.int32)
    (parent, neighbour), (order, spare) = np.empty((2, n), np.int32), np.empty((2, m), np.int32)
    keys, best, target, share = np.empty(m, np.int64), -_FAR, 0.0, _FIRST
    for iteration in range(iterations):
        minimum, maximum = _FAR, -_FAR
        for e in range(m):
            key = length[e] + prices[ends[e, 0]] + prices[ends[e, 1]]
            keys[e] = key
            minimum, maximum = min(minimum, key), max(maximum, key)
        digits = 1
        while (maximum - minimum) >> (DIGIT * digits):
            digits += 1
        for e in range(m):
            keys[e] -= minimum
        sort_by(keys, digits, order, spare)
        bound = one_tree(ends, order, keys, parent, degree, neighbour) + n * minimum - 2 * prices.sum()
        if bound > best:
            best = bound
            best_prices[:] = prices
        if iteration == 0:
            target = _TARGET * bound
        square = np.int64(0)
        for a in range(n):
            square += np.int64(degree[a] - 2) ** 2
        if square == 0:
            break
        step = share * max(target - bound, _MIN_STEP * bound) / square
        share *= _NEXT
        for a in range(n):
            now = np.int32(degree[a] - 2)
            prices[a] += np.int64(step * ((1.0 - _BEFORE) * now + _BEFORE * before[a]))
            before[a] = now
    return best
