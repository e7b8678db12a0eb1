"""Tours by worker ants: one thread per ant, alone in its block. S. Bitner, "ACOTSP" (2025), worker ant.

One array holds the tour: first the visited cities in order, then the unvisited ones. In each step, the weights are read
from global memory once and stored as prefix sums, so that a binary search finds the drawn city. The paper searches
linearly, with the same result.
"""

import numpy as np
from numba import float32, int32, uint32, uint64

from solvers.algorithms.ants.ant_system.kernels.unvisited_cuda import MIN_WEIGHT
from solvers.algorithms.ants.kernels.random_cuda import DRAWS, absorb, draw, uniform
from solvers.gpu.calibration import WORKER_ANTS, WORKER_READS
from solvers.kernels.device_cuda import cuda, device, random_below

#: Number of weights that a thread loads at the same time.
_LOADS = 16
_ZERO = np.float32(0.0)


def threads(n: int) -> int:
    """Return the number of threads per block."""
    return 1


def shared_bytes(n: int, threads: int) -> int:
    """Return the bytes of dynamic shared memory per ant: its tour and padded prefix sums."""
    return 8 * n + 4 * _LOADS


def max_n(shared: int) -> int:
    """Return the maximum number of cities for `shared` bytes of shared memory, of which the driver reserves 1 KB."""
    return max(0, (shared - 1024 - 4 * _LOADS) // 8)


def launches(n: int, ants: int) -> list[tuple[int, tuple[np.uint32, ...]]]:
    """Return, for each launch, its number of blocks, first ant and range of tour positions."""
    spans, begin, reads = [], 0, 0
    for place in range(n):
        reads += n - place
        if reads >= WORKER_READS or place == n - 1:
            spans.append((begin, place + 1))
            begin, reads = place + 1, 0
    return [
        (min(WORKER_ANTS, ants - first), (np.uint32(first), np.uint32(begin), np.uint32(end)))
        for first in range(0, ants, WORKER_ANTS)
        for begin, end in spans
    ]


@device
def _add_up(fitness, row, p, n, sums, cities):
    """Compute the prefix sums of the unvisited cities' weights, from position p on; return their total."""
    weights = cuda.local.array(_LOADS, float32)
    total, k = _ZERO, p
    while k < n:
        for q in range(_LOADS):
            weights[q] = max(fitness[row + uint32(cities[min(k + uint32(q), n - uint32(1))])], MIN_WEIGHT)
        for q in range(_LOADS):
            total = float32(total + (weights[q] if k + uint32(q) < n else _ZERO))
            sums[k + uint32(q)] = total
        k += uint32(_LOADS)
    return total


@device
def _search(sums, p, n, r):
    """Return the first position from p on whose prefix sum exceeds r; the last one if rounding leaves none."""
    low, high = p, n - uint32(1)
    while low < high:
        middle = (low + high) >> uint32(1)
        if sums[middle] > r:
            high = middle
        else:
            low = middle + uint32(1)
    return low


def build_worker():
    """Build a kernel that constructs the tours of an iteration, with one single-thread block per ant.

    Notes
    -----
    The kernel's arguments are as in `walk_block_cuda.build_block`, with `begin` and `end` after `first`: the range of
    tour positions that the launch fills in, after those of earlier launches. It does not read `prefix` or change
    `statistics`.
    """

    @cuda.jit(fastmath=True)
    def construct(fitness, prefix, n, stride, ants, first, begin, end, seed, counter, statistics, tours):
        # The simulator identifies shared arrays by their source line.
        cities = cuda.shared.array(0, int32)
        floats = cuda.shared.array(0, float32)
        sums, ant = floats[n:], uint32(first + uint32(cuda.blockIdx.x))
        state = absorb(seed, uint64(counter[0]) * uint64(ants) + uint64(ant))
        tour = tours[uint64(ant) * uint64(n) :]
        k, p = uint32(0), begin
        while k < n:
            cities[k] = int32(k) if begin == uint32(0) else tour[k]
            k += uint32(1)
        while p < end:
            k = uint32(random_below(draw(state, uint64(0)), uint64(n)))
            if p > uint32(0):
                row = uint32(cities[p - uint32(1)]) * stride
                total = _add_up(fitness, row, p, n, sums, cities)
                k = _search(sums, p, n, float32(uniform(draw(state, uint64(p * uint32(DRAWS)))) * total))
            cities[k], cities[p] = cities[p], cities[k]
            p += uint32(1)
        k = uint32(0)
        while k < n:
            tour[k] = cities[k]
            k += uint32(1)

    return construct
