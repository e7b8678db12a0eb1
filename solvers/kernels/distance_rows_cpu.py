"""Rows of distances along a tour, for each kind of distance; all CPU kernels use these."""

from typing import NamedTuple, cast

import numpy as np

from solvers.kernels import scalar
from solvers.kernels.compiler import njit

#: Typed constants, since Numba would compile each function again for every literal passed to it.
MATRIX, EUC_2D, CEIL_2D, ATT, GRID = cast(tuple[int, ...], tuple(map(np.int64, range(5))))

_euc_2d, _ceil_2d = njit(scalar.euc_2d), njit(scalar.ceil_2d)
_att, _euc_2d_grid = njit(scalar.att), njit(scalar.euc_2d_grid)


class Measure(NamedTuple):
    """What an instance's distances are computed from. Arrays that the policy does not use have size 0.

    Attributes
    ----------
    policy : int
        `MATRIX` (explicit weights and GEO), `EUC_2D`, `CEIL_2D`, `ATT`, or `GRID` (EUC_2D on integer coordinates).
    matrix : ndarray, shape (n, n), int32
    points : ndarray, shape (2, n), float64
        The x and y coordinates.
    grid : ndarray, shape (2, n), int32
        The x and y coordinates as integers.
    """

    policy: int
    matrix: np.ndarray
    points: np.ndarray
    grid: np.ndarray


class Path(NamedTuple):
    """A closed tour, laid out for sequential reads: n + 1 positions, the last one equal to the first.

    Attributes
    ----------
    city : ndarray, shape (n + 1,), int32
    points : ndarray, shape (2, n + 1), float64
        The cities' coordinates in the order of the tour, if the policy reads them.
    grid : ndarray, shape (2, n + 1), int32
    edge : ndarray, shape (n + 1,), int32
        edge[p] is the distance from position p - 1 to position p; edge[0] is not used.
    """

    city: np.ndarray
    points: np.ndarray
    grid: np.ndarray
    edge: np.ndarray


# Numba inlines this, with a constant policy: calls would count references to every array for each row, which costs as
# much as fifty moves.


@njit(forceinline=True)
def distances(policy, matrix, city, points, grid, position, first, last, row):
    """Write the distances from one position to positions `first` to `last` - 1 to the same entries of `row`.

    The loops use unsigned integers, which need no checks for negative indices, so LLVM vectorises them. The first
    arguments are fields of a `Measure` and a `Path`.
    """
    if policy == MATRIX:
        here = np.uint32(city[position])
        for p in range(np.uint64(first), np.uint64(last)):
            row[p] = matrix[here, np.uint32(city[p])]
    elif policy == GRID:
        grid_x, grid_y = grid[0, position], grid[1, position]
        for p in range(np.uint64(first), np.uint64(last)):
            row[p] = _euc_2d_grid(np.int32(grid_x - grid[0, p]), np.int32(grid_y - grid[1, p]))
    else:
        x, y = points[0, position], points[1, position]
        if policy == EUC_2D:
            for p in range(np.uint64(first), np.uint64(last)):
                row[p] = _euc_2d(x - points[0, p], y - points[1, p])
        elif policy == CEIL_2D:
            for p in range(np.uint64(first), np.uint64(last)):
                row[p] = _ceil_2d(x - points[0, p], y - points[1, p])
        else:
            for p in range(np.uint64(first), np.uint64(last)):
                row[p] = _att(x - points[0, p], y - points[1, p])


@njit(cache=True, nogil=True)
def fill_row(measure, path, position, first, last, row):
    """Call `distances` without inlining it, for long rows."""
    distances(measure.policy, measure.matrix, path.city, path.points, path.grid, position, first, last, row)


@njit(cache=True, nogil=True)
def lay(measure, path, first, last):
    """Write the coordinates of the cities at positions `first` to `last` - 1 to the path."""
    city = path.city
    if measure.policy == GRID:
        grid, along = measure.grid, path.grid
        for p in range(np.uint64(first), np.uint64(last)):
            along[0, p] = grid[0, np.uint32(city[p])]
            along[1, p] = grid[1, np.uint32(city[p])]
    elif measure.policy != MATRIX:
        points, tour_points = measure.points, path.points
        for p in range(np.uint64(first), np.uint64(last)):
            tour_points[0, p] = points[0, np.uint32(city[p])]
            tour_points[1, p] = points[1, np.uint32(city[p])]


@njit(cache=True, nogil=True)
def lay_tour(measure, path):
    """Fill in the path, given its cities ``path.city[:n]``; return the tour's length, int64."""
    city, edge, matrix, points, grid = path.city, path.edge, measure.matrix, path.points, path.grid
    n = city.size - 1
    city[n] = city[0]
    lay(measure, path, 0, n + 1)
    if measure.policy == MATRIX:
        for p in range(n):
            edge[p + 1] = matrix[city[p], city[p + 1]]
    elif measure.policy == GRID:
        for p in range(n):
            edge[p + 1] = _euc_2d_grid(np.int32(grid[0, p] - grid[0, p + 1]), np.int32(grid[1, p] - grid[1, p + 1]))
    elif measure.policy == EUC_2D:
        for p in range(n):
            edge[p + 1] = _euc_2d(points[0, p] - points[0, p + 1], points[1, p] - points[1, p + 1])
    elif measure.policy == CEIL_2D:
        for p in range(n):
            edge[p + 1] = _ceil_2d(points[0, p] - points[0, p + 1], points[1, p] - points[1, p + 1])
    else:
        for p in range(n):
            edge[p + 1] = _att(points[0, p] - points[0, p + 1], points[1, p] - points[1, p + 1])
    length = np.int64(0)
    for p in range(n):
        length += edge[p + 1]
    return length
