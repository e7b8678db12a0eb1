"""One layer of Held-Karp on one core: extends the paths through sets of outer cities, for all inner sets.

In layers, cities are numbered thus: outer cities from 0, then inner cities (first the five low ones, then the high
ones), then the city where paths begin. A set of outer cities is identified by its rank among the sets of its size, in
the order of their bits (D. E. Knuth, The Art of Computer Programming 4A, section 7.2.1.3, theorem L).
"""

from typing import NamedTuple

import numpy as np

from solvers.algorithms.held_karp.kernels.simd_cpu import LANES, LOW, close_low, min_sums
from solvers.kernels.compiler import njit

# Functions that `advance` calls for every set are inlined, because each call would update the arrays' reference counts,
# which all threads share.


class Layer(NamedTuple):
    """The data of a layer.

    Attributes
    ----------
    size : int
        Number of outer cities in each set.
    outer, inner : int
        Number of outer and of inner cities.
    joins : bool
        Whether this is the last layer, in which paths from both ends meet.
    fixed : int
        In the last layer, 1 if only sets with outer city 0 are computed, because the others give the same tours
        backwards; otherwise 0.
    distances : ndarray, shape (c * c,), uint16, uint32 or uint64
        Distances to each city from all cities, where c = outer + max(inner, LOW) + 1. Distances and states are at most
        half of the dtype's maximum.
    low : ndarray, shape (LOW * LOW * LANES,)
        Distances from each low city to all low cities, each repeated in all lanes.
    binomials : ndarray, shape (outer + 3, outer + 3), int64
        Binomial coefficients.
    table : ndarray, shape (rows * row,)
        States of this layer that end in an outer city. Row ``rank * size + k`` contains the states of the set with that
        rank that end in the set's k-th city, for all inner sets in the order of their bits, padded to at least LANES.
        The layer without outer cities has one row, for the empty path.
    after : ndarray
        The same states of the next layer, written in place.
    back : ndarray
        In the last layer, the table of the paths that lead back to the first city: `table` itself if distances are
        symmetric.
    """

    size: int
    outer: int
    inner: int
    joins: bool
    fixed: int
    distances: np.ndarray
    low: np.ndarray
    binomials: np.ndarray
    table: np.ndarray
    after: np.ndarray
    back: np.ndarray


class Workspace(NamedTuple):
    """A thread's buffers.

    Attributes
    ----------
    cities, targets, offsets : ndarray, int64
        See `simd_cpu.min_sums`.
    members : ndarray, shape (outer + 1,), int64
        The set's outer cities, ascending.
    lows, low_places : ndarray, shape (8,), int64
        The existing low cities, and the offsets of their paths in `paths`; the last entry is repeated.
    highs, high_places : ndarray, shape (8,), int64
        The high cities outside a set, and the offsets of the set's rows with each added; the last entry is repeated.
    paths : ndarray, shape (LOW * LANES,)
        See `simd_cpu.close_low`; unreached for missing low cities.
    ended : ndarray, shape (row * max(inner, LOW),)
        The set's states that end in an inner city, grouped by the set of high cities: first the rows of the high
        cities, then those of the low cities.
    joined_rows : ndarray, shape (outer * row,)
        In the last layer, the rows of a hypothetical next layer.
    """

    cities: np.ndarray
    targets: np.ndarray
    offsets: np.ndarray
    members: np.ndarray
    lows: np.ndarray
    low_places: np.ndarray
    highs: np.ndarray
    high_places: np.ndarray
    paths: np.ndarray
    ended: np.ndarray
    joined_rows: np.ndarray


@njit(cache=True, nogil=True, error_model="numpy")
def advance(layer: Layer, workspace: Workspace, first: int, last: int, best: np.ndarray) -> None:
    """Compute sets `first` to `last` - 1 of a layer; in the last layer, only sets with the `fixed` cities.

    Parameters
    ----------
    layer : Layer
    workspace : Workspace
    first, last : int
    best : ndarray, shape (4,), int64
        The best result: length, outer set and inner set as bits, last city. In the last layer it is the shortest tour,
        which consists of a path through the two sets to the last city, and a path to that city through all others. In
        other layers it is the shortest path through the layer's number of outer cities and all inner cities. Only a
        result that comes earlier in lexicographic order replaces it.
    """
    # Read each array from its tuple only once, because each read updates a reference count that all threads share.
    size, outer, inner, joins, fixed, distances, low, binomials, table, after, back = layer
    cities, targets, offsets, members, lows, low_places, highs, high_places, paths, ended, joined_rows = workspace
    high, begin = max(0, inner - LOW), outer + max(inner, LOW)
    row, rows = LANES << high, max(size, 1)
    out = joined_rows if joins else after
    _unrank(binomials, members, size, outer, fixed, first)
    for _ in range(first, last):
        rank = _rank(binomials, members, size)
        count = _targets(binomials, members, size, outer, joins, rank, row, targets, offsets)
        cities[0] = begin
        for k in range(size):
            cities[k] = members[k]
        base = rank * size * row
        for group in range(1 << high):
            here, at = base + group * LANES, group * (LOW + high) * LANES
            held = _append_high(cities, rows, outer + LOW, group, high)
            min_sums(  # type: ignore[call-arg] # Numba supplies the typing context
                distances, begin + 1, cities, table, here, row, rows, ended, at, held, lows, low_places,
                min(inner, LOW), paths,
            )  # fmt: skip
            close_low(low, paths, ended, at + held * LANES)
            for k in range(LOW):
                cities[rows + held + k] = outer + k
            held += LOW
            beyond = _high_targets(highs, high_places, outer + LOW, group, high)
            min_sums(  # type: ignore[call-arg]
                distances, begin + 1, cities, table, here, row, rows, ended, at, held, highs, high_places, beyond, ended
            )
            _repeat_last(targets, offsets, count)
            min_sums(  # type: ignore[call-arg]
                distances, begin + 1, cities, table, here, row, rows, ended, at, held, targets, offsets, count, out
            )
            for k in range(count):
                offsets[k] += LANES
        if joins:
            _join(binomials, members, size, inner, back, joined_rows, targets, count, row, best)
        else:
            _update_best(members, size, outer, inner, table, base, row, ended, best)
        _next(members, size, fixed)


@njit(cache=True, nogil=True, error_model="numpy")
def _unrank(binomials: np.ndarray, members: np.ndarray, size: int, outer: int, fixed: int, index: int) -> None:
    """Find the set at an index among the sets of `size` cities that contain the first `fixed` cities."""
    for k in range(fixed):
        members[k] = k
    city, rank = outer - 1, index
    for k in range(size, fixed, -1):
        while binomials[city - fixed, k - fixed] > rank:
            city -= 1
        members[k - 1] = city
        rank -= binomials[city - fixed, k - fixed]
        city -= 1


@njit(cache=True, nogil=True, error_model="numpy")
def _next(members: np.ndarray, size: int, fixed: int) -> None:
    """Move to the next set of the same size, keeping the first `fixed` members."""
    if size == fixed:
        return
    k = fixed
    while k + 1 < size and members[k] + 1 == members[k + 1]:
        members[k] = k
        k += 1
    members[k] += 1


@njit(forceinline=True, error_model="numpy")
def _rank(binomials: np.ndarray, members: np.ndarray, size: int) -> int:
    rank = 0
    for k in range(size):
        rank += binomials[members[k], k + 1]
    return rank


@njit(forceinline=True, error_model="numpy")
def _targets(
    binomials: np.ndarray, members: np.ndarray, size: int, outer: int, joins: bool, rank: int, row: int,
    targets: np.ndarray, offsets: np.ndarray,
) -> int:  # fmt: skip
    """List the outer cities outside a set, and the row offset of the set with each added; return their number."""
    # In the set with one more city, greater members are one place higher.
    k, count, moved = 0, 0, 0
    for j in range(size):
        moved += binomials[members[j], j + 2]
    for city in range(outer):
        if k < size and members[k] == city:
            moved += binomials[city, k + 1] - binomials[city, k + 2]
            k += 1
            continue
        targets[count] = city
        offsets[count] = (count if joins else (moved + binomials[city, k + 1]) * (size + 1) + k) * row
        count += 1
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def _append_high(cities: np.ndarray, rows: int, first: int, group: int, high: int) -> int:
    """Append a group's high cities to the rows' cities; return the number of cities appended."""
    held = 0
    for k in range(high):
        if group >> k & 1:
            cities[rows + held] = first + k
            held += 1
    return held


@njit(forceinline=True, error_model="numpy")
def _high_targets(highs: np.ndarray, offsets: np.ndarray, first: int, group: int, high: int) -> int:
    """List the high cities outside a group, and the offset of the group with each added; return their number."""
    count, before = 0, 0
    for k in range(high):
        if group >> k & 1:
            before += 1
            continue
        highs[count] = first + k
        offsets[count] = ((group | 1 << k) * (LOW + high) + before) * LANES
        count += 1
    _repeat_last(highs, offsets, count)
    return count


@njit(forceinline=True, error_model="numpy")
def _repeat_last(targets: np.ndarray, offsets: np.ndarray, count: int) -> None:
    """Pad lists to the length that `min_sums` reads; repeating the last entry changes nothing."""
    for k in range(count, min(count + 3, targets.size) if count else 0):
        targets[k], offsets[k] = targets[count - 1], offsets[count - 1]


@njit(cache=True, nogil=True, error_model="numpy")
def encode_set(members: np.ndarray, size: int) -> int:
    """Return a set of cities as a bit mask."""
    bits = 0
    for k in range(size):
        bits |= 1 << members[k]
    return bits


@njit(forceinline=True, error_model="numpy")
def _better(best: np.ndarray, length: int, outer: int, inner: int, last: int) -> None:
    """Replace the best result if the new one comes earlier in lexicographic order."""
    candidate = (np.int64(length), np.int64(outer), np.int64(inner), np.int64(last))
    for k in range(4):
        if candidate[k] != best[k]:
            if candidate[k] < best[k]:
                best[0], best[1], best[2], best[3] = candidate
            return


@njit(forceinline=True, error_model="numpy")
def _join(
    binomials: np.ndarray, members: np.ndarray, size: int, inner: int, table: np.ndarray, joined_rows: np.ndarray,
    targets: np.ndarray, count: int, row: int, best: np.ndarray,
) -> None:  # fmt: skip
    """Join paths through a set and one more city with paths from the other end."""
    sets, kind = 1 << inner, table.dtype.type
    complement = _rank(binomials, targets, count) * size * row
    for k in range(count):
        minimum = kind(joined_rows[k * row] + table[complement + k * row + sets - 1])
        for s in range(sets):
            minimum = min(minimum, kind(joined_rows[k * row + s] + table[complement + k * row + sets - 1 - s]))
        if minimum <= best[0]:
            for s in range(sets):
                if kind(joined_rows[k * row + s] + table[complement + k * row + sets - 1 - s]) == minimum:
                    _better(best, minimum, encode_set(members, size), s, targets[k])
                    break


@njit(forceinline=True, error_model="numpy")
def _update_best(
    members: np.ndarray, size: int, outer: int, inner: int, table: np.ndarray, base: int, row: int, ended: np.ndarray,
    best: np.ndarray,
) -> None:  # fmt: skip
    """Update the best result with the shortest path through the set and all inner cities, to any last city."""
    high, everyone = max(0, inner - LOW), (1 << inner) - 1
    for k in range(size):
        length = table[base + k * row + everyone]
        if length <= best[0]:
            _better(best, length, encode_set(members, size), everyone, members[k])
    at = ((1 << high) - 1) * (LOW + high) * LANES + everyone % LANES
    for k in range(inner):
        length = ended[at + (high + k if k < LOW else k - LOW) * LANES]
        if length <= best[0]:
            _better(best, length, encode_set(members, size), everyone, outer + k)
