"""Nearest cities of each city in the plane, computed in resumable slices without a matrix."""

import numpy as np

from solvers.kernels.compiler import njit


@njit(cache=True, nogil=True)
def insert_neighbour(near, reach, city, squared):
    """Insert a city into a list of nearest cities sorted by distance; of equally near cities the lower comes first."""
    p = near.size - 1
    if squared > reach[p] or (squared == reach[p] and city > near[p]):
        return
    while p > 0 and (squared < reach[p - 1] or (squared == reach[p - 1] and city < near[p - 1])):
        near[p], reach[p] = near[p - 1], reach[p - 1]
        p -= 1
    near[p], reach[p] = city, squared


@njit(cache=True, nogil=True)
def nearest_cities(points, by_x, near, first, work):
    """Find the nearest cities of each city from `first` on, by unrounded distance in the plane.

    The search runs along x in both directions until the difference in x exceeds the k-th distance.

    Parameters
    ----------
    points : ndarray, shape (2, n), float64
    by_x : ndarray, shape (n,), int32
        The cities in order of x.
    near : ndarray, shape (n, k), int32
        Written in place; k < n.
    first : int
        Index in `by_x` of the first city.
    work : int
        Number of cities to check before returning.

    Returns
    -------
    int
        The next index.
    """
    n, k = near.shape
    reach = np.empty(k)
    at, used = first, 0
    while at < n and used < work:
        here = by_x[at]
        x, y = points[0, here], points[1, here]
        reach[:] = np.inf
        near[here] = n
        for step in (-1, 1):
            p = at + step
            while 0 <= p < n:
                neighbour = by_x[p]
                dx, dy = points[0, neighbour] - x, points[1, neighbour] - y
                if dx * dx > reach[k - 1]:
                    break
                insert_neighbour(near[here], reach, neighbour, dx * dx + dy * dy)
                used += 1
                p += step
        at += 1
    return at
