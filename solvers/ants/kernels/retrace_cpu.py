"""Repeats the walk of one ant on one core, with the same draws, and records its choices.

Draws and arithmetic are those of `solvers.ants.kernels.selection_cpu`, so the tour is the same.
"""

from typing import NamedTuple

import numpy as np

from solvers.ants.kernels.draw_cpu import (
    GROUPS,
    LANES,
    SEGMENT,
    fall,
    greatest_place,
    lane_at,
    search,
    uniform,
    weigh,
    weigh_few,
    weigh_open,
)
from solvers.ants.kernels.selection_cpu import (
    DRAWS,
    HYBRID,
    I_ROULETTE,
    LISTS,
    NEAREST_FIRST,
    STOCHASTIC_TRIAL,
    WITH_COMPRESSION,
)
from solvers.ants.kernels.walk_cpu import begin, compress
from solvers.kernels import scalar
from solvers.kernels.compiler import njit

#: Indices in `solvers.events.CHOICE_MODES`.
WHEEL, TRIAL, AFTER_TRIALS, LIST, FALLBACK, EXPLOIT, PRODUCT = range(7)

_absorbed = njit(scalar.absorb)
_ZERO, _HALF, _NONE = np.float32(0.0), np.float32(0.5), np.float32(-1.0)
_LOW_24, _TWO_24 = np.uint64(0xFFFFFF), np.float32(2.0**-24)


class Trace(NamedTuple):
    """The choices of an ant, written in place; see `solvers.events.Choices`."""

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


@njit(cache=True, nogil=True)
def insert(cities, weights, city, weight):
    """Insert a city in a ranking by weight, ties by the lowest city; drop it if it is behind all others."""
    k = cities.size
    while k > 0 and (weight > weights[k - 1] or (weight == weights[k - 1] and city < cities[k - 1])):
        k -= 1
        if k + 1 < cities.size:
            cities[k + 1], weights[k + 1] = cities[k], weights[k]
    if k < cities.size:
        cities[k], weights[k] = city, weight


@njit(cache=True, nogil=True)
def rank_row(fitness, base, open_, stride, row, cities, weights):
    """Insert the unvisited cities of a row of fitness in a ranking; `row` is a buffer for the row."""
    bits, greatest = row.view(np.int32), np.int32(0)
    for k in range(stride):
        row[k] = fitness[base + k] * open_[k]
    for k in range(stride):
        greatest = max(greatest, bits[k])
    least = weights.view(np.int32)[weights.size - 1]
    if greatest <= np.int32(0) or greatest < least:
        return
    for k in range(stride):
        if row[k] > _ZERO and row[k] >= weights[weights.size - 1]:
            insert(cities, weights, np.int32(k), row[k])


@njit(cache=True, nogil=True)
def rank_near(neighbours, values, first, reach, cities, weights):
    """Insert a city's candidates in a ranking by `values`, which are 0 for visited ones."""
    for k in range(reach):
        if values[k] > _ZERO:
            insert(cities, weights, neighbours[first + k], values[k])


@njit(cache=True, nogil=True)
def note(trace, at, there, weight, total, mode):
    """Complete a step: turn the ranked weights into shares, and include the chosen city."""
    cities, share = trace.city[at], trace.share[at]
    for k in range(cities.size):
        share[k] = share[k] / total if cities[k] >= 0 else _ZERO
    trace.chosen[at], trace.mode[at] = weight / total, mode
    trace.order[at + 1] = there
    for k in range(cities.size):
        if cities[k] == there:
            return
    cities[cities.size - 1], share[cities.size - 1] = there, weight / total


@njit(cache=True, nogil=True)
def note_wheel(trace, at, draws, position, low, part, total):
    """Record a draw from a wheel of size `total`, and the part in which it fell."""
    low = min(max(low, _ZERO), total - part) if np.isfinite(low) else total - part  # beyond the end by rounding
    trace.draws[at], trace.draw[at] = draws, position / total
    trace.low[at], trace.high[at] = low / total, (low + part) / total


@njit(cache=True, nogil=True)
def find_open(fitness, base, open_, stride, lanes, r):
    """Find the city of `draw_cpu.open_city`, its fitness, and the start of its part of the wheel."""
    at, rest = lane_at(lanes, r)
    city, weight, low = at, fitness[base + at] * open_[at], r
    while at < stride:
        value = fitness[base + at] * open_[at]
        if value > _ZERO:
            city, weight, low = at, value, r - rest
            if rest < value:
                break
            rest -= value
        at += np.uint64(LANES)
    return city, weight, low


@njit(cache=True, nogil=True)
def turn_whole(trace, at, fitness, open_, lanes, row, here, stride, u, draws):
    """Record a choice by `selection_cpu.without_compression`."""
    base = np.uint64(here) * stride
    rank_row(fitness, base, open_, stride, row, trace.city[at], trace.share[at])
    total = weigh_open(fitness, base, open_, stride, lanes)
    there, weight, low = find_open(fitness, base, open_, stride, lanes, u * total)
    note(trace, at, there, weight, total, WHEEL if draws == 1 else AFTER_TRIALS)
    note_wheel(trace, at, draws, u * total, low, weight, total)
    return there


@njit(cache=True, nogil=True)
def turn_compressed(trace, at, fitness, open_, unvisited, values, lanes, row, here, stride, unvisited_count, u):
    """Record a choice by `selection_cpu.with_compression`."""
    base = np.uint64(here) * stride
    rank_row(fitness, base, open_, stride, row, trace.city[at], trace.share[at])
    for k in range(unvisited_count):
        values[k] = fitness[base + np.uint64(unvisited[k])]
    whole = (unvisited_count + np.uint64(LANES - 1)) // np.uint64(LANES) * np.uint64(LANES)
    for k in range(unvisited_count, whole):
        values[k] = _ZERO
    total = weigh(values, whole, lanes)
    lane, rest = lane_at(lanes, u * total)
    k, rest = fall(values, lane, whole, np.uint64(LANES), rest)
    there = np.uint64(unvisited[k])
    unvisited[k] = unvisited[unvisited_count - np.uint64(1)]
    note(trace, at, there, values[k], total, WHEEL)
    note_wheel(trace, at, 1, u * total, u * total - rest, values[k], total)
    return there


@njit(cache=True, nogil=True)
def turn_trial(trace, at, choice, open_, lanes, row, here, stride, seed, stream, step):
    """Record a choice by `selection_cpu.stochastic_trial`."""
    fitness, prefix, coarse, most = choice.fitness, choice.prefix, choice.coarse, np.uint64(choice.trials)
    segments = stride // np.uint64(SEGMENT)
    base, coarse_base = np.uint64(here) * stride, np.uint64(here) * segments
    total = coarse[coarse_base + segments - np.uint64(1)]
    for trial in range(most):
        r = uniform(seed, stream, step + trial) * total
        there = search(prefix, base, coarse, coarse_base, segments, r)
        if open_[there] > _ZERO:
            rank_row(fitness, base, open_, stride, row, trace.city[at], trace.share[at])
            note(trace, at, there, fitness[base + there], weigh_open(fitness, base, open_, stride, lanes), TRIAL)
            low = prefix[base + there - np.uint64(1)] if there > 0 else _ZERO
            note_wheel(trace, at, trial + np.uint64(1), r, low, prefix[base + there] - low, total)
            return there
    u = uniform(seed, stream, step + most)
    return turn_whole(trace, at, fitness, open_, lanes, row, here, stride, u, most + np.uint64(1))


@njit(cache=True, nogil=True)
def near_weights(neighbours, near, open_, values, first, reach):
    """Write the weights of a city's unvisited candidates to `values`; return their sum."""
    for k in range(reach):
        values[k] = near[first + k] * open_[np.uint64(neighbours[first + k])]
    return weigh_few(values, reach)


@njit(cache=True, nogil=True)
def find_near(values, reach, r):
    """Find the place of `draw_cpu.place_of_few`, and the start of its part of the wheel."""
    end, rest = fall(values, reach, reach + np.uint64(GROUPS), np.uint64(1), r)
    k, rest = fall(values, end - reach, reach, np.uint64(GROUPS), rest)
    return k, r - rest


@njit(cache=True, nogil=True)
def turn_nearest(
    trace, at, fitness, neighbours, near, others, open_, values, lanes, row, here, stride, reach, seed, stream, step
):
    """Record a choice by `selection_cpu.nearest_first`; positions are on the wheel of the unvisited cities."""
    first, base = np.uint64(here) * reach, np.uint64(here) * stride
    u = near_weights(neighbours, near, open_, values, first, reach)
    rank_near(neighbours, values, first, reach, trace.city[at], trace.share[at])
    rank_row(fitness, base, open_, stride, row, trace.city[at], trace.share[at])
    v = weigh_open(fitness, base, open_, stride, lanes)
    r, draws, total = uniform(seed, stream, step) * np.float32(u + others[here]), 1, np.float32(u + v)
    if r >= u:
        if r - u >= v:
            r, draws = uniform(seed, stream, step + np.uint64(1)) * total, 2
        if r >= u and v > _ZERO:
            there, weight, low = find_open(fitness, base, open_, stride, lanes, r - u)
            note(trace, at, there, weight, total, WHEEL)
            note_wheel(trace, at, draws, r, u + low, weight, total)
            return there
    k, low = find_near(values, reach, r)
    there = np.uint64(neighbours[first + k])
    note(trace, at, there, values[k], total, WHEEL)
    note_wheel(trace, at, draws, r, low, values[k], total)
    return there


@njit(cache=True, nogil=True)
def turn_lists(trace, at, fitness, neighbours, near, open_, values, lanes, row, here, stride, reach, u):
    """Record a choice by `selection_cpu.lists`."""
    first, base = np.uint64(here) * reach, np.uint64(here) * stride
    total = near_weights(neighbours, near, open_, values, first, reach)
    if total > _ZERO:
        rank_near(neighbours, values, first, reach, trace.city[at], trace.share[at])
        k, low = find_near(values, reach, u * total)
        there = np.uint64(neighbours[first + k])
        note(trace, at, there, values[k], total, LIST)
        note_wheel(trace, at, 1, u * total, low, values[k], total)
        return there
    rank_row(fitness, base, open_, stride, row, trace.city[at], trace.share[at])
    there = greatest_place(row, stride)
    note(trace, at, there, row[there], weigh_open(fitness, base, open_, stride, lanes), FALLBACK)
    return there


@njit(cache=True, nogil=True)
def turn_product(trace, at, fitness, open_, values, lanes, row, here, stride, seed, stream, visited):
    """Record a choice by `selection_cpu.i_roulette`."""
    base, half = np.uint64(here) * stride, stride // np.uint64(2)
    rank_row(fitness, base, open_, stride, row, trace.city[at], trace.share[at])
    state = _absorbed(_absorbed(np.uint64(0), np.uint64(seed)), np.uint64(stream))
    first = np.uint64(visited) * half
    for k in range(half):
        bits = _absorbed(state, first + k)
        values[k] = np.float32(np.uint32(bits >> np.uint64(40))) + _HALF
        values[half + k] = np.float32(np.uint32((bits >> np.uint64(8)) & _LOW_24)) + _HALF
    for k in range(stride):
        row[k] = fitness[base + k] * open_[k] * values[k]
    there = greatest_place(row, stride)
    note(trace, at, there, fitness[base + there], weigh_open(fitness, base, open_, stride, lanes), PRODUCT)
    for k in range(trace.city.shape[1]):
        city = trace.city[at, k]
        trace.luck[at, k] = values[city] * _TWO_24 if city >= 0 else _ZERO
    return there


@njit(cache=True, nogil=True)
def clear(trace):
    """Clear all steps."""
    trace.city[:] = -1
    trace.share[:] = _ZERO
    trace.draws[:] = 0
    trace.q[:], trace.draw[:], trace.low[:], trace.high[:] = _NONE, _NONE, _NONE, _NONE


@njit(cache=True, nogil=True)
def retrace(selection, choice, walker, trace, seed, stream):
    """Repeat the walk of one ant.

    Parameters
    ----------
    selection, choice, seed
        See `solvers.ants.kernels.walk_cpu.advance`.
    walker : Walker
        A workspace that no ant is using.
    trace : Trace
        Written in place.
    stream : uint64
        The ant's random stream.
    """
    clear(trace)
    fitness, neighbours, near, others = choice.fitness, choice.neighbours, choice.near, choice.others
    n, stride, reach = np.uint64(choice.n), np.uint64(choice.stride), np.uint64(choice.reach)
    switch = np.uint64(max(1, choice.switch))
    open_, unvisited, values, lanes = walker.open_, walker.unvisited, walker.values, walker.lanes
    row = np.empty(choice.stride, np.float32)
    here = begin(open_, unvisited, n, seed, stream)
    trace.order[0] = here
    for visited in range(np.uint64(1), n):
        step, at = visited * np.uint64(DRAWS), visited - np.uint64(1)
        if selection == NEAREST_FIRST:
            here = turn_nearest(
                trace, at, fitness, neighbours, near, others, open_, values, lanes, row, here, stride, reach, seed,
                stream, step,
            )  # fmt: skip
        elif selection == LISTS:
            u = uniform(seed, stream, step)
            here = turn_lists(trace, at, fitness, neighbours, near, open_, values, lanes, row, here, stride, reach, u)
        elif selection == I_ROULETTE:
            here = turn_product(trace, at, fitness, open_, values, lanes, row, here, stride, seed, stream, visited)
        elif selection == STOCHASTIC_TRIAL or (selection == HYBRID and visited < switch):
            here = turn_trial(trace, at, choice, open_, lanes, row, here, stride, seed, stream, step)
        elif selection in (WITH_COMPRESSION, HYBRID):
            if selection == HYBRID and visited == switch:
                compress(open_, unvisited, n)
            unvisited_count, u = n - visited, uniform(seed, stream, step)
            here = turn_compressed(
                trace, at, fitness, open_, unvisited, values, lanes, row, here, stride, unvisited_count, u
            )  # fmt: skip
        else:
            u = uniform(seed, stream, step)
            here = turn_whole(trace, at, fitness, open_, lanes, row, here, stride, u, 1)
        open_[here] = _ZERO
