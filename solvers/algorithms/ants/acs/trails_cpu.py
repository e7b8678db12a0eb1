"""Trails of Ant Colony System: those on edges to near cities, and those on all edges ever in a best tour.

Imports Numba: for use inside `solve()`.
"""

from typing import NamedTuple

import numpy as np

from solvers.algorithms.ants.acs.params import max_raised_edges
from solvers.algorithms.ants.arrays_cpu import pad, row_stride
from solvers.algorithms.ants.heuristics import compute_eta_blocks


class RaisedEdges(NamedTuple):
    """Trails u, in units of tau_0, and the weights u * eta from which ants choose.

    Only edges that have been in a best tour have u > 1; the local update does not change others. Each such edge has a
    record with two sides, one per city. A side is near if the edge has a slot among that city's nearest, else far.

    Attributes
    ----------
    neighbours : ndarray, shape (n * reach,), int32
        Each city's nearest cities, padded with the city itself; slot c * reach + k contains the k-th of city c.
    eta : ndarray, shape (n * reach,), float32
        Heuristic value of each slot, see `solvers.algorithms.ants.heuristics.compute_eta`; 0 in the padding.
    near : ndarray, shape (n * reach,), float32
        Weight of each slot.
    ranked : ndarray, shape (n * reach,), int32
        Each city's slots, by descending weight at the start of the iteration, then by city.
    bound : ndarray, shape (n * reach,), float32
        The weights at the start of the iteration, in the order of `ranked`. They are upper bounds, since trails only
        decrease during an iteration.
    raised : ndarray, shape (n * reach,), int32
        The record of a slot's edge; -1 if it has none.
    ends : ndarray, shape (cap, 2), int32
        The two cities of a record's edge.
    level : ndarray, shape (cap,), float32
        The edge's u at the start of the iteration.
    trail : ndarray, shape (cap,), float32
        The edge's u as ants currently see it.
    slots : ndarray, shape (cap, 2), int32
        The slots of a record's two sides, at ends[0] and at ends[1]; -1 for a far side.
    far_eta : ndarray, shape (cap, 2), float32
        Heuristic value of a far side.
    link : ndarray, shape (2 * cap,), int32
        Linked lists of far sides, numbered 2 * record + side: the next far side of the same city, or -1.
    head : ndarray, shape (n,), int32
        The first, and newest, far side in each city's list, or -1.
    records : ndarray, shape (1,), int64
        Number of records. If there is no space for another record, the trail of its edge stays at tau_0.
    fitness : ndarray, shape (n * stride,), float32
        Weights of all edges without a slot; 0 for edges with a slot, on the diagonal and past n.
    others : ndarray, shape (n,), float32
        Sum of a city's fitness row at the start of the iteration.
    greatest : ndarray, shape (n,), float32
        Maximum of a city's fitness row at the start of the iteration.
    n, stride, reach : int
        Number of cities, length of a fitness row, and number of slots per city.
    sides : int
        Number of directions of an edge: 2, or 1 in a directed instance, where only the slot of ``ends[0]`` is used.
    """

    neighbours: np.ndarray
    eta: np.ndarray
    near: np.ndarray
    ranked: np.ndarray
    bound: np.ndarray
    raised: np.ndarray
    ends: np.ndarray
    level: np.ndarray
    trail: np.ndarray
    slots: np.ndarray
    far_eta: np.ndarray
    link: np.ndarray
    head: np.ndarray
    records: np.ndarray
    fitness: np.ndarray
    others: np.ndarray
    greatest: np.ndarray
    n: int
    stride: int
    reach: int
    sides: int


def compute_initial_weights(distances: np.ndarray, lists: np.ndarray, beta: float) -> tuple[np.ndarray, ...]:
    """Compute the weights before any edge is raised: `fitness`, `eta`, `others` and `greatest` of `RaisedEdges`.

    Parameters
    ----------
    distances : ndarray, shape (n, n), int32
    lists : ndarray, shape (n, k), int32
        Each city's nearest cities.
    beta : float
    """
    n, k = lists.shape
    stride, slots = row_stride(n), pad(lists).reshape(n, -1)
    fitness, eta = np.zeros((n, stride), np.float32), np.zeros(slots.shape, np.float32)
    others, greatest = np.zeros(n, np.float32), np.zeros(n, np.float32)
    for rows, block in compute_eta_blocks(distances, beta):
        eta[rows, :k] = np.take_along_axis(block, lists[rows], axis=1)
        np.put_along_axis(block, lists[rows], np.float32(0.0), axis=1)
        fitness[rows, :n] = block
        others[rows], greatest[rows] = block.sum(axis=1, dtype=np.float64), block.max(axis=1)
    return fitness.reshape(-1), eta.reshape(-1), others, greatest


def make_raised_edges(
    lists: np.ndarray, fitness: np.ndarray, eta: np.ndarray, others: np.ndarray, greatest: np.ndarray, directed: bool
) -> RaisedEdges:
    """Return the initial trails, all equal to 1.

    Parameters
    ----------
    lists : ndarray, shape (n, k), int32
        Each city's nearest cities.
    fitness, eta, others, greatest : ndarray
        See `compute_initial_weights`.
    directed : bool
        Whether trails depend on the direction.
    """
    n, cap = len(lists), max_raised_edges(len(lists))
    neighbours = pad(lists)
    return RaisedEdges(
        neighbours=neighbours, eta=eta, near=eta.copy(), ranked=np.arange(neighbours.size, dtype=np.int32),
        bound=eta.copy(), raised=np.full(neighbours.size, -1, np.int32), ends=np.zeros((cap, 2), np.int32),
        level=np.zeros(cap, np.float32), trail=np.zeros(cap, np.float32), slots=np.zeros((cap, 2), np.int32),
        far_eta=np.zeros((cap, 2), np.float32), link=np.zeros(2 * cap, np.int32), head=np.full(n, -1, np.int32),
        records=np.zeros(1, np.int64), fitness=fitness, others=others, greatest=greatest, n=n, stride=fitness.size // n,
        reach=neighbours.size // n, sides=1 if directed else 2,
    )  # fmt: skip
