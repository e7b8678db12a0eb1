"""Selection of the depositing tours in elitist and rank-based Ant System, on a GPU.

M. Dorigo, V. Maniezzo and A. Colorni, "Ant System: Optimization by a Colony of Cooperating Agents" (1996), elitist
strategy; B. Bullnheimer, R. F. Hartl and C. Strauss, "A New Rank Based Version of the Ant System" (1999).
`solvers.algorithms.ants.ant_system.depositors` does the same on the host.
"""

from numba import float64, int32, int64, uint32

from solvers.algorithms.ants.kernels.pheromone_cuda import build_add_tour, find_leader
from solvers.kernels.device_cuda import cuda


def build_keep_best(threads: int):
    """Build a one-block kernel that stores the best tour so far; ties go to the first.

    Notes
    -----
    The kernel writes `memory` int64 (1,), the best tour's length, initially the greatest int64, and `best` int32 (n,),
    the tour's cities.
    """

    @cuda.jit
    def keep(tours, lengths, ants, n, memory, best):
        minimum = cuda.shared.array(threads, int64)
        best_ants = cuda.shared.array(threads, uint32)
        t = uint32(cuda.threadIdx.x)
        find_leader(lengths, ants, minimum, best_ants, threads)
        better = minimum[0] < memory[0]
        cuda.syncthreads()
        if better:
            k, base = t, int64(best_ants[0]) * int64(n)
            while k < n:
                best[k] = tours[base + int64(k)]
                k = uint32(k + uint32(threads))
            if t == uint32(0):
                memory[0] = minimum[0]

    return keep


def build_rank(threads: int):
    """Build a kernel that ranks ants by length, then index; one thread per ant counts the ants before it.

    The kernel writes `order` int32 (places,), the ant of each rank. If there are fewer ants than places, the remaining
    entries do not change.
    """

    @cuda.jit
    def count_those_before(lengths, ants, places, order):
        ant = uint32(uint32(cuda.blockIdx.x) * uint32(threads) + uint32(cuda.threadIdx.x))
        if ant < ants:
            length, before, k = lengths[ant], uint32(0), uint32(0)
            while k < ants and before < places:
                if lengths[k] < length or (lengths[k] == length and k < ant):
                    before = uint32(before + uint32(1))
                k = uint32(k + uint32(1))
            if before < places:
                order[before] = int32(ant)

    return count_those_before


def build_deposit_ranked(threads: int, integer_sums: bool):
    """Build a kernel that adds the best ants' pheromone, one block per rank; the last rank has weight 1.

    Each better rank weighs 1 more.

    `order` is as in `build_rank`, with -1 where there is no ant; `integer_sums` and the other arguments are as in
    `solvers.algorithms.ants.kernels.pheromone_cuda.build_deposit`.
    """
    add = build_add_tour(threads, integer_sums)

    @cuda.jit
    def deposit_tours(order, tours, lengths, n, stride, amount, sums):
        ant = order[cuda.blockIdx.x]
        if ant >= int32(0):
            weight = uint32(uint32(cuda.gridDim.x) - uint32(cuda.blockIdx.x))
            each = amount * float64(weight) / float64(max(lengths[ant], int64(1)))
            add(tours, uint32(uint32(ant) * n), n, stride, each, sums)

    return deposit_tours
