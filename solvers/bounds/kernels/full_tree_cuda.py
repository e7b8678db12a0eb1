"""Minimum spanning tree over all edges on a GPU, by O. Boruvka's algorithm (1926), one launch per step.

The cities of edges decide between equal reduced lengths, so that no round closes a cycle.
"""

import numpy as np
from numba import int32, int64

from solvers.bounds.kernels.ascent_cuda import find_root
from solvers.kernels.coherent_cuda import load_relaxed_words
from solvers.kernels.device_cuda import SIMULATED, cuda
from solvers.kernels.distances_cuda import build_metric

#: Number of threads per block.
THREADS = 3 if SIMULATED else 128
#: A reduced length that exceeds all others.
FAR = np.int64(2**62)
#: The key that stands for no edge; it exceeds all others.
NONE = np.int64(2**63 - 1)


def build_search(policy: int):
    """Build the kernel that finds each city's shortest edge to another component, in each segment of cities.

    Returns
    -------
    callable
        ``search(where, prices, scale, rows, component, used, each, weight, near)``: `rows` are the cities, -1 for none;
        segment s, the second index of blocks, begins with city ``s * each``. ``used[a]`` is a further city to leave
        out. The kernel writes the edge's reduced length and other city to row s of `weight` and `near`; `FAR` and -1 if
        there is none.
    """
    between = build_metric(policy)

    @cuda.jit
    def search(where, prices, scale, rows, component, used, each, weight, near):
        n, at, segment = int32(prices.size), int32(cuda.grid(1)), int32(cuda.blockIdx.y)
        if at < rows.size and rows[at] >= 0:
            a = rows[at]
            own, skipped, minimum, nearest = component[a], used[a], FAR, int32(-1)
            for b in range(int32(segment * each), min(n, int32((segment + 1) * each))):
                if component[b] != own and b != skipped:
                    reduced = int64(scale * int64(between(where, n, b, a)) + prices[b])
                    if reduced < minimum:
                        minimum, nearest = reduced, int32(b)
            near[segment, at] = nearest
            weight[segment, at] = minimum + prices[a] if nearest >= 0 else FAR

    return search


def build_lightest():
    """Build ``lightest(rows, weight, nearest, component, best, city, minimum)``, which compares all segments.

    It writes the reduced length and the other city of each city's shortest edge to ``best[a]`` and ``city[a]``, and
    lowers ``minimum[c]`` of the city's component to that length. Ties between segments go to the first.
    """

    @cuda.jit
    def lightest(rows, weight, nearest, component, best, city, minimum):
        at = int32(cuda.grid(1))
        if at < rows.size and rows[at] >= 0:
            a, other, shortest = rows[at], nearest[0, at], weight[0, at]
            for segment in range(1, weight.shape[0]):
                if weight[segment, at] < shortest:
                    shortest, other = weight[segment, at], nearest[segment, at]
            best[a], city[a] = shortest, other
            if other >= 0 and shortest < int64(load_relaxed_words(minimum, component[a])):
                cuda.atomic.min(minimum, component[a], shortest)

    return lightest


def build_choice():
    """Build ``choose(best, city, component, minimum, code)``, which chooses each component's shortest edge.

    Ties go to the lowest cities. The edge's cities are packed into ``code[c]``, the lower one in the upper 32 bits.
    """

    @cuda.jit
    def choose(best, city, component, minimum, code):
        a = int32(cuda.grid(1))
        if a < component.size and city[a] >= 0 and best[a] == minimum[component[a]]:
            b = city[a]
            cuda.atomic.min(code, component[a], int64(int64(min(a, b)) << int64(32) | int64(max(a, b))))

    return choose


def build_join():
    """Build ``join(minimum, code, component, parent, ends, length, count)``, which joins components by their edges.

    A component that is merged into another writes its edge to ``ends[c]`` and ``length[c]``; `count` counts all edges.
    """

    @cuda.jit
    def join(minimum, code, component, parent, ends, length, count):
        c = int32(cuda.grid(1))
        if c < component.size and component[c] == c and code[c] != NONE:
            u, v = int32(code[c] >> int64(32)), int32(code[c] & int64(0xFFFFFFFF))
            other = component[v] if component[u] == c else component[u]
            if code[other] != code[c] or c > other:  # if two components take the same edge, only one adds it
                parent[c] = other
                ends[c, 0], ends[c, 1], length[c] = u, v, minimum[c]
                cuda.atomic.add(count, 0, int32(1))

    return join


def build_flatten():
    """Build ``flatten(component, parent, minimum, code)``, which writes new components and starts the next round."""

    @cuda.jit
    def flatten(component, parent, minimum, code):
        a = int32(cuda.grid(1))
        if a < component.size:
            component[a] = find_root(parent, component[a])
            minimum[a], code[a] = FAR, NONE

    return flatten
