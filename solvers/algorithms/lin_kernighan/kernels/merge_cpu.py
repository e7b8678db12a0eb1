"""Merges tours, finds the reversals between them, and computes distances for crossovers.

The AB-cycles come from Y. Nagata and S. Kobayashi, "A Powerful Genetic Algorithm Using Edge Assembly Crossover for the
Traveling Salesman Problem" (INFORMS Journal on Computing 25, 2013).
"""

import numpy as np
from numba import types
from numba.extending import overload

from solvers.algorithms.genetic.kernels.ab_cycles_cpu import trace
from solvers.algorithms.genetic.kernels.distances_cpu import between
from solvers.algorithms.genetic.kernels.edge_assembly_cpu import make_child
from solvers.algorithms.genetic.kernels.tour_links_cpu import undo, walk
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import CODES, COUNT, EDGES, ENDS, FIRST, Cities, distance
from solvers.kernels.compiler import njit


@overload(between)
def _between_of_cities(cities, n, a, b):
    """Overload `between` for cities whose whole matrix would be too large: compute distances when needed."""
    if isinstance(cities, types.NamedTuple) and cities.instance_class is Cities:
        return lambda cities, n, a, b: distance(cities.policy, cities.matrix, cities.points, a, b)
    return None


@njit(cache=True, nogil=True)
def fill_distances(policy, matrix, points, first, last, table):
    """Write all distances from cities `first` to `last` - 1 to ``table`` (n, n) int32."""
    for a in range(first, last):
        for b in range(table.shape[0]):
            table[a, b] = distance(policy, matrix, points, a, b)


@njit(cache=True, nogil=True)
def measure_tour(policy, matrix, points, order):
    """Return the length of a tour, int64."""
    length, before = np.int64(0), order[-1]
    for city in order:
        length += distance(policy, matrix, points, before, city)
        before = city
    return length


@njit(inline="always")
def _is_edge(links, a, b):
    return links[a, 0] == b or links[a, 1] == b


@njit(cache=True, nogil=True)
def is_left(links, city, first, last):
    """Return whether a tour still has all edges that an AB-cycle removes, and none that it adds."""
    for at in range(first, last, 2):
        one, two, after = city[at], city[at + 1], city[at + 2 if at + 2 < last else first]
        if not _is_edge(links, one, two) or _is_edge(links, two, after):
            return False
    return True


@njit(cache=True, nogil=True)
def merge(table, near, links, other, crossing, key):
    """Apply every AB-cycle of this tour and another that shortens this one.

    Parameters
    ----------
    table : ndarray, shape (n * n,), int32, or Cities
        All distances, or the cities between which they are computed.
    near : ndarray, shape (n, k), int32
    links : ndarray, shape (n, 2), int32
        Each city's two neighbours; changed in place.
    other : ndarray, shape (n, 2), int32
        Each city's two neighbours in the other tour.
    crossing : solvers.algorithms.genetic.kernels.edge_assembly_cpu.Crossing
        Working memory.
    key : uint64
        Key of the random draws.

    Returns
    -------
    change, children : int
        The change in length, and the number of AB-cycles tried.
    """
    cycles, segments, change, children = crossing.cycles, crossing.segments, np.int64(0), 0
    count, _ = trace(links, other, cycles, crossing.tracing, key)
    walk(links, segments.order, segments.position)
    for cycle in range(count):
        if not is_left(links, cycles.city, cycles.start[cycle], cycles.start[cycle + 1]):
            continue
        crossing.chosen[0] = cycle
        change_of_one, _ = make_child(table, near, links, crossing, 1)
        children += 1
        if change_of_one < 0:
            change += change_of_one
            walk(links, segments.order, segments.position)
        else:
            undo(links, crossing.changes)
    return change, children


@njit(cache=True, nogil=True)
def _reverse(order, position, i, j, record, rows):
    """Reverse positions i to j, 0 < i <= j, and log the reversal."""
    n = order.size
    record[rows, FIRST], record[rows, COUNT], record[rows, EDGES] = i, i - j - 1, 2
    record[rows, CODES], record[rows, CODES + 1] = 3, 0
    record[rows, ENDS], record[rows, ENDS + 1] = order[i - 1], order[i]
    record[rows, ENDS + 2], record[rows, ENDS + 3] = order[j], order[j + 1 if j + 1 < n else 0]
    while i < j:
        a, b = order[i], order[j]
        order[i], order[j] = b, a
        position[b], position[a] = i, j
        i += 1
        j -= 1
    return rows + 1


@njit(cache=True, nogil=True)
def find_reversals(order, position, target, record):
    """Turn one tour into another by reversals; segments that both contain are moved as a whole.

    Parameters
    ----------
    order, position : ndarray, shape (n,), int32
        The tour; changed in place, so that it becomes `target`.
    target : ndarray, shape (n,), int32
        A tour with the same first city.
    record : ndarray, shape (2 n, ROW), int32
        Written in place: the reversals, as rows of `solvers.algorithms.lin_kernighan.kernels.tour_cpu.Tour.log`.

    Returns
    -------
    int
        Number of reversals.
    """
    n, rows = order.size, 0
    for p in range(n - 1):
        q = position[target[p + 1]]
        if q == p + 1:
            continue
        size = 1
        while q + size < n and order[q + size] == target[p + 1 + size]:
            size += 1
        rows = _reverse(order, position, p + 1, q + size - 1, record, rows)
        if size > 1:
            rows = _reverse(order, position, p + 1, p + size, record, rows)
    return rows
