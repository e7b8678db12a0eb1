"""Greedy tours with randomly lengthened edges, for variety; each tour is made in one call.

With several calls, threads would wait for the interpreter longer than a tour takes.
"""

import numpy as np

from solvers.algorithms.genetic.kernels.draws_cpu import draw_bits, stream_key
from solvers.algorithms.lin_kernighan.kernels.digits_cpu import sort_by
from solvers.algorithms.lin_kernighan.kernels.spatial_cpu import FAN, fill_boxes, find_candidates
from solvers.algorithms.lin_kernighan.kernels.start_cpu import follow, list_edges, take_edges
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import distance
from solvers.kernels.compiler import njit
from solvers.kernels.distance_rows_cpu import MATRIX

#: Number of candidates per end of a fragment, and number of ends up to which all pairs are tried.
NEAR_ENDS, ALL_PAIRS = 8, 64
#: Number of digits in a 32-bit key.
_DIGITS = 3
#: 2 ** -53, the spacing of the draws.
_DRAW_SPACING = 1.0 / (1 << 53)


@njit(cache=True, nogil=True)
def _take_varied(ends, lengths, prices, maximum_increase, key, names, degree, link, tail):
    """Take edges in ascending order of their increased costs; return the number of edges taken."""
    m = lengths.size
    value, low, high = np.empty(m), np.inf, -np.inf
    for at in range(m):
        share = np.float64(draw_bits(key, at) >> np.uint64(11)) * _DRAW_SPACING
        increase = 1.0 + maximum_increase * share
        # The increase is relative to zero: relative to a fixed edge, it would exceed the distances.
        value[at] = lengths[at] * increase if lengths[at] > 0 else lengths[at] / increase
        value[at] += prices[names[ends[at, 0]]] + prices[names[ends[at, 1]]]
        low, high = min(low, value[at]), max(high, value[at])
    scale = 4294967295.0 / max(1.0, high - low)
    keys, (order, spare) = np.empty(m, np.uint32), np.empty((2, m), np.int32)
    for at in range(m):
        keys[at] = np.uint32((value[at] - low) * scale)
    sort_by(keys, _DIGITS, order, spare)
    return take_edges(ends, order, names, degree, link, tail)


@njit(cache=True, nogil=True)
def _nearest_in_rows(matrix, names, near):
    """Write each city's nearest cities by the matrix, ties by index; `near` is (m, k), k < m."""
    m, k = near.shape
    for a in range(m):
        have = 0
        for b in range(m):
            far = matrix[names[a], names[b]]
            if b == a or (have == k and far >= matrix[names[a], names[near[a, k - 1]]]):
                continue
            at = min(have, k - 1)
            have = min(have + 1, k)
            while at > 0 and far < matrix[names[a], names[near[a, at - 1]]]:
                near[a, at] = near[a, at - 1]
                at -= 1
            near[a, at] = b


@njit(cache=True, nogil=True)
def _nearest_by_boxes(points, near):
    """Write each point's nearest points; the points are in the order of the curve."""
    m, levels, count, total = len(points), np.empty(40, np.int64), len(points), 0
    top = 0
    while True:
        count = (count + FAN - 1) // FAN
        levels[top] = total
        total += count
        top += 1
        if count == 1:
            break
    levels[top] = total
    boxes = np.empty((total, 4))
    fill_boxes(points, levels[: top + 1], boxes)
    find_candidates(points, levels[: top + 1], boxes, 0, m, 0, near)


@njit(cache=True, nogil=True)
def take_in_part(near, near_distance, prices, seed, maximum_increase, degree, link, tail, names, first, last):
    """Take edges between cities `first` to `last` - 1; see `varied_greedy`."""
    size, room = 0, (last - first) * near.shape[1]
    ends, lengths = np.empty((room, 2), np.int32), np.empty(room, np.int32)
    for at in range(list_edges(near, near_distance, first, last, ends, lengths)):
        if first <= ends[at, 1] < last:
            ends[size, 0], ends[size, 1], lengths[size] = ends[at, 0], ends[at, 1], lengths[at]
            size += 1
    key = stream_key(seed, np.uint64(first))
    _take_varied(ends[:size], lengths[:size], prices, maximum_increase, key, names, degree, link, tail)


@njit(cache=True, nogil=True, shared=True)
def varied_greedy(
    policy, matrix, points, near, near_distance, prices, seed, maximum_increase, degree, link, tail, order
):  # fmt: skip
    """Write a greedy tour for which an edge costs its randomly increased length plus the prices of its ends.

    J. L. Bentley, "Fast Algorithms for Geometric Traveling Salesman Problems" (1992): first, candidate edges are taken;
    then the ends of fragments get candidates among themselves, until only one fragment is left.

    Parameters
    ----------
    policy, matrix, points, near, near_distance
        See `solvers.algorithms.lin_kernighan.kernels.tour_cpu.Cities`.
    prices : ndarray, shape (n,), float64
        The cities' prices in units of length, which are added to the costs of their edges.
    seed : uint64
        Seed of the random increases.
    maximum_increase : float
        The maximum increase in an edge's length, as a share of that length.
    degree, link, tail : ndarray
        The fragments with which to begin; see `solvers.algorithms.lin_kernighan.kernels.start_cpu.take_edges`.
    order : ndarray, shape (n,), int32
        Written in place.
    """
    n, width = near.shape
    names, room, round_ = np.arange(n).astype(np.int32), n * width, np.uint64(0)
    ends, lengths = np.empty((n * width, 2), np.int32), np.empty(n * width, np.int32)
    size, remaining = 0, n - 1 - degree.sum() // 2
    for at in range(list_edges(near, near_distance, 0, n, ends, lengths)):
        if degree[ends[at, 0]] < 2 and degree[ends[at, 1]] < 2:
            ends[size, 0], ends[size, 1], lengths[size] = ends[at, 0], ends[at, 1], lengths[at]
            size += 1
    remaining -= _take_varied(
        ends[:size], lengths[:size], prices, maximum_increase, stream_key(seed, round_), names, degree, link, tail
    )
    while remaining:
        round_ += np.uint64(1)
        m = 0
        for city in range(n):
            if degree[city] < 2:
                names[m] = city
                m += 1
        count = m - 1 if m <= ALL_PAIRS else NEAR_ENDS
        among, far = np.empty((m, count), np.int32), np.empty((m, count), np.int32)
        if policy == MATRIX:
            _nearest_in_rows(matrix, names[:m], among)
        else:
            those = np.empty((m, 2))
            for a in range(m):
                those[a] = points[names[a]]
            _nearest_by_boxes(those, among)
        for a in range(m):
            for c in range(count):
                far[a, c] = distance(policy, matrix, points, names[a], names[among[a, c]])
        if m * count > room:
            room = m * count
            ends, lengths = np.empty((room, 2), np.int32), np.empty(room, np.int32)
        size = list_edges(among, far, 0, m, ends, lengths)
        remaining -= _take_varied(
            ends[:size], lengths[:size], prices, maximum_increase, stream_key(seed, round_), names, degree, link, tail
        )
    follow(link, degree, order)
