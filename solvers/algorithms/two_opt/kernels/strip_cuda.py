"""`strip`: best-improvement 2-opt with one block per climber, as fast as the GPU computes square roots.

The scan of all moves is in `solvers.algorithms.two_opt.kernels.strip_scan_cuda`. It stores only each row's minimum
change; afterwards, the best move is looked up in the rows that have the overall minimum.
"""

from numba import float32, int32, uint32

from solvers.algorithms.two_opt.kernels.block_cuda import build, write_down
from solvers.algorithms.two_opt.kernels.strip_policy_cuda import build_policy
from solvers.algorithms.two_opt.kernels.strip_scan_cuda import Layout, build_layout, put
from solvers.kernels.device_cuda import INT32_MAX, MAGIC, cuda, device

#: Maximum number of rows with the minimum change that are searched one by one; if there are more, all rows are.
_ROWS = 64
# Indices into a block's words in shared memory.
_MIN_CHANGE, _KEY, _COUNT, _WORDS = range(4)


@device
def _begin_scan(row_min, words, n):
    """Clear the results of the previous scan."""
    p = uint32(cuda.threadIdx.x)
    if p < uint32(_WORDS):
        words[p] = int32(INT32_MAX) if p == uint32(_KEY) else int32(0)
    while p < n:
        row_min[p] = int32(INT32_MAX)
        p = uint32(p + uint32(cuda.blockDim.x))


def _look_up(parts: Layout):
    @device
    def look_up(along, edges, row_min, tied, words, n):
        """Find the first (i, j), i < j, with the minimum change, and write its key to the block's words."""
        threads = uint32(cuda.blockDim.x)
        i = uint32(cuda.threadIdx.x)
        while i < n:
            if row_min[i] == words[_MIN_CHANGE]:
                position = cuda.atomic.add(words, _COUNT, 1)
                if position < _ROWS:
                    tied[position] = int32(i)
            i = uint32(i + threads)
        cuda.syncthreads()
        listed = words[_COUNT] <= _ROWS
        for position in range(words[_COUNT] if listed else int32(n)):
            i = uint32(tied[position] if listed else position)
            behind = uint32(uint32(cuda.threadIdx.x) + uint32(2))
            while behind <= n >> uint32(1):
                j = uint32(i + behind)
                if parts.change(along, edges, i, j) == words[_MIN_CHANGE]:
                    low, high = (i, j) if j < n else (uint32(j - n), i)
                    cuda.atomic.min(words, _KEY, int32(low << uint32(15) | high))
                behind = uint32(behind + threads)

    return look_up


def _build_reverse(parts: Layout):
    @device
    def reverse(along, edges, city, i, j, n):
        """Reverse positions i + 1 to j and the edges between them, and measure the two new edges."""
        first, threads, extent = uint32(cuda.threadIdx.x), uint32(cuda.blockDim.x), uint32(parts.reach)
        size = uint32(j - i)
        h = first
        while h < size >> uint32(1):
            a, b = uint32(i + uint32(1) + h), uint32(j - h)
            value_a, value_b = along[a], along[b]
            if h == 0:
                put(edges, i, n, extent, float32(MAGIC - parts.between(along[i], value_b)))
                put(edges, j, n, extent, float32(MAGIC - parts.between(value_a, along[uint32(j + uint32(1))])))
            put(along, a, n, extent, value_b)
            put(along, b, n, extent, value_a)
            one = city[a]
            city[a] = city[b]
            city[b] = one
            h = uint32(h + threads)
        h = first
        while h < uint32(size - uint32(1)) >> uint32(1):
            a, b = uint32(i + uint32(1) + h), uint32(j - uint32(1) - h)
            value_a, value_b = edges[a], edges[b]
            put(edges, a, n, extent, value_b)
            put(edges, b, n, extent, value_a)
            h = uint32(h + threads)

    return reverse


def _improve(parts: Layout):
    look_up, reverse = _look_up(parts), _build_reverse(parts)

    @device
    def improve(problem, order, scratch, n, write, recording):
        # The simulator identifies shared arrays by their source line.
        tied = cuda.shared.array(_ROWS, int32)
        words = cuda.shared.array(_WORDS, int32)
        along, edges, city, row_min, _, _ = parts.arrays(scratch, n)
        _begin_scan(row_min, words, n)
        cuda.syncthreads()
        min_change, _ = parts.walk(along, edges, row_min, n)
        if min_change < 0:
            cuda.atomic.min(words, _MIN_CHANGE, min_change)
        cuda.syncthreads()
        minimum = words[_MIN_CHANGE]
        if minimum == 0:
            return int32(0)
        look_up(along, edges, row_min, tied, words, n)
        cuda.syncthreads()
        i, j = uint32(words[_KEY] >> 15), uint32(words[_KEY] & 0x7FFF)
        if write:
            write_down(int32(i), int32(j), minimum, recording)
        reverse(along, edges, city, i, j, n)
        cuda.syncthreads()
        return int32(1)

    return improve


def build_strip(kind: str, n: int, threads: int, rows: int, exact: bool, in_shared: bool):
    """Build the kernel of ``strip``.

    Parameters
    ----------
    kind : str
        EUC_2D, CEIL_2D or ATT.
    n : int
        Number of cities.
    threads : int
        Number of threads per block.
    rows : int
        Number of positions in a thread's strip; see `solvers.algorithms.two_opt.strip_launch.strip_rows`.
    exact : bool
        See `solvers.algorithms.two_opt.kernels.strip_scan_cuda.build_rounding`.
    in_shared : bool
        Whether a climb is stored in shared memory rather than in its scratch memory.
    """
    parts = build_layout(kind, n, threads, rows, exact, False, in_shared)
    return build(build_policy(parts, _improve(parts), kind))
