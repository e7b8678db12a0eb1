"""Resumable insertions: a partial tour grows by one city at a time.

The cities of the partial tour are at the front of a path, and the others follow. So one row contains the distances from
a city to either group without gaps, and another the distances to that city. Ties between cities go to the lowest city,
ties between edges to the edge with the lowest end, then to the one with the lowest other end.
"""

import numpy as np

from solvers.algorithms.construction.kernels.construct_cpu import swap
from solvers.kernels.compiler import njit
from solvers.kernels.distance_rows_cpu import fill_row

NEAREST, FARTHEST = range(2)
#: Rows of the buffers: distances from and to a city, distances of the inserted city's neighbours, and distances from
#: and to the inserted city.
ROW, BACK, LEFT, RIGHT, NEW, NEW_BACK, BUFFERS = range(7)
_NO_COST = np.int64(2**62)


@njit(cache=True, nogil=True)
def fill_back(measure, path, position, first, last, row, back, directed):
    """Return the distances to the city at `position`: written to `back`, or `row` itself if symmetric."""
    if not directed:
        return row
    matrix, city = measure.matrix, path.city
    here = city[position]
    for p in range(first, last):
        back[p] = matrix[city[p], here]
    return back


@njit(cache=True, nogil=True)
def fill_nearer(measure, path, position, first, last, rows, directed):
    """Return the distances between the city at `position` and others, each in the shorter direction."""
    row = rows[ROW]
    fill_row(measure, path, position, first, last, row)
    if directed:
        back = fill_back(measure, path, position, first, last, row, rows[BACK], directed)
        for p in range(first, last):
            row[p] = min(row[p], back[p])
    return row


@njit(cache=True, nogil=True)
def begin(measure, path, positions, rows, tour, near, first, directed):
    """Start a partial tour with one city, and write its distances to all others to ``near`` (n,) int32.

    Parameters
    ----------
    rows, tour, directed
        As in `insert_by_distance`.
    """
    successor, edge, since, _ = tour
    n = path.city.size - 1
    swap(measure, path, positions, 0, positions[first])
    successor[first], edge[first], since[first] = first, 0, 0
    row = fill_nearer(measure, path, 0, 1, n, rows, directed)
    for p in range(1, n):
        near[path.city[p]] = row[p]


@njit(cache=True, nogil=True)
def is_before(a, b, c, d):
    """Return whether edge a-b precedes edge c-d, by lower end, then by higher end."""
    low, other = min(a, b), min(c, d)
    return low < other or (low == other and max(a, b) < max(c, d))


@njit(cache=True, nogil=True)
def cheapest_position(measure, path, positions, rows, successor, edge, position, size, directed):
    """Find the cheapest insertion of the city at `position`: return the city before it, and the cost."""
    row = rows[ROW]
    fill_row(measure, path, position, 0, size, row)
    back = fill_back(measure, path, position, 0, size, row, rows[BACK], directed)
    best, after = _NO_COST, -1
    for p in range(size):
        a = path.city[p]
        b = successor[a]
        cost = np.int64(back[p]) + row[positions[b]] - edge[a]
        if cost < best or (cost == best and is_before(a, b, after, successor[after])):
            best, after = cost, a
    return after, best


@njit(cache=True, nogil=True)
def put(measure, path, positions, row, back, tour, city, after, size):
    """Insert `city` after another; `row` has its distances to the tour, `back` its distances from the tour."""
    successor, edge, since, inserted = tour
    before = successor[after]
    inserted[size, 0], inserted[size, 1], inserted[size, 2] = city, after, before
    successor[after], successor[city] = city, before
    edge[after], edge[city] = back[positions[after]], row[positions[before]]
    since[after] = since[city] = size
    swap(measure, path, positions, size, positions[city])


@njit(cache=True, nogil=True)
def insert_by_distance(measure, path, positions, rows, tour, near, rule, size, state, budget, directed):
    """Insert the nearest or the farthest city where it lengthens the partial tour least.

    Rosenkrantz, Stearns and Lewis, "An analysis of several heuristics for the traveling salesman problem" (1977).
    Between two cities of a directed instance, the shorter direction counts.

    Parameters
    ----------
    measure : Measure
    path : Path
        The cities of the partial tour at positions 0 to `size` - 1, the others after them; changed in place.
    positions : ndarray, shape (n,), int32
        Position of each city.
    rows : ndarray, shape (BUFFERS, n + 1), int32
        Buffers.
    tour : tuple of ndarray
        ``successor`` (n,) int32, the next city of each; ``edge`` (n,) int32, the distance to it; ``since`` (n,) int32,
        the size of the partial tour before that edge was added; ``inserted`` (n, 3) int32, by that size: a city, and
        the two cities between which it was inserted.
    near : ndarray, shape (n,), int32
        Distance of each other city to the nearest one of the partial tour.
    rule : int
        `NEAREST` or `FARTHEST`.
    size : int
    state : ndarray, shape (1,), int64
        Number of evaluated distances; changed in place.
    budget : int
        Number of distances to compute; the first city that reaches it returns.
    directed : bool
        Whether distances depend on the direction; they then come from a matrix.

    Returns
    -------
    int
        The new size.
    """
    successor, edge, _, _ = tour
    n = path.city.size - 1
    sign = -1 if rule == FARTHEST else 1
    until = state[0] + budget
    while size < n and state[0] < until:
        city = path.city[size]
        for p in range(size + 1, n):
            c = path.city[p]
            value, best = sign * near[c], sign * near[city]
            if value < best or (value == best and c < city):
                city = c
        place = positions[city]
        after, _ = cheapest_position(measure, path, positions, rows, successor, edge, place, size, directed)
        put(measure, path, positions, rows[ROW], rows[BACK if directed else ROW], tour, city, after, size)
        row = fill_nearer(measure, path, size, size + 1, n, rows, directed)
        for p in range(size + 1, n):
            near[path.city[p]] = min(near[path.city[p]], row[p])
        state[0] += n - 1
        size += 1
    return size


@njit(cache=True, nogil=True)
def insert_cheapest(measure, path, positions, rows, tour, cost, best, size, state, budget, directed):
    """Insert the city whose insertion is cheapest of all.

    Each city outside the tour stores its cheapest place. An insertion removes one place and creates two. Cities that
    stored the removed place search all places for another one, and the other cities compare the two new places with
    theirs.

    Parameters
    ----------
    cost : ndarray, shape (n,), int64
        The cost of each other city's cheapest insertion.
    best : ndarray, shape (n,), int32
        The city after which to insert it.
    measure, path, positions, rows, tour, size, state, budget, directed
        As in `insert_by_distance`.

    Returns
    -------
    int
        The new size.
    """
    successor, edge, _, _ = tour
    n = path.city.size - 1
    row, left, right, new = rows[ROW], rows[LEFT], rows[RIGHT], rows[NEW]
    until = state[0] + budget
    while size < n and state[0] < until:
        city = path.city[size]
        for p in range(size + 1, n):
            c = path.city[p]
            if cost[c] < cost[city] or (cost[c] == cost[city] and c < city):
                city = c
        a, b = best[city], successor[best[city]]
        fill_row(measure, path, positions[city], 0, size, row)
        back = fill_back(measure, path, positions[city], 0, size, row, rows[BACK], directed)
        put(measure, path, positions, row, back, tour, city, a, size)
        fill_row(measure, path, positions[a], size + 1, n, left)
        fill_row(measure, path, positions[b], size + 1, n, right)
        fill_back(measure, path, positions[b], size + 1, n, right, right, directed)
        fill_row(measure, path, size, size + 1, n, new)
        back = fill_back(measure, path, size, size + 1, n, new, rows[NEW_BACK], directed)
        state[0] += size + 3 * (n - 1 - size)
        size += 1
        for p in range(size, n):
            c = path.city[p]
            if best[c] == a:
                best[c], cost[c] = cheapest_position(measure, path, positions, rows, successor, edge, p, size, directed)
                state[0] += size
                continue
            for after, before, one, other in ((a, city, left[p], back[p]), (city, b, new[p], right[p])):
                value = np.int64(one) + other - edge[after]
                if value < cost[c] or (value == cost[c] and is_before(after, before, best[c], successor[best[c]])):
                    cost[c], best[c] = value, after
    return size
