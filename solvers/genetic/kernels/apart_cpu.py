"""The distance of two cities for crossovers: read from a table of all, or whatever else is defined for a type."""

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload


def apart(distance: Any, n: int, a: int, b: int) -> Any:
    """Return the distance of two of n cities, int64; for Numba, which takes what is defined for the type of `distance`.

    Defined here is an array, shape (n * n,), int32; others are added with `numba.extending.overload`.
    """
    raise NotImplementedError


@overload(apart)
def _of_table(distance, n, a, b):
    if isinstance(distance, types.Array):
        return lambda distance, n, a, b: np.int64(distance[np.int64(a) * n + b])
    return None
