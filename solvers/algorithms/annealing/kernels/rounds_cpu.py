"""Simulated annealing in rounds on one core: the same chain as `rounds_cuda`, draw for draw.

In a round, several draws are made on the same tour, and the Metropolis rule accepts or rejects each. Of the accepted
moves the chain makes the one that gives the shortest tour; ties go to the first draw. On a GPU a block evaluates the
draws in parallel, one per thread: the mapping of K.-C. Wei, C.-C. Wu and H.-L. Yu, "Mapping the Simulated Annealing
Algorithm onto CUDA GPUs" (ISKE 2015).
"""

import numpy as np

from solvers.algorithms.annealing.kernels.chain_cpu import (
    DRAW,
    EVALUATIONS,
    FIRST_STEP,
    HOPELESS,
    LEVEL,
    LEVEL_DRAWS,
    RECORDED,
    WORSE,
    WORSE_SUM,
    accepts,
    cool,
    draw_move,
    keep_best,
    log_row,
    make,
)
from solvers.kernels.compiler import njit


@njit(cache=True, nogil=True)
def anneal_in_rounds(measure, plan, chain, log, seed, climber, work, limit):
    """Run rounds at the current temperature until its draws are made or the slice ends; return the work done.

    The arguments are as in `solvers.algorithms.annealing.kernels.anneal_cpu.anneal`. A round is cut short only by the
    end of a temperature's draws or by `limit`.
    """
    order, position, state = chain.order, chain.position, chain.state
    level = state[LEVEL]
    temperature = chain.temperature[0]
    draws = plan.draws_per_level if 0 <= level < plan.levels else plan.quench_draws
    hopeless = temperature * HOPELESS
    at, step, used = state[LEVEL_DRAWS], np.uint64(state[EVALUATIONS]), np.int64(0)
    last = min(draws, at + limit)
    room = log.i.size
    while at < last and used < work and state[RECORDED] < room:
        count = min(plan.proposals, last - at)
        from_p, to_q, minimum, chosen = np.int64(-1), np.int64(0), np.int64(0), np.uint64(0)
        for k in range(count):
            first = FIRST_STEP + np.uint64(4) * (step + np.uint64(k))
            p, q, delta = draw_move(measure, plan, order, position, seed, climber, first)
            if p < 0 or (from_p >= 0 and delta >= minimum and temperature > 0.0):
                continue
            if delta > 0:
                if temperature <= 0.0:
                    state[WORSE] += 1
                    state[WORSE_SUM] += delta
                    continue
                if delta > hopeless or not accepts(seed, climber, first, delta, temperature):
                    continue
            if from_p < 0 or delta < minimum:
                from_p, to_q, minimum, chosen = p, q, delta, step + np.uint64(k + 1)
        used += DRAW * count
        at += count
        step += np.uint64(count)
        if from_p >= 0:
            if minimum > 0:
                used += keep_best(chain)
            used += make(chain, log, from_p, to_q, minimum, chosen)
    state[LEVEL_DRAWS], state[EVALUATIONS] = at, np.int64(step)
    keep_best(chain)
    if at >= draws:
        log_row(chain, log)
        cool(plan, chain)
    return used
