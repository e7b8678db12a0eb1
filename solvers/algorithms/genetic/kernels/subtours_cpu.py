"""Finds and merges the subtours of an intermediate solution, in time proportional to the number of changed edges.

Y. Nagata and S. Kobayashi, "A Powerful Genetic Algorithm Using Edge Assembly Crossover for the Traveling Salesman
Problem" (INFORMS Journal on Computing 25, 2013), step 5 of EAX in its localized form: the removed edges cut tour A into
segments, and a subtour is a set of segments.
"""

from typing import NamedTuple

import numpy as np

from solvers.algorithms.genetic.kernels.distances_cpu import FIXED, between
from solvers.algorithms.genetic.kernels.tour_links_cpu import join
from solvers.kernels.compiler import njit


class Segments(NamedTuple):
    """Tour A cut into segments at the removed edges.

    Attributes
    ----------
    order, position : ndarray, shape (n,), int32
        Tour A, and the positions of its cities.
    cut : ndarray, shape (n,), int32
        The positions after which the tour is cut, in ascending order. Segment k ends at position ``cut[k]`` and begins
        after the previous cut; segment 0 begins after the last cut.
    subtour : ndarray, shape (n,), int32
        The subtour of each segment.
    size : ndarray, shape (n,), int32
        Number of cities in each subtour; 0 if it was merged into another.
    """

    order: np.ndarray
    position: np.ndarray
    cut: np.ndarray
    subtour: np.ndarray
    size: np.ndarray


def allocate_segments(n: int) -> Segments:
    """Allocate the segments of a tour of n cities."""
    order, position, cut, subtour, size = np.zeros((5, n), np.int32)
    return Segments(order, position, cut, subtour, size)


@njit(cache=True, nogil=True)
def segment_at(segments, cuts, p):
    """Return the segment that contains a position of tour A."""
    low, high = 0, cuts
    while low < high:
        middle = (low + high) >> 1
        if segments.cut[middle] < p:
            low = middle + 1
        else:
            high = middle
    return low if low < cuts else 0


@njit(cache=True, nogil=True)
def bounds(segments, cuts, segment):
    """Return a segment's first position and size; position 0 of the tour follows its last position."""
    n = segments.order.size
    before, last = segments.cut[segment - 1 if segment else cuts - 1], segments.cut[segment]
    count = last - before
    return (before + 1 if before + 1 < n else 0), (count if count > 0 else count + n)


@njit(cache=True, nogil=True)
def _other_end(segments, first, count, city):
    """Return the other end of the segment that the walk enters at `city`."""
    n, order = segments.order.size, segments.order
    last = first + count - 1
    last = last - n if last >= n else last
    return order[last] if order[first] == city else order[first]


@njit(cache=True, nogil=True)
def _neighbour_outside(links, segments, count, first, end, entered_from):
    """Return the neighbour of a segment's end outside the segment; of a single city, the one not visited last."""
    n = segments.order.size
    if count == 1:
        inside = entered_from
    else:
        p = segments.position[end]
        inside = segments.order[p + 1 if p + 1 < n else 0] if p == first else segments.order[p - 1 if p else n - 1]
    return links[end, 0] if links[end, 0] != inside else links[end, 1]


@njit(cache=True, nogil=True)
def find_subtours(links, segments, cuts):
    """Find the subtours of a solution.

    Parameters
    ----------
    links : ndarray, shape (n, 2), int32
        The two neighbours of each city in the solution.
    segments : Segments
        Changed in place: `subtour` and `size`.
    cuts : int
        Number of positions in ``segments.cut``.

    Returns
    -------
    int
        Number of subtours.
    """
    subtours = 0
    segments.subtour[:cuts] = -1
    for begin in range(cuts):
        if segments.subtour[begin] >= 0:
            continue
        segment, size = begin, 0
        first, count = bounds(segments, cuts, segment)
        city = segments.order[first]
        previous = links[city, 1]
        while segments.subtour[segment] < 0:
            segments.subtour[segment] = subtours
            size += count
            end = _other_end(segments, first, count, city)
            previous, city = end, _neighbour_outside(links, segments, count, first, end, previous)
            segment = segment_at(segments, cuts, segments.position[city])
            first, count = bounds(segments, cuts, segment)
        segments.size[subtours] = size
        subtours += 1
    return subtours


@njit(cache=True, nogil=True)
def _smallest(segments, subtours):
    """Find the subtour with the fewest cities; ties go to the lowest index."""
    smallest = -1
    for subtour in range(subtours):
        size = segments.size[subtour]
        if size > 0 and (smallest < 0 or size < segments.size[smallest]):
            smallest = subtour
    return smallest


@njit(cache=True, nogil=True)
def _try_edges(distance, links, one, two, other, best, exchange):
    """Evaluate both exchanges that join edge (one, two) to the edges of `other` in another subtour; keep the best.

    Fixed edges, which are half of those of doubled cities, are never removed.
    """
    n = links.shape[0]
    removed = between(distance, n, one, two)
    if removed <= FIXED:
        return best, exchange
    for side in range(2):
        neighbour = links[other, side]
        both = between(distance, n, other, neighbour)
        if both <= FIXED:
            continue
        both += removed
        straight = between(distance, n, one, other) + between(distance, n, two, neighbour) - both
        crossed = between(distance, n, one, neighbour) + between(distance, n, two, other) - both
        if straight < best:
            best, exchange = straight, (one, two, other, neighbour)
        if crossed < best:
            best, exchange = crossed, (one, two, neighbour, other)
    return best, exchange


@njit(cache=True, nogil=True)
def _best_exchange(distance, near, links, segments, cuts, subtour):
    """Find the best exchange of a subtour's edge with an edge at a near city outside; also return the work."""
    n, k = links.shape[0], near.shape[1]
    best, exchange, work = np.int64(1) << np.int64(62), (np.int32(-1), np.int32(-1), np.int32(-1), np.int32(-1)), 0
    for segment in range(cuts):
        if segments.subtour[segment] != subtour:
            continue
        first, count = bounds(segments, cuts, segment)
        work += count * k
        for step in range(count):
            p = first + step
            one = segments.order[p - n if p >= n else p]
            for at in range(k):
                other = near[one, at]
                q = segments.position[other]
                if (first <= q < first + count) | (q < first + count - n):
                    continue  # in the same segment, as most near cities are
                if segments.subtour[segment_at(segments, cuts, q)] == subtour:
                    continue
                for side in range(2):
                    best, exchange = _try_edges(distance, links, one, links[one, side], other, best, exchange)
    return best, exchange, work


@njit(cache=True, nogil=True)
def _any_exchange(distance, links, segments, cuts, subtour):
    """Find the best exchange of one edge of a subtour, which is not fixed, with an edge of another subtour."""
    n = links.shape[0]
    best, exchange = np.int64(1) << np.int64(62), (np.int32(-1), np.int32(-1), np.int32(-1), np.int32(-1))
    for segment in range(cuts):
        if segments.subtour[segment] == subtour:
            first, _ = bounds(segments, cuts, segment)
            one = segments.order[first]
            two = links[one, 0]
            if between(distance, n, one, two) <= FIXED:
                two = links[one, 1]
            break
    for other in range(n):
        if segments.subtour[segment_at(segments, cuts, segments.position[other])] != subtour:
            best, exchange = _try_edges(distance, links, one, two, np.int32(other), best, exchange)
    return best, exchange, n


@njit(cache=True, nogil=True)
def merge_subtours(distance, near, links, changes, segments, cuts, subtours):
    """Merge the smallest subtour with another until a single tour is left.

    One edge of each subtour is removed, and two edges are added that shorten the solution most or lengthen it least;
    an end of one removed edge must have an end of the other among its nearest cities. If there is no such pair,
    one edge of the subtour is exchanged with the best edge of all other subtours.

    Parameters
    ----------
    distance
        See `solvers.algorithms.genetic.kernels.distances_cpu.between`.
    near : ndarray, shape (n, k), int32
        The nearest cities of each city.
    links : ndarray, shape (n, 2), int32
        Changed in place.
    changes : solvers.algorithms.genetic.kernels.tour_links_cpu.Changes
        Changed in place.
    segments : Segments
        After `find_subtours`; changed in place.
    cuts, subtours : int

    Returns
    -------
    change, work : int
        The change in length, int64, and the number of evaluated pairs of cities.
    """
    change, work, remaining = np.int64(0), 0, subtours
    while remaining > 1:
        subtour = _smallest(segments, subtours)
        best, exchange, evaluated = _best_exchange(distance, near, links, segments, cuts, subtour)
        work += evaluated + cuts
        if exchange[0] < 0:
            best, exchange, evaluated = _any_exchange(distance, links, segments, cuts, subtour)
            work += evaluated
        one, two, other, neighbour = exchange
        target = segments.subtour[segment_at(segments, cuts, segments.position[other])]
        join(links, changes, one, two, other)
        join(links, changes, two, one, neighbour)
        join(links, changes, other, neighbour, one)
        join(links, changes, neighbour, other, two)
        change += best
        for segment in range(cuts):
            if segments.subtour[segment] == subtour:
                segments.subtour[segment] = target
        segments.size[target] += segments.size[subtour]
        segments.size[subtour] = 0
        remaining -= 1
    return change, work
