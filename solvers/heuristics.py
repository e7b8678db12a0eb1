"""What ants know before they walk: how near the cities are, and the first trails. Arrays alone, without Numba."""

from collections.abc import Generator, Sequence

import numpy as np

#: No trail falls below this share of the first trails (S. Bitner, "ACOTSP", 2025: a lower bound of the trails).
FLOOR = 1e-10
#: What a distance counts at least, so that cities in one place are near but not infinitely near.
_LEAST_DISTANCE = 0.5
#: What the nearness of two cities counts at least, beside 1 for the nearest of the row.
_LEAST_NEARNESS = 1e-30
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
    """Lists of nearest cities and how far these are, row by row, as `solvers.kernels.ants_two_opt_moves` reads them.

    Parameters
    ----------
    distances : ndarray, shape (n, n), int32
    near : ndarray, shape (n, k), int32

    Returns
    -------
    tuple of ndarray, shape (n * k,), int32
    """
    return np.ascontiguousarray(near).reshape(-1), np.take_along_axis(distances, near, axis=1).reshape(-1)


def nearness(distances: np.ndarray, beta: float) -> np.ndarray:
    """The heuristic to the power beta: (d_max / d)**beta, each row divided by its greatest, 0 on the diagonal.

    Ants only know ratios within a row, so scaling changes no choice, and keeps products within float32. After S.
    Bitner, "ACOTSP" (2025), distances are scaled by the longest.

    Parameters
    ----------
    distances : ndarray, shape (n, n), int32
    beta : float

    Returns
    -------
    ndarray, shape (n, n), float32
        At least 1e-30 off the diagonal.
    """
    eta = np.empty(distances.shape, np.float32)
    for rows, block in nearness_blocks(distances, beta):
        eta[rows] = block
    return eta


def nearness_blocks(distances: np.ndarray, beta: float) -> Generator[tuple[slice, np.ndarray], None, None]:
    """The rows of `nearness`, some at a time: which they are, and a new array of them."""
    longest = max(float(distances.max(initial=0)), _LEAST_DISTANCE)
    for rows in _row_blocks(len(distances)):
        block = (longest / np.maximum(distances[rows], _LEAST_DISTANCE)) ** beta
        inside = np.arange(rows.start, rows.stop)
        block[inside - rows.start, inside] = 0.0
        greatest = block.max(axis=1, keepdims=True)
        block /= np.where(greatest > 0.0, greatest, 1.0)
        eta = np.maximum(block, _LEAST_NEARNESS).astype(np.float32)
        eta[inside - rows.start, inside] = 0.0
        yield rows, eta


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


def usual_trail(distances: np.ndarray, first: float, left: float, rho: float) -> float:
    """A trail between those at the beginning and those of edges that many ants keep going.

    Powers of trails are taken of their ratios to it: float32 has no room for the fifth power of a trail of 1e-8.

    Parameters
    ----------
    distances : ndarray, shape (n, n), int32
    first : float
        tau_0.
    left : float
        What all ants leave in an iteration, times the length of a tour.
    rho : float
    """
    settled = left / max(1, nearest_neighbour_length(distances)) / rho
    return float(np.sqrt(first * max(first, settled)))


def first_trail(distances: np.ndarray, initial: str) -> float:
    """The trail of every edge before the first iteration, tau_0.

    Parameters
    ----------
    distances : ndarray, shape (n, n), int32
    initial : str
        ``one``, or ``nearest-neighbour`` for n / C_nn, C_nn at least 1 (A. Uchida, Y. Ito and K. Nakano, "An Efficient
        GPU Implementation of Ant Colony Optimization for the Traveling Salesman Problem", 2012, equation 1).
    """
    return 1.0 if initial == "one" else len(distances) / max(1, nearest_neighbour_length(distances))
