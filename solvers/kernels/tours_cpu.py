"""Random tours, and tours after moves."""

import numpy as np

from solvers.kernels import scalar
from solvers.kernels.compiler import njit

_random_bits, _random_below = njit(scalar.random_bits), njit(scalar.random_below)
_next_draw = njit(scalar.next_draw)


@njit(cache=True, nogil=True)
def random_tour(seed, climber, n, order):
    """Write a climber's random start tour, which (seed, climber) determines, to ``order[:n]``.

    R. Durstenfeld, "Algorithm 235: Random permutation" (CACM 7, 1964).
    """
    for k in range(n):
        order[k] = k
    for step in range(n - 1):
        k = n - 1 - step
        bits = _random_bits(np.uint64(seed), np.uint64(climber), np.uint64(step))
        other = np.int64(_random_below(bits, np.uint64(k + 1)))
        order[k], order[other] = order[other], order[k]


@njit(cache=True, nogil=True)
def program_tour(seed, climber, n, threads, order):
    """Write a climber's start tour to ``order[:n]``, as Utne and Hansen's program does.

    City 0 stays first. The tour depends on the number of threads per block; seed 1 gives the tours of the published
    results.
    """
    order[:n] = np.arange(n)
    bits = np.int64(climber) + np.int64(climber) // threads + np.int64(seed) - 1
    for k in range(1, n):
        bits = _next_draw(bits)
        other = max(1, bits % n)
        order[k], order[other] = order[other], order[k]


@njit(cache=True, nogil=True)
def random_tours(seed, first, orders):
    """Fill ``orders`` (k, n) int32 with the start tours of climbers `first`, `first` + 1, ..."""
    for k in range(orders.shape[0]):
        random_tour(seed, first + k, orders.shape[1], orders[k])


@njit(cache=True, nogil=True)
def reverse(values, first, last):
    """Reverse ``values[first]`` to ``values[last]``, inclusive, in place."""
    while first < last:
        values[first], values[last] = values[last], values[first]
        first += 1
        last -= 1


@njit(cache=True, nogil=True)
def apply_moves(order, i, j):
    """Apply the 2-opt moves (i[k], j[k]) to ``order`` (n,) int32 in place."""
    for k in range(i.size):
        reverse(order, i[k] + 1, j[k])
