"""Tours by queen ants: one block per ant, one thread per city. S. Bitner, "ACOTSP" (2025), queen ant.

Every thread computes its city's weight, an exclusive scan gives each thread a range, and the threads whose range
contains the draw offer their cities. In the paper any of these may win; here the lowest city wins, so that a seed
determines the tour. If rounding leaves the draw between two ranges, the lowest unvisited city is taken.
"""

import numpy as np
from numba import float32, int32, uint32, uint64

from solvers.algorithms.ants.ant_system.kernels.unvisited_cuda import MIN_WEIGHT
from solvers.algorithms.ants.kernels.launch_sizes import portions
from solvers.algorithms.ants.kernels.random_cuda import DRAWS, absorb, draw, uniform
from solvers.algorithms.ants.kernels.scan_cuda import PARTS, sums_before, warp_sums
from solvers.gpu.calibration import QUEEN_READS
from solvers.kernels.device_cuda import SIMULATED, WARP, cuda, device, random_below
from solvers.kernels.warp_cuda import NO_CITY, warp_min_unsigned

#: Maximum number of threads per block. With more cities than that, each thread has several, and stores in 32 bits which
#: of them are visited.
_MAX_THREADS, _CITIES_PER_THREAD = 1024, 32
#: Limit on registers per thread, so that two full blocks fit on a multiprocessor; the simulator has no registers.
_REGISTERS = {} if SIMULATED else {"max_registers": 32}
_ZERO = np.float32(0.0)


def threads(n: int) -> int:
    """Return the number of threads per block, a multiple of the warp size."""
    return 4 if SIMULATED else min(_MAX_THREADS, -(-n // 32) * 32)


def shared_bytes(n: int, threads: int) -> int:
    """Return the bytes of dynamic shared memory per block: 0 for any number of cities."""
    return 0


def max_n(shared: int) -> int:
    """Return the maximum number of cities that a block can mark as visited."""
    return _MAX_THREADS * _CITIES_PER_THREAD


def launches(n: int, ants: int) -> list[tuple[int, tuple[np.uint32, ...]]]:
    """Return the number of blocks and the first ant of each launch."""
    return portions(ants, QUEEN_READS // (n * n))


@device
def _weigh(fitness, row, city, n, visited):
    """Mark `city` as visited; return the thread's total unvisited weight, and its bits of visited cities."""
    total, k, bit = _ZERO, uint32(cuda.threadIdx.x), uint32(1)
    while k < n:
        weight = max(fitness[row + k], MIN_WEIGHT)
        if k == city:
            visited |= bit
        total += weight if visited & bit == uint32(0) else _ZERO
        k += uint32(cuda.blockDim.x)
        bit <<= uint32(1)
    return total, visited


@device
def _own_city(fitness, row, n, visited, r):
    """Return the thread's unvisited city at r; its last one if r is past the end, `NO_CITY` if it has none."""
    choice, k, bit = uint32(NO_CITY), uint32(cuda.threadIdx.x), uint32(1)
    while k < n and r >= _ZERO:
        if visited & bit == uint32(0):
            choice = k
            r -= max(fitness[row + k], MIN_WEIGHT)
        k += uint32(cuda.blockDim.x)
        bit <<= uint32(1)
    return choice


@device
def _smallest(offers, warps, city):
    """Return the lowest city that any thread offers, in all threads."""
    warp = uint32(cuda.threadIdx.x) // uint32(WARP)
    best, k = warp_min_unsigned(city), uint32(cuda.threadIdx.x % WARP)
    if k == uint32(0):
        offers[warp] = best
    cuda.syncthreads()
    best = uint32(NO_CITY)
    while k < warps:
        best = min(best, offers[k])
        k += uint32(WARP)
    return warp_min_unsigned(best)


def build_queen():
    """Build a kernel that constructs the tours of an iteration, with one block per ant.

    Notes
    -----
    The kernel's arguments are as in `walk_block_cuda.build_block`; it does not read `prefix` or change `statistics`.
    """

    @cuda.jit(fastmath=True, **_REGISTERS)
    def construct(fitness, prefix, n, stride, ants, first, seed, counter, statistics, tours):
        # The simulator identifies shared arrays by their source line.
        totals = cuda.shared.array(PARTS, float32)
        share = cuda.shared.array(1, float32)
        offers = cuda.shared.array(PARTS, uint32)
        rest = cuda.shared.array(PARTS, uint32)
        thread, width, ant = uint32(cuda.threadIdx.x), uint32(cuda.blockDim.x), uint32(first + uint32(cuda.blockIdx.x))
        warp, warps = thread // uint32(WARP), width // uint32(WARP)
        state = absorb(seed, uint64(counter[0]) * uint64(ants) + uint64(ant))
        tour = tours[uint64(ant) * uint64(n) :]
        city, visited, p = uint32(random_below(draw(state, uint64(0)), uint64(n))), uint32(0), uint32(0)
        while True:
            if thread == uint32(0):
                tour[p] = int32(city)
            p += uint32(1)
            if p >= n:
                break
            row = city * stride
            own, visited = _weigh(fitness, row, city, n, visited)
            running_sum = warp_sums(own)
            if thread % uint32(WARP) == uint32(WARP - 1):
                totals[warp] = running_sum
            if thread == uint32(0):
                share[0] = uniform(draw(state, uint64(p * uint32(DRAWS))))
            cuda.syncthreads()
            before, total = sums_before(totals, warps, warp)
            start, r = float32(before + (running_sum - own)), float32(share[0] * total)
            offer = uint32(NO_CITY)
            if own > _ZERO and start <= r and r <= float32(before + running_sum):
                offer = thread if n <= width else _own_city(fitness, row, n, visited, float32(r - start))
            city = _smallest(offers, warps, offer)
            if city == uint32(NO_CITY):
                city = _smallest(rest, warps, _own_city(fitness, row, n, visited, _ZERO))

    return construct
