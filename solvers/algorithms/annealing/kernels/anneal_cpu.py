"""Simulated annealing by 2-opt moves on one core: one chain, in resumable slices.

S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, "Optimization by Simulated Annealing" (Science 220, 1983); V. Cerny,
"Thermodynamical Approach to the Traveling Salesman Problem" (JOTA 45, 1985).
"""

import numpy as np

from solvers.algorithms.annealing.kernels.chain_cpu import (
    BEST,
    DRAW,
    EVALUATIONS,
    FIRST_STEP,
    HOPELESS,
    LENGTH,
    LEVEL,
    LEVEL_DRAWS,
    RECORDED,
    ROWS,
    SIGN,
    WORSE,
    WORSE_SUM,
    accepts,
    begin,
    cool,
    draw_move,
    keep_best,
    log_row,
    make,
)
from solvers.algorithms.annealing.kernels.return_cpu import prepare_return, step_back
from solvers.algorithms.annealing.kernels.rounds_cpu import anneal_in_rounds
from solvers.kernels.compiler import njit


@njit(cache=True, nogil=True)
def anneal(measure, plan, chain, log, seed, climber, work, limit):
    """Draw moves at the current temperature until its draws are made or the slice ends; return the work done.

    Parameters
    ----------
    work : int
        Amount of work after which to return: each draw counts `DRAW`, each reversed city 1.
    limit : int
        Number of draws after which to return.
    """
    order, position, state = chain.order, chain.position, chain.state
    level = state[LEVEL]
    temperature = chain.temperature[0]
    draws = plan.draws_per_level if 0 <= level < plan.levels else plan.quench_draws
    hopeless = temperature * HOPELESS
    at, step, used = state[LEVEL_DRAWS], np.uint64(state[EVALUATIONS]), np.int64(0)
    last = min(draws, at + limit)
    worse, worse_sum = state[WORSE], state[WORSE_SUM]
    room = log.i.size
    while at < last and used < work and state[RECORDED] < room:
        used += DRAW
        at += 1
        first = FIRST_STEP + np.uint64(4) * step
        step += np.uint64(1)
        p, q, delta = draw_move(measure, plan, order, position, seed, climber, first)
        if p < 0:
            continue
        if delta > 0:
            if temperature <= 0.0:
                worse += 1
                worse_sum += delta
                continue
            if delta > hopeless or not accepts(seed, climber, first, delta, temperature):
                continue
            used += keep_best(chain)
        used += make(chain, log, p, q, delta, step)
    state[LEVEL_DRAWS], state[EVALUATIONS] = at, np.int64(step)
    state[WORSE], state[WORSE_SUM] = worse, worse_sum
    keep_best(chain)
    if at >= draws:
        log_row(chain, log)
        cool(plan, chain)
    return used


@njit(cache=True, nogil=True)
def advance(measure, plan, chain, log, seed, climber, start, work, limit):
    """Anneal for one slice, one draw after the other; see `_advance`."""
    return _advance(measure, plan, chain, log, seed, climber, start, work, limit, None)


@njit(cache=True, nogil=True)
def advance_in_rounds(measure, plan, chain, log, seed, climber, start, work, limit):
    """Anneal for one slice in rounds of ``plan.proposals`` draws; see `_advance`."""
    return _advance(measure, plan, chain, log, seed, climber, start, work, limit, True)


@njit(cache=True, nogil=True)
def _advance(measure, plan, chain, log, seed, climber, start, work, limit, in_rounds):
    """Anneal for one slice.

    Parameters
    ----------
    measure : Measure
    plan : Plan
    chain : Chain
        Changed in place; its moves do not depend on where slices end. If its `SIGN` is 0, the chain is started first.
    log : Log
        Written in place; the slice ends early when it is full.
    seed, climber : uint64
    start : ndarray, shape (n,) or (0,), int32
        The start tour; empty for a random one.
    work, limit : int
        See `anneal`.
    in_rounds : bool or None
        Whether to draw in rounds. None stands for False, so that Numba does not compile rounds then.

    Returns
    -------
    tuple of int64 and bool
        The work done, and whether the chain is cold (and, if it returns to its best tour, is back there).
    """
    state = chain.state
    if state[SIGN] == 0:
        begin(measure, plan, chain, seed, climber, start)
        state[ROWS] = 0
        log_row(chain, log)
    else:
        state[ROWS] = 0
    state[RECORDED] = 0
    used, before = np.int64(0), state[EVALUATIONS]
    while used < work and state[RECORDED] < log.i.size and state[ROWS] < len(log.rows):
        evaluations_left = limit - (state[EVALUATIONS] - before)
        if state[LEVEL] < plan.end:
            if evaluations_left <= 0:
                break
            if in_rounds is not None:
                used += anneal_in_rounds(measure, plan, chain, log, seed, climber, work - used, evaluations_left)
            else:
                used += anneal(measure, plan, chain, log, seed, climber, work - used, evaluations_left)
            if state[LEVEL] >= plan.end and plan.back:
                prepare_return(chain)
        elif not plan.back:
            return used, True
        else:
            used += step_back(measure, chain, log, work - used)
            if state[LENGTH] == state[BEST]:
                return used, True
    return used, False
