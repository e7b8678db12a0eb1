"""Array operations, and the 2-opt step as a program of them (Utne and Hansen, 2023, section 5).

The maps, the scans and the reduction are small kernels that the host launches one after another. The arrays of a batch
of climbers are rows of one array, so that every operation processes all these climbers at once.
"""

import numpy as np
from numba import int32, int64, uint32

from solvers.gpu.calibration import ARRAY_THREADS
from solvers.kernels.device_cuda import SIMULATED, block_minimum, block_sum, cuda, random_position

#: Threads per block; few in the simulator, where each is a Python thread.
THREADS = 4 if SIMULATED else ARRAY_THREADS
#: Side of the tiles of `transpose`.
TILE = 2 if SIMULATED else 16
_TILE_ROW = TILE + 1


@cuda.jit
def map_flags(flags, n):
    """Write 1 where a row of the triangle of moves starts (section 5.2.3); ``flags`` must be 0 before."""
    i = cuda.grid(1)
    if i < n - 2:
        flags[i * (n - 2) - i * (i - 1) // 2] = 1


@cuda.jit
def scan_blocks(flags, values, block_flags, block_values):
    """Compute the inclusive segmented sum within each block; a flag starts a new sum.

    The operator on pairs (f, v) is ``(f1 | f2, v2 if f2 else v1 + v2)``, which is associative. The blocks' totals are
    written to ``block_flags`` and ``block_values``.
    """
    # The simulator identifies shared arrays by their source line.
    shared_flags = cuda.shared.array(THREADS, int32)
    sums = cuda.shared.array(THREADS, int32)
    thread, k = cuda.threadIdx.x, cuda.grid(1)
    shared_flags[thread] = flags[k] if k < flags.size else 0
    sums[thread] = values[k] if k < flags.size else 0
    cuda.syncthreads()
    step = 1
    while step < THREADS:
        flag, value = shared_flags[thread], sums[thread]
        if thread >= step and flag == 0:
            flag, value = shared_flags[thread - step], value + sums[thread - step]
        cuda.syncthreads()
        shared_flags[thread], sums[thread] = flag, value
        cuda.syncthreads()
        step *= 2
    if k < flags.size:
        flags[k], values[k] = shared_flags[thread], sums[thread]
    if thread == THREADS - 1:
        block_flags[cuda.blockIdx.x], block_values[cuda.blockIdx.x] = shared_flags[thread], sums[thread]


@cuda.jit
def add_before(flags, values, block_values):
    """Add the scanned total of all preceding blocks to each block, up to the block's first flag."""
    k = cuda.grid(1)
    if cuda.blockIdx.x > 0 and k < flags.size and flags[k] == 0:
        values[k] += block_values[cuda.blockIdx.x - 1]


@cuda.jit
def zip_pairs(ones, columns, table):
    """Compute ``table = (i << 16) | (j - i - 2)`` (section 6.3.1) from both inclusive scans."""
    k = cuda.grid(1)
    if k < table.size:
        table[k] = ((ones[k] - 1) << 16) | (columns[k] - 1)


def segmented_scan(flags, values) -> None:
    """Compute the inclusive segmented sum of ``values`` (m,) int32 in place; overwrites ``flags`` (m,) int32.

    With no flag set, this is the plain inclusive sum.
    """
    blocks = -(-flags.size // THREADS)
    block_flags, block_values = cuda.device_array(blocks, np.int32), cuda.device_array(blocks, np.int32)
    scan_blocks[blocks, THREADS](flags, values, block_flags, block_values)
    if blocks > 1:
        segmented_scan(block_flags, block_values)
        add_before[blocks, THREADS](flags, values, block_values)


def pair_table(n: int):
    """Return a GPU table of all moves (i, j), int32: i in the upper 16 bits, j - i - 2 in the lower.

    Section 5.2.3: the inclusive sum of a flag array gives i; with these flags, the segmented sum of ones gives j.
    """
    total = max(0, (n - 1) * (n - 2) // 2)
    if total == 0:
        return cuda.to_device(np.zeros(1, np.int32))
    flags = cuda.to_device(np.zeros(total, np.int32))
    map_flags[-(-n // THREADS), THREADS](flags, n)
    rows = cuda.to_device(np.zeros(total, np.int32))
    rows.copy_to_device(flags)
    segmented_scan(cuda.to_device(np.zeros(total, np.int32)), rows)
    columns = cuda.to_device(np.ones(total, np.int32))
    segmented_scan(flags, columns)
    table = cuda.device_array(total, np.int32)
    zip_pairs[-(-total // THREADS), THREADS](rows, columns, table)
    return table


@cuda.jit
def map_changes(matrix, tours, table, active, keys):
    """Write a key for each climber and move to ``keys`` (climbers, moves) int64.

    Each row of the grid has one climber. A key contains the move's change and number, so that keys have the order of
    the paper's operator: by change, then i, then j.
    """
    k, c, n = uint32(cuda.grid(2)[0]), cuda.blockIdx.y, uint32(tours.shape[1])
    if k < uint32(table.size) and active[c] != 0:
        word = uint32(table[k])
        i = word >> uint32(16)
        j = i + uint32(2) + (word & uint32(0xFFFF))
        p, q = uint32(tours[c, i]), uint32(tours[c, i + uint32(1)])
        r, s = uint32(tours[c, j]), uint32(tours[c, j + uint32(1) if j + uint32(1) < n else uint32(0)])
        change = matrix[p * n + r] + matrix[q * n + s] - (matrix[p * n + q] + matrix[r * n + s])
        keys[c, k] = (int64(change) << 32) | int64(k)


@cuda.jit
def reduce_rows(keys, active, best):
    """Write each row's minimum key to ``best`` (climbers,) int64; one block per climber."""
    minimum = cuda.shared.array(THREADS, int64)
    c, thread = cuda.blockIdx.x, cuda.threadIdx.x
    own = int64(0)
    if active[c] != 0:
        for k in range(thread, keys.shape[1], THREADS):
            own = min(own, keys[c, k])
    minimum[thread] = own
    block_minimum(minimum, THREADS)
    if thread == 0:
        best[c] = minimum[0]


@cuda.jit
def map_swaps(tours, table, best, new_tours):
    """Write each climber's tour to ``new_tours``, after its best move if that shortens it (section 5.2.2)."""
    k, c, n = cuda.grid(2)[0], cuda.blockIdx.y, tours.shape[1]
    if k < n:
        i, j = n, n
        if best[c] < 0:
            word = uint32(table[best[c] & 0xFFFFFFFF])
            i = int64(word >> uint32(16))
            j = i + 2 + int64(word & uint32(0xFFFF))
        new_tours[c, k] = tours[c, i + 1 + j - k] if i < k <= j else tours[c, k]


@cuda.jit
def reduce_lengths(matrix, tours, lengths):
    """Write each climber's tour length to ``lengths`` (climbers,) int64; one block per climber."""
    sums = cuda.shared.array(THREADS, int64)
    c, thread, n = cuda.blockIdx.x, cuda.threadIdx.x, uint32(tours.shape[1])
    own = int64(0)
    for k in range(thread, n, THREADS):
        following = tours[c, uint32(k) + uint32(1) if uint32(k) + uint32(1) < n else uint32(0)]
        own += matrix[uint32(tours[c, k]) * n + uint32(following)]
    sums[thread] = own
    block_sum(sums, THREADS)
    if thread == 0:
        lengths[c] = sums[0]


@cuda.jit
def map_random_tours(seed, first, tours):
    """Write random tours (section 6.3.3), one thread per climber and column of ``tours`` (n, climbers) int32.

    The shuffle is the same as in `solvers.kernels.tours_cpu.random_tour`, so that all devices have the same tours.
    """
    c = uint32(cuda.grid(1))
    if c < uint32(tours.shape[1]):
        n = uint32(tours.shape[0])
        for k in range(n):
            tours[uint32(k), c] = k
        k = n - uint32(1)
        while k > uint32(0):
            other = random_position(seed, first + c, k, n)
            tours[k, c], tours[other, c] = tours[other, c], tours[k, c]
            k = uint32(k - uint32(1))


@cuda.jit
def transpose(columns, rows):
    """Write the transpose of ``columns`` (n, m) to ``rows`` (m, n), int32, by square tiles in shared memory.

    Rows of a tile are read and written contiguously; in shared memory a tile is one column wider, so that the entries
    of a column are in different banks.
    """
    tile = cuda.shared.array((TILE, _TILE_ROW), int32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    a, b = cuda.blockIdx.y * TILE, cuda.blockIdx.x * TILE
    if a + y < columns.shape[0] and b + x < columns.shape[1]:
        tile[y, x] = columns[a + y, b + x]
    cuda.syncthreads()
    if b + y < rows.shape[0] and a + x < rows.shape[1]:
        rows[b + y, a + x] = tile[x, y]
