"""Counts the ants on each edge of a tour, on one core."""

import numpy as np

from solvers.kernels.compiler import njit


@njit(cache=True, nogil=True)
def count_edge_uses(order, tours, weights, directed):
    """Return, for each edge of the tour `order`, the total weight of the tours that contain it; (n,) int64.

    Parameters
    ----------
    order : ndarray, shape (n,), int32
    tours : ndarray, shape (m, n), int32
    weights : ndarray, shape (m,), int64
        The weight of each tour in `tours`.
    directed : bool
        Whether only edges in the same direction count.
    """
    n = np.uint64(order.size)
    after, before = np.empty(order.size, np.int32), np.empty(order.size, np.int32)
    for k in range(n):
        city, next_city = order[k], order[k + np.uint64(1) if k + np.uint64(1) < n else np.uint64(0)]
        after[city], before[next_city] = next_city, city
    counts = np.zeros(order.size, np.int64)
    for ant in range(np.uint64(len(tours))):
        city = tours[ant, n - np.uint64(1)]
        for k in range(n):
            next_city = tours[ant, k]
            if after[city] == next_city:
                counts[city] += weights[ant]
            elif before[city] == next_city and not directed:
                counts[next_city] += weights[ant]
            city = next_city
    return counts[order]
