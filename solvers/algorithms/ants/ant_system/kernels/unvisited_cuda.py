"""A block's record of an ant's unvisited cities: one bit per city, or a list of cities.

A. Uchida, Y. Ito and K. Nakano (2012): section IV.B.1, eq. 7, and section IV.B.2, figure 6.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import int32, uint32

from solvers.kernels.device_cuda import WARP, cuda, device
from solvers.kernels.warp_cuda import flag_rank

#: Minimum weight of an unvisited city, so that it can be chosen even if its trail has evaporated.
MIN_WEIGHT = np.float32(1e-37)
_ZERO = np.float32(0.0)


class Roster(NamedTuple):
    """Device functions for one representation of the unvisited cities.

    Attributes
    ----------
    weigh : callable
        ``weigh(fitness, row, k, cities, visited) -> float32``: return the weight of the roster's k-th city.
    take : callable
        ``take(k, count, cities, visited) -> uint32``: remove the k-th of `count` cities from the roster, and return it.
    """

    weigh: Callable[..., Any]
    take: Callable[..., Any]


@device
def is_open(visited, city):
    """Return whether a city's bit marks it as unvisited."""
    return (visited[city >> uint32(5)] >> (city & uint32(31))) & uint32(1) == uint32(0)


@device
def _weigh_all(fitness, row, k, cities, visited):
    weight = max(fitness[row + k], MIN_WEIGHT)
    return weight if is_open(visited, k) else _ZERO


@device
def mark(visited, city):
    """Mark a city as visited."""
    visited[city >> uint32(5)] |= uint32(1) << (city & uint32(31))


@device
def _take_marked(k, count, cities, visited):
    mark(visited, k)
    return k


@device
def _weigh_listed(fitness, row, k, cities, visited):
    return max(fitness[row + uint32(cities[k])], MIN_WEIGHT)


@device
def _take_listed(k, count, cities, visited):
    """Remove a city from a list; the last city fills the gap (figure 6)."""
    city = uint32(cities[k])
    cities[k] = cities[count - uint32(1)]
    return city


#: A roster of all cities, in which visited cities weigh 0 (eq. 7 and 8), and a roster of the unvisited cities alone, in
#: an array.
WHOLE, LISTED = Roster(_weigh_all, _take_marked), Roster(_weigh_listed, _take_listed)


@device
def list_cities(n, cities):
    """List all cities in a roster."""
    k = uint32(cuda.threadIdx.x)
    while k < n:
        cities[k] = int32(k)
        k += uint32(cuda.blockDim.x)
    cuda.syncthreads()


@device
def list_open(n, cities, visited):
    """List the unvisited cities in a roster, in ascending order."""
    cuda.syncthreads()
    lane = uint32(cuda.threadIdx.x)
    if lane < uint32(WARP):
        base, filled = uint32(0), uint32(0)
        while base < n:
            k = base + lane
            current = False
            if k < n:
                current = is_open(visited, k)
            rank, count = flag_rank(current)
            if current:
                cities[filled + rank] = int32(k)
            filled += count
            base += uint32(WARP)
    cuda.syncthreads()
