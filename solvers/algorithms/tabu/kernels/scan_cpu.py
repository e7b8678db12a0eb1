"""Finds the best 2-opt move that is not tabu, among all pairs of edges or near cities; resumable."""

from typing import NamedTuple

import numpy as np

from solvers.algorithms.annealing.kernels.chain_cpu import BEST, EVALUATIONS, LENGTH
from solvers.algorithms.annealing.kernels.chain_cpu import STATE as _SHARED_STATE
from solvers.algorithms.tabu.kernels.edge_lists_cpu import ADDED, REMOVED, EdgeLists, holds
from solvers.kernels import scalar
from solvers.kernels.compiler import njit
from solvers.kernels.distance_rows_cpu import ATT, CEIL_2D, EUC_2D, GRID, MATRIX

#: Indices of `Search.state` after those shared with chains of annealing: the row of the scan; the best move so far,
#: with its change and its positions; the number of steps so far; the lengths of the two lists, in moves; the number of
#: cities of the relocated path.
ROW, CHANGE, FIRST, SECOND, STEPS, TENURE, HELD, PATH, STATE = range(_SHARED_STATE, _SHARED_STATE + 9)
_euc_2d, _ceil_2d = njit(scalar.euc_2d), njit(scalar.ceil_2d)
_att, _euc_2d_grid = njit(scalar.att), njit(scalar.euc_2d_grid)
#: The change in length that stands for no move.
NO_MOVE = np.int64(1) << np.int64(62)


class Search(NamedTuple):
    """The state of a running search between two slices.

    Attributes
    ----------
    order, position : ndarray, shape (n,), int32
        The tour, and the position of each city.
    best : ndarray, shape (n,), int32
        The best tour so far; see `solvers.algorithms.annealing.kernels.chain_cpu.keep_best`.
    state : ndarray, shape (STATE,), int64
    lists : EdgeLists
    """

    order: np.ndarray
    position: np.ndarray
    best: np.ndarray
    state: np.ndarray
    lists: EdgeLists


@njit(cache=True, nogil=True)
def is_tabu(lists, both, a, b, c, d):
    """Return whether replacing edges (a, b) and (c, d) by (a, c) and (b, d) is tabu.

    It is tabu if it adds an edge that was recently removed (with `both`, two such edges), or removes one that was
    recently added.
    """
    if holds(lists, REMOVED, a, c):
        if not both or holds(lists, REMOVED, b, d):
            return True
    elif not both and holds(lists, REMOVED, b, d):
        return True
    return holds(lists, ADDED, a, b) or holds(lists, ADDED, c, d)


@njit(forceinline=True)
def between(policy, matrix, points, grid, a, b):
    """Return the distance between two cities; with a constant policy, the compiler removes branches."""
    if policy == GRID:
        return _euc_2d_grid(np.int32(grid[0, a] - grid[0, b]), np.int32(grid[1, a] - grid[1, b]))
    if policy == EUC_2D:
        return _euc_2d(points[0, a] - points[0, b], points[1, a] - points[1, b])
    if policy == CEIL_2D:
        return _ceil_2d(points[0, a] - points[0, b], points[1, a] - points[1, b])
    if policy == ATT:
        return _att(points[0, a] - points[0, b], points[1, a] - points[1, b])
    return matrix[a, b]


@njit(cache=True, nogil=True)
def is_allowed(search, both, change, a, b, c, d):
    """Return whether a move is allowed: it is not tabu, or it gives a new best tour.

    The second case is Glover's (1989) aspiration by objective.
    """
    state = search.state
    if state[LENGTH] + change < min(state[BEST], state[LENGTH]):
        return True
    return not is_tabu(search.lists, both, a, b, c, d)


@njit(forceinline=True)
def rows_all(policy, measure, both, search, work):
    """Run `scan_all` for a constant policy."""
    matrix, points, grid = measure.matrix, measure.points, measure.grid
    order, state, n = search.order, search.state, search.order.size
    p, used, best = state[ROW], np.int64(0), state[CHANGE]
    while p < n - 2 and used < work:
        a, b, c = order[p], order[p + 1], order[p + 2]
        ab = np.int64(between(policy, matrix, points, grid, a, b))
        last = n - 1 if p else n - 2
        for q in range(p + 2, last + 1):
            d = order[q + 1 if q + 1 < n else 0]
            change = np.int64(between(policy, matrix, points, grid, a, c)) - ab
            change += between(policy, matrix, points, grid, b, d)
            change -= between(policy, matrix, points, grid, c, d)
            if change < best and is_allowed(search, both, change, a, b, c, d):
                best = change
                state[FIRST], state[SECOND] = p, q
            c = d
        used += last - p - 1
        p += 1
    state[ROW], state[CHANGE] = p, best
    state[EVALUATIONS] += used
    return used


@njit(forceinline=True)
def rows_near(policy, measure, near, both, search, work):
    """Run `scan_near` for a constant policy."""
    matrix, points, grid = measure.matrix, measure.points, measure.grid
    order, position, state, n = search.order, search.position, search.state, search.order.size
    a, used, best = state[ROW], np.int64(0), state[CHANGE]
    while a < n and used < work:
        p = np.int64(position[a])
        before = p - 1 if p else n - 1
        ahead, after = order[p + 1 if p + 1 < n else 0], order[before]
        to_ahead = np.int64(between(policy, matrix, points, grid, a, ahead))
        to_behind = np.int64(between(policy, matrix, points, grid, after, a))
        for k in range(near.shape[1]):
            c = near[a, k]
            joined = np.int64(between(policy, matrix, points, grid, a, c))
            q = np.int64(position[c])
            d = order[q + 1 if q + 1 < n else 0]
            if c != ahead and d != a:
                change = joined - to_ahead + between(policy, matrix, points, grid, ahead, d)
                change -= between(policy, matrix, points, grid, c, d)
                if change < best and is_allowed(search, both, change, a, ahead, c, d):
                    best = change
                    state[FIRST], state[SECOND] = min(p, q), max(p, q)
            earlier = q - 1 if q else n - 1
            d = order[earlier]
            if c != after and d != a:
                change = joined - to_behind + between(policy, matrix, points, grid, after, d)
                change -= between(policy, matrix, points, grid, c, d)
                if change < best and is_allowed(search, both, change, after, a, d, c):
                    best = change
                    state[FIRST], state[SECOND] = min(before, earlier), max(before, earlier)
        used += 2 * near.shape[1]
        a += 1
    state[ROW], state[CHANGE] = a, best
    state[EVALUATIONS] += used
    return used


@njit(cache=True, nogil=True, shared=True)
def scan_all(measure, both, search, work):
    """Evaluate moves row by row from the state's row, until the scan ends or `work` is done; return the work done.

    Row p contains the moves that remove the edge after position p and a later one.
    """
    if measure.policy == MATRIX:
        return rows_all(MATRIX, measure, both, search, work)
    if measure.policy == GRID:
        return rows_all(GRID, measure, both, search, work)
    if measure.policy == EUC_2D:
        return rows_all(EUC_2D, measure, both, search, work)
    if measure.policy == CEIL_2D:
        return rows_all(CEIL_2D, measure, both, search, work)
    return rows_all(ATT, measure, both, search, work)


@njit(cache=True, nogil=True, shared=True)
def scan_near(measure, near, both, search, work):
    """Do as `scan_all`, but evaluate only moves that join near cities; row a has the moves of city a."""
    if measure.policy == MATRIX:
        return rows_near(MATRIX, measure, near, both, search, work)
    if measure.policy == GRID:
        return rows_near(GRID, measure, near, both, search, work)
    if measure.policy == EUC_2D:
        return rows_near(EUC_2D, measure, near, both, search, work)
    if measure.policy == CEIL_2D:
        return rows_near(CEIL_2D, measure, near, both, search, work)
    return rows_near(ATT, measure, near, both, search, work)
