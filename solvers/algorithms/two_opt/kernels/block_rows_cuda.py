"""One climber per block, outer loop over threads: `intra`, `tile` and `tuned` of O'Neil and Burtscher (2015).

A slot's scratch memory holds x, y and the negative edge lengths in tour order, n + 1 words each; position n repeats the
city of position 0. The edge lengths are computed again for each scan. Distances are in single precision, see
`solvers.kernels.device_cuda`.
"""

from numba import float32, int32, uint32, uint64

from solvers.algorithms.two_opt.kernels.block_cuda import (
    BlockPolicy,
    build,
    build_best_improvement,
    shuffle_tour,
    swap_ends,
)
from solvers.kernels.device_cuda import BIAS, EXACT, INT32_MAX, SINGLE, as_bits, as_float, cuda, device


@device
def nothing_to_fill(points, matrix, scratch, n):
    """Do nothing, as climbers share no data in these variants."""


@device
def skip_saving(order, scratch, n):
    """Do nothing, as the tour is scanned and reversed in place."""


@device
def lay_coordinates(points, order, scratch, n):
    """Write the cities' coordinates in tour order."""
    k = uint32(cuda.threadIdx.x)
    while k <= n:
        city = order[k if k < n else uint32(0)]
        scratch[k] = as_bits(float32(points[city, 0]))
        scratch[n + uint32(1) + k] = as_bits(float32(points[city, 1]))
        k += uint32(cuda.blockDim.x)
    cuda.syncthreads()


@device
def reverse_coordinates(order, scratch, n, i, j):
    """Reverse positions i + 1 to j of the cities and their coordinates."""
    swap_ends(order, i, j)
    swap_ends(scratch, i, j)
    swap_ends(scratch, int32(n) + int32(1) + i, int32(n) + int32(1) + j)


@device
def shuffle_in_global(seed, climber, n, order, scratch):
    """Shuffle the tour in global memory, as shared memory may be too small."""
    shuffle_tour(seed, climber, n, order, scratch)


def build_weigh(exact):
    """Build a policy's `weigh` from an exact metric on coordinates."""

    @device
    def weigh(points, matrix, order, n, k):
        a, b = order[k], order[k + uint32(1) if k + uint32(1) < n else uint32(0)]
        return exact(points[a, 0] - points[b, 0], points[a, 1] - points[b, 1])

    return weigh


def _build_edge_measurer(metric):
    """Build a device function that computes ``buf[i] = -dist(i, i + 1)``, once per scan (slides 26 to 29)."""

    @device
    def measure_edges(scratch, n):
        ys, edges = uint32(n + uint32(1)), uint32(uint32(2) * (n + uint32(1)))
        k = uint32(cuda.threadIdx.x)
        while k < n:
            dx = as_float(scratch[k]) - as_float(scratch[k + uint32(1)])
            dy = as_float(scratch[ys + k]) - as_float(scratch[ys + k + uint32(1)])
            scratch[edges + k] = int32(int32(BIAS) - metric(dx, dy))
            k += uint32(cuda.blockDim.x)
        cuda.syncthreads()

    return measure_edges


def _build_intra_scan(metric):
    """Build the scan of slide 29: each thread has its own i, j runs forward, all reads are from global memory."""
    measure_edges = _build_edge_measurer(metric)

    @device
    def scan(matrix, order, scratch, table, n):
        measure_edges(scratch, n)
        ys, edges = uint32(n + uint32(1)), uint32(uint32(2) * (n + uint32(1)))
        best, best_i, best_j = int32(0), int32(INT32_MAX), int32(INT32_MAX)
        i = uint32(cuda.threadIdx.x)
        while i + uint32(2) < n:
            ax, ay = as_float(scratch[i]), as_float(scratch[ys + i])
            bx, by = as_float(scratch[i + uint32(1)]), as_float(scratch[ys + i + uint32(1)])
            j = uint64(i + uint32(2))
            px, py = as_float(scratch[j]), as_float(scratch[ys + j])
            low, low_j = int32(INT32_MAX), j
            while j < n:
                following = j + uint32(1)
                qx, qy = as_float(scratch[following]), as_float(scratch[ys + following])
                moved = int32(metric(ax - px, ay - py) + metric(bx - qx, by - qy))
                change = int32(moved - int32(BIAS) - int32(BIAS) + scratch[edges + j])
                if change < low:
                    low, low_j = change, j
                px, py, j = qx, qy, following
            low = int32(low + scratch[edges + i])
            if low < best:
                best, best_i, best_j = low, int32(i), int32(low_j)
            i += uint32(cuda.blockDim.x)
        return best, best_i, best_i, best_j

    return scan


def _build_tile_scan(metric, width: int):
    """Build the scan of slides 31 to 36: j runs backward, so that a block's threads share a tile of the tour.

    A tile contains at most `width` positions j, from lo to hi, and also position hi + 1.
    """
    measure_edges = _build_edge_measurer(metric)
    room = width + 1

    @device
    def load_tile(scratch, n, lo, hi):
        x, y = cuda.shared.array(0, float32), cuda.shared.array(0, int32)
        ys, edges = uint32(n + uint32(1)), uint32(uint32(2) * (n + uint32(1)))
        cuda.syncthreads()
        k = uint32(cuda.threadIdx.x)
        while lo + k <= hi + uint32(1):
            x[k] = as_float(scratch[lo + k])
            x[uint32(room) + k] = as_float(scratch[ys + lo + k])
            if lo + k < n:
                # The two distances that a move adds are biased; see `device_cuda.BIAS`.
                y[uint32(2 * room) + k] = int32(scratch[edges + lo + k] - int32(BIAS) - int32(BIAS))
            k += uint32(cuda.blockDim.x)
        cuda.syncthreads()

    @device
    def scan(matrix, order, scratch, table, n):
        measure_edges(scratch, n)
        tile, edge = cuda.shared.array(0, float32), cuda.shared.array(0, int32)
        ys, edges = uint32(n + uint32(1)), uint32(uint32(2) * (n + uint32(1)))
        best, best_i, best_j = int32(0), int32(INT32_MAX), int32(INT32_MAX)
        first = uint32(0)
        while first + uint32(2) < n:
            i = uint32(first + uint32(cuda.threadIdx.x))
            own = i + uint32(2) < n
            a = i if own else uint32(0)
            ax, ay = as_float(scratch[a]), as_float(scratch[ys + a])
            bx, by = as_float(scratch[a + uint32(1)]), as_float(scratch[ys + a + uint32(1)])
            low, low_j = int32(INT32_MAX), uint32(0)
            end = n
            while end > first + uint32(2):
                lo = uint32(end - uint32(width)) if end > first + uint32(2 + width) else uint32(first + uint32(2))
                load_tile(scratch, n, lo, uint32(end - uint32(1)))
                stop = uint32(0) if i + uint32(2) <= lo else uint32(i + uint32(2) - lo)
                # 64 bits wide, so that the addresses in an unrolled loop differ by constants.
                k = uint64(end - lo)
                if own and k > stop:
                    qx, qy = tile[k], tile[uint32(room) + k]
                    while k > stop:
                        k -= uint32(1)
                        px, py = tile[k], tile[uint32(room) + k]
                        moved = int32(metric(ax - px, ay - py) + metric(bx - qx, by - qy))
                        change = int32(moved + edge[uint32(2 * room) + k])
                        if change <= low:
                            low, low_j = change, uint32(lo + k)
                        qx, qy = px, py
                end = lo
            if own:
                low = int32(low + scratch[edges + i])
                if low < best:
                    best, best_i, best_j = low, int32(i), int32(low_j)
            first += uint32(cuda.blockDim.x)
        return best, best_i, best_i, best_j

    return scan


def _kernel(scan, kind: str, threads: int):
    improve = build_best_improvement(scan, reverse_coordinates, threads)
    weigh = build_weigh(EXACT[kind])
    return build(BlockPolicy(nothing_to_fill, lay_coordinates, improve, skip_saving, weigh, shuffle_in_global))


def build_intra(kind: str, n: int, threads: int):
    """Build the kernel of ``intra``."""
    return _kernel(_build_intra_scan(SINGLE[kind]), kind, threads)


def build_tile(kind: str, n: int, threads: int):
    """Build the kernel of ``tile`` and ``tuned``, which differ only in their block size."""
    return _kernel(_build_tile_scan(SINGLE[kind], tile_width(n)), kind, threads)


def tile_width(n: int) -> int:
    """Return the number of positions j in a tile; if the tour is short, a tile is the whole tour."""
    return min(n, 1024)
