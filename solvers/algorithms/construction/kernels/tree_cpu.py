"""Resumable minimum spanning tree by Prim's algorithm, and the largest violation of the triangle inequality."""

import numpy as np

from solvers.algorithms.construction.kernels.construct_cpu import swap
from solvers.kernels.compiler import njit
from solvers.kernels.distance_rows_cpu import fill_row


@njit(cache=True, nogil=True)
def grow_tree(measure, path, position, row, near, parent, size, budget):
    """Repeatedly add the nearest city to the tree; ties go to the lowest city.

    R. C. Prim, "Shortest connection networks and some generalizations" (1957).

    Parameters
    ----------
    measure : Measure
    path : Path
        The cities of the tree at positions 0 to `size` - 1, in the order in which they were added, then the others.
    position : ndarray, shape (n,), int32
        Position of each city.
    row : ndarray, shape (n + 1,), int32
        A buffer.
    near, parent : ndarray, shape (n,), int32
        Distance of each city to the tree, and the nearest city of the tree.
    size : int
    budget : int
        Number of distances to compute; the first city that reaches it returns.

    Returns
    -------
    int
        The new size.
    """
    n = path.city.size - 1
    while size < n and budget > 0:
        newest = path.city[size - 1]
        fill_row(measure, path, size - 1, size, n, row)
        best = size
        for p in range(size, n):
            c = path.city[p]
            if size == 1 or row[p] < near[c]:
                near[c], parent[c] = row[p], newest
            b = path.city[best]
            if near[c] < near[b] or (near[c] == near[b] and c < b):
                best = p
        swap(measure, path, position, size, best)
        budget -= n - size
        size += 1
    return size


@njit(cache=True, nogil=True)
def max_excess(distances, first, last):
    """Return the most by which a distance from a city in `first` to `last` - 1 exceeds a detour; 0 if none does."""
    n = len(distances)
    maximum = np.int32(0)
    for i in range(first, last):
        for j in range(i + 1, n):
            direct, detour = distances[i, j], np.int32(2147483647)
            one, other = distances[i], distances[j]
            for k in range(n):
                path = one[k] + other[k]
                detour = min(detour, path if k != i and k != j else np.int32(2147483647))
            if n > 2:
                maximum = max(maximum, direct - detour)
    return maximum
