"""Applies exchanges that GPU kernels have found for an earlier tour, if they still fit the current tour."""

import math

import numpy as np

from solvers.algorithms.lin_kernighan.kernels.chain_cpu import keep
from solvers.algorithms.lin_kernighan.kernels.search_cpu import ACCEPTED, LENGTH, RECORDED, TARGET
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import (
    BY_RANK,
    CUT,
    ENTRIES,
    EVEN,
    SAVED,
    SEGMENT,
    exchange,
    undo,
    walk,
)
from solvers.kernels import scalar
from solvers.kernels.compiler import njit

#: Columns of a result; see `solvers.algorithms.lin_kernighan.kernels.repair_cuda`.
CHANGE, USED, HEADER = 1, 2, 3
_BRIDGE, _UNIT = 4, 2.0**-53
_random_bits = njit(scalar.random_bits)


@njit(cache=True, nogil=True)
def find_edges(tour, k, cities, plan):
    """Write the positions of an exchange's edges; return whether the tour contains all of them.

    Parameters
    ----------
    tour : Tour
    k : int
    cities : ndarray, shape (2 k,), int32
        The cities t_1, t_2, ...
    plan : ndarray, shape (PLAN, 16), int64
        `CUT` and `EVEN` are written.
    """
    order, position = tour.order, tour.position
    n = order.size
    for i in range(k):
        a, b = cities[2 * i], cities[2 * i + 1]
        p = np.int64(position[a])
        before = p - 1 if p > 0 else n - 1
        if order[p + 1 if p + 1 < n else 0] == b:
            plan[CUT, i], plan[EVEN, i] = p, 1
        elif order[before] == b:
            plan[CUT, i], plan[EVEN, i] = before, 0
        else:
            return False
    return True


@njit(cache=True, nogil=True)
def plan_bridge(plan):
    """Plan the double bridge of the edges from `find_edges`; return whether it adds the intended edges.

    It does if the removed edges are in the same order as before, forward or backward.
    """
    minimum = 0
    for i in range(1, _BRIDGE):
        if plan[EVEN, i] != plan[EVEN, 0]:
            return False
        if plan[CUT, i] < plan[CUT, minimum]:
            minimum = i
    step = 1 if plan[EVEN, 0] == 1 else _BRIDGE - 1
    for i in range(_BRIDGE):
        plan[BY_RANK, i] = (minimum + i * step) % _BRIDGE
        if i > 0 and plan[CUT, plan[BY_RANK, i]] <= plan[CUT, plan[BY_RANK, i - 1]]:
            return False
        plan[SEGMENT, i] = 2 * (_BRIDGE - 1 - i) + 1
    return True


@njit(cache=True, nogil=True)
def make_result(tour, plan, result):
    """Apply the exchanges of a result; return False at the first exchange that fails.

    Parameters
    ----------
    tour : Tour
        A tour with an empty log.
    plan : ndarray, shape (PLAN, 16), int64
    result : ndarray, shape (RESULT,), int32
    """
    log, marks, n = tour.log, tour.marks, tour.order.size
    at, end = HEADER, HEADER + result[USED]
    while at < end:
        k = np.int64(result[at])
        if marks[ENTRIES] == log.shape[0] or marks[SAVED] + n > tour.saved.size:
            return False
        if not find_edges(tour, k, result[at + 1 : at + 1 + 2 * k], plan):
            return False
        if not (plan_bridge(plan) if at == HEADER else walk(k, plan)):
            return False
        exchange(tour, k, plan)
        at += int(1 + 2 * k)
    return True


@njit(cache=True, nogil=True)
def apply_results(tour, search, chain, results, sequence, first, maximum):
    """Apply results one after another, each completely or not at all.

    Parameters
    ----------
    tour : Tour
        A tour with an empty log.
    search : Search
    chain : Chain
        Records the exchanges.
    results : ndarray, shape (m, RESULT), int32
    sequence : ndarray, shape (m,), int64
        The order in which results are tried.
    first, maximum : int
        The first entry of `sequence`, and the number of results to try.

    Returns
    -------
    int
        The next entry of `sequence`. It is not the end if the record is full or the target is reached.
    """
    state, record, log = chain.state, chain.record, tour.log
    end = min(sequence.size, first + maximum)
    for at in range(first, end):
        if state[RECORDED] + log.shape[0] > record.shape[0] or state[LENGTH] <= state[TARGET]:
            return at
        result = results[sequence[at]]
        if not make_result(tour, search.plan, result):
            undo(tour)
            continue
        state[LENGTH] += result[CHANGE]
        state[ACCEPTED] += 1
        keep(tour, chain)
    return end


@njit(cache=True, nogil=True)
def find_regions(results, region, found):
    """Write each result's region to `found`; -1 if its cities lie in several regions.

    Parameters
    ----------
    results : ndarray, shape (m, RESULT), int32
    region : ndarray, shape (n,), int32
        The region of each city.
    found : ndarray, shape (m,), int32
    """
    for row in range(found.size):
        at, end = HEADER, HEADER + results[row, USED]
        found[row] = region[results[row, at + 1]]
        while at < end:
            for i in range(at + 1, at + 1 + 2 * results[row, at]):
                if region[results[row, i]] != found[row]:
                    found[row] = -1
            at += 1 + 2 * results[row, at]


@njit(cache=True, nogil=True)
def rename_cities(results, sequence, local):
    """Give the cities of some results their numbers in `local`; return the results whose cities all have one.

    Parameters
    ----------
    results : ndarray, shape (m, RESULT), int32
        Written in place.
    sequence : ndarray, shape (k,), int64
        Rows of `results`.
    local : ndarray, shape (n,), int32
        The new number of each city, or -1.

    Returns
    -------
    ndarray, shape (j,), int64
        Those entries of `sequence` whose cities all have a new number.
    """
    fitting, count = np.empty_like(sequence), 0
    for row in sequence:
        at, end, fits = HEADER, HEADER + results[row, USED], True
        while at < end:
            for i in range(at + 1, at + 1 + 2 * results[row, at]):
                results[row, i] = local[results[row, i]]
                fits &= results[row, i] >= 0
            at += 1 + 2 * results[row, at]
        if fits:
            fitting[count] = row
            count += 1
    return fitting[:count]


@njit(cache=True, nogil=True)
def allow_longer(seed, first, stride, heat, allowed):
    """Draw by how much every `stride`-th kick, from number `first` on, may lengthen the tour.

    This is the Metropolis rule, as in `solvers.algorithms.lin_kernighan.kernels.chain_cpu`: a change must be below the
    bound that is drawn.

    Parameters
    ----------
    seed : uint64
    first, stride : int
    heat : float
        Mean of the exponential distribution.
    allowed : ndarray, shape (m,), int32
        Written in place.
    """
    for at in range(allowed.size):
        bits = _random_bits(seed, np.uint64(2), np.uint64(first + at * stride))
        uniform = (np.float64(bits >> np.uint64(11)) + 1.0) * _UNIT
        allowed[at] = min(1 << 30, math.ceil(-heat * math.log(uniform)))
