"""Alpha-nearness: how much longer the minimum 1-tree becomes if it must contain an edge.

K. Helsgaun, "An Effective Implementation of the Lin-Kernighan Traveling Salesman Heuristic" (2000), section 4.1.
"""

import numpy as np

from solvers.bounds.kernels.alpha_cpu import fill_alpha
from solvers.bounds.kernels.sparse_tree_cpu import Graph, empty_tree, longest_second_edge, spanning_tree


def alpha_nearness(graph: Graph, prices: np.ndarray) -> np.ndarray:
    """Return the alpha-value of each candidate edge, (m,) int64, in the graph's order.

    The value is 0 for the edges of a minimum 1-tree. If another edge is forced into the tree, it replaces the longest
    edge of the cycle that it closes. The smaller an edge's value, the more likely the edge is in a shortest tour.

    Parameters
    ----------
    graph : Graph
        Connected, with at least two edges per city; see `solvers.bounds.candidates.build_graph`.
    prices : ndarray, shape (n,), int64
        Prices of a minimum 1-tree, see `solvers.bounds.full_tree.OneTree.prices`.
    """
    tree = empty_tree(prices.size)
    spanning_tree(graph, prices, tree)
    second, special, _ = longest_second_edge(graph, prices, tree)
    values = np.empty(graph.city.size, np.int64)
    fill_alpha(graph, prices, tree.order, tree.parent, tree.weight, special, second, values)
    return values
