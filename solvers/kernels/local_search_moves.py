"""Local search moves for any compiler: 2-opt, optionally with Or-opt, among nearest cities.

2-opt replaces the edges (c, a) and (d, b) by (c, d) and (a, b): G. A. Croes, "A Method for Solving Traveling-Salesman
Problems" (Operations Research 6, 1958). Or-opt moves the segment c ... e of up to three cities from between a and f to
between d and b, with c beside d: I. Or, "Traveling Salesman-Type Combinatorial Problems and their Relation to the
Logistics of Regional Blood Banking" (1976). In both kinds of moves, d is one of the cities nearest to c, and the search
ends where d is too far for any gain: J. L. Bentley, "Fast Algorithms for Geometric Traveling Salesman Problems" (ORSA
Journal on Computing 4, 1992), section 5. If the lists contain all other cities, no move is missed: each improving move
is found from one of its cities.

A tour consists of two arrays, cities by position and positions by city, of any integer type. It is cyclic: position
n - 1 precedes position 0.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

#: Minimum number of cities in a tour: a segment, its old neighbours and its new neighbours must all be different.
MIN_CITIES = 8

#: Less than any distance.
_NO_GAIN = np.int32(-(2**30))
_0, _1, _2, _3, _4 = (np.uint32(number) for number in range(5))


class Moves(NamedTuple):
    """The compiled functions of this file.

    A move is ``(c, d, a, b, size, e, f)``, all uint32: its cities, named as in this module's docstring, with b next to
    d, and the size of the segment. For 2-opt the size is 0, and e and f are c and d.
    """

    best_move: Callable[..., Any]
    best_two_opt: Callable[..., Any]
    holds: Callable[..., Any]
    plan_reversals: Callable[..., Any]


def wrapped_position(p, n):
    """Return p modulo n, for p below 2 n."""
    return np.uint32(p - n) if p >= n else np.uint32(p)


def _choose_better(best, gain, is_allowed, d, b, how):
    """Return the better of two moves (gain, d, b, how); ties go to the first.

    `how` is 2 * size + side, with the size of the segment (0 for 2-opt) and its direction from c (0 forward, 1
    backward).
    """
    return (np.int32(gain), d, b, how) if is_allowed and gain > best[0] else best


def _read(distance, condition, row, city):
    """Read a distance if `condition` holds; the address is selected without a branch, so that loads overlap."""
    return distance[np.uint32(row + city) if condition else _0]


def _build_steps(wrap: Callable[[Callable[..., Any]], Any]):
    """Compile the functions that find positions and cities of a tour: `wrapped`, `offset` and `at`."""
    wrapped = wrap(wrapped_position)

    @wrap
    def offset(p, q, forward, n):
        """Return the number of steps, forward or backward, from position p to position q."""
        return wrapped(np.uint32(q + n - p) if forward else np.uint32(p + n - q), n)

    @wrap
    def at(order, p, steps, forward, n):
        """Return the city that is `steps` steps from position p, forward or backward."""
        return np.uint32(order[wrapped(np.uint32(p + steps if forward else p + n - steps), n)])

    return wrapped, offset, at


def _build_evaluate(wrap: Callable[[Callable[..., Any]], Any], steps):
    better, read, (_, offset, at) = wrap(_choose_better), wrap(_read), steps

    @wrap
    def evaluate(distance, order, position, n, c, d, close, side, ahead, out1, out2, out3, s1, s2, best):
        """Return the best move out of `best` and those that make c and d neighbours in one direction of the tour.

        y and z are the neighbours of d. 2-opt replaces (c, s1) and (d, y) by (c, d) and (s1, y). A segment of one, two
        or three cities, whose removal saves `out1`, `out2` or `out3`, moves between d and y or between d and z.
        """
        forward = side == _0
        p = np.uint32(position[d])
        y, z = at(order, p, _1, forward, n), at(order, p, _1, not forward, n)
        off = offset(np.uint32(position[c]), p, forward, n)
        # The segment contains the offsets below its size; y must not be c, nor z the segment's end.
        on, to_y, to_z = off + _1 != n, distance[np.uint32(d * n + y)], distance[np.uint32(d * n + z)]
        two, one_y, one_z = close < ahead, close < out1 and on, close < out1 and off > _1
        two_y, two_z = close < out2 and off >= _2 and on, close < out2 and off > _2
        three_y, three_z = close < out3 and off >= _3 and on, close < out3 and off > _3
        row0, row1, row2 = np.uint32(c * n), np.uint32(s1 * n), np.uint32(s2 * n)
        far_0y, far_0z = read(distance, one_y, row0, y), read(distance, one_z, row0, z)
        far_1y, far_1z = read(distance, two or two_y, row1, y), read(distance, two_z, row1, z)
        far_2y, far_2z = read(distance, three_y, row2, y), read(distance, three_z, row2, z)
        y_side, z_side = np.int32(to_y - close), np.int32(to_z - close)
        best = better(best, ahead + y_side - far_1y, two, d, y, side)
        best = better(best, out1 + y_side - far_0y, one_y, d, y, np.uint32(_2 + side))
        best = better(best, out1 + z_side - far_0z, one_z, d, z, np.uint32(_2 + side))
        best = better(best, out2 + y_side - far_1y, two_y, d, y, np.uint32(_4 + side))
        best = better(best, out2 + z_side - far_1z, two_z, d, z, np.uint32(_4 + side))
        best = better(best, out3 + y_side - far_2y, three_y, d, y, np.uint32(_4 + _2 + side))
        return better(best, out3 + z_side - far_2z, three_z, d, z, np.uint32(_4 + _2 + side))

    return evaluate


def _build_best_move(wrap: Callable[[Callable[..., Any]], Any], steps):
    evaluate, (_, _, at) = _build_evaluate(wrap, steps), steps

    @wrap
    def best_move(distance, near, near_distance, order, position, n, k, c, part, parts):
        """Return city c's best move; ties go to the forward direction, then to the nearest d.

        2-opt requires that d(c, d) < d(c, a); moving a segment requires that d(c, d) is less than the gain from its
        removal. A segment begins at c and goes forward or backward; a single city counts as forward.

        Parameters
        ----------
        distance : ndarray, shape (n * n,), int32
            Symmetric distances.
        near, near_distance : ndarray, shape (n * k,), int32
            Each city's `k` nearest cities, by distance, and the distances to them.
        order, position : ndarray, shape (n,)
            The tour.
        n, k, c : uint32
            Number of cities, at least `MIN_CITIES`; number of nearest cities; the city.
        part, parts : uint32
            Which moves to evaluate, `part` out of `parts`: of 1 part, all moves; of 2, one direction of the tour; of 4,
            every second nearest city in one direction; of 8, every fourth, and so on.

        Returns
        -------
        tuple
            The gain, int32, 0 if no move shortens the tour; then the move, without c.
        """
        p, best = np.uint32(position[c]), (np.int32(0), c, c, _0)
        side, step = np.uint32(part & _1), np.uint32(max(parts >> _1, _1))
        while side < _2:
            forward = side == _0
            s1, s2, s3 = at(order, p, _1, forward, n), at(order, p, _2, forward, n), at(order, p, _3, forward, n)
            before = at(order, p, _1, not forward, n)
            row, row1, row2 = np.uint32(before * n), np.uint32(s1 * n), np.uint32(s2 * n)
            ahead, after = distance[np.uint32(row1 + c)], distance[np.uint32(row + c)]
            # What the removal of one, two or three cities gains; for one city, the direction does not matter.
            out1 = np.int32(after + ahead - distance[np.uint32(row + s1)]) if forward else _NO_GAIN
            out2 = np.int32(after + distance[np.uint32(row1 + s2)] - distance[np.uint32(row + s2)])
            out3 = np.int32(after + distance[np.uint32(row2 + s3)] - distance[np.uint32(row + s3)])
            reach = max(max(ahead, out1), max(out2, out3))
            place, last = np.uint32(c * k + (part >> _1)), np.uint32(c * k + k)
            while place < last:
                d, close = np.uint32(near[place]), near_distance[place]
                if close >= reach:
                    break
                best = evaluate(
                    distance, order, position, n, c, d, close, side, ahead, out1, out2, out3, s1, s2, best
                )  # fmt: skip
                place = np.uint32(place + step)
            side = np.uint32(side + min(parts, _2))
        gain, d, b, how = best
        forward, size = how & _1 == _0, np.uint32(how >> _1)
        if size == _0:
            return gain, d, at(order, p, _1, forward, n), b, size, c, d
        end = np.uint32(size - _1)
        e, f = at(order, p, end, forward, n), at(order, p, size, forward, n)
        return gain, d, at(order, p, _1, not forward, n), b, size, e, f

    return best_move


def _build_best_two_opt(wrap: Callable[[Callable[..., Any]], Any], steps):
    better, (_, _, at) = wrap(_choose_better), steps

    @wrap
    def best_two_opt(distance, near, near_distance, order, position, n, k, c, part, parts):
        """Return city c's best 2-opt move and its gain, like `best_move`, and the number of moves evaluated."""
        p, best, evaluated = np.uint32(position[c]), (np.int32(0), c, c, _0), _0
        side, step = np.uint32(part & _1), np.uint32(max(parts >> _1, _1))
        while side < _2:
            forward = side == _0
            row = np.uint32(at(order, p, _1, forward, n) * n)
            ahead = distance[np.uint32(row + c)]
            place, last = np.uint32(c * k + (part >> _1)), np.uint32(c * k + k)
            while place < last:
                d, close = np.uint32(near[place]), near_distance[place]
                if close >= ahead:
                    break
                b = at(order, np.uint32(position[d]), _1, forward, n)
                gained = ahead + distance[np.uint32(d * n + b)] - close - distance[np.uint32(row + b)]
                best, evaluated = better(best, gained, True, d, b, side), np.uint32(evaluated + _1)
                place = np.uint32(place + step)
            side = np.uint32(side + min(parts, _2))
        gain, d, b, how = best
        return gain, d, at(order, p, _1, how == _0, n), b, _0, c, d, evaluated

    return best_two_opt


def _build_holds(wrap: Callable[[Callable[..., Any]], Any], steps):
    _, offset, _ = steps

    @wrap
    def holds(position, n, c, d, a, b, size, e, f):
        """Return whether a move still has its gain after other moves.

        Its edges must still exist; for 2-opt, also in the same direction. The cities between c and e do not matter,
        since they move along. The edge (d, b) cannot be within the segment, since c or e would be one of its ends
        there.
        """
        p, q = np.uint32(position[c]), np.uint32(position[d])
        way, beside = offset(p, np.uint32(position[a]), True, n), offset(q, np.uint32(position[b]), True, n)
        if (way != _1 and way + _1 != n) or (beside != _1 and beside + _1 != n):
            return False
        if size == _0:
            return way == beside
        forward, end = way != _1, np.uint32(position[e])
        return offset(p, end, forward, n) + _1 == size and offset(end, np.uint32(position[f]), forward, n) == _1

    return holds


def _build_plan_reversals(wrap: Callable[[Callable[..., Any]], Any], steps):
    wrapped, offset, _ = steps

    @wrap
    def plan_reversals(position, n, c, d, a, b, size):
        """Return three parts of the tour, possibly empty; a move is made by reversing these one after another.

        2-opt reverses the shorter side. Or-opt reverses the segment together with the cities between it and its new
        place, in the shorter direction; then those cities; then the segment, unless that is to end up reversed.

        Returns
        -------
        tuple of uint32
            First position and number of cities of each of the three parts.
        """
        p, q = np.uint32(position[c]), np.uint32(position[d])
        forward = offset(p, np.uint32(position[a]), True, n) == _1
        if size == _0:
            first, count = wrapped(np.uint32(p + _1 if forward else p), n), offset(p, q, True, n)
            if count + count > n:
                first, count = wrapped(np.uint32(first + count), n), np.uint32(n - count)
            return first, count, _0, _0, _0, _0
        up = offset(q, np.uint32(position[b]), True, n) == _1
        start = wrapped(np.uint32(p + n + _1 - size), n) if forward else p
        low = q if up else wrapped(np.uint32(q + n - _1), n)
        above = offset(wrapped(np.uint32(start + size - _1), n), low, True, n)
        below, again = np.uint32(n - size - above), _0 if forward == up else size
        if above <= below:
            return start, np.uint32(above + size), start, above, wrapped(np.uint32(start + above), n), again
        first = wrapped(np.uint32(start + n - below), n)
        return first, np.uint32(below + size), wrapped(np.uint32(first + size), n), below, first, again

    return plan_reversals


def build_moves(wrap: Callable[[Callable[..., Any]], Any]) -> Moves:
    """Compile the functions of this file.

    Parameters
    ----------
    wrap : callable
        ``njit``, or ``cuda.jit(device=True)``.
    """
    steps = _build_steps(wrap)
    return Moves(
        _build_best_move(wrap, steps),
        _build_best_two_opt(wrap, steps),
        _build_holds(wrap, steps),
        _build_plan_reversals(wrap, steps),
    )
