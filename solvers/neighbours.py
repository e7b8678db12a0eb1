"""Nearest cities of each city, and the nearest-neighbour tour, from a matrix of distances."""

from collections.abc import Sequence

import numpy as np

#: What a distance counts at least, so that cities in one place are near but not infinitely near.
_LEAST_DISTANCE = 0.5
#: Entries of a matrix that are worked on at a time: they stay in the caches.
_BLOCK = 1 << 16
#: One city in so many of a long row makes a sample, and so many more of it than their share are looked for.
_SAMPLE, _MARGIN = 16, 6


def _row_blocks(n: int) -> list[slice]:
    rows = max(1, _BLOCK // max(1, n))
    return [slice(first, min(first + rows, n)) for first in range(0, n, rows)]


def neighbours(distances: np.ndarray, count: int) -> np.ndarray:
    """The nearest cities of each city, the nearest first; of equally near ones the one with the lower index.

    Parameters
    ----------
    distances : ndarray, shape (n, n), int32
    count : int

    Returns
    -------
    ndarray, shape (n, min(count, n - 1)), int32
        Never the city itself.
    """
    n = len(distances)
    k = min(count, n - 1)
    found = np.empty((n, k), np.int32)
    far = np.iinfo(np.int64).max
    for rows in _row_blocks(n) if k else []:
        row, city = np.nonzero(_near_enough(distances, rows, k))
        counts = np.bincount(row)
        place = np.arange(row.size) - np.repeat(np.cumsum(counts) - counts, counts)
        key = np.full((counts.size, counts.max()), far)
        key[row, place] = distances[row + rows.start, city].astype(np.int64) * n + city
        key.sort(axis=1)
        found[rows] = key[:, :k] % n
    return found


def _near_enough(distances: np.ndarray, rows: slice, k: int) -> np.ndarray:
    """Cities of some rows, the `k` nearest and those equally near among them, and few others: bool.

    They are as near as some city of a sample is; a row where these are too few is gone through.
    """
    part = distances[rows].copy()
    inside = np.arange(rows.start, rows.stop)
    part[inside - rows.start, inside] = np.iinfo(np.int32).max
    sample = part[:, ::_SAMPLE]
    rank = k // _SAMPLE + _MARGIN
    if sample.shape[1] > 2 * rank:
        near = part <= np.partition(sample, rank, axis=1)[:, rank, None]
        few = near.sum(axis=1) < k
    else:
        near, few = np.zeros(part.shape, bool), np.ones(len(part), bool)
    near[few] = part[few] <= np.partition(part[few], k - 1, axis=1)[:, k - 1, None]
    near[inside - rows.start, inside] = False
    return near


def with_distances(distances: np.ndarray, near: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lists of nearest cities and how far these are, row by row, as `solvers.kernels.local_search_moves` reads them.

    Parameters
    ----------
    distances : ndarray, shape (n, n), int32
    near : ndarray, shape (n, k), int32

    Returns
    -------
    tuple of ndarray, shape (n * k,), int32
    """
    return np.ascontiguousarray(near).reshape(-1), np.take_along_axis(distances, near, axis=1).reshape(-1)


def nearest_neighbour_tour(distances: np.ndarray, begun: Sequence[int] | np.ndarray = (0,)) -> np.ndarray:
    """The tour that goes on to the nearest unvisited city, of equally near ones the lowest.

    Parameters
    ----------
    distances : ndarray, shape (n, n), int32
    begun : sequence of int
        The cities that it begins with.

    Returns
    -------
    ndarray, shape (n,), int32
    """
    n, known = len(distances), len(begun)
    far = np.int64(np.iinfo(np.int64).max)
    order, closed = np.zeros(n, np.int32), np.zeros(n, bool)
    order[:known] = begun
    closed[order[:known]] = True
    for place in range(known, n):
        here = order[place - 1]
        closed[here] = True
        order[place] = np.where(closed, far, distances[here]).argmin()
    return order


def nearest_neighbour_length(distances: np.ndarray) -> int:
    """Length of that tour."""
    order = nearest_neighbour_tour(distances)
    return int(distances[order, np.roll(order, -1)].sum(dtype=np.int64))
