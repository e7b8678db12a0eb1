"""Resumable best-improvement insertions of directed tours on one core, instead of 2-opt moves.

A 2-opt move reverses part of the tour. On a directed instance this changes every edge in that part. So a move here
takes up to three consecutive cities elsewhere, in the same direction: P. C. Kanellakis and C. H. Papadimitriou, "Local
Search for the Asymmetric Traveling Salesman Problem" (Operations Research 28, 1980), with the paths of Or-opt (I. Or,
1976). Slices and state are as in `solvers.algorithms.two_opt.kernels.climb_cpu`. A move is recorded as three reversals,
which are 2-opt moves.
"""

import numpy as np

from solvers.algorithms.annealing.kernels.insertion_cpu import MAX_PATH_CITIES, REVERSALS, reverse_range
from solvers.algorithms.two_opt.kernels.climb_cpu import (
    BEST,
    BEST_I,
    BEST_J,
    CLIMBER,
    EVALUATIONS,
    FINISHED,
    LENGTH,
    MOVES,
    NEW_EDGE_I,
    RECORDED,
    ROW,
    begin,
    finish,
)
from solvers.kernels.compiler import njit


@njit(cache=True, nogil=True)
def scan(matrix, climb, budget):
    """Evaluate insertions, from the state's row on, until the scan ends or `budget` is used up.

    Row s contains the insertions of the paths that start at position s. The best insertion is stored as s (`BEST_I`),
    the position before the path's new place (`BEST_J`), and the path's length (`NEW_EDGE_I`). Returns the number of
    evaluated insertions.
    """
    city, state = climb.path.city, climb.state
    n, used, s = city.size - 1, np.int64(0), state[ROW]
    while s < n and used < budget:
        before, first = city[s - 1 if s > 0 else n - 1], city[s]
        for length in range(1, min(MAX_PATH_CITIES, n - 2) + 1):
            last, after = city[(s + length - 1) % n], city[(s + length) % n]
            removed = np.int64(matrix[before, after]) - matrix[before, first] - matrix[last, after]
            x = (s + length) % n
            for _ in range(n - 1 - length):
                left, right = city[x], city[x + 1]
                change = removed + matrix[left, first] + matrix[last, right] - matrix[left, right]
                if change < state[BEST]:
                    state[BEST], state[BEST_I], state[BEST_J], state[NEW_EDGE_I] = change, s, x, length
                x = x + 1 if x + 1 < n else 0
            used += n - 1 - length
        s += 1
    state[ROW] = s
    state[EVALUATIONS] += used
    return used


@njit(cache=True, nogil=True)
def _reverse(matrix, climb, log, first, last):
    """Reverse positions `first` to `last`, and record this as a 2-opt move."""
    state, m = climb.state, climb.state[RECORDED]
    delta = reverse_range(matrix, climb.path.city[:-1], first, last)
    log.i[m], log.j[m], log.delta[m] = first - 1, last, delta
    state[RECORDED] += 1
    state[MOVES] += 1
    state[LENGTH] += delta


@njit(cache=True, nogil=True)
def take_best(matrix, climb, log):
    """Apply and record the best insertion of a finished scan, and prepare the next scan.

    The path, the cities between it and its new place, and the other cities form a cycle of three parts. Swapping any
    two of them gives the same cycle, so the part with position 0 stays in place and the other two are swapped.
    """
    state, n = climb.state, climb.path.city.size - 1
    s, x, length = state[BEST_I], state[BEST_J], state[NEW_EDGE_I]
    between = (x - s - length + 1) % n
    begins, lengths = (s, (s + length) % n, (x + 1) % n), (length, between, n - length - between)
    for k in range(3):
        if begins[k] == 0 or begins[k] + lengths[k] > n:
            one, other = (k + 1) % 3, (k + 2) % 3
            first, middle = begins[one], begins[one] + lengths[other]
            end = begins[one] + lengths[one] + lengths[other] - 1
            _reverse(matrix, climb, log, first, end)
            _reverse(matrix, climb, log, first, middle - 1)
            _reverse(matrix, climb, log, middle, end)
            break
    climb.path.city[n] = climb.path.city[0]
    state[BEST] = 0
    state[ROW] = 0


@njit(cache=True, nogil=True)
def advance(measure, climb, log, seed, start, last, budget):
    """Climb for one slice; see `solvers.algorithms.two_opt.kernels.climb_cpu.advance`."""
    state = climb.state
    state[FINISHED] = 0
    state[RECORDED] = 0
    n = climb.path.city.size - 1
    used = np.int64(0)
    while state[FINISHED] < log.length.size and state[RECORDED] + REVERSALS <= log.i.size:
        if state[ROW] < 0:
            if state[CLIMBER] >= last:
                break
            begin(measure, climb, seed, start)
        used += scan(measure.matrix, climb, budget - used)
        if state[ROW] >= n:
            if state[BEST] < 0:
                take_best(measure.matrix, climb, log)
            else:
                finish(climb, log)
        if used >= budget:
            break
    return used
