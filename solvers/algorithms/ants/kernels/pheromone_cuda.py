"""Kernels between iterations on a GPU: lengths, deposits, evaporation, fitness and statistics.

Eq. 3 to 6 of A. Uchida, Y. Ito and K. Nakano, "An Efficient GPU Implementation of Ant Colony Optimization for the
Traveling Salesman Problem" (2012). Deposits are 64-bit integers, whose sums do not depend on the order of the
additions, so that a seed determines the tours. The sums are stored above the diagonal only. Each tile of 32 x 32 trails
is read there once, and written on both sides of the diagonal, row by row, through shared memory.
"""

import math
from collections.abc import Callable

import numpy as np
from numba import float32, float64, int64, uint32, uint64

from solvers.kernels.device_cuda import SIMULATED, WARP, as_bits, block_sum, cuda, device
from solvers.kernels.warp_cuda import warp_high, warp_low, warp_sum

#: Side of a tile, and number of its rows that a block processes at a time.
TILE = 32
TILE_ROWS = 2 if SIMULATED else 8
#: Minimum fitness of an edge; greater than float32's subnormal numbers.
MIN_FITNESS = np.float32(1e-37)
#: Maximum fitness of an edge, so that the sum of 10,000 of them is finite.
MAX_FITNESS = np.float32(1e30)
#: Number of nearest cities in a row of `near`.
NEAR = 32
#: lambda of the branching factor.
BRANCH = np.float32(0.05)
PADDED = TILE + 1
_NO_LENGTH = np.int64(0x7FFFFFFFFFFFFFFF)


def build_weight(alpha: float, reference: float = 1.0) -> Callable:
    """Build a device function ``(trail, eta)`` that computes an edge's fitness (eq. 3); 0 if `eta` is 0.

    If alpha is not 1, the base of the power is trail / `reference`; see
    `solvers.algorithms.ants.heuristics.reference_trail`.
    """
    if alpha != 1.0:
        return _build_power_weight(np.float32(alpha), np.float32(1.0 / reference))

    @device
    def weight(trail, eta):
        if eta == float32(0.0):
            return float32(0.0)
        return max(float32(trail * eta), MIN_FITNESS)

    return weight


def _build_power_weight(power: np.float32, inverse: np.float32) -> Callable:
    @device
    def weight(trail, eta):
        if eta == float32(0.0):
            return float32(0.0)
        strength = float32(math.pow(float32(trail * inverse), power))
        return min(max(float32(strength * eta), MIN_FITNESS), MAX_FITNESS)

    return weight


def build_score(threads: int):
    """Build a kernel that writes the exact length of tour a to ``lengths[a]``, one block per tour."""

    @cuda.jit
    def measure(tours, distance, n, lengths):
        parts = cuda.shared.array(threads, int64)
        t, ant = uint32(cuda.threadIdx.x), uint32(cuda.blockIdx.x)
        base, total, k = ant * n, int64(0), t
        while k < n:
            after = k + uint32(1) if k + uint32(1) < n else uint32(0)
            total += int64(distance[uint32(tours[base + k]) * n + uint32(tours[base + after])])
            k += uint32(threads)
        parts[t] = total
        block_sum(parts, threads)
        if t == uint32(0):
            lengths[ant] = parts[0]

    return measure


def build_add_tour(threads: int, integer_sums: bool) -> Callable:
    """Build a device function ``(tours, base, n, stride, each, sums)`` that adds `each` to a tour's edges."""

    @cuda.jit(device=True)
    def add(tours, base, n, stride, each, sums):
        k = uint32(cuda.threadIdx.x)
        while k < n:
            after = k + uint32(1) if k + uint32(1) < n else uint32(0)
            a, b = uint32(tours[base + k]), uint32(tours[base + after])
            place = min(a, b) * stride + max(a, b)
            if integer_sums:
                cuda.atomic.add(sums, place, uint64(each + float64(0.5)))
            else:
                cuda.atomic.add(sums, place, float32(each))
            k += uint32(threads)

    return add


def build_deposit(threads: int, integer_sums: bool):
    """Build a kernel that adds each tour's pheromone above the diagonal by atomics, one block per tour.

    Parameters
    ----------
    integer_sums : bool
        Whether sums are integers (uint64), with `amount` = Q / unit. Otherwise they are float32, with `amount` = Q, and
        depend on the order of the additions.
    """

    add = build_add_tour(threads, integer_sums)

    @cuda.jit
    def deposit_tours(tours, lengths, n, stride, amount, sums):
        ant = uint32(cuda.blockIdx.x)
        add(tours, ant * n, n, stride, amount / float64(max(lengths[ant], int64(1))), sums)

    return deposit_tours


def build_evaporate(integer_sums: bool, alpha: float, reference: float = 1.0):
    """Build a kernel that evaporates, adds deposits and computes fitness, one block per pair of tiles.

    The grid has tiles x tiles blocks of `TILE` x `TILE_ROWS` threads; blocks below the diagonal do nothing. The kernel
    resets `sums` to 0. ``keep`` is 1 - rho, ``unit`` the unit of the deposits, ``bounds`` the limits of the trails.
    """
    weight = build_weight(alpha, reference)
    zero = uint64(0) if integer_sums else float32(0.0)
    kind = uint64 if integer_sums else float32

    @cuda.jit(fastmath=True)
    def update(tau, sums, eta, n, stride, keep, unit, bounds, fitness):
        left = cuda.shared.array((TILE, PADDED), float32)
        upper, across = uint32(cuda.blockIdx.y) * uint32(TILE), uint32(cuda.blockIdx.x) * uint32(TILE)
        if across < upper:
            return
        x = uint32(cuda.threadIdx.x)
        y = uint32(cuda.threadIdx.y)
        minimum, maximum = bounds[0], bounds[1]
        while y < uint32(TILE):
            i, j = upper + y, across + x
            if i < j and j < n:
                place = i * stride + j
                added = kind(sums[place])
                sums[place] = zero
                trail = float32(tau[place] * keep) + float32(float32(added) * unit)
                left[y, x] = min(max(trail, minimum), maximum)
            y += uint32(TILE_ROWS)
        cuda.syncthreads()
        y = uint32(cuda.threadIdx.y)
        while y < uint32(TILE):
            i, j = upper + y, across + x
            if i < j and j < n:
                tau[i * stride + j] = left[y, x]
                fitness[i * stride + j] = weight(left[y, x], eta[i * stride + j])
            i, j = across + y, upper + x
            if i > j and i < n and j < n:
                tau[i * stride + j] = left[x, y]
                fitness[i * stride + j] = weight(left[x, y], eta[i * stride + j])
            y += uint32(TILE_ROWS)

    return update


def build_rows(alpha: float, reference: float = 1.0):
    """Build a kernel that computes each row's near weights, the sum of its other weights, and its statistics.

    The grid is rows x colonies, with one warp per row; all arrays except `nearest` and `eta_near` contain the rows of
    all colonies. `near` uint64 (n * 32,) is written as `solvers.algorithms.ants.kernels.walk_warp_cuda` reads it: each
    entry has a weight in the upper half and a city of `nearest` in the lower; the entry for "city" `stride` has the sum
    of the row of `other`. The statistics are the entropy in bits and the branching factor, as in
    `solvers.core.events.Colony`, one float32 each per row.
    """
    weight = build_weight(alpha, reference)

    @cuda.jit(fastmath=True)
    def summarise(tau, nearest, eta_near, other, n, stride, near, entropy, branching):
        lane, i = uint32(cuda.threadIdx.x), uint32(cuda.blockIdx.x)
        own = uint32(uint32(uint32(cuda.blockIdx.y) * n) + i)
        row = uint32(own * stride)
        total, sums, logs = float32(0.0), float32(0.0), float32(0.0)
        low, high = float32(3e38), float32(0.0)
        j = lane
        while j < n:
            if j != i:
                trail = tau[row + j]
                total += other[row + j]
                sums += trail
                logs += float32(trail * math.log2(trail))
                low, high = min(low, trail), max(high, trail)
            j += uint32(WARP)
        total, sums, logs = warp_sum(total), warp_sum(sums), warp_sum(logs)
        low, high = warp_low(low), warp_high(high)
        bar, branches = float32(low + BRANCH * (high - low)), float32(0.0)
        j = lane
        while j < n:
            if j != i and tau[row + j] >= bar:
                branches += float32(1.0)
            j += uint32(WARP)
        branches = warp_sum(branches)
        k = lane
        while k < uint32(NEAR):
            place = uint32(i * uint32(NEAR) + k)
            neighbour, value = uint32(nearest[place]), total
            if neighbour < n:
                value = weight(tau[uint32(row + neighbour)], eta_near[place])
            near[uint32(own * uint32(NEAR) + k)] = (uint64(uint32(as_bits(value))) << uint64(32)) | uint64(neighbour)
            k = uint32(k + uint32(WARP))
        if lane == uint32(0):
            entropy[own] = float32(0.0)
            if sums > float32(0.0):  # with fewer, there is only one city
                entropy[own] = max(float32(math.log2(sums) - logs / sums), float32(0.0))
            branching[own] = branches

    return summarise


@device
def find_leader(lengths, ants, minimum, best_ants, threads):
    """Write the shortest length and its ant to ``minimum[0]`` and ``best_ants[0]`` in shared memory.

    Ties go to the lowest ant.
    """
    t = uint32(cuda.threadIdx.x)
    low, lowest_ant, k = _NO_LENGTH, uint32(0), t
    while k < ants:
        if lengths[k] < low:
            low, lowest_ant = lengths[k], k
        k = uint32(k + uint32(threads))
    minimum[t], best_ants[t] = low, lowest_ant
    cuda.syncthreads()
    half = uint32(threads // 2)
    while half > uint32(0):
        if t < half:
            u = uint32(t + half)
            if minimum[u] < minimum[t] or (minimum[u] == minimum[t] and best_ants[u] < best_ants[t]):
                minimum[t], best_ants[t] = minimum[u], best_ants[u]
        cuda.syncthreads()
        half >>= uint32(1)


def build_best(threads: int):
    """Build a one-block kernel that finds the best ant and writes the results to a ring buffer.

    ``ring_lengths`` int64 (ring, 3): best, worst and total length; ``ring_trails`` float64 (ring, 2): entropy and
    branching factor, averaged over the rows; ``ring_tours`` int32 (ring, n); ``ring_trials`` int64 (ring, t), copied
    from `trials`, which is then reset. The kernel increases the counter by one.
    """

    @cuda.jit
    def find(
        lengths, ants, n, ring, tours, entropy, branching, trials, counter, ring_lengths, ring_trails, ring_tours,
        ring_trials,
    ):  # fmt: skip
        minimum = cuda.shared.array(threads, int64)
        best_ants = cuda.shared.array(threads, uint32)
        maximum = cuda.shared.array(threads, int64)
        sums = cuda.shared.array(threads, int64)
        bits = cuda.shared.array(threads, float64)
        ways = cuda.shared.array(threads, float64)
        t = uint32(cuda.threadIdx.x)
        place = uint32(counter[0] % int64(ring))
        find_leader(lengths, ants, minimum, best_ants, threads)
        high, total = int64(0), int64(0)
        k = t
        while k < ants:
            high = max(high, lengths[k])
            total += lengths[k]
            k += uint32(threads)
        spread, branches, rows = float64(0.0), float64(0.0), uint32(entropy.size)
        k = t
        while k < rows:
            spread += float64(entropy[k])
            branches += float64(branching[k])
            k += uint32(threads)
        maximum[t], sums[t], bits[t], ways[t] = high, total, spread, branches
        cuda.syncthreads()
        half = uint32(threads // 2)
        while half > uint32(0):
            if t < half:
                u = t + half
                maximum[t] = max(maximum[t], maximum[u])
                sums[t] += sums[u]
                bits[t] += bits[u]
                ways[t] += ways[u]
            cuda.syncthreads()
            half >>= uint32(1)
        base = uint32(best_ants[0]) * n
        k = t
        while k < n:
            ring_tours[place, k] = tours[base + k]
            k += uint32(threads)
        k = t
        while k < uint32(ring_trials.shape[1]):
            ring_trials[place, k] = trials[k]
            trials[k] = 0
            k += uint32(threads)
        if t == uint32(0):
            ring_lengths[place, 0] = minimum[0]
            ring_lengths[place, 1] = maximum[0]
            ring_lengths[place, 2] = sums[0]
            ring_trails[place, 0] = bits[0] / float64(rows)
            ring_trails[place, 1] = ways[0] / float64(rows)
            counter[0] += int64(1)

    return find


def build_mean_built(threads: int):
    """Build a one-block kernel that writes the mean length before local search to ``ring_built`` (ring,) float64."""

    @cuda.jit
    def write_mean(lengths, ants, ring, counter, ring_built):
        sums = cuda.shared.array(threads, int64)
        t = uint32(cuda.threadIdx.x)
        total, k = int64(0), t
        while k < ants:
            total += lengths[k]
            k += uint32(threads)
        sums[t] = total
        block_sum(sums, threads)
        if t == uint32(0):
            ring_built[uint32(counter[0] % int64(ring))] = float64(sums[0]) / float64(ants)

    return write_mean
