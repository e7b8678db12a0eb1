"""AB-cycles: closed walks with edges of two tours by turns, which partition the edges that only one tour has.

Y. Nagata and S. Kobayashi, "A Powerful Genetic Algorithm Using Edge Assembly Crossover for the Traveling Salesman
Problem" (INFORMS Journal on Computing 25, 2013), steps 1 and 2 of EAX.
"""

from typing import NamedTuple

import numpy as np

from solvers.algorithms.genetic.kernels.draws_cpu import draw
from solvers.kernels.compiler import njit


class Cycles(NamedTuple):
    """The AB-cycles of two tours A and B.

    Attributes
    ----------
    city : ndarray, shape (2 n + 2,), int32
        The cities of one cycle after the other: c0, c1, c2, ..., whose edges (c0, c1), (c2, c3), ... are in A and
        (c1, c2), ..., (c_last, c0) in B.
    start : ndarray, shape (n + 2,), int32
        Start of each cycle in `city`; one more entry than there are cycles.
    """

    city: np.ndarray
    start: np.ndarray


class Tracing(NamedTuple):
    """The remaining edges that only one tour has, and the walk along them.

    Attributes
    ----------
    to : ndarray, shape (2, n, 2), int32
        The neighbours of each city along edges that only A has, and along edges that only B has.
    left : ndarray, shape (2, n), int32
        The number of these neighbours that are left.
    at : ndarray, shape (2, n), int32
        An even and an odd index of each city on the walk; -1 if there is none.
    walk : ndarray, shape (2 n + 2,), int32
    active : ndarray, shape (n,), int32
        The cities that may have edges left.
    """

    to: np.ndarray
    left: np.ndarray
    at: np.ndarray
    walk: np.ndarray
    active: np.ndarray


def allocate_cycles(n: int) -> Cycles:
    """Allocate the AB-cycles of two tours of n cities."""
    return Cycles(np.zeros(2 * n + 2, np.int32), np.zeros(n + 2, np.int32))


def allocate_tracing(n: int) -> Tracing:
    """Allocate the buffers of `trace` for n cities."""
    to, left, at = np.zeros((2, n, 2), np.int32), np.zeros((2, n), np.int32), np.full((2, n), -1, np.int32)
    return Tracing(to, left, at, np.zeros(2 * n + 2, np.int32), np.zeros(n, np.int32))


@njit(cache=True, nogil=True)
def _list_differences(one, other, tracing):
    """List the edges that only one tour has; return the number of affected cities."""
    cities = 0
    for city in range(one.shape[0]):
        for side, (mine, theirs) in enumerate(((one, other), (other, one))):
            left = 0
            for k in range(2):
                to = mine[city, k]
                if to not in (theirs[city, 0], theirs[city, 1]):
                    tracing.to[side, city, left] = to
                    left += 1
            tracing.left[side, city] = left
        if tracing.left[0, city]:
            tracing.active[cities] = city
            cities += 1
    return cities


@njit(cache=True, nogil=True)
def _remove(tracing, side, city, to):
    """Remove an edge from one of its cities' lists."""
    left = tracing.left[side, city] - 1
    if tracing.to[side, city, 0] == to:
        tracing.to[side, city, 0] = tracing.to[side, city, left]
    tracing.left[side, city] = left


@njit(cache=True, nogil=True)
def _close(cycles, count, tracing, first, last):
    """Store the cycle from index `first` to `last` of the walk; keep the walk before `first`."""
    walk, at = tracing.walk, tracing.at
    filled = cycles.start[count]
    odd = first & 1  # a walk begins with an edge of A, so the edge after an odd index is in B
    for k in range(first, last):
        position = k + odd
        cycles.city[filled + k - first] = walk[position if position < last else first]
        if k > first or first == 0:
            at[k & 1, walk[k]] = -1
    cycles.start[count + 1] = filled + last - first


@njit(cache=True, nogil=True, shared=True)
def trace(one, other, cycles, tracing, key):
    """Partition the edges that only one tour has into AB-cycles; of two possible next edges, take one at random.

    Parameters
    ----------
    one, other : ndarray, shape (n, 2), int32
        The two neighbours of each city in the tours A and B.
    cycles : Cycles
        Changed in place.
    tracing : Tracing
    key : uint64
        Key of the draws.

    Returns
    -------
    count, draws : int
        Number of cycles and of draws.
    """
    cities, count, draws = _list_differences(one, other, tracing), 0, 0
    cycles.start[0] = 0
    while cities:
        pick = draw(key, draws, cities)
        draws += 1
        city = tracing.active[pick]
        if tracing.left[0, city] == 0:
            cities -= 1
            tracing.active[pick] = tracing.active[cities]
            continue
        position = 0
        tracing.walk[0] = city
        tracing.at[0, city] = 0
        while True:
            side = position & 1  # the walk follows edges of A and of B by turns
            choice = 0
            if tracing.left[side, city] == 2:
                choice = draw(key, draws, 2)
                draws += 1
            to = tracing.to[side, city, choice]
            _remove(tracing, side, city, to)
            _remove(tracing, side, to, city)
            position += 1
            tracing.walk[position] = to
            first = tracing.at[position & 1, to]
            if first < 0:
                tracing.at[position & 1, to] = position
            else:
                _close(cycles, count, tracing, first, position)
                count += 1
                position = first
                if first == 0:
                    break
            city = to
    return count, draws
