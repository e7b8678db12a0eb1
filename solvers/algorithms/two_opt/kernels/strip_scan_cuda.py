"""The scan of all moves in `strip` and `multi-move`: each thread handles a strip of positions.

The move (i, j) changes the length by d(i, j) + d(i+1, j+1) - e(i) - e(j), where e(p) is the length of the edge after
position p. In the matrix, d(i+1, j+1) is the diagonal neighbour of d(i, j). So a thread that has rows i to i + R - 1
and processes the columns one by one needs only R + 1 square roots for R moves: it uses one column's distances again for
the next column's moves.

The tour is a circle, and a move is a pair of its edges. Each row is combined with the half of the circle that follows
it, which gives all threads the same amount of work; the triangle i < j would leave half of them idle. A few pairs are
evaluated twice.

Rounding costs no extra instruction: if 1.5 * 2**23 is added to a float32 below 2**22, the low bits of the sum are that
number, rounded to an integer. These bit patterns are added as integers, and one instruction (VIADDMNMX) adds two of
them and takes the minimum. So the inner loop has eight instructions per distance; one of them is the square root, which
takes as long as eight others.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import float32, int32, uint32, uint64

from solvers.algorithms.two_opt.kernels.strip_geometry import STEP, geometry
from solvers.kernels.device_cuda import MAGIC, as_bits, as_float, cuda, device

#: Twice the bit pattern of `MAGIC`, as int32.
TWICE = 2 * 0x4B400000 - 2**32
#: Greater than all sums of two patterns, which are near `TWICE`, but small enough that adding an edge cannot overflow.
_ABOVE = 0
#: Factor that reduces a root by more than the error of the GPU's approximation.
_BELOW = np.float32(1.0 - 2.0**-22)
_TENTH = np.float32(0.1)
_HALF, _ONE = np.float32(0.5), np.float32(1.0)
assert STEP == 4, "the inner loop of `walk` has a call for each column of a step"


class Layout(NamedTuple):
    """Device functions for one kind of distance and storage; see `build_layout`."""

    reach: int
    arrays: Callable[..., Any]
    between: Callable[..., Any]
    lay: Callable[..., Any]
    change: Callable[..., Any]
    walk: Callable[..., Any]


@device
def unpack_x(point):
    """Return the x coordinate of a packed point, float32."""
    return as_float(int32(point & uint64(0xFFFFFFFF)))


@device
def unpack_y(point):
    """Return the y coordinate of a packed point, float32."""
    return as_float(int32(point >> uint64(32)))


@device
def pack(x, y):
    """Pack a point into 64 bits, so that one load reads it."""
    return (uint64(uint32(as_bits(y))) << uint64(32)) | uint64(uint32(as_bits(x)))


@device
def put(along, p, n, extent, value):
    """Write the value of position p < n and its copies beyond n."""
    while p < extent:
        along[p] = value
        p = uint32(p + n)


def build_rounding(kind: str, exact: bool):
    """Build a device function ``(dx, dy)`` that returns the rounded distance plus 1.5 * 2**23, float32.

    If `exact`, the root is lowered, and its integer part f is corrected by means of q - f**2, where q = dx**2 + dy**2.
    This is free of error if q is below 2**24, so the result does not depend on the accuracy of a device's roots.
    CEIL_2D and ATT (the root of q / 10, rounded up) are always corrected, because the approximate root of a square may
    err in either direction.
    """
    if kind == "EUC_2D" and not exact:

        @device
        def rounded(dx, dy):
            return float32(float32(math.sqrt(cuda.fma(dx, dx, dy * dy))) + MAGIC)

    elif kind == "EUC_2D":

        @device
        def rounded(dx, dy):
            q = cuda.fma(dx, dx, dy * dy)
            low = cuda.fma(float32(math.sqrt(q)), _BELOW, MAGIC)
            f = float32(low - MAGIC)
            return float32(low + (_ONE if cuda.fma(-f, f, q) > f else float32(0.0)))

    else:
        times, share = (np.float32(-1.0), _ONE) if kind == "CEIL_2D" else (np.float32(-10.0), _TENTH)

        @device
        def rounded(dx, dy):
            q = cuda.fma(dx, dx, dy * dy)
            low = float32(cuda.fma(float32(math.sqrt(q * share)), _BELOW, -_HALF) + MAGIC)
            f = float32(low - MAGIC)
            return float32(low + (_ONE if cuda.fma(times * f, f, q) > float32(0.0) else float32(0.0)))

    return rounded


def build_metric(kind: str, exact: bool):
    """Build a device function ``(dx, dy)`` that returns the rounded distance, int32; see `build_rounding`."""
    rounded = build_rounding(kind, exact)

    @device
    def distance(dx, dy):
        return int32(rounded(dx, dy) - MAGIC)

    return distance


def _build_places(reach: int, in_shared: bool):
    """Build a device function ``(scratch, n)`` that returns a climb's arrays, in shared or scratch memory."""
    if in_shared:

        @device
        def arrays(scratch, n):
            extent = uint32(reach)
            flat = cuda.shared.array(0, int32)
            pairs = cuda.shared.array(0, uint64)
            edges = cuda.shared.array(0, float32)
            after = uint32((uint32(3) * extent + uint32(2) * n + uint32(1)) >> uint32(1))
            return (
                pairs, edges[uint32(2) * extent :], flat[uint32(3) * extent :], flat[uint32(3) * extent + n :],
                pairs[after:], flat[uint32(2) * after + uint32(2) * n :],
            )  # fmt: skip

    else:

        @device
        def arrays(scratch, n):
            extent = uint32(reach)
            pairs, edges = scratch.view(np.uint64), scratch.view(np.float32)
            after = uint32((uint32(3) * extent + uint32(2) * n + uint32(1)) >> uint32(1))
            return (
                pairs, edges[uint32(2) * extent :], scratch[uint32(3) * extent :], scratch[uint32(3) * extent + n :],
                pairs[after:], scratch[uint32(2) * after + uint32(2) * n :],
            )  # fmt: skip

    return arrays


def _build_column(rows: int, rounded):
    width = rows + 1

    @device
    def column(along, edges, x, y, before, minimum, j, skip):
        """Measure column j, and update the minima with the previous column's moves.

        ``before[k]`` is the pattern of d(i0 + k, j - 1), and afterwards that of d(i0 + k, j). Row `skip` is left out,
        because its move would exchange an edge with itself.
        """
        point, edge = along[j], edges[uint32(j - uint32(1))]
        for back in range(width):
            k = rows - back
            here = rounded(float32(x[k] - unpack_x(point)), float32(y[k] - unpack_y(point)))
            if k > 0:
                total = int32(before[k - 1] + as_bits(float32(here + edge)))
                if skip == k - 1:
                    total = int32(_ABOVE)
                minimum[k - 1] = min(minimum[k - 1], total)
            if k < rows:
                before[k] = as_bits(here)

    return column


def _build_locate(rows: int, change):
    look = max(STEP, rows - 2)

    @device
    def locate(along, edges, i0, minimum, edge, at, best, n):
        """Find the move with change `best` in the columns from `at` on: i << 16 | j, i < j."""
        mask = 0
        for k in range(rows):
            mask |= int32(int32(minimum[k] + edge[k]) == best) << k
        for k in range(rows):
            if (mask >> k) & 1:
                i = uint32(i0 + uint32(k))
                for step in range(look):
                    j = uint32(at - uint32(1) + uint32(step))
                    if j != i and change(along, edges, i, j) == best:
                        a = i if i < n else uint32(i - n)
                        b = j if j < n else uint32(j - n)
                        return int32(min(a, b) << uint32(16) | max(a, b))
        return int32(0)

    return locate


def _build_walk(n: int, threads: int, rows: int, rounded, change, track: bool):
    strips, parts, columns, _ = geometry(n, rows, threads)
    column, locate, width = _build_column(rows, rounded), _build_locate(rows, change), rows + 1

    @device
    def walk(along, edges, row_min, n):
        """Evaluate all moves; return the thread's minimum change, at most 0, and its move if tracked.

        If moves are not tracked, each row's minimum change is written to ``row_min`` (n,), initially INT32_MAX.

        A thread processes strip after strip. It keeps in registers (local arrays of fixed size, whose loops are
        unrolled) the coordinates of the strip's rows, the pattern of each row's distance to the previous column, and
        each row's minimum sum so far. In the first part of a strip, the first columns are the strip's own edges, which
        are processed one by one; all other columns are processed `STEP` at a time.
        """
        x, y = cuda.local.array(width, float32), cuda.local.array(width, float32)
        before, minimum = cuda.local.array(rows, int32), cuda.local.array(rows, int32)
        edge = cuda.local.array(rows, int32)
        min_change, move = int32(0), int32(0)
        strip, part = uint32(cuda.threadIdx.x), uint32(0)
        while True:
            while strip >= uint32(strips):
                strip, part = uint32(strip - uint32(strips)), uint32(part + uint32(1))
            if part >= uint32(parts):
                break
            i0 = uint32(strip * uint32(rows))
            j = uint32(i0 + part * uint32(columns) + uint32(2))
            end = uint32(j + uint32(columns) + uint32(1))
            point = along[j]
            for k in range(width):
                own = along[uint32(i0 + uint32(k))]
                x[k], y[k] = unpack_x(own), unpack_y(own)
            for k in range(rows):
                before[k] = as_bits(rounded(float32(x[k] - unpack_x(point)), float32(y[k] - unpack_y(point))))
                minimum[k] = int32(_ABOVE)
                edge[k] = int32(int32(edges[uint32(i0 + uint32(k))]) - TWICE)
            j = uint32(j + uint32(1))
            at, best = j, int32(0)
            if part == 0:
                for k in range(2, rows):
                    column(along, edges, x, y, before, minimum, j, k)
                    j = uint32(j + uint32(1))
                if track:
                    for k in range(rows):
                        best = min(best, int32(minimum[k] + edge[k]))
            while j < end:
                column(along, edges, x, y, before, minimum, j, -1)
                column(along, edges, x, y, before, minimum, uint32(j + uint32(1)), -1)
                column(along, edges, x, y, before, minimum, uint32(j + uint32(2)), -1)
                column(along, edges, x, y, before, minimum, uint32(j + uint32(3)), -1)
                if track:
                    now = best
                    for k in range(rows):
                        now = min(now, int32(minimum[k] + edge[k]))
                    if now < best:
                        best, at = now, j
                j = uint32(j + uint32(STEP))
            if track:
                if best < min_change:
                    min_change = best
                    move = locate(along, edges, i0, minimum, edge, at, best, n)
            else:
                for k in range(rows):
                    total = int32(minimum[k] + edge[k])
                    if total < 0:
                        i = uint32(i0 + uint32(k))
                        cuda.atomic.min(row_min, i if i < n else uint32(i - n), total)
                        min_change = min(min_change, total)
            strip = uint32(strip + uint32(cuda.blockDim.x))
        return min_change, move

    return walk


def build_layout(kind: str, n: int, threads: int, rows: int, exact: bool, track: bool, in_shared: bool) -> Layout:
    """Build the device functions for one kind of distance and storage.

    Parameters
    ----------
    kind : str
        EUC_2D, CEIL_2D or ATT.
    n, threads : int
        Number of cities, and number of threads per block. They are compiled in, because the divisions that distribute
        a scan would take as long as hundreds of moves.
    rows : int
        Number of positions in a strip.
    exact : bool
        See `build_rounding`.
    track : bool
        Whether `walk` returns a thread's best move, instead of storing each row's minimum change.
    in_shared : bool
        Whether a climb is stored in shared memory.

    Returns
    -------
    Layout
        The number of positions that store a tour, and device functions.
        ``arrays(scratch, n)``: packed points by position (extent,) uint64; the negative length of the edge after each
        position (extent,) float32; cities by position (n,) int32; a buffer (n,) int32; packed points by city (n,)
        uint64; a buffer (threads,) int32. ``between(a, b)``: the rounded distance between two packed points.
        ``lay(...)``: write points and edges by position, given the cities. ``change(along, edges, i, j)``: the change
        in length by the move (i, j), where j is at most a little over half a tour after i. ``walk(...)``: evaluate all
        moves.
    """
    reach, rounded = geometry(n, rows, threads)[3], build_rounding(kind, exact)

    @device
    def between(a, b):
        return rounded(float32(unpack_x(a) - unpack_x(b)), float32(unpack_y(a) - unpack_y(b)))

    @device
    def lay(along, edges, city, packed, n):
        extent = uint32(reach)
        p = uint32(cuda.threadIdx.x)
        while p < n:
            put(along, p, n, extent, packed[city[p]])
            p = uint32(p + uint32(cuda.blockDim.x))
        cuda.syncthreads()
        p = uint32(cuda.threadIdx.x)
        while p < n:
            put(edges, p, n, extent, float32(MAGIC - between(along[p], along[uint32(p + uint32(1))])))
            p = uint32(p + uint32(cuda.blockDim.x))

    @device
    def change(along, edges, i, j):
        near = between(along[i], along[j])
        far = between(along[uint32(i + uint32(1))], along[uint32(j + uint32(1))])
        both = int32(as_bits(near) + as_bits(float32(far + edges[j])))
        return int32(int32(both - TWICE) + int32(edges[i]))

    walk = _build_walk(n, threads, rows, rounded, change, track)
    return Layout(reach, _build_places(reach, in_shared), between, lay, change, walk)
