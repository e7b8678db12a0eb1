"""Selection rules by which a block chooses an ant's next city, with a common interface.

A. Uchida, Y. Ito and K. Nakano, "An Efficient GPU Implementation of Ant Colony Optimization for the Traveling Salesman
Problem" (2012), section IV.B: p(j) = fitness(i, j) / sum of fitness(i, k) over the unvisited cities k (eq. 2).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from numba import float32, uint32

from solvers.algorithms.ants.ant_system.kernels import i_roulette_cuda
from solvers.algorithms.ants.ant_system.kernels.roulette_cuda import build_roulette
from solvers.algorithms.ants.ant_system.kernels.stochastic_trial_cuda import build_trials
from solvers.algorithms.ants.ant_system.kernels.unvisited_cuda import LISTED, WHOLE, list_cities, list_open, mark
from solvers.algorithms.ants.kernels.random_cuda import DRAWS
from solvers.kernels.device_cuda import cuda, device
from solvers.kernels.warp_cuda import NO_CITY


class Selection(NamedTuple):
    """The device functions of a selection rule; all threads of a block call them together.

    Attributes
    ----------
    begin : callable
        ``begin(n, city, cities, visited)``: prepare for the first choice of an ant that starts in `city`.
    choose : callable
        ``choose(fitness, prefix, row, n, p, state, sums, cities, visited, counts) -> city``: choose the city of
        position p for an ant in the city whose row begins at `row`, and mark it as visited.
    """

    begin: Callable[..., Any]
    choose: Callable[..., Any]


@device
def _begin_whole(n, city, cities, visited):
    k = uint32(cuda.threadIdx.x)
    while k < (n + uint32(31)) >> uint32(5):
        visited[k] = uint32(0)
        k += uint32(cuda.blockDim.x)
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        mark(visited, city)
    cuda.syncthreads()


@device
def _begin_listed(n, city, cities, visited):
    list_cities(n, cities)
    if cuda.threadIdx.x == 0:
        cities[city] = cities[n - uint32(1)]
    cuda.syncthreads()


def build_without_compression() -> Selection:
    """Build a roulette over all cities (section IV.B.1)."""
    spin = build_roulette(WHOLE)

    @device
    def choose(fitness, prefix, row, n, p, state, sums, cities, visited, counts):
        return spin(fitness, row, n, state, p * uint32(DRAWS), sums, cities, visited)

    return Selection(_begin_whole, choose)


def build_with_compression() -> Selection:
    """Build a roulette over the unvisited cities alone (section IV.B.2)."""
    spin = build_roulette(LISTED)

    @device
    def choose(fitness, prefix, row, n, p, state, sums, cities, visited, counts):
        return spin(fitness, row, n - p, state, p * uint32(DRAWS), sums, cities, visited)

    return Selection(_begin_listed, choose)


def build_stochastic_trial(trials: int, at_once: bool) -> Selection:
    """Build trials on the prefix sums of whole rows, and a roulette if all trials fail (section IV.B.3)."""
    attempt, spin = build_trials(trials, at_once), build_roulette(WHOLE)

    @device
    def choose(fitness, prefix, row, n, p, state, sums, cities, visited, counts):
        city = attempt(prefix, row, n, p, state, visited, counts)
        if city == uint32(NO_CITY):
            city = spin(fitness, row, n, state, p * uint32(DRAWS) + uint32(trials), sums, cities, visited)
        return city

    return Selection(_begin_whole, choose)


def build_hybrid(trials: int, switch_percent: float, at_once: bool) -> Selection:
    """Build stochastic trials until `switch_percent` of the cities are visited, then a roulette (section IV.B.4)."""
    first_choice, later_choice = build_stochastic_trial(trials, at_once).choose, build_with_compression().choose

    @device
    def choose(fitness, prefix, row, n, p, state, sums, cities, visited, counts):
        now = float32(p) * float32(100.0) < float32(n) * float32(switch_percent)
        if now:
            return first_choice(fitness, prefix, row, n, p, state, sums, cities, visited, counts)
        before = float32(p - uint32(1)) * float32(100.0) < float32(n) * float32(switch_percent)
        if before or p == uint32(1):
            list_open(n, cities, visited)
        return later_choice(fitness, prefix, row, n, p, state, sums, cities, visited, counts)

    return Selection(_begin_whole, choose)


def build_i_roulette() -> Selection:
    """Build I-Roulette, which takes the greatest product of fitness and random number (Cecilia et al., 2013)."""

    @device
    def choose(fitness, prefix, row, n, p, state, sums, cities, visited, counts):
        return i_roulette_cuda.choose_city(fitness, row, n, p, state, visited)

    return Selection(_begin_whole, choose)


def build_selection(name: str, trials: int, switch_percent: float, at_once: bool = True) -> Selection:
    """Build a selection by its name in `solvers.algorithms.ants.variants.SELECTIONS`."""
    return {
        "without-compression": build_without_compression,
        "with-compression": build_with_compression,
        "stochastic-trial": lambda: build_stochastic_trial(trials, at_once),
        "hybrid": lambda: build_hybrid(trials, switch_percent, at_once),
        "i-roulette": build_i_roulette,
    }[name]()
