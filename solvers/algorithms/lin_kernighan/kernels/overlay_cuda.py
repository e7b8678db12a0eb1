"""How one thread changes a tour that all threads read: the changed tour is a sequence of pieces of the original one.

A piece is an interval of positions in the original tour, with its place in the changed tour, its direction, and the
cities beside its ends. So a thread stores its own tour in about 100 words, and finds a city's position by five steps of
a binary search. Positions are counted from the first removed edge.

The functions are built for one compiler: `solvers.kernels.device_cuda.device`, or `numba.njit` for tests. Exchanges are
those of `solvers.algorithms.lin_kernighan.kernels.tour_cpu`, bit for bit: the longest segment keeps its direction.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import int32, uint32

from solvers.algorithms.lin_kernighan.kernels.tour_cpu import MAX_EDGES
from solvers.kernels.device_cuda import INT32_MAX

#: Maximum number of candidates per city.
MAX_CANDIDATES = 30
#: Maximum number of pieces in a tour; a power of two.
MAX_PIECES = 32
#: Rows of `words`, in which each thread has a column: the first position of each piece, and then n; twice each piece's
#: position in the original tour, plus 1 if the piece is followed backward; the positions of the edges that an exchange
#: removes.
START, CODE = 0, MAX_PIECES + 1
CUT = CODE + MAX_PIECES
WORDS = CUT + MAX_EDGES
#: Indices into a thread's `state`: the cities beside both ends of each piece; the current exchange (t_1, t_2, ..., the
#: lengths removed minus those added, and its alternatives); the best exchange so far; the segments during an exchange;
#: the queue of cities, as a ring; the exchanges made so far; the gain of closing, and its kind.
NEIGHBOURS = 0
END = NEIGHBOURS + 2 * MAX_PIECES
GAIN = END + 2 * MAX_EDGES
OPTION, OPTIONS = GAIN + MAX_EDGES, 7
BEST_CUT = OPTION + 2 * OPTIONS
BEST_END = BEST_CUT + MAX_EDGES
SEGMENT = BEST_END + 2 * MAX_EDGES
QUEUE, RING = SEGMENT + 3 * MAX_EDGES, 64
LOG, LOG_WORDS = QUEUE + RING, 192
CLOSING = LOG + LOG_WORDS
STATE = CLOSING + 4 * MAX_CANDIDATES
_FAR = np.int32(INT32_MAX)


class Overlay(NamedTuple):
    """The functions of an overlay, which are compiled for one target."""

    locate: Any
    walk: Any
    last_edges: Any
    exchange: Any


def build_overlay(jit, threads: int) -> Overlay:
    """Build the functions that work on `words` with `threads` columns.

    This function is long because the functions in it call each other, and all are compiled for the number of columns.

    Parameters
    ----------
    jit : callable
        Compiles a function.
    threads : int

    Returns
    -------
    Overlay
    """
    wide = np.uint32(threads)

    @jit
    def find_piece(words, thread, q):
        """Find the piece that contains a position."""
        j = uint32(0)
        for step in (16, 8, 4, 2, 1):
            ahead = uint32(j + uint32(step))
            if words[uint32(ahead * wide + thread)] <= q:
                j = ahead
        return j

    @jit
    def position(node, row, base, n, city):
        """Return a city's position in the original tour, whose row in `node` starts at `row`."""
        q = int32(node[uint32(row + uint32(uint32(city) * uint32(4)))] - base)
        return int32(q + n) if q < 0 else q

    @jit
    def locate(words, state, node, thread, row, base, n, city):
        """Return a city's position in the changed tour, and the cities before and after it."""
        at = uint32(row + uint32(uint32(city) * uint32(4)))
        before, after = node[uint32(at + uint32(1))], node[uint32(at + uint32(2))]
        q = position(node, row, base, n, city)
        j = find_piece(words, thread, q)
        first = words[uint32(j * wide + thread)]
        last = int32(words[uint32(uint32(j + uint32(1)) * wide + thread)] - 1)
        code = words[uint32(uint32(j + uint32(CODE)) * wide + thread)]
        if q == first:
            before = state[NEIGHBOURS + 2 * j]
        if q == last:
            after = state[NEIGHBOURS + 2 * j + 1]
        if code & 1:
            return int32((code >> 1) + (last - q)), after, before
        return int32((code >> 1) + (q - first)), before, after

    @jit
    def ranks(c0, c1, c2, c3, c4, c5):
        """Return each edge's rank by position and the edge of each rank, in four bits each; missing edges are last."""
        r0 = uint32(int32(c1 < c0) + int32(c2 < c0) + int32(c3 < c0) + int32(c4 < c0) + int32(c5 < c0))
        r1 = uint32(int32(c0 < c1) + int32(c2 < c1) + int32(c3 < c1) + int32(c4 < c1) + int32(c5 < c1))
        r2 = uint32(int32(c0 < c2) + int32(c1 < c2) + int32(c3 < c2) + int32(c4 < c2) + int32(c5 < c2))
        r3 = uint32(int32(c0 < c3) + int32(c1 < c3) + int32(c2 < c3) + int32(c4 < c3) + int32(c5 < c3))
        r4 = uint32(int32(c0 < c4) + int32(c1 < c4) + int32(c2 < c4) + int32(c3 < c4) + int32(c5 < c4))
        r5 = uint32(int32(c0 < c5) + int32(c1 < c5) + int32(c2 < c5) + int32(c3 < c5) + int32(c4 < c5))
        rank = uint32(
            r0 | (r1 << uint32(4)) | (r2 << uint32(8)) | (r3 << uint32(12)) | (r4 << uint32(16)) | (r5 << uint32(20))
        )
        edge = uint32(uint32(1) << uint32(r1 << uint32(2)))
        edge = uint32(edge | (uint32(2) << uint32(r2 << uint32(2))))
        edge = uint32(edge | (uint32(3) << uint32(r3 << uint32(2))))
        edge = uint32(edge | (uint32(4) << uint32(r4 << uint32(2))))
        edge = uint32(edge | (uint32(5) << uint32(r5 << uint32(2))))
        return rank, edge

    @jit
    def nibble(word, at):
        return int32((word >> uint32(uint32(at) << uint32(2))) & uint32(15))

    @jit
    def next_rank(rank, i, side, k):
        """Return the rank that follows edge i on the given side."""
        ahead = int32(nibble(rank, i) + 2 * side - 1)
        if ahead < 0:
            return int32(k - 1)
        return int32(0) if ahead == k else ahead

    @jit
    def on_from(edge, even, ahead, side, k):
        """Return the edge and the side to which the edge added at `edge` leads, and whether that is a later edge."""
        i = nibble(edge, ahead)
        on = int32((even >> uint32(i)) & uint32(1)) == side
        i = int32(i + 1) if on else int32(i - 1)
        i = int32(k - 1) if i < 0 else (int32(0) if i == k else i)
        side = int32((even >> uint32(i)) & uint32(1))
        return i, (int32(1 - side) if on else side), on

    @jit
    def walk(c0, c1, c2, c3, c4, c5, even, k):
        """Return whether an exchange yields a tour; see `solvers.algorithms.lin_kernighan.kernels.tour_cpu.walk`.

        Returns the result, the segments, and the edges by rank.
        """
        rank, edge = ranks(c0, c1, c2, c3, c4, c5)
        i, side = int32(0), int32(1 - int32(even & uint32(1)))
        first, segments, count = side, uint32(0), int32(0)
        while count < k:
            ahead = next_rank(rank, i, side, k)
            code = uint32(2 * nibble(rank, i) + 1) if side == 1 else uint32(2 * ahead)
            segments = uint32(segments | (code << uint32(uint32(count) << uint32(2))))
            count = int32(count + 1)
            i, side, _ = on_from(edge, even, ahead, int32(1 - side), k)
            if i == 0 and side == first:
                break
        return count == k and i == 0 and side == first, segments, edge

    @jit
    def last_edges(c0, c1, c2, c3, c4, c5, even, k):
        """Find where a last edge may be removed.

        See `solvers.algorithms.lin_kernighan.kernels.tour_cpu.allow_last`.

        Returns whether that is possible, and the sides, four bits each.
        """
        rank, edge = ranks(c0, c1, c2, c3, c4, c5)
        i, side, count, sides = int32(0), int32(1 - int32(even & uint32(1))), int32(0), uint32(0)
        while True:
            ahead = next_rank(rank, i, side, k)
            after = nibble(rank, i) if side == 1 else ahead
            sides = uint32(sides | (uint32(2 - side) << uint32(uint32(after) << uint32(2))))
            count = int32(count + 1)
            side = int32(1 - side)
            j = nibble(edge, ahead)
            if j == k - 1 and int32((even >> uint32(j)) & uint32(1)) == side:
                break
            i, side, _ = on_from(edge, even, ahead, side, k)
        if count == k:
            return True, sides
        start, r = int32(0), int32(0)
        while r < k:
            start = r if nibble(sides, r) == 0 else start
            r = int32(r + 1)
        sides, side, at, size = uint32(0), int32(1), start, int32(0)
        i = nibble(edge, start)
        while True:
            sides = uint32(sides | (uint32(3) << uint32(uint32(at) << uint32(2))))
            size = int32(size + 1)
            ahead = next_rank(rank, i, side, k)
            i, side, _ = on_from(edge, even, ahead, int32(1 - side), k)
            r = nibble(rank, i)
            at = r if side == 1 else (int32(r - 1) if r > 0 else int32(k - 1))
            if at == start:
                break
        return count + size == k, sides

    @jit
    def split(words, state, thread, pieces, j, q):
        """Split piece j at position q; the cities beside the new ends are not written."""
        at = int32(pieces)
        while at > j:
            words[uint32(uint32(at + 1) * wide + thread)] = words[uint32(uint32(at) * wide + thread)]
            if at > j + 1:
                words[uint32(uint32(at + CODE) * wide + thread)] = words[uint32(uint32(at - 1 + CODE) * wide + thread)]
                state[NEIGHBOURS + 2 * at] = state[NEIGHBOURS + 2 * at - 2]
                state[NEIGHBOURS + 2 * at + 1] = state[NEIGHBOURS + 2 * at - 1]
            at = int32(at - 1)
        first, last = words[uint32(uint32(j) * wide + thread)], int32(words[uint32(uint32(j + 2) * wide + thread)] - 1)
        code = words[uint32(uint32(j + CODE) * wide + thread)]
        words[uint32(uint32(j + 1) * wide + thread)] = q
        state[NEIGHBOURS + 2 * j + 3] = state[NEIGHBOURS + 2 * j + 1]
        if code & 1:
            words[uint32(uint32(j + 1 + CODE) * wide + thread)] = code
            words[uint32(uint32(j + CODE) * wide + thread)] = int32(code + 2 * (last - q + 1))
        else:
            words[uint32(uint32(j + 1 + CODE) * wide + thread)] = int32(code + 2 * (q - first))

    @jit
    def place_segments(state, n, k, segments, edge):
        """Write each segment's start, new position, size and direction, by rank, as rows of `SEGMENT`.

        A segment's row contains its first position, its new position, and twice its size, plus 1 if it is reversed.
        """
        longest, at, count = int32(-1), int32(0), int32(0)
        while count < k:
            r = int32(nibble(segments, count) >> 1)
            cut = state[BEST_CUT + nibble(edge, r)]
            size = int32(state[BEST_CUT + nibble(edge, r + 1 if r + 1 < k else 0)] - cut)
            size = int32(size + n) if size <= 0 else size
            state[SEGMENT + 3 * r] = int32(cut + 1)
            state[SEGMENT + 3 * r + 2] = int32(2 * size)
            if size > longest:
                longest, at = size, count
            count = int32(count + 1)
        forward = nibble(segments, at) & 1
        new_position, count = int32(0), int32(0)
        while count < k:
            each = int32(at + count) if forward else int32(at - count)
            each = int32(each - k) if each >= k else (int32(each + k) if each < 0 else each)
            code = nibble(segments, each)
            r, turned = int32(code >> 1), int32((code & 1) ^ forward)
            state[SEGMENT + 3 * r + 1] = new_position
            new_position = int32(new_position + (state[SEGMENT + 3 * r + 2] >> 1))
            state[SEGMENT + 3 * r + 2] |= turned
            count = int32(count + 1)

    @jit
    def exchange(words, state, node, thread, row, base, n, pieces, k, even):
        """Apply the best exchange; return the new number of pieces, or -1 if there are too many."""
        c0, c1 = state[BEST_CUT], state[BEST_CUT + 1]
        c2 = state[BEST_CUT + 2] if k > 2 else _FAR
        c3 = state[BEST_CUT + 3] if k > 3 else _FAR
        c4 = state[BEST_CUT + 4] if k > 4 else _FAR
        c5 = state[BEST_CUT + 5] if k > 5 else _FAR
        _, segments, edge = walk(c0, c1, c2, c3, c4, c5, even, k)
        place_segments(state, n, k, segments, edge)
        i = int32(0)
        while i < k:
            one = position(node, row, base, n, state[BEST_END + 2 * i])
            other = position(node, row, base, n, state[BEST_END + 2 * i + 1])
            q = max(one, other)
            j = int32(find_piece(words, thread, q))
            if abs(int32(one - other)) == 1 and words[uint32(uint32(j) * wide + thread)] < q:
                if pieces == MAX_PIECES:
                    return int32(-1)
                split(words, state, thread, pieces, j, q)
                pieces = int32(pieces + 1)
            i = int32(i + 1)
        at = int32(0)
        while at < 2 * k:
            j = int32(find_piece(words, thread, position(node, row, base, n, state[BEST_END + at])))
            backward = int32(words[uint32(uint32(j + CODE) * wide + thread)] & 1)
            is_second = int32(at & 1)
            ahead = int32(1 - int32((even >> uint32(at >> 1)) & uint32(1))) == is_second
            partner = int32(at + 1) if is_second else int32(at - 1)
            partner = int32(0) if partner == 2 * k else (int32(2 * k - 1) if partner < 0 else partner)
            side = int32(1 - backward) if ahead else backward
            state[NEIGHBOURS + 2 * j + side] = state[BEST_END + partner]
            at = int32(at + 1)
        j = int32(0)
        while j < pieces:
            code = words[uint32(uint32(j + CODE) * wide + thread)]
            size = int32(words[uint32(uint32(j + 1) * wide + thread)] - words[uint32(uint32(j) * wide + thread)])
            off, backward = int32(code >> 1), int32(code & 1)
            r = int32(
                int32(c0 < off) + int32(c1 < off) + int32(c2 < off) + int32(c3 < off) + int32(c4 < off)
                + int32(c5 < off) - 1
            )  # fmt: skip
            r = int32(k - 1) if r < 0 else r
            inside = int32(off - state[SEGMENT + 3 * r])
            inside = int32(inside + n) if inside < 0 else inside
            whole = state[SEGMENT + 3 * r + 2]
            if whole & 1:
                inside = int32((whole >> 1) - inside - size)
            off = int32(state[SEGMENT + 3 * r + 1] + inside)
            words[uint32(uint32(j + CODE) * wide + thread)] = int32(2 * off + (backward ^ (whole & 1)))
            j = int32(j + 1)
        return pieces

    return Overlay(locate, walk, last_edges, exchange)
