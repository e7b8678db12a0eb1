"""The assignment problem: successors of minimum total distance, in any number of cycles.

Shortest augmenting paths, after R. Jonker and A. Volgenant, "A Shortest Augmenting Path Algorithm for Dense and Sparse
Linear Assignment Problems" (1987), with their column reduction and augmenting row reduction.
"""

import numpy as np

from solvers.kernels.compiler import njit

_FAR = np.int64(2**62)
#: Maximum number of steps per city in the augmenting row reduction, which ties can make long.
_STEPS = 10


@njit(inline="always")
def _reduced_length(matrix, leave, enter, a, b):
    """Return a distance minus the prices of leaving a and entering b; it is huge for a city and itself."""
    return np.int64(matrix[a, b]) - leave[a] - enter[b] if a != b else _FAR


@njit(cache=True, nogil=True)
def _reduce_rows(matrix, enter, before, after):
    """Assign rows to their cheapest columns; where that displaces another row, lower the column's price."""
    n = enter.size
    nothing, queue = np.zeros(n, np.int64), np.empty(n, np.int64)
    head, waiting = 0, 0
    for a in range(n):
        if after[a] < 0:
            queue[waiting] = a
            waiting += 1
    for _ in range(_STEPS * n):
        if waiting == 0:
            break
        a = queue[head]
        head = (head + 1) % n
        waiting -= 1
        least, second, nearest, other = _FAR, _FAR, -1, -1
        for b in range(n):
            reduced = _reduced_length(matrix, nothing, enter, a, b)
            if reduced < second:
                if reduced < least:
                    least, second, nearest, other = reduced, least, b, nearest
                else:
                    second, other = reduced, b
        if other < 0:
            break
        if least < second:
            enter[nearest] -= second - least
        elif before[nearest] >= 0:
            nearest = other
        displaced = before[nearest]
        before[nearest], after[a] = a, nearest
        if displaced >= 0:
            after[displaced] = -1
            queue[(head + waiting) % n] = displaced
            waiting += 1


@njit(cache=True, nogil=True)
def assign(matrix, leave, enter):
    """Find prices whose sums are at most the distances, with equality for an assignment.

    Parameters
    ----------
    matrix : ndarray, shape (n, n), int32
        Distances from row to column, of at least two cities.
    leave, enter : ndarray, shape (n,), int64
        Written in place: the prices of leaving and of entering each city. The sum of all prices is a lower bound on the
        length of every tour.
    """
    n = leave.size
    before, after = np.full(n, -1, np.int64), np.full(n, -1, np.int64)
    # First, the price of entering is the minimum distance to a city; at the end, that of leaving is what remains.
    leave[:] = 0
    enter[:] = _FAR
    for a in range(n):
        for b in range(n):
            if a != b:
                enter[b] = min(enter[b], np.int64(matrix[a, b]))
    for a in range(n):
        minimum, nearest = _FAR, -1
        for b in range(n):
            reduced = _reduced_length(matrix, leave, enter, a, b)
            if reduced < minimum or (nearest >= 0 and reduced == minimum and before[nearest] >= 0 and before[b] < 0):
                minimum, nearest = reduced, b
        if before[nearest] < 0:
            before[nearest], after[a] = a, nearest
    _reduce_rows(matrix, enter, before, after)
    for a in range(n):
        minimum = _FAR
        for b in range(n):
            minimum = min(minimum, _reduced_length(matrix, leave, enter, a, b))
        leave[a] = minimum
    reach, origin, columns = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    for first in range(n):
        if after[first] >= 0:
            continue
        # Find the shortest path from the city to one without a predecessor.
        reach[:] = _FAR
        for b in range(n):
            columns[b] = b
        many, at, far, end = n, first, np.int64(0), np.int64(-1)
        while end < 0:
            chosen, minimum = -1, _FAR
            for k in range(many):
                b = columns[k]
                reduced = _reduced_length(matrix, leave, enter, at, b)
                if reduced < _FAR and far + reduced < reach[b]:
                    reach[b], origin[b] = far + reduced, at
                if reach[b] < minimum or (reach[b] == minimum and chosen >= 0 and before[b] < 0):
                    chosen, minimum = k, reach[b]
            b, far = columns[chosen], minimum
            many -= 1
            columns[chosen], columns[many] = columns[many], b  # cities that are reached come last
            if before[b] < 0:
                end = b
            else:
                at = before[b]
        leave[first] += far
        for k in range(many, n):
            b = columns[k]
            enter[b] -= far - reach[b]
            if b != end:
                leave[before[b]] += far - reach[b]
        while True:
            at = origin[end]
            before[end] = at
            after[at], end = end, after[at]
            if at == first:
                break
