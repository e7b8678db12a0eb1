"""Pieces of a tour as separate tours: their candidates, and their insertion into the whole tour."""

from solvers.kernels.compiler import njit
from solvers.kernels.scalar import INT32_MAX


@njit(cache=True, nogil=True)
def cut_out(near, near_distance, position, local, names, first, count, ends, near_inside, distance_inside):
    """Write the candidates of a piece's cities that are also in the piece and are not its ends.

    Parameters
    ----------
    near, near_distance
        See `solvers.algorithms.lin_kernighan.kernels.tour_cpu.Cities`.
    position : ndarray, shape (n,), int32
        Position of each city in the tour.
    local : ndarray, shape (n,), int32
        The number of each of the piece's cities within it.
    names : ndarray, shape (count,), int32
        The piece's cities, ascending.
    first, count : int
        First position and number of positions of the piece, which may wrap around the end of the array.
    ends : ndarray, shape (2,), int32
        First and last city of the piece.
    near_inside, distance_inside : ndarray, shape (count, k), int32
        Written in place; after the last candidate, the distance is greater than all others.
    """
    n, width = near.shape
    for current in range(count):
        size = 0
        for c in range(width):
            a = near[names[current], c]
            at = position[a] - first
            at = at + n if at < 0 else at
            if at < count and a != ends[0] and a != ends[1]:
                near_inside[current, size], distance_inside[current, size] = local[a], near_distance[names[current], c]
                size += 1
        for c in range(size, width):
            near_inside[current, c], distance_inside[current, c] = current, INT32_MAX


@njit(cache=True, nogil=True)
def put_back(inside, names, start, end, order, position, first):
    """Write a piece's cities, from city `start` to city `end`, into the tour from position `first` on.

    Returns
    -------
    bool
        Whether `start` and `end` are still adjacent in the piece's tour; if not, nothing is written.
    """
    count, n, at = inside.size, order.size, 0
    while inside[at] != start:
        at += 1
    step = 1
    if inside[at - 1 if at > 0 else count - 1] != end:
        step = -1
        if inside[at + 1 if at + 1 < count else 0] != end:
            return False
    for each in range(count):
        p = first + each
        p = p - n if p >= n else p
        city = names[inside[at]]
        order[p], position[city] = city, p
        at += step
        at = 0 if at == count else (count - 1 if at < 0 else at)
    return True


@njit(cache=True, nogil=True)
def mark_border_cities(near, position, first, size, waits):
    """Mark the cities with a candidate in another piece; pieces have `size` positions each, from `first` on."""
    n = near.shape[0]
    for a in range(n):
        at = position[a] - first
        piece = (at + n if at < 0 else at) // size
        waits[a] = False
        for c in range(near.shape[1]):
            at = position[near[a, c]] - first
            waits[a] |= (at + n if at < 0 else at) // size != piece
