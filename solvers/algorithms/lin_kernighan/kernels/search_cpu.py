"""Lin-Kernighan steps: sequential exchanges of up to `MAX_EDGES` edges, of which the first improvement is applied.

S. Lin and B. W. Kernighan, "An Effective Heuristic Algorithm for the Traveling-Salesman Problem" (1973); K. Helsgaun,
"An Effective Implementation of the Lin-Kernighan Traveling Salesman Heuristic" (2000), section 4: intermediate steps
need not be tours. Candidate lists and don't-look bits come from J. L. Bentley, "Fast Algorithms for Geometric Traveling
Salesman Problems" (1992).
"""

from typing import NamedTuple

import numpy as np

from solvers.algorithms.lin_kernighan.kernels.tour_cpu import (
    BEST_CUT,
    BEST_END,
    BEST_EVEN,
    CODE,
    CUT,
    END,
    ENTRIES,
    EVEN,
    GAIN,
    KEPT,
    LEFT,
    MAX_EDGES,
    PLAN,
    ROW,
    SAVED,
    SIDES,
    allow_last,
    distance,
    exchange,
    walk,
)
from solvers.kernels.compiler import njit

#: Indices into `Chain.state`. `LENGTH`: the tour's length. `KICKS`, `ACCEPTED`: the number of kicks so far, and of
#: accepted ones. `MADE`, `EVALUATED`: the number of exchanges made, and of exchanges evaluated. `QUEUED`, `HEAD`: the
#: length of the queue, and the index of its first city. `RECORDED`: the number of rows in `Chain.record`. `LAST`: the
#: city of the last accepted kick. `TARGET`: the length at which to stop. `BEST`: the best tour's length. `KEPT_ROWS`:
#: how many rows of the record lead to the best tour, -1 if that tour precedes the record.
LENGTH, KICKS, ACCEPTED, MADE, EVALUATED, QUEUED, HEAD, RECORDED, LAST, TARGET, BEST, KEPT_ROWS, STATE = range(13)


#: A target that no tour reaches, although lengths may be negative.
NO_TARGET = -(1 << 62)
#: Greater than all positions.
_FAR = 1 << 62
#: Where the k! 2^k shapes of exchanges of k edges start; see `shapes`.
SHAPES = (0, 0, 2, 10, 58, 442, 4282, 50362)
#: Row of `Search.closing` at which alternatives follow the candidates, and number of rows.
_HALF, CLOSING = 32, 96


class Search(NamedTuple):
    """Buffers for the search from one city.

    Attributes
    ----------
    plan : ndarray, shape (PLAN, 16), int64
        See `solvers.algorithms.lin_kernighan.kernels.tour_cpu`.
    option : ndarray, shape (levels, options, 2), int64
        The alternatives at each level: the gain, which is set to 0 when the alternative is followed; and twice t_2i+1,
        plus 1 if the edge before it is removed.
    closing : ndarray, shape (CLOSING, 2), int64
        The current level's candidates, with the gain so far; from `_HALF` on, the gain from closing each alternative,
        and the alternative.
    breadth : ndarray, shape (levels,), int64
        Number of alternatives that are followed from each level, those with the greatest gain; 0 at the last level.
    shape : ndarray, shape (s,), int16
        See `shapes`.
    """

    plan: np.ndarray
    option: np.ndarray
    closing: np.ndarray
    breadth: np.ndarray
    shape: np.ndarray


class Chain(NamedTuple):
    """The state of an iterated local search.

    Attributes
    ----------
    queue : ndarray, shape (n,), int32
        Ring buffer of the cities to search from: those with an edge that has changed since their last failed search.
    queued : ndarray, shape (n,), bool
        Whether each city is in the queue.
    record : ndarray, shape (m, ROW), int32
        The exchanges that were made and not undone, as rows of `Tour.log`.
    best : ndarray, shape (n,), int32
        The best tour; of size 0 if longer tours are never accepted.
    state : ndarray, shape (STATE,), int64
    """

    queue: np.ndarray
    queued: np.ndarray
    record: np.ndarray
    best: np.ndarray
    state: np.ndarray


@njit(inline="always")
def next_code(code, i, rank, back):
    """Return the code of an exchange of i edges, given that of all but the last edge; see `shapes`."""
    return (((code >> i) * (i + 1) + rank) << (i + 1)) + ((code & ((1 << i) - 1)) << 1) + 1 - back


@njit(cache=True, nogil=True)
def _keep(plan, k):
    """Store an exchange as the best so far."""
    for i in range(k):
        plan[BEST_CUT, i], plan[BEST_EVEN, i] = plan[CUT, i], plan[EVEN, i]
        plan[BEST_END, 2 * i], plan[BEST_END, 2 * i + 1] = plan[END, 2 * i], plan[END, 2 * i + 1]


@njit(cache=True, nogil=True)
def shapes():
    """Tabulate the properties of exchanges that depend only on the order of their edges.

    An exchange has the code ``CODE``: the rank of each edge among the previous edges, in mixed radix, times 2^k, plus
    ``EVEN`` of each edge, with the last edge's in the lowest bit. The entry of a code is 1 if closing makes a tour. If
    one more edge can make it a tour, twice the `SIDES` of each rank are added, in two bits per rank.

    Returns
    -------
    ndarray, shape (s,), int16
        The entries for k edges begin at ``SHAPES[k]``.
    """
    shape, plan = np.zeros(SHAPES[MAX_EDGES + 1], np.int16), np.zeros((PLAN, 16), np.int64)
    ranks = np.zeros(MAX_EDGES, np.int64)
    for k in range(1, MAX_EDGES + 1):
        begin = SHAPES[k]
        for code in range(SHAPES[k + 1] - begin):
            rest = code >> k
            for i in range(k - 1, -1, -1):
                ranks[i] = rest % (i + 1)
                rest //= i + 1
            for i in range(k):
                plan[EVEN, i] = (code >> (k - 1 - i)) & 1
                for j in range(i):
                    plan[CUT, j] += plan[CUT, j] >= ranks[i]
                plan[CUT, i] = ranks[i]
            if k > 1 and walk(k, plan):
                shape[begin + code] = 1
            if k < MAX_EDGES and allow_last(k, plan):
                for r in range(k):
                    shape[begin + code] += 2 * (plan[SIDES, r] << (2 * r))
    return shape


@njit(cache=True, nogil=True, shared=True)
def descend(cities, tour, search, chain, kicked, work):
    """Improve the tour until the queue is empty.

    This function is long because the levels of a search are one loop, whose state stays in registers.

    Parameters
    ----------
    cities : Cities
    tour : Tour
    search : Search
    chain : Chain
    kicked : bool
        Whether all changes are logged, so that they can be undone; when the log is full, cities stay in the queue.
        Otherwise exchanges are recorded as long as there is room.
    work : int
        Approximate number of exchanges to evaluate before returning.

    Returns
    -------
    int
        The change in length.
    """
    policy, matrix, points = cities.policy, cities.matrix, cities.points
    near, near_distance = cities.near, cities.near_distance
    order, position = tour.order, tour.position
    plan, option, closing, breadth = search.plan, search.option, search.closing, search.breadth
    shape = search.shape
    queue, queued, record, state = chain.queue, chain.queued, chain.record, chain.state
    log, marks, room = tour.log, tour.marks, tour.saved.size
    n, width = order.size, near.shape[1]
    waiting, head = state[QUEUED], state[HEAD]
    evaluated, exchanges, change = 0, 0, np.int64(0)
    recorded = state[RECORDED]
    full = False
    while waiting > 0 and evaluated < work and not full:
        city = np.int64(queue[head])
        head = head + 1 if head + 1 < n else 0
        waiting -= 1
        queued[city] = False
        side = 0
        while side < 2:
            p = position[city]
            if side == 0:
                other, first = order[p + 1 if p + 1 < n else 0], p
            else:
                first = p - 1 if p > 0 else n - 1
                other = order[first]
            plan[CUT, 0], plan[EVEN, 0] = first, 1 - side
            plan[END, 0], plan[END, 1] = city, other
            plan[GAIN, 0] = distance(policy, matrix, points, city, other)
            plan[CODE, 0] = 1 - side
            level, best_depth, best = 0, 0, np.int64(0)
            while True:
                # Find this level's alternatives.
                current, total = plan[END, 2 * level + 1], plan[GAIN, level]
                p = position[current]
                before, after = order[p - 1 if p > 0 else n - 1], order[p + 1 if p + 1 < n else 0]
                maximum, option_count, i = breadth[level], 0, level + 1
                reach, count = 0, 0
                while reach < width and near_distance[current, reach] < total - best:
                    a = near[current, reach]
                    option[level, count, 0], option[level, count, 1] = total - near_distance[current, reach], a
                    count += (a != before) & (a != after)
                    reach += 1
                for c in range(count):
                    closing[c, 0], closing[c, 1] = option[level, c, 0], option[level, c, 1]
                if maximum == 0:
                    # For the last edge, only alternatives that close a tour count.
                    sides = np.int64(shape[SHAPES[i] + plan[CODE, level]]) >> 1
                    if sides == 0:
                        count = 0
                    cut_0, cut_1 = plan[CUT, 0], plan[CUT, 1] if i > 1 else _FAR
                    cut_2, cut_3 = plan[CUT, 2] if i > 2 else _FAR, plan[CUT, 3] if i > 3 else _FAR
                    cut_4 = plan[CUT, 4] if i > 4 else _FAR
                    for c in range(count):
                        rest, a = closing[c, 0], closing[c, 1]
                        q = np.int64(position[a])
                        for back in range(2):
                            cut = q - back
                            cut = cut + n if cut < 0 else cut
                            r = np.int64(cut_0 < cut) + np.int64(cut_1 < cut) + np.int64(cut_2 < cut)
                            r += np.int64(cut_3 < cut) + np.int64(cut_4 < cut) - 1
                            r = np.int64(i - 1) if r < 0 else r
                            old = (cut == cut_0) | (cut == cut_1) | (cut == cut_2) | (cut == cut_3) | (cut == cut_4)
                            if old or (sides >> (2 * r + back)) & 1 == 0:
                                continue
                            b = np.int64(order[cut + 1 if cut + 1 < n else 0] if back == 0 else order[cut])
                            evaluated += 1
                            gain = rest + distance(policy, matrix, points, a, b)
                            gain -= distance(policy, matrix, points, b, city)
                            if gain > best:
                                best_depth, best = i + 1, gain
                                plan[CUT, i], plan[EVEN, i] = cut, 1 - back
                                plan[END, 2 * i], plan[END, 2 * i + 1] = a, b
                                _keep(plan, i + 1)
                    count = 0
                # There are no branches, since the processor could not predict them.
                cut_0, cut_1 = plan[CUT, 0], plan[CUT, 1] if i > 1 else _FAR
                cut_2, cut_3 = plan[CUT, 2] if i > 2 else _FAR, plan[CUT, 3] if i > 3 else _FAR
                cut_4 = plan[CUT, 4] if i > 4 else _FAR
                closes = np.int64(-1 if level > 0 else side)
                size = 0
                for c in range(count):
                    rest, a = closing[c, 0], closing[c, 1]
                    q = np.int64(position[a])
                    for back in range(2):
                        cut = q - back
                        cut = cut + n if cut < 0 else cut
                        q_b = q + 1 - 2 * back
                        q_b = q_b + n if q_b < 0 else (q_b - n if q_b >= n else q_b)
                        b = np.int64(order[q_b])
                        fine = (cut != cut_0) & (cut != cut_1) & (cut != cut_2) & (cut != cut_3) & (cut != cut_4)
                        value = rest + distance(policy, matrix, points, a, b)
                        close = value - distance(policy, matrix, points, b, city)
                        option[level, option_count, 0], option[level, option_count, 1] = value, 2 * a + back
                        option_count += fine
                        closing[_HALF + size, 0] = close if fine & (back != closes) else 0
                        closing[_HALF + size, 1] = 2 * a + back
                        size += 1
                evaluated += size
                for c in range(size):
                    gain = closing[_HALF + c, 0]
                    if gain > best:
                        a, back = closing[_HALF + c, 1] >> 1, closing[_HALF + c, 1] & 1
                        q = np.int64(position[a])
                        if back == 0:
                            b, cut = order[q + 1 if q + 1 < n else 0], q
                        else:
                            cut = q - 1 if q > 0 else n - 1
                            b = order[cut]
                        r = np.int64(cut_0 < cut) + np.int64(cut_1 < cut) + np.int64(cut_2 < cut)
                        r += np.int64(cut_3 < cut) + np.int64(cut_4 < cut)
                        code = next_code(plan[CODE, level], i, r, back)
                        if shape[SHAPES[i + 1] + code] & 1:
                            plan[CUT, i], plan[EVEN, i] = cut, 1 - back
                            plan[END, 2 * i], plan[END, 2 * i + 1] = a, b
                            best_depth, best = i + 1, gain
                            _keep(plan, i + 1)
                plan[LEFT, level], plan[KEPT, level] = maximum, option_count
                # Take the best remaining alternative of the deepest level that has one.
                while level >= 0:
                    plan[LEFT, level] -= 1
                    at, value = -1, best
                    if plan[LEFT, level] >= 0:
                        for j in range(plan[KEPT, level]):
                            if option[level, j, 0] > value:
                                at, value = j, option[level, j, 0]
                    if at >= 0:
                        break
                    level -= 1
                if level < 0:
                    break
                a, back = option[level, at, 1] >> 1, option[level, at, 1] & 1
                option[level, at, 0] = 0
                i = level + 1
                q = np.int64(position[a])
                if back == 0:
                    b, cut = order[q + 1 if q + 1 < n else 0], q
                else:
                    cut = q - 1 if q > 0 else n - 1
                    b = order[cut]
                plan[CUT, i], plan[EVEN, i] = cut, 1 - back
                plan[END, 2 * i], plan[END, 2 * i + 1] = a, b
                plan[GAIN, i] = value
                r = np.int64(0)
                for j in range(i):
                    r += plan[CUT, j] < cut
                plan[CODE, i] = next_code(plan[CODE, level], i, r, back)
                level = i
            if not best_depth:
                side += 1
                continue
            for j in range(best_depth):
                plan[CUT, j], plan[EVEN, j] = plan[BEST_CUT, j], plan[BEST_EVEN, j]
            walk(best_depth, plan)
            exchange(tour, np.int64(best_depth), plan)
            if not kicked:
                for i in range(ROW):
                    record[recorded, i] = log[0, i]
                recorded += 1
                marks[ENTRIES] = marks[SAVED] = 0
                full = recorded == record.shape[0]
            else:
                full = marks[ENTRIES] == log.shape[0] or marks[SAVED] + n > room
            change -= best
            exchanges += 1
            for i in range(2 * best_depth):
                a = plan[BEST_END, i]
                if not queued[a]:
                    queued[a] = True
                    at = head + waiting
                    queue[at if at < n else at - n] = a
                    waiting += 1
            side = 0
            if full:
                break
    state[RECORDED] = recorded
    state[QUEUED], state[HEAD] = waiting, head
    state[EVALUATED] += evaluated
    state[MADE] += exchanges
    return change
