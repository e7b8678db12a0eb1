"""Local search on ants' tours on the CPU, driven by a queue of cities: 2-opt, 2-opt with Or-opt, or 3-opt.

The queue contains the cities whose moves may improve the tour: at first all cities in tour order, later those whose
edges a move has changed. These are the don't-look bits of J. L. Bentley, "Fast Algorithms for Geometric Traveling
Salesman Problems" (ORSA Journal on Computing 4, 1992), section 5, with a queue. Moves elsewhere may give a city outside
the queue a move again. So 2-opt alone and 3-opt refill an empty queue with all cities, until none has a move: then the
tour is a local optimum among the nearest cities.
"""

from typing import NamedTuple

import numpy as np

from solvers.kernels.compiler import njit
from solvers.kernels.local_search_moves import MIN_CITIES, build_moves
from solvers.kernels.local_search_three_opt_cpu import best_exchange, reversals

best_move, best_two_opt, _, plan_reversals = build_moves(njit(nogil=True))

#: Indices into `Search.state`: where the queue starts, how many cities wait in it, how many moves have been made, how
#: many had been made when the queue was last refilled, and the kind of moves.
HEAD, WAITING, MOVES, BEFORE, KIND, STATE = range(6)
#: Numbers of the kinds of moves, by their names in `solvers.algorithms.ants.params`.
KINDS = {"2-opt+or-opt": 0, "2-opt": 1, "3-opt": 2}
_WITH_OR_OPT, _TWO_OPT = KINDS["2-opt+or-opt"], KINDS["2-opt"]
#: Work of evaluating a city; reversing one city is 1.
EVALUATION_WORK = 32
_ALL, _OF_ONE, _NO_SEGMENT = np.uint32(0), np.uint32(1), np.uint32(0)


class Search(NamedTuple):
    """The state of a local search between two slices.

    Attributes
    ----------
    position : ndarray, shape (n,), int32
        The position of each city.
    queue : ndarray, shape (n,), int32
        Ring buffer of the queued cities.
    waits : ndarray, shape (n,), bool
        Whether each city is in the queue.
    state : ndarray, shape (STATE,), int64
    """

    position: np.ndarray
    queue: np.ndarray
    waits: np.ndarray
    state: np.ndarray


def allocate_search(n: int, moves: str = "2-opt+or-opt") -> Search:
    """Allocate a search for tours of n cities; its moves are one of the `KINDS`."""
    state = np.zeros(STATE, np.int64)
    state[KIND] = KINDS[moves]
    return Search(np.zeros(n, np.int32), np.zeros(n, np.int32), np.zeros(n, np.bool_), state)


def is_three_opt(moves: str) -> bool | None:
    """Return True if these moves, one of `KINDS`, are 3-opt, otherwise None: the argument `exchanges` of `improve`."""
    return moves == "3-opt" or None


@njit(cache=True, nogil=True)
def begin(order, search):
    """Start to search a tour, with all cities in the queue."""
    for place in range(order.size):
        search.position[order[place]] = place
    search.state[MOVES] = 0
    if order.size < MIN_CITIES:
        search.state[WAITING] = 0
    else:
        enqueue_all(order, search)


@njit(cache=True, nogil=True)
def enqueue_all(order, search):
    """Queue all cities in tour order."""
    for place in range(order.size):
        search.queue[place] = order[place]
        search.waits[place] = True
    search.state[HEAD], search.state[WAITING], search.state[BEFORE] = 0, order.size, search.state[MOVES]


@njit(cache=True, nogil=True)
def reverse(order, position, first, count):
    """Reverse `count` cities from position `first` on, wrapping around the end of the tour."""
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
    """Queue a city unless it is already queued."""
    if search.waits[city]:
        return
    n, place = search.queue.size, search.state[HEAD] + search.state[WAITING]
    search.queue[place - n if place >= n else place] = city
    search.waits[city] = True
    search.state[WAITING] += 1


@njit(cache=True, nogil=True)
def next_city(search):
    """Remove the next city from the queue and return it."""
    head = search.state[HEAD]
    city = np.uint32(search.queue[head])
    search.waits[city] = False
    search.state[HEAD] = head + 1 if head + 1 < search.queue.size else 0
    search.state[WAITING] -= 1
    return city


@njit(cache=True, nogil=True)
def make(order, search, move):
    """Apply a move as described in `solvers.kernels.local_search_moves.Moves`; return the number of reversed cities."""
    c, d, a, b, size, e, f = move
    first1, count1, first2, count2, first3, count3 = plan_reversals(
        search.position, np.uint32(order.size), c, d, a, b, size
    )
    reverse(order, search.position, first1, count1)
    reverse(order, search.position, first2, count2)
    reverse(order, search.position, first3, count3)
    for city in (c, d, a, b, e, f):
        wake(search, city)
    search.state[MOVES] += 1
    return np.int64(count1) + np.int64(count2) + np.int64(count3)


@njit(cache=True, nogil=True)
def exchange(order, distance, near, near_distance, search, c):
    """Apply the best 3-opt move that starts at city c; return its gain and the work done."""
    move = best_exchange(distance, near, near_distance, order, search.position, np.int64(c))
    gain, t2, t3, t4, t5, t6, evaluated = move
    if gain == 0:
        return gain, evaluated
    if t5 < 0:
        c, d, a, b = np.uint32(t2), np.uint32(t3), np.uint32(c), np.uint32(t4)
        return gain, evaluated + make(order, search, (c, d, a, b, _NO_SEGMENT, c, d))
    n, t1 = order.size, np.int64(c)
    first1, count1, first2, count2, first3, count3 = reversals(search.position, n, t1, t2, t3, t4, t5, t6)
    reverse(order, search.position, first1, np.uint32(count1))
    reverse(order, search.position, first2, np.uint32(count2))
    reverse(order, search.position, first3, np.uint32(count3))
    for city in (t1, t2, t3, t4, t5, t6):
        wake(search, city)
    search.state[MOVES] += 1
    return gain, evaluated + count1 + count2 + count3


@njit(cache=True, nogil=True, shared=True)
def improve(order, distance, near, near_distance, search, work, exchanges):
    """Improve a tour for one slice.

    Parameters
    ----------
    order : ndarray, shape (n,), int32
        The tour that was passed to `begin`; changed in place. The result does not depend on where slices end.
    distance : ndarray, shape (n * n,), int32
        Symmetric distances.
    near, near_distance : ndarray, shape (n * k,), int32
        Each city's k nearest cities, by distance, and the distances to them.
    search : Search
        Changed in place. At a local optimum, ``search.state[WAITING]`` is 0.
    work : int
        The slice ends after this much work; on one core, 10 million take about 50 ms.
    exchanges : bool or None
        True for 3-opt, otherwise None, so that Numba does not compile 3-opt; see `is_three_opt`.

    Returns
    -------
    int
        The reduction of the tour's length.
    """
    n, k, kind = np.uint32(order.size), np.uint32(near.size // order.size), search.state[KIND]
    gained, used = np.int64(0), np.int64(0)
    while search.state[WAITING] > 0 and used < work:
        c = next_city(search)
        used += EVALUATION_WORK
        if exchanges is not None:
            gain, spent = exchange(order, distance, near, near_distance, search, c)
            gained, used = gained + gain, used + spent
        elif kind == _TWO_OPT:
            move = best_two_opt(distance, near, near_distance, order, search.position, n, k, c, _ALL, _OF_ONE)
            gain, d, a, b, size, e, f, evaluated = move
            used += evaluated
            if gain > 0:
                used += make(order, search, (c, d, a, b, size, e, f))
                gained += gain
        else:
            move = best_move(distance, near, near_distance, order, search.position, n, k, c, _ALL, _OF_ONE)
            gain, d, a, b, size, e, f = move
            if gain > 0:
                used += make(order, search, (c, d, a, b, size, e, f))
                gained += gain
        if search.state[WAITING] == 0 and kind != _WITH_OR_OPT and search.state[MOVES] > search.state[BEFORE]:
            enqueue_all(order, search)
            used += order.size
    return gained
