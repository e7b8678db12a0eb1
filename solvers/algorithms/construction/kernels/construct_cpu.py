"""Resumable constructions: nearest neighbour, greedy edges and savings.

All keep the cities that can still be reached at the front (or the back) of a path, so that the distances to them form
one row.
"""

import numpy as np

from solvers.kernels.compiler import njit
from solvers.kernels.distance_rows_cpu import fill_row, lay

#: Bits of a city's index in a key of `greedy`, enough for 262,144 cities.
CITY_BITS = 18
_CITY_MASK = (1 << CITY_BITS) - 1
_NO_KEY = np.int64(2**62)


@njit(cache=True, nogil=True)
def swap(measure, path, positions, a, b):
    """Exchange the cities at positions a and b, and update their positions in ``positions`` (n,) int32."""
    city = path.city
    city[a], city[b] = city[b], city[a]
    positions[city[a]], positions[city[b]] = a, b
    lay(measure, path, a, a + 1)
    lay(measure, path, b, b + 1)


@njit(cache=True, nogil=True)
def nearest(row, city, first, last):
    """Return the position of the minimum of ``row[first:last]``; ties go to the lowest city."""
    part = row[first:last]
    minimum = np.int32(2147483647)
    for k in range(part.size):
        minimum = min(minimum, part[k])
    position = first
    while row[position] != minimum:
        position += 1
    for p in range(position + 1, last):
        if row[p] == minimum and city[p] < city[position]:
            position = p
    return position


@njit(cache=True, nogil=True)
def nearest_neighbour(measure, path, positions, row, position, budget):
    """Extend a tour that ends at `position` to the nearest unvisited cities.

    Rosenkrantz, Stearns and Lewis, "An analysis of several heuristics for the traveling salesman problem" (1977).

    Parameters
    ----------
    measure : Measure
    path : Path
        Visited cities at positions 0 to `position`, the others after them; changed in place.
    positions : ndarray, shape (n,), int32
        Position of each city.
    row : ndarray, shape (n + 1,), int32
        A buffer.
    budget : int
        Number of distances to compute; the first step that reaches it returns.

    Returns
    -------
    int
        The new position.
    """
    n = path.city.size - 1
    while position < n - 1 and budget > 0:
        fill_row(measure, path, position, position + 1, n, row)
        swap(measure, path, positions, position + 1, nearest(row, path.city, position + 1, n))
        budget -= n - 1 - position
        position += 1
    return position


@njit(cache=True, nogil=True)
def find_mate(measure, path, positions, row, price, key, mate, tail, active, a):
    """Find city a's mate: the nearest of the path's first `active` cities, except the other end of a's fragment.

    The key orders edges by length, then by lower city: length << CITY_BITS | lower city. If there are prices, the
    prices of both cities are subtracted from the length.
    """
    fill_row(measure, path, positions[a], 0, active, row)
    own = np.int64(0)
    if price.size:
        own = np.int64(price[a])
        for p in range(active):
            row[p] -= price[path.city[p]]
    row[positions[a]] = 2147483647
    row[positions[tail[a]]] = 2147483647
    b = path.city[nearest(row, path.city, 0, active)]
    mate[a] = b
    key[a] = ((row[positions[b]] - own) << CITY_BITS) | min(a, b)


@njit(cache=True, nogil=True)
def find_first(key, value):
    """Return the index of the first entry that equals `value`."""
    position = 0
    while key[position] != value:
        position += 1
    return position


@njit(cache=True, nogil=True)
def deactivate(measure, path, positions, key, active, a):
    """Remove a city of degree 2 from the path's first `active` cities; return how many remain."""
    swap(measure, path, positions, positions[a], active - 1)
    key[a] = _NO_KEY
    return active - 1


@njit(cache=True, nogil=True)
def greedy(measure, path, positions, row, price, key, mate, tail, degree, link, edges, state, budget):
    """Join fragments by the shortest edge that keeps degrees at most 2 and closes no cycle.

    The edge is the first of all feasible ones by length, lower city, and higher city. Each city stores its best edge.
    An edge that has become infeasible comes no later in the order than the edge that replaces it. So only the first of
    all edges must be checked and, if it is infeasible, replaced. Of several edges with the same key, the edge of the
    lower city comes first, with the lowest mate. If that city's key differs, the key belongs to another city, and its
    edge is infeasible.

    Parameters
    ----------
    path, positions, row
        As in `nearest_neighbour`, but the cities of degree less than 2 come first.
    price : ndarray, shape (n,) or (0,), int32
        What is subtracted from an edge's length for each of its cities: for savings, the distance to the hub; for
        greedy edges, nothing.
    key : ndarray, shape (n,), int64
    mate, tail, degree : ndarray, shape (n,), int32
        Best mate, other end of the fragment, and degree of each city.
    link : ndarray, shape (n, 2), int32
        Neighbours of each city in its fragment, as many as its degree.
    edges : ndarray, shape (k, 2), int32
        The chosen edges, in order of choice; k - 1 of them join the k cities that begin with a degree less than 2.
    state : ndarray, shape (4,), int64
        Numbers of cities whose first mate is known, of chosen edges, of active cities, and of evaluated distances;
        changed in place.
    budget : int
        Number of distances and keys to evaluate before returning.
    """
    n, joined = path.city.size - 1, edges.shape[0]
    used = np.int64(0)
    while state[0] < n and joined > 2 and used < budget:
        if degree[state[0]] < 2:
            find_mate(measure, path, positions, row, price, key, mate, tail, joined, state[0])
            state[3] += joined
        state[0] += 1
        used += n
    while state[1] < joined - 1 and used < budget:
        first = _NO_KEY
        for k in range(key.size):
            first = min(first, key[k])
        used += key.size
        a = np.int64(first & _CITY_MASK)
        if key[a] != first:
            a = np.int64(find_first(key, first))
        b = np.int64(mate[a])
        if degree[b] == 2 or tail[a] == b:
            find_mate(measure, path, positions, row, price, key, mate, tail, state[2], a)
            state[3] += state[2]
            used += state[2]
            continue
        edges[state[1], 0], edges[state[1], 1] = min(a, b), max(a, b)
        state[1] += 1
        end_a, end_b = tail[a], tail[b]
        tail[end_a], tail[end_b] = end_b, end_a
        for c, other in ((a, b), (b, a)):
            link[c, degree[c]] = other
            degree[c] += 1
            if degree[c] == 2:
                state[2] = deactivate(measure, path, positions, key, state[2], c)


@njit(cache=True, nogil=True)
def join_fragments(degree, link, order):
    """Write the fragments one after another to ``order`` int32, each from its lower end."""
    visited = np.zeros(degree.size, np.bool_)
    m = 0
    for end in range(degree.size):
        if degree[end] == 2 or visited[end]:
            continue
        at, going = end, True
        while going:
            order[m] = at
            m += 1
            visited[at] = True
            going = False
            for k in range(degree[at]):
                if not visited[link[at, k]]:
                    at, going = link[at, k], True
                    break
