"""Nodes of the search tree: their fixed edges, and the edges that these fix in turn."""

from dataclasses import dataclass

import numpy as np

#: Marks a free edge; 0 marks an edge that must not be in the tour, and 1 an edge that must be in it.
FREE = -1


@dataclass(frozen=True, slots=True)
class Node:
    """A subproblem: all tours that contain certain edges and avoid others.

    Attributes
    ----------
    bound : int
        No tour of the subproblem is shorter.
    depth : int
    fixings : tuple of (int, int, int)
        Two cities, and whether their edge must (1) or must not (0) be in the tour.
    """

    bound: int
    depth: int
    fixings: tuple[tuple[int, int, int], ...]

    def child(self, bound: int, a: int, b: int, value: int) -> "Node":
        """Return the subproblem with one more fixed edge."""
        return Node(bound, self.depth + 1, (*self.fixings, (a, b, value)))


def find_fixed_edges(node: Node, everywhere: np.ndarray) -> np.ndarray | None:
    """Return the fixed edges of a node, (n, n) int8; None if no tour is possible.

    Parameters
    ----------
    node : Node
    everywhere : ndarray, shape (n, n), int8
        The edges fixed in all nodes.
    """
    fixed = everywhere.copy()
    for a, b, value in node.fixings:
        if fixed[a, b] not in (FREE, value):
            return None
        fixed[a, b] = fixed[b, a] = value
    while True:
        fixed_degrees, degrees = (fixed == 1).sum(axis=1), (fixed != 0).sum(axis=1) - 1  # the diagonal is FREE
        if (fixed_degrees > 2).any() or (degrees < 2).any():
            return None
        full = (fixed_degrees == 2) & (degrees > 2)
        forced = (degrees == 2) & (fixed_degrees < 2)
        if not full.any() and not forced.any():
            return fixed
        city = int(np.flatnonzero(full | forced)[0])
        others = np.flatnonzero(fixed[city] == FREE)
        others = others[others != city]
        fixed[city, others] = fixed[others, city] = 0 if full[city] else 1
