"""Helpers for tests of ants: whole colonies, and one choice repeated from the same state."""

import numpy as np

from solvers.algorithms.ants.ant_system.cpu import AntSystemColony
from solvers.algorithms.ants.ant_system.params import AntSystemParams
from solvers.algorithms.ants.ant_system.variants import CPU_VARIANTS
from solvers.algorithms.ants.arrays_cpu import NUMBERS
from solvers.algorithms.ants.kernels import choice_cpu as selections
from solvers.algorithms.ants.kernels.draw_cpu import GROUPS, LANES, SEGMENT
from solvers.algorithms.ants.kernels.pheromone_cpu import separate_candidates, sum_prefixes
from solvers.algorithms.ants.kernels.walk_cpu import ANT, LAST, STATE, VISITED, advance
from solvers.core.solver import Job
from solvers.core.stop import Budget


def make_colony(instance, threads=1, seed=1, **params):
    """A colony before its first iteration; the caller closes it if it has more than one thread."""
    row = CPU_VARIANTS[0]
    return AntSystemColony(Job(instance, AntSystemParams(**params), seed, "cpu", Budget().start()), row, threads)


def iterate(colony, count):
    """The reports of the next iterations."""
    answer, until = [], colony.finished + count
    while colony.finished < until:
        if (found := colony.advance(until)) is not None:
            answer.append(found)
    return answer


def make_choice(fitness, candidates, trials=2, switch=None):
    """All that ants go by where the fitness of edges is as given.

    Parameters
    ----------
    fitness : ndarray, shape (n, n), float32
    candidates : ndarray, shape (n, k), int32
        Empty where the selection is another than nearest-first.
    trials, switch : int
    """
    n, k = candidates.shape
    stride = -(-n // LANES) * LANES
    rows = np.zeros((n, stride), np.float32)
    rows[:, :n] = fitness
    reach = max(1, -(-k // GROUPS)) * GROUPS
    padded = np.repeat(np.arange(n, dtype=np.int32)[:, None], reach, axis=1)
    padded[:, :k] = candidates
    switch = n if switch is None else switch
    choice = selections.Choice(
        rows.ravel(), np.zeros(n * stride, np.float32), np.zeros(n * stride // SEGMENT, np.float32), padded.ravel(),
        np.zeros(n * reach, np.float32), np.zeros(n, np.float32), n, stride, reach, trials, switch,
    )  # fmt: skip
    sum_prefixes(choice.fitness, choice.prefix, choice.coarse, stride, 0, n)
    if k:
        separate_candidates(choice.fitness, stride, choice.neighbours, choice.near, choice.others, reach, k, 0, n)
    return choice


def draws(selection, choice, visited, count, seed=1):
    """How often each city is chosen after the cities `visited`, in `count` choices, and the trials needed."""
    n, v = choice.n, len(visited)
    unvisited = np.setdiff1d(np.arange(n, dtype=np.int32), visited)
    open_ = np.zeros(choice.stride, np.float32)
    tours, reached = np.zeros(count * n, np.int32), np.zeros(count, np.int32)
    walker = selections.Walker(
        open_, np.zeros(n, np.int32), np.zeros(choice.stride + GROUPS, np.float32),
        np.zeros(LANES + GROUPS, np.float32), np.zeros(choice.trials + 1, np.int64), np.zeros(STATE, np.int64),
    )  # fmt: skip
    tours.reshape(count, n)[:, :v] = visited
    found: dict[int, int] = {}
    for ant in range(count):
        open_[unvisited] = 1.0
        walker.unvisited[: n - v] = unvisited
        walker.state[ANT], walker.state[LAST], walker.state[VISITED] = ant, ant + 1, v
        advance(NUMBERS[selection], choice, walker, tours, reached, np.uint64(seed), np.uint64(0), 1)
        city = int(tours[ant * n + v])
        found[city] = found.get(city, 0) + 1
    return found, walker.trials
