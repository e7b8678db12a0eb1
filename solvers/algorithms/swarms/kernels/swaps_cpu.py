"""Sequences of swaps, which are the velocities of particles.

M. Clerc, "Discrete Particle Swarm Optimization, illustrated by the Traveling Salesman Problem" (2004), section 3. A
swap (i, j) exchanges the cities at positions i and j of a tour; a sequence makes its swaps from first to last.
"""

from solvers.kernels.compiler import njit


@njit(cache=True, nogil=True)
def add(order, swaps, count):
    """Add a velocity to a position: apply the first `count` swaps to ``order`` (n,) int32 in place."""
    for k in range(count):
        i, j = swaps[k, 0], swaps[k, 1]
        order[i], order[j] = order[j], order[i]


@njit(cache=True, nogil=True)
def subtract(goal, order, position, swaps, first):
    """Subtract position `order` from `goal`: write the velocity that leads from the one to the other.

    Parameters
    ----------
    goal, order : ndarray, shape (n,), int32
        `order` is changed in place, to `goal`.
    position : ndarray, shape (n,), int32
        Working memory.
    swaps : ndarray, shape (s, 2), int32
        Written from row `first` on.
    first : int

    Returns
    -------
    int
        The number of swaps written, at most n - 1, as each puts a city at its place in `goal`.
    """
    count, n = 0, order.size
    for p in range(n):
        position[order[p]] = p
    for p in range(n):
        if order[p] != goal[p]:
            q = position[goal[p]]
            swaps[first + count, 0], swaps[first + count, 1] = p, q
            count += 1
            position[order[p]] = q
            order[q] = order[p]
            order[p] = goal[p]
    return count


@njit(cache=True, nogil=True)
def compress(swaps, count, goal, order, position):
    """Replace a sequence by an equivalent one of at most n - 1 swaps; return its length.

    Parameters
    ----------
    swaps : ndarray, shape (s, 2), int32
        Changed in place.
    count : int
    goal, order, position : ndarray, shape (n,), int32
        Working memory.
    """
    for p in range(order.size):
        goal[p] = order[p] = p
    add(goal, swaps, count)
    return subtract(goal, order, position, swaps, 0)
