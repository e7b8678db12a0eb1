"""Threads, shared memory and most cities of the published 2-opt variants. Plain Python, for pages as well."""

from bisect import bisect_left
from collections.abc import Callable

from data.limits import MAX_MATRIX
from solvers.gpu.calibration import LONGEST_SCAN, THREAD_REGISTERS, TILE_REGISTERS
from solvers.gpu.limits import Limits, blocks_at_once

#: Static shared memory of the kernels with a climber per block, bytes; those with a climber per thread have none.
CELLS = 1024
#: That of the published program, which has a change and a move for each of 1,024 threads as well.
PROGRAM_CELLS = 9 * 1024


def up_to(n: int, most: int) -> int:
    """Return threads for n pieces of work: whole warps, at most `most`."""
    return min(most, max(32, -(-n // 32) * 32))


def state_words(n: int) -> int:
    """The state of an unfinished scan: see `solvers.two_opt.kernels.thread_cuda.STATE`."""
    return 4


def closed_words(n: int) -> int:
    """A tour and its first city again."""
    return n + 1


def placed_words(n: int) -> int:
    """A closed tour and its coordinates."""
    return 3 * (n + 1)


def long_scan(limits: Limits) -> int:
    """Return the most cities that a block can scan within a launch."""
    return LONGEST_SCAN


def matrix_scan(limits: Limits) -> int:
    """Return the most cities of a matrix, so that a thread scans a row or two within a launch."""
    return MAX_MATRIX


def array_scan(limits: Limits) -> int:
    """Return the most cities whose moves fit arrays of some climbers."""
    return 5_000


def within(shared_bytes: Callable[[int, int, Limits], int], most: int, static: int = CELLS) -> Callable[[Limits], int]:
    """Return a variant's `largest_n`: as many cities as leave room in shared memory for a block of one warp.

    Parameters
    ----------
    shared_bytes : callable
        ``shared_bytes(n, threads, limits)``; it grows with n.
    most : int
        Most cities regardless of shared memory.
    static : int
        Static shared memory of the kernel, bytes.
    """

    def largest_n(limits: Limits) -> int:
        room = limits.shared_per_block - static
        return bisect_left(range(1, most + 1), room + 1, key=lambda n: shared_bytes(n, 32, limits))

    return largest_n


def fixed_threads(threads: int) -> Callable[..., int]:
    """Blocks of the same size for all n."""
    return lambda n, limits, registers=0: threads


def busiest(shared_bytes: Callable[[int, int, Limits], int]) -> Callable[..., int]:
    """Return a variant's `threads`: the block size with the most threads on a multiprocessor, a climber each.

    Of equally good sizes the largest, whose threads share one copy of what the block has.
    """

    def threads(n: int, limits: Limits, registers: int = THREAD_REGISTERS) -> int:
        fits = [size for size in range(1024, 31, -32) if shared_bytes(n, size, limits) <= limits.shared_per_block]
        return max(
            fits or [32],
            key=lambda size: size * blocks_at_once(shared_bytes(n, size, limits), size, registers, limits),
        )

    return threads


def matr_s_bytes(n: int, threads: int, limits: Limits) -> int:
    """The matrix."""
    return 4 * n * n


def matr_s_two_rows_bytes(n: int, threads: int, limits: Limits) -> int:
    """The matrix, and a byte per city for the tour of each thread."""
    return 4 * n * n + threads * 4 * -(-(n + 1) // 4)


def tour_bytes(n: int, threads: int, limits: Limits) -> int:
    """A closed tour, and room to shuffle it."""
    return 4 * (2 * n + 2)


def matrix_bytes(n: int, threads: int, limits: Limits) -> int:
    """A closed tour, room to shuffle it, and the matrix."""
    return tour_bytes(n, threads, limits) + 4 * n * n


def short_tour_bytes(n: int, threads: int, limits: Limits) -> int:
    """A closed tour of 16-bit cities, and room to shuffle it."""
    return 4 * (n + 1)


def short_matrix_bytes(n: int, threads: int, limits: Limits) -> int:
    """A closed tour of 16-bit cities, room to shuffle it, and the matrix."""
    return short_tour_bytes(n, threads, limits) + 4 * n * n


def tile_bytes(n: int, threads: int, limits: Limits) -> int:
    """x, y and edges of a tile: see `solvers.two_opt.kernels.block_rows_cuda.tile_width`."""
    return 3 * 4 * (min(n, 1024) + 1)


def row_threads(n: int, limits: Limits) -> int:
    """A thread for each i, up to the size of a block."""
    return up_to(n - 2, 1024)


def pair_threads(n: int, limits: Limits) -> int:
    """Threads for all moves of a scan, in blocks small enough for several on a multiprocessor."""
    return up_to((n - 1) * (n - 2) // 2, 256)


def paper_threads(n: int, limits: Limits | None = None) -> int:
    """Return the block size of Utne and Hansen (2023), section 6.3.1: a power of two from 32 to 1,024."""
    moves = (n - 1) * (n - 2) // 2
    return min(1024, max(32, 1 << max(moves - 1, 0).bit_length()))


def shared_matrix_threads(n: int, limits: Limits) -> int:
    """More threads per block, since the matrix leaves room for few blocks."""
    return up_to((n - 1) * (n - 2) // 2, 512)


def tuned_threads(n: int, limits: Limits) -> int:
    """Threads that keep most of a multiprocessor busy with i's, after slide 38.

    Compares block sizes by how many blocks fit (threads, blocks, registers, shared memory) and the share of threads
    with an i to work on. Of equally good sizes the smaller is better, since it waits less for its slowest thread. But a
    block with a thread for each i goes over the tour once, and is better even if a twentieth fewer threads are busy.
    """

    bytes_ = tile_bytes(n, 0, limits) + CELLS

    def busy(threads: int) -> float:
        blocks = min(
            limits.threads // threads, limits.blocks, limits.registers // (TILE_REGISTERS * threads),
            limits.shared // bytes_,
        )  # fmt: skip
        return blocks * n / -(-n // threads)

    busiest_size = max(range(1024, 31, -32), key=lambda threads: (busy(threads), -threads))
    whole = up_to(n, 1024)
    return whole if whole >= n and busy(whole) >= 0.95 * busy(busiest_size) else busiest_size
