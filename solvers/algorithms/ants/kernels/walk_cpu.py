"""Ants' walks on one core, one after another, in resumable slices."""

import numpy as np

from solvers.algorithms.ants.kernels.choice_cpu import (
    DRAWS,
    HYBRID,
    I_ROULETTE,
    LISTS,
    NEAREST_FIRST,
    STOCHASTIC_TRIAL,
    WITH_COMPRESSION,
    i_roulette,
    lists,
    nearest_first,
    stochastic_trial,
    with_compression,
    without_compression,
)
from solvers.algorithms.ants.kernels.draw_cpu import uniform
from solvers.kernels import scalar
from solvers.kernels.compiler import njit

#: Indices into `Walker.state`: the current ant, the ant before which to stop, and the number of cities that the current
#: ant has visited.
ANT, LAST, VISITED, STATE = range(4)

_random_bits, _random_below = njit(scalar.random_bits), njit(scalar.random_below)
_CLOSED, _OPEN = np.float32(0.0), np.float32(1.0)


@njit(cache=True, nogil=True)
def begin(open_, unvisited, n, seed, stream):
    """Mark all cities as unvisited and draw the ant's start city."""
    for k in range(n):
        open_[k] = _OPEN
        unvisited[k] = k
    bits = _random_bits(np.uint64(seed), np.uint64(stream), np.uint64(0))
    city = np.uint64(_random_below(bits, np.uint64(n)))
    unvisited[city] = n - np.uint64(1)
    open_[city] = _CLOSED
    return city


@njit(cache=True, nogil=True)
def compress(open_, unvisited, n):
    """List the unvisited cities."""
    unvisited_count = np.uint64(0)
    for k in range(n):
        if open_[k] > _CLOSED:
            unvisited[unvisited_count] = k
            unvisited_count += np.uint64(1)


@njit(cache=True, nogil=True)
def advance(selection, choice, walker, tours, reached, seed, first_stream, budget):
    """Continue the walks of one thread's ants for one slice.

    Parameters
    ----------
    selection : int
        One of the numbers of `solvers.algorithms.ants.kernels.choice_cpu`.
    choice : Choice
    walker : Walker
        Changed in place; the result does not depend on where slices end.
    tours : ndarray, shape (m * n,), int32
        The cities of each ant in visiting order; written in place.
    reached : ndarray, shape (m,), int32
        Number of cities that each ant has visited; written in place.
    seed : uint64
    first_stream : uint64
        Random stream of ant 0; ant a uses stream `first_stream` + a.
    budget : int
        Number of choices after which the slice ends.

    Returns
    -------
    int
        Number of choices made.
    """
    fitness, prefix, coarse = choice.fitness, choice.prefix, choice.coarse
    neighbours, near, others = choice.neighbours, choice.near, choice.others
    n, stride, maximum = np.uint64(choice.n), np.uint64(choice.stride), np.uint64(choice.trials)
    switch = np.uint64(max(1, choice.switch))
    open_, unvisited, values, trials, state = walker.open_, walker.unvisited, walker.values, walker.trials, walker.state
    lanes, reach = walker.lanes, np.uint64(choice.reach)
    ant, visited = np.uint64(state[ANT]), np.uint64(state[VISITED])
    used = np.int64(0)
    while ant < np.uint64(state[LAST]) and used < budget:
        stream, tour = np.uint64(first_stream) + ant, ant * n
        if visited == np.uint64(0):
            tours[tour] = begin(open_, unvisited, n, seed, stream)
            visited = np.uint64(1)
        current = np.uint64(tours[tour + visited - np.uint64(1)])
        while visited < n and used < budget:
            step = visited * np.uint64(DRAWS)
            if selection == NEAREST_FIRST:
                current = nearest_first(
                    fitness, neighbours, near, others, open_, values, lanes, current, stride, reach, seed, stream, step
                )
            elif selection == LISTS:
                u = uniform(seed, stream, step)
                current = lists(fitness, neighbours, near, open_, values, current, stride, reach, u)
            elif selection == I_ROULETTE:
                current = i_roulette(fitness, open_, values, current, stride, seed, stream, visited)
            elif selection == STOCHASTIC_TRIAL or (selection == HYBRID and visited < switch):
                current = stochastic_trial(
                    fitness, prefix, coarse, open_, lanes, trials, current, stride, maximum, seed, stream, step
                )
            elif selection in (WITH_COMPRESSION, HYBRID):
                if selection == HYBRID and visited == switch:
                    compress(open_, unvisited, n)
                unvisited_count = n - visited
                u = uniform(seed, stream, step)
                current = with_compression(fitness, unvisited, values, lanes, current, stride, unvisited_count, u)
            else:
                current = without_compression(fitness, open_, lanes, current, stride, uniform(seed, stream, step))
            open_[current] = _CLOSED
            tours[tour + visited] = current
            visited += np.uint64(1)
            used += 1
        reached[ant] = visited
        if visited == n:
            ant += np.uint64(1)
            visited = np.uint64(0)
    state[ANT], state[VISITED] = ant, visited
    return used
