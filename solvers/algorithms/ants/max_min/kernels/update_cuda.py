"""Updates between iterations of MAX-MIN Ant System on a GPU: depositing tour, limits, restarts.

T. Stuetzle and H. H. Hoos, "MAX-MIN Ant System", Future Generation Computer Systems 16 (2000), sections 3 to 5.
"""

import numpy as np
from numba import float32, float64, int64, uint32

from solvers.algorithms.ants.kernels.pheromone_cuda import build_weight, find_leader
from solvers.algorithms.ants.max_min.kernels import schedule
from solvers.algorithms.ants.max_min.kernels.schedule import OF_ALL, SINCE_RESTART
from solvers.kernels.device_cuda import block_sum, cuda

#: Indices into `memory`: the length of the best tour of all; the length of the best tour since the last restart, and
#: the iteration that found it; and the iteration of the last restart. Iterations are counted from 1.
BEST, SINCE, FOUND, RESTART, FIELDS = 0, 1, 2, 3, 4
_NO_LENGTH = np.int64(0x7FFFFFFFFFFFFFFF)
# Indices into a block's decisions: whether the iteration's best tour is the best of all, whether it is the best since
# the restart, and which tour deposits.
_NEW_BEST, _NEW_SINCE, _DEPOSITOR, _DECISIONS = range(4)

# Not `device_cuda.device`, whose divisions differ from the host's.
depositor, upper_limit, is_over = map(
    cuda.jit(device=True), (schedule.depositor, schedule.upper_limit, schedule.is_over)
)


def build_choice(threads: int, scheduled: bool):
    """Build a kernel that updates best tours, depositing tours and trail limits, with one block per colony.

    Parameters
    ----------
    scheduled : bool
        See `solvers.algorithms.ants.max_min.kernels.schedule.depositor`.

    Notes
    -----
    Arrays contain the values of all colonies, one after another. For each colony: `memory` int64 (4,), the first two
    initially the greatest int64; `best` and `since` int32 (n,), tours; `chosen` int32 (n,) and `chosen_length` int64
    (1,), the depositing tour, written; `bounds` float32 (2,), the lower and the upper limit, written, equal if the
    colony restarts. ``share`` is the lower limit as a share of the upper; `patience` int64 is 0 for no restarts; `ants`
    is the number of ants in one colony.
    """

    @cuda.jit
    def choose(
        tours, lengths, ants, n, branching, counter, memory, best, since, chosen, chosen_length, bounds, rho, share,
        patience,
    ):  # fmt: skip
        minimum = cuda.shared.array(threads, int64)
        best_ants = cuda.shared.array(threads, uint32)
        branch_sums = cuda.shared.array(threads, float64)
        decided = cuda.shared.array(_DECISIONS, uint32)
        t, colony = uint32(cuda.threadIdx.x), uint32(cuda.blockIdx.x)
        tours, lengths = tours[int64(colony) * int64(ants) * int64(n) :], lengths[uint32(colony * ants) :]
        first = uint32(colony * n)
        branching, best, since, chosen = branching[first:], best[first:], since[first:], chosen[first:]
        memory, bounds = memory[uint32(colony * uint32(FIELDS)) :], bounds[uint32(colony * uint32(2)) :]
        find_leader(lengths, ants, minimum, best_ants, threads)
        branches, k = float64(0.0), t
        while k < n:
            branches += float64(branching[k])
            k = uint32(k + uint32(threads))
        branch_sums[t] = branches
        block_sum(branch_sums, threads)
        if t == uint32(0):
            now, length = counter[0] + int64(1), minimum[0]
            decided[_NEW_BEST] = uint32(1) if length < memory[BEST] else uint32(0)
            decided[_NEW_SINCE] = uint32(1) if length < memory[SINCE] else uint32(0)
            if length < memory[BEST]:
                memory[BEST] = length
            if length < memory[SINCE]:
                memory[SINCE], memory[FOUND] = length, now
            decided[_DEPOSITOR] = uint32(depositor(now, memory[RESTART], memory[FOUND], scheduled))
            if decided[_DEPOSITOR] == uint32(SINCE_RESTART):
                length = memory[SINCE]
            if decided[_DEPOSITOR] == uint32(OF_ALL):
                length = memory[BEST]
            maximum = upper_limit(rho, memory[BEST])
            chosen_length[colony], bounds[0], bounds[1] = length, float32(maximum * share), maximum
            if is_over(now, memory[FOUND], patience, branch_sums[0], n):
                bounds[0] = maximum
                memory[SINCE], memory[FOUND], memory[RESTART] = _NO_LENGTH, now, now
        cuda.syncthreads()
        k, base = t, int64(best_ants[0]) * int64(n)
        while k < n:
            city = tours[base + int64(k)]
            if decided[_NEW_BEST] == uint32(1):
                best[k] = city
            if decided[_NEW_SINCE] == uint32(1):
                since[k] = city
            if decided[_DEPOSITOR] == uint32(SINCE_RESTART):
                city = since[k]
            if decided[_DEPOSITOR] == uint32(OF_ALL):
                city = best[k]
            chosen[k] = city
            k = uint32(k + uint32(threads))

    return choose


def build_evaporate(threads: int, alpha: float, reference: float = 1.0):
    """Build a kernel that evaporates trails within the limits and computes fitness, one block per row and colony."""
    weight = build_weight(alpha, reference)

    @cuda.jit(fastmath=True)
    def evaporate_rows(tau, eta, n, stride, keep, bounds, fitness):
        i, j = uint32(cuda.blockIdx.x), uint32(cuda.threadIdx.x)
        colony = uint32(cuda.blockIdx.y)
        minimum, maximum = bounds[uint32(colony * uint32(2))], bounds[uint32(colony * uint32(2) + uint32(1))]
        row, first = uint32(uint32(uint32(colony * n) + i) * stride), uint32(i * stride)
        while j < n:
            if i != j:
                place = uint32(row + j)
                trail = min(max(float32(tau[place] * keep), minimum), maximum)
                tau[place] = trail
                fitness[place] = weight(trail, eta[uint32(first + j)])
            j = uint32(j + uint32(threads))

    return evaporate_rows


def build_reinforce(threads: int, alpha: float, reference: float = 1.0):
    """Build a kernel that adds the depositing tour's 1 / length in both directions, one block per colony."""
    weight = build_weight(alpha, reference)

    @cuda.jit(fastmath=True)
    def deposit(chosen, chosen_length, tau, eta, n, stride, bounds, fitness):
        colony = uint32(cuda.blockIdx.x)
        chosen, maximum = chosen[uint32(colony * n) :], bounds[uint32(colony * uint32(2) + uint32(1))]
        tau, fitness = tau[uint32(uint32(colony * n) * stride) :], fitness[uint32(uint32(colony * n) * stride) :]
        added = float32(float64(1.0) / float64(max(chosen_length[colony], int64(1))))
        edges = n if n > uint32(2) else uint32(n - uint32(1))
        k = uint32(cuda.threadIdx.x)
        while k < edges:
            after = uint32(k + uint32(1)) if uint32(k + uint32(1)) < n else uint32(0)
            a, b = uint32(chosen[k]), uint32(chosen[after])
            forward, backward = uint32(uint32(a * stride) + b), uint32(uint32(b * stride) + a)
            trail = min(float32(tau[forward] + added), maximum)
            tau[forward], tau[backward] = trail, trail
            fitness[forward], fitness[backward] = weight(trail, eta[forward]), weight(trail, eta[backward])
            k = uint32(k + uint32(threads))

    return deposit
