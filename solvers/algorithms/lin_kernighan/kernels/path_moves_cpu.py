"""Differences between paths as reversals, each with its change in length."""

import numpy as np

from solvers.algorithms.lin_kernighan.kernels.tour_cpu import distance, reverse
from solvers.kernels.compiler import njit


@njit(cache=True, nogil=True)
def find_path_moves(policy, matrix, points, order, target, left, right, moves):
    """Turn one order of cities into another by 2-opt moves, each of which puts one city in its place.

    Parameters
    ----------
    policy, matrix, points
        See `solvers.algorithms.lin_kernighan.kernels.tour_cpu.Cities`.
    order : ndarray, shape (n,), int32
        Changed in place, so that it becomes `target`.
    target : ndarray, shape (n,), int32
        An order with the same first city.
    left, right : int
        The city before the second position, and the city after the last.
    moves : ndarray, shape (n, 3), int64
        Written in place: i, j and delta of the moves, as in `solvers.core.events.Moves`.

    Returns
    -------
    int
        Number of moves.
    """
    n, count = order.size, 0
    place = np.empty(matrix.shape[1], np.int32)
    for p in range(n):
        place[order[p]] = p
    for p in range(1, n):
        q = place[target[p]]
        if q == p:
            continue
        before, after = left if p == 1 else order[p - 1], right if q == n - 1 else order[q + 1]
        delta = distance(policy, matrix, points, before, order[q]) + distance(policy, matrix, points, order[p], after)
        delta -= distance(policy, matrix, points, before, order[p]) + distance(policy, matrix, points, order[q], after)
        moves[count, 0], moves[count, 1], moves[count, 2] = p - 1, q, delta
        count += 1
        reverse(order, place, p, q - p + 1)
    return count
