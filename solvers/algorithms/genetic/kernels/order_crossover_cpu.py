"""Order crossover of pairs of tours, one after another, in slices.

L. Davis, "Applying Adaptive Algorithms to Epistatic Domains" (IJCAI 1985).
"""

from typing import NamedTuple

import numpy as np

from solvers.algorithms.genetic.kernels.draws_cpu import draw, draw_bits, stream_key
from solvers.algorithms.genetic.kernels.pairs import BEST, CHILDREN, CHILDREN_MADE, HAS_BEGUN, LAST, PAIR, SPAN
from solvers.kernels.compiler import njit
from solvers.kernels.tours_cpu import reverse

#: Number of draws per child: two cuts, whether it mutates, and the two ends of the reversed part.
_DRAWS = 5


class OrderCrossing(NamedTuple):
    """A thread's buffers for crossovers of tours with n cities.

    Attributes
    ----------
    child : ndarray, shape (n,), int32
    stamp : ndarray, shape (n,), int64
        Number of the last child that had each city from its mother.
    child_count : ndarray, shape (1,), int64
        Number of children so far.
    gain : ndarray, shape (1,), int64
        Difference in length between the mother and the best child so far.
    span : ndarray, shape (SPAN,), int64
    """

    child: np.ndarray
    stamp: np.ndarray
    child_count: np.ndarray
    gain: np.ndarray
    span: np.ndarray


class OrderBreeding(NamedTuple):
    """Data shared by all crossovers of a run.

    Attributes
    ----------
    distance : ndarray, shape (n * n,), int32
    children : int
        Number of children of a pair.
    mutation : int
        Probability of a mutation in 2**-32.
    seed : uint64
    """

    distance: np.ndarray
    children: int
    mutation: int
    seed: np.uint64


def allocate_order_crossing(n: int) -> OrderCrossing:
    """Allocate a thread's buffers for crossovers of tours with n cities."""
    return OrderCrossing(
        np.zeros(n, np.int32), np.zeros(n, np.int64), np.zeros(1, np.int64), np.zeros(1, np.int64),
        np.zeros(SPAN, np.int64),
    )  # fmt: skip


@njit(cache=True, nogil=True)
def cross_orders(mother, father, first, last, crossing):
    """Write a child with the mother's cities at positions `first` to `last`, and the others in the father's order.

    The father is read, and the others are written, from position `last` + 1 on; position 0 follows the last one.
    """
    n, child = mother.size, crossing.child
    crossing.child_count[0] += 1
    number = crossing.child_count[0]
    for position in range(first, last + 1):
        child[position] = mother[position]
        crossing.stamp[mother[position]] = number
    to = last + 1
    for step in range(n):
        position = last + 1 + step
        city = father[position - n if position >= n else position]
        if crossing.stamp[city] != number:
            child[to - n if to >= n else to] = city
            to += 1


@njit(cache=True, nogil=True)
def measure_tour(distance, order):
    """Return the length of a tour, int64."""
    n, length, before = order.size, np.int64(0), order[-1]
    for position in range(n):
        length += distance[before * n + order[position]]
        before = order[position]
    return length


@njit(cache=True, nogil=True)
def _make(breeding, mother, father, key, child, crossing):
    """Make a child, possibly mutated, with draws from stream `key`; return its length."""
    n, base = mother.size, child * _DRAWS
    one, other = draw(key, base, n), draw(key, base + 1, n)
    cross_orders(mother, father, min(one, other), max(one, other), crossing)
    if np.int64(draw_bits(key, base + 2) >> np.uint64(32)) < breeding.mutation:
        one, other = draw(key, base + 3, n), draw(key, base + 4, n)
        reverse(crossing.child, min(one, other), max(one, other))
    return measure_tour(breeding.distance, crossing.child)


@njit(cache=True, nogil=True)
def cross_order_pairs(
    breeding, parents, lengths, sequence, stream, children, new_lengths, child_counts, crossing, budget
):
    """Cross a range of pairs for one slice; see `edge_assembly_cpu.cross_pairs`.

    Tours are in visiting order here, ``parents`` and ``children`` (m, n) int32. The shortest child replaces its mother
    if it is shorter.
    """
    n, m, span, used = parents.shape[1], sequence.size, crossing.span, 0
    while span[PAIR] < span[LAST] and used < budget:
        pair = span[PAIR]
        mother, father = sequence[pair], sequence[pair + 1 if pair + 1 < m else 0]
        key = stream_key(breeding.seed, stream + pair)
        if span[HAS_BEGUN] == 0:
            children[mother] = parents[mother]
            span[HAS_BEGUN], span[CHILDREN_MADE], span[CHILDREN], span[BEST] = 1, 0, breeding.children, -1
            crossing.gain[0] = 0
        while span[CHILDREN_MADE] < span[CHILDREN] and used < budget:
            length = _make(breeding, parents[mother], parents[father], key, span[CHILDREN_MADE], crossing)
            if lengths[mother] - length > crossing.gain[0]:
                crossing.gain[0], span[BEST] = lengths[mother] - length, span[CHILDREN_MADE]
                children[mother] = crossing.child
            span[CHILDREN_MADE] += 1
            used += 8 * n
        if span[CHILDREN_MADE] < span[CHILDREN]:
            return
        new_lengths[mother], child_counts[mother] = lengths[mother] - crossing.gain[0], span[CHILDREN]
        span[PAIR] += 1
        span[HAS_BEGUN] = 0
