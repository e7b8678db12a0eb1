"""Tours with one block per ant: A. Uchida, Y. Ito and K. Nakano (2012), section IV.B.

This file has the start, the loop over positions, and the writing of the tour. A `Selection` chooses each city.
"""

import numpy as np
from numba import float32, int32, int64, uint32, uint64

from solvers.algorithms.ants.ant_system.kernels.choice_block_cuda import build_selection
from solvers.algorithms.ants.ant_system.kernels.roulette_cuda import LOADS
from solvers.algorithms.ants.kernels.launch_sizes import portions
from solvers.algorithms.ants.kernels.random_cuda import absorb, draw
from solvers.gpu.calibration import BLOCK_READS, BLOCK_THREADS
from solvers.kernels.device_cuda import SIMULATED, cuda, random_below

#: Minimum and maximum number of threads per block; between these, enough that each thread needs only one round of
#: loads.
_MIN_THREADS, _MAX_THREADS = BLOCK_THREADS


def threads(n: int) -> int:
    """Return the number of threads per block, a multiple of the warp size."""
    if SIMULATED:
        return 4
    return min(-(-n // 32) * 32, max(_MIN_THREADS, min(_MAX_THREADS, -(-n // (32 * LOADS)) * 32)))


def shared_bytes(n: int, threads: int) -> int:
    """Return the bytes of dynamic shared memory per block: the unvisited cities, their bits, and prefix sums."""
    rounds = -(-n // (LOADS * threads))
    return 4 * (n + -(-n // 32) + rounds * LOADS * threads)


def max_n(shared: int) -> int:
    """Return the maximum number of cities for `shared` bytes of shared memory, of which static arrays take 2 KB."""
    return max(0, (shared - 2048 - 4 * (1 + LOADS * _MAX_THREADS)) * 8 // 65)


def launches(n: int, ants: int) -> list[tuple[int, tuple[np.uint32, ...]]]:
    """Return the number of blocks and the first ant of each launch."""
    return portions(ants, BLOCK_READS // (n * n))


def build_block(selection: str, trials: int, switch_percent: float, at_once: bool = True):
    """Build a kernel that constructs the tours of an iteration, with one block per ant.

    Parameters
    ----------
    selection : str
        How a city is chosen; one of `solvers.algorithms.ants.variants.SELECTIONS`.
    trials : int
        Number of trials before a full roulette, from 1 to 64 (stochastic-trial and hybrid).
    switch_percent : float
        Percentage of visited cities above which hybrid reads only the unvisited ones.
    at_once : bool
        Whether each warp makes one trial at the same time; otherwise trials are sequential.

    Notes
    -----
    The kernel's arguments: `fitness` float32 (n * stride,), row by row, 0 on the diagonal; `prefix` float32, the prefix
    sums of its rows (stochastic-trial and hybrid), else of size 1; n, stride, ants uint32; `first` uint32, the ant of
    the first block; seed uint64; `counter` int64 (1,), the iteration; `statistics` int64 (w + 1,), incremented: the
    number of choices made by the first trial, the second, ..., by the roulette; of size 1 if there are no trials;
    `tours` int32 (ants * n,), written.
    """
    begin, choose = build_selection(selection, trials, switch_percent, at_once)
    columns = trials + 1

    @cuda.jit(fastmath=True)
    def construct(fitness, prefix, n, stride, ants, first, seed, counter, statistics, tours):
        # The simulator identifies shared arrays by their source line.
        cities = cuda.shared.array(0, int32)
        bits = cuda.shared.array(0, uint32)
        floats = cuda.shared.array(0, float32)
        counts = cuda.shared.array(columns, uint32)
        thread, ant = uint32(cuda.threadIdx.x), uint32(first + uint32(cuda.blockIdx.x))
        visited, sums = bits[n:], floats[n + ((n + uint32(31)) >> uint32(5)) :]
        tour = tours[uint64(ant) * uint64(n) :]
        k = thread
        while k < uint32(columns):
            counts[k] = uint32(0)
            k += uint32(cuda.blockDim.x)
        state = absorb(seed, uint64(counter[0]) * uint64(ants) + uint64(ant))
        city, p = uint32(random_below(draw(state, uint64(0)), uint64(n))), uint32(1)
        begin(n, city, cities, visited)
        if thread == uint32(0):
            tour[0] = int32(city)
        while p < n:
            city = choose(fitness, prefix, city * stride, n, p, state, sums, cities, visited, counts)
            if thread == uint32(0):
                tour[p] = int32(city)
            p += uint32(1)
        cuda.syncthreads()
        if statistics.size == columns:
            k = thread
            while k < uint32(columns):
                cuda.atomic.add(statistics, k, int64(counts[k]))
                k += uint32(cuda.blockDim.x)

    return construct
