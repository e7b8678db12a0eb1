"""Greedy edges: J. L. Bentley, "Fast Algorithms for Geometric Traveling Salesman Problems" (1992)."""

import numpy as np

from solvers.algorithms.lin_kernighan.kernels.tour_cpu import distance
from solvers.kernels.compiler import njit


@njit(cache=True, nogil=True)
def measure_candidates(policy, matrix, points, near, first, last, near_distance):
    """Write the distances from cities `first` to `last` - 1 to their candidates."""
    for a in range(first, last):
        for c in range(near.shape[1]):
            near_distance[a, c] = distance(policy, matrix, points, a, near[a, c])


@njit(cache=True, nogil=True)
def list_edges(near, near_distance, first, last, ends, lengths):
    """List the candidate edges of cities `first` to `last` - 1, each once; return their number."""
    size = 0
    for a in range(first, last):
        for c in range(near.shape[1]):
            b = near[a, c]
            twice = False
            if b < a:
                for other in range(near.shape[1]):
                    twice |= near[b, other] == a
            if not twice:
                ends[size, 0], ends[size, 1], lengths[size] = a, b, near_distance[a, c]
                size += 1
    return size


@njit(cache=True, nogil=True)
def single_cities(n):
    """Return each city's degree, neighbours and other end, for n cities without edges; see `take_edges`."""
    return np.zeros(n, np.int32), np.full((n, 2), -1, np.int32), np.arange(n).astype(np.int32)


@njit(cache=True, nogil=True)
def take_edges(ends, by_length, names, degree, link, tail):
    """Take edges in order, unless they branch or close a cycle; return the number of edges taken.

    Parameters
    ----------
    ends : ndarray, shape (m, 2), int32
    by_length : ndarray, shape (m,), int64
        The order of the edges.
    names : ndarray, int32
        The cities for which the indices in `ends` stand.
    degree : ndarray, shape (n,), int32
    link : ndarray, shape (n, 2), int32
        Each city's neighbours in its fragment.
    tail : ndarray, shape (n,), int32
        For each end of a fragment, the other end.
    """
    count = 0
    for at in range(by_length.size):
        a, b = names[ends[by_length[at], 0]], names[ends[by_length[at], 1]]
        if degree[a] == 2 or degree[b] == 2 or tail[a] == b:
            continue
        link[a, degree[a]], link[b, degree[b]] = b, a
        degree[a] += 1
        degree[b] += 1
        start, end = tail[a], tail[b]
        tail[start], tail[end] = end, start
        count += 1
    return count


@njit(cache=True, nogil=True)
def follow(link, degree, order):
    """Write the cities along the only remaining fragment."""
    n = order.size
    current = 0
    for city in range(n):
        if degree[city] < 2:
            current = city
            break
    before = -1
    for p in range(n):
        order[p] = current
        ahead = link[current, 0]
        if (ahead == before and degree[current] == 2) or degree[current] == 0:
            ahead = link[current, 1]
        before, current = current, ahead
