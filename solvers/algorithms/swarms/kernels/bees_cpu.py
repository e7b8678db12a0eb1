"""Artificial bee colony on one core: food sources are tours, of which bees try changes.

D. Karaboga and B. Basturk, "A powerful and efficient algorithm for numerical function optimization: artificial bee
colony (ABC) algorithm" (Journal of Global Optimization 39, 2007), section 3; the changes of tours after M. S. Kiran, H.
Iscan and M. Gunduz, "The analysis of discrete artificial bee colony algorithm with neighborhood operator on traveling
salesman problem" (Neural Computing and Applications 23, 2013).
"""

from typing import NamedTuple

import numpy as np

from solvers.algorithms.swarms.kernels.span_cpu import (
    CURRENT,
    LAST,
    SEARCHING,
    TRIED,
    draw,
    draw_below,
    measure_tour,
    shorten,
    uniform,
)
from solvers.kernels.compiler import njit
from solvers.kernels.tours_cpu import random_tour, reverse

SWAP, INSERTION, REVERSAL, MIXED = range(4)
#: Maximum number of random words per trial; also the number of scouts' random streams per source.
_WORDS = 4
_MIN_CITIES = 4


class Sources(NamedTuple):
    """The food sources of a colony.

    Attributes
    ----------
    tour : ndarray, shape (m, n), int32
    length : ndarray, shape (m,), int64
    failed : ndarray, shape (m,), int64
        Number of trials since each source was last improved, or found.
    tried : ndarray, shape (m,), int64
        Number of trials of each source since the start.
    bees : ndarray, shape (m,), int32
        Number of bees at each source in the current phase.
    """

    tour: np.ndarray
    length: np.ndarray
    failed: np.ndarray
    tried: np.ndarray
    bees: np.ndarray


@njit(cache=True, nogil=True)
def swap_change(distance, order, i, j):
    """Return the change in length when the cities at positions i < j are swapped, int64."""
    n = order.size
    before, following = order[i - 1 if i else n - 1], order[j + 1 if j + 1 < n else 0]
    a, b = np.int64(order[i]), np.int64(order[j])
    if j == i + 1 or (i == 0 and j == n - 1):
        if j != i + 1:
            # Neighbours across the end of the array: b is directly before a.
            a, b, before, following = b, a, order[j - 1], order[i + 1]
        change = np.int64(distance[before * n + b]) + distance[b * n + a] + distance[a * n + following]
        return change - distance[before * n + a] - distance[a * n + b] - distance[b * n + following]
    after, until = order[i + 1], order[j - 1]
    change = np.int64(distance[before * n + b]) + distance[b * n + after] + distance[until * n + a]
    change += distance[a * n + following]
    change -= np.int64(distance[before * n + a]) + distance[a * n + after] + distance[until * n + b]
    return change - distance[b * n + following]


@njit(cache=True, nogil=True)
def insertion_change(distance, order, i, j):
    """Return the change in length when the city at position i moves to position j, int64."""
    n = order.size
    city = np.int64(order[i])
    before, after = order[i - 1 if i else n - 1], order[i + 1 if i + 1 < n else 0]
    if i < j:
        left, right = order[j], order[j + 1 if j + 1 < n else 0]
    else:
        left, right = order[j - 1 if j else n - 1], order[j]
    if city in (left, right):
        return np.int64(0)  # this would only rotate the tour
    change = np.int64(distance[before * n + after]) + distance[left * n + city] + distance[city * n + right]
    return change - distance[before * n + city] - distance[city * n + after] - distance[left * n + right]


@njit(cache=True, nogil=True)
def reversal_change(distance, order, i, j, directed):
    """Return the change in length when positions i to j are reversed, i < j, int64."""
    n, change = order.size, np.int64(0)
    if directed:
        for p in range(i, j):
            a, b = np.int64(order[p]), np.int64(order[p + 1])
            change += np.int64(distance[b * n + a]) - distance[a * n + b]
    elif j - i >= n - 2:
        return change  # this would only reverse the direction of the tour
    a, b = np.int64(order[i]), np.int64(order[j])
    if j - i == n - 1:
        return change + distance[a * n + b] - distance[b * n + a]
    before, following = order[i - 1 if i else n - 1], order[j + 1 if j + 1 < n else 0]
    change += np.int64(distance[before * n + b]) + distance[a * n + following]
    return change - distance[before * n + a] - distance[b * n + following]


@njit(cache=True, nogil=True)
def insert(order, i, j):
    """Move the city at position i to position j, in place."""
    city, step = order[i], 1 if i < j else -1
    for p in range(i, j, step):
        order[p] = order[p + step]
    order[j] = city


@njit(cache=True, nogil=True)
def draw_change(kind, n, seed, stream, trial):
    """Draw a random change: its kind and two positions, ascending unless it is an insertion."""
    step = np.uint64(_WORDS) * np.uint64(trial)
    if kind == MIXED:
        kind = draw_below(draw(seed, stream, step + np.uint64(2)), 3)
    i = draw_below(draw(seed, stream, step), n)
    j = draw_below(draw(seed, stream, step + np.uint64(1)), n - 1)
    j += j >= i
    if kind != INSERTION and i > j:
        i, j = j, i
    return kind, i, j


@njit(cache=True, nogil=True)
def length_change(distance, order, kind, i, j, directed):
    """Return the change in a tour's length by a move, int64."""
    if kind == SWAP:
        return swap_change(distance, order, i, j)
    if kind == INSERTION:
        return insertion_change(distance, order, i, j)
    return reversal_change(distance, order, i, j, directed)


@njit(cache=True, nogil=True)
def make(order, kind, i, j):
    """Make a change to a tour, in place."""
    if kind == SWAP:
        order[i], order[j] = order[j], order[i]
    elif kind == INSERTION:
        insert(order, i, j)
    else:
        reverse(order, i, j)


@njit(cache=True, nogil=True)
def record_trial(sources, k, length):
    """Count a trial at source k; return whether its result, of length `length`, is shorter and replaces the source."""
    sources.tried[k] += 1
    if length < sources.length[k]:
        sources.length[k] = length
        sources.failed[k] = 0
        return True
    sources.failed[k] += 1
    return False


@njit(cache=True, nogil=True)
def attempt(sources, kind, local, shortens, span, seed, k, candidate, work):
    """Run one bee's trial at source k; return whether it has ended. `candidate` (n,) int32 is a buffer."""
    tour, n = sources.tour[k], sources.tour.shape[1]
    if shortens is None or span[SEARCHING] == 0:
        operator, i, j = draw_change(kind, n, seed, k, sources.tried[k])
        if shortens is None:
            change = length_change(local.distance, tour, operator, i, j, local.directed)
            if record_trial(sources, k, sources.length[k] + change):
                make(tour, operator, i, j)
            return True
        candidate[:] = tour
        make(candidate, operator, i, j)
    if not shorten(candidate, local, span, work):
        return False
    if record_trial(sources, k, measure_tour(local.distance, candidate)):
        tour[:] = candidate
    return True


@njit(cache=True, nogil=True)
def visit(sources, kind, local, shortens, span, seed, candidate, work):
    """Let the bees of a range of sources try their changes for one slice.

    Parameters
    ----------
    sources : Sources
        Changed in place; the result depends neither on slices nor on the order of sources.
    kind : int
        `SWAP`, `INSERTION`, `REVERSAL` or `MIXED`.
    local : Local
    shortens : bool or None
        Whether tours are shortened by local search. None instead of False, so that Numba does not compile it.
    span : ndarray, shape (SPAN,), int64
        Changed in place.
    work : int
        The slice ends with the trial that reaches this much work.
    """
    used, n = np.int64(0), sources.tour.shape[1]
    while span[CURRENT] < span[LAST] and used < work:
        k = span[CURRENT]
        if span[TRIED] < sources.bees[k] and n >= _MIN_CITIES:
            if not attempt(sources, kind, local, shortens, span, seed, k, candidate, work):
                return
            span[TRIED] += 1
            used += 16 + n // 4 if shortens is None else 16 * n
        else:
            span[TRIED] = 0
            span[CURRENT] += 1
            used += 1


@njit(cache=True, nogil=True)
def choose(sources, onlookers, seed, stream, step, sums):
    """Send onlookers to sources at random: source k has probability fit_k / sum of all.

    The fitness of a tour is 1 / (1 + length): Karaboga and Basturk (2007), equation 2.1, section 3.

    Parameters
    ----------
    onlookers : int
    stream, step : int
        Random stream of the choices, used from `step` on.
    sums : ndarray, shape (m,), float64
        Working memory.
    """
    m, total = sources.length.size, 0.0
    for k in range(m):
        total += 1.0 / (1.0 + sources.length[k])
        sums[k] = total
    sources.bees[:] = 0
    for onlooker in range(onlookers):
        mark = uniform(draw(seed, stream, step + np.uint64(onlooker))) * total
        sources.bees[min(m - 1, np.searchsorted(sums, mark, side="right"))] += 1


@njit(cache=True, nogil=True)
def scout(sources, limit, seed, stream, distance):
    """Abandon the source with the most failed trials, the first on ties, if there are more than `limit`.

    A random tour replaces it. There is at most one scout per iteration: Karaboga and Basturk (2007), section 3.

    Returns
    -------
    int
        The source; -1 if none was abandoned.
    """
    worst = np.argmax(sources.failed)
    if sources.failed[worst] <= limit:
        return -1
    n = sources.tour.shape[1]
    random_tour(seed, np.uint64(stream), n, sources.tour[worst])
    sources.length[worst] = measure_tour(distance, sources.tour[worst])
    sources.failed[worst] = 0
    return worst
