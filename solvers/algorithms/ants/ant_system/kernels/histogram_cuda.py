"""Pheromone deposits by sorted histogram on a GPU: one block per city, one addition per edge and direction.

S. Bitner, "ACOTSP" (2025), "Pheromone update": a row contains every ant's successor of a city. The city's block sorts
the row, finds the segments of equal successors and adds up the deposits of each segment. Here such a sum is the
difference of two integer prefix sums, so it equals the result of atomic additions of integers.
"""

from numba import float64, int64, uint32, uint64

from solvers.gpu.calibration import TOUR_THREADS
from solvers.kernels.device_cuda import SIMULATED, cuda

#: A key contains the city that an ant went to and the ant, in 16 bits each; the largest key pads a row.
_LAST = 0xFFFFFFFF


def width(ants: int) -> int:
    """Return the number of keys in a padded row: the next power of two."""
    return 1 << max(0, ants - 1).bit_length()


def threads(ants: int) -> int:
    """Return the number of threads per block."""
    return 4 if SIMULATED else max(TOUR_THREADS, min(1024, width(ants)))


def shared_bytes(ants: int) -> int:
    """Return the bytes of dynamic shared memory per block: a key and two sums for each entry."""
    return 20 * width(ants)


def build_histogram(threads: int):
    """Build a kernel that adds the ants' deposits to ``sums``, one block per row of ``after``.

    Notes
    -----
    ``after`` int32 (n * ants,): see `solvers.algorithms.ants.ant_system.kernels.gather_deposit_cuda.build_successors`;
    ``lengths`` int64 (ants,); ``width`` uint32, see the function; ``amount`` float64, Q in the unit of ``sums``;
    ``sums`` uint64, of which only entries above the diagonal change.
    """

    @cuda.jit
    def add(after, lengths, ants, width, stride, amount, sums):
        totals, keys = cuda.shared.array(0, uint64), cuda.shared.array(0, uint32)[uint32(4) * width :]
        i, t = uint32(cuda.blockIdx.x), uint32(cuda.threadIdx.x)
        k = t
        while k < width:
            keys[k] = uint32(_LAST)
            if k < ants:
                keys[k] = uint32(uint32(uint32(after[uint32(uint32(i * ants) + k)]) << uint32(16)) | k)
            k = uint32(k + uint32(threads))
        run = uint32(2)
        while run <= width:  # a bitonic sort
            apart = uint32(run >> uint32(1))
            while apart > uint32(0):
                cuda.syncthreads()
                k = t
                while k < width:
                    other = uint32(k ^ apart)
                    if other > k and (keys[k] > keys[other]) == (uint32(k & run) == uint32(0)):
                        keys[k], keys[other] = keys[other], keys[k]
                    k = uint32(k + uint32(threads))
                apart = uint32(apart >> uint32(1))
            run = uint32(run << uint32(1))
        cuda.syncthreads()
        k = t
        while k < ants:
            length = lengths[uint32(keys[k] & uint32(0xFFFF))]
            totals[k] = uint64(amount / float64(max(length, int64(1))) + float64(0.5))
            k = uint32(k + uint32(threads))
        apart, now, next_ = uint32(1), uint32(0), width
        while apart < ants:  # prefix sums
            cuda.syncthreads()
            k = t
            while k < ants:
                before = totals[uint32(now + k - apart)] if k >= apart else uint64(0)
                totals[uint32(next_ + k)] = totals[uint32(now + k)] + before
                k = uint32(k + uint32(threads))
            apart, now, next_ = uint32(apart << uint32(1)), next_, now
        cuda.syncthreads()
        k = t
        while k < ants:
            j, last = uint32(keys[k] >> uint32(16)), uint32(k + uint32(1)) == ants
            if last or uint32(keys[uint32(k + uint32(1))] >> uint32(16)) != j:
                low, high = uint32(0), k
                while low < high:  # the start of the segment that ends here
                    middle = uint32(low + high) >> uint32(1)
                    if uint32(keys[middle] >> uint32(16)) < j:
                        low = uint32(middle + uint32(1))
                    else:
                        high = middle
                before = totals[uint32(now + low - uint32(1))] if low > uint32(0) else uint64(0)
                total = totals[uint32(now + k)] - before
                cuda.atomic.add(sums, uint32(uint32(min(i, j) * stride) + max(i, j)), total)
            k = uint32(k + uint32(threads))

    return add
