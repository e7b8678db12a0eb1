"""Functions that all swarms use: tour lengths, random draws and local search in slices."""

from typing import NamedTuple

import numpy as np

from solvers.kernels import scalar
from solvers.kernels.compiler import njit
from solvers.kernels.local_search_cpu import WAITING, Search, improve
from solvers.kernels.local_search_cpu import begin as begin_search
from solvers.kernels.segment_exchange_cpu import exchange_segments

#: Indices of a span: the current individual, the one before which to stop, whether local search is in progress, and the
#: number of trials at the current individual.
CURRENT, LAST, SEARCHING, TRIED, SPAN = range(5)
_random_bits, _random_below = njit(scalar.random_bits), njit(scalar.random_below)


class Local(NamedTuple):
    """A thread's local search.

    Attributes
    ----------
    distance : ndarray, shape (n * n,), int32
    near, near_distance : ndarray, shape (n * k,), int32
        See `solvers.kernels.local_search_cpu.improve`.
    search : Search
    directed : bool
        Whether distances depend on the direction.
    """

    distance: np.ndarray
    near: np.ndarray
    near_distance: np.ndarray
    search: Search
    directed: bool


@njit(cache=True, nogil=True)
def measure_tour(distance, order):
    """Return the length of a tour, int64."""
    n, total = order.size, np.int64(0)
    for p in range(n):
        total += distance[np.int64(order[p]) * n + order[p + 1 if p + 1 < n else 0]]
    return total


@njit(cache=True, nogil=True)
def rotate_to_first(order, scratch):
    """Rotate a tour in place so that city 0 comes first."""
    n, at = order.size, 0
    while order[at] != 0:
        at += 1
    for p in range(n):
        scratch[p] = order[(at + p) % n]
    order[:] = scratch


@njit(cache=True, nogil=True)
def draw(seed, stream, step):
    """Return 64 random bits of a stream; the steps below 2**32 are for its random tour."""
    return _random_bits(seed, np.uint64(stream), np.uint64(step) + np.uint64(1 << 32))


@njit(cache=True, nogil=True)
def draw_below(bits, bound):
    """Return an integer from 0 to bound - 1, int64."""
    return np.int64(_random_below(bits, np.uint64(bound)))


@njit(cache=True, nogil=True)
def uniform(bits):
    """Return a float64 in [0, 1)."""
    return np.float64(bits >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@njit(cache=True, nogil=True)
def shorten(order, local, span, work):
    """Improve a tour by local search for one slice; return whether the search is finished.

    If the span has no search in progress, a new one starts. The search of a directed tour is not divided into slices.
    """
    if local.directed:
        n = order.size
        exchange_segments(order, local.distance.reshape((n, n)), local.near.reshape((n, local.near.size // n)))
        return True
    if span[SEARCHING] == 0:
        begin_search(order, local.search)
        span[SEARCHING] = 1
    improve(order, local.distance, local.near, local.near_distance, local.search, np.int64(work), None)
    if local.search.state[WAITING] > 0:
        return False
    span[SEARCHING] = 0
    return True
