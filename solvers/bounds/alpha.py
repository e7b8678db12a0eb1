"""Alpha-nearness: the increase of the minimum 1-tree if it must contain an edge.

K. Helsgaun, "An Effective Implementation of the Lin-Kernighan Traveling Salesman Heuristic" (2000), section 4.1.
"""

from typing import Any

import numpy as np

from solvers.bounds.kernels.sparse_tree_cpu import Graph, empty_tree, longest_second_edge, spanning_tree
from solvers.kernels.compiler import njit


def alpha_nearness(graph: Graph, prices: np.ndarray) -> np.ndarray:
    """Return the alpha-value of each candidate edge, shape (m,), int64, in the graph's order.

    The value is 0 for the edges of a minimum 1-tree; forcing another edge into the tree removes the longest edge of the
    cycle that it closes. The smaller the value, the more likely the edge is in a shortest tour.

    Parameters
    ----------
    graph : Graph
        Connected, with at least two edges per city; see `solvers.bounds.candidates.build_graph`.
    prices : ndarray, shape (n,), int64
        Prices of a minimum 1-tree, as `solvers.bounds.full_tree.OneTree.prices`.
    """
    tree = empty_tree(prices.size)
    spanning_tree(graph, prices, tree)
    second, special, _ = longest_second_edge(graph, prices, tree)
    values = np.empty(graph.city.size, np.int64)
    _fill(graph, prices, tree.order, tree.parent, tree.weight, special, second, values)
    return values


@njit(cache=True, nogil=True)
def _fill(
    graph: Any, prices: np.ndarray, order: np.ndarray, parent: np.ndarray, weight: np.ndarray, special: int,
    second: int, values: np.ndarray,
) -> None:  # fmt: skip
    """Compute the values of `alpha_nearness`; the longest edge of a path is found by climbing from the deeper city."""
    n = prices.size
    depth = np.zeros(n, np.int32)
    for k in range(1, n):
        depth[order[k]] = depth[parent[order[k]]] + 1
    for a in range(n):
        for e in range(graph.start[a], graph.start[a + 1]):
            b = graph.city[e]
            reduced = graph.length[e] + prices[a] + prices[b]
            if parent[a] == b or parent[b] == a:
                values[e] = 0
            elif a == special or b == special:
                # This edge replaces the special city's second edge.
                values[e] = reduced - second
            else:
                values[e] = reduced - _longest(a, b, parent, weight, depth)


@njit(cache=True, nogil=True)
def _longest(a: int, b: int, parent: np.ndarray, weight: np.ndarray, depth: np.ndarray) -> np.int64:
    """Return the longest edge between two cities of a tree."""
    longest = np.int64(-(2**62))
    while a != b:
        if depth[a] < depth[b]:
            a, b = b, a
        longest = max(longest, weight[a])
        a = parent[a]
    return longest
