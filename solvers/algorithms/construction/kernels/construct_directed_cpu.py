"""Resumable greedy construction with directed edges."""

import numpy as np

from solvers.algorithms.construction.kernels.construct_cpu import CITY_BITS, find_first
from solvers.kernels.compiler import njit

_CITY_MASK = (1 << CITY_BITS) - 1
_NO_KEY = np.int64(2**62)


@njit(cache=True, nogil=True)
def find_successor(matrix, key, mate, head, entered, a):
    """Find the city nearest to a that no edge enters and that does not start a's path; ties go to the lowest city.

    The key orders edges by length, then by the city they leave: length << CITY_BITS | a.
    """
    successor, minimum = -1, np.int64(2**31)
    for b in range(mate.size):
        if not entered[b] and b != head[a] and matrix[a, b] < minimum:
            successor, minimum = b, np.int64(matrix[a, b])
    mate[a] = successor
    key[a] = (minimum << CITY_BITS) | a


@njit(cache=True, nogil=True)
def greedy_directed(matrix, key, mate, head, tail, next_city, entered, edges, state, budget):
    """Join directed paths by the shortest edges; each city is left and entered at most once, without cycles.

    The edge is the first of all feasible ones by length, city it leaves, and city it enters. As in
    `solvers.algorithms.construction.kernels.construct_cpu.greedy`, each city stores its own best edge. A new one is
    searched for only if that edge comes first and has become infeasible.

    Parameters
    ----------
    matrix : ndarray, shape (n, n), int32
        Distances from row to column.
    key : ndarray, shape (n,), int64
    mate : ndarray, shape (n,), int32
        Best next city of each city without an outgoing edge.
    head, tail : ndarray, shape (n,), int32
        First city of the path that ends at each city, and last city of the path that begins at it.
    next_city : ndarray, shape (n,), int32
        The next city, or -1.
    entered : ndarray, shape (n,), bool
    edges : ndarray, shape (n, 2), int32
        The chosen edges, in order of choice.
    state : ndarray, shape (3,), int64
        Numbers of cities whose first mate is known, of chosen edges, and of evaluated distances; changed in place.
    budget : int
        Number of distances and keys to evaluate before returning.
    """
    n, used = mate.size, np.int64(0)
    while state[0] < n and n > 1 and used < budget:
        find_successor(matrix, key, mate, head, entered, state[0])
        state[0] += 1
        state[2] += n
        used += n
    while state[1] < n - 1 and used < budget:
        first = _NO_KEY
        for k in range(n):
            first = min(first, key[k])
        used += n
        a = np.int64(first & _CITY_MASK)
        if key[a] != first:
            a = np.int64(find_first(key, first))
        b = np.int64(mate[a])
        if entered[b] or head[a] == b:
            find_successor(matrix, key, mate, head, entered, a)
            state[2] += n
            used += n
            continue
        edges[state[1], 0], edges[state[1], 1] = a, b
        state[1] += 1
        next_city[a] = b
        entered[b] = True
        key[a] = _NO_KEY
        begin, end = head[a], tail[b]
        head[end], tail[begin] = begin, end


@njit(cache=True, nogil=True)
def join_paths(next_city, entered, order):
    """Write the paths one after another to ``order`` (n,) int32, each from its first city."""
    m = 0
    for begin in range(order.size):
        if entered[begin]:
            continue
        at = np.int64(begin)
        while at >= 0:
            order[m] = at
            m += 1
            at = np.int64(next_city[at])
