"""Local search on ants' tours on the CPU: the moves of `local_search_moves`, city by city from a queue.

The queue holds the cities whose moves may improve the tour: all at first, in tour order, then those whose edges a move
has changed. These are the don't-look bits of J. L. Bentley, "Fast Algorithms for Geometric Traveling Salesman
Problems" (ORSA Journal on Computing 4, 1992), section 5, with the cities in turn.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from solvers.kernels.local_search_moves import FEWEST, moves_of

best_move, _, turns = moves_of(njit(nogil=True))

#: Indices of `Search.state`: the start of the queue, the number of cities in it, the number of moves made.
HEAD, WAITING, MOVES, STATE = range(4)
#: Work of evaluating a city; reversing one city counts 1.
LOOK = 32
_ALL, _OF_ONE = np.uint32(0), np.uint32(1)


class Search(NamedTuple):
    """The state of a local search between two slices.

    Attributes
    ----------
    position : ndarray, shape (n,), int32
        Positions of the cities.
    queue : ndarray, shape (n,), int32
        Ring buffer of the waiting cities.
    waits : ndarray, shape (n,), bool
        Whether a city is in the queue.
    state : ndarray, shape (STATE,), int64
    """

    position: np.ndarray
    queue: np.ndarray
    waits: np.ndarray
    state: np.ndarray


def search_of(n: int) -> Search:
    """Allocate a search for tours of n cities."""
    return Search(np.zeros(n, np.int32), np.zeros(n, np.int32), np.zeros(n, np.bool_), np.zeros(STATE, np.int64))


@njit(cache=True, nogil=True)
def begin(order, search):
    """Start the search of a tour: all its cities wait."""
    n = order.size
    for place in range(n):
        search.position[order[place]] = place
        search.queue[place] = order[place]
        search.waits[place] = True
    search.state[:] = 0
    search.state[WAITING] = n if n >= FEWEST else 0


@njit(cache=True, nogil=True)
def turn(order, position, first, count):
    """Reverse the `count` cities from position `first` on, around the tour."""
    n = order.size
    low, high = int(first), int(first) + int(count) - 1
    if high >= n:
        high -= n
    for _ in range(count >> np.uint32(1)):
        one, other = order[low], order[high]
        order[low], order[high] = other, one
        position[other], position[one] = low, high
        low = low + 1 if low + 1 < n else 0
        high = high - 1 if high > 0 else n - 1


@njit(cache=True, nogil=True)
def wake(search, city):
    """Append a city to the queue, if it is not there already."""
    if search.waits[city]:
        return
    n, place = search.queue.size, search.state[HEAD] + search.state[WAITING]
    search.queue[place - n if place >= n else place] = city
    search.waits[city] = True
    search.state[WAITING] += 1


@njit(cache=True, nogil=True)
def next_city(search):
    """Remove the next city from the queue, and return it."""
    head = search.state[HEAD]
    city = np.uint32(search.queue[head])
    search.waits[city] = False
    search.state[HEAD] = head + 1 if head + 1 < search.queue.size else 0
    search.state[WAITING] -= 1
    return city


@njit(cache=True, nogil=True)
def make(order, search, move):
    """Make a move of `solvers.kernels.local_search_moves.Moves`; returns how many cities were reversed."""
    c, d, a, b, size, e, f = move
    first1, count1, first2, count2, first3, count3 = turns(search.position, np.uint32(order.size), c, d, a, b, size)
    turn(order, search.position, first1, count1)
    turn(order, search.position, first2, count2)
    turn(order, search.position, first3, count3)
    for city in (c, d, a, b, e, f):
        wake(search, city)
    search.state[MOVES] += 1
    return np.int64(count1) + np.int64(count2) + np.int64(count3)


@njit(cache=True, nogil=True)
def improve(order, distance, near, near_distance, search, work):
    """Improve a tour for one slice.

    Parameters
    ----------
    order : ndarray, shape (n,), int32
        The tour since `begin`, changed in place; the result does not depend on where slices end.
    distance : ndarray, shape (n * n,), int32
        Symmetric.
    near, near_distance : ndarray, shape (n * k,), int32
        The k cities nearest to each, by distance, and how far they are.
    search : Search
        Changed in place. ``search.state[WAITING]`` is 0 when nothing more can be gained.
    work : int
        The slice ends after so much work; on one core 10 million take about 50 ms.

    Returns
    -------
    int
        The reduction of the tour's length.
    """
    n, k = np.uint32(order.size), np.uint32(near.size // order.size)
    gained, used = np.int64(0), np.int64(0)
    while search.state[WAITING] > 0 and used < work:
        c = next_city(search)
        found = best_move(distance, near, near_distance, order, search.position, n, k, c, _ALL, _OF_ONE)
        gain, d, a, b, size, e, f = found
        used += LOOK
        if gain > 0:
            used += make(order, search, (c, d, a, b, size, e, f))
            gained += gain
    return gained
