"""Repeats an ant's walk along its tour and records the choices, for walks on CPU and GPU.

The random numbers are the ant's own, and the cities come from its tour. Sums are computed in a different order than in
the original walk, so recorded numbers may differ in their last digits; the cities cannot.

The file is long because all kinds of walks share its loop.
"""

import math
from typing import NamedTuple

import numpy as np

from solvers.algorithms.ants.kernels.draw_cpu import uniform
from solvers.kernels import scalar
from solvers.kernels.compiler import njit

#: How a kernel's ants choose. `WHOLE`: on a wheel of all cities. `COMPRESSED`: on a wheel of a list in which the last
#: city fills gaps. `BEHIND`: on a wheel of the cities stored behind the tour, where the chosen city swaps places with
#: the first. `TRIALS`: by trials. `TRIALS_FIRST`: by trials at first, later on the list's wheel. `PRODUCTS`: by the
#: greatest product. `CANDIDATES`: on a wheel of the candidates. `RACING`: by a race of the nearest cities.
#: `NEAREST_FIRST`: on a wheel of the candidates, followed by all others.
WHOLE, COMPRESSED, BEHIND, TRIALS, TRIALS_FIRST, PRODUCTS, CANDIDATES, RACING, NEAREST_FIRST = range(9)
#: Indices into `solvers.core.events.CHOICE_MODES`.
WHEEL, TRIAL, AFTER_TRIALS, LIST, FALLBACK, EXPLOIT, PRODUCT, RACE, OTHERS = range(9)

#: Draws reserved per choice, as in `solvers.algorithms.ants.kernels.random_cuda`; entries and draws of a race, as in
#: `choice_warp_cuda`.
_DRAWS, _ENTRIES, _FIRST, _AGAIN = 128, 32, 0, 1
_random_bits = njit(scalar.random_bits)
_ZERO, _NONE = np.float32(0.0), np.float32(-1.0)
_LOW_24, _LOW_32 = np.uint64(0xFFFFFF), np.uint64(0xFFFFFFFF)


class Trace(NamedTuple):
    """An ant's choices, written in place; see `solvers.core.events.Choices`."""

    order: np.ndarray
    city: np.ndarray
    share: np.ndarray
    luck: np.ndarray
    chosen: np.ndarray
    mode: np.ndarray
    draws: np.ndarray
    q: np.ndarray
    draw: np.ndarray
    low: np.ndarray
    high: np.ndarray


class Walk(NamedTuple):
    """How a variant's ants choose cities.

    Attributes
    ----------
    kind : int
        `WHOLE` to `NEAREST_FIRST`.
    width : int
        Number of columns or threads that sum the weights of a wheel. On the wheel, cities are ordered by their index
        modulo `width`, then by their index.
    trials : int
    switch : float
        Percentage of visited cities up to which `TRIALS_FIRST` makes trials.
    q0 : float
        The probability of exploitation; negative if ants never exploit.
    listed : bool
        Whether an ant goes only to nearest cities while one of these is unvisited.
    near : ndarray, shape (n, k), int32
        Each city's nearest cities. In a race, k is 32, lists are padded with the city itself, and n or a greater number
        stands for all other cities; shape (n, 0) if the nearest are not stored separately.
    resumed : ndarray, shape (r,), int32
        Numbers of visited cities at which a launch continues the tours of the launch before.
    groups : int
        Number of groups of columns: a column belongs to the group of its index modulo `groups`, and a group is summed
        before the whole. A wheel of candidates has this many columns.
    """

    kind: int
    width: int
    trials: int
    switch: float
    q0: float
    listed: bool
    near: np.ndarray
    resumed: np.ndarray
    groups: int = 1


class Weights(NamedTuple):
    """The weights of all edges when an iteration starts.

    Attributes
    ----------
    edges : ndarray, shape (n, n), float32
    others : ndarray, shape (n,), float32
        For each city, in a race: the weight of the entry that stands for all cities that are not its nearest, visited
        or not; in `NEAREST_FIRST`: the sum of those cities' weights.
    maximum : ndarray, shape (n,), float32
        The greatest weight of those cities.
    """

    edges: np.ndarray
    others: np.ndarray
    maximum: np.ndarray


class Changes(NamedTuple):
    """How weights change during lockstep walks; empty arrays if they do not change.

    Attributes
    ----------
    tours : ndarray, shape (m, n), int32
        The tours of all ants as they were built.
    keys : ndarray, shape (2 r,), int64
        The keys of the raised edges, a n + b for each direction (a, b), in ascending order.
    records : ndarray, shape (2 r,), int32
        The raised edge to which each key belongs.
    levels : ndarray, shape (r,), float64
        The raised edges' trails, in units of the initial trail.
    keep : float
        1 - rho.
    """

    tours: np.ndarray
    keys: np.ndarray
    records: np.ndarray
    levels: np.ndarray
    keep: float


class _Roster(NamedTuple):
    """A shrinking list of cities and its length."""

    cities: np.ndarray
    size: np.ndarray


@njit(cache=True, nogil=True)
def _share(bits):
    """Return a number between 0 and 1, from the lower half of random bits, as in `warp_cuda`."""
    return (np.float64(bits & _LOW_32) + 0.5) * 2.0**-32


@njit(cache=True, nogil=True)
def _exponential(bits):
    """Return an exponential variate, from the upper half of random bits."""
    return -math.log1p(-_share(bits >> np.uint64(32)))


@njit(cache=True, nogil=True)
def _race_bits(seed, stream, p, which, entry):
    """Return a near entry's random bits in a race."""
    return _random_bits(seed, stream, np.uint64((2 * p + which) * _ENTRIES + entry))


@njit(cache=True, nogil=True)
def insert(cities, weights, city, weight):
    """Insert a city into a ranking by weight, unless it ranks below all entries; ties go to the lowest city."""
    k = cities.size
    while k > 0 and (weight > weights[k - 1] or (weight == weights[k - 1] and city < cities[k - 1])):
        k -= 1
        if k + 1 < cities.size:
            cities[k + 1], weights[k + 1] = cities[k], weights[k]
    if k < cities.size:
        cities[k], weights[k] = city, weight


@njit(cache=True, nogil=True)
def note(trace, at, next_city, weight, total, mode):
    """Complete a step: convert ranked weights to shares, and include the chosen city."""
    cities, share = trace.city[at], trace.share[at]
    for k in range(cities.size):
        share[k] = share[k] / total if cities[k] >= 0 else _ZERO
    trace.chosen[at], trace.mode[at] = weight / total, mode
    trace.order[at + 1] = next_city
    for k in range(cities.size):
        if cities[k] == next_city:
            return
    cities[cities.size - 1], share[cities.size - 1] = next_city, weight / total


@njit(cache=True, nogil=True)
def clear(trace):
    """Clear all steps."""
    trace.city[:] = -1
    trace.share[:] = _ZERO
    trace.draws[:] = 0
    trace.q[:], trace.draw[:], trace.low[:], trace.high[:] = _NONE, _NONE, _NONE, _NONE


@njit(cache=True, nogil=True)
def _rank(trace, at, row):
    """Rank a row's cities by weight and return the row's sum."""
    cities, weights, total = trace.city[at], trace.share[at], 0.0
    for k in range(row.size):
        total += row[k]
        if row[k] > _ZERO and row[k] >= weights[weights.size - 1]:
            insert(cities, weights, np.int32(k), row[k])
    return total


@njit(cache=True, nogil=True)
def _find_part(row, cities, width, groups, next_city):
    """Return where the next city's part of the wheel begins, and the wheel's size."""
    low, total = 0.0, 0.0
    for group in range(groups):
        for first in range(group, min(width, cities.size), groups):
            for k in range(first, cities.size, width):
                if cities[k] == next_city:
                    low = total
                total += row[cities[k]]
    return low, total


@njit(cache=True, nogil=True)
def _record_part(trace, at, draws, draw, row, cities, width, groups, next_city):
    """Record a draw, from 0 to 1, and the next city's part of the wheel."""
    low, total = _find_part(row, cities, width, groups, next_city)
    if total > 0.0:
        trace.draws[at], trace.draw[at] = draws, draw
        trace.low[at], trace.high[at] = low / total, min(1.0, (low + row[next_city]) / total)


@njit(cache=True, nogil=True)
def _find_in_row(row, r):
    """Return the city on which r falls in a row; the number of cities if r is past the end."""
    running_sum = 0.0
    for k in range(row.size):
        running_sum += row[k]
        if running_sum > r:
            return k
    return row.size


@njit(cache=True, nogil=True)
def _record_trials(trace, at, walk, whole, row, all_, next_city, seed, stream):
    """Record trials on the wheel of all cities and, if all fail, a draw from the unvisited cities."""
    p = at + 1
    total, sum_ = _rank(trace, at, row), whole.sum()
    for trial in range(walk.trials):
        u = uniform(seed, stream, np.uint64(p * _DRAWS + trial))
        city = _find_in_row(whole, u * sum_)
        if city == next_city or (city < row.size and row[city] > _ZERO):
            note(trace, at, next_city, row[next_city], np.float32(total), TRIAL)
            _record_part(trace, at, trial + 1, u, whole, all_, 1, 1, next_city)
            return
    u = uniform(seed, stream, np.uint64(p * _DRAWS + walk.trials))
    note(trace, at, next_city, row[next_city], np.float32(total), AFTER_TRIALS)
    _record_part(trace, at, walk.trials + 1, u, row, all_, walk.width, walk.groups, next_city)


@njit(cache=True, nogil=True)
def _record_wheel(trace, at, walk, row, cities, next_city, u):
    """Record a draw from the wheel of the unvisited `cities`."""
    total = _rank(trace, at, row)
    note(trace, at, next_city, row[next_city], np.float32(total), WHEEL)
    _record_part(trace, at, 1, u, row, cities, walk.width, walk.groups, next_city)


@njit(cache=True, nogil=True)
def _record_products(trace, at, row, next_city, seed, stream):
    """Record an I-Roulette choice, by the greatest product of weight and random number; see `i_roulette_cuda`."""
    half = (row.size + 63) // 64 * 32
    total = _rank(trace, at, row)
    note(trace, at, next_city, row[next_city], np.float32(total), PRODUCT)
    for k in range(trace.city.shape[1]):
        city = trace.city[at, k]
        if city >= 0:
            bits = _random_bits(seed, stream, np.uint64((at + 1) * half + city % half))
            word = bits >> np.uint64(40) if city < half else (bits >> np.uint64(8)) & _LOW_24
            trace.luck[at, k] = (np.float64(word) + 0.5) * 2.0**-24


@njit(cache=True, nogil=True)
def _near_only(near, row):
    """Return a copy of a row with only the near cities' weights, and its sum."""
    own, total = np.zeros_like(row), 0.0
    for city in near:
        if city < row.size and own[city] == _ZERO:
            own[city] = row[city]
            total += row[city]
    return own, total


@njit(cache=True, nogil=True)
def _record_candidates(trace, at, walk, row, current, next_city, u):
    """Record a draw on the wheel of unvisited candidates or, if there are none, the choice of the greatest weight."""
    own, total = _near_only(walk.near[current], row)
    if total > 0.0:
        _rank(trace, at, own)
        note(trace, at, next_city, own[next_city], np.float32(total), LIST)
        _record_part(trace, at, 1, u, own, walk.near[current], walk.groups, 1, next_city)
        return
    total = _rank(trace, at, row)
    note(trace, at, next_city, row[next_city], np.float32(total), FALLBACK)


@njit(cache=True, nogil=True)
def _record_nearest_first(trace, at, walk, weights, row, all_, current, next_city, seed, stream, step):
    """Record a draw from the candidates and all others; repeated if it falls on a visited city; see `nearest_first`."""
    own, near_sum = _near_only(walk.near[current], row)
    total = _rank(trace, at, row)
    draws, r = 1, uniform(seed, stream, step) * (near_sum + weights.others[current])
    if r >= total:
        draws, r = 2, uniform(seed, stream, step + np.uint64(1)) * total
    note(trace, at, next_city, row[next_city], np.float32(total), WHEEL)
    if own[next_city] > _ZERO:
        low, _ = _find_part(own, walk.near[current], walk.groups, 1, next_city)
    else:
        low, _ = _find_part(row - own, all_, walk.width, walk.groups, next_city)
        low += near_sum
    trace.draws[at], trace.draw[at] = draws, r / total
    trace.low[at], trace.high[at] = low / total, min(1.0, (low + row[next_city]) / total)


@njit(cache=True, nogil=True)
def _race(walk, row, others, current, p, which, seed, stream):
    """Return the winner of a race in the near row, -1 if nobody runs; the entry for all others weighs `others`."""
    best, winner = 0.0, -1
    for k in range(_ENTRIES):
        city = walk.near[current, k]
        weight = row[city] if city < row.size else others
        if weight > _ZERO and not (walk.listed and city >= row.size):
            speed = weight / _exponential(_race_bits(seed, stream, p, which, k))
            if speed > best:
                best, winner = speed, k
    return winner


@njit(cache=True, nogil=True)
def _record_race_draws(trace, at, walk, current, which, seed, stream):
    """Record the ranked cities' random numbers in a race."""
    trace.draws[at] = which + 1
    for k in range(trace.city.shape[1]):
        for entry in range(_ENTRIES):
            if trace.city[at, k] >= 0 and walk.near[current, entry] == trace.city[at, k]:
                trace.luck[at, k] = _exponential(_race_bits(seed, stream, at + 1, which, entry))
                break


@njit(cache=True, nogil=True)
def _record_race(trace, at, walk, weights, row, listed, current, next_city, seed, stream):
    """Record a race of the near cities and an entry for the others; return whether the others had to be read."""
    p, n = at + 1, row.size
    own, near_sum = _near_only(walk.near[current], row)
    winner = _race(walk, row, weights.others[current], current, p, _FIRST, seed, stream)
    beyond = winner < 0 or walk.near[current, winner] >= n
    if walk.listed and near_sum > 0.0:
        _rank(trace, at, own)
        note(trace, at, next_city, own[next_city], np.float32(near_sum), RACE)
        _record_race_draws(trace, at, walk, current, _FIRST, seed, stream)
        return beyond
    total = _rank(trace, at, row)
    if walk.listed:
        note(trace, at, next_city, row[next_city], np.float32(total), FALLBACK)
    elif own[next_city] > _ZERO:
        note(trace, at, next_city, row[next_city], np.float32(total), RACE)
        _record_race_draws(trace, at, walk, current, _AGAIN if beyond else _FIRST, seed, stream)
    else:
        far = row - own
        running_sum = far.sum()
        draws, draw = (
            1,
            _share(_race_bits(seed, stream, p, _FIRST, _ENTRIES - 1)) * weights.others[current] / running_sum,
        )
        if draw >= 1.0:
            draws, draw = 2, _share(_race_bits(seed, stream, p, _AGAIN, _ENTRIES - 1))
        note(trace, at, next_city, row[next_city], np.float32(total), OTHERS if near_sum > 0.0 else WHEEL)
        _record_part(trace, at, draws, draw, far, listed, walk.width, walk.groups, next_city)
    return beyond


@njit(cache=True, nogil=True)
def _record_exploit(trace, at, walk, weights, row, current, next_city):
    """Record the choice of the greatest weight; return whether the others had to be read despite candidate lists."""
    own, near_sum = _near_only(walk.near[current], row)
    total = _rank(trace, at, own if walk.listed and near_sum > 0.0 else row)
    note(trace, at, next_city, row[next_city], np.float32(total), EXPLOIT)
    return own.max() <= _ZERO or (not walk.listed and weights.maximum[current] > own.max())


@njit(cache=True, nogil=True)
def _shorten(roster, open_):
    """Remove visited cities from a list."""
    survivors = 0
    for k in range(roster.size[0]):
        city = roster.cities[k]
        if open_[city] > _ZERO:
            roster.cities[survivors] = city
            survivors += 1
    roster.size[0] = survivors


@njit(cache=True, nogil=True)
def _list_all(roster, n):
    for k in range(n):
        roster.cities[k] = k
    roster.size[0] = n


@njit(cache=True, nogil=True)
def _take(roster, kind, next_city):
    """Remove a city from a list; the last city fills the gap, or the first if the tour grows into the list."""
    count = roster.size[0]
    for k in range(count):
        if roster.cities[k] == next_city:
            roster.cities[k] = roster.cities[0 if kind == BEHIND else count - 1]
            break
    if kind == BEHIND:
        for k in range(1, count):
            roster.cities[k - 1] = roster.cities[k]
    roster.size[0] = count - 1


@njit(cache=True, nogil=True)
def _lower(edges, starts, changes, use_counts, at):
    """Lower the weights of the raised edges that ants take in a lockstep step; see `trails_cuda.apply_updates`."""
    n = len(edges)
    for ant in range(len(changes.tours)):
        a, b = np.int64(changes.tours[ant, at]), np.int64(changes.tours[ant, at + 1])
        place = np.searchsorted(changes.keys, a * n + b)
        if place < changes.keys.size and changes.keys[place] == a * n + b:
            use_counts[changes.records[place]] += 1
    for ant in range(len(changes.tours)):
        a, b = np.int64(changes.tours[ant, at]), np.int64(changes.tours[ant, at + 1])
        for key in (a * n + b, b * n + a):
            place = np.searchsorted(changes.keys, key)
            if place < changes.keys.size and changes.keys[place] == key:
                level = changes.levels[changes.records[place]]
                now = 1.0 + (level - 1.0) * changes.keep ** use_counts[changes.records[place]]
                edges[key // n, key % n] = starts[place] * now / level


@njit(cache=True, nogil=True)
def retrace(walk, races, lists, weights, changes, trace, order, seed, stream):
    """Repeat the walk along a tour and record its choices.

    Parameters
    ----------
    walk : Walk
    races, lists : bool or None
        Whether the walk's kind is `RACING`, and whether it is `CANDIDATES` or `NEAREST_FIRST`. None stands for False,
        so that Numba does not compile those walks then.
    weights : Weights
        Changed in place if there are `changes`.
    changes : Changes or None
        None, for the same reason, if the ants neither change weights nor exploit.
    trace : Trace
        Written in place.
    order : ndarray, shape (n,), int32
        The tour as the ant built it.
    seed, stream : uint64
        The ant's random stream.
    """
    clear(trace)
    n, kind, edges = order.size, walk.kind, weights.edges
    open_, all_ = np.ones(n, np.float32), np.arange(n).astype(np.int32)
    roster = _Roster(all_.copy(), np.array([n]))
    if changes is not None:
        use_counts, starts = np.zeros(changes.levels.size, np.int64), np.empty(changes.keys.size, np.float64)
        for k in range(changes.keys.size):
            starts[k] = edges[changes.keys[k] // n, changes.keys[k] % n]
    trace.order[0] = order[0]
    listed = kind in (COMPRESSED, BEHIND)
    if listed:
        _take(roster, kind, order[0])
    for at in range(n - 1):
        p, current, next_city = at + 1, order[at], order[at + 1]
        open_[current] = _ZERO
        row, beyond, draws, exploits = edges[current] * open_, False, p * _DRAWS, False
        if races is not None and (walk.resumed == p).any():
            _list_all(roster, n)
            _shorten(roster, open_)
        if changes is not None and walk.q0 >= 0.0:
            if races is not None:
                trace.q[at] = _share(_race_bits(seed, stream, p, _AGAIN, 0))
            else:
                trace.q[at], draws = uniform(seed, stream, np.uint64(draws)), draws + 1
            exploits = trace.q[at] <= np.float32(walk.q0)
        u = uniform(seed, stream, np.uint64(draws))
        early = kind == TRIALS or (kind == TRIALS_FIRST and np.float32(p) * 100.0 < np.float32(n) * walk.switch)
        if kind == TRIALS_FIRST and not early and not listed:
            listed = True
            _shorten(roster, open_)
        if changes is not None and exploits:
            beyond = _record_exploit(trace, at, walk, weights, row, current, next_city)
        elif races is not None:
            cities = roster.cities[: roster.size[0]]
            beyond = _record_race(trace, at, walk, weights, row, cities, current, next_city, seed, stream)
        elif lists is not None:
            if kind == CANDIDATES:
                _record_candidates(trace, at, walk, row, current, next_city, u)
            else:
                step = np.uint64(draws)
                _record_nearest_first(trace, at, walk, weights, row, all_, current, next_city, seed, stream, step)
        elif kind == PRODUCTS:
            _record_products(trace, at, row, next_city, seed, stream)
        elif early:
            _record_trials(trace, at, walk, edges[current], row, all_, next_city, seed, stream)
        else:
            _record_wheel(trace, at, walk, row, roster.cities[: roster.size[0]], next_city, u)
        if listed:
            _take(roster, kind, next_city)
        if races is not None and beyond and 2 * (n - p) < roster.size[0]:
            _shorten(roster, open_)
        if changes is not None and len(changes.tours):
            _lower(edges, starts, changes, use_counts, at)
