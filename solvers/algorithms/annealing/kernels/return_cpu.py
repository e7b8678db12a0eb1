"""Moves, recorded like any others, that return a cold chain to its best tour."""

import numpy as np

from solvers.algorithms.annealing.kernels.chain_cpu import (
    BACK,
    BEST,
    LENGTH,
    RECORDED,
    RETURNS,
    SHIFT,
    SIGN,
    keep_best,
    measure_edge,
    record,
)
from solvers.kernels.compiler import njit
from solvers.kernels.local_search_cpu import reverse


@njit(cache=True, nogil=True)
def prepare_return(chain):
    """Prepare `step_back`: put both tours in the recorded direction and start them at the same city."""
    order, position, best, state = chain.order, chain.position, chain.best, chain.state
    n = order.size
    for p in range(n):
        position[order[p]] = (state[SIGN] * p + state[SHIFT]) % n
    for city in range(n):
        order[position[city]] = city
    state[SIGN] = 1
    state[SHIFT] = 0
    copy, best_position, along = best.copy(), np.empty(n, np.int32), 0
    for p in range(n):
        best_position[copy[p]] = p
    for p in range(n - 1):
        ahead = best_position[order[p + 1]] - best_position[order[p]]
        along += int(ahead == 1 or ahead == 1 - n) - int(ahead == -1 or ahead == n - 1)
    step = 1 if along >= 0 else -1
    for p in range(n):
        best[p] = copy[(best_position[order[0]] + step * p) % n]


@njit(cache=True, nogil=True)
def step_back(measure, chain, log, work):
    """Lead the chain back to its best tour, or an equally short one on the way; each move puts one city in its place.

    Returns the work done; the chain is back when its length is `BEST`.
    """
    order, position, best, state = chain.order, chain.position, chain.best, chain.state
    n, used = order.size, np.int64(0)
    p = state[BACK]
    while state[LENGTH] > state[BEST] and used < work and state[RECORDED] < log.i.size:
        q = np.int64(position[best[p + 1]])
        if q > p + 1:
            end = order[q + 1 if q + 1 < n else 0]
            delta = np.int64(measure_edge(measure, order[p], order[q])) + measure_edge(measure, order[p + 1], end)
            delta -= np.int64(measure_edge(measure, order[p], order[p + 1])) + measure_edge(measure, order[q], end)
            reverse(order, position, p + 1, np.uint32(q - p))
            record(state, log, n, p, q, True, delta, RETURNS, 0.0)
            used += q - p
        used += 1
        p += 1
    state[BACK] = p
    used += keep_best(chain)
    return used
