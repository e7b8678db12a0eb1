"""Lockstep walks of Ant Colony System on the CPU: in each step all ants choose, then all update the trails."""

from typing import NamedTuple

import numpy as np

from solvers.algorithms.ants.acs.kernels.choice_cpu import choose
from solvers.algorithms.ants.acs.kernels.trails_cpu import local_update, record_between
from solvers.algorithms.ants.kernels.choice_cpu import DRAWS
from solvers.algorithms.ants.kernels.draw_cpu import GROUPS, LANES
from solvers.algorithms.ants.kernels.walk_cpu import begin
from solvers.kernels.compiler import njit
from solvers.kernels.threads_cpu import enter, leave, wait_for_threads

_CLOSED = np.float32(0.0)


class Walks(NamedTuple):
    """The walks of all ants; changed in place.

    Attributes
    ----------
    open_ : ndarray, shape (m, stride), float32
        One row per ant: 1 for each unvisited city, 0 for each visited one.
    tours : ndarray, shape (m, n), int32
    used_edges : ndarray, shape (m,), int32
        The record of each ant's latest edge, or -1.
    visits : ndarray, shape (cap,), int32
        Number of ants that took each record's edge.
    """

    open_: np.ndarray
    tours: np.ndarray
    used_edges: np.ndarray
    visits: np.ndarray


@njit(cache=True, nogil=True)
def begin_all(walks, unvisited, rule, first, last):
    """Draw the start cities of ants `first` to `last` - 1; `unvisited` is a buffer of n int32 values."""
    n = walks.tours.shape[1]
    for ant in range(first, last):
        stream = np.uint64(rule.first_stream) + np.uint64(ant)
        walks.tours[ant, 0] = begin(walks.open_[ant], unvisited, n, rule.seed, stream)


@njit(cache=True, nogil=True)
def choose_step(edges, walks, position, rule, first, last):
    """Let ants `first` to `last` - 1 choose the city at one tour position; at position n they close their tours.

    Parameters
    ----------
    edges : RaisedEdges
    walks : Walks
    position : int
        From 1 to n.
    rule : solvers.algorithms.ants.acs.kernels.choice_cpu.Rule
    first, last : int

    Returns
    -------
    int
        Maximum number of weights read.
    """
    neighbours, near, raised, ranked, bound = edges.neighbours, edges.near, edges.raised, edges.ranked, edges.bound
    fitness, others, greatest = edges.fitness, edges.others, edges.greatest
    ends, link, head = edges.ends, edges.link, edges.head
    n, stride, reach = np.uint64(edges.n), np.uint64(edges.stride), np.uint64(edges.reach)
    open_, tours, used_edges = walks.open_, walks.tours, walks.used_edges
    position, used = np.uint64(position), np.int64(0)
    values, lanes = np.empty(edges.stride + GROUPS, np.float32), np.empty(LANES + GROUPS, np.float32)
    for ant in range(first, last):
        current = np.uint64(tours[ant, position - np.uint64(1)])
        if position < n:
            stream, step = np.uint64(rule.first_stream) + np.uint64(ant), position * np.uint64(DRAWS)
            next_city, record, read = choose(
                neighbours, near, ranked, bound, raised, fitness, others, greatest, ends, link, head, open_[ant],
                values, lanes, current, stride, reach, rule, stream, step,
            )  # fmt: skip
            open_[ant, next_city] = _CLOSED
            tours[ant, position] = next_city
            used += read
        else:
            record = record_between(neighbours, raised, ends, link, head, reach, current, np.uint64(tours[ant, 0]))
        used_edges[ant] = record
    return used


@njit(cache=True, nogil=True)
def change_step(edges, used_edges, visits, keep):
    """Apply all ants' local updates after a step, and count the visits to each record's edge."""
    near, eta, fitness, far_eta = edges.near, edges.eta, edges.fitness, edges.far_eta
    ends, slots, trail, stride = edges.ends, edges.slots, edges.trail, edges.stride
    for record in used_edges:
        if record >= 0:
            visits[record] += np.int32(1)
            local_update(near, eta, fitness, far_eta, ends, slots, trail, stride, record, keep)


@njit(cache=True, nogil=True)
def walk_in_step(edges, walks, position, until, rule, shared, threads, first, last):
    """Do one thread's part of the steps for tour positions `position` to `until` - 1.

    Y. Qin and D. Han, "Parallel TSP Solvers" (2022), section 2.4.1: threads update each edge in a critical section.
    They wait for each other twice per step: when all ants have chosen, and when all trails are updated.

    Parameters
    ----------
    edges, walks, rule
        See `choose_step`; there are no candidate lists.
    position, until : int
    shared : ndarray, shape (SHARED,), int64
        See `solvers.kernels.threads_cpu`.
    threads : int
        Number of threads that call this together.
    first, last : int
        The thread's own ants.
    """
    while position < until:
        choose_step(edges, walks, position, rule, first, last)
        wait_for_threads(shared, threads)
        for ant in range(first, last):
            enter(shared)
            change_step(edges, walks.used_edges[ant : ant + 1], walks.visits, rule.keep)
            leave(shared)
        wait_for_threads(shared, threads)
        position += 1


@njit(cache=True, nogil=True)
def advance(edges, walks, position, rule, budget):
    """Advance all ants in lockstep for one slice; return the next tour position.

    Parameters
    ----------
    edges, walks, position, rule
        See `choose_step`; `position` is the next tour position.
    budget : int
        Number of weights to read; the slice ends with the step that reaches it.
    """
    used = np.int64(0)
    while position <= walks.tours.shape[1] and used < budget:
        used += choose_step(edges, walks, position, rule, 0, walks.tours.shape[0])
        change_step(edges, walks.used_edges, walks.visits, rule.keep)
        position += 1
    return position
