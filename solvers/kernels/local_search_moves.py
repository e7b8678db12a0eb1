"""The moves that improve an ant's tour, for every compiler: 2-opt and Or-opt among the nearest cities.

2-opt replaces the edges (c, a) and (d, b) by (c, d) and (a, b): G. A. Croes, "A Method for Solving Traveling-Salesman
Problems" (Operations Research 6, 1958). Or-opt takes the segment c ... e of up to three cities from between a and f
and puts it between d and b, c beside d: I. Or, "Traveling Salesman-Type Combinatorial Problems and their Relation to
the Logistics of Regional Blood Banking" (1976). In both, d is one of the cities nearest to c, and the search ends where
d is too far for any gain: J. L. Bentley, "Fast Algorithms for Geometric Traveling Salesman Problems" (ORSA Journal on
Computing 4, 1992), section 5.

A tour is two arrays, cities by position and positions by city, of whatever integers; it runs around, so that position
n - 1 stands before 0.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

#: Tours of fewer cities are left alone: the segment, where it comes from and where it goes must all be apart.
FEWEST = 8

#: Below every distance.
_NEVER = np.int32(-(2**30))
_0, _1, _2, _3, _4 = (np.uint32(number) for number in range(5))


class Moves(NamedTuple):
    """What a compiler made of this file; the functions below say what each does.

    A move is ``(c, d, a, b, size, e, f)``, all uint32: its cities as in the head of this file, b beside d, and the
    cities of the segment, 0 for 2-opt, which has c and d for e and f.
    """

    best_move: Callable[..., Any]
    holds: Callable[..., Any]
    turns: Callable[..., Any]


def wrapped_position(p, n):
    """Position p < 2 n, around the tour."""
    return np.uint32(p - n) if p >= n else np.uint32(p)


def _better(found, got, wanted, d, b, how):
    """The better of two moves, each (gain, d, b, how); the first of equal ones.

    `how` is 2 * size + side: the cities of the segment, 0 for 2-opt, and the direction from c in which it lies and is
    looked for, 0 forward and 1 backward.
    """
    return (np.int32(got), d, b, how) if wanted and got > found[0] else found


def _read(distance, wanted, row, city):
    """A distance, if it is wanted. The address is chosen, no branch taken: so all distances are under way at once."""
    return distance[np.uint32(row + city) if wanted else _0]


def _steps_of(wrap: Callable[[Callable[..., Any]], Any]):
    """How one goes along a tour: `wrapped`, `offset` and `at`, compiled."""
    wrapped = wrap(wrapped_position)

    @wrap
    def offset(p, q, forward, n):
        """How many steps lead from position p to position q, forward or backward."""
        return wrapped(np.uint32(q + n - p) if forward else np.uint32(p + n - q), n)

    @wrap
    def at(order, p, steps, forward, n):
        """The city so many steps from position p."""
        return np.uint32(order[wrapped(np.uint32(p + steps if forward else p + n - steps), n)])

    return wrapped, offset, at


def _look_of(wrap: Callable[[Callable[..., Any]], Any], steps):
    better, read, (_, offset, at) = wrap(_better), wrap(_read), steps

    @wrap
    def look(distance, order, position, n, c, d, close, side, ahead, out1, out2, out3, s1, s2, found):
        """The better of `found` and the moves that bring c beside d, in one direction of the tour.

        y and z are the cities on either side of d. 2-opt (`two`) puts c between d and y; segments of one, two and three
        cities, which are taken out for a gain of `out1`, `out2` and `out3`, go between d and y or between d and z.
        """
        forward = side == _0
        p = np.uint32(position[d])
        y, z = at(order, p, _1, forward, n), at(order, p, _1, not forward, n)
        off = offset(np.uint32(position[c]), p, forward, n)
        # The segment has the offsets below its size; y must not be c, nor z its end.
        on, to_y, to_z = off + _1 != n, distance[np.uint32(d * n + y)], distance[np.uint32(d * n + z)]
        two, one_y, one_z = close < ahead, close < out1 and on, close < out1 and off > _1
        two_y, two_z = close < out2 and off >= _2 and on, close < out2 and off > _2
        three_y, three_z = close < out3 and off >= _3 and on, close < out3 and off > _3
        row0, row1, row2 = np.uint32(c * n), np.uint32(s1 * n), np.uint32(s2 * n)
        far_0y, far_0z = read(distance, one_y, row0, y), read(distance, one_z, row0, z)
        far_1y, far_1z = read(distance, two or two_y, row1, y), read(distance, two_z, row1, z)
        far_2y, far_2z = read(distance, three_y, row2, y), read(distance, three_z, row2, z)
        y_side, z_side = np.int32(to_y - close), np.int32(to_z - close)
        found = better(found, ahead + y_side - far_1y, two, d, y, side)
        found = better(found, out1 + y_side - far_0y, one_y, d, y, np.uint32(_2 + side))
        found = better(found, out1 + z_side - far_0z, one_z, d, z, np.uint32(_2 + side))
        found = better(found, out2 + y_side - far_1y, two_y, d, y, np.uint32(_4 + side))
        found = better(found, out2 + z_side - far_1z, two_z, d, z, np.uint32(_4 + side))
        found = better(found, out3 + y_side - far_2y, three_y, d, y, np.uint32(_4 + _2 + side))
        return better(found, out3 + z_side - far_2z, three_z, d, z, np.uint32(_4 + _2 + side))

    return look


def _best_move_of(wrap: Callable[[Callable[..., Any]], Any], steps):
    look, (_, _, at) = _look_of(wrap, steps), steps

    @wrap
    def best_move(distance, near, near_distance, order, position, n, k, c, part, parts):
        """The move of city c that shortens the tour most; of equal ones the forward one, then that with the nearest d.

        2-opt needs d(c, d) < d(c, a), a segment d(c, d) below what is gained where it is taken out. A segment begins
        at c and leads forward or backward; one city counts as forward.

        Parameters
        ----------
        distance : ndarray, shape (n * n,), int32
            Symmetric.
        near, near_distance : ndarray, shape (n * k,), int32
            The `k` nearest of each city, by distance, and how far they are.
        order, position : ndarray, shape (n,)
            The tour.
        n, k, c : uint32
            `n` at least `FEWEST`.
        part, parts : uint32
            What is looked at: all (0 of 1), one direction of the tour (of 2), or of that each second of the nearest
            cities (of 4), each fourth (of 8), and so on.

        Returns
        -------
        tuple
            By how much the tour gets shorter, int32, 0 if nothing shortens it; then the move from d on.
        """
        p, found = np.uint32(position[c]), (np.int32(0), c, c, _0)
        side, step = np.uint32(part & _1), np.uint32(max(parts >> _1, _1))
        while side < _2:
            forward = side == _0
            s1, s2, s3 = at(order, p, _1, forward, n), at(order, p, _2, forward, n), at(order, p, _3, forward, n)
            before = at(order, p, _1, not forward, n)
            row, row1, row2 = np.uint32(before * n), np.uint32(s1 * n), np.uint32(s2 * n)
            ahead, behind = distance[np.uint32(row1 + c)], distance[np.uint32(row + c)]
            # What is gained where one, two, three cities are taken out; one is the same from either side.
            out1 = np.int32(behind + ahead - distance[np.uint32(row + s1)]) if forward else _NEVER
            out2 = np.int32(behind + distance[np.uint32(row1 + s2)] - distance[np.uint32(row + s2)])
            out3 = np.int32(behind + distance[np.uint32(row2 + s3)] - distance[np.uint32(row + s3)])
            reach = max(max(ahead, out1), max(out2, out3))
            place, last = np.uint32(c * k + (part >> _1)), np.uint32(c * k + k)
            while place < last:
                d, close = np.uint32(near[place]), near_distance[place]
                if close >= reach:
                    break
                found = look(
                    distance, order, position, n, c, d, close, side, ahead, out1, out2, out3, s1, s2, found
                )  # fmt: skip
                place = np.uint32(place + step)
            side = np.uint32(side + min(parts, _2))
        gain, d, b, how = found
        forward, size = how & _1 == _0, np.uint32(how >> _1)
        if size == _0:
            return gain, d, at(order, p, _1, forward, n), b, size, c, d
        end = np.uint32(size - _1)
        e, f = at(order, p, end, forward, n), at(order, p, size, forward, n)
        return gain, d, at(order, p, _1, not forward, n), b, size, e, f

    return best_move


def _holds_of(wrap: Callable[[Callable[..., Any]], Any], steps):
    _, offset, _ = steps

    @wrap
    def holds(position, n, c, d, a, b, size, e, f):
        """Whether a move can still be made for its gain, after others that were made since it was found.

        Its edges must be there, and those of 2-opt must lead the same way. What lies between c and e does not matter:
        it moves along. The edge (d, b) cannot have come in between: there, c or e would be one of its ends.
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


def _turns_of(wrap: Callable[[Callable[..., Any]], Any], steps):
    wrapped, offset, _ = steps

    @wrap
    def turns(position, n, c, d, a, b, size):
        """The three stretches of the tour, some of them empty, that are reversed one after the other to make a move.

        2-opt reverses one side, the shorter. Or-opt reverses the segment together with what lies between it and its new
        place, the shorter way around; then what lay between; then the segment, unless it is to stand the other way.

        Returns
        -------
        tuple of uint32
            Position where the first stretch begins, its cities; the second's; the third's.
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

    return turns


def moves_of(wrap: Callable[[Callable[..., Any]], Any]) -> Moves:
    """Compile the functions of this file.

    Parameters
    ----------
    wrap : callable
        ``njit``, or ``cuda.jit(device=True)``.
    """
    steps = _steps_of(wrap)
    return Moves(_best_move_of(wrap, steps), _holds_of(wrap, steps), _turns_of(wrap, steps))
