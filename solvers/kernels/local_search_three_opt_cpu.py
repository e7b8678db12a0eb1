"""3-opt among nearest cities: the best exchange of two or three edges that starts at a city.

S. Lin, "Computer Solutions of the Traveling Salesman Problem" (Bell System Technical Journal 44, 1965), searched as
J. L. Bentley does, "Fast Algorithms for Geometric Traveling Salesman Problems" (ORSA Journal on Computing 4, 1992).

The edges (t1, t2), (t3, t4) and (t5, t6) of the tour are replaced by (t2, t3), (t4, t5) and (t6, t1). In each exchange,
t3 is one of the cities nearest to t2, and t5 one of those nearest to t4; at every step, the edges removed so far must
be longer than those added. Each improving exchange has a first edge for which this holds (S. Lin and B. W. Kernighan,
"An Effective Heuristic Algorithm for the Traveling-Salesman Problem", Operations Research 21, 1973). So if the lists
contain all other cities, no exchange is missed.

Without three of its edges, a tour consists of three segments A, B and C. All four ways to join these by three new edges
are evaluated: A'B', BA, BA' and B'A between the ends of C, where ' means a reversal. The last three insert a segment
elsewhere (with up to three cities, this is Or-opt); BA reverses no segment.
"""

import numpy as np

from solvers.kernels.compiler import njit

#: Ways to join the segments behind C: invalid, A'B', BA, BA', B'A.
INVALID, TURNED, SWAPPED, SWAPPED_A, SWAPPED_B = range(5)
#: What each of these ways is if A is the fixed segment, and B and C are the others.
_FROM_NEXT_SEGMENT = (INVALID, SWAPPED_B, SWAPPED, TURNED, SWAPPED_A)


@njit(cache=True, nogil=True)
def _next_city(order, p, forward):
    """Return the city after position p or, if not `forward`, before it."""
    if forward:
        return np.int64(order[p + 1 if p + 1 < order.size else 0])
    return np.int64(order[p - 1 if p > 0 else order.size - 1])


@njit(cache=True, nogil=True)
def _find_cut(position, n, x, y):
    """Return the position behind which edge (x, y) is cut, and whether x comes first."""
    p, q = np.int64(position[x]), np.int64(position[y])
    first = q == (p + 1 if p + 1 < n else 0)
    return (p if first else q), first


@njit(cache=True, nogil=True)
def joined(position, n, t1, t2, t3, t4, t5, t6):
    """Return how an exchange joins the segments, `INVALID` if it yields no tour, and the cuts in ascending order.

    The six ends of the segments are numbered along the tour: C ends with 0, A has the ends 1 and 2, B has 3 and 4, and
    C begins with 5. The new neighbours of 0 and 5 determine the rest.
    """
    cut1, first1 = _find_cut(position, n, t1, t2)
    cut2, first2 = _find_cut(position, n, t3, t4)
    cut3, first3 = _find_cut(position, n, t5, t6)
    low, high = min(cut1, cut2, cut3), max(cut1, cut2, cut3)
    middle = cut1 + cut2 + cut3 - low - high
    if low == middle or middle == high:
        return INVALID, low, middle, high
    end1 = 2 * (np.int64(cut1 > low) + np.int64(cut1 > middle))
    end2 = 2 * (np.int64(cut2 > low) + np.int64(cut2 > middle))
    end3 = 2 * (np.int64(cut3 > low) + np.int64(cut3 > middle))
    e1, e2 = end1 + np.int64(not first1), end1 + np.int64(first1)
    e3, e4 = end2 + np.int64(not first2), end2 + np.int64(first2)
    e5, e6 = end3 + np.int64(not first3), end3 + np.int64(first3)
    of_0, of_5 = e1, e1
    for x, y in ((e2, e3), (e4, e5), (e6, e1), (e3, e2), (e5, e4), (e1, e6)):
        if x == 0:
            of_0 = y
        elif x == 5:
            of_5 = y
    if of_0 == 2 and of_5 == 3:
        return TURNED, low, middle, high
    if of_0 == 3 and of_5 == 2:
        return SWAPPED, low, middle, high
    if of_0 == 3 and of_5 == 1:
        return SWAPPED_A, low, middle, high
    if of_0 == 4 and of_5 == 2:
        return SWAPPED_B, low, middle, high
    return INVALID, low, middle, high


@njit(cache=True, nogil=True)
def best_exchange(distance, near, near_distance, order, position, t1):
    """Return the best exchange of two or three edges that starts at t1; ties go to the first.

    Parameters
    ----------
    distance : ndarray, shape (n * n,), int32
        Symmetric distances.
    near, near_distance : ndarray, shape (n * k,), int32
        Each city's k nearest cities, by distance, and the distances to them.
    order, position : ndarray, shape (n,), int32
        The tour, of at least 8 cities.
    t1 : int

    Returns
    -------
    tuple of int64
        The gain, 0 if no exchange shortens the tour; t2 to t6, where t5 and t6 are -1 for two edges; the number of
        evaluated exchanges.
    """
    n, evaluated = order.size, np.int64(0)
    k = near.size // n
    best = (np.int64(0), np.int64(-1), np.int64(-1), np.int64(-1), np.int64(-1), np.int64(-1))
    for ahead in (True, False):
        t2 = _next_city(order, position[t1], ahead)
        removed1 = np.int64(distance[t1 * n + t2])
        for p in range(t2 * k, t2 * k + k):
            t3, gain1 = np.int64(near[p]), removed1 - near_distance[p]
            if gain1 <= 0:
                break
            if t3 == _next_city(order, position[t2], ahead):  # (t2, t3) is an edge of the tour
                continue
            for closes in (True, False):  # whether (t4, t1) closes a tour with two new edges
                t4 = _next_city(order, position[t3], ahead != closes)
                gain2 = gain1 + distance[t3 * n + t4]
                evaluated += 1
                if closes and gain2 - distance[t4 * n + t1] > best[0]:
                    best = (gain2 - distance[t4 * n + t1], t2, t3, t4, np.int64(-1), np.int64(-1))
                for other in range(t4 * k, t4 * k + k):
                    t5, gain3 = np.int64(near[other]), gain2 - near_distance[other]
                    if gain3 <= 0:
                        break
                    evaluated += 1
                    for forward in (True, False):
                        t6 = _next_city(order, position[t5], forward)
                        gain = gain3 + distance[t5 * n + t6] - distance[t6 * n + t1]
                        if gain > best[0] and joined(position, n, t1, t2, t3, t4, t5, t6)[0] != INVALID:
                            best = (gain, t2, t3, t4, t5, t6)
    return (*best, evaluated)


@njit(cache=True, nogil=True)
def reversals(position, n, t1, t2, t3, t4, t5, t6):
    """Return the parts of the tour to reverse, one after another, for an exchange of three edges.

    The longest segment stays in place.

    Returns
    -------
    tuple of int64
        First position and number of cities of each of the three parts; a number may be 0.
    """
    way, low, middle, high = joined(position, n, t1, t2, t3, t4, t5, t6)
    size_a, size_b, size_c = middle - low, high - middle, n - (high - low)
    first, one, two = low + 1, size_a, size_b
    if size_a >= max(size_b, size_c):
        way, first, one, two = _FROM_NEXT_SEGMENT[way], middle + 1, size_b, size_c
    elif size_b > size_c:
        way, first, one, two = _FROM_NEXT_SEGMENT[_FROM_NEXT_SEGMENT[way]], high + 1, size_c, size_a
    first = first if first < n else first - n
    if way == TURNED:
        second = first + one
        return first, one, second if second < n else second - n, two, first, np.int64(0)
    second = first + two  # where the first segment is after both have been reversed together
    second = second if second < n else second - n
    turn_two = two if way != SWAPPED_B else np.int64(0)
    turn_one = one if way != SWAPPED_A else np.int64(0)
    return first, one + two, first, turn_two, second, turn_one
