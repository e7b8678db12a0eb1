"""Pheromone deposits gathered by row on a GPU: each city's block reads every ant's successor of that city.

PheromoneUpdateKernel and SymmetrizeKernel of A. Uchida, Y. Ito and K. Nakano (2012), section IV.C: a row's deposits are
added up in shared memory, and then added to half of its evaporated trails; afterwards each trail and its transpose are
summed, tile by tile. Sums in shared memory are integers here, so that they do not depend on the order of the additions.
"""

from numba import float32, float64, int64, uint32, uint64

from solvers.algorithms.ants.kernels.pheromone_cuda import PADDED, TILE, TILE_ROWS, build_weight
from solvers.kernels.device_cuda import cuda


def shared_bytes(n: int) -> int:
    """Return the bytes of dynamic shared memory for a row's sums."""
    return 8 * n


def build_successors(threads: int):
    """Build a kernel that stores ant k's successor of city i in ``after[i * ants + k]``, with one block per tour."""

    @cuda.jit
    def turn(tours, n, ants, after):
        ant, k = uint32(cuda.blockIdx.x), uint32(cuda.threadIdx.x)
        base = uint32(ant * n)
        while k < n:
            follows = uint32(k + uint32(1)) if uint32(k + uint32(1)) < n else uint32(0)
            after[uint32(uint32(uint32(tours[uint32(base + k)]) * ants) + ant)] = tours[uint32(base + follows)]
            k = uint32(k + uint32(threads))

    return turn


def build_gather(threads: int):
    """Build a kernel that halves and evaporates trails and adds deposits, one block per row.

    The trails that it leaves are not symmetric.
    """

    @cuda.jit
    def add(after, lengths, ants, n, stride, amount, unit, keep, tau):
        sums = cuda.shared.array(0, uint64)
        i, t = uint32(cuda.blockIdx.x), uint32(cuda.threadIdx.x)
        j = t
        while j < n:
            sums[j] = uint64(0)
            j = uint32(j + uint32(threads))
        cuda.syncthreads()
        k = t
        while k < ants:
            each = amount / float64(max(lengths[k], int64(1)))
            cuda.atomic.add(sums, uint32(after[uint32(uint32(i * ants) + k)]), uint64(each + float64(0.5)))
            k = uint32(k + uint32(threads))
        cuda.syncthreads()
        j = t
        while j < n:
            if j != i:
                place = uint32(uint32(i * stride) + j)
                tau[place] = float32(float32(tau[place] * keep) * float32(0.5) + float32(float32(sums[j]) * unit))
            j = uint32(j + uint32(threads))

    return add


def build_symmetrise(alpha: float, reference: float = 1.0):
    """Build a kernel that makes the trails symmetric and computes the fitness, one block per pair of tiles."""
    weight = build_weight(alpha, reference)

    @cuda.jit(fastmath=True)
    def mirror(tau, eta, n, stride, bounds, fitness):
        lower = cuda.shared.array((TILE, PADDED), float32)
        both = cuda.shared.array((TILE, PADDED), float32)
        upper, across = uint32(uint32(cuda.blockIdx.y) * uint32(TILE)), uint32(uint32(cuda.blockIdx.x) * uint32(TILE))
        if across < upper:
            return
        x, y = uint32(cuda.threadIdx.x), uint32(cuda.threadIdx.y)
        while y < uint32(TILE):
            i, j = uint32(across + y), uint32(upper + x)
            if i < n and j < n:
                lower[y, x] = tau[uint32(uint32(i * stride) + j)]
            y = uint32(y + uint32(TILE_ROWS))
        cuda.syncthreads()
        y = uint32(cuda.threadIdx.y)
        while y < uint32(TILE):
            i, j = uint32(upper + y), uint32(across + x)
            if i < j and j < n:
                trail = float32(tau[uint32(uint32(i * stride) + j)] + lower[x, y])
                both[y, x] = min(max(trail, bounds[0]), bounds[1])
            y = uint32(y + uint32(TILE_ROWS))
        cuda.syncthreads()
        y = uint32(cuda.threadIdx.y)
        while y < uint32(TILE):
            i, j = uint32(upper + y), uint32(across + x)
            if i < j and j < n:
                place = uint32(uint32(i * stride) + j)
                tau[place] = both[y, x]
                fitness[place] = weight(both[y, x], eta[place])
            i, j = uint32(across + y), uint32(upper + x)
            if i > j and i < n:
                place = uint32(uint32(i * stride) + j)
                tau[place] = both[x, y]
                fitness[place] = weight(both[x, y], eta[place])
            y = uint32(y + uint32(TILE_ROWS))

    return mirror
