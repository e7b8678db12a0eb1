"""Makes a tour of a few cities in one call: a greedy tour, which is improved to a local optimum and then kicked.

If threads made such tours in slices, each would hold the interpreter for a quarter of a millisecond per tour. In that
time, sixteen threads make a tour of a thousand cities.
"""

import numpy as np

from solvers.algorithms.lin_kernighan.kernels.chain_cpu import first_position, run_kicks
from solvers.algorithms.lin_kernighan.kernels.merge_cpu import measure_tour
from solvers.algorithms.lin_kernighan.kernels.search_cpu import (
    BEST,
    CLOSING,
    EVALUATED,
    KICKS,
    LENGTH,
    NO_TARGET,
    QUEUED,
    RECORDED,
    STATE,
    TARGET,
    Chain,
    Search,
    descend,
)
from solvers.algorithms.lin_kernighan.kernels.start_cpu import single_cities
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import MARKS, PLAN, ROW, Tour
from solvers.algorithms.lin_kernighan.kernels.varied_cpu import varied_greedy
from solvers.kernels.compiler import njit

#: Maximum number of candidates per city.
MAX_CANDIDATES = 30
#: Maximum number of exchanges per kick, including its repair, and per slice; small, because nobody reads the record.
_LOGGED, _RECORDED = 256, 512
_NO_LIMIT = 1 << 62


@njit(cache=True, nogil=True)
def allocate(order, length, breadth, shape, first, keeps_best, recorded):
    """Allocate a search that starts at a tour, with all cities in the queue.

    Parameters
    ----------
    order : ndarray, shape (n,), int32
    length : int
    breadth, shape : ndarray
        See `solvers.algorithms.lin_kernighan.kernels.search_cpu.Search`.
    first : int
        Position of the first city in the queue.
    keeps_best : bool
        Whether to allocate a best tour besides the current one.
    recorded : int
        Maximum number of exchanges per slice.

    Returns
    -------
    tour : Tour
    search : Search
    chain : Chain
    """
    n = order.size
    position, queue = np.empty(n, np.int32), np.empty(n, np.int32)
    for p in range(n):
        position[order[p]] = p
        queue[p] = order[p + first if p + first < n else p + first - n]
    tour = Tour(
        order.copy(), position, np.empty((_LOGGED, ROW), np.int32), np.empty(4 * n, np.int32), np.zeros(MARKS, np.int64)
    )
    option = np.zeros((breadth.size, 2 * MAX_CANDIDATES + 1, 2), np.int64)
    search = Search(np.zeros((PLAN, 16), np.int64), option, np.zeros((CLOSING, 2), np.int64), breadth, shape)
    best = order[: n if keeps_best else 0].copy()
    chain = Chain(queue, np.ones(n, np.bool_), np.empty((recorded, ROW), np.int32), best, np.zeros(STATE, np.int64))
    chain.state[QUEUED], chain.state[LENGTH] = n, length
    return tour, search, chain


@njit(cache=True, nogil=True)
def make_tour(cities, prices, maximum_increase, seeds, breadth, shape, kicks, steps, temperature, order):
    """Make the same tour as a `solvers.algorithms.lin_kernighan.cpu.LocalSearch` that starts at the greedy tour.

    Parameters
    ----------
    cities : Cities
    prices, maximum_increase
        See `solvers.algorithms.lin_kernighan.kernels.varied_cpu.varied_greedy`.
    seeds : ndarray, shape (2,), uint64
        The seeds of the greedy tour and of the kicks.
    breadth, shape
        See `allocate`.
    kicks, steps : int
        See `solvers.algorithms.lin_kernighan.kernels.chain_cpu.run_kicks`.
    temperature : float
        The temperature, in units of the mean edge length.
    order : ndarray, shape (n,), int32
        Written in place.

    Returns
    -------
    length, evaluated : int
    """
    n, (policy, matrix, points, near, near_distance) = order.size, cities
    degree, link, tail = single_cities(order.size)
    varied_greedy(
        policy, matrix, points, near, near_distance, prices, seeds[0], maximum_increase, degree, link, tail, order
    )
    length = measure_tour(policy, matrix, points, order)
    first = first_position(seeds[1], n)
    tour, search, chain = allocate(order, length, breadth, shape, first, temperature > 0, _RECORDED)
    state = chain.state
    state[TARGET] = NO_TARGET
    while state[QUEUED] > 0:
        state[RECORDED] = 0
        state[LENGTH] += descend(cities, tour, search, chain, False, _NO_LIMIT)
    state[BEST] = before = state[LENGTH]
    heat, everywhere = temperature * abs(state[LENGTH]) / n, np.empty(0, np.int32)
    while state[KICKS] < kicks:
        state[RECORDED] = 0
        run_kicks(cities, tour, search, chain, everywhere, seeds[1], kicks, steps, heat, _NO_LIMIT)
    best = state[BEST] < min(before, state[LENGTH])
    order[:] = chain.best if best else tour.order
    return state[BEST] if best else state[LENGTH], state[EVALUATED]
