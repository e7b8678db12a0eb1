"""Distances for crossovers, which are read from a matrix or computed, depending on the type of the data."""

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

#: Edges up to this length are in every tour: they join the two cities of a pair (`solvers.core.doubled_cities`).
FIXED = -(2**30)


def between(distances: Any, n: int, a: int, b: int) -> np.int64:
    """Return the distance between two of n cities; kernels use the overload for the type of `distances`.

    Parameters
    ----------
    distances : ndarray, shape (n * n,), int32, or another type
        All distances; for other types, add an implementation by `numba.extending.overload`.
    n, a, b : int
    """
    raise NotImplementedError


@overload(between)
def _between_of_table(distances, n, a, b):
    if isinstance(distances, types.Array):
        return lambda distances, n, a, b: np.int64(distances[np.int64(a) * n + b])
    return None
