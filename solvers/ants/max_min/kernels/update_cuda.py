"""What MAX-MIN Ant System does between two iterations, on CUDA: which ant leaves pheromone, limits, restarts.

T. Stuetzle and H. H. Hoos, "MAX-MIN Ant System", Future Generation Computer Systems 16 (2000), sections 3 to 5.
"""

import numpy as np
from numba import float32, float64, int64, uint32

from solvers.ants.kernels.pheromone_cuda import add_up, leader, weight_of
from solvers.ants.max_min.kernels.schedule import CONVERGED, LATE, PLAIN, SCHEDULE
from solvers.kernels.device_cuda import cuda

#: Places of `memory`: shortest tour of all, shortest since the last restart, the iterations at which that was found and
#: at which the last restart was, counted from 1.
BEST, SINCE, FOUND, RESTART, PLACES = 0, 1, 2, 3, 4
_NONE = np.int64(0x7FFFFFFFFFFFFFFF)


def elect(threads: int, scheduled: bool):
    """A kernel of one block that keeps the best tours and says whose pheromone is left, within which limits.

    Long, because one launch does all that a colony decides between two iterations.

    Parameters
    ----------
    scheduled : bool
        Whether `SCHEDULE` holds, for colonies with local search.

    Notes
    -----
    `memory` int64 (4,), of which the first two are to begin with the greatest number there is; `best` and `since` int32
    (n,), tours; `chosen` int32 (n,) and `chosen_length` int64 (1,), written; `bounds` float32 (2,): least and most,
    written, alike where the colony begins anew; ``share`` what the least is of the most; `patience` int64, 0 for never.
    """
    (u1, e1), (u2, e2), (u3, e3), (u4, e4) = SCHEDULE

    @cuda.jit
    def choose(
        tours, lengths, ants, n, branching, counter, memory, best, since, chosen, chosen_length, bounds, rho, share,
        patience,
    ):  # fmt: skip
        least = cuda.shared.array(threads, int64)
        who = cuda.shared.array(threads, uint32)
        ways = cuda.shared.array(threads, float64)
        says = cuda.shared.array(4, uint32)
        t = uint32(cuda.threadIdx.x)
        leader(lengths, ants, least, who, threads)
        branches, k = float64(0.0), t
        while k < n:
            branches += float64(branching[k])
            k = uint32(k + uint32(threads))
        ways[t] = branches
        add_up(ways, threads)
        if t == uint32(0):
            now = counter[0] + int64(1)
            says[0] = uint32(1) if least[0] < memory[BEST] else uint32(0)
            says[1] = uint32(1) if least[0] < memory[SINCE] else uint32(0)
            if least[0] < memory[BEST]:
                memory[BEST] = least[0]
            if least[0] < memory[SINCE]:
                memory[SINCE], memory[FOUND] = least[0], now
            every, age = int64(PLAIN), now - memory[RESTART]
            if scheduled:
                every = int64(1)
                if age < u1:
                    every = int64(e1)
                elif age < u2:
                    every = int64(e2)
                elif age < u3:
                    every = int64(e3)
                elif age < u4:
                    every = int64(e4)
            says[2] = uint32(0)
            if now % every == 0:
                says[2] = uint32(2) if every == 1 and now - memory[FOUND] > LATE else uint32(1)
            stale = patience > int64(0) and now - memory[FOUND] >= patience
            says[3] = uint32(1) if stale and ways[0] <= CONVERGED * float64(n) else uint32(0)
            most = float32(float64(1.0) / (float64(rho) * float64(max(memory[BEST], int64(1)))))
            bounds[0], bounds[1] = float32(most * share), most
            chosen_length[0] = least[0]
            if says[2] == uint32(1):
                chosen_length[0] = memory[SINCE]
            if says[2] == uint32(2):
                chosen_length[0] = memory[BEST]
            if says[3] == uint32(1):
                bounds[0] = most
                memory[SINCE], memory[FOUND], memory[RESTART] = _NONE, now, now
        cuda.syncthreads()
        k, base = t, int64(who[0]) * int64(n)
        while k < n:
            city = tours[base + int64(k)]
            if says[0] == uint32(1):
                best[k] = city
            if says[1] == uint32(1):
                since[k] = city
            if says[2] == uint32(1):
                city = since[k]
            if says[2] == uint32(2):
                city = best[k]
            chosen[k] = city
            k = uint32(k + uint32(threads))

    return choose


def fade(threads: int, alpha: float, usual: float = 1.0):
    """A kernel that evaporates within the limits and makes the fitness of all edges, a block a row."""
    weight = weight_of(alpha, usual)

    @cuda.jit(fastmath=True)
    def evaporate(tau, eta, n, stride, keep, bounds, fitness):
        i, j = uint32(cuda.blockIdx.x), uint32(cuda.threadIdx.x)
        least, most, row = bounds[0], bounds[1], uint32(i * stride)
        while j < n:
            if i != j:
                place = uint32(row + j)
                trail = min(max(float32(tau[place] * keep), least), most)
                tau[place] = trail
                fitness[place] = weight(trail, eta[place])
            j = uint32(j + uint32(threads))

    return evaporate


def reinforce(threads: int, alpha: float, usual: float = 1.0):
    """A kernel of one block that adds the chosen tour's pheromone, 1 over its length, to both sides of its edges."""
    weight = weight_of(alpha, usual)

    @cuda.jit(fastmath=True)
    def leave(chosen, chosen_length, tau, eta, n, stride, bounds, fitness):
        added = float32(float64(1.0) / float64(max(chosen_length[0], int64(1))))
        edges = n if n > uint32(2) else uint32(n - uint32(1))
        k = uint32(cuda.threadIdx.x)
        while k < edges:
            after = uint32(k + uint32(1)) if uint32(k + uint32(1)) < n else uint32(0)
            a, b = uint32(chosen[k]), uint32(chosen[after])
            there, back = uint32(uint32(a * stride) + b), uint32(uint32(b * stride) + a)
            trail = min(float32(tau[there] + added), bounds[1])
            tau[there], tau[back] = trail, trail
            fitness[there], fitness[back] = weight(trail, eta[there]), weight(trail, eta[back])
            k = uint32(k + uint32(threads))

    return leave
