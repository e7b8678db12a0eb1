"""Prefix sums of all fitness rows, computed once per iteration, for trials that may draw visited cities.

Eq. 9 of A. Uchida, Y. Ito and K. Nakano (2012): as if all cities were unvisited.
"""

import numpy as np
from numba import float32, uint32

from solvers.algorithms.ants.kernels.scan_cuda import PARTS, sums_before, warp_sums
from solvers.kernels.device_cuda import SIMULATED, WARP, cuda

_ZERO = np.float32(0.0)


def threads(n: int) -> int:
    """Return the number of threads per block, a multiple of the warp size."""
    return 4 if SIMULATED else min(256, -(-n // 32) * 32)


@cuda.jit(fastmath=True)
def prefix_sums(fitness, prefix, n, stride):
    """Write the inclusive prefix sums of each row, with one block per row.

    Parameters
    ----------
    fitness, prefix : float32 (n * stride,)
        Row i begins at i * stride; a row's entries past the n-th do not change.
    n, stride : uint32
    """
    totals = cuda.shared.array(PARTS, float32)
    thread, width = uint32(cuda.threadIdx.x), uint32(cuda.blockDim.x)
    warp, warps = thread // uint32(WARP), width // uint32(WARP)
    row, first, carried = uint32(cuda.blockIdx.x) * stride, uint32(0), _ZERO
    while first < n:
        k = first + thread
        running_sum = warp_sums(fitness[row + k] if k < n else _ZERO)
        if thread % uint32(WARP) == uint32(WARP - 1):
            totals[warp] = running_sum
        cuda.syncthreads()
        before, total = sums_before(totals, warps, warp)
        if k < n:
            prefix[row + k] = float32(carried + (before + running_sum))
        carried = float32(carried + total)
        first += width
        cuda.syncthreads()
