"""Ants' tours made shorter on the CPU: the moves of `local_search_moves`, city by city from a queue.

A city waits in the queue while a look at it may pay: all at first, in the order of the tour, then those whose edges a
move has changed. These are the don't-look bits of J. L. Bentley, "Fast Algorithms for Geometric Traveling Salesman
Problems" (ORSA Journal on Computing 4, 1992), section 5, with the cities in turn.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from solvers.kernels.local_search_moves import FEWEST, moves_of

best_move, _, turns = moves_of(njit(nogil=True))

#: Places of `Search.state`: where the queue begins, how many cities wait in it, and how many moves were made.
HEAD, WAITING, MOVES, STATE = range(4)
#: Work of a look at a city, in those of a city of a reversed stretch.
LOOK = 32
_ALL, _OF_ONE = np.uint32(0), np.uint32(1)


class Search(NamedTuple):
    """A tour that is being improved: all that a slice leaves for the next one.

    Attributes
    ----------
    position : ndarray, shape (n,), int32
        Positions of the cities.
    queue : ndarray, shape (n,), int32
        A ring: the cities that wait, in turn.
    waits : ndarray, shape (n,), bool
        Whether a city is in it.
    state : ndarray, shape (STATE,), int64
    """

    position: np.ndarray
    queue: np.ndarray
    waits: np.ndarray
    state: np.ndarray


def search_of(n: int) -> Search:
    """Room to improve tours of n cities, one after the other."""
    return Search(np.zeros(n, np.int32), np.zeros(n, np.int32), np.zeros(n, np.bool_), np.zeros(STATE, np.int64))


@njit(cache=True, nogil=True)
def begin(order, search):
    """Stand before the first look at a tour."""
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
    """Let a city wait in the queue, if it does not already."""
    if search.waits[city]:
        return
    n, place = search.queue.size, search.state[HEAD] + search.state[WAITING]
    search.queue[place - n if place >= n else place] = city
    search.waits[city] = True
    search.state[WAITING] += 1


@njit(cache=True, nogil=True)
def next_city(search):
    """Take the city whose turn it is out of the queue."""
    head = search.state[HEAD]
    city = np.uint32(search.queue[head])
    search.waits[city] = False
    search.state[HEAD] = head + 1 if head + 1 < search.queue.size else 0
    search.state[WAITING] -= 1
    return city


@njit(cache=True, nogil=True)
def make(order, search, move):
    """Make a move of `solvers.kernels.local_search_moves.Moves`; returns how many cities were turned."""
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
        The tour since `begin`, changed in place; where slices end never changes what becomes of it.
    distance : ndarray, shape (n * n,), int32
        Symmetric.
    near, near_distance : ndarray, shape (n * k,), int32
        The k cities nearest to each, by distance, and how far they are.
    search : Search
        Changed in place. ``search.state[WAITING]`` is 0 when nothing more can be gained.
    work : int
        The slice ends with the first look or move after so much work; on one core 10 million take about 50 ms.

    Returns
    -------
    int
        By how much the tour got shorter.
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
