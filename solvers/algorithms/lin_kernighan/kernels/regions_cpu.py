"""Regions of the plane: each region's part of a tour is improved as a separate tour, and then put back."""

import numpy as np

from solvers.algorithms.genetic.kernels.draws_cpu import draw_bits
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import distance
from solvers.kernels.compiler import njit
from solvers.kernels.device_cuda import INT32_MAX

#: Minimum number of cities in a path within a region.
MIN_PATH_CITIES = 3
#: Kinds of a region's cities: inside their path, its first city, or its last.
INNER, FIRST, LAST = range(3)
#: Maximum number of a cycle's cities that are searched for edges to other cycles.
_MAX_SEARCHED = 1000
#: How often a city is listed as the start of kicks, on average; and 2 ** -53, the spacing of the draws.
SHARES, _DRAW_SPACING = 8, 1.0 / (1 << 53)


@njit(cache=True, nogil=True)
def list_paths(order, positions, local, waits, names, ends):
    """List a region's cities, path by path along the whole tour; edges between the paths close a separate tour.

    Parameters
    ----------
    order : ndarray, shape (n,), int32
    positions : ndarray, shape (m,), int32
        Positions of the region's cities, in ascending order.
    local : ndarray, shape (n,), int32
        Written in place: each city's index within the region, -1 if its path is too short.
    waits : ndarray, shape (n,), bool
        Set to True for cities in paths that are too short.
    names, ends : ndarray, shape (m,), int32 and int8
        Written in place: the cities along the tour, and their kinds.

    Returns
    -------
    int
        Number of cities.
    """
    size, at = 0, 0
    while at < positions.size:
        end = at + 1
        while end < positions.size and positions[end] == positions[end - 1] + 1:
            end += 1
        for p in range(at, end):
            city = order[positions[p]]
            local[city] = -1
            if end - at >= MIN_PATH_CITIES:
                names[size], local[city] = city, size
                ends[size] = FIRST if p == at else (LAST if p == end - 1 else INNER)
                size += 1
            else:
                waits[city] = True
        at = end
    return size


@njit(cache=True, nogil=True)
def cut_out(cities, order, positions, index, region, local, waits, names, ends, points, near, near_distance, queue):
    """Build a separate tour from the whole tour's paths in a region; fixed edges join the paths.

    Parameters
    ----------
    cities : Cities
    order, positions, local, names, ends
        See `list_paths`.
    index : int
        Index of the region.
    region : ndarray, shape (n,), int32
        The region of each city.
    waits : ndarray, shape (n,), bool
        On entry, whether each city is queued; on return, for the region's cities, whether a candidate is missing.
    points, near, near_distance : ndarray
        Written in place: the data of each city, as in `Cities`. Ends of paths are never candidates; the distance after
        the last candidate is greater than all others.
    queue : ndarray, shape (m,), int32
        Written in place: the queued cities that are not ends of paths.

    Returns
    -------
    size, waiting : int
        Number of cities, and number of queued cities.
    """
    width, size, waiting = near.shape[1], list_paths(order, positions, local, waits, names, ends), 0
    for current in range(size):
        city, filled = names[current], 0
        points[current, 0], points[current, 1] = cities.points[city, 0], cities.points[city, 1]
        for c in range(width):
            a = cities.near[city, c]
            if region[a] == index and local[a] >= 0 and ends[local[a]] == INNER:
                near[current, filled], near_distance[current, filled] = local[a], cities.near_distance[city, c]
                filled += 1
        if waits[city] and ends[current] == INNER:
            queue[waiting] = current
            waiting += 1
        waits[city] = filled < width or ends[current] != INNER
        for c in range(filled, width):
            near[current, c], near_distance[current, c] = current, INT32_MAX
    return size, waiting


@njit(cache=True, nogil=True)
def list_starts(cities, ends, key, starts):
    """List start cities of kicks: half of them anywhere, half where edges are longer than those to near cities.

    Parameters
    ----------
    cities : Cities
        A region's cities, along its tour.
    ends : ndarray, shape (m,), int8
        The cities' kinds; a city that is not `INNER` counts as one with short edges.
    key : uint64
        Key of the random draws.
    starts : ndarray, shape ((1 + SHARES) m,), int32
        Written in place, each city about `SHARES` times.

    Returns
    -------
    int
        Number of cities written.
    """
    m, second, size = ends.size, min(1, cities.near.shape[1] - 1), 0
    excess, total = np.zeros(m, np.int64), np.int64(0)
    for city in range(m):
        after = city + 1 if city + 1 < m else 0
        length = distance(cities.policy, cities.matrix, cities.points, city, after)
        for end in (city, after):
            if ends[end] == INNER:
                more = max(0, length - cities.near_distance[end, second])
                excess[end] += more
                total += more
    for city in range(m):
        share = 0.5 + 0.5 * excess[city] / max(1.0, total / m)
        draw = np.float64(draw_bits(key, city) >> np.uint64(11)) * _DRAW_SPACING
        for _ in range(int(SHARES * share + draw)):
            starts[size] = city
            size += 1
    return size


@njit(cache=True, nogil=True)
def put_back(inside, names, ends, order, position, links):
    """Write the neighbours of a region's cities in its tour; beyond a path's end, those in the whole tour.

    Parameters
    ----------
    inside : ndarray, shape (m,), int32
        The region's separate tour.
    names, ends
        See `cut_out`.
    order, position : ndarray, shape (n,), int32
        The whole tour.
    links : ndarray, shape (n, 2), int32
        Each city's two neighbours; written in place.
    """
    m, n = inside.size, order.size
    for p in range(m):
        current = inside[p]
        for side in range(2):
            neighbour = inside[p - 1 if p > 0 else m - 1] if side == 0 else inside[p + 1 if p + 1 < m else 0]
            city, at = names[neighbour], position[names[current]]
            if ends[current] == FIRST and neighbour == (current - 1 if current > 0 else m - 1):
                city = order[at - 1 if at > 0 else n - 1]
            elif ends[current] == LAST and neighbour == (current + 1 if current + 1 < m else 0):
                city = order[at + 1 if at + 1 < n else 0]
            links[names[current], side] = city


@njit(inline="always")
def _on(links, city, before):
    return links[city, 0] if links[city, 0] != before else links[city, 1]


@njit(cache=True, nogil=True)
def _exchange(links, city, old, new):
    links[city, 0 if links[city, 0] == old else 1] = new


@njit(cache=True, nogil=True)
def join_cycles(cities, links, cycle, waits):
    """Join cycles into one tour, the shortest first, each by the cheapest exchange of two edges.

    Parameters
    ----------
    cities : Cities
    links : ndarray, shape (n, 2), int32
        Each city's two neighbours; changed in place.
    cycle : ndarray, shape (n,), int32
        Working memory.
    waits : ndarray, shape (n,), bool
        Set to True for cities whose neighbours change.

    Returns
    -------
    change, count : int
        The change in length, and the number of cycles.
    """
    policy, matrix, points, near = cities.policy, cities.matrix, cities.points, cities.near
    n, count, total = links.shape[0], 0, np.int64(0)
    starts, sizes = [np.int64(0)], [np.int64(0)]
    cycle[:] = -1
    for first in range(n):
        if cycle[first] >= 0:
            continue
        if count > 0:
            starts.append(np.int64(first))
            sizes.append(np.int64(0))
        current, before, size = np.int64(first), np.int64(links[first, 1]), np.int64(0)
        while cycle[current] < 0:
            cycle[current] = count
            size += 1
            current, before = np.int64(_on(links, current, before)), current
        sizes[count] = np.int64(size)
        count += 1
    for each in np.argsort(np.array(sizes))[: count - 1]:
        # The cities of one cycle; if it is long, only some of them.
        start = starts[each]
        index, current, before = cycle[start], start, np.int64(links[start, 1])
        best, a, b, c, d = np.int64(1 << 62), start, start, start, start
        visited_count = 0
        while True:
            for side in range(2):
                neighbour = np.int64(links[current, side])
                removed = distance(policy, matrix, points, current, neighbour)
                for k in range(near.shape[1]):
                    other = np.int64(near[current, k])
                    if cycle[other] == index:
                        continue
                    added = distance(policy, matrix, points, current, other) - removed
                    for turn in range(2):
                        beyond = np.int64(links[other, turn])
                        change = added + distance(policy, matrix, points, neighbour, beyond)
                        change -= distance(policy, matrix, points, other, beyond)
                        if change < best:
                            best, a, b, c, d = change, current, neighbour, other, beyond
            current, before = np.int64(_on(links, current, before)), current
            visited_count += 1
            if current == start or (visited_count > _MAX_SEARCHED and best < 1 << 62):
                break
        if best == 1 << 62:
            # If no candidate leads outside, take any city of another cycle.
            b = np.int64(links[a, 0])
            c = np.int64(0)
            while cycle[c] == index:
                c += 1
            d = np.int64(links[c, 0])
            best = distance(policy, matrix, points, a, c) + distance(policy, matrix, points, b, d)
            best -= distance(policy, matrix, points, a, b) + distance(policy, matrix, points, c, d)
        other = cycle[c]
        current, before = start, np.int64(links[start, 1])
        while cycle[current] != other:
            cycle[current] = other
            current, before = np.int64(_on(links, current, before)), current
        _exchange(links, a, b, c)
        _exchange(links, b, a, d)
        _exchange(links, c, d, a)
        _exchange(links, d, c, b)
        waits[a] = waits[b] = waits[c] = waits[d] = True
        total += best
    return total, count


@njit(inline="always")
def _reach(cities, city):
    """Return the distance from a city to its farthest candidate in the region; 0 if it has none there."""
    farthest = np.int64(0)
    for far in cities.near_distance[city]:
        if far < INT32_MAX:
            farthest = np.int64(far)
    return farthest


@njit(cache=True, nogil=True)
def list_far(cities, order, ends, times, far):
    """List the ends of edges in the tour more than `times` as long as the way to both ends' farthest candidates.

    Parameters
    ----------
    cities : Cities
    order : ndarray, shape (n,), int32
    ends : ndarray, shape (n,), int8
        The cities' kinds; an edge between ends of paths is not listed.
    times : float
    far : ndarray, shape (2 n,), int32
        Written in place.

    Returns
    -------
    int
        Number of cities written.
    """
    size, before = 0, order[order.size - 1]
    reach_before = _reach(cities, before)
    for city in order:
        reach = _reach(cities, city)
        if (ends[city] == INNER or ends[before] == INNER) and (
            distance(cities.policy, cities.matrix, cities.points, before, city) > times * max(reach, reach_before)
        ):
            far[size], far[size + 1] = before, city
            size += 2
        before, reach_before = city, reach
    return size
