"""Exact distances between two cities on a GPU, for each kind of distance."""

import math
from typing import Any

import numpy as np
from numba import float32, int32, uint32

from solvers.kernels import scalar
from solvers.kernels.device_cuda import EXACT, SIMULATED, device
from solvers.kernels.distance_rows_cpu import ATT, CEIL_2D, EUC_2D, GRID, MATRIX

_PLANAR = {EUC_2D: "EUC_2D", CEIL_2D: "CEIL_2D", ATT: "ATT"}
_1 = np.uint32(1)


if SIMULATED:
    _on_grid = device(scalar.euc_2d_grid)

else:

    @device
    def _on_grid(dx, dy):
        """Compute `scalar.euc_2d_grid` from the GPU's approximate root, corrected in the same way."""
        q = int32(dx * dx + dy * dy)
        root: Any = math.sqrt(float32(q))
        r = int32(root + float32(0.5))
        off = int32(q - r * r)
        return max(int32(0), int32(int32(r + int32(off > r)) - int32(off <= -r)))


def build_metric(policy: int):
    """Build a device function ``(where, n, a, b)`` that returns the exact distance between two cities, int32.

    `where` is a matrix (n * n,) int32; for `GRID`, x and y in 16 bits each, (n,) uint32; for other policies,
    coordinates (2 * n,) float64, x and y of each city side by side.
    """
    if policy == MATRIX:

        @device
        def between(where, n, a, b):
            return where[uint32(a * n + b)]

    elif policy == GRID:

        @device
        def between(where, n, a, b):
            one, other = where[a], where[b]
            dx = int32(one & uint32(0xFFFF)) - int32(other & uint32(0xFFFF))
            return _on_grid(int32(dx), int32(int32(one >> uint32(16)) - int32(other >> uint32(16))))

    else:
        exact = EXACT[_PLANAR[policy]]

        @device
        def between(where, n, a, b):
            p, q = uint32(a + a), uint32(b + b)
            return exact(where[p] - where[q], where[uint32(p + _1)] - where[uint32(q + _1)])

    return between
