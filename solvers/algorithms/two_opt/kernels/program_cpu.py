"""2-opt on one core as in Utne and Hansen's program (2023), with its start tours and reduction.

The paper's comparison (section 5.2.3) finds the best move. The program's comparison keeps the first of two equal
changes only if that is also the lower move, and otherwise neither. So a tie can lose the best move of a scan, or end a
climb at a tour that is not a local optimum. Which moves are compared with each other depends on the block size (section
6.3.1) and on the tree of the reduction (section 6.3.4).
"""

from solvers.algorithms.two_opt.kernels.climb_cpu import (
    BEST,
    BEST_I,
    BEST_J,
    CLIMBER,
    EVALUATIONS,
    FINISHED,
    NEW_EDGE_I,
    NEW_EDGE_J,
    RECORDED,
    ROW,
    finish,
    prepare,
    take_best,
)
from solvers.kernels.compiler import njit
from solvers.kernels.distance_rows_cpu import fill_row
from solvers.kernels.tours_cpu import program_tour


@njit(cache=True, nogil=True)
def scan(measure, climb, changes, moves, budget):
    """Evaluate moves like `climb_cpu.scan`; move k belongs to thread k modulo the number of threads.

    ``changes`` and ``moves`` (threads,) int64 get each thread's best change and its move, i n + j; both are 0 if no
    move shortens the tour.
    """
    path, state = climb.path, climb.state
    edge, n, threads = path.edge, path.city.size - 1, changes.size
    i = state[ROW] - (state[ROW] == 0)
    if i < 0:
        changes[:] = 0
        moves[:] = 0
    used = 0
    while i < n - 2 and used < budget:
        near, far = climb.rows[i & 1], climb.rows[(i + 1) & 1]
        fill_row(measure, path, i + 1, i + 3, n + 1, far)
        if i >= 0:
            thread = (i * (n - 2) - i * (i - 1) // 2) % threads
            for j in range(i + 2, n):
                change = near[j] + far[j + 1] - edge[i + 1] - edge[j + 1]
                if change < changes[thread]:
                    changes[thread], moves[thread] = change, i * n + j
                thread = thread + 1 if thread + 1 < threads else 0
            used += n - 2 - i
        i += 1
    state[ROW] = i
    state[EVALUATIONS] += used
    return used


@njit(cache=True, nogil=True)
def reduce_changes(changes, moves):
    """Reduce all changes and moves to ``changes[0]`` and ``moves[0]`` in a tree, with the program's comparison."""
    half = changes.size // 2
    while half > 0:
        for k in range(half):
            if changes[k + half] < changes[k]:
                changes[k], moves[k] = changes[k + half], moves[k + half]
            elif changes[k + half] == changes[k] and moves[k + half] <= moves[k]:
                changes[k] = moves[k] = 0
        half //= 2


@njit(cache=True, nogil=True)
def choose(measure, climb, changes, moves):
    """Reduce a finished scan to one move, and store that move for `climb_cpu.take_best`."""
    path, state, row = climb.path, climb.state, climb.rows[0]
    reduce_changes(changes, moves)
    state[BEST] = changes[0]
    if changes[0] < 0:
        i, j = divmod(moves[0], path.city.size - 1)
        state[BEST_I], state[BEST_J] = i, j
        fill_row(measure, path, i, j, j + 1, row)
        state[NEW_EDGE_I] = row[j]
        fill_row(measure, path, i + 1, j + 1, j + 2, row)
        state[NEW_EDGE_J] = row[j + 1]


@njit(cache=True, nogil=True)
def advance(changes, moves, measure, climb, log, seed, start, last, budget):
    """Climb for one slice; all arguments but the first two are as in `climb_cpu.advance`."""
    state, n, used = climb.state, climb.path.city.size - 1, 0
    state[FINISHED] = 0
    state[RECORDED] = 0
    while state[FINISHED] < log.length.size and state[RECORDED] < log.i.size:
        if state[ROW] < 0:
            if state[CLIMBER] >= last:
                break
            if state[CLIMBER] == 0 and start.size == n:
                climb.path.city[:n] = start
            else:
                program_tour(seed, state[CLIMBER], n, changes.size, climb.path.city)
            prepare(measure, climb)
        used += scan(measure, climb, changes, moves, budget - used)
        if state[ROW] >= n - 2:
            choose(measure, climb, changes, moves)
            if state[BEST] < 0:
                take_best(measure, climb, log)
            else:
                finish(climb, log)
        if used >= budget:
            break
    return used
