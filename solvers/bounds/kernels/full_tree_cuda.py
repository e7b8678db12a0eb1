"""Minimum spanning tree over all edges on a GPU, by O. Boruvka's algorithm (1926), one launch per step.

Ties between edges of equal reduced length are broken by their cities, so that no round closes a cycle.
"""

import numpy as np
from numba import int32, int64

from solvers.bounds.kernels.ascent_cuda import find_root
from solvers.kernels.coherent_cuda import load_relaxed_words
from solvers.kernels.device_cuda import SIMULATED, cuda
from solvers.kernels.distances_cuda import build_metric

#: Threads per block.
THREADS = 3 if SIMULATED else 128
#: A reduced length above all others.
FAR = np.int64(2**62)
#: The key of no edge, above all others.
NONE = np.int64(2**63 - 1)


def build_search(policy: int):
    """Build the kernel that finds each city's shortest edge to another part, within a range of cities.

    Returns
    -------
    callable
        ``search(where, prices, scale, rows, part, used, each, weight, near)``: `rows` are the cities, -1 for none;
        segment s, the second index of blocks, begins with city ``s * each``. ``used[a]`` is another city to leave out.
        Writes reduced length and city to row s of `weight` and `near`: `FAR` and -1 if there is none.
    """
    between = build_metric(policy)

    @cuda.jit
    def search(where, prices, scale, rows, part, used, each, weight, near):
        n, at, segment = int32(prices.size), int32(cuda.grid(1)), int32(cuda.blockIdx.y)
        if at < rows.size and rows[at] >= 0:
            a = rows[at]
            own, skipped, minimum, nearest = part[a], used[a], FAR, int32(-1)
            for b in range(int32(segment * each), min(n, int32((segment + 1) * each))):
                if part[b] != own and b != skipped:
                    reduced = int64(scale * int64(between(where, n, b, a)) + prices[b])
                    if reduced < minimum:
                        minimum, nearest = reduced, int32(b)
            near[segment, at] = nearest
            weight[segment, at] = minimum + prices[a] if nearest >= 0 else FAR

    return search


def build_lightest():
    """Build ``lightest(rows, weight, near, part, best, city, minimum)``: the shortest edge of each city and part.

    Ties between segments go to the first. Writes ``best[a]`` and ``city[a]``, and lowers ``minimum[c]``
    of the city's part.
    """

    @cuda.jit
    def lightest(rows, weight, near, part, best, city, minimum):
        at = int32(cuda.grid(1))
        if at < rows.size and rows[at] >= 0:
            a, nearest, shortest = rows[at], near[0, at], weight[0, at]
            for segment in range(1, weight.shape[0]):
                if weight[segment, at] < shortest:
                    shortest, nearest = weight[segment, at], near[segment, at]
            best[a], city[a] = shortest, nearest
            if nearest >= 0 and shortest < int64(load_relaxed_words(minimum, part[a])):
                cuda.atomic.min(minimum, part[a], shortest)

    return lightest


def build_choice():
    """Build ``choose(best, city, part, minimum, code)``: ties between a part's shortest edges go to the lowest cities.

    Its cities are packed into ``code[c]``, the lower one in the upper 32 bits.
    """

    @cuda.jit
    def choose(best, city, part, minimum, code):
        a = int32(cuda.grid(1))
        if a < part.size and city[a] >= 0 and best[a] == minimum[part[a]]:
            b = city[a]
            cuda.atomic.min(code, part[a], int64(int64(min(a, b)) << int64(32) | int64(max(a, b))))

    return choose


def build_join():
    """Build ``join(minimum, code, part, parent, ends, length, count)``: parts join along their edges.

    A part that joins another writes its edge to ``ends[c]`` and ``length[c]``; `count` counts all edges.
    """

    @cuda.jit
    def join(minimum, code, part, parent, ends, length, count):
        c = int32(cuda.grid(1))
        if c < part.size and part[c] == c and code[c] != NONE:
            u, v = int32(code[c] >> int64(32)), int32(code[c] & int64(0xFFFFFFFF))
            other = part[v] if part[u] == c else part[u]
            if code[other] != code[c] or c > other:  # if two parts take the same edge, only one joins the other
                parent[c] = other
                ends[c, 0], ends[c, 1], length[c] = u, v, minimum[c]
                cuda.atomic.add(count, 0, int32(1))

    return join


def build_flatten():
    """Build ``flatten(part, parent, minimum, code)``: write each city's new part, and start the next round."""

    @cuda.jit
    def flatten(part, parent, minimum, code):
        a = int32(cuda.grid(1))
        if a < part.size:
            part[a] = find_root(parent, part[a])
            minimum[a], code[a] = FAR, NONE

    return flatten
