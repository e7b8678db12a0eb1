"""Repeats the walk of one ant of Ant Colony System on one core, with the same draws, and records its choices.

The arithmetic is that of `solvers.ants.acs.kernels.choice_cpu`, so the tour is the same.
"""

import numpy as np

from solvers.ants.acs.kernels.choice_cpu import exploit
from solvers.ants.acs.kernels.trails_cpu import local_update, record_between
from solvers.ants.kernels.draw_cpu import GROUPS, LANES, uniform, weigh_open
from solvers.ants.kernels.retrace_cpu import (
    EXPLOIT,
    clear,
    near_weights,
    note,
    rank_near,
    rank_row,
    turn_lists,
    turn_nearest,
)
from solvers.ants.kernels.selection_cpu import DRAWS
from solvers.ants.kernels.walk_cpu import begin
from solvers.kernels.compiler import njit

_CLOSED, _ZERO = np.float32(0.0), np.float32(0.0)


@njit(cache=True, nogil=True)
def turn_exploit(trace, at, edges, open_, values, lanes, row, here, listed):
    """Record a choice of the greatest weight, with shares among the candidates, or else among all cities."""
    stride, reach = np.uint64(edges.stride), np.uint64(edges.reach)
    first, base = here * reach, here * stride
    total = near_weights(edges.neighbours, edges.near, open_, values, first, reach)
    rank_near(edges.neighbours, values, first, reach, trace.city[at], trace.share[at])
    if not listed or total == _ZERO:
        total = np.float32(total + weigh_open(edges.fitness, base, open_, stride, lanes))
        rank_row(edges.fitness, base, open_, stride, row, trace.city[at], trace.share[at])
    there, slot = exploit(
        edges.neighbours, edges.near, edges.ranked, edges.bound, edges.fitness, edges.greatest, open_, values, here,
        stride, reach, listed,
    )  # fmt: skip
    weight = edges.near[slot] if slot >= 0 else edges.fitness[base + there]
    note(trace, at, there, weight, total, EXPLOIT)
    return there


@njit(cache=True, nogil=True)
def turn(trace, at, edges, open_, values, lanes, row, here, listed, seed, stream, q0):
    """Record one choice."""
    stride, reach = np.uint64(edges.stride), np.uint64(edges.reach)
    step = (np.uint64(at) + np.uint64(1)) * np.uint64(DRAWS)
    q, first_draw = uniform(seed, stream, step), step + np.uint64(1)
    trace.q[at] = q
    if q <= q0:
        return turn_exploit(trace, at, edges, open_, values, lanes, row, here, listed)
    if listed:
        u = uniform(seed, stream, first_draw)
        return turn_lists(
            trace, at, edges.fitness, edges.neighbours, edges.near, open_, values, lanes, row, here, stride, reach, u
        )
    return turn_nearest(
        trace, at, edges.fitness, edges.neighbours, edges.near, edges.others, open_, values, lanes, row, here, stride,
        reach, seed, stream, first_draw,
    )  # fmt: skip


@njit(cache=True, nogil=True)
def retrace(edges, trace, tours, listed, seed, stream, q0, keep):
    """Repeat the walk of one ant.

    Parameters
    ----------
    edges : RaisedEdges
        As ants saw them at the start of the iteration; with `tours`, the visible trails are changed in place.
    trace : Trace
        Written in place; see `solvers.ants.kernels.retrace_cpu.Trace`.
    tours : ndarray, shape (m, n), int32
        The tours of all ants as they were built, if they walked in lockstep; else none, m = 0.
    listed, seed, q0, kept
        See `solvers.ants.acs.kernels.walk_cpu.advance`.
    stream : uint64
        The ant's random stream.
    """
    clear(trace)
    n = np.uint64(trace.order.size)
    open_, unvisited = np.zeros(edges.stride, np.float32), np.empty(edges.n, np.int32)
    values, row = np.empty(edges.stride + GROUPS, np.float32), np.empty(edges.stride, np.float32)
    lanes = np.empty(LANES + GROUPS, np.float32)
    here = begin(open_, unvisited, n, seed, stream)
    trace.order[0] = here
    for at in range(n - np.uint64(1)):
        here = turn(trace, at, edges, open_, values, lanes, row, here, listed, seed, stream, q0)
        open_[here] = _CLOSED
        for ant in range(np.uint64(len(tours))):
            left, taken = np.uint64(tours[ant, at]), np.uint64(tours[ant, at + np.uint64(1)])
            record = record_between(
                edges.neighbours, edges.raised, edges.ends, edges.link, edges.head, np.uint64(edges.reach), left, taken
            )
            if record >= 0:
                local_update(
                    edges.near, edges.eta, edges.fitness, edges.far_eta, edges.ends, edges.slots, edges.trail,
                    edges.stride, record, keep,
                )  # fmt: skip


@njit(cache=True, nogil=True)
def find_records(edges, order):
    """Find the record of each edge of a tour, or -1; (n,) int64."""
    n = np.uint64(order.size)
    records = np.empty(order.size, np.int64)
    for k in range(n):
        here = np.uint64(order[k])
        there = np.uint64(order[k + np.uint64(1) if k + np.uint64(1) < n else np.uint64(0)])
        records[k] = record_between(
            edges.neighbours, edges.raised, edges.ends, edges.link, edges.head, np.uint64(edges.reach), here, there
        )
    return records
