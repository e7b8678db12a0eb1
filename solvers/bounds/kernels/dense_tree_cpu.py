"""Minimum spanning tree over all edges, and the reduced lengths of a city's edges, for each kind of distance."""

from typing import NamedTuple

import numpy as np

from solvers.kernels.compiler import njit
from solvers.kernels.distance_rows_cpu import distances

_NO_GRID = np.empty((2, 0), np.int32)
#: A reduced length that exceeds all others.
FAR = np.int64(2**62)


class OutsideCities(NamedTuple):
    """The cities outside a growing tree, stored at the front of each array.

    Attributes
    ----------
    city : ndarray, shape (n,), int32
        All cities: first those outside the tree, then those in it, the latest one first.
    points : ndarray, shape (2, n), float64
        The cities' coordinates, unless distances are a matrix.
    price, weight : ndarray, shape (n,), int64
        Each city's price, and the reduced length of its shortest edge to the tree.
    near : ndarray, shape (n,), int32
        The city in the tree to which that edge leads.
    row : ndarray, shape (n,), int32
        Working memory.
    """

    city: np.ndarray
    points: np.ndarray
    price: np.ndarray
    weight: np.ndarray
    near: np.ndarray
    row: np.ndarray


@njit(cache=True, nogil=True)
def _swap(outside, p, q):
    """Exchange two entries of each array."""
    for values in (outside.price, outside.weight):
        values[p], values[q] = values[q], values[p]
    for values in (outside.city, outside.near):
        values[p], values[q] = values[q], values[p]
    if outside.points.size:
        for axis in range(2):
            outside.points[axis, p], outside.points[axis, q] = outside.points[axis, q], outside.points[axis, p]


@njit(cache=True, nogil=True)
def grow(policy, matrix, scale, outside, remaining, count):
    """Add `count` of the `remaining` outside cities to the tree (Prim, 1957); return how many remain.

    The city added last is at index `remaining`. After each addition, the entry just behind the outside cities contains
    the added city, its edge's reduced length and the edge's other end.
    """
    city, points, price, weight, near, row = outside
    for _ in range(min(count, remaining)):
        distances(policy, matrix, city, points, _NO_GRID, remaining, 0, remaining, row)
        here, here_price = city[remaining], price[remaining]
        minimum, at = FAR, np.int64(0)
        for p in range(np.uint64(0), np.uint64(remaining)):
            reduced = scale * np.int64(row[p]) + here_price + price[p]
            if reduced < weight[p]:
                weight[p], near[p] = reduced, here
            if weight[p] < minimum:
                minimum, at = weight[p], np.int64(p)
        remaining -= 1
        _swap(outside, at, remaining)
    return remaining


@njit(cache=True, nogil=True)
def reduced_row(policy, matrix, points, city, prices, scale, a, row, reduced):
    """Write the reduced lengths of city `a`'s edges to `reduced`, (n,) int64; the entry of `a` itself is huge.

    ``city`` contains 0 to n - 1, and ``points`` (2, n) is in that order.
    """
    n = prices.size
    distances(policy, matrix, city, points, _NO_GRID, a, 0, n, row)
    for b in range(n):
        reduced[b] = scale * np.int64(row[b]) + prices[a] + prices[b]
    reduced[a] = FAR
