"""Minimum 1-trees of a sparse graph of candidate edges, and the price ascent, on one thread."""

from typing import NamedTuple

import numpy as np

from solvers.kernels.compiler import njit

#: Indices of the ascent's `state`.
STEP, PERIOD, LEFT, DOUBLING, BEST, ITERATIONS, TIGHT, LAST = range(8)
#: Number of values in `state`.
STATE = 8
#: A reduced length that exceeds all others.
FAR = np.int64(2**62)


class Graph(NamedTuple):
    """Candidate edges, each stored at both of its cities.

    Attributes
    ----------
    start : ndarray, shape (n + 1,), int64
        City a's edges are stored from ``start[a]`` to ``start[a + 1]`` - 1.
    city : ndarray, shape (m,), int32
        The edge's other city.
    length : ndarray, shape (m,), int64
        The edge's scaled length.
    """

    start: np.ndarray
    city: np.ndarray
    length: np.ndarray


class Tree(NamedTuple):
    """A minimum spanning tree as arrays, which `spanning_tree` fills, and its buffers.

    Attributes
    ----------
    order : ndarray, shape (n,), int32
        The cities, each after its parent.
    parent : ndarray, shape (n,), int32
        The parent of each city; -1 for the root.
    weight : ndarray, shape (n,), int64
        Reduced length of each city's edge to its parent.
    degree : ndarray, shape (n,), int32
    heap, position : ndarray, shape (n,), int32
        The priority queue, and each city's index in it: -1 before the city is queued, -2 afterwards.
    """

    order: np.ndarray
    parent: np.ndarray
    weight: np.ndarray
    degree: np.ndarray
    heap: np.ndarray
    position: np.ndarray


def empty_tree(n):
    """Allocate the arrays of a tree of n cities."""
    order, parent, degree, heap, position = (np.empty(n, np.int32) for _ in range(5))
    return Tree(order, parent, np.empty(n, np.int64), degree, heap, position)


@njit(cache=True, nogil=True)
def _sift_up(heap, position, weight, hole, city):
    """Move a city up the heap, from a hole to where it belongs."""
    key = weight[city]
    while hole:
        above = (hole - 1) >> 2
        other = heap[above]
        if weight[other] <= key:
            break
        heap[hole] = other
        position[other] = hole
        hole = above
    heap[hole] = city
    position[city] = hole


@njit(cache=True, nogil=True)
def _pop_nearest(heap, position, weight, size):
    """Remove the nearest city from a heap and return it."""
    minimum, city = heap[0], heap[size - 1]
    size -= 1
    key, hole = weight[city], 0
    while True:
        first = 4 * hole + 1
        if first >= size:
            break
        child = first
        for k in range(first + 1, min(first + 4, size)):
            if weight[heap[k]] < weight[heap[child]]:
                child = k
        if weight[heap[child]] >= key:
            break
        heap[hole] = heap[child]
        position[heap[hole]] = hole
        hole = child
    heap[hole] = city
    position[city] = hole
    position[minimum] = -2
    return minimum


@njit(cache=True, nogil=True)
def spanning_tree(graph, prices, tree):
    """Fill `tree` with a minimum spanning tree by reduced length (Prim, 1957); return its reduced length.

    The graph must be connected.
    """
    n = prices.size
    start, city, length = graph.start, graph.city, graph.length
    order, parent, weight, degree, heap, position = tree
    degree[:] = 0
    position[:] = -1
    weight[0], parent[0] = 0, -1
    heap[0], position[0] = 0, 0
    size, total = 1, np.int64(0)
    for k in range(n):
        here = _pop_nearest(heap, position, weight, size)
        size -= 1
        order[k] = here
        total += weight[here]
        if parent[here] >= 0:
            degree[here] += 1
            degree[parent[here]] += 1
        for e in range(start[here], start[here + 1]):
            other = city[e]
            at = position[other]
            if at == -2:
                continue
            reduced = length[e] + prices[here] + prices[other]
            if at == -1:
                weight[other], parent[other] = reduced, here
                _sift_up(heap, position, weight, size, other)
                size += 1
            elif reduced < weight[other]:
                weight[other], parent[other] = reduced, here
                _sift_up(heap, position, weight, at, other)
    return total


@njit(cache=True, nogil=True)
def tree_neighbour(tree, leaf):
    """Return the only neighbour of a leaf."""
    return tree.order[1] if tree.parent[leaf] < 0 else tree.parent[leaf]


@njit(cache=True, nogil=True)
def second_edge(graph, prices, tree, leaf):
    """Return a leaf's shortest edge other than its tree edge: its reduced length and its other city."""
    used, minimum, neighbour = tree_neighbour(tree, leaf), FAR, np.int32(-1)
    for e in range(graph.start[leaf], graph.start[leaf + 1]):
        other = graph.city[e]
        reduced = graph.length[e] + prices[leaf] + prices[other]
        if other != used and reduced < minimum:
            minimum, neighbour = reduced, other
    return minimum, neighbour


@njit(cache=True, nogil=True)
def longest_second_edge(graph, prices, tree):
    """Find the leaf with the longest second edge; return the edge's reduced length, the leaf and the other city.

    Each leaf can be the special city of a minimum 1-tree, and the longest second edge gives the best bound (Helsgaun,
    2000, section 4.1).
    """
    maximum, best, to = -FAR, np.int32(-1), np.int32(-1)
    for leaf in range(prices.size):
        if tree.degree[leaf] == 1:
            minimum, neighbour = second_edge(graph, prices, tree, np.int32(leaf))
            if neighbour >= 0 and minimum > maximum:
                maximum, best, to = minimum, np.int32(leaf), neighbour
    return maximum, best, to


@njit(cache=True, nogil=True)
def ascend(graph, prices, limit, tree, before, best_prices, state, iterations):
    """Continue the ascent for at most `iterations`, or until a period ends; return the number of iterations done.

    The step rule is Helsgaun's (2000, section 4.1): periods of constant steps. In the first period, the step doubles as
    long as the bound grows. After each period, step and period are halved, but a period that ends with growth is
    doubled.

    Parameters
    ----------
    graph : Graph
    prices : ndarray, shape (n,), int64
        Changed in place.
    limit : int
        Maximum absolute value of a price.
    tree : Tree
    before : ndarray, shape (n,), int32
        Each city's degree minus 2 in the previous iteration.
    best_prices : ndarray, shape (n,), int64
        The prices that gave the best bound on the candidates, ``state[BEST]``.
    state : ndarray, shape (STATE,), int64
    iterations : int
    """
    n = prices.size
    degree = tree.degree
    for done in range(iterations):
        total = spanning_tree(graph, prices, tree)
        maximum, leaf, to = longest_second_edge(graph, prices, tree)
        degree[leaf] += 1
        degree[to] += 1
        bound = total + maximum - 2 * prices.sum()
        square = np.int64(0)
        for a in range(n):
            square += np.int64(degree[a] - 2) ** 2
        state[ITERATIONS] += 1
        grown = bound > state[BEST]
        if grown:
            state[BEST] = bound
            best_prices[:] = prices
        if square == 0:
            state[TIGHT] = 1
            return done + 1
        if state[DOUBLING]:
            if grown:
                state[STEP] *= 2
            elif state[ITERATIONS] > 1:
                state[DOUBLING] = 0
                state[STEP] = max(1, state[STEP] // 2)
        step = state[STEP]
        for a in range(n):
            now = np.int32(degree[a] - 2)
            moved = prices[a] + step * (7 * now + 3 * before[a]) // 10
            prices[a] = min(max(moved, -limit), limit)
            before[a] = now
        state[LEFT] -= 1
        if state[LEFT] <= 0:
            if grown and not state[LAST]:
                state[LEFT] = state[PERIOD]
                state[LAST] = 1
            else:
                state[DOUBLING], state[LAST] = 0, 0
                state[PERIOD] //= 2
                state[STEP] //= 2
                state[LEFT] = state[PERIOD]
                return done + 1
    return iterations
