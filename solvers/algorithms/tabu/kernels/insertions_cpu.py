"""Resumable tabu search of directed tours on one core; moves relocate short paths.

Moves and their record are as in `solvers.algorithms.annealing.kernels.insertion_cpu`; everything else is as in
`tabu_cpu`. An edge of the tabu lists has a direction, and a move removes and adds three.
"""

import numpy as np

from solvers.algorithms.annealing.kernels.chain_cpu import (
    BEST,
    EVALUATIONS,
    LENGTH,
    RECORDED,
    ROWS,
    SIGN,
    keep_best,
    log_row,
)
from solvers.algorithms.annealing.kernels.insertion_cpu import (
    MAX_PATH_CITIES,
    REVERSALS,
    change,
    insert,
    return_to_best,
)
from solvers.algorithms.tabu.kernels.edge_lists_cpu import (
    ADDED,
    REMOVED,
    SIZE,
    arc_between,
    enter_edge,
    holds_edge,
    shrink,
)
from solvers.algorithms.tabu.kernels.scan_cpu import (
    CHANGE,
    FIRST,
    HELD,
    NO_MOVE,
    PATH,
    ROW,
    SECOND,
    STEPS,
    TENURE,
)
from solvers.algorithms.tabu.kernels.tabu_cpu import begin, draw_tenure
from solvers.kernels.compiler import njit

#: Number of edges that a move removes, and that it adds.
EDGES = 3


@njit(cache=True, nogil=True)
def changed_edges(order, s, length, x):
    """Return the edges that a move removes, and those that it adds, as numbers from `arc_between`."""
    n = order.size
    before, first = order[s - 1 if s > 0 else n - 1], order[s]
    last, after = order[(s + length - 1) % n], order[(s + length) % n]
    left, right = order[x], order[x + 1 if x + 1 < n else 0]
    removed = arc_between(before, first), arc_between(last, after), arc_between(left, right)
    return removed, (arc_between(before, after), arc_between(left, first), arc_between(last, right))


@njit(cache=True, nogil=True)
def is_allowed(search, every, delta, s, length, x):
    """Return whether a move is allowed; with `every`, it is tabu only if all its added edges are listed."""
    state, lists = search.state, search.lists
    if state[LENGTH] + delta < min(state[BEST], state[LENGTH]):
        return True
    removed, added = changed_edges(search.order, s, length, x)
    returning = 0
    for k in range(EDGES):
        if holds_edge(lists, ADDED, removed[k]):
            return False
        returning += holds_edge(lists, REMOVED, added[k])
    return returning < EDGES if every else returning == 0


@njit(cache=True, nogil=True)
def compare(matrix, search, every, s, length, x):
    """Evaluate a move, and store it if it is the best allowed one so far."""
    order, state = search.order, search.state
    delta = change(matrix, order, order.size, s, length, x)
    if delta < state[CHANGE] and is_allowed(search, every, delta, s, length, x):
        state[CHANGE], state[FIRST], state[SECOND], state[PATH] = delta, s, x, length


@njit(cache=True, nogil=True)
def scan(matrix, near, every, search, work):
    """Evaluate moves row by row from the state's row, until the scan ends or `work` is done; return the work done.

    Row a has the moves that join city a to a near city; without near cities, it has the moves of the paths that begin
    at position a.
    """
    position, state, n = search.position, search.state, search.order.size
    longest, used, a = min(MAX_PATH_CITIES, n - 2), np.int64(0), state[ROW]
    while a < n and used < work:
        for length in range(1, longest + 1):
            for k in range(near.shape[1]):
                c = near[a, k]
                for side in range(2):
                    s, x = np.int64(position[c]), np.int64(position[a])
                    if side == 1:
                        s, x = (x - length + 1) % n, (s - 1) % n
                    ahead = (x - s) % n
                    if length <= ahead < n - 1:
                        compare(matrix, search, every, s, length, x)
                    used += 1
            if near.shape[1] == 0:
                for ahead in range(length, n - 1):
                    compare(matrix, search, every, a, length, (a + ahead) % n)
                used += n - 1 - length
        a += 1
    state[ROW] = a
    state[EVALUATIONS] += used
    return used


@njit(cache=True, nogil=True)
def step(matrix, plan, search, log, seed, climber):
    """End a step like `tabu_cpu.step`; return the work done."""
    state, lists, used = search.state, search.lists, np.int64(0)
    if state[CHANGE] != NO_MOVE:
        if state[CHANGE] > 0:
            used += keep_best(search)
        s, x, length = state[FIRST], state[SECOND], state[PATH]
        removed, added = changed_edges(search.order, s, length, x)
        for k in range(EDGES):
            enter_edge(lists, REMOVED, removed[k])
            enter_edge(lists, ADDED, added[k])
        used += insert(matrix, search, log, s, length, x, state[STEPS] + 1, float(state[TENURE]))
        shrink(lists, REMOVED, EDGES * state[TENURE])
        shrink(lists, ADDED, EDGES * state[HELD])
    else:
        shrink(lists, REMOVED, max(np.int64(0), lists.span[REMOVED, SIZE] - EDGES))
        shrink(lists, ADDED, max(np.int64(0), lists.span[ADDED, SIZE] - EDGES))
    state[STEPS] += 1
    state[ROW] = 0
    state[CHANGE] = NO_MOVE
    draw_tenure(plan, state, seed, climber)
    if state[STEPS] % plan.row_every == 0 or state[STEPS] == plan.steps:
        log_row(search, log)
    return used


@njit(cache=True, nogil=True)
def advance_insertions(measure, plan, chain, log, seed, climber, start, work, limit):
    """Search for one slice; see `tabu_cpu.advance`."""
    state, matrix, n = chain.state, measure.matrix, chain.order.size
    state[ROWS] = 0
    if state[SIGN] == 0:
        begin(measure, plan, chain, seed, climber, start)
        log_row(chain, log)
    state[RECORDED] = 0
    used, evaluated = np.int64(0), np.int64(0)
    while state[STEPS] < plan.steps and used < work and evaluated < limit:
        if state[RECORDED] + REVERSALS > log.i.size or state[ROWS] == len(log.rows):
            break
        done = scan(matrix, plan.near, plan.both, chain, min(work - used, limit - evaluated))
        used += done
        evaluated += done
        if state[ROW] == n:
            used += step(matrix, plan, chain, log, seed, climber)
    keep_best(chain)
    if state[STEPS] == plan.steps and used < work:
        used += return_to_best(matrix, chain, log, work - used)
        return used, state[LENGTH] == state[BEST]
    return used, False
