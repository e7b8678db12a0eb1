"""Shortest path through a few cities with directed distances, in one call.

The path is read backwards from a table of all states; `path_cpu` is for symmetric distances.
"""

import numpy as np

from solvers.kernels.compiler import njit

_INFINITE = np.int64(1 << 62)


@njit(cache=True)
def _before(table, distances, through, cities, city):
    """Return the city before `city` on the shortest path through a set, and that path's length."""
    best, minimum = 0, _INFINITE
    for end in range(through.size):
        if cities >> end & 1 and table[cities, end] + distances[through[end], city] < minimum:
            best, minimum = end, table[cities, end] + distances[through[end], city]
    return best, minimum


@njit(cache=True)
def shortest_directed_path(distances: np.ndarray, first: int, through: np.ndarray, last: int) -> np.ndarray:
    """Find the shortest path from `first` to `last` that visits all cities of `through`.

    M. Held and R. M. Karp, "A Dynamic Programming Approach to Sequencing Problems" (1962), section 1. Of equally short
    paths, the one is found whose cities, read from the end, come first in `through`.

    Parameters
    ----------
    distances : ndarray, shape (n, n), int64
        Distances from row to column, not negative.
    first, last : int
    through : ndarray, shape (k,), int64
        At most about a dozen cities, since there are k 2**k states.

    Returns
    -------
    ndarray, shape (k + 2,), int64
        The path, with both ends.
    """
    count = through.size
    table = np.full((1 << count, max(count, 1)), _INFINITE)
    for end in range(count):
        table[1 << end, end] = distances[first, through[end]]
    for cities in range(1, 1 << count):
        for end in range(count):
            before = cities ^ 1 << end
            if cities >> end & 1 and before:
                table[cities, end] = _before(table, distances, through, before, through[end])[1]
    path = np.empty(count + 2, np.int64)
    path[0], path[-1] = first, last
    cities = (1 << count) - 1
    for base in range(count, 0, -1):
        end, _ = _before(table, distances, through, cities, path[base + 1])
        path[base] = through[end]
        cities ^= 1 << end
    return path
