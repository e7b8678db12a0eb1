"""A tour as an array, with the cities' positions; k edges can be exchanged, and exchanges undone."""

import math
from typing import NamedTuple

import numpy as np

from solvers.kernels.compiler import njit
from solvers.kernels.distance_rows_cpu import ATT, CEIL_2D, GRID, MATRIX

#: Maximum number of edges that one exchange replaces.
MAX_EDGES = 6
#: Indices into `Tour.marks`: the number of rows in the log, and the number of cities in `Tour.saved`.
ENTRIES, SAVED, MARKS = range(3)
#: Columns of the log: the first position and the size of the written window; the number of replaced edges; from `CODES`
#: on, the segments as in `SEGMENT`; from `ENDS` on, the two cities of each removed edge, by position.
FIRST, COUNT, EDGES, CODES = range(4)
ENDS = CODES + MAX_EDGES
ROW = ENDS + 2 * MAX_EDGES
#: Rows of a plan, which describes the current exchange. For each removed edge i: `CUT` is the position of its first
#: city; `EVEN` tells whether its second city is t_2i+2, from which the exchange continues; `RANK` is its rank by
#: position, and `BY_RANK` the edge of each rank. `SEGMENT`: the segments in the order of the new tour; the segment
#: after the edge of rank r is 2 r + 1 if it is followed forward, 2 r if backward. `ORDERED`: the same, with the longest
#: segment first. `END`: t_1, t_2, ...; edge (t_2i+1, t_2i+2) is removed, and (t_2i+2, t_2i+3) is added. `GAIN`: the
#: lengths removed minus those added. `LEFT`: the number of alternatives left. `BEST_CUT`, `BEST_EVEN`, `BEST_END`: the
#: best exchange so far. `KEPT`: the number of collected alternatives. `SIDES`: see `allow_last`. `CODE`: the code of
#: the exchange at each level, see `solvers.algorithms.lin_kernighan.kernels.search_cpu.shapes`.
CUT, EVEN, RANK, BY_RANK, SEGMENT, ORDERED, END, GAIN, LEFT = range(9)
BEST_CUT, BEST_EVEN, BEST_END, KEPT, SIDES, CODE, PLAN = range(9, 16)


#: The policy for EUC_2D distances where the last city's distances are in the only row of the matrix. Its number is that
#: of `GRID`, which `Cities` never have.
OPEN = GRID


class Cities(NamedTuple):
    """Cities in the kernels' numbering, with their candidates.

    Attributes
    ----------
    policy : int
        As in `solvers.kernels.distance_rows_cpu.Measure`, or `OPEN`; `GRID` is computed as `EUC_2D`.
    matrix : ndarray, shape (n, n), int32
        The distances; of size 0 if they are computed from coordinates, of shape (1, n) for `OPEN`.
    points : ndarray, shape (n, 2), float64
        The coordinates; of size 0 if distances are read from the matrix.
    near : ndarray, shape (n, k), int32
        Each city's candidates, the nearest first.
    near_distance : ndarray, shape (n, k), int32
        The distances to the candidates.
    """

    policy: int
    matrix: np.ndarray
    points: np.ndarray
    near: np.ndarray
    near_distance: np.ndarray


class Tour(NamedTuple):
    """A tour whose changes can be undone.

    Attributes
    ----------
    order, position : ndarray, shape (n,), int32
        The city at each position, and the position of each city.
    log : ndarray, shape (m, ROW), int32
        The exchanges since the log was emptied. A negative `COUNT` means that the window was reversed.
    saved : ndarray, shape (h,), int32
        The former cities of the windows that were not reversed, window after window.
    marks : ndarray, shape (MARKS,), int64
    """

    order: np.ndarray
    position: np.ndarray
    log: np.ndarray
    saved: np.ndarray
    marks: np.ndarray


@njit(inline="always")
def distance(policy, matrix, points, a, b):
    """Return the TSPLIB 95 distance between two cities, int64."""
    if policy == MATRIX:
        return np.int64(matrix[a, b])
    if policy == OPEN and max(a, b) == matrix.shape[1] - 1:
        return np.int64(matrix[0, min(a, b)])
    dx, dy = points[a, 0] - points[b, 0], points[a, 1] - points[b, 1]
    square = dx * dx + dy * dy
    if policy == CEIL_2D:
        return np.int64(math.ceil(math.sqrt(square)))
    if policy == ATT:
        exact = math.sqrt(square / 10.0)
        rounded = np.int64(exact + 0.5)
        return rounded + np.int64(rounded < exact)
    return np.int64(math.sqrt(square) + 0.5)


@njit(cache=True, nogil=True)
def reverse(order, position, first, count):
    """Reverse `count` positions from `first` on, wrapping around the end of the array."""
    n = order.size
    last = first + count - 1
    if last < n:
        i, j = first, last
        while i < j:
            a, b = order[i], order[j]
            order[i], order[j] = b, a
            position[b], position[a] = i, j
            i += 1
            j -= 1
        return
    i, j = first, last - n
    for _ in range(count // 2):
        a, b = order[i], order[j]
        order[i], order[j] = b, a
        position[b], position[a] = i, j
        i += 1
        j -= 1
        if i == n:
            i = 0
        if j < 0:
            j = n - 1


@njit(cache=True, nogil=True)
def walk(k, plan):
    """Follow the tour that results from exchanging k edges.

    Parameters
    ----------
    k : int
    plan : ndarray, shape (PLAN, 16), int64
        Rows `CUT` and `EVEN` are read, `RANK`, `BY_RANK` and `SEGMENT` written.

    Returns
    -------
    bool
        Whether the result is a tour of all cities.
    """
    # There are few branches, because the processor could not predict most of them.
    for i in range(k):
        cut, r = plan[CUT, i], 0
        for j in range(k):
            r += plan[CUT, j] < cut
        plan[RANK, i], plan[BY_RANK, r] = r, i
    i, side = 0, 1 - plan[EVEN, 0]
    first = side
    for count in range(k):
        r = plan[RANK, i]
        ahead = r + 2 * side - 1
        ahead = k - 1 if ahead < 0 else ahead
        ahead = 0 if ahead == k else ahead
        plan[SEGMENT, count] = 2 * r + 1 if side == 1 else 2 * ahead
        side = 1 - side
        i = plan[BY_RANK, ahead]
        on = plan[EVEN, i] == side
        i = i + 1 if on else i - 1
        i = k - 1 if i < 0 else i
        i = 0 if i == k else i
        side = plan[EVEN, i]
        side = 1 - side if on else side
        if i == 0 and side == first:
            return count == k - 1
    return False


@njit(cache=True, nogil=True)
def allow_last(k, plan):
    """Find where one more edge may be removed so that the exchange yields a tour.

    Removing the k edges and adding those between them leaves a path from t_1 to t_2k, and possibly cycles. Without a
    cycle, an edge of the path may be removed if its end nearer to t_1 is the next city of the exchange. With one cycle,
    any edge of the cycle may be removed.

    Parameters
    ----------
    k : int
    plan : ndarray, shape (PLAN, 16), int64
        Rows `CUT` and `EVEN` are read, and `SIDES` is written: for the segment after each rank, 1 if the edge after a
        city may be removed, plus 2 if the edge before it may.

    Returns
    -------
    bool
        Whether any edge may be removed.
    """
    for i in range(k):
        cut, r = plan[CUT, i], 0
        for j in range(k):
            r += plan[CUT, j] < cut
        plan[RANK, i], plan[BY_RANK, r] = r, i
        plan[SIDES, i] = 0
    i, side, count = 0, 1 - plan[EVEN, 0], 0
    while True:
        r = plan[RANK, i]
        ahead = r + 2 * side - 1
        ahead = k - 1 if ahead < 0 else ahead
        ahead = 0 if ahead == k else ahead
        plan[SIDES, r if side == 1 else ahead] = 2 - side
        count += 1
        side = 1 - side
        i = plan[BY_RANK, ahead]
        on = plan[EVEN, i] == side
        if on and i == k - 1:
            break
        i = i + 1 if on else i - 1
        side = plan[EVEN, i]
        side = 1 - side if on else side
    if count == k:
        return True
    # The remaining segments must form a single cycle.
    start = 0
    for r in range(k):
        start = r if plan[SIDES, r] == 0 else start
        plan[SIDES, r] = 0 if plan[SIDES, r] == 0 else 4
    i = plan[BY_RANK, start]
    side, at, size = 1, start, 0
    while True:
        plan[SIDES, at] = 3
        size += 1
        r = plan[RANK, i]
        ahead = r + 2 * side - 1
        ahead = k - 1 if ahead < 0 else ahead
        ahead = 0 if ahead == k else ahead
        side = 1 - side
        i = plan[BY_RANK, ahead]
        on = plan[EVEN, i] == side
        i = i + 1 if on else i - 1
        side = plan[EVEN, i]
        side = 1 - side if on else side
        r = plan[RANK, i]
        at = r if side == 1 else (r - 1 if r > 0 else k - 1)
        if at == start:
            break
    for r in range(k):
        plan[SIDES, r] &= 3
    return count + size == k


@njit(cache=True, nogil=True)
def exchange(tour, k, plan):
    """Exchange k edges by rewriting all of `walk`'s segments but the longest, and log the exchange.

    Parameters
    ----------
    tour : Tour
        A tour whose log has room.
    k : int
    plan : ndarray, shape (PLAN, 16), int64
        Rows `CUT`, `BY_RANK` and `SEGMENT` are read, and `ORDERED` is written.
    """
    order, position, log, saved, marks = tour.order, tour.position, tour.log, tour.saved, tour.marks
    n, entry = order.size, marks[ENTRIES]
    longest, at = -1, 0
    log[entry, COUNT], log[entry, EDGES] = 0, k
    for count in range(k):
        code = plan[SEGMENT, count]
        r = code >> 1
        cut = plan[CUT, plan[BY_RANK, r]]
        size = plan[CUT, plan[BY_RANK, r + 1 if r + 1 < k else 0]] - cut
        if size <= 0:
            size += n
        if size > longest:
            longest, at = size, count
        log[entry, CODES + count] = code
        log[entry, ENDS + 2 * r], log[entry, ENDS + 2 * r + 1] = order[cut], order[cut + 1 if cut + 1 < n else 0]
    marks[ENTRIES] = entry + 1
    stays = plan[SEGMENT, at]
    first_rank = stays >> 1
    for count in range(k):
        if stays & 1:
            plan[ORDERED, count] = plan[SEGMENT, (at + count) % k]
        else:
            plan[ORDERED, count] = plan[SEGMENT, (at - count) % k] ^ 1
    # Skip the segments at both ends that keep their positions.
    low, high = 1, k
    while low < high and plan[ORDERED, low] == 2 * ((first_rank + low) % k) + 1:
        low += 1
    while low < high and plan[ORDERED, high - 1] == 2 * ((first_rank + high - 1) % k) + 1:
        high -= 1
    if low == high:
        return
    first = plan[CUT, plan[BY_RANK, (first_rank + low) % k]] + 1
    count = plan[CUT, plan[BY_RANK, (first_rank + high) % k]] - first + 1
    if first >= n:
        first -= n
    if count <= 0:
        count += n
    log[entry, FIRST] = first
    if high - low == 1:
        log[entry, COUNT] = -count
        reverse(order, position, first, count)
        return
    log[entry, COUNT] = count
    before = marks[SAVED]
    marks[SAVED] = before + count
    head = min(count, n - first)
    for p in range(head):
        saved[before + p] = order[first + p]
    for p in range(count - head):
        saved[before + head + p] = order[p]
    p = first
    for each in range(low, high):
        r = plan[ORDERED, each] >> 1
        begin = plan[CUT, plan[BY_RANK, r]] + 1 - first
        end = plan[CUT, plan[BY_RANK, r + 1 if r + 1 < k else 0]] - first
        if begin < 0:
            begin += n
        elif begin >= n:
            begin -= n
        if end < 0:
            end += n
        q, step = before + begin, 1
        if plan[ORDERED, each] & 1 == 0:
            q, step = before + end, -1
        for _ in range(end - begin + 1):
            city = saved[q]
            order[p], position[city] = city, p
            q += step
            p += 1
            if p == n:
                p = 0


@njit(cache=True, nogil=True)
def undo(tour):
    """Undo all logged exchanges, the latest first."""
    order, position, log, saved, marks = tour.order, tour.position, tour.log, tour.saved, tour.marks
    n, end = order.size, np.int64(marks[SAVED])
    for entry in range(marks[ENTRIES] - 1, -1, -1):
        p, count = int(log[entry, FIRST]), int(log[entry, COUNT])
        if count < 0:
            reverse(order, position, p, -count)
            continue
        end -= count
        for q in range(end, end + count):
            city = saved[q]
            order[p], position[city] = city, p
            p += 1
            if p == n:
                p = 0
    marks[ENTRIES] = marks[SAVED] = 0
