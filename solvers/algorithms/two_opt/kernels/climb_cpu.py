"""Resumable best-improvement 2-opt on one core: climbers one after another, in slices.

The loop follows J. Utne and H. N. W. Hansen, "Solving TSP on the GPU based on heuristic algorithms" (2023), section
3.1.1, and M. A. O'Neil and M. Burtscher, "Rethinking the Parallelization of Random-Restart Hill Climbing" (GPGPU-8,
2015): evaluate all (n - 1)(n - 2) / 2 moves and make the best, until none shortens the tour.
"""

from typing import NamedTuple

import numpy as np

from solvers.kernels.compiler import njit
from solvers.kernels.distance_rows_cpu import ATT, CEIL_2D, EUC_2D, GRID, MATRIX, Path, distances, lay, lay_tour
from solvers.kernels.tours_cpu import random_tour, reverse

#: Indices into `Climb.state`: the current climber; the row that its scan has reached (-1 if no climber is running); the
#: best move's change, its i and j, and the lengths of its two new edges, at i and at j; the climber's totals; and the
#: numbers of finished climbers and recorded moves in the slice.
CLIMBER, ROW, BEST, BEST_I, BEST_J, NEW_EDGE_I, NEW_EDGE_J = range(7)
LENGTH, MOVES, EVALUATIONS, FINISHED, RECORDED, STATE = range(7, 13)


class Climb(NamedTuple):
    """The state of a climb between two slices.

    Attributes
    ----------
    path : Path
    rows : ndarray, shape (2, n + 1), int32
        Distances from the scan's two current positions.
    state : ndarray, shape (STATE,), int64
    """

    path: Path
    rows: np.ndarray
    state: np.ndarray


class Log(NamedTuple):
    """The log of a slice, written by the kernel. Only the first `FINISHED` climbers and `RECORDED` moves are valid.

    Attributes
    ----------
    length, evaluations : ndarray, shape (k,), int64
    moves : ndarray, shape (k,), int32
    order : ndarray, shape (k, n), int32
        The local optima that the finished climbers reached.
    i, j, delta : ndarray, shape (m,), int32
        Moves of all climbers, in order.
    """

    length: np.ndarray
    moves: np.ndarray
    evaluations: np.ndarray
    order: np.ndarray
    i: np.ndarray
    j: np.ndarray
    delta: np.ndarray


@njit(cache=True, nogil=True)
def min_change(near, far, edge, first, last):
    """Return the minimum of near[j] + far[j + 1] - edge[j + 1] over j, int32, in a vectorised loop."""
    minimum = np.int32(2147483647)
    for j in range(np.uint64(first), np.uint64(last)):
        change = np.int32(np.int32(near[j] + far[j + np.uint64(1)]) - edge[j + np.uint64(1)])
        minimum = min(minimum, change)
    return minimum


@njit(cache=True, nogil=True)
def find_change(near, far, edge, first, minimum):
    """Return the first position from `first` on at which the expression of `min_change` is `minimum`."""
    j = np.uint64(first)
    while np.int32(np.int32(near[j] + far[j + np.uint64(1)]) - edge[j + np.uint64(1)]) != minimum:
        j += np.uint64(1)
    return np.int64(j)


@njit(forceinline=True)
def scan_rows(policy, measure, climb, budget):
    """Run `scan` for a constant policy, so that the compiler removes its branches."""
    path, state = climb.path, climb.state
    matrix, city, points, grid, edge = measure.matrix, path.city, path.points, path.grid, path.edge
    n = city.size - 1
    # Before row 0, a pass only computes the distances from position 0.
    i = state[ROW] - (state[ROW] == 0)
    near, far = climb.rows[i & 1], climb.rows[(i + 1) & 1]
    best = np.int32(state[BEST])
    used = np.int64(0)
    while i < n - 2 and used < budget:
        distances(policy, matrix, city, points, grid, i + 1, i + 3, n + 1, far)
        if i >= 0:
            minimum = min_change(near, far, edge, i + 2, n)
            change = np.int32(minimum - edge[i + 1])
            if change < best:
                j = find_change(near, far, edge, i + 2, minimum)
                best = change
                state[BEST], state[BEST_I], state[BEST_J] = change, i, j
                state[NEW_EDGE_I], state[NEW_EDGE_J] = near[j], far[j + 1]
            used += n - 2 - i
        i += 1
        near, far = far, near
    state[ROW] = i
    state[EVALUATIONS] += used
    return used


@njit(cache=True, nogil=True)
def scan(measure, climb, budget):
    """Evaluate moves, from the state's row on, until the scan ends or `budget` is used up.

    Row i contains the moves (i, j) for j = i + 2 to n - 1. With d_i, the distances from position i, a move's change is
    d_i[j] + d_(i+1)[j+1] minus its two old edges. The next row uses d_(i+1) again, so each move costs one distance.
    Returns the number of evaluated moves.
    """
    if measure.policy == GRID:
        return scan_rows(GRID, measure, climb, budget)
    if measure.policy == MATRIX:
        return scan_rows(MATRIX, measure, climb, budget)
    if measure.policy == EUC_2D:
        return scan_rows(EUC_2D, measure, climb, budget)
    if measure.policy == CEIL_2D:
        return scan_rows(CEIL_2D, measure, climb, budget)
    return scan_rows(ATT, measure, climb, budget)


@njit(cache=True, nogil=True)
def take_best(measure, climb, log):
    """Apply and record the best move of a finished scan, and prepare the next scan.

    The move reverses positions i + 1 to j of the tour and of the data stored along it.
    """
    path, state, m = climb.path, climb.state, climb.state[RECORDED]
    i, j, n = state[BEST_I], state[BEST_J], path.city.size - 1
    log.i[m], log.j[m], log.delta[m] = i, j, state[BEST]
    reverse(path.city, i + 1, j)
    reverse(path.edge, i + 2, j)
    path.city[n] = path.city[0]
    path.edge[i + 1], path.edge[j + 1] = state[NEW_EDGE_I], state[NEW_EDGE_J]
    lay(measure, path, i + 1, j + 1)
    state[LENGTH] += state[BEST]
    state[RECORDED] += 1
    state[MOVES] += 1
    state[BEST] = 0
    state[ROW] = 0


@njit(cache=True, nogil=True)
def begin(measure, climb, seed, start):
    """Set the climber to its start tour: `start` for climber 0 unless empty, otherwise a random tour."""
    path, state = climb.path, climb.state
    n = path.city.size - 1
    if state[CLIMBER] == 0 and start.size == n:
        path.city[:n] = start
    else:
        random_tour(seed, state[CLIMBER], n, path.city)
    prepare(measure, climb)


@njit(cache=True, nogil=True)
def prepare(measure, climb):
    """Prepare the first scan of the tour in ``path.city[:n]``."""
    path, state = climb.path, climb.state
    state[LENGTH] = lay_tour(measure, path)
    state[ROW] = 0
    state[BEST] = 0
    state[MOVES] = 0
    state[EVALUATIONS] = 0


@njit(cache=True, nogil=True)
def finish(climb, log):
    """Log a climber that has reached its local optimum, and go on to the next."""
    state, k = climb.state, climb.state[FINISHED]
    log.length[k], log.moves[k], log.evaluations[k] = state[LENGTH], state[MOVES], state[EVALUATIONS]
    log.order[k] = climb.path.city[:-1]
    state[FINISHED] += 1
    state[CLIMBER] += 1
    state[ROW] = -1


@njit(cache=True, nogil=True)
def advance(measure, climb, log, seed, start, last, budget):
    """Climb for one slice.

    Parameters
    ----------
    measure : Measure
    climb : Climb
        Changed in place; the result does not depend on where slices end.
    log : Log
        Written in place; the slice ends early when it is full.
    seed : uint64
    start : ndarray, shape (n,) or (0,), int32
        The start tour of climber 0; empty for a random one.
    last : int
        The slice ends before this climber.
    budget : int
        The slice ends with the row in which this number of evaluated moves is reached.

    Returns
    -------
    int
        Number of evaluated moves.
    """
    state = climb.state
    state[FINISHED] = 0
    state[RECORDED] = 0
    n = climb.path.city.size - 1
    used = np.int64(0)
    while state[FINISHED] < log.length.size and state[RECORDED] < log.i.size:
        if state[ROW] < 0:
            if state[CLIMBER] >= last:
                break
            begin(measure, climb, seed, start)
        used += scan(measure, climb, budget - used)
        if state[ROW] >= n - 2:
            if state[BEST] < 0:
                take_best(measure, climb, log)
            else:
                finish(climb, log)
        if used >= budget:
            break
    return used
