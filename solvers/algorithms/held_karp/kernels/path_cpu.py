"""Shortest path through a few cities in one call; `solvers.algorithms.held_karp.reconstruct` handles more cities.

For so few cities, preparing layers takes longer than computing them. So this module uses a plain table of all states.
It finds the two paths that meet, with the same rule for ties, and then the order of each path's cities.
"""

import numpy as np

from solvers.kernels.compiler import njit

#: Maximum number of cities between the ends of a path for which all orders are tried.
MAX_PERMUTED = 3
#: Minimum number of inner cities in a problem, as in `solvers.algorithms.held_karp.plan.Plan` for states of 8 bytes.
INNER = 5
_INFINITE = np.int64(1 << 62)


@njit(cache=True)
def shortest_path(distances: np.ndarray, first: int, through: np.ndarray, last: int) -> np.ndarray:
    """Find the shortest path from `first` to `last` that visits all cities of `through`.

    Parameters
    ----------
    distances : ndarray, shape (n, n), int64
        Symmetric distances; see `directed_path_cpu` for others.
    first, last : int
    through : ndarray, shape (k,), int64
        At most about a dozen cities, since there are k 2**k states.

    Returns
    -------
    ndarray, shape (k + 2,), int64
        The path, with both ends.
    """
    count = through.size + 2
    ends = np.empty(count, np.int64)
    ends[0], ends[-1] = first, last
    ends[1:-1] = through
    # Numba cannot load a recursive function from disk, so nested paths are on a stack. `lists` contains each path's
    # cities, including both ends, as numbered in `matrices`; then its first half, and the cities of its second half.
    deepest = 3 * count + 8
    matrices, sizes = np.empty((deepest + 1, count, count), np.int64), np.zeros(deepest, np.int64)
    lists, starts = np.zeros((deepest, count), np.int64), np.zeros((deepest, count), np.int64)
    seconds, stages = np.zeros((deepest, count), np.int64), np.zeros(deepest, np.int64)
    for a in range(count):
        lists[0, a] = a
        for b in range(count):
            matrices[0, a, b] = distances[ends[a], ends[b]]
    depth, sizes[0] = 0, count
    path = np.empty(0, np.int64)
    while depth >= 0:
        n, stage = sizes[depth], stages[depth]
        cities = lists[depth, :n]
        if n - 2 <= MAX_PERMUTED:
            path = _try_all_orders(matrices[depth], cities)
            depth -= 1
        elif stage == 0:
            assert depth + 1 < deepest
            closed = _close(matrices[depth], cities)
            matrices[depth + 1, :n, :n] = closed
            here, beyond = _halves(closed)
            seconds[depth, : beyond.size], sizes[depth + 1] = beyond, here.size
            lists[depth + 1, : here.size], stages[depth], stages[depth + 1] = here, 1, 0
            depth += 1
        elif stage == 1:
            starts[depth, : path.size] = path
            size = n + 2 - path.size  # both halves include both ends
            lists[depth + 1, :size], sizes[depth + 1] = seconds[depth, :size], size
            stages[depth], stages[depth + 1] = 2, 0
            depth += 1
        else:
            path = _join(cities, starts[depth, : n + 2 - path.size], path)
            depth -= 1
    return ends[path]


@njit(cache=True)
def _join(cities, outward, homeward):
    """Return the path from the first to the last city along the tour that two paths with common ends form."""
    order = np.empty(cities.size, np.int64)
    order[: outward.size] = cities[outward]
    for k in range(homeward.size - 2):
        order[outward.size + k] = cities[homeward[homeward.size - 2 - k]]
    if order[-1] != cities[-1]:  # the last city is next to the first, before it or after it
        order[1:] = order[1:][::-1].copy()
    return order


@njit(cache=True)
def _try_all_orders(distances, cities):
    """Try all orders of a few cities; return the lexicographically first of the shortest."""
    k = cities.size - 2
    minimum, best = _INFINITE, cities.copy()
    order = cities.copy()
    for number in range((1, 1, 2, 6)[k]):
        remaining = cities[1:-1].copy()
        rest = number
        for base in range(k):
            block = (1, 1, 2, 6)[k - 1 - base]
            at = rest // block
            rest -= at * block
            order[1 + base] = remaining[at]
            remaining[at:-1] = remaining[at + 1 :].copy()
        length = np.int64(0)
        for base in range(k + 1):
            length += distances[order[base], order[base + 1]]
        if length < minimum:
            minimum = length
            best[:] = order
    return best


@njit(cache=True)
def _close(distances, cities):
    """See `solvers.algorithms.held_karp.reconstruct._close`."""
    n = cities.size
    closed = np.empty((n, n), np.int64)
    more = np.int64(0)
    for a in range(n):
        longest = np.int64(0)
        for b in range(n):
            closed[a, b] = distances[cities[a], cities[b]]
            longest = max(longest, closed[a, b])
        more += longest
    more = more // 2 + 1
    for end in (0, n - 1):
        closed[end] += more
        closed[:, end] += more
    for end in (0, n - 1):
        closed[end, end] = closed[end, n - 1 - end] = 0
    return closed


@njit(cache=True)
def _halves(distances):
    """Return the cities of the two halves of a shortest tour; each half begins and ends with the common ends."""
    others = len(distances) - 1
    inner = min(others - 2, INNER + (others - INNER) % 2)
    outer = others - inner
    between = distances[1:, 1:].copy()
    table, ones = _states(distances[0, 1:].copy(), between, outer)
    whole, half = (1 << others) - 1, outer // 2
    best = (_INFINITE, np.int64(0), np.int64(0), np.int64(0))
    for cities in range(1, 1 << others, 2):  # the sets with the first outer city
        if ones[cities & ((1 << outer) - 1)] != half:
            continue
        for middle in range(outer):
            if cities >> middle & 1:
                continue
            length = _INFINITE
            for city in range(others):  # without branches: cities outside the set add no length
                length = min(length, table[cities, city] + between[middle, city])
            length += table[whole ^ cities, middle]
            candidate = (length, np.int64(cities & ((1 << outer) - 1)), np.int64(cities >> outer), np.int64(middle))
            if candidate < best:
                best = candidate
    here = np.int64(best[1] | best[2] << outer)
    return _between(here, others, best[3]), _between(whole ^ here ^ 1 << best[3], others, best[3])


@njit(cache=True)
def _states(start, between, outer):
    """Compute f(S, l) for sets S of at most half the outer cities, [S, l] int64, and the number of bits in each S."""
    others = start.size
    table, ones = np.full((1 << others, others), _INFINITE), np.zeros(1 << others, np.int64)
    for last in range(others):
        table[1 << last, last] = start[last]
    for cities in range(1, 1 << others):
        ones[cities] = ones[cities >> 1] + (cities & 1)
        if ones[cities] < 2 or ones[cities & ((1 << outer) - 1)] > outer // 2:
            continue
        for last in range(others):
            if cities >> last & 1:
                before, minimum = cities ^ 1 << last, _INFINITE
                for city in range(others):
                    minimum = min(minimum, table[before, city] + between[last, city])
                table[cities, last] = minimum
    return table, ones


@njit(cache=True)
def _between(cities, others, last):
    """Return city 0, the set's cities in ascending order, and the last city."""
    path = np.zeros(others + 2, np.int64)
    count = 1
    for city in range(others):
        if cities >> city & 1:
            path[count] = city + 1
            count += 1
    path[count] = last + 1
    return path[: count + 1].copy()
