"""Directed tours as symmetric ones with twice as many cities: city c of n is entered at c and left at n + c.

R. Jonker and T. Volgenant, "Transforming asymmetric into symmetric traveling salesman problems" (Operations Research
Letters 2, 1983). A fixed edge joins entrance and exit of each city.
"""

import numpy as np


def write_doubled(distances: np.ndarray, fixed: int, forbidden: int, doubled: np.ndarray) -> None:
    """Write the distances between the doubled cities.

    Parameters
    ----------
    distances : ndarray, shape (n, n)
        From row to column.
    fixed : int
        Length of the edge between entrance and exit of a city.
    forbidden : int
        Length of the edges between two entrances or two exits.
    doubled : ndarray, shape (2 n, 2 n), int32
        Written in place.
    """
    n, city = len(distances), np.arange(len(distances))
    doubled[n:, :n] = distances
    doubled[:n, n:] = doubled[n:, :n].T
    doubled[city, city + n] = doubled[city + n, city] = fixed
    doubled[:n, :n] = doubled[n:, n:] = forbidden
    np.fill_diagonal(doubled, 0)


def pair(orders: np.ndarray) -> np.ndarray:
    """Convert directed tours, (..., n), to tours of the doubled cities, (..., 2 n) int32."""
    n = orders.shape[-1]
    return np.stack([orders, orders + n], axis=-1).reshape(*orders.shape[:-1], 2 * n).astype(np.int32)


def unpair(paired: np.ndarray) -> np.ndarray:
    """Convert a tour of the doubled cities, (2 n,), to a directed one."""
    n, at = paired.size // 2, int(np.flatnonzero(paired == 0)[0])
    forward = paired[(at + 1) % paired.size] == n
    return paired[paired < n][:: 1 if forward else -1]


def unpair_links(links: np.ndarray) -> np.ndarray:
    """Convert doubled cities' neighbours, (m, 2 n, 2), to each city's predecessor and successor, (m, n, 2) int32."""
    n = links.shape[1] // 2
    city = np.arange(n)[:, None]
    enter, leave = links[:, :n], links[:, n:]
    before = np.where(enter[..., :1] == city + n, enter[..., 1:], enter[..., :1]) - n
    after = np.where(leave[..., :1] == city, leave[..., 1:], leave[..., :1])
    return np.concatenate([before, after], axis=-1).astype(np.int32)
