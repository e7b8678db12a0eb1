"""Counts the ants that took each edge of a tour, on one core."""

import numpy as np

from solvers.kernels.compiler import njit


@njit(cache=True, nogil=True)
def times_taken(order, tours, weights):
    """Count the weighted occurrences of each edge of a tour in other tours; (n,) int64.

    Parameters
    ----------
    order : ndarray, shape (n,), int32
        The tour.
    tours : ndarray, shape (m, n), int32
    weights : ndarray, shape (m,), int64
    """
    n = np.uint64(order.size)
    after, before = np.empty(order.size, np.int32), np.empty(order.size, np.int32)
    for k in range(n):
        here, there = order[k], order[k + np.uint64(1) if k + np.uint64(1) < n else np.uint64(0)]
        after[here], before[there] = there, here
    counts = np.zeros(order.size, np.int64)
    for ant in range(np.uint64(len(tours))):
        here = tours[ant, n - np.uint64(1)]
        for k in range(n):
            there = tours[ant, k]
            if after[here] == there:
                counts[here] += weights[ant]
            elif before[here] == there:
                counts[there] += weights[ant]
            here = there
    return counts[order]
