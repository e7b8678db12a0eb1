"""Edges of tours, and how many two tours share."""

import numpy as np


def edge_keys(order: np.ndarray, directed: bool) -> np.ndarray:
    """Return a number for each edge of a tour; an edge has the same number in every tour of n cities.

    Parameters
    ----------
    order : ndarray, shape (n,), int
        The tour, cities from 0.
    directed : bool
        Whether an edge in the other direction is a different edge.

    Returns
    -------
    ndarray, shape (m,), int64
        Sorted numbers of the edges: a · n + b for the edge from a to b, where a is the smaller city if edges have no
        direction. m is n, but 1 if n is 2 and edges have no direction.
    """
    there = np.asarray(order, np.int64)
    back = np.roll(there, -1)
    first, second = (there, back) if directed else (np.minimum(there, back), np.maximum(there, back))
    return np.unique(first * there.size + second)


def keys_to_edges(keys: np.ndarray, n: int) -> np.ndarray:
    """Convert the numbers of `edge_keys` to pairs of cities, (m, 2) int32."""
    return np.stack(np.divmod(keys, n), axis=1).astype(np.int32)


def shared_edges(first: np.ndarray, second: np.ndarray, directed: bool = False) -> int:
    """Return how many edges two tours of the same cities share."""
    keys = edge_keys(first, directed), edge_keys(second, directed)
    return int(np.intersect1d(*keys, assume_unique=True).size)
