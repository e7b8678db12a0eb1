"""Edge frequencies in many tours of the same cities.

The edges that many good tours all share are called their backbone; most of them are in the shortest tour as well (S.
Kirkpatrick and G. Toulouse, "Configuration space analysis of travelling salesman problems", 1985; K. D. Boese, "Cost
versus distance in the traveling salesman problem", 1995).
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from data.tour_edges import edge_keys, keys_to_edges

#: Maximum number of tours whose edges are counted at once, to limit memory.
_BATCH = 64


@dataclass(frozen=True, slots=True, eq=False)
class Backbone:
    """The edges of a set of tours, and their frequencies.

    Attributes
    ----------
    tours : int
        Number of tours.
    edges : ndarray, shape (m, 2), int32
        Distinct edges of the tours; the smaller city first unless edges have directions.
    count : ndarray, shape (m,), int64
        Number of tours with this edge.
    optimal : ndarray, shape (m,), bool, or None
        Whether the optimal (or best known) tour has this edge; None if unknown.
    """

    tours: int
    edges: np.ndarray
    count: np.ndarray
    optimal: np.ndarray | None = None

    @property
    def in_all(self) -> np.ndarray:
        """Mask of the edges that all tours share, (m,) bool."""
        return self.count == self.tours


def find_backbone(
    orders: Iterable[np.ndarray], n: int, directed: bool, optimal_tour: np.ndarray | None = None
) -> Backbone:
    """Count the edges of tours.

    Parameters
    ----------
    orders : iterable of ndarray, shape (n,), int32
    n : int
        Number of cities.
    directed : bool
        Whether an edge in the other direction is a different edge.
    optimal_tour : ndarray, shape (n,), int32, optional
    """
    keys, count, tours = np.empty(0, np.int64), np.empty(0, np.int64), 0
    batch: list[np.ndarray] = []
    for order in orders:
        batch.append(edge_keys(order, directed))
        tours += 1
        if len(batch) == _BATCH:
            keys, count = _merge(keys, count, batch)
            batch = []
    keys, count = _merge(keys, count, batch)
    optimal = None if optimal_tour is None else np.isin(keys, edge_keys(optimal_tour, directed))
    return Backbone(tours, keys_to_edges(keys, max(1, n)), count, optimal)


def _merge(keys: np.ndarray, count: np.ndarray, batch: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Add the edges of more tours to the counts."""
    all_keys = np.concatenate([keys, *batch])
    unique_keys, position = np.unique(all_keys, return_inverse=True)
    counts = np.bincount(position[: keys.size], count, unique_keys.size).astype(np.int64)
    return unique_keys, counts + np.bincount(position[keys.size :], minlength=unique_keys.size)
