"""Integer reduced costs and lower bounds over all edges of the complete graph."""

import numpy as np

from solvers.kernels.compiler import njit


@njit(cache=True, nogil=True)
def reduce_costs(scaled, prices, start, members, duals, reduced):
    """Compute every edge's reduced cost: its scaled length minus the duals of the rows that contain it.

    Parameters
    ----------
    scaled : ndarray, shape (n, n), int64
        Lengths times the scale.
    prices : ndarray, shape (n,), int64
        Duals of the cities' degrees.
    start : ndarray, shape (k + 1,), int64
        The start of each set in `members`.
    members : ndarray, int32
    duals : ndarray, shape (k,), int64
        Nonnegative duals of the sets, which are subtracted from the costs of edges that leave the sets.
    reduced : ndarray, shape (n, n), int64
    """
    n = prices.size
    for a in range(n):
        for b in range(n):
            reduced[a, b] = scaled[a, b] - prices[a] - prices[b]
    inside = np.empty(n, np.bool_)
    for k in range(duals.size):
        inside[:] = False
        for at in range(start[k], start[k + 1]):
            inside[members[at]] = True
        for at in range(start[k], start[k + 1]):
            a = members[at]
            for b in range(n):
                if not inside[b]:
                    reduced[a, b] -= duals[k]
                    reduced[b, a] -= duals[k]


@njit(cache=True, nogil=True)
def min_sum(reduced, fixed):
    """Return the minimum sum of reduced costs with the fixed edges; a free edge counts if its cost is negative.

    Parameters
    ----------
    reduced : ndarray, shape (n, n), int64
    fixed : ndarray, shape (n, n), int8
        1 for an edge that must be in the tour, 0 for one that must not, -1 for a free edge.
    """
    total = np.int64(0)
    for a in range(reduced.shape[0]):
        for b in range(a):
            if fixed[a, b] == 1 or (fixed[a, b] == -1 and reduced[a, b] < 0):
                total += reduced[a, b]
    return total
