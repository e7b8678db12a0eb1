"""Candidates by alpha-nearness: of the edges at each city, those that are most likely part of a shortest tour."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def choose_by_alpha(graph, prices, values, scale, near, distance):
    """Choose the edges of each city with the least alpha-values, ties by reduced length.

    Parameters
    ----------
    graph : solvers.bounds.kernels.sparse_tree_cpu.Graph
        With two edges at each city at least.
    prices : ndarray, shape (n,), int64
    values : ndarray, shape (m,), int64
        The alpha-value of each edge, in the graph's order.
    scale : int
        The graph's lengths are so many times the distances.
    near, distance : ndarray, shape (n, k), int32
        Written: the cities and their distances, ascending; where there are fewer edges, the last one is
        repeated.
    """
    n, width = near.shape
    rank = np.empty(width, np.int64)
    for a in range(n):
        first, last = graph.start[a], graph.start[a + 1]
        count = 0
        for e in range(first, last):
            # Insertion among the best so far; ties stay in the order of the graph.
            reduced, at = graph.length[e] + prices[graph.city[e]], count
            while at > 0:
                other = rank[at - 1]
                if values[other] < values[e]:
                    break
                if values[other] == values[e] and graph.length[other] + prices[graph.city[other]] <= reduced:
                    break
                at -= 1
            if at == width:
                continue
            count = min(count + 1, width)
            for k in range(count - 1, at, -1):
                rank[k] = rank[k - 1]
            rank[at] = e
        for k in range(1, count):
            e, at = rank[k], k
            while at > 0 and graph.length[rank[at - 1]] > graph.length[e]:
                rank[at] = rank[at - 1]
                at -= 1
            rank[at] = e
        for k in range(width):
            e = rank[min(k, count - 1)]
            near[a, k], distance[a, k] = graph.city[e], graph.length[e] // scale
