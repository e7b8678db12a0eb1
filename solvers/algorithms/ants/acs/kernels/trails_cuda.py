"""Trails of Ant Colony System on a GPU: only raised edges are stored; the trails of all others are tau_0.

M. Dorigo and L. M. Gambardella, "Ant Colony System" (IEEE Transactions on Evolutionary Computation 1, 1997), eq. 4 and
5. Trails are in units of tau_0. Only edges that have been in a best tour have trails above 1; the local update does not
change others. These raised edges are numbered in the order in which they were raised; see `RaisedEdges`, an argument of
all kernels.

A weight is trail * eta. The sum and the maximum of the weights of a city's far cities remain upper bounds throughout an
iteration, since the local update only decreases trails.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numba import float32, float64, int32, int64, uint32, uint64

from solvers.algorithms.ants.kernels.choice_warp_cuda import NEAR
from solvers.algorithms.ants.kernels.pheromone_cuda import BRANCH, find_leader
from solvers.kernels.device_cuda import WARP, as_bits, as_float, block_minimum, cuda, device
from solvers.kernels.warp_cuda import flag_rank, high, low, warp_high, warp_low, warp_sum

#: Minimum of eta, which is 1 for a row's nearest city, as in `solvers.algorithms.ants.heuristics.compute_eta`.
_MIN_ETA = np.float32(1e-30)
#: The distance that counts if two cities are at the same place.
_MIN_DISTANCE = np.float32(0.5)
_FAR = np.int32(0x7FFFFFFF)
_ONE = np.float32(1.0)


class RaisedEdges(NamedTuple):
    """Trails and weights on the GPU, passed to every kernel; entry e is direction e & 1 of raised edge e >> 1.

    Attributes
    ----------
    fitness : array, float32 (n * stride,)
        Weights row by row; 0 for the city itself and its nearest cities.
    near : array, uint64 (n * 33,)
        Rows of 32 entries, one row per city: the nearest cities, each with its weight in the upper half and its number
        in the lower. A row's last entry stands for all other cities, with the sum of their weights. After all rows,
        entry n * 32 + c has the maximum weight of city c's other cities.
    stride : uint32
        Length of a row of `fitness`.
    records : array, int32 (1,)
        Number of raised edges, at most `capacity`.
    level : array, float32 (capacity,)
        The raised edges' trails at the beginning of the iteration.
    ends : array, int32 (2 * capacity,)
        Entry e belongs to city ``ends[e]`` and leads to ``ends[e ^ 1]``.
    slots : array, int32 (2 * capacity,)
        An entry's index in `near`; -1 if it is far, so that its weight is in `fitness`.
    eta : array, float32 (2 * capacity,)
        An entry's heuristic value: its weight is trail * eta.
    raised : array, int32 (n * 32,)
        The raised edge at an index of `near`; -1 if it is not raised.
    link, head : array, int32 (2 * capacity,) and (n,)
        Linked list of a city's far entries, from `head`; -1 ends it.
    visits : array, int32 (capacity,)
        Number of ants that took each edge in the iteration, by the edge's number.
    passes : array, int32 (n * 32,)
        The same numbers, by the edge's index in `near`.
    """

    fitness: Any
    near: Any
    stride: Any
    records: Any
    level: Any
    ends: Any
    slots: Any
    eta: Any
    raised: Any
    link: Any
    head: Any
    visits: Any
    passes: Any


@device
def pack_pair(weight, city):
    """Pack a weight and a city into one word."""
    return uint64((uint64(uint32(as_bits(float32(weight)))) << uint64(32)) | uint64(uint32(city)))


@device
def apply_updates(level, visits, keep):
    """Return a trail after `visits` local updates; each multiplies the trail's excess over 1 by `keep` = 1 - rho.

    M. Dorigo and L. M. Gambardella (1997), eq. 5, applied `visits` times.
    """
    return float32(_ONE + float32(level - _ONE) * float32(math.pow(keep, float32(visits))))


@device
def write_sides(edges, r, trail):
    """Write the weights of a raised edge in both directions."""
    for side in range(2):
        e = uint32(uint32(r) * uint32(2) + uint32(side))
        current, neighbour, slot = uint32(edges.ends[e]), uint32(edges.ends[e ^ uint32(1)]), edges.slots[e]
        weight = float32(trail * edges.eta[e])
        if slot >= 0:
            edges.near[slot] = pack_pair(weight, neighbour)
        else:
            edges.fitness[uint32(uint32(current * edges.stride) + neighbour)] = weight


@device
def sum_passes(edges, r):
    """Return how many times ants took a raised edge, in both directions together."""
    neighbour, back = edges.slots[uint32(r) * uint32(2)], edges.slots[uint32(r) * uint32(2) + uint32(1)]
    return int32(
        (edges.passes[neighbour] if neighbour >= 0 else int32(0)) + (edges.passes[back] if back >= 0 else int32(0))
    )


@device
def find_raised_far(edges, city, to):
    """Return the raised edge from `city` to a city that is not among its nearest, int32; -1 if there is none."""
    e = edges.head[city]
    while e >= 0 and uint32(edges.ends[uint32(e) ^ uint32(1)]) != uint32(to):
        e = edges.link[e]
    return int32(e >> 1) if e >= 0 else int32(-1)


def build_weigh(threads: int, power: float):
    """Build a kernel that computes all weights from the distances, with every trail at 1; one block per row.

    `power` is beta. eta is (the row's minimum distance / distance)**beta, as in
    `solvers.algorithms.ants.heuristics.compute_eta`.
    """
    beta = np.float32(power)

    @cuda.jit
    def begin(distance, nearest, n, stride, other, near):
        lowest = cuda.shared.array(threads, int32)
        i, t = uint32(cuda.blockIdx.x), uint32(cuda.threadIdx.x)
        row, minimum, j = uint32(i * n), _FAR, t
        while j < n:
            if j != i:
                minimum = min(minimum, distance[uint32(row + j)])
            j = uint32(j + uint32(threads))
        lowest[t] = minimum
        block_minimum(lowest, threads)
        nearby, j = max(float32(lowest[0]), _MIN_DISTANCE), t
        while j < stride:
            weight = float32(0.0)
            if j < n and j != i:
                ratio = float32(nearby / max(float32(distance[uint32(row + j)]), _MIN_DISTANCE))
                weight = max(float32(math.pow(ratio, beta)), _MIN_ETA)
            other[uint32(uint32(i * stride) + j)] = weight
            j = uint32(j + uint32(threads))
        cuda.syncthreads()
        k = t
        while k < uint32(NEAR):
            place = uint32(i * uint32(NEAR) + k)
            neighbour, weight = uint32(nearest[place]), float32(0.0)
            if neighbour < n and neighbour != i:
                weight = other[uint32(uint32(i * stride) + neighbour)]
                other[uint32(uint32(i * stride) + neighbour)] = float32(0.0)
            near[place] = pack_pair(weight, neighbour)
            k = uint32(k + uint32(threads))

    return begin


def build_local_update(threads: int, applied: bool):
    """Build a kernel that applies local updates to all visited raised edges; one thread per edge.

    If `applied`, ants have already updated the trails, and the kernel only recomputes the weights, to remove rounding
    errors.
    """

    @cuda.jit
    def update_edges(edges, keep, arrived):
        r = uint32(uint32(cuda.blockIdx.x) * uint32(threads) + uint32(cuda.threadIdx.x))
        if r == uint32(0):
            arrived[0] = 0
        if r < uint32(edges.records[0]):
            count = int32(edges.visits[r] + sum_passes(edges, r))
            if count > 0:
                trail = edges.level[r] if applied else apply_updates(edges.level[r], count, keep)
                edges.level[r], edges.visits[r] = trail, 0
                write_sides(edges, r, trail)

    return update_edges


@device
def _near_slot(near, city, to):
    """Return the slot of `to` among a city's nearest cities, int32, or -1."""
    slot, k = int32(-1), uint32(0)
    while k < uint32(NEAR):
        place = uint32(city * uint32(NEAR) + k)
        if low(near[place]) == to:
            slot = int32(place)
        k = uint32(k + uint32(1))
    return slot


@device
def _find_raised(edges, a, b):
    """Return the number of the raised edge between two cities, or -1."""
    slot = _near_slot(edges.near, a, b)
    return edges.raised[slot] if slot >= 0 else find_raised_far(edges, a, b)


@device
def _number_edges(edges, tour, numbers, n, count, first, ranks, threads):
    """Number the tour edges that are not yet raised, in tour order from `first`; return the new total.

    A block works in rounds, with one edge per thread; `ranks` uint32 (32,), in shared memory, has each warp's number of
    new edges. `numbers` gets the numbers of all the tour's edges.
    """
    p = uint32(cuda.threadIdx.x)
    lane, warp = uint32(p % uint32(WARP)), uint32(p // uint32(WARP))
    while uint32(p - uint32(cuda.threadIdx.x)) < count:
        r, a, b = int32(-1), uint32(0), uint32(0)
        if p < count:
            a, b = uint32(tour[p]), uint32(tour[uint32(p + uint32(1)) if uint32(p + uint32(1)) < n else 0])
            r = _find_raised(edges, a, b)
        is_new = p < count and r < 0
        rank, new_count = flag_rank(is_new)
        if lane == uint32(0):
            ranks[warp] = new_count
        cuda.syncthreads()
        before, total, w = uint32(0), uint32(0), uint32(0)
        while w < uint32(threads // WARP):
            before = uint32(before + (ranks[w] if w < warp else uint32(0)))
            total = uint32(total + ranks[w])
            w = uint32(w + uint32(1))
        own = uint32(first + before + rank)
        if is_new and own < uint32(edges.level.size):
            r = int32(own)
            edges.level[r], edges.ends[2 * r], edges.ends[2 * r + 1] = _ONE, int32(a), int32(b)
            for side in range(2):
                e, current, neighbour = uint32(uint32(2) * own + uint32(side)), (a, b)[side], (b, a)[side]
                slot = _near_slot(edges.near, current, neighbour)
                edges.slots[e] = slot
                # The trail is still 1, so the weight is eta.
                if slot >= 0:
                    edges.raised[slot], edges.eta[e] = r, as_float(high(edges.near[slot]))
                else:
                    edges.eta[e] = edges.fitness[uint32(uint32(current * edges.stride) + neighbour)]
        if p < count:
            numbers[p] = r
        first = min(uint32(first + total), uint32(edges.level.size))
        p = uint32(p + uint32(threads))
        cuda.syncthreads()
    return first


@device
def _chain(edges, tour, numbers, n, count, first, threads):
    """Link the tour's far edges, from number `first` on, into their cities' lists."""
    p = uint32(cuda.threadIdx.x)
    while p < n:
        for side in range(2):
            k = p if side == 0 else uint32(p - uint32(1) if p > uint32(0) else n - uint32(1))
            r = numbers[k] if k < count else int32(-1)
            if r >= int32(first):
                e = int32(2 * r + side)
                if edges.slots[e] < 0:
                    edges.link[e], edges.head[uint32(tour[p])] = edges.head[uint32(tour[p])], e
        p = uint32(p + uint32(threads))


def build_reward(threads: int):
    """Build a one-block kernel that finds the best tour so far, raises its edges and deposits pheromone.

    Notes
    -----
    `memory` int64 (1,): the shortest length so far, initially the greatest int64. `best` int32 (n,): the tour of that
    length. `numbers` int32 (n,): the numbers of that tour's edges, the k-th from position k to k + 1; -1 if there was
    no space. `alpha` float32. `target` float64: n * L_nn, so that target / length is the deposit in units of tau_0
    (eq. 4).
    """

    @cuda.jit
    def deposit(edges, tours, lengths, ants, n, memory, best, numbers, alpha, target):
        lowest = cuda.shared.array(threads, int64)
        best_ants = cuda.shared.array(threads, uint32)
        ranks = cuda.shared.array(32, uint32)
        t, count = uint32(cuda.threadIdx.x), uint32(n if n > uint32(2) else n - uint32(1))
        find_leader(lengths, ants, lowest, best_ants, threads)
        better = lowest[0] < memory[0]
        cuda.syncthreads()
        if better:
            p, base = t, int64(best_ants[0]) * int64(n)
            while p < n:
                best[p] = tours[base + int64(p)]
                p = uint32(p + uint32(threads))
            first = uint32(edges.records[0])
            if t == uint32(0):
                memory[0] = lowest[0]
            cuda.syncthreads()
            next_number = _number_edges(edges, best, numbers, n, count, first, ranks, threads)
            if t == uint32(0):
                edges.records[0] = int32(next_number)
            _chain(edges, best, numbers, n, count, first, threads)
            cuda.syncthreads()
        added, p = float32(float64(target) / float64(max(memory[0], int64(1)))), t
        while p < count:
            r = numbers[p]
            if r >= 0:
                trail = max(float32(float32((_ONE - alpha) * edges.level[r]) + float32(alpha * added)), _ONE)
                edges.level[r] = trail
                write_sides(edges, r, trail)
            p = uint32(p + uint32(threads))

    return deposit


@cuda.jit
def summarise_rows(edges, n, every, entropy, branching):
    """Summarise each row with one warp: sum the far weights, compute trail statistics, and clear `passes`.

    Only rows with far entries of raised edges are summed again, or all rows if `every` is not 0. The statistics are the
    entropy in bits and the branching factor, as in `solvers.core.events.Colony`, one float32 each per row.
    """
    lane, i = uint32(cuda.threadIdx.x), uint32(cuda.blockIdx.x)
    chain = edges.head[i]
    if chain >= 0 or every > 0:
        total, maximum, row, j = float32(0.0), float32(0.0), uint32(i * edges.stride), lane
        while j < edges.stride:
            weight = edges.fitness[uint32(row + j)]
            total, maximum = float32(total + weight), max(maximum, weight)
            j = uint32(j + uint32(WARP))
        total, maximum = warp_sum(total), warp_high(maximum)
        if lane == uint32(0):
            last = uint32(i * uint32(NEAR) + uint32(NEAR - 1))
            if low(edges.near[last]) == edges.stride:
                edges.near[last] = pack_pair(total, edges.stride)
            edges.near[uint32(n * uint32(NEAR) + i)] = pack_pair(maximum, edges.stride)
    count, sums, logs, lowest, maximum = float32(0.0), float32(0.0), float32(0.0), float32(3e38), float32(0.0)
    k = lane
    while k < uint32(NEAR):
        place = uint32(i * uint32(NEAR) + k)
        r, edges.passes[place] = edges.raised[place], 0
        if r >= 0:
            trail = edges.level[r]
            count, sums, logs = float32(count + _ONE), float32(sums + trail), float32(logs + trail * math.log2(trail))
            lowest, maximum = min(lowest, trail), max(maximum, trail)
        k = uint32(k + uint32(WARP))
    e = chain
    while e >= 0:
        if lane == uint32(0):
            trail = edges.level[e >> 1]
            count, sums, logs = float32(count + _ONE), float32(sums + trail), float32(logs + trail * math.log2(trail))
            lowest, maximum = min(lowest, trail), max(maximum, trail)
        e = edges.link[e]
    count, sums, logs = warp_sum(count), warp_sum(sums), warp_sum(logs)
    lowest, maximum = warp_low(lowest), warp_high(maximum)
    unlisted = float32(float32(n) - _ONE - count)
    if unlisted > float32(0.0):
        sums, lowest, maximum = float32(sums + unlisted), _ONE, max(maximum, _ONE)
    bar, branches = float32(lowest + BRANCH * float32(maximum - lowest)), float32(0.0)
    k = lane
    while k < uint32(NEAR):
        r = edges.raised[uint32(i * uint32(NEAR) + k)]
        if r >= 0 and edges.level[r] >= bar:
            branches += _ONE
        k = uint32(k + uint32(WARP))
    e = chain
    while e >= 0:
        if lane == uint32(0) and edges.level[e >> 1] >= bar:
            branches += _ONE
        e = edges.link[e]
    branches = warp_sum(branches)
    if lane == uint32(0):
        entropy[i] = float32(0.0)
        if sums > float32(0.0):  # with fewer, there is only one city
            entropy[i] = max(float32(math.log2(sums) - logs / sums), float32(0.0))
        branching[i] = float32(branches + unlisted) if bar <= _ONE else branches
