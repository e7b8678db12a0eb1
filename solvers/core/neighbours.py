"""Nearest cities, and the nearest-neighbour tour, from a distance matrix."""

from collections.abc import Iterator, Sequence

import numpy as np

from data.interruption import check_between

#: Cities at the same place count as this far apart, so that no weight is infinite.
_MIN_DISTANCE = 0.5
#: Number of matrix entries that are processed at a time; these fit into the caches.
_BLOCK = 1 << 16
#: In a long row, every `_SAMPLE`-th city is sampled; the threshold leaves a margin of `_MARGIN` sampled cities.
_SAMPLE, _MARGIN = 16, 6


def row_blocks(n: int) -> Iterator[slice]:
    """Yield slices of the rows of an (n, n) matrix; between two slices, the preparation of a run can be interrupted."""
    rows = max(1, _BLOCK // max(1, n))
    return (slice(first, min(first + rows, n)) for first in check_between(range(0, n, rows)))


def neighbours(distances: np.ndarray, count: int) -> np.ndarray:
    """Return each city's nearest cities, nearest first; ties go to the lower index.

    Parameters
    ----------
    distances : ndarray, shape (n, n), int32
    count : int

    Returns
    -------
    ndarray, shape (n, min(count, n - 1)), int32
        A city is never its own neighbour.
    """
    n = len(distances)
    k = min(count, n - 1)
    nearest = np.empty((n, k), np.int32)
    far = np.iinfo(np.int64).max
    for rows in row_blocks(n) if k else ():
        row, city = np.nonzero(_mask_nearest(distances, rows, k))
        counts = np.bincount(row)
        place = np.arange(row.size) - np.repeat(np.cumsum(counts) - counts, counts)
        key = np.full((counts.size, counts.max()), far)
        key[row, place] = distances[row + rows.start, city].astype(np.int64) * n + city
        key.sort(axis=1)
        nearest[rows] = key[:, :k] % n
    return nearest


def _mask_nearest(distances: np.ndarray, rows: slice, k: int) -> np.ndarray:
    """Return a bool mask with each row's `k` nearest cities, all ties, and few other cities.

    The cities within a threshold, estimated from a sample, are marked; a row with too few such cities is searched
    completely.
    """
    part = distances[rows].copy()
    block_cities = np.arange(rows.start, rows.stop)
    part[block_cities - rows.start, block_cities] = np.iinfo(np.int32).max
    sample = part[:, ::_SAMPLE]
    rank = k // _SAMPLE + _MARGIN
    if sample.shape[1] > 2 * rank:
        near = part <= np.partition(sample, rank, axis=1)[:, rank, None]
        lacking = near.sum(axis=1) < k
    else:
        near, lacking = np.zeros(part.shape, bool), np.ones(len(part), bool)
    near[lacking] = part[lacking] <= np.partition(part[lacking], k - 1, axis=1)[:, k - 1, None]
    near[block_cities - rows.start, block_cities] = False
    return near


def with_distances(distances: np.ndarray, near: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return nearest cities and their distances, as arrays that `solvers.kernels.local_search_moves` reads.

    Parameters
    ----------
    distances : ndarray, shape (n, n), int32
    near : ndarray, shape (n, k), int32

    Returns
    -------
    tuple of ndarray, shape (n * k,), int32
    """
    return np.ascontiguousarray(near).reshape(-1), np.take_along_axis(distances, near, axis=1).reshape(-1)


def nearest_neighbour_tour(distances: np.ndarray, first_cities: Sequence[int] | np.ndarray = (0,)) -> np.ndarray:
    """Return the nearest-neighbour tour; ties go to the lowest index.

    Parameters
    ----------
    distances : ndarray, shape (n, n), int32
    first_cities : sequence of int
        The first cities of the tour.

    Returns
    -------
    ndarray, shape (n,), int32
    """
    n, count = len(distances), len(first_cities)
    order, is_unvisited = np.zeros(n, np.int32), np.ones(n, bool)
    order[:count] = first_cities
    is_unvisited[order[:count]] = False
    unvisited = np.flatnonzero(
        is_unvisited
    )  # in ascending order, so that argmin finds the lowest of equally near cities
    for place in check_between(range(count, n)):
        at = distances[order[place - 1]][unvisited].argmin()
        order[place] = unvisited[at]
        unvisited[at:-1] = unvisited[at + 1 :]
        unvisited = unvisited[:-1]
    return order


def nearest_neighbour_length(distances: np.ndarray) -> int:
    """Return the length of the nearest-neighbour tour from city 0."""
    order = nearest_neighbour_tour(distances)
    return int(distances[order, np.roll(order, -1)].sum(dtype=np.int64))
