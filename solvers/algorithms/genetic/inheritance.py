"""Shows which edges of a child come from which parent."""

import numpy as np

from solvers.core.events import Crossover
from solvers.parallel.population import Parents


def explain_child(number: int, order: np.ndarray, parents: Parents, directed: bool) -> Crossover:
    """Return the event for a child, the best tour of a generation, given in visiting order."""
    n, tours = len(order), (order, parents.first_order, parents.second_order)
    child, first, second = (_number_edges(each, directed) for each in tours)
    origin = np.isin(child, first) + 2 * np.isin(child, second).astype(np.uint8)
    removed_at = np.flatnonzero(~np.isin(first, child))
    removed = np.stack((parents.first_order[removed_at], parents.first_order[(removed_at + 1) % n]), axis=1)
    return Crossover(
        number, parents.first, parents.second, parents.first_length, parents.second_length, parents.children,
        origin.astype(np.uint8), removed,
    )  # fmt: skip


def _number_edges(order: np.ndarray, directed: bool) -> np.ndarray:
    """Return the number of each tour edge, (n,) int64; the same in both directions unless `directed`."""
    ends = np.stack((order, np.roll(order, -1)), axis=1).astype(np.int64)
    if not directed:
        ends.sort(axis=1)
    return ends[:, 0] * len(order) + ends[:, 1]
