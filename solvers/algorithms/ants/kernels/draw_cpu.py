"""Draws a city by fitness on one core, with vectorised sums.

A row is read as a table of `LANES` columns. Each column is summed separately, then groups of columns; the search goes
the other way: group, column, entry. The order of every sum is fixed, so that processors of any vector width compute the
same.
"""

import numpy as np

from solvers.kernels import scalar
from solvers.kernels.compiler import njit

#: Number of columns into which a row is divided, and number of groups of columns. Rows are padded with zeros to a
#: multiple of the columns.
LANES, GROUPS = 64, 8
#: One in this many prefix sums is also a coarse sum.
SEGMENT = 32

_random_bits = njit(scalar.random_bits)
_ZERO = np.float32(0.0)


@njit(cache=True, nogil=True)
def uniform(seed, stream, step):
    """Return a random number in (0, 1] in steps of 2**-24, float32."""
    bits = _random_bits(seed, stream, step)
    return np.float32((np.float64(bits >> np.uint64(40)) + 0.5) * 2.0**-24)


@njit(cache=True, nogil=True)
def fold(lanes):
    """Add up the columns to groups, and the groups to a single sum, float32; works in place.

    Parameters
    ----------
    lanes : ndarray, shape (LANES + GROUPS,), float32
    """
    for g in range(np.uint64(GROUPS)):
        a = (lanes[g] + lanes[g + np.uint64(8)]) + (lanes[g + np.uint64(16)] + lanes[g + np.uint64(24)])
        b = (lanes[g + np.uint64(32)] + lanes[g + np.uint64(40)]) + (
            lanes[g + np.uint64(48)] + lanes[g + np.uint64(56)]
        )
        lanes[g + np.uint64(LANES)] = a + b
    total = _ZERO
    for g in range(np.uint64(LANES), np.uint64(LANES + GROUPS)):
        total += lanes[g]
    return total


@njit(cache=True, nogil=True)
def weigh_open(fitness, base, open_, stride, lanes):
    """Return the total fitness of a row's unvisited cities, float32.

    Parameters
    ----------
    fitness : ndarray, float32
    base : uint64
        Index of the row's first entry.
    open_ : ndarray, shape (stride,), float32
        1 for unvisited cities, otherwise 0.
    stride : uint64
        Length of the row, a multiple of `LANES`.
    lanes : ndarray, shape (LANES + GROUPS,), float32
        Written in place, for `find_open_city`.
    """
    for k in range(np.uint64(LANES)):
        lanes[k] = fitness[base + k] * open_[k]
    at = np.uint64(LANES)
    while at < stride:
        for k in range(np.uint64(LANES)):
            lanes[k] += fitness[base + at + k] * open_[at + k]
        at += np.uint64(LANES)
    return fold(lanes)


@njit(cache=True, nogil=True)
def weigh(values, count, lanes):
    """Return the sum, float32, of `count` values; `values` is padded with zeros, so that `LANES` divides `count`."""
    for k in range(np.uint64(LANES)):
        lanes[k] = values[k]
    at = np.uint64(LANES)
    while at < count:
        for k in range(np.uint64(LANES)):
            lanes[k] += values[at + k]
        at += np.uint64(LANES)
    return fold(lanes)


@njit(cache=True, nogil=True)
def locate_draw(values, first, last, step, r):
    """Return the index among `first`, `first` + `step`, ... on whose value a draw r falls, and the rest of r.

    If rounding puts r past the end, this is the last index with a positive value, and the rest is infinite.
    """
    last_positive, at = first, first
    while at < last:
        value = values[at]
        if value > _ZERO:
            if r < value:
                return at, r
            last_positive = at
            r -= value
        at += step
    return last_positive, np.float32(np.inf)


@njit(cache=True, nogil=True)
def find_column(lanes, r):
    """Return the column on which a draw r falls, and the rest of r."""
    group, r = locate_draw(lanes, np.uint64(LANES), np.uint64(LANES + GROUPS), np.uint64(1), r)
    return locate_draw(lanes, group - np.uint64(LANES), np.uint64(LANES), np.uint64(GROUPS), r)


@njit(cache=True, nogil=True)
def find_open_city(fitness, base, open_, stride, lanes, r):
    """Return the unvisited city on which a draw r from the sum of `weigh_open` falls."""
    at, r = find_column(lanes, r)
    city = at
    while at < stride:
        value = fitness[base + at] * open_[at]
        if value > _ZERO:
            city = at
            if r < value:
                break
            r -= value
        at += np.uint64(LANES)
    return city


@njit(cache=True, nogil=True)
def heaviest_open(fitness, base, open_, stride, values):
    """Return a row's fittest unvisited city; ties go to the lowest. `values` is a buffer for the row."""
    for k in range(stride):
        values[k] = fitness[base + k] * open_[k]
    return argmax(values, stride)


@njit(cache=True, nogil=True)
def argmax(values, count):
    """Return the index of the greatest of `count` nonnegative values; ties go to the lowest.

    Nonnegative floats have the same order as their bits, whose maximum the compiler vectorises.
    """
    bits, greatest = values.view(np.int32), np.int32(0)
    for k in range(count):
        greatest = max(greatest, bits[k])
    place = np.uint64(0)
    while bits[place] != greatest:
        place += np.uint64(1)
    return place


@njit(cache=True, nogil=True)
def place(values, count, lanes, r):
    """Return the index of the value on which a draw r from the sum of `weigh` falls."""
    lane, r = find_column(lanes, r)
    return locate_draw(values, lane, count, np.uint64(LANES), r)[0]


@njit(cache=True, nogil=True)
def weigh_few(values, count):
    """Return the sum, float32, of `count` values; `values` is padded with zeros, so that `GROUPS` divides `count`.

    The sums of the `GROUPS` columns are stored after the values, for `locate_in_few`.
    """
    for g in range(np.uint64(GROUPS)):
        values[count + g] = values[g]
    at = np.uint64(GROUPS)
    while at < count:
        for g in range(np.uint64(GROUPS)):
            values[count + g] += values[at + g]
        at += np.uint64(GROUPS)
    total = _ZERO
    for g in range(count, count + np.uint64(GROUPS)):
        total += values[g]
    return total


@njit(cache=True, nogil=True)
def locate_in_few(values, count, r):
    """Return the index of the value on which a draw r from the sum of `weigh_few` falls."""
    end, r = locate_draw(values, count, count + np.uint64(GROUPS), np.uint64(1), r)
    return locate_draw(values, end - count, count, np.uint64(GROUPS), r)[0]


@njit(cache=True, nogil=True)
def search(prefix, base, coarse, coarse_base, segments, r):
    """Return the index of a row's first prefix sum that exceeds r; search by segments, then within one.

    Counting the sums that do not exceed r needs no branches, so the compiler vectorises it. If r is past the end, the
    result is the last index.
    """
    below = np.uint32(0)
    for k in range(segments):
        below += np.uint32(coarse[coarse_base + k] <= r)
    segment = min(np.uint64(below), segments - np.uint64(1))
    first = base + segment * np.uint64(SEGMENT)
    below = np.uint32(0)
    for k in range(np.uint64(SEGMENT)):
        below += np.uint32(prefix[first + k] <= r)
    return segment * np.uint64(SEGMENT) + min(np.uint64(below), np.uint64(SEGMENT - 1))
