"""Ant Colony System on one core: ants walk one after another, in resumable slices."""

import numpy as np

from solvers.algorithms.ants.acs.kernels.choice_cpu import choose
from solvers.algorithms.ants.acs.kernels.trails_cpu import local_update, record_between
from solvers.algorithms.ants.kernels.choice_cpu import DRAWS
from solvers.algorithms.ants.kernels.walk_cpu import ANT, LAST, VISITED, begin
from solvers.kernels.compiler import njit

_CLOSED = np.float32(0.0)


@njit(cache=True, nogil=True)
def advance(edges, walker, visits, tours, reached, rule, budget):
    """Continue the walks of one thread's ants for one slice.

    Parameters
    ----------
    edges : RaisedEdges
        If ``rule.racy``, its trails are changed in place.
    walker : Walker
        See `solvers.algorithms.ants.kernels.choice_cpu.Walker`; changed in place.
    visits : ndarray, shape (cap,), int32
        Number of ants that took each record's edge; incremented in place.
    tours : ndarray, shape (m * n,), int32
        The cities of each ant in visiting order; written in place.
    reached : ndarray, shape (m,), int32
        Number of cities that each ant has visited; written in place.
    rule : Rule
    budget : int
        Number of weights read after which the slice ends.
    """
    neighbours, eta, near, raised = edges.neighbours, edges.eta, edges.near, edges.raised
    ranked, bound, fitness, others, greatest = edges.ranked, edges.bound, edges.fitness, edges.others, edges.greatest
    ends, link, head = edges.ends, edges.link, edges.head
    slots, far_eta, trail = edges.slots, edges.far_eta, edges.trail
    n, stride, reach = np.uint64(edges.n), np.uint64(edges.stride), np.uint64(edges.reach)
    open_, values, lanes, state = walker.open_, walker.values, walker.lanes, walker.state
    ant, visited = np.uint64(state[ANT]), np.uint64(state[VISITED])
    used = np.int64(0)
    while ant < np.uint64(state[LAST]) and used < budget:
        stream, tour = np.uint64(rule.first_stream) + ant, ant * n
        if visited == np.uint64(0):
            tours[tour] = begin(open_, walker.unvisited, n, rule.seed, stream)
            visited = np.uint64(1)
        current = np.uint64(tours[tour + visited - np.uint64(1)])
        while visited <= n and used < budget:
            if visited < n:
                next_city, record, read = choose(
                    neighbours, near, ranked, bound, raised, fitness, others, greatest, ends, link, head, open_, values,
                    lanes, current, stride, reach, rule, stream, visited * np.uint64(DRAWS),
                )  # fmt: skip
                open_[next_city] = _CLOSED
                tours[tour + visited] = next_city
                used += read
            else:
                next_city = np.uint64(tours[tour])
                record = record_between(neighbours, raised, ends, link, head, reach, current, next_city)
            if record >= 0:
                visits[record] += np.int32(1)
                if rule.racy:
                    local_update(near, eta, fitness, far_eta, ends, slots, trail, stride, record, rule.keep)
            visited += np.uint64(1)
            current = next_city
        reached[ant] = min(visited, n)
        if visited > n:
            ant += np.uint64(1)
            visited = np.uint64(0)
    state[ANT], state[VISITED] = ant, visited
