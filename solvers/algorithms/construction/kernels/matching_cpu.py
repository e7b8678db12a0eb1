"""Minimum-weight perfect matching in a complete graph, by Edmonds' blossom algorithm in O(k^3).

J. Edmonds, "Maximum matching and a polyhedron with 0,1-vertices" (1965). The slack of each vertex is stored as in Z.
Galil, "Efficient algorithms for finding maximum matching in graphs" (1986). Vertices have the numbers 1 to k, blossoms
k + 1 and higher; 0 means none. The algorithm maximises weights. A weight is a constant minus twice the distance, such
that all are positive and a maximum matching is perfect.
"""

from typing import NamedTuple

import numpy as np

from solvers.kernels.compiler import njit

_FREE, _OUTER, _INNER = -1, 0, 1
_INFINITE = np.int64(2**62)


class Matching(NamedTuple):
    """The state of a matching of k vertices; with s = 2 k + 1, all blossoms have room.

    Attributes
    ----------
    weight : ndarray, shape (s, s), int64
        Weights of the best edges between vertices or blossoms; 0 if there is none.
    first, second : ndarray, shape (s, s), int32
        The vertices that these edges join.
    label : ndarray, shape (s,), int64
        The dual variables.
    mate, slack, root, parent, side, seen : ndarray, shape (s,), int32
        Of each vertex or blossom: the other vertex of its matched edge; its best edge's outer vertex; its outermost
        blossom; the previous vertex in the tree; `_FREE`, `_OUTER` or `_INNER`; the last search that visited it.
    within : ndarray, shape (s, k + 1), int32
        The part of each blossom that contains each vertex.
    part : ndarray, shape (s, k + 1), int32
        The parts of each blossom, in order around its cycle, from its base.
    parts : ndarray, shape (s,), int32
        Number of parts of each blossom.
    queue : ndarray, shape (k + 1,), int32
    state : ndarray, shape (5,), int64
        Number of vertices and blossoms in use; the queue's two ends; number of searches so far; k.
    """

    weight: np.ndarray
    first: np.ndarray
    second: np.ndarray
    label: np.ndarray
    mate: np.ndarray
    slack: np.ndarray
    root: np.ndarray
    parent: np.ndarray
    side: np.ndarray
    seen: np.ndarray
    within: np.ndarray
    part: np.ndarray
    parts: np.ndarray
    queue: np.ndarray
    state: np.ndarray


def new_matching(distances: np.ndarray) -> Matching:
    """Return an empty matching for distances (k, k), k even."""
    k = len(distances)
    s = 2 * k + 1
    weight = np.zeros((s, s), np.int64)
    weight[1 : k + 1, 1 : k + 1] = 2 * (np.int64(distances.max(initial=0)) + 1 - distances)
    np.fill_diagonal(weight, 0)
    first = np.repeat(np.arange(s, dtype=np.int32)[:, None], s, axis=1)
    mate, slack, root, parent, side, seen = np.zeros((6, s), np.int32)
    root[: k + 1] = np.arange(k + 1)
    within = np.zeros((s, k + 1), np.int32)
    within[np.arange(1, k + 1), np.arange(1, k + 1)] = np.arange(1, k + 1)
    label = np.zeros(s, np.int64)
    label[1 : k + 1] = weight.max(initial=0)
    part, parts = np.zeros((s, k + 1), np.int32), np.zeros(s, np.int32)
    state = np.array([k, 0, 0, 0, k], np.int64)
    queue = np.zeros(k + 1, np.int32)
    trees = (mate, slack, root, parent, side, seen)
    return Matching(weight, first, first.T.copy(), label, *trees, within, part, parts, queue, state)


@njit(cache=True, nogil=True)
def excess(m, u, v):
    """Return the doubled slack of the best edge between u and v."""
    a, b = m.first[u, v], m.second[u, v]
    return m.label[a] + m.label[b] - 2 * m.weight[a, b]


@njit(cache=True, nogil=True)
def update_slack(m, u, x):
    """Store u as x's best outer vertex if its edge to x has the least slack so far."""
    if not m.slack[x] or excess(m, u, x) < excess(m, m.slack[x], x):
        m.slack[x] = u


@njit(cache=True, nogil=True)
def set_slack(m, x):
    """Find the outer vertex whose edge to x has the least slack."""
    m.slack[x] = 0
    for u in range(1, m.state[4] + 1):
        if m.weight[u, x] > 0 and m.root[u] != x and m.side[m.root[u]] == _OUTER:
            update_slack(m, u, x)


@njit(cache=True, nogil=True)
def push(m, x):
    """Queue all vertices of x."""
    for vertex in range(1, m.state[4] + 1):
        if m.within[x, vertex]:
            m.queue[m.state[2]] = vertex
            m.state[2] += 1


@njit(cache=True, nogil=True)
def set_root(m, x, b):
    """Make b the outermost blossom of x and its vertices; blossoms within x also point to it."""
    m.root[x] = b
    for vertex in range(1, m.state[4] + 1):
        if m.within[x, vertex]:
            m.root[vertex] = b


@njit(cache=True, nogil=True)
def even_position(m, b, x):
    """Return the position of part x in blossom b; reverse the cycle if the position would be odd."""
    at = 0
    while m.part[b, at] != x:
        at += 1
    if at % 2 == 0:
        return at
    size = m.parts[b]
    m.part[b, 1:size] = m.part[b, 1:size][::-1].copy()
    return size - at


@njit(cache=True, nogil=True)
def set_mate(m, u, v):
    """Match u to v by their best edge, then the parts of u among themselves."""
    ahead = np.empty((m.label.size, 2), np.int32)
    ahead[0, 0], ahead[0, 1] = u, v
    count = 1
    while count:
        count -= 1
        u, v = ahead[count]
        m.mate[u] = m.second[u, v]
        if u <= m.state[4]:
            continue
        x = m.within[u, m.first[u, v]]
        at = even_position(m, u, x)
        for i in range(at):
            ahead[count, 0], ahead[count, 1] = m.part[u, i], m.part[u, i ^ 1]
            count += 1
        ahead[count, 0], ahead[count, 1] = x, v
        count += 1
        size = m.parts[u]
        m.part[u, :size] = np.concatenate((m.part[u, at:size], m.part[u, :at]))


@njit(cache=True, nogil=True)
def augment(m, u, v):
    """Match u to v, and augment along the tree to its root."""
    while True:
        successor = m.root[m.mate[u]]
        set_mate(m, u, v)
        if not successor:
            return
        set_mate(m, successor, m.root[m.parent[successor]])
        u, v = m.root[m.parent[successor]], successor


@njit(cache=True, nogil=True)
def common_ancestor(m, u, v):
    """Return the outer blossom at which the paths from u and v to the root meet; 0 if their trees differ."""
    m.state[3] += 1
    while u or v:
        if u:
            if m.seen[u] == m.state[3]:
                return u
            m.seen[u] = m.state[3]
            u = m.root[m.mate[u]]
            if u:
                u = m.root[m.parent[u]]
        u, v = v, u
    return 0


@njit(cache=True, nogil=True)
def add_path(m, b, x, base):
    """Add the parts between x and the base to a new blossom b; inner parts become outer."""
    while x != base:
        y = m.root[m.mate[x]]
        m.part[b, m.parts[b]], m.part[b, m.parts[b] + 1] = x, y
        m.parts[b] += 2
        push(m, y)
        x = m.root[m.parent[y]]


@njit(cache=True, nogil=True)
def add_blossom(m, u, base, v):
    """Shrink the cycle that edge u-v closes."""
    k = m.state[4]
    b = k + 1
    while b <= m.state[0] and m.root[b]:
        b += 1
    m.state[0] = max(m.state[0], b)
    m.label[b], m.side[b], m.mate[b] = 0, _OUTER, m.mate[base]
    m.part[b, 0], m.parts[b] = base, 1
    add_path(m, b, u, base)
    size = m.parts[b]
    m.part[b, 1:size] = m.part[b, 1:size][::-1].copy()
    add_path(m, b, v, base)
    m.within[b, :] = 0
    for i in range(m.parts[b]):
        m.root[m.part[b, i]] = b
        for x in range(1, k + 1):
            if m.within[m.part[b, i], x]:
                m.within[b, x] = m.part[b, i]
    set_root(m, b, b)
    m.weight[b, : m.state[0] + 1] = 0
    m.weight[: m.state[0] + 1, b] = 0
    for i in range(m.parts[b]):
        part = m.part[b, i]
        for x in range(1, m.state[0] + 1):
            if m.weight[b, x] == 0 or (m.weight[part, x] > 0 and excess(m, part, x) < excess(m, b, x)):
                m.weight[b, x], m.weight[x, b] = m.weight[part, x], m.weight[x, part]
                m.first[b, x], m.second[b, x] = m.first[part, x], m.second[part, x]
                m.first[x, b], m.second[x, b] = m.first[x, part], m.second[x, part]
    set_slack(m, b)


@njit(cache=True, nogil=True)
def expand_blossom(m, b):
    """Expand an inner blossom whose label is 0."""
    for i in range(m.parts[b]):
        set_root(m, m.part[b, i], m.part[b, i])
    x = m.within[b, m.first[b, m.parent[b]]]
    at = even_position(m, b, x)
    for i in range(0, at, 2):
        inner, outer = m.part[b, i], m.part[b, i + 1]
        m.parent[inner] = m.first[outer, inner]
        m.side[inner], m.side[outer] = _INNER, _OUTER
        m.slack[inner] = 0
        set_slack(m, outer)
        push(m, outer)
    m.side[x], m.parent[x] = _INNER, m.parent[b]
    for i in range(at + 1, m.parts[b]):
        m.side[m.part[b, i]] = _FREE
        set_slack(m, m.part[b, i])
    m.root[b] = 0


@njit(cache=True, nogil=True)
def take_edge(m, u, v):
    """Use a tight edge between outer u and v: grow, shrink, or augment and return True."""
    a, b = m.first[u, v], m.second[u, v]
    u, v = m.root[a], m.root[b]
    if m.side[v] == _FREE:
        m.parent[v], m.side[v] = a, _INNER
        successor = m.root[m.mate[v]]
        m.slack[v] = m.slack[successor] = 0
        m.side[successor] = _OUTER
        push(m, successor)
    elif m.side[v] == _OUTER:
        base = common_ancestor(m, u, v)
        if not base:
            augment(m, u, v)
            augment(m, v, u)
            return True
        add_blossom(m, u, base, v)
    return False


@njit(cache=True, nogil=True)
def scan_queue(m):
    """Use all tight edges of the vertices in the queue; return True after an augmentation."""
    while m.state[1] < m.state[2]:
        u = m.queue[m.state[1]]
        m.state[1] += 1
        if m.side[m.root[u]] == _INNER:
            continue
        for v in range(1, m.state[4] + 1):
            if m.weight[u, v] > 0 and m.root[u] != m.root[v]:
                if excess(m, u, v) == 0:
                    if take_edge(m, u, v):
                        return True
                else:
                    update_slack(m, u, m.root[v])
    return False


@njit(cache=True, nogil=True)
def change_labels(m):
    """Change the labels by as much as all edges and blossoms allow."""
    k, top = m.state[4], m.state[0] + 1
    d = _INFINITE
    for x in range(1, top):
        if m.root[x] != x:
            continue
        if x > k and m.side[x] == _INNER:
            d = min(d, m.label[x] // 2)
        if m.slack[x] and m.side[x] == _FREE:
            d = min(d, excess(m, m.slack[x], x))
        elif m.slack[x] and m.side[x] == _OUTER:
            d = min(d, excess(m, m.slack[x], x) // 2)
    for x in range(1, top):
        if x <= k:
            m.label[x] += -d if m.side[m.root[x]] == _OUTER else d if m.side[m.root[x]] == _INNER else 0
        elif m.root[x] == x:
            m.label[x] += 2 * d if m.side[x] == _OUTER else -2 * d if m.side[x] == _INNER else 0


@njit(cache=True, nogil=True)
def match_pair(m):
    """Match one more pair of vertices; return False if all are matched.

    Parameters
    ----------
    m : Matching
        Changed in place.
    """
    top = m.state[0] + 1
    m.side[:top], m.slack[:top] = _FREE, 0
    m.state[1] = m.state[2] = 0
    for x in range(1, top):
        if m.root[x] == x and not m.mate[x]:
            m.parent[x], m.side[x] = 0, _OUTER
            push(m, x)
    if not m.state[2]:
        return False
    while True:
        if scan_queue(m):
            return True
        change_labels(m)
        m.state[1] = m.state[2] = 0
        for x in range(1, m.state[0] + 1):
            tight = m.root[x] == x and m.slack[x] and m.root[m.slack[x]] != x and excess(m, m.slack[x], x) == 0
            if tight and take_edge(m, m.slack[x], x):
                return True
        for b in range(m.state[4] + 1, m.state[0] + 1):
            if m.root[b] == b and m.side[b] == _INNER and m.label[b] == 0:
                expand_blossom(m, b)
