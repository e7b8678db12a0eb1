"""Roulette wheel of a block: draws an unvisited city, with either kind of `Roster`.

A. Uchida, Y. Ito and K. Nakano (2012), section IV.B.1: prefix sums of the fitness (step 1), a draw (step 2), and the
search for the city in whose range it falls (step 3). Step 3 reverses step 1: from warps to lanes to a lane's cities.
"""

import numpy as np
from numba import float32, uint32, uint64

from solvers.algorithms.ants.ant_system.kernels.unvisited_cuda import Roster
from solvers.algorithms.ants.kernels.random_cuda import draw, uniform
from solvers.algorithms.ants.kernels.scan_cuda import PARTS, find_lane, find_part, warp_sums
from solvers.kernels.device_cuda import WARP, cuda, device

#: Number of weights that a thread loads at a time; its number of prefix sums is a multiple of it.
LOADS = 8
_ZERO = np.float32(0.0)


def build_roulette(roster: Roster):
    """Build a device function that spins the wheel once over a roster's cities, with all threads of a block.

    ``spin(fitness, row, count, state, step, sums, cities, visited) -> city``: choose one of the roster's `count` cities
    for an ant in the city whose row begins at `row`, by draw `step` of the ant's stream, and remove it from the roster.
    ``sums`` is a buffer for the prefix sums: see `LOADS`.
    """
    weigh, take = roster

    @device
    def add_up(fitness, row, count, sums, cities, visited):
        """Compute the prefix sums of a thread's own cities, and their total (step 1, eq. 8)."""
        weights = cuda.local.array(LOADS, float32)
        width, total, k = uint32(cuda.blockDim.x), _ZERO, uint32(cuda.threadIdx.x)
        while k < count:
            for q in range(LOADS):
                # These loads are independent and run concurrently.
                weights[q] = weigh(fitness, row, min(k + uint32(q) * width, count - uint32(1)), cities, visited)
            for q in range(LOADS):
                at = k + uint32(q) * width
                total = float32(total + (weights[q] if at < count else _ZERO))
                sums[at] = total
            k += uint32(LOADS) * width
        return total

    @device
    def search(sums, count, r):
        """Find the thread's city at r in its prefix sums; the last with a weight if rounding puts r past the end."""
        k, position, before = uint32(cuda.threadIdx.x), uint32(cuda.threadIdx.x), _ZERO
        while k < count:
            running_sum = sums[k]
            if running_sum > before:
                position = k
                if running_sum > r:
                    break
            before = running_sum
            k += uint32(cuda.blockDim.x)
        return position

    @device
    def spin(fitness, row, count, state, step, sums, cities, visited):
        # The simulator identifies shared arrays by their source line.
        totals = cuda.shared.array(PARTS, float32)
        share = cuda.shared.array(1, float32)
        chosen = cuda.shared.array(1, uint32)
        thread, warp = uint32(cuda.threadIdx.x), uint32(cuda.threadIdx.x) // uint32(WARP)
        own = add_up(fitness, row, count, sums, cities, visited)
        running_sum = warp_sums(own)
        if thread % uint32(WARP) == uint32(WARP - 1):
            totals[warp] = running_sum
        if thread == uint32(0):
            share[0] = uniform(draw(state, uint64(step)))
        cuda.syncthreads()
        part, rest = find_part(totals, uint32(cuda.blockDim.x) // uint32(WARP), share[0])
        if warp == part:
            lane, rest = find_lane(own, running_sum, rest)
            if thread % uint32(WARP) == lane:
                chosen[0] = take(search(sums, count, rest), count, cities, visited)
        cuda.syncthreads()
        return chosen[0]

    return spin
