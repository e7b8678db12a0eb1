"""Edge assembly crossover of pairs of tours, one after another, in slices.

Y. Nagata, "Edge Assembly Crossover: A High-power Genetic Algorithm for the Traveling Salesman Problem" (ICGA 1997); the
localized version of Y. Nagata and S. Kobayashi, "A Powerful Genetic Algorithm Using Edge Assembly Crossover for the
Traveling Salesman Problem" (INFORMS Journal on Computing 25, 2013): parent A is changed to a child in place; the
changed edges give the child's length, and are then restored.
"""

from typing import Any, NamedTuple

import numpy as np

from solvers.algorithms.genetic.kernels.ab_cycles_cpu import Cycles, Tracing, allocate_cycles, allocate_tracing, trace
from solvers.algorithms.genetic.kernels.distances_cpu import between
from solvers.algorithms.genetic.kernels.draws_cpu import draw, draw_bits, stream_key
from solvers.algorithms.genetic.kernels.edge_frequency_cpu import Frequencies, entropy_loss
from solvers.algorithms.genetic.kernels.pairs import BEST, CHILDREN, CHILDREN_MADE, CYCLES, HAS_BEGUN, LAST, PAIR, SPAN
from solvers.algorithms.genetic.kernels.subtours_cpu import Segments, allocate_segments, find_subtours, merge_subtours
from solvers.algorithms.genetic.kernels.tour_links_cpu import (
    TOUCHED,
    Changes,
    allocate_changes,
    begin,
    join,
    undo,
    walk,
)
from solvers.kernels.compiler import njit

#: Kinds of E-sets: a single AB-cycle, or each AB-cycle with probability 1/2.
SINGLE, RANDOM = range(2)
#: Smallest loss of entropy by which a gain is divided.
_MIN_LOSS = 1e-9
#: First draw of a child's E-set, after the draws of the cycles.
_CHILD_DRAWS = 1 << 40


class Crossing(NamedTuple):
    """A thread's buffers for crossovers of tours with n cities.

    Attributes
    ----------
    cycles, tracing, changes, segments
        See their classes.
    sequence : ndarray, shape (n,), int32
        The AB-cycles in random order.
    chosen : ndarray, shape (n,), int32
        The AB-cycles of one E-set.
    value : ndarray, shape (1,), float64
        Score of the best child so far.
    span : ndarray, shape (SPAN,), int64
    """

    cycles: Cycles
    tracing: Tracing
    changes: Changes
    segments: Segments
    sequence: np.ndarray
    chosen: np.ndarray
    value: np.ndarray
    span: np.ndarray


class Breeding(NamedTuple):
    """Data shared by all crossovers of a run.

    Attributes
    ----------
    distance : Any
        Distances of all pairs of cities, symmetric: see `solvers.algorithms.genetic.kernels.distances_cpu`.
    near : ndarray, shape (n, k), int32
        The nearest cities of each city.
    children : int
        Maximum number of children of a pair.
    e_set : int
        `SINGLE` or `RANDOM`.
    frequencies, terms
        See `solvers.algorithms.genetic.kernels.edge_frequency_cpu`; `terms` is empty if children are chosen only by
        length.
    seed : uint64
    """

    distance: Any
    near: np.ndarray
    children: int
    e_set: int
    frequencies: Frequencies
    terms: np.ndarray
    seed: np.uint64


def allocate_crossing(n: int) -> Crossing:
    """Allocate a thread's buffers for crossovers of tours with n cities."""
    sequence, chosen = np.zeros((2, n), np.int32)
    return Crossing(
        allocate_cycles(n), allocate_tracing(n), allocate_changes(n), allocate_segments(n), sequence, chosen,
        np.zeros(1), np.zeros(SPAN, np.int64),
    )  # fmt: skip


@njit(cache=True, nogil=True)
def _choose(crossing, e_set, key, child):
    """Write the AB-cycles of a child's E-set; return how many there are."""
    count = crossing.span[CYCLES]
    if e_set == SINGLE:
        crossing.chosen[0] = crossing.sequence[child]
        return 1
    size, bits = 0, np.uint64(0)
    for cycle in range(count):
        if cycle % 64 == 0:
            bits = draw_bits(key, _CHILD_DRAWS + child * (1 << 20) + cycle // 64)
        if bits & np.uint64(1):
            crossing.chosen[size] = cycle
            size += 1
        bits >>= np.uint64(1)
    return size


@njit(cache=True, nogil=True)
def _sort(values, count):
    """Sort the first `count` values by Shell's method (1959), which compiles faster than Numba's sort."""
    gap = 1
    while 3 * gap + 1 < count:
        gap = 3 * gap + 1
    while gap > 0:
        for at in range(gap, count):
            value = values[at]
            while at >= gap and values[at - gap] > value:
                values[at] = values[at - gap]
                at -= gap
            values[at] = value
        gap //= 3


@njit(cache=True, nogil=True, shared=True)
def make_child(distance, near, links, crossing, size):
    """Change tour A to a child.

    Parameters
    ----------
    distance, near
        See `Breeding`.
    links : ndarray, shape (n, 2), int32
        Tour A; changed in place.
    crossing : Crossing
        Changed in place; its segments contain tour A, and `chosen` the AB-cycles of the E-set.
    size : int
        Number of AB-cycles of the E-set.

    Returns
    -------
    change, work : int
        The change in length, int64, and the amount of work.
    """
    n, city = links.shape[0], crossing.cycles.city
    segments, changes = crossing.segments, crossing.changes
    change, cuts = np.int64(0), 0
    begin(changes)
    for k in range(size):
        first, last = crossing.cycles.start[crossing.chosen[k]], crossing.cycles.start[crossing.chosen[k] + 1]
        for at in range(first, last, 2):
            one, two = city[at], city[at + 1]
            before, after = city[at - 1 if at > first else last - 1], city[at + 2 if at + 2 < last else first]
            change += between(distance, n, two, after) - between(distance, n, one, two)
            join(links, changes, one, two, before)
            join(links, changes, two, one, after)
            p, other = segments.position[one], segments.position[two]
            segments.cut[cuts] = p if other == (p + 1 if p + 1 < n else 0) else other
            cuts += 1
    if cuts == 0:
        return change, 0
    _sort(segments.cut, cuts)
    subtours = find_subtours(links, segments, cuts)
    merged, work = merge_subtours(distance, near, links, changes, segments, cuts, subtours)
    return change + merged, work + 8 * cuts


@njit(cache=True, nogil=True)
def _begin_pair(breeding, parents, mother, father, links, crossing, key):
    """Copy parent A, and find the AB-cycles of the pair in random order."""
    span = crossing.span
    links[:] = parents[mother]
    walk(links, crossing.segments.order, crossing.segments.position)
    count, draws = trace(parents[mother], parents[father], crossing.cycles, crossing.tracing, key)
    for k in range(count):
        other = draw(key, draws + k, k + 1)
        crossing.sequence[k], crossing.sequence[other] = crossing.sequence[other], k
    span[HAS_BEGUN], span[CYCLES], span[CHILDREN_MADE], span[BEST] = 1, count, 0, -1
    span[CHILDREN] = min(breeding.children, count) if breeding.e_set == SINGLE else breeding.children * (count > 0)
    crossing.value[0] = 0.0


@njit(cache=True, nogil=True)
def rate_child(breeding, links, crossing, gain):
    """Return a child's score: its gain, divided by the loss of entropy if that counts."""
    if breeding.terms.size == 0 or gain <= 0:
        return float(gain)
    changes = crossing.changes
    loss = entropy_loss(
        breeding.frequencies, breeding.terms, changes.before, links, changes.touched, changes.state[TOUCHED]
    )
    return gain / max(loss, _MIN_LOSS)


@njit(cache=True, nogil=True)
def cross_pairs(breeding, parents, lengths, sequence, stream, children, new_lengths, child_counts, crossing, budget):
    """Cross a range of pairs for one slice.

    Pair k consists of tour ``sequence[k]`` as A and tour ``sequence[k + 1]`` as B; in the last pair, B is the first
    tour. The child with the best score replaces A if it is shorter.

    Parameters
    ----------
    breeding : Breeding
    parents : ndarray, shape (m, n, 2), int32
        The two neighbours of each city in each tour.
    lengths : ndarray, shape (m,), int64
    sequence : ndarray, shape (m,), int32
    stream : int
        Random stream of pair 0; pair k draws from stream `stream` + k.
    children : ndarray, shape (m, n, 2), int32
        The next generation; the tours of finished pairs are written.
    new_lengths : ndarray, shape (m,), int64
    child_counts : ndarray, shape (m,), int64
        Number of children of each pair; written in place.
    crossing : Crossing
        Changed in place; the result does not depend on where slices end.
    budget : int
        The slice ends after this much work; 10 million take about 50 ms on one core.
    """
    n, m, span, used = parents.shape[1], sequence.size, crossing.span, 0
    while span[PAIR] < span[LAST] and used < budget:
        pair = span[PAIR]
        mother, father = sequence[pair], sequence[pair + 1 if pair + 1 < m else 0]
        links, key = children[mother], stream_key(breeding.seed, stream + pair)
        if span[HAS_BEGUN] == 0:
            _begin_pair(breeding, parents, mother, father, links, crossing, key)
            used += 32 * n
        while span[CHILDREN_MADE] < span[CHILDREN] and used < budget:
            size = _choose(crossing, breeding.e_set, key, span[CHILDREN_MADE])
            change, work = make_child(breeding.distance, breeding.near, links, crossing, size)
            worth = rate_child(breeding, links, crossing, -change)
            if worth > crossing.value[0]:
                crossing.value[0], span[BEST] = worth, span[CHILDREN_MADE]
            undo(links, crossing.changes)
            span[CHILDREN_MADE] += 1
            used += 8 * work + 64
        if span[CHILDREN_MADE] < span[CHILDREN]:
            return
        new_lengths[mother], child_counts[mother] = lengths[mother], span[CHILDREN]
        if span[BEST] >= 0:
            size = _choose(crossing, breeding.e_set, key, span[BEST])
            change, _ = make_child(breeding.distance, breeding.near, links, crossing, size)
            new_lengths[mother] += change
        span[PAIR] += 1
        span[HAS_BEGUN] = 0
