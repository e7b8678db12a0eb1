"""One layer of Qin and Han's Held-Karp on a GPU: one thread per city and set (2022, sections 2.1.1 to 2.1.3).

Their array f[N-1][2^(N-1)] is flat: f(i, V) is at ``i * 2**(N - 1)`` plus the compressed state of V. The paper does not
assign states to threads. Here a block has one city i and successive sets, whose states are close in memory; blocks with
the same sets and different cities are adjacent, because they read the same states.

The paper does not find a layer's minimum state, which the picture needs: here each warp finds its minimum, and an
atomic operation updates the layer's minimum.
"""

from numba import int32, uint32, uint64

from solvers.algorithms.held_karp.qin_han.kernels import states
from solvers.kernels.device_cuda import INT32_MAX, SIMULATED, cuda, device, warp_min

#: Threads per block.
THREADS = 32 if SIMULATED else 256
#: Index in `numbers` at which the binomial coefficients start, after equally many distances; both have rows of `ROW`
#: entries. Among the distances, the root comes last: its entry is the last of each row, and its row is the last.
ROW = states.ROW
CHOOSE = ROW * ROW
#: The root's index in the distances.
ROOT = 31
#: In the key of a layer's minimum state, the number of bits for a rank, and for a rank and a city together.
RANK_BITS, STATE_BITS = 28, 33
ONE, ZERO = uint32(1), uint32(0)

expanded, compressed, unranked = map(device, (states.expand, states.compress, states.unrank))


@device
def lowest(cities):
    """Return the lowest city of a nonempty set."""
    return uint32(cuda.ffs(int32(cities)) - 1)


def build_batch():
    """Build a kernel that computes part of a layer, with a grid of (cities without the root, blocks of sets).

    The kernel's arguments:

    size, first, last : uint32
        Number of cities in each set, and the range of ranks.
    others : uint32
        Number of cities without the root.
    numbers : array, uint32 (2 * ROW * ROW,)
        See `CHOOSE`.
    table : array, uint32
    bests : array, uint64 (n,)
        For each layer, the minimum of ``length << STATE_BITS | i << RANK_BITS | rank``.
    """

    @cuda.jit
    def kernel(size, first, last, others, numbers, table, bests):
        binomials, row = cuda.shared.array(CHOOSE, uint32), cuda.shared.array(ROW, uint32)
        thread, i = uint32(cuda.threadIdx.x), uint32(cuda.blockIdx.x)
        k = thread
        while k < uint32(uint32(ROW) * uint32(size + ONE)):
            binomials[k] = numbers[uint32(uint32(CHOOSE) + k)]
            k = uint32(k + uint32(THREADS))
        if thread < uint32(ROW):
            row[thread] = numbers[uint32(uint32(i * uint32(ROW)) + thread)]
        cuda.syncthreads()
        rank = uint32(first + uint32(uint32(cuda.blockIdx.y) * uint32(THREADS)) + thread)
        minimum, exists = uint32(INT32_MAX), rank < last
        if exists:
            state = unranked(binomials, ZERO, uint32(others - ONE), size, rank)
            cities = expanded(state, i)
            remaining = cities
            if size == ZERO:
                minimum = row[ROOT]
            while remaining > ZERO:
                j = lowest(remaining)
                remaining = uint32(remaining & uint32(remaining - ONE))
                before = compressed(uint32(cities ^ uint32(ONE << j)), j)
                minimum = min(minimum, uint32(row[j] + table[(uint64(j) << uint64(others)) + uint64(before)]))
            table[(uint64(i) << uint64(others)) + uint64(state)] = minimum
        lowest_of_warp = warp_min(int32(minimum))
        if exists and int32(minimum) == lowest_of_warp:
            number = uint64(uint64(i) << uint64(RANK_BITS)) | uint64(rank)
            number |= uint64(minimum) << uint64(STATE_BITS)
            if number < bests[size]:
                cuda.atomic.min(bests, size, number)

    return kernel
