"""Resumable simulated annealing of directed tours on one core; moves relocate short paths.

A 2-opt move reverses part of a tour. On a directed instance this changes the length of every edge in that part. So
moves here take up to three consecutive cities out of the tour and put them back elsewhere, in the same direction:
Or-opt (I. Or, 1976) without reversals, the simplest move that keeps all directions (P. C. Kanellakis and C. H.
Papadimitriou, "Local Search for the Asymmetric Traveling Salesman Problem", Operations Research 28, 1980). Temperatures
are as in `solvers.algorithms.annealing.kernels.chain_cpu`.
"""

import numpy as np

from solvers.algorithms.annealing.kernels import acceptance
from solvers.algorithms.annealing.kernels.chain_cpu import (
    BACK,
    BEST,
    DRAW,
    EVALUATIONS,
    FIRST_STEP,
    IMPROVES,
    LENGTH,
    LEVEL,
    LEVEL_DRAWS,
    MOVES,
    RECORDED,
    RETURNS,
    ROWS,
    SIGN,
    WORSE,
    WORSE_SUM,
    begin,
    cool,
    keep_best,
    log_row,
)
from solvers.kernels import scalar
from solvers.kernels.compiler import njit

#: Maximum number of cities in a relocated path.
MAX_PATH_CITIES = 3
#: Number of reversals, each a 2-opt move, as which a relocation is recorded.
REVERSALS = 3

_random_bits, _random_below = njit(scalar.random_bits), njit(scalar.random_below)
_boltzmann, _uniform = njit(acceptance.boltzmann), njit(acceptance.uniform)
_HOPELESS = acceptance.HOPELESS


@njit(forceinline=True)
def change(matrix, order, n, s, length, x):
    """Return the change in length, int64, if the path at positions s to s + length - 1 moves to just after position x.

    Positions wrap around the end of the tour; x is neither on the path nor the position just before the path.
    """
    before, end = order[s - 1 if s > 0 else n - 1], order[(s + length - 1) % n]
    after, begin_ = order[(s + length) % n], order[s]
    left, right = order[x], order[x + 1 if x + 1 < n else 0]
    closed = np.int64(matrix[before, after]) - matrix[before, begin_] - matrix[end, after]
    return closed + matrix[left, begin_] + matrix[end, right] - matrix[left, right]


@njit(cache=True, nogil=True)
def reverse_range(matrix, order, first, last):
    """Reverse positions `first` to `last` in place; return the change in length, int64. `first` is not 0."""
    n = order.size
    before, after = order[first - 1], order[last + 1 if last + 1 < n else 0]
    delta = np.int64(matrix[before, order[last]]) + matrix[order[first], after]
    delta -= np.int64(matrix[before, order[first]]) + matrix[order[last], after]
    for p in range(first, last):
        delta += np.int64(matrix[order[p + 1], order[p]]) - matrix[order[p], order[p + 1]]
    while first < last:
        order[first], order[last] = order[last], order[first]
        first += 1
        last -= 1
    return delta


@njit(cache=True, nogil=True)
def record(matrix, chain, log, first, last, step, control):
    """Apply a reversal and record it as a 2-opt move."""
    state = chain.state
    m = state[RECORDED]
    delta = reverse_range(matrix, chain.order, first, last)
    log.i[m], log.j[m], log.delta[m] = first - 1, last, delta
    log.step[m], log.control[m] = step, control
    state[RECORDED] = m + 1
    state[MOVES] += 1
    state[LENGTH] += delta


@njit(cache=True, nogil=True)
def exchange(matrix, chain, log, first, one, other, step, control):
    """Swap the `one` cities from position `first` on with the `other` cities that follow them; `first` is not 0.

    The swap reverses both groups together, and then each group by itself.
    """
    record(matrix, chain, log, first, first + one + other - 1, step, control)
    record(matrix, chain, log, first, first + other - 1, step, control)
    record(matrix, chain, log, first + other, first + one + other - 1, step, control)
    for p in range(first, first + one + other):
        chain.position[chain.order[p]] = p


@njit(cache=True, nogil=True)
def insert(matrix, chain, log, s, length, x, step, control):
    """Apply the move evaluated by `change`; return the work done.

    The path, the cities between it and x, and the other cities form a cycle of three parts. Swapping any two of them
    gives the same cycle, so the part with position 0 stays in place and the other two are swapped.
    """
    n = chain.order.size
    between = (x - s - length + 1) % n
    rest = n - length - between
    begins, lengths = (s, (s + length) % n, (x + 1) % n), (length, between, rest)
    for k in range(3):
        if begins[k] == 0 or begins[k] + lengths[k] > n:
            one, other = (k + 1) % 3, (k + 2) % 3
            exchange(matrix, chain, log, begins[one], lengths[one], lengths[other], step, control)
            return np.int64(2 * (n - lengths[k]))
    return np.int64(0)


@njit(cache=True, nogil=True)
def anneal_insertions(matrix, plan, chain, log, seed, climber, work, limit):
    """Draw moves as `solvers.algorithms.annealing.kernels.anneal_cpu.anneal` does; return the work done.

    A draw adds an edge from a city to one of its nearest cities. It moves a path of one to three cities: either the
    path begins with the second city and moves behind the first, or it ends with the first and moves before the second.
    """
    order, position, state, near = chain.order, chain.position, chain.state, plan.near
    n, k = np.int64(order.size), np.uint64(near.shape[1])
    level, temperature = state[LEVEL], chain.temperature[0]
    draws = plan.draws_per_level if 0 <= level < plan.levels else plan.quench_draws
    at, step, used = state[LEVEL_DRAWS], np.uint64(state[EVALUATIONS]), np.int64(0)
    last, room = min(draws, at + limit), log.i.size - REVERSALS
    while at < last and used < work and state[RECORDED] <= room:
        used += DRAW
        at += 1
        first = FIRST_STEP + np.uint64(4) * step
        step += np.uint64(1)
        bits = _random_bits(seed, climber, first)
        a, low = np.int64(_random_below(bits, np.uint64(n))), bits & np.uint64(0xFFFFFFFF)
        c = np.int64(near[a, ((low >> np.uint64(1)) * k) >> np.uint64(31)])
        second = _random_bits(seed, climber, first + np.uint64(2))
        if (second & np.uint64(0xFFFFFFFF)) < plan.far_threshold:
            c = np.int64(_random_below(second, np.uint64(n)))
        length = 1 + np.int64(
            _random_below(_random_bits(seed, climber, first + np.uint64(3)), np.uint64(MAX_PATH_CITIES))
        )
        if low & np.uint64(1):
            s, x = np.int64(position[c]), np.int64(position[a])
        else:
            s, x = (position[a] - length + 1) % n, (position[c] - 1) % n
        ahead = (x - s) % n
        if ahead < length or ahead == n - 1:
            continue
        delta = change(matrix, order, n, s, length, x)
        if delta > 0:
            if temperature <= 0.0:
                state[WORSE] += 1
                state[WORSE_SUM] += delta
                continue
            if delta > temperature * _HOPELESS:
                continue
            if _uniform(_random_bits(seed, climber, first + np.uint64(1))) >= _boltzmann(delta / temperature):
                continue
            used += keep_best(chain)
        used += insert(matrix, chain, log, s, length, x, step, temperature)
    state[LEVEL_DRAWS], state[EVALUATIONS] = at, np.int64(step)
    keep_best(chain)
    if at >= draws:
        log_row(chain, log)
        cool(plan, chain)
    return used


@njit(cache=True, nogil=True)
def return_to_best(matrix, chain, log, work):
    """Lead the chain back to its best tour, which starts with the same city; each move puts one city in its place.

    Returns the work done; the chain is back when its length is `BEST`.
    """
    position, best, state = chain.position, chain.best, chain.state
    used = np.int64(0)
    while state[LENGTH] > state[BEST] and used < work and state[RECORDED] + REVERSALS <= log.i.size:
        state[BACK] += 1
        p = state[BACK]
        q = np.int64(position[best[p]])
        if q > p:
            exchange(matrix, chain, log, p, q - p, 1, RETURNS, 0.0)
            used += 2 * (q - p)
        used += 1
    used += keep_best(chain)
    return used


@njit(cache=True, nogil=True)
def improve(matrix, chain, log, work, limit):
    """Apply each path's best insertion until no insertion shortens the tour.

    `WORSE` stores the next path, as its city and length, and `WORSE_SUM` the number of paths tried since the last move.

    Returns
    -------
    tuple of int64 and bool
        The work done, and whether the tour is a local optimum.
    """
    order, position, state = chain.order, chain.position, chain.state
    n, used, before = order.size, np.int64(0), state[EVALUATIONS]
    longest = min(MAX_PATH_CITIES, n - 2)
    while state[WORSE_SUM] < n * longest:
        if used >= work or state[RECORDED] + REVERSALS > log.i.size or state[EVALUATIONS] - before >= limit:
            return used, False
        s, length = np.int64(position[state[WORSE] // longest]), 1 + state[WORSE] % longest
        best_place, minimum = np.int64(-1), np.int64(0)
        for ahead in range(length, n - 1):
            x = (s + ahead) % n
            delta = change(matrix, order, n, s, length, x)
            if delta < minimum:
                best_place, minimum = x, delta
        state[EVALUATIONS] += n - 1 - length
        used += n
        state[WORSE] = (state[WORSE] + 1) % (n * longest)
        state[WORSE_SUM] += 1
        if best_place >= 0:
            used += insert(matrix, chain, log, s, length, best_place, IMPROVES, 0.0)
            state[WORSE_SUM] = 0
            keep_best(chain)
    return used, True


@njit(cache=True, nogil=True)
def advance_insertions(measure, plan, chain, log, seed, climber, start, work, limit):
    """Anneal for one slice like `anneal_cpu.advance`; once the chain is cold, improve its best tour by insertions.

    A chain is not improved if it does not return to its best tour, or if the plan has no final draws at temperature 0.

    Returns
    -------
    tuple of int64 and bool
        The work done, and whether the chain has finished.
    """
    state, matrix, before = chain.state, measure.matrix, chain.state[EVALUATIONS]
    if state[SIGN] == 0:
        begin(measure, plan, chain, seed, climber, start)
        state[ROWS] = 0
        before = np.int64(0)
        log_row(chain, log)
    else:
        state[ROWS] = 0
    state[RECORDED] = 0
    used = np.int64(0)
    while used < work and state[RECORDED] + REVERSALS <= log.i.size and state[ROWS] < len(log.rows):
        evaluations_left = limit - (state[EVALUATIONS] - before)
        if evaluations_left <= 0:
            break
        if state[LEVEL] < plan.end:
            used += anneal_insertions(matrix, plan, chain, log, seed, climber, work - used, evaluations_left)
        elif plan.back and state[LENGTH] > state[BEST]:
            used += return_to_best(matrix, chain, log, work - used)
        elif plan.end <= plan.levels:
            return used, True
        else:
            more, done = improve(matrix, chain, log, work - used, evaluations_left)
            used += more
            if done:
                return used, True
    return used, False
