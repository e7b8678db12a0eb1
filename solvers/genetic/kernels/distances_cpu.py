"""Distances as crossovers read them: from a table, or from whatever else says how to in an overload of its own."""

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload


def between(distances: Any, n: int, a: int, b: int) -> np.int64:
    """Return the distance between two of n cities.

    Parameters
    ----------
    distances : ndarray, shape (n * n,), int32, or NamedTuple
        All distances; other types declare an `overload` of this function beside them.
    n, a, b : int
    """
    return np.int64(distances[a * n + b])


@overload(between)
def _between_of_table(distances, n, a, b):
    if not isinstance(distances, types.Array):
        return None
    return lambda distances, n, a, b: np.int64(distances[a * n + b])
