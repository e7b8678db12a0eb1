"""Reads the paths of states in Qin and Han's Held-Karp on a GPU, from each city back to its predecessor.

The authors do not say how their program recovers the route of figure 4. The table contains all layers, so predecessors
need not be stored: the terms whose minimum is f(i, V) are computed again, by one thread per city of V.
"""

from numba import int64, uint32, uint64

from solvers.algorithms.held_karp.qin_han.kernels.batch_cuda import (
    CHOOSE,
    ONE,
    RANK_BITS,
    ROOT,
    STATE_BITS,
    ZERO,
    compressed,
    expanded,
    unranked,
)
from solvers.kernels.device_cuda import block_minimum, cuda

#: Number of threads per block: one for each city except the root.
CITIES = 32
#: Greater than any length that has a city packed into its lowest bits.
_INFINITE = 1 << 60


def build_route():
    """Build a kernel that reads the paths of several layers' minimum states, with one block per layer.

    The kernel's arguments:

    first : uint32
        The layer of the first block.
    others : uint32
    numbers, table, bests : array
        See `batch_cuda.batch`.
    paths : array, int64 (n * (n + 1),)
        For each layer, the length of its shortest path, and the path's cities without the root at the end. The last
        layer's path is the shortest tour, from the root on.
    """

    @cuda.jit
    def kernel(first, others, numbers, table, bests, paths):
        parts = cuda.shared.array(CITIES, int64)
        thread = uint32(cuda.threadIdx.x)
        layer = uint32(first + uint32(cuda.blockIdx.x))
        at = uint32(layer * uint32(others + uint32(2)))
        i, cities, length = uint32(ROOT), uint32(uint32(ONE << others) - ONE), int64(0)
        if layer < others:
            best = bests[layer]
            length = int64(best >> uint64(STATE_BITS))
            i = uint32(uint32(best >> uint64(RANK_BITS)) & uint32(31))
            rank = uint32(best & uint64((1 << RANK_BITS) - 1))
            cities = expanded(unranked(numbers, uint32(CHOOSE), uint32(others - ONE), layer, rank), i)
        if thread == ZERO:
            paths[at + ONE] = int64(uint32(i + ONE)) if layer < others else int64(0)
        for step in range(layer):
            parts[thread] = int64(_INFINITE)
            if uint32(cities >> thread) & ONE:
                before = compressed(uint32(cities ^ uint32(ONE << thread)), thread)
                total = int64(numbers[uint32(uint32(i * uint32(CITIES)) + thread)])
                total += int64(table[(uint64(thread) << uint64(others)) + uint64(before)])
                parts[thread] = int64(total << int64(5)) | int64(thread)
            block_minimum(parts, CITIES)
            minimum = parts[0]
            cuda.syncthreads()
            if layer == others and step == 0:
                length = int64(minimum >> int64(5))
            i = uint32(minimum & int64(31))
            cities = uint32(cities ^ uint32(ONE << i))
            if thread == ZERO:
                paths[at + uint32(2) + uint32(step)] = int64(uint32(i + ONE))
        if thread == ZERO:
            paths[at] = length

    return kernel
