"""Resumable tabu search by 2-opt moves on one core.

F. Glover, "Tabu Search, Part I" (ORSA Journal on Computing 1, 1989) and "Part II" (ORSA Journal on Computing 2, 1990);
for the TSP, J. Knox, "Tabu Search Performance on the Symmetric Traveling Salesman Problem" (Computers & Operations
Research 21, 1994). Drawing the list's length again and again: E. Taillard, "Robust Taboo Search for the Quadratic
Assignment Problem" (Parallel Computing 17, 1991).
"""

from typing import NamedTuple

import numpy as np

from solvers.algorithms.annealing.kernels.chain_cpu import (
    BEST,
    FIRST_STEP,
    LENGTH,
    RECORDED,
    ROWS,
    SIGN,
    keep_best,
    lay_out,
    log_row,
    record,
)
from solvers.algorithms.annealing.kernels.return_cpu import prepare_return, step_back
from solvers.algorithms.tabu.kernels.edge_lists_cpu import ADDED, REMOVED, SIZE, clear, enter, shrink
from solvers.algorithms.tabu.kernels.scan_cpu import (
    CHANGE,
    FIRST,
    HELD,
    NO_MOVE,
    ROW,
    SECOND,
    STEPS,
    TENURE,
    scan_all,
    scan_near,
)
from solvers.kernels import scalar
from solvers.kernels.compiler import njit
from solvers.kernels.local_search_cpu import reverse

_MIN_CITIES = 4
_random_bits, _random_below = njit(scalar.random_bits), njit(scalar.random_below)


class Plan(NamedTuple):
    """Settings shared by all searches.

    Attributes
    ----------
    near : ndarray, shape (n, k), int32
        The nearest cities of each city; k is 0 to evaluate all moves.
    steps, row_every : int
        Number of steps of a search, and between two rows of its progress.
    low, high : int
        Minimum and maximum length of the list of removed edges, in moves.
    held : int
        Length of the list of added edges, in moves.
    redraw : int
        Number of steps after which a new length of the list of removed edges is drawn.
    both : bool
        Whether a move is tabu only if both edges that it adds are on the list.
    """

    near: np.ndarray
    steps: int
    row_every: int
    low: int
    high: int
    held: int
    redraw: int
    both: bool


@njit(cache=True, nogil=True)
def begin(measure, plan, search, seed, climber, start):
    """Start a search at its first tour; see `solvers.algorithms.annealing.kernels.chain_cpu.lay_out`."""
    lay_out(measure, search, seed, climber, start)
    state = search.state
    state[CHANGE] = NO_MOVE
    state[HELD] = plan.held
    clear(search.lists)
    draw_tenure(plan, state, seed, climber)
    if search.order.size < _MIN_CITIES:
        state[STEPS] = plan.steps


@njit(cache=True, nogil=True)
def draw_tenure(plan, state, seed, climber):
    """Every `redraw` steps, draw the length of the list of removed edges (Taillard, 1991, section 3)."""
    if state[STEPS] % plan.redraw == 0:
        bits = _random_bits(seed, climber, FIRST_STEP + np.uint64(state[STEPS]))
        state[TENURE] = plan.low + np.int64(_random_below(bits, np.uint64(plan.high - plan.low + 1)))


@njit(cache=True, nogil=True)
def make(search, log):
    """Make and record the best move of the scan, and enter its edges in the lists; return the work done."""
    order, state, lists, n = search.order, search.state, search.lists, search.order.size
    p, q, used = state[FIRST], state[SECOND], np.int64(0)
    if state[CHANGE] > 0:
        used += keep_best(search)
    a, b, c, d = order[p], order[p + 1], order[q], order[q + 1 if q + 1 < n else 0]
    enter(lists, REMOVED, a, b)
    enter(lists, REMOVED, c, d)
    enter(lists, ADDED, a, c)
    enter(lists, ADDED, b, d)
    inside = 2 * (q - p) <= n
    count = q - p if inside else n - (q - p)
    reverse(order, search.position, p + 1 if inside else (q + 1 if q + 1 < n else 0), np.uint32(count))
    record(state, log, n, p, q, inside, state[CHANGE], state[STEPS] + 1, float(state[TENURE]))
    return used + count


@njit(cache=True, nogil=True)
def step(plan, search, log, seed, climber):
    """End a step: make the best allowed move; if there is none, only remove the oldest edges from the lists."""
    state, lists = search.state, search.lists
    used = np.int64(0)
    if state[CHANGE] != NO_MOVE:
        used += make(search, log)
        shrink(lists, REMOVED, 2 * state[TENURE])
        shrink(lists, ADDED, 2 * state[HELD])
    else:
        shrink(lists, REMOVED, max(np.int64(0), lists.span[REMOVED, SIZE] - 2))
        shrink(lists, ADDED, max(np.int64(0), lists.span[ADDED, SIZE] - 2))
    state[STEPS] += 1
    state[ROW] = 0
    state[CHANGE] = NO_MOVE
    draw_tenure(plan, state, seed, climber)
    if state[STEPS] % plan.row_every == 0 or state[STEPS] == plan.steps:
        log_row(search, log)
    if state[STEPS] == plan.steps:
        used += keep_best(search)
        prepare_return(search)
    return used


@njit(cache=True, nogil=True)
def search_moves(measure, plan, search, log, seed, climber, work, limit):
    """Evaluate rows, and make a move after each scan, until the slice ends; return the work done.

    Parameters
    ----------
    work : int
        Amount of work after which to return: 1 per evaluated move and per reversed city.
    limit : int
        Number of evaluations after which to return.
    """
    state = search.state
    used, evaluated = np.int64(0), np.int64(0)
    rows = plan.near.shape[0] if plan.near.shape[1] else search.order.size - 2
    while state[STEPS] < plan.steps and used < work and evaluated < limit:
        if state[RECORDED] == log.i.size or state[ROWS] == len(log.rows):
            break
        if plan.near.shape[1]:
            done = scan_near(measure, plan.near, plan.both, search, min(work - used, limit - evaluated))
        else:
            done = scan_all(measure, plan.both, search, min(work - used, limit - evaluated))
        used += done
        evaluated += done
        if state[ROW] == rows:
            used += step(plan, search, log, seed, climber)
    keep_best(search)
    return used


@njit(cache=True, nogil=True)
def advance(measure, plan, chain, log, seed, climber, start, work, limit):
    """Search for one slice.

    Parameters
    ----------
    measure : Measure
    plan : Plan
    chain : Search
        Changed in place; the result does not depend on where slices end. A search starts if its `SIGN` is 0.
    log : solvers.algorithms.annealing.kernels.chain_cpu.Log
        Written in place; the slice ends early when it is full.
    seed, climber : uint64
    start : ndarray, shape (n,) or (0,), int32
        Start tour, if there is one.
    work, limit : int
        See `search_moves`.

    Returns
    -------
    tuple of int64 and bool
        Work done, and whether the search is over and back at its best tour.
    """
    state = chain.state
    state[ROWS] = 0
    if state[SIGN] == 0:
        begin(measure, plan, chain, seed, climber, start)
        log_row(chain, log)
    state[RECORDED] = 0
    used = np.int64(0)
    if state[STEPS] < plan.steps:
        used += search_moves(measure, plan, chain, log, seed, climber, work, limit)
    while state[STEPS] == plan.steps and used < work and state[RECORDED] < log.i.size:
        used += step_back(measure, chain, log, work - used)
        if state[LENGTH] == state[BEST]:
            return used, True
    return used, False
