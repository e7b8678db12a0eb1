"""Alpha-values from a minimum 1-tree; see `solvers.bounds.alpha`."""

from typing import Any

import numpy as np

from solvers.kernels.compiler import njit


@njit(cache=True, nogil=True)
def fill_alpha(
    graph: Any, prices: np.ndarray, order: np.ndarray, parent: np.ndarray, weight: np.ndarray, special: int,
    second: int, values: np.ndarray,
) -> None:  # fmt: skip
    """Compute the alpha-values; a path's longest edge is found by climbing from whichever city is deeper."""
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
    """Return the reduced length of the longest edge on the tree's path between two cities."""
    longest = np.int64(-(2**62))
    while a != b:
        if depth[a] < depth[b]:
            a, b = b, a
        longest = max(longest, weight[a])
        a = parent[a]
    return longest
