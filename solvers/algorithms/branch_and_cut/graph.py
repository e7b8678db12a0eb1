"""The symmetric graph that the search works on, for directed and undirected instances. Imports Numba.

R. Jonker and T. Volgenant, "Transforming asymmetric into symmetric traveling salesman problems" (1983): a directed
instance becomes a symmetric one of twice as many cities. City c is entered at node c and left at node n + c; every tour
must contain the edge between the two. No edge joins two entries or two exits, so every other edge of the graph
corresponds to a directed edge.
"""

import numpy as np

from data.distances import distance_matrix
from data.instance import Instance
from solvers.algorithms.branch_and_cut.nodes import FREE
from solvers.algorithms.lin_kernighan.directed_cpu import Pairs
from solvers.core.neighbours import neighbours

#: Number of nearest nodes of each node; the edges to them are initial columns.
_NEAREST = 10


class Graph:
    """The graph of an instance.

    Parameters
    ----------
    instance : Instance

    Attributes
    ----------
    n : int
        Number of nodes.
    exit : int
        Difference between the numbers of a city and of its exit node; 0 if the instance is not directed.
    lengths : ndarray, shape (n, n), int64
        Symmetric; forbidden edges are as long as the longest allowed one.
    fixed : ndarray, shape (n, n), int8
        Edges required (1) or forbidden (0) in every tour, as in `solvers.algorithms.branch_and_cut.nodes`.
    """

    def __init__(self, instance: Instance) -> None:
        matrix = distance_matrix(instance)
        n = instance.n
        self.n, self.exit = (2 * n, n) if instance.directed else (n, 0)
        self.fixed = np.full((self.n, self.n), FREE, np.int8)
        self._nearest = matrix
        if instance.directed:
            city = np.arange(n)
            doubled = np.full((2 * n, 2 * n), matrix.max(), np.int32)
            doubled[n:, :n], doubled[:n, n:] = matrix, matrix.T
            doubled[city, n + city] = doubled[n + city, city] = 0
            self.fixed[:n, :n] = self.fixed[n:, n:] = 0
            self.fixed[city, n + city] = self.fixed[n + city, city] = 1
            np.fill_diagonal(self.fixed, FREE)
            self._nearest = doubled
        self.lengths = self._nearest.astype(np.int64)

    @property
    def pairs(self) -> np.ndarray:
        """Edges required in every tour, (m, 2)."""
        return np.argwhere(np.triu(self.fixed == 1))

    def edges(self, order: np.ndarray) -> np.ndarray:
        """Return the edges of a tour of the instance, (m, 2), without the edges in `pairs`."""
        return np.stack((order + self.exit, np.roll(order, -1)), axis=1)

    def list_near_edges(self) -> np.ndarray:
        """Return the edges from each node to its nearest nodes, and `pairs`, (m, 2)."""
        near = neighbours(self._nearest, min(_NEAREST, self.n - 1))
        ends = np.stack((np.repeat(np.arange(self.n), near.shape[1]), near.ravel()), axis=1)
        return np.vstack((self.pairs, ends[self.fixed[tuple(ends.T)] != 0]))

    def order(self, nodes: np.ndarray) -> np.ndarray:
        """Convert a tour of the nodes to a tour of the instance, (cities,) int32."""
        return Pairs.unpair(nodes) if self.exit else nodes
