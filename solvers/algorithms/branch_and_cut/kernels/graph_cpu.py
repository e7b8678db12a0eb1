"""Cuts of a sparse weighted graph: components, the minimum cut, and minimum cuts between pairs of nodes."""

import numpy as np

from solvers.kernels.compiler import njit

#: Remaining capacities that are smaller count as zero.
_ZERO_CAPACITY = 1e-9


@njit(cache=True, nogil=True)
def components(n, ends, among):
    """Return each node's component, (n,) int32; components are numbered in the order of their first nodes.

    Parameters
    ----------
    n : int
    ends : ndarray, shape (m, 2), int32
    among : ndarray, shape (m,), bool
        Whether each edge counts.
    """
    parent = np.arange(n)
    for e in range(len(ends)):
        if not among[e]:
            continue
        a, b = ends[e, 0], ends[e, 1]
        while parent[a] != a:
            parent[a] = parent[parent[a]]
            a = parent[a]
        while parent[b] != b:
            parent[b] = parent[parent[b]]
            b = parent[b]
        if a < b:
            parent[b] = a
        else:
            parent[a] = b
    label, count = np.full(n, -1, np.int32), 0
    for city in range(n):
        root = city
        while parent[root] != root:
            root = parent[root]
        if label[root] < 0:
            label[root] = count
            count += 1
        label[city] = label[root]
    return label


@njit(cache=True, nogil=True)
def phase_cuts(weight, below):
    """Return the cuts below a value that Stoer and Wagner's phases find, with the minimum cut, (k, m) bool.

    M. Stoer and F. Wagner, "A Simple Min-Cut Algorithm" (1997).

    Parameters
    ----------
    weight : ndarray, shape (m, m), float64
        Symmetric, with a diagonal of zeros; overwritten.
    below : float
    """
    m = len(weight)
    group = np.eye(m).astype(np.bool_)
    alive = np.arange(m)
    cuts, count = np.zeros((m, m), np.bool_), 0
    remaining = m
    while remaining > 1:
        key, done = np.zeros(remaining), np.zeros(remaining, np.bool_)
        before = last = 0
        for _ in range(remaining):
            next_one = -1
            for at in range(remaining):
                if not done[at] and (next_one < 0 or key[at] > key[next_one]):
                    next_one = at
            done[next_one] = True
            before, last = last, next_one
            for at in range(remaining):
                key[at] += 0.0 if done[at] else weight[alive[next_one], alive[at]]
        if key[last] < below:
            cuts[count] = group[alive[last]]
            count += 1
        a, b = alive[before], alive[last]
        for at in range(remaining):
            c = alive[at]
            if c != a and c != b:
                weight[a, c] += weight[b, c]
                weight[c, a] = weight[a, c]
        group[a] |= group[b]
        alive[last] = alive[remaining - 1]
        remaining -= 1
    return cuts[:count]


@njit(cache=True, nogil=True)
def pair_cuts(n, ends, weight):
    """Return minimum cuts between pairs of nodes, which are chosen by Gusfield's method, (n - 1, n) bool.

    D. Gusfield, "Very Simple Methods for All Pairs Network Flow Analysis" (1990).

    Parameters
    ----------
    n : int
    ends : ndarray, shape (m, 2), int32
    weight : ndarray, shape (m,), float64
    """
    m = len(ends)
    degree = np.zeros(n + 1, np.int64)
    for e in range(m):
        degree[ends[e, 0] + 1] += 1
        degree[ends[e, 1] + 1] += 1
    start = np.cumsum(degree)
    place, arc = start[:-1].copy(), np.empty(2 * m, np.int64)
    for e in range(m):  # arc 2e leads from the first end to the second, arc 2e + 1 back
        for side in range(2):
            arc[place[ends[e, side]]] = 2 * e + side
            place[ends[e, side]] += 1
    tree, cuts = np.zeros(n, np.int64), np.zeros((max(0, n - 1), n), np.bool_)
    capacity, by, queue = np.empty(2 * m), np.empty(n, np.int64), np.empty(n, np.int64)
    for source in range(1, n):
        for e in range(m):
            capacity[2 * e] = capacity[2 * e + 1] = weight[e]
        sink = tree[source]
        while True:
            by[:] = -1
            queue[0], head, tail = source, 0, 1
            by[source] = -2
            while head < tail and by[sink] == -1:
                here = queue[head]
                head += 1
                for at in range(start[here], start[here + 1]):
                    a = arc[at]
                    neighbour = ends[a >> 1, 1 - (a & 1)]
                    if by[neighbour] == -1 and capacity[a] > _ZERO_CAPACITY:
                        by[neighbour], queue[tail] = a, neighbour
                        tail += 1
            if by[sink] == -1:
                break
            room, here = 1e300, sink
            while here != source:
                room = min(room, capacity[by[here]])
                here = ends[by[here] >> 1, by[here] & 1]
            here = sink
            while here != source:
                capacity[by[here]] -= room
                capacity[by[here] ^ 1] += room
                here = ends[by[here] >> 1, by[here] & 1]
        for node in range(n):
            cuts[source - 1, node] = by[node] != -1
            if node > source and by[node] != -1 and tree[node] == sink:
                tree[node] = source
    return cuts
