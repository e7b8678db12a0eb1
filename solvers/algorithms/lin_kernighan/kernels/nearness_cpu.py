"""Candidates by alpha-nearness: for each city, the edges that are most likely in a shortest tour."""

import numpy as np

from solvers.algorithms.lin_kernighan.kernels.start_cpu import list_edges
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import distance
from solvers.kernels.compiler import njit


@njit(inline="always")
def _is_listed(near, a, b):
    """Return whether b is among the candidates of a."""
    is_listed = False
    for c in range(near.shape[1]):
        is_listed |= near[a, c] == b
    return is_listed


@njit(cache=True, nogil=True)
def list_candidates(policy, matrix, points, near, near_distance, order, scale):
    """List candidate edges and the edges of a tour, each once.

    Parameters
    ----------
    policy, matrix, points, near, near_distance
        See `solvers.algorithms.lin_kernighan.kernels.tour_cpu.Cities`.
    order : ndarray, shape (n,), int32
        A tour of at least three cities, whose edges connect all cities.
    scale : int
        Factor by which distances are multiplied.

    Returns
    -------
    ends : ndarray, shape (m, 2), int32
    length : ndarray, shape (m,), int64
    """
    n, width = near.shape
    ends, far = np.empty((n * (width + 1), 2), np.int32), np.empty(n * (width + 1), np.int32)
    size = list_edges(near, near_distance, 0, n, ends, far)
    before = order[n - 1]
    for city in order:
        if not _is_listed(near, before, city) and not _is_listed(near, city, before):
            ends[size, 0], ends[size, 1] = before, city
            far[size] = distance(policy, matrix, points, before, city)
            size += 1
        before = city
    return ends[:size], far[:size].astype(np.int64) * np.int64(scale)


@njit(cache=True, nogil=True)
def list_graph(n, ends, length):
    """List each edge at both of its cities; a city's edges are ordered by the other city.

    Returns
    -------
    start : ndarray, shape (n + 1,), int64
    city : ndarray, shape (2 m,), int32
    far : ndarray, shape (2 m,), int64
        See `solvers.bounds.kernels.sparse_tree_cpu.Graph`.
    """
    start, m = np.zeros(n + 1, np.int64), length.size
    for e in range(m):
        start[ends[e, 0] + 1] += 1
        start[ends[e, 1] + 1] += 1
    for a in range(n):
        start[a + 1] += start[a]
    filled, city, far = np.zeros(n, np.int64), np.empty(2 * m, np.int32), np.empty(2 * m, np.int64)
    for e in range(m):
        for side in range(2):
            a, b = ends[e, side], ends[e, 1 - side]
            at = start[a] + filled[a]
            filled[a] += 1
            while at > start[a] and city[at - 1] > b:
                city[at], far[at] = city[at - 1], far[at - 1]
                at -= 1
            city[at], far[at] = b, length[e]
    return start, city, far


@njit(cache=True, nogil=True)
def choose_by_alpha(graph, prices, values, scale, near, distance):
    """Choose the edges with the smallest alpha-values at each city; ties by reduced length.

    Parameters
    ----------
    graph : solvers.bounds.kernels.sparse_tree_cpu.Graph
        A graph with at least two edges per city.
    prices : ndarray, shape (n,), int64
    values : ndarray, shape (m,), int64
        The alpha-value of each edge, in the graph's order.
    scale : int
        Factor by which the graph's lengths exceed the distances.
    near, distance : ndarray, shape (n, k), int32
        Written in place: the cities, nearest first, and their distances; if there are fewer edges, the last is
        repeated.
    """
    n, width = near.shape
    rank = np.empty(width, np.int64)
    for a in range(n):
        first, last = graph.start[a], graph.start[a + 1]
        count = 0
        for e in range(first, last):
            # Insert the edge among the best so far; ties stay in the graph's order.
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
