"""A block's prefix sums by shuffles, and searches in them, with other versions for the simulator.

Each thread adds up its own cities, each warp its threads' sums, and every warp the sums of all warps. So one barrier is
enough, while a scan in shared memory (M. Harris et al., GPU Gems 3, 2007, chapter 39) needs one for each power of two.
This works for any number of cities and of whole warps.
"""

import numpy as np
from numba import float32, int32, uint32

from solvers.kernels.device_cuda import SIMULATED, WARP, cuda, device

#: Maximum number of warps per block, and the number of parts of a row in the k-ary search.
PARTS = 32
_ZERO = np.float32(0.0)
_ALL = 0xFFFFFFFF

if SIMULATED:

    @device
    def warp_sums(value):
        """Return the inclusive prefix sums of a warp's values, float32."""
        return value

    @device
    def first_lane(flag):
        """Return the lowest lane whose flag is set, or -1."""
        return int32(0) if flag else int32(-1)

    @device
    def find_lane(own, running_sum, r):
        """Return, in all lanes, the lane into whose range of the prefix sums r falls, and the rest of r.

        If rounding puts r past the end, this is the last lane with a range. ``own`` must be positive in some lane.
        """
        return uint32(0), r

    @device
    def find_part(totals, parts, u):
        """Return the part on which u, a share of the sum of ``totals[:parts]``, falls, and the rest."""
        r = _ZERO
        for k in range(int(parts)):
            r += totals[k]
        r, last, rest = float32(u * r), 0, _ZERO
        for k in range(int(parts)):
            if totals[k] > _ZERO:
                last, rest = k, r
                if r < totals[k]:
                    break
            r = float32(r - totals[k])
        return uint32(last), rest

    @device
    def sums_before(totals, parts, part):
        """Return the sums of ``totals[:part]`` and ``totals[:parts]``."""
        before, total = _ZERO, _ZERO
        for k in range(int(parts)):
            before += totals[k] if k < part else _ZERO
            total += totals[k]
        return before, total

else:

    @device
    def warp_sums(value):
        """Return the inclusive prefix sums of a warp's values, float32."""
        lane = cuda.threadIdx.x % 32
        for step in (1, 2, 4, 8, 16):
            below = cuda.shfl_up_sync(_ALL, value, step)
            if lane >= step:
                value = float32(value + below)
        return value

    @device
    def first_lane(flag):
        """Return the lowest lane whose flag is set, or -1."""
        return int32(cuda.ffs(cuda.ballot_sync(_ALL, flag))) - int32(1)

    @device
    def find_lane(own, running_sum, r):
        """Return, in all lanes, the lane into whose range of the prefix sums r falls, and the rest of r.

        If rounding puts r past the end, this is the last lane with a range. ``own`` must be positive in some lane.
        """
        some = own > _ZERO
        alive = cuda.ballot_sync(_ALL, some)
        hits = cuda.ballot_sync(_ALL, some and running_sum > r)
        lane = cuda.ffs(hits) - 1 if hits != 0 else 31 - cuda.clz(alive)
        before = cuda.shfl_up_sync(_ALL, running_sum, 1)
        if cuda.threadIdx.x % 32 == 0:
            before = _ZERO
        return uint32(lane), cuda.shfl_sync(_ALL, float32(r - before), lane)

    @device
    def find_part(totals, parts, u):
        """Return the part on which u, a share of the sum of ``totals[:parts]``, falls, and the rest."""
        lane = uint32(cuda.threadIdx.x % 32)
        own = totals[lane] if lane < parts else _ZERO
        running_sum = warp_sums(own)
        return find_lane(own, running_sum, float32(u * cuda.shfl_sync(_ALL, running_sum, 31)))

    @device
    def sums_before(totals, parts, part):
        """Return the sums of ``totals[:part]`` and ``totals[:parts]``."""
        lane = uint32(cuda.threadIdx.x % 32)
        running_sum = warp_sums(totals[lane] if lane < parts else _ZERO)
        before = cuda.shfl_sync(_ALL, running_sum, part - uint32(1) if part > uint32(0) else uint32(0))
        return before if part > uint32(0) else _ZERO, cuda.shfl_sync(_ALL, running_sum, 31)


@device
def first_above(values, start, stop, r):
    """Return the first index from start to stop - 1 whose value exceeds r, else stop; uint32.

    Values ascend; all lanes of a warp search together.
    """
    base = start
    while base < stop:
        place = base + uint32(cuda.threadIdx.x % WARP)
        above = False
        if place < stop:
            above = values[place] > r
        lane = first_lane(above)
        if lane >= int32(0):
            return uint32(base + uint32(lane))
        base += uint32(WARP)
    return uint32(stop)
