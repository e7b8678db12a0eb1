"""Exchanges as 2-opt moves: the reversals that lead to the new tour."""

import numpy as np

from solvers.algorithms.lin_kernighan.kernels.tour_cpu import CODES, EDGES, ENDS, MAX_EDGES, distance
from solvers.kernels.compiler import njit

#: Maximum number of reversals per exchange: two for each segment except the first.
MAX_MOVES = 2 * (MAX_EDGES - 1)


@njit(cache=True, nogil=True)
def reversals(row, list_now, target, moves):
    """Write the reversals that make up an exchange; return their number.

    The segments are moved to their places one after another, each by reversing all segments up to it. If the segment's
    direction is then wrong, it is also reversed by itself.

    Parameters
    ----------
    row : ndarray, shape (ROW,), int32
        A row of `solvers.algorithms.lin_kernighan.kernels.tour_cpu.Tour.log`.
    list_now, target : ndarray, shape (MAX_EDGES,), int64
        Working memory.
    moves : ndarray, shape (MAX_MOVES, 4), int64
        Written in place: cities a, b, c, d, where edges (a, b) and (c, d) are replaced by (a, c) and (b, d).
    """
    k, at, count = row[EDGES], 0, 0
    for x in range(k):
        list_now[x] = 2 * x + 1
        if row[CODES + x] >> 1 == 0:
            at = x
    for x in range(k):
        if row[CODES + at] & 1:
            target[x] = row[CODES + (at + x) % k]
        else:
            target[x] = row[CODES + (at - x) % k] ^ 1
    for x in range(1, k):
        y = x
        while list_now[y] >> 1 != target[x] >> 1:
            y += 1
        if y > x:
            count = _reverse(row, k, list_now, x, y, moves, count)
        if list_now[x] != target[x]:
            count = _reverse(row, k, list_now, x, x, moves, count)
    return count


@njit(cache=True, nogil=True)
def _reverse(row, k, list_now, x, y, moves, count):
    """Reverse segments x to y of the list, and write the move unless nothing changes."""
    a, d = _end(row, k, list_now[x - 1]), _end(row, k, list_now[(y + 1) % k] ^ 1)
    b, c = _end(row, k, list_now[x] ^ 1), _end(row, k, list_now[y])
    while x < y:
        list_now[x], list_now[y] = list_now[y] ^ 1, list_now[x] ^ 1
        x, y = x + 1, y - 1
    if x == y:
        list_now[x] ^= 1
    if a != d and b != c:
        moves[count, 0], moves[count, 1], moves[count, 2], moves[count, 3] = a, b, c, d
        count += 1
    return count


@njit(cache=True, nogil=True)
def _end(row, k, code):
    """Return a segment's last city in the direction that the code gives."""
    r = code >> 1
    return np.int64(row[ENDS + (2 * (r + 1)) % (2 * k)] if code & 1 else row[ENDS + 2 * r + 1])


@njit(cache=True, nogil=True)
def count_moves(record, rows):
    """Count the 2-opt moves in the first `rows` exchanges of a record."""
    list_now, target = np.empty(MAX_EDGES, np.int64), np.empty(MAX_EDGES, np.int64)
    moves, total = np.empty((MAX_MOVES, 4), np.int64), 0
    for row in range(rows):
        total += reversals(record[row], list_now, target, moves)
    return total


@njit(cache=True, nogil=True)
def make_moves(policy, matrix, points, record, first, order, position, i, j, delta):
    """Apply a record's exchanges, from row `first` on, as 2-opt moves, as long as the arrays have room.

    Parameters
    ----------
    policy, matrix, points
        See `solvers.algorithms.lin_kernighan.kernels.tour_cpu.Cities`.
    record : ndarray, shape (m, ROW), int32
    first : int
    order, position : ndarray, shape (n,), int32
        The tour; changed in place.
    i, j, delta : ndarray, shape (r,), int32
        Written in place: the moves, as in `solvers.core.events.Moves`.

    Returns
    -------
    row, made : int
        The first exchange that was not made, and the number of moves.
    """
    list_now, target = np.empty(MAX_EDGES, np.int64), np.empty(MAX_EDGES, np.int64)
    moves, count, n = np.empty((MAX_MOVES, 4), np.int64), 0, order.size
    for row in range(first, record.shape[0]):
        if count + MAX_MOVES > i.size:
            return row, count
        for m in range(reversals(record[row], list_now, target, moves)):
            a, b, c, d = moves[m, 0], moves[m, 1], moves[m, 2], moves[m, 3]
            delta[count] = (
                distance(policy, matrix, points, a, c) + distance(policy, matrix, points, b, d)
                - distance(policy, matrix, points, a, b) - distance(policy, matrix, points, c, d)
            )  # fmt: skip
            p, q = position[a], position[c]
            if order[p + 1 if p + 1 < n else 0] != b:
                p, q = position[b], position[d]
            low, high = min(p, q), max(p, q)
            i[count], j[count] = low, high
            count += 1
            low += 1
            while low < high:
                a, b = order[low], order[high]
                order[low], order[high] = b, a
                position[b], position[a] = low, high
                low, high = low + 1, high - 1

    return record.shape[0], count
