"""Selection rules for an ant's next city. All but `i_roulette` and `lists` have the same probabilities.

A. Uchida, Y. Ito and K. Nakano, "An Efficient GPU Implementation of Ant Colony Optimization for the Traveling Salesman
Problem" (2012), equation 2: p(j) = fitness(i, j) / sum of fitness(i, k) over the unvisited cities k.

A selection takes fields of `Choice` and `Walker` as separate arguments (passing a tuple would count references to all
its arrays at each call), the current city `current`, and random numbers or the words of a random stream. It returns the
next city.
"""

from typing import NamedTuple

import numpy as np

from solvers.algorithms.ants.kernels.draw_cpu import (
    LANES,
    SEGMENT,
    argmax,
    find_open_city,
    heaviest_open,
    locate_in_few,
    place,
    search,
    uniform,
    weigh,
    weigh_few,
    weigh_open,
)
from solvers.kernels import scalar
from solvers.kernels.compiler import njit

WITHOUT_COMPRESSION, WITH_COMPRESSION, STOCHASTIC_TRIAL, HYBRID, NEAREST_FIRST, LISTS, I_ROULETTE = range(7)
#: Number of random draws reserved per choice; draw k at a position is step `position * DRAWS + k` of the random stream.
DRAWS = 128

_ZERO, _HALF = np.float32(0.0), np.float32(0.5)
_LOW_24 = np.uint64(0xFFFFFF)

_absorbed = njit(scalar.absorb)


class Choice(NamedTuple):
    """The data from which ants choose, with rows stored one after another; unused arrays have size 0.

    Attributes
    ----------
    fitness : ndarray, shape (n * stride,), float32
        0 on the diagonal and past n, and also for the nearest cities in selections that consider those first.
    prefix : ndarray, shape (n * stride,), float32
        Prefix sums of the fitness rows.
    coarse : ndarray, shape (n * stride / SEGMENT,), float32
        Every `SEGMENT`-th prefix sum.
    neighbours : ndarray, shape (n * reach,), int32
        Each city's candidates, padded with the city itself.
    near : ndarray, shape (n * reach,), float32
        The candidates' fitness, padded with zeros.
    others : ndarray, shape (n,), float32
        For each city, the total fitness of the cities that are not its candidates.
    n, stride : int
    reach : int
        Number of candidates per city, including padding: a multiple of `GROUPS`.
    trials : int
        Number of trials before a full roulette.
    switch : int
        Number of visited cities above which hybrid reads only the unvisited ones.
    """

    fitness: np.ndarray
    prefix: np.ndarray
    coarse: np.ndarray
    neighbours: np.ndarray
    near: np.ndarray
    others: np.ndarray
    n: int
    stride: int
    reach: int
    trials: int
    switch: int


class Walker(NamedTuple):
    """The current ant of a thread.

    Attributes
    ----------
    open_ : ndarray, shape (stride,), float32
        1 for unvisited cities, otherwise 0, also past n.
    unvisited : ndarray, shape (n,), int32
        The unvisited cities in any order, if the selection compresses.
    values : ndarray, shape (stride + GROUPS,), float32
        Buffer for the fitness of cities.
    lanes : ndarray, shape (LANES + GROUPS,), float32
        Buffer for sums.
    trials : ndarray, shape (w + 1,), int64
        Number of choices that took 1, 2, ... trials; the last entry counts the choices made by a full roulette.
    state : ndarray, shape (STATE,), int64
    """

    open_: np.ndarray
    unvisited: np.ndarray
    values: np.ndarray
    lanes: np.ndarray
    trials: np.ndarray
    state: np.ndarray


@njit(cache=True, nogil=True)
def without_compression(fitness, open_, lanes, current, stride, u):
    """Draw by roulette from all cities; visited ones have weight 0 (section IV.A)."""
    base = np.uint64(current) * stride
    total = weigh_open(fitness, base, open_, stride, lanes)
    return find_open_city(fitness, base, open_, stride, lanes, u * total)


@njit(cache=True, nogil=True)
def with_compression(fitness, unvisited, values, lanes, current, stride, unvisited_count, u):
    """Draw by roulette from the list of unvisited cities, whose last city then fills the gap (section IV.B)."""
    base = np.uint64(current) * stride
    for k in range(unvisited_count):
        values[k] = fitness[base + np.uint64(unvisited[k])]
    whole = (unvisited_count + np.uint64(LANES - 1)) // np.uint64(LANES) * np.uint64(LANES)
    for k in range(unvisited_count, whole):
        values[k] = _ZERO
    total = weigh(values, whole, lanes)
    k = place(values, whole, lanes, u * total)
    city = np.uint64(unvisited[k])
    unvisited[k] = unvisited[unvisited_count - np.uint64(1)]
    return city


@njit(cache=True, nogil=True)
def stochastic_trial(fitness, prefix, coarse, open_, lanes, trials, current, stride, maximum, seed, stream, step):
    """Draw from all cities up to `maximum` times until an unvisited one is hit, then by roulette (section IV.C)."""
    segments = stride // np.uint64(SEGMENT)
    base, coarse_base = np.uint64(current) * stride, np.uint64(current) * segments
    total = coarse[coarse_base + segments - np.uint64(1)]
    for draw in range(maximum):
        r = uniform(seed, stream, step + draw) * total
        city = search(prefix, base, coarse, coarse_base, segments, r)
        if open_[city] > _ZERO:
            trials[draw] += 1
            return city
    trials[maximum] += 1
    return without_compression(fitness, open_, lanes, current, stride, uniform(seed, stream, step + maximum))


@njit(cache=True, nogil=True)
def nearest_first(fitness, neighbours, near, others, open_, values, lanes, current, stride, reach, seed, stream, step):
    """Draw from the candidates; read the others only if the draw does not fall on an unvisited candidate.

    The draw is from (0, U + R], where U is the total fitness of the unvisited candidates, and R that of all other
    cities, visited or not. A draw beyond U goes to the unvisited others, whose total fitness R' is computed only then.
    If it falls on a visited city, the draw is repeated from (0, U + R']. So a city of fitness f is chosen with
    probability f / (U + R) + (R - R') / (U + R) * f / (U + R') = f / (U + R').
    """
    first = np.uint64(current) * reach
    for k in range(reach):
        values[k] = near[first + k] * open_[np.uint64(neighbours[first + k])]
    u = weigh_few(values, reach)
    r = uniform(seed, stream, step) * np.float32(u + others[current])
    if r >= u:
        base = np.uint64(current) * stride
        v = weigh_open(fitness, base, open_, stride, lanes)
        if r - u >= v:
            r = uniform(seed, stream, step + np.uint64(1)) * np.float32(u + v)
        if r >= u and v > _ZERO:
            return find_open_city(fitness, base, open_, stride, lanes, r - u)
    return np.uint64(neighbours[first + locate_in_few(values, reach, r)])


@njit(cache=True, nogil=True)
def i_roulette(fitness, open_, values, current, stride, seed, stream, visited):
    """Return the unvisited city with the greatest product of fitness and its own random number (I-Roulette).

    J. M. Cecilia, J. M. Garcia, A. Nisbet, M. Amos and M. Ujaldon, "Enhancing Data Parallelism for Ant Colony
    Optimization on GPUs" (2013). This is not a roulette: the fittest city is chosen more often than its share. A random
    number is 24 bits plus one half; one draw gives the numbers of the k-th city of both halves of the row.
    """
    base, half = np.uint64(current) * stride, stride // np.uint64(2)
    state = _absorbed(_absorbed(np.uint64(0), np.uint64(seed)), np.uint64(stream))
    first = np.uint64(visited) * half
    for k in range(half):
        bits = _absorbed(state, first + k)
        low, high = np.uint32((bits >> np.uint64(8)) & _LOW_24), np.uint32(bits >> np.uint64(40))
        values[k] = fitness[base + k] * open_[k] * (np.float32(high) + _HALF)
        values[half + k] = fitness[base + half + k] * open_[half + k] * (np.float32(low) + _HALF)
    return argmax(values, stride)


@njit(cache=True, nogil=True)
def lists(fitness, neighbours, near, open_, values, current, stride, reach, u):
    """Draw an unvisited candidate by roulette; once all candidates are visited, take the fittest other city.

    M. Dorigo and T. Stuetzle, "Ant Colony Optimization" (2004), section 3.7.
    """
    first = np.uint64(current) * reach
    for k in range(reach):
        values[k] = near[first + k] * open_[np.uint64(neighbours[first + k])]
    total = weigh_few(values, reach)
    if total > _ZERO:
        return np.uint64(neighbours[first + locate_in_few(values, reach, u * total)])
    return heaviest_open(fitness, np.uint64(current) * stride, open_, stride, values)
