"""Kicks: a double bridge of nearby edges, which Lin-Kernighan steps repair, and which is undone if the tour got longer.

O. Martin, S. W. Otto and E. W. Felten, "Large-Step Markov Chains for the Traveling Salesman Problem" (1991). Random
walks find the edges: D. Applegate, W. Cook and A. Rohe, "Chained Lin-Kernighan for Large Traveling Salesman Problems"
(2003).
"""

import math

import numpy as np

from solvers.algorithms.genetic.kernels.distances_cpu import FIXED
from solvers.algorithms.lin_kernighan.kernels.search_cpu import (
    ACCEPTED,
    BEST,
    EVALUATED,
    HEAD,
    KEPT_ROWS,
    KICKS,
    LAST,
    LENGTH,
    QUEUED,
    RECORDED,
    TARGET,
    descend,
)
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import (
    BY_RANK,
    CUT,
    ENDS,
    ENTRIES,
    ROW,
    SAVED,
    SEGMENT,
    distance,
    exchange,
    undo,
)
from solvers.kernels import scalar
from solvers.kernels.compiler import njit
from solvers.kernels.distance_rows_cpu import MATRIX

_random_bits, _random_below = njit(scalar.random_bits), njit(scalar.random_below)
_absorbed = njit(scalar.absorb)
#: Minimum number of cities for which a double bridge gives another tour.
MIN_CITIES = 5
#: Number of edges that a double bridge replaces.
_BRIDGE = 4
_NO_LIMIT = 1 << 62
_UNIT = 2.0**-53
#: Maximum number of positions between a kick's first edge and its others, and number of attempts to find such edges.
REACH, TRIES = 1000, 64


@njit(cache=True, nogil=True)
def first_position(seed, n):
    """Return the position in the start tour at which the descent begins."""
    return np.int64(_random_below(_random_bits(seed, np.uint64(1), np.uint64(0)), np.uint64(n)))


@njit(cache=True, nogil=True)
def push(chain, city):
    """Queue a city unless it is already queued."""
    queue, state = chain.queue, chain.state
    if not chain.queued[city]:
        chain.queued[city] = True
        at = state[HEAD] + state[QUEUED]
        queue[at if at < queue.size else at - queue.size] = city
        state[QUEUED] += 1


@njit(cache=True, nogil=True)
def reset_chain(chain):
    """Clear the queue."""
    queue, state = chain.queue, chain.state
    while state[QUEUED] > 0:
        chain.queued[queue[state[HEAD]]] = False
        state[HEAD] = state[HEAD] + 1 if state[HEAD] + 1 < queue.size else 0
        state[QUEUED] -= 1


@njit(cache=True, nogil=True)
def walk_to_edges(cities, tour, plan, queued, bits, city, steps):
    """Choose four edges of the tour; a random walk from each edge finds the next.

    Parameters
    ----------
    cities : Cities
    tour : Tour
    plan : ndarray, shape (PLAN, 16), int64
        `CUT`, in ascending order, and `BY_RANK` are written.
    bits : uint64
        Random bits, from which all others are derived.
    city : int
        Start of the first walk.
    steps : int
        Number of steps per walk.
    """
    order, position, near, matrix = tour.order, tour.position, cities.near, cities.matrix
    n, width = order.size, np.uint64(near.shape[1])
    chosen_count, tries = 0, 0
    word, bits_left, drawn = bits, 0, np.uint64(0)
    first = np.int64(position[city])
    while chosen_count < _BRIDGE:
        p = np.int64(position[city])
        gap = abs(p - first)
        fresh = (min(gap, n - gap) <= REACH or tries > TRIES) and not queued[city]
        for j in range(chosen_count):
            fresh &= plan[CUT, j] != p
        if cities.policy == MATRIX:
            fresh &= matrix[city, order[p + 1 if p + 1 < n else 0]] > FIXED
        tries += 1
        if fresh:
            at, tries = chosen_count, 0
            while at > 0 and plan[CUT, at - 1] > p:
                plan[CUT, at] = plan[CUT, at - 1]
                at -= 1
            plan[CUT, at], plan[BY_RANK, chosen_count] = p, chosen_count
            chosen_count += 1
        for _ in range(steps if fresh else 1):
            if bits_left == 0:
                drawn += np.uint64(1)
                word, bits_left = _absorbed(bits, drawn), 6
            city = np.int64(near[city, np.int64(((word & np.uint64(1023)) * width) >> np.uint64(10))])
            word >>= np.uint64(10)
            bits_left -= 1
        if tries > 2 * TRIES:
            # The walks reach too few cities for four edges.
            drawn += np.uint64(1)
            city = np.int64(_random_below(_absorbed(bits, drawn), np.uint64(n)))


@njit(cache=True, nogil=True)
def kick(cities, tour, search, chain, bits, city, steps):
    """Apply a double bridge, which turns the tour A B C D into A D C B; see `walk_to_edges`.

    Returns
    -------
    int
        The change in length.
    """
    order, plan = tour.order, search.plan
    n, change = order.size, np.int64(0)
    walk_to_edges(cities, tour, plan, chain.queued, bits, city, steps)
    for i in range(_BRIDGE):
        cut, end = plan[CUT, i], plan[CUT, (i + 2) % _BRIDGE]
        a, b = order[cut], order[cut + 1 if cut + 1 < n else 0]
        change -= distance(cities.policy, cities.matrix, cities.points, a, b)
        change += distance(cities.policy, cities.matrix, cities.points, order[end], b)
        plan[SEGMENT, i] = 2 * (_BRIDGE - 1 - i) + 1
        push(chain, a)
        push(chain, b)
    exchange(tour, np.int64(_BRIDGE), plan)
    return change


@njit(cache=True, nogil=True)
def _is_accepted(seed, state, change, heat):
    """Return whether the Metropolis rule accepts a tour that is longer by `change`."""
    if heat <= 0:
        return False
    bits = _random_bits(seed, np.uint64(2), np.uint64(state[KICKS]))
    return change < -heat * math.log((np.float64(bits >> np.uint64(11)) + 1.0) * _UNIT)


@njit(cache=True, nogil=True)
def keep(tour, chain):
    """Record the logged exchanges, and store the tour if it is the best; its length must already be updated.

    Parameters
    ----------
    tour : Tour
    chain : Chain
    """
    state, record, log, marks = chain.state, chain.record, tour.log, tour.marks
    for entry in range(marks[ENTRIES]):
        for i in range(ROW):
            record[state[RECORDED], i] = log[entry, i]
        state[RECORDED] += 1
    marks[ENTRIES] = marks[SAVED] = 0
    if state[LENGTH] < state[BEST]:
        state[BEST], state[KEPT_ROWS] = state[LENGTH], state[RECORDED]
        chain.best[:] = tour.order[: chain.best.size]


@njit(cache=True, nogil=True, shared=True)
def run_kicks(cities, tour, search, chain, starts, seed, until, steps, heat, work):
    """Kick until `until` kicks or `work` exchanges are done, the record is full, or the target is reached.

    Parameters
    ----------
    cities : Cities
    tour : Tour
        A local optimum, with an empty log.
    search : Search
    chain : Chain
    seed : uint64
    until : int
    steps : int
        See `walk_to_edges`.
    heat : float
        By how much a kick may lengthen the tour, on average; the bound is exponentially distributed.
    work : int
    """
    state, log, record = chain.state, tour.log, chain.record
    end = state[EVALUATED] + work
    while state[KICKS] < until and state[EVALUATED] < end and state[LENGTH] > state[TARGET]:
        if state[RECORDED] + log.shape[0] > record.shape[0]:
            return
        bits = _random_bits(seed, np.uint64(0), np.uint64(state[KICKS]))
        state[KICKS] += 1
        city = np.int64(_random_below(bits, np.uint64(starts.size if starts.size else tour.order.size)))
        city = np.int64(starts[city]) if starts.size else city
        change = kick(cities, tour, search, chain, bits, city, steps)
        change += descend(cities, tour, search, chain, True, _NO_LIMIT)
        if state[QUEUED] > 0 or (change > 0 and not _is_accepted(seed, state, change, heat)):
            undo(tour)
            reset_chain(chain)
            continue
        state[LENGTH] += change
        state[ACCEPTED] += change != 0
        state[LAST] = log[0, ENDS]
        keep(tour, chain)
