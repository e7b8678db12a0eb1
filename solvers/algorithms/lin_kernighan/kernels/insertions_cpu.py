"""Differences between directed tours as insertions, each of which moves a path without reversing it."""

from solvers.algorithms.annealing.kernels.insertion_cpu import REVERSALS, reverse_range
from solvers.kernels.compiler import njit


@njit(cache=True, nogil=True)
def find_insertions(matrix, order, target, moves):
    """Turn one directed tour into another; paths that both contain are moved as a whole.

    An insertion swaps a path with the cities before it, by three 2-opt moves: path and cities are reversed together,
    and then each by itself, even if it is a single city.

    Parameters
    ----------
    matrix : ndarray, shape (n, n), int32
    order : ndarray, shape (n,), int32
        The tour; changed in place, so that it becomes `target`.
    target : ndarray, shape (n,), int32
        A tour with the same first city.
    moves : ndarray, shape (3 n, 3), int64
        Written in place: i, j and delta of the moves, as in `solvers.core.events.Moves`.

    Returns
    -------
    int
        Number of moves.
    """
    n, count = order.size, 0
    for p in range(1, n):
        q = p
        while order[q] != target[p]:
            q += 1
        if q == p:
            continue
        size = 1
        while q + size < n and order[q + size] == target[p + size]:
            size += 1
        for turn in range(REVERSALS):
            first = p if turn < 2 else p + size
            last = p + size - 1 if turn == 1 else q + size - 1
            moves[count, 0], moves[count, 1] = first - 1, last
            moves[count, 2] = reverse_range(matrix, order, first, last)
            count += 1
    return count
