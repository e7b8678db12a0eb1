"""Local search for directed tours on one core: swaps of adjacent segments, which keep all directions.

The exchange replaces three edges and reverses nothing: the or-3opt of P. C. Kanellakis and C. H. Papadimitriou, "Local
Search for the Asymmetric Traveling Salesman Problem" (Operations Research 28, 1980), with candidates and don't-look
bits as J. L. Bentley, "Fast Algorithms for Geometric Traveling Salesman Problems" (ORSA Journal on Computing 4, 1992).
"""

import numpy as np

from solvers.kernels.compiler import njit
from solvers.kernels.local_search_tours_cpu import LAST, TOUR


@njit(cache=True, nogil=True)
def _swap(order, place, first, one, other):
    """Swap the `one` cities from position `first` on with the `other` cities after them, wrapping around the end."""
    n = order.size
    held = np.empty(one, order.dtype)
    for k in range(one):
        held[k] = order[(first + k) % n]
    for k in range(other):
        at, city = (first + k) % n, order[(first + one + k) % n]
        order[at], place[city] = city, at
    for k in range(one):
        at = (first + other + k) % n
        order[at], place[held[k]] = held[k], at


@njit(cache=True, nogil=True, shared=True)
def exchange_segments(order, distances, near):
    """Improve a directed tour by swapping adjacent segments, until no changed city has an improving swap.

    Let three segments end with a, b and c. The edges (a, a'), (b, b') and (c, c') become (a, b'), (c, a') and (b, c'),
    where b' is a candidate of a, and c' a candidate of b.

    Parameters
    ----------
    order : ndarray, shape (n,), int32
        Changed in place.
    distances : ndarray, shape (n, n), int32
        From row to column.
    near : ndarray, shape (n, k), int32
        Each city's nearest cities, by the distance to them.
    """
    n, width = order.size, near.shape[1]
    place, queue, is_queued = np.empty(n, np.int32), order.copy(), np.ones(n, np.bool_)
    for p in range(n):
        place[order[p]] = p
    head, waiting = 0, n
    while waiting > 0:
        a = queue[head]
        head = head + 1 if head + 1 < n else 0
        waiting -= 1
        is_queued[a] = False
        at_a = np.int64(place[a])
        a_next = order[at_a + 1 if at_a + 1 < n else 0]
        best, best_b, best_c = np.int64(0), np.int64(-1), np.int64(-1)
        for k in range(width):
            b_next = near[a, k]
            gain = np.int64(distances[a, a_next]) - distances[a, b_next]
            if gain <= 0:
                break
            one = (place[b_next] - at_a - 1) % n  # cities from a' to b
            if one == 0:
                continue
            b = order[(at_a + one) % n]
            gain += distances[b, b_next]
            for m in range(width):
                c_next = near[b, m]
                rest = gain - distances[b, c_next]
                if rest <= 0:
                    break
                both = (place[c_next] - at_a - 1) % n  # cities from a' to c
                if both <= one:
                    continue
                c = order[(at_a + both) % n]
                total = rest + distances[c, c_next] - distances[c, a_next]
                if total > best:
                    best, best_b, best_c = total, np.int64(one), np.int64(both)
        if best_b < 0:
            continue
        first, one, other = at_a + 1, best_b, best_c - best_b
        rest = n - one - other
        for position in (at_a, first, first + one - 1, first + one, first + one + other - 1, first + one + other):
            city = order[position % n]
            if not is_queued[city]:
                is_queued[city] = True
                queue[(head + waiting) % n] = city
                waiting += 1
        # Swapping any two of the three segments gives the same tour, so the longest one stays.
        if rest >= one and rest >= other:
            _swap(order, place, first, one, other)
        elif one >= other:
            _swap(order, place, (first + one) % n, other, rest)
        else:
            _swap(order, place, (first + one + other) % n, rest, one)


@njit(cache=True, nogil=True)
def exchange_in_tours(tours, n, distances, near, span):
    """Improve a range of tours; see `solvers.kernels.local_search_tours_cpu.shorten`.

    Parameters
    ----------
    tours : ndarray, shape (m * n,), int32
        Changed in place.
    n : int
    distances, near
        See `exchange_segments`.
    span : ndarray, shape (SPAN,), int64
        Changed in place.
    """
    while span[TOUR] < span[LAST]:
        exchange_segments(tours[span[TOUR] * n : (span[TOUR] + 1) * n], distances, near)
        span[TOUR] += 1
