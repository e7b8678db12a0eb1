"""2-opt on one tour, one change per launch: Y. Qin and D. Han, "Parallel TSP Solvers" (2022), section 2.2.5.

"We first launch a kernel which assigns a thread to each pair of edges to check if an improvement can be made. If so, we
launch another kernel to perform one change and repeat." Of several improvements, their program makes the one that a
thread writes last; this one makes the greatest, or the first of several greatest, so that the result is deterministic.
"""

from numba import int64, uint32

from solvers.kernels.device_cuda import cuda

#: In an encoded change, the upper 32 bits contain its gain, the lower 32 bits the complement of its pair's number.
_PAIR = 0xFFFFFFFF
#: Larger gains count as equal.
_MAX_GAIN = 2**31 - 1


def count_pairs(n: int) -> int:
    """Count the pairs of edges without a common city; the edges at positions p and p + d form pair (d - 2) n + p."""
    return n * max(0, n // 2 - 1)


def build_check(threads: int):
    """Build a kernel that finds the best change of a tour, with one thread per pair of edges.

    ``tours`` int32 (ants * n,); ``ant`` int32 (1,) is the ant whose tour is checked; ``distance`` int32 (n * n,);
    ``best_move`` int64 (1,), initially 0, gets the encoded change.
    """

    @cuda.jit
    def evaluate_pair(tours, ant, distance, n, pairs, best_move):
        pair = uint32(uint32(cuda.blockIdx.x) * uint32(threads) + uint32(cuda.threadIdx.x))
        if pair >= pairs:
            return
        apart, p = uint32(pair // n + uint32(2)), uint32(pair % n)
        if uint32(apart + apart) == n and p >= apart:
            return  # the thread of the other edge checks this pair
        q, tour = uint32(uint32(p + apart) % n), tours[int64(ant[0]) * int64(n) :]
        a, b = uint32(tour[p]), uint32(tour[uint32(uint32(p + uint32(1)) % n)])
        c, d = uint32(tour[q]), uint32(tour[uint32(uint32(q + uint32(1)) % n)])
        gain = int64(distance[uint32(a * n + b)]) + int64(distance[uint32(c * n + d)])
        gain -= int64(distance[uint32(a * n + c)]) + int64(distance[uint32(b * n + d)])
        if gain > int64(0):
            cuda.atomic.max(best_move, 0, (min(gain, int64(_MAX_GAIN)) << int64(32)) | int64(uint32(_PAIR) - pair))

    return evaluate_pair


def build_change(threads: int):
    """Build a kernel that makes the change found by `build_check`; each thread swaps two cities."""

    @cuda.jit
    def reverse(tours, ant, n, best_move):
        pair = uint32(uint32(_PAIR) - uint32(best_move[0] & int64(_PAIR)))
        apart, p = uint32(pair // n + uint32(2)), uint32(pair % n)
        k = uint32(uint32(cuda.blockIdx.x) * uint32(threads) + uint32(cuda.threadIdx.x))
        if k < apart >> uint32(1):
            tour = tours[int64(ant[0]) * int64(n) :]
            low, high = uint32(uint32(p + uint32(1) + k) % n), uint32(uint32(p + apart - k) % n)
            tour[low], tour[high] = tour[high], tour[low]

    return reverse
