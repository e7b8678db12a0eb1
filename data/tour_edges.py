"""The edges of tours: how many two tours share."""

import numpy as np


def edge_keys(order: np.ndarray, directed: bool) -> np.ndarray:
    """A number for each edge of a tour, the same in every tour of as many cities.

    Parameters
    ----------
    order : ndarray, shape (n,), int
        The tour, cities from 0.
    directed : bool
        Whether an edge in the other direction is another one.

    Returns
    -------
    ndarray, shape (m,), int64
        Each edge once, sorted: a · n + b of the edge from a to b, or of its smaller city a where edges have no
        direction. m is n, but 1 where n is 2 and edges have no direction.
    """
    there = np.asarray(order, np.int64)
    back = np.roll(there, -1)
    first, second = (there, back) if directed else (np.minimum(there, back), np.maximum(there, back))
    return np.unique(first * there.size + second)


def edges_of_keys(keys: np.ndarray, n: int) -> np.ndarray:
    """The edges of `edge_keys` as pairs of cities, shape (m, 2), int32."""
    return np.stack(np.divmod(keys, n), axis=1).astype(np.int32)


def shared_edges(first: np.ndarray, second: np.ndarray, directed: bool = False) -> int:
    """The number of edges that two tours of the same cities share."""
    keys = edge_keys(first, directed), edge_keys(second, directed)
    return int(np.intersect1d(*keys, assume_unique=True).size)
