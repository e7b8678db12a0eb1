"""Independent roulette by a block: every unvisited city draws a number, and the greatest product wins.

J. M. Cecilia, J. M. Garcia, A. Nisbet, M. Amos and M. Ujaldon, "Enhancing Data Parallelism for Ant Colony Optimization
on GPUs" (Journal of Parallel and Distributed Computing 73, 2013), I-Roulette: a thread multiplies the fitness of its
city by a random number, and a reduction finds the greatest product. This needs no prefix sum and no search, but cities
are not chosen in proportion to their fitness. The random numbers and products are the same as in
`solvers.algorithms.ants.kernels.choice_cpu.i_roulette`.
"""

import numpy as np
from numba import float32, int64, uint32, uint64

from solvers.algorithms.ants.ant_system.kernels.unvisited_cuda import MIN_WEIGHT, is_open, mark
from solvers.algorithms.ants.kernels.random_cuda import draw
from solvers.algorithms.ants.kernels.scan_cuda import PARTS
from solvers.kernels.device_cuda import WARP, as_bits, cuda, device
from solvers.kernels.warp_cuda import warp_high

#: Number of draws that a thread evaluates at a time; each gives two random numbers and loads two weights.
_DRAWS = 4
_WEIGHTS = 2 * _DRAWS
_ZERO, _HALF = np.float32(0.0), np.float32(0.5)
_LOW_24, _ALL = 0xFFFFFF, 0xFFFFFFFF


@device
def _weight(fitness, row, k, n, visited):
    """Return a city's weight, 0 if it is visited or out of range; without a branch, so that loads do not wait."""
    city = min(k, n - uint32(1))
    weight = max(fitness[row + city], MIN_WEIGHT)
    return weight if k < n and is_open(visited, city) else _ZERO


@device
def _offer(weight, word, city):
    """Pack a product and its city into one word, such that lower cities win ties; 0 if the city cannot be chosen."""
    if weight == _ZERO:
        return int64(0)
    product = float32(weight * float32(float32(word) + _HALF))
    return int64((int64(as_bits(product)) << int64(32)) | int64(uint32(_ALL) - city))


@device
def choose_city(fitness, row, n, p, state, visited):
    """Choose the city with the greatest product and mark it as visited; the fitness row starts at `row`."""
    # The simulator identifies shared arrays by their source line.
    offers = cuda.shared.array(PARTS, int64)
    weights = cuda.local.array(_WEIGHTS, float32)
    thread, width = uint32(cuda.threadIdx.x), uint32(cuda.blockDim.x)
    half = ((n + uint32(63)) >> uint32(6)) << uint32(5)
    best, k = int64(0), thread
    while k < half:
        for q in range(_DRAWS):
            at = k + uint32(q) * width
            weights[2 * q] = _weight(fitness, row, at, min(n, half), visited)
            weights[2 * q + 1] = _weight(fitness, row, at + half if at < half else n, n, visited)
        for q in range(_DRAWS):
            at = k + uint32(q) * width
            bits = draw(state, uint64(p) * uint64(half) + uint64(at))
            best = max(best, _offer(weights[2 * q], uint32(bits >> uint64(40)), at))
            low = uint32(uint32(bits >> uint64(8)) & uint32(_LOW_24))
            best = max(best, _offer(weights[2 * q + 1], low, at + half))
        k += uint32(_DRAWS) * width
    best = warp_high(best)
    if thread % uint32(WARP) == uint32(0):
        offers[thread // uint32(WARP)] = best
    cuda.syncthreads()
    best, k = int64(0), thread % uint32(WARP)
    while k < width // uint32(WARP):
        best = max(best, offers[k])
        k += uint32(WARP)
    city = uint32(_ALL) - uint32(warp_high(best) & int64(_ALL))
    if thread == uint32(0):
        mark(visited, city)
    cuda.syncthreads()
    return city
