"""Block sizes, shared memory and limits of the published 2-opt variants. Plain Python, also for pages."""

from bisect import bisect_left
from collections.abc import Callable

from data.limits import MAX_MATRIX
from solvers.gpu.calibration import MAX_SCAN_CITIES, THREAD_REGISTERS, TILE_REGISTERS
from solvers.gpu.limits import Limits, count_resident_blocks

#: Bytes of static shared memory that kernels with one climber per block need; those with one climber per thread need
#: none.
CELLS = 1024
#: Bytes of static shared memory that the published program needs: it also stores a change and a move for each of 1,024
#: threads.
PROGRAM_CELLS = 9 * 1024


def whole_warps(n: int, maximum: int) -> int:
    """Return the number of threads for n work items, a multiple of the warp size up to `maximum`."""
    return min(maximum, max(32, -(-n // 32) * 32))


def state_words(n: int) -> int:
    """Return the size in words of an unfinished scan; see `solvers.algorithms.two_opt.kernels.thread_cuda.STATE`."""
    return 4


def closed_words(n: int) -> int:
    """Return the size in words of a tour that repeats its first city."""
    return n + 1


def tour_and_coordinate_words(n: int) -> int:
    """Return the size in words of a tour that repeats its first city, and its coordinates."""
    return 3 * (n + 1)


def long_scan(limits: Limits) -> int:
    """Return the maximum number of cities that a block can scan in a launch."""
    return MAX_SCAN_CITIES


def matrix_scan(limits: Limits) -> int:
    """Return the maximum number of cities for which a thread can scan one or two rows of a matrix in a launch."""
    return MAX_MATRIX


def array_scan(limits: Limits) -> int:
    """Return the maximum number of cities whose moves fit into arrays for several climbers."""
    return 5_000


def fit_shared_memory(
    shared_bytes: Callable[[int, int, Limits], int], maximum: int, static: int = CELLS
) -> Callable[[Limits], int]:
    """Return a variant's `max_n`: the maximum number of cities for which a block of one warp fits into shared memory.

    Parameters
    ----------
    shared_bytes : callable
        ``shared_bytes(n, threads, limits)``; must grow with n.
    maximum : int
        Maximum number of cities, regardless of shared memory.
    static : int
        Bytes of the kernel's static shared memory.
    """

    def max_n(limits: Limits) -> int:
        room = limits.shared_per_block - static
        return bisect_left(range(1, maximum + 1), room + 1, key=lambda n: shared_bytes(n, 32, limits))

    return max_n


def fixed_threads(threads: int) -> Callable[..., int]:
    """Return a variant's `threads` function that gives the same block size for all n."""
    return lambda n, limits, registers=0: threads


def busiest(shared_bytes: Callable[[int, int, Limits], int]) -> Callable[..., int]:
    """Return a variant's `threads` function that gives the block size with the most threads per multiprocessor.

    Each thread has a climber. Ties go to the largest size, so that more threads share one copy of the block's data.
    """

    def threads(n: int, limits: Limits, registers: int = THREAD_REGISTERS) -> int:
        fits = [size for size in range(1024, 31, -32) if shared_bytes(n, size, limits) <= limits.shared_per_block]
        return max(
            fits or [32],
            key=lambda size: size * count_resident_blocks(shared_bytes(n, size, limits), size, registers, limits),
        )

    return threads


def matr_s_bytes(n: int, threads: int, limits: Limits) -> int:
    """Return the size of the matrix in bytes."""
    return 4 * n * n


def matr_s_two_rows_bytes(n: int, threads: int, limits: Limits) -> int:
    """Return the size in bytes of the matrix and of one tour per thread, with one byte per city."""
    return 4 * n * n + threads * 4 * -(-(n + 1) // 4)


def tour_bytes(n: int, threads: int, limits: Limits) -> int:
    """Return the size in bytes of a closed tour and its shuffling buffer."""
    return 4 * (2 * n + 2)


def matrix_bytes(n: int, threads: int, limits: Limits) -> int:
    """Return the size in bytes of a closed tour, its shuffling buffer and the matrix."""
    return tour_bytes(n, threads, limits) + 4 * n * n


def short_tour_bytes(n: int, threads: int, limits: Limits) -> int:
    """Return the size in bytes of a closed tour of 16-bit cities and its shuffling buffer."""
    return 4 * (n + 1)


def short_matrix_bytes(n: int, threads: int, limits: Limits) -> int:
    """Return the size in bytes of a closed tour of 16-bit cities, its shuffling buffer and the matrix."""
    return short_tour_bytes(n, threads, limits) + 4 * n * n


def tile_bytes(n: int, threads: int, limits: Limits) -> int:
    """Return the size in bytes of a tile's x, y and edges.

    See `solvers.algorithms.two_opt.kernels.block_rows_cuda.tile_width`.
    """
    return 3 * 4 * (min(n, 1024) + 1)


def row_threads(n: int, limits: Limits) -> int:
    """Return the block size: one thread per i, up to the limit on block sizes."""
    return whole_warps(n - 2, 1024)


def pair_threads(n: int, limits: Limits) -> int:
    """Return the block size: at most one thread per move, and small enough that a multiprocessor has several blocks."""
    return whole_warps((n - 1) * (n - 2) // 2, 256)


def paper_threads(n: int, limits: Limits | None = None) -> int:
    """Return the block size of Utne and Hansen (2023), section 6.3.1: a power of two from 32 to 1,024."""
    moves = (n - 1) * (n - 2) // 2
    return min(1024, max(32, 1 << max(moves - 1, 0).bit_length()))


def shared_matrix_threads(n: int, limits: Limits) -> int:
    """Return a larger block size than `pair_threads`: few blocks fit, since each has the matrix in shared memory."""
    return whole_warps((n - 1) * (n - 2) // 2, 512)


def tuned_threads(n: int, limits: Limits) -> int:
    """Return the block size that keeps the most threads of a multiprocessor busy (slide 38 of O'Neil and Burtscher).

    Block sizes are compared by the number of blocks that fit (threads, blocks, registers, shared memory) and by the
    share of threads that have an i to work on. Of equally good sizes the smaller is better, since its blocks wait less
    for their slowest thread. But a block with one thread per i goes through the tour only once, so it is better even if
    a twentieth fewer threads are busy.
    """

    bytes_ = tile_bytes(n, 0, limits) + CELLS

    def busy(threads: int) -> float:
        blocks = min(
            limits.threads // threads, limits.blocks, limits.registers // (TILE_REGISTERS * threads),
            limits.shared // bytes_,
        )  # fmt: skip
        return blocks * n / -(-n // threads)

    busiest_size = max(range(1024, 31, -32), key=lambda threads: (busy(threads), -threads))
    whole = whole_warps(n, 1024)
    return whole if whole >= n and busy(whole) >= 0.95 * busy(busiest_size) else busiest_size
