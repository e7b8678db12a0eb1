"""Price ascent on a GPU: minimum 1-trees of candidate edges, many iterations without the host.

A minimum spanning tree is built in rounds after O. Boruvka (1926): each component of the forest takes the shortest edge
that leaves it. An edge's key is its reduced length, with its number in the lower bits. So keys are distinct, rounds
close no cycle, and a minimum takes one atomic operation. All blocks must be resident at the same time.
"""

from typing import NamedTuple

import numpy as np
from numba import int32, int64, uint32

from solvers.bounds.kernels.sparse_tree_cpu import BEST, DOUBLING, ITERATIONS, LAST, LEFT, PERIOD, STATE, STEP, TIGHT
from solvers.kernels.coherent_cuda import all_blocks, load_relaxed_words
from solvers.kernels.device_cuda import SIMULATED, WARP, cuda, device
from solvers.kernels.warp_cuda import warp_high, warp_sum

#: Number of threads per block.
THREADS = 3 if SIMULATED else 256
#: The key that stands for no edge; it exceeds all others.
NONE = np.int64(2**63 - 1)
#: Index of the maximum number of iterations, which follows the ascent's `state`.
LIMIT = STATE
#: Indices of an iteration's sums: the tree's reduced length, the number of its edges, the number of cities that do not
#: have exactly two edges, the key of the special city's second edge, and the sum of all prices.
_TOTAL, _EDGES, _UNEVEN, _SECOND, _PRICES = range(5)
#: Number of these sums; those of the next iteration follow them.
SUMS = 5
#: Rows of `work`: each city's component; the component that each component is merged into; whether all of a city's
#: edges stay within its component; the city's second edge; its degrees in even and in odd iterations.
_COMPONENT, _PARENT, _INNER, _SECONDS, _DEGREE = range(5)
#: Number of these rows.
WORK = 6


class Candidates(NamedTuple):
    """The candidate edges.

    Attributes
    ----------
    start : ndarray, shape (n + 1,), int32
    city : ndarray, shape (2 m,), int32
        The edges of city a lead to ``city[start[a] : start[a + 1]]``.
    edge : ndarray, shape (2 m,), int32
        The number of each edge, which is the same at both of its cities.
    length : ndarray, shape (2 m,), int64
    ends : ndarray, shape (2 m,), int32
        The cities of edge e are ``ends[2 * e]`` and ``ends[2 * e + 1]``.
    limit : int64
        Maximum absolute value of a price.
    offset, bits : int64
        A reduced length plus `offset` is not negative, and leaves `bits` bits for an edge's number.
    """

    start: np.ndarray
    city: np.ndarray
    edge: np.ndarray
    length: np.ndarray
    ends: np.ndarray
    limit: np.int64
    offset: np.int64
    bits: np.int64


@device
def _sync_grid(arrived, barrier):
    """Wait for all threads of the grid, and make their writes visible."""
    if cuda.gridDim.x == 1:
        cuda.syncthreads()
    else:
        all_blocks(arrived, barrier)


@device
def _shortest_out(graph, prices, component, a):
    """Return the smallest key of a city's edges to other components; `NONE` if there are none."""
    minimum, here, own = NONE, int64(prices[a] + graph.offset), component[a]
    for e in range(graph.start[a], graph.start[a + 1]):
        b = graph.city[e]
        if component[b] != own:
            minimum = min(minimum, int64(((graph.length[e] + here + prices[b]) << graph.bits) | int64(graph.edge[e])))
    return minimum


@device
def _second_shortest(graph, prices, a):
    """Return the second smallest key of a city's edges; a leaf's smallest key is that of its tree edge."""
    minimum, second, here = NONE, NONE, int64(prices[a] + graph.offset)
    for e in range(graph.start[a], graph.start[a + 1]):
        key = int64(((graph.length[e] + here + prices[graph.city[e]]) << graph.bits) | int64(graph.edge[e]))
        second = min(second, max(minimum, key))
        minimum = min(minimum, key)
    return second


@device
def find_root(parent, c):
    """Return the root of a component. Other threads may shorten the same paths, but do not change roots."""
    up = parent[c]
    while up != c:
        over = parent[up]
        if over != up:
            parent[c] = over
        c, up = up, over
    return c


@device
def _join(first, stride, graph, keys, component, parent, degree):
    """Let each component take its shortest edge; return the edges' total reduced length and their number."""
    gained, count = int64(0), int64(0)
    for c in range(first, component.size, stride):
        key = keys[c]
        if component[c] == c and key != NONE:
            e = key & ((int64(1) << graph.bits) - int64(1))
            u, v = graph.ends[2 * e], graph.ends[2 * e + 1]
            other = component[v] if component[u] == c else component[u]
            if keys[other] != key or c > other:  # if two components take the same edge, only one adds it
                parent[c] = other
                cuda.atomic.add(degree, u, int32(1))
                cuda.atomic.add(degree, v, int32(1))
                gained += (key >> graph.bits) - graph.offset
                count += int64(1)
    return gained, count


@device
def _find_exits(first, stride, graph, prices, component, inner, keys):
    """Find the shortest edge that leaves each component; its key is the minimum over the component's cities."""
    for a in range(first, component.size, stride):
        if inner[a] == 0:
            key = _shortest_out(graph, prices, component, a)
            if key == NONE:
                inner[a] = 1
            elif key < int64(load_relaxed_words(keys, component[a])):
                cuda.atomic.min(keys, component[a], key)


@device
def _flatten(first, stride, component, parent, keys):
    """Write each city's new component."""
    for a in range(first, component.size, stride):
        component[a] = find_root(parent, component[a])
        keys[a] = NONE


@device
def _find_special_leaf(first, stride, graph, prices, degree, seconds):
    """Find the leaf with the longest second edge.

    Returns that edge's key, which contains the leaf instead of the edge's number, and the number of cities that do not
    have exactly two edges.
    """
    bits = graph.bits
    low = (int64(1) << bits) - int64(1)
    longest, uneven = int64(0), int64(0)
    for a in range(first, seconds.size, stride):
        if degree[a] == 1:
            key = _second_shortest(graph, prices, a)
            if key != NONE:
                seconds[a] = int32(key & low)
                longest = max(longest, int64(((key >> bits) << bits) | (low - int64(a))))
        if degree[a] != 2:
            uneven += int64(1)
    return longest, uneven


@device
def _begin(first, stride, work, keys, degree):
    """Make each city a component by itself."""
    for a in range(first, keys.size, stride):
        work[_COMPONENT, a] = work[_PARENT, a] = a
        work[_INNER, a] = degree[a] = 0
        keys[a] = NONE


def build_ascent():
    """Build the kernel that runs a slice; it is equivalent to `solvers.bounds.kernels.sparse_tree_cpu.ascend`.

    The kernel is long because all blocks keep step and period in registers, between barriers of the whole grid.

    Returns
    -------
    callable
        ``ascend(graph, prices, best_prices, before, work, keys, sums, state, arrived)``. `graph` is a `Candidates`.
        `work` (WORK, n) int32 and `keys` (n,) int64 are working memory; `sums` (2 * SUMS,) int64 and `arrived` (1,)
        int32 must be 0 before.
    """

    @cuda.jit
    def ascend(graph, prices, best_prices, before, work, keys, sums, state, arrived):
        bits, ends = graph.bits, graph.ends
        n, first, stride = prices.size, int32(cuda.grid(1)), int32(cuda.gridsize(1))
        component, parent, inner, seconds = work[_COMPONENT], work[_PARENT], work[_INNER], work[_SECONDS]
        low, lane, barrier = (int64(1) << bits) - int64(1), cuda.threadIdx.x % WARP, uint32(1)
        # Every thread counts steps and periods itself, with the same result.
        step, period, remaining, doubling = state[STEP], state[PERIOD], state[LEFT], state[DOUBLING]
        best, iterations, tight, last = state[BEST], state[ITERATIONS], state[TIGHT], state[LAST]
        until, over = iterations + state[LIMIT], False
        own = int64(0)
        for a in range(first, n, stride):
            own += prices[a]
        own = warp_sum(own)
        if lane == 0:
            cuda.atomic.add(sums, (iterations & 1) * SUMS + _PRICES, own)
        _begin(first, stride, work, keys, work[_DEGREE + (iterations & 1)])
        _sync_grid(arrived, barrier)
        while iterations < until and not over:
            here, after = (iterations & 1) * SUMS, ((iterations + 1) & 1) * SUMS
            degree, next_degree = work[_DEGREE + (iterations & 1)], work[_DEGREE + ((iterations + 1) & 1)]
            edges, edges_before = int64(0), int64(-1)
            while True:
                _find_exits(first, stride, graph, prices, component, inner, keys)
                barrier += uint32(1)
                _sync_grid(arrived, barrier)
                gained, count = _join(first, stride, graph, keys, component, parent, degree)
                gained, count = warp_sum(gained), warp_sum(count)
                if lane == 0 and count > 0:
                    cuda.atomic.add(sums, here + _TOTAL, gained)
                    cuda.atomic.add(sums, here + _EDGES, count)
                barrier += uint32(1)
                _sync_grid(arrived, barrier)
                edges_before, edges = edges, sums[here + _EDGES]
                if edges == n - 1 or edges == edges_before:
                    break
                _flatten(first, stride, component, parent, keys)
                barrier += uint32(1)
                _sync_grid(arrived, barrier)
            longest, uneven = _find_special_leaf(first, stride, graph, prices, degree, seconds)
            longest, uneven = warp_high(longest), warp_sum(uneven)
            if lane == 0:
                cuda.atomic.max(sums, here + _SECOND, longest)
                cuda.atomic.add(sums, here + _UNEVEN, uneven)
            if first < SUMS:
                for k in range(first, SUMS, stride):
                    sums[after + k] = 0
            barrier += uint32(1)
            _sync_grid(arrived, barrier)
            second = sums[here + _SECOND]
            leaf = int32(low - (second & low))
            second_edge = seconds[leaf]
            to = ends[2 * second_edge + 1] if ends[2 * second_edge] == leaf else ends[2 * second_edge]
            bound = sums[here + _TOTAL] + (second >> bits) - graph.offset - int64(2) * sums[here + _PRICES]
            iterations += int64(1)
            grown = bound > best
            if grown:
                best = bound
            # The leaf now has two edges, and the other city one more.
            uneven = sums[here + _UNEVEN] - int64(1) + int64(degree[to] == 2) - int64(degree[to] == 1)
            over = uneven == 0
            if over:
                tight = int64(1)
            elif doubling != 0:
                if grown:
                    step *= int64(2)
                elif iterations > 1:
                    doubling, step = int64(0), max(int64(1), step >> int64(1))
            own = int64(0)
            for a in range(first, n, stride):
                price = prices[a]
                if grown:
                    best_prices[a] = price
                if not over:
                    now = int32(degree[a] - 2 + int32(a == leaf) + int32(a == to))
                    moved = price + step * int64(7 * now + 3 * before[a]) // int64(10)
                    price = min(max(moved, -graph.limit), graph.limit)
                    prices[a], before[a] = price, now
                own += price
            own = warp_sum(own)
            if lane == 0:
                cuda.atomic.add(sums, after + _PRICES, own)
            if not over:
                remaining -= int64(1)
                if remaining <= 0:
                    if grown and last == 0:
                        remaining, last = period, int64(1)
                    else:
                        doubling, last, over = int64(0), int64(0), True
                        period, step = period >> int64(1), step >> int64(1)
                        remaining = period
            _begin(first, stride, work, keys, next_degree)
            barrier += uint32(1)
            _sync_grid(arrived, barrier)
        if first == 0:
            state[STEP], state[PERIOD], state[LEFT], state[DOUBLING] = step, period, remaining, doubling
            state[BEST], state[ITERATIONS], state[TIGHT], state[LAST] = best, iterations, tight, last

    return ascend
