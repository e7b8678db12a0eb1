"""The 2-opt variants of two papers on CUDA, as one table. Plain Python, without Numba: pages may import it."""

from collections.abc import Callable
from dataclasses import dataclass

from data.limits import MAX_MATRIX
from solvers.gpu.calibration import (
    LONGEST_SCAN,
    MULTIPROCESSOR_BLOCKS,
    MULTIPROCESSOR_REGISTERS,
    MULTIPROCESSOR_SHARED,
    MULTIPROCESSOR_THREADS,
    TILE_REGISTERS,
)
from solvers.solver import Variant

_ONEIL = 'M. A. O\'Neil and M. Burtscher, "Rethinking the Parallelization of Random-Restart Hill Climbing" (2015)'
_UTNE = 'J. Utne and H. N. W. Hansen, "Solving TSP on the GPU based on heuristic algorithms" (2023)'
#: Kinds of distances that can be computed from coordinates in float32.
PLANAR = ("EUC_2D", "CEIL_2D")
EVERY = (*PLANAR, "ATT", "GEO", "EXPLICIT")
_NEEDS_POINTS = "It measures distances from coordinates in single precision, which {kind} distances do not allow."
#: Shared memory that the skeletons need besides a variant's own, bytes.
_CELLS = 1024


def no_words(n: int) -> int:
    """No memory."""
    return 0


def no_bytes(n: int, threads: int) -> int:
    """No dynamic shared memory."""
    return 0


def long_scan(shared: int) -> int:
    """Return the most cities that a block can scan within a launch."""
    return LONGEST_SCAN


def tour_words(n: int) -> int:
    """A tour."""
    return n


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoOptVariant(Variant):
    """A 2-opt variant on CUDA.

    Attributes
    ----------
    per : str
        Unit that climbs: ``thread``, ``block``, or ``host`` for array operations.
    kinds : tuple of str
        Kinds of distances that it can compute.
    reads_matrix : bool
    reads_table : bool
        Whether it reads i and j from a table of all moves.
    threads : callable
        ``threads(n)``: threads of a block; if `shares_out`, ``threads(n, load)`` with the number of climbers per
        multiprocessor.
    shared_bytes : callable
        ``shared_bytes(n, threads)``: dynamic shared memory of a block, bytes.
    scratch_words : callable
        ``scratch_words(n)``: 32-bit words of global memory of a running climber, besides its tour.
    order_words : callable
        ``order_words(n)``: 32-bit words of a climber's tour in global memory.
    largest_n : callable
        ``largest_n(shared)``: most cities on a device whose blocks can have that many bytes of shared memory.
    smallest_n : int
    switch : bool
        Whether it can also use exact distances, which is slower.
    shares_out : bool
        Whether a climber gets more threads if there are few climbers.
    spills : bool
        Whether a climber that is too large for shared memory is stored in global memory instead.
    """

    per: str = "block"
    kinds: tuple[str, ...] = PLANAR
    reads_matrix: bool = False
    reads_table: bool = False
    threads: Callable[..., int]
    shared_bytes: Callable[[int, int], int] = no_bytes
    scratch_words: Callable[[int], int] = no_words
    order_words: Callable[[int], int] = tour_words
    largest_n: Callable[[int], int] = long_scan
    smallest_n: int = 1
    switch: bool = False
    shares_out: bool = False
    spills: bool = False

    def unavailable_reason(self, kind: str, n: int, shared: int, memory: int = 0) -> str:
        """See `solvers.solver.Variant`."""
        if kind not in self.kinds:
            return f"{self.name} cannot run this instance. {_NEEDS_POINTS.format(kind=kind)}"
        if n < self.smallest_n:
            return f"{self.name} takes {self.smallest_n} cities or more."
        return Variant.unavailable_reason(self, kind, n, shared, memory)  # slots: there is no `super` without arguments

    def most_cities(self, shared: int) -> int | None:
        """See `solvers.solver.Variant`."""
        return self.largest_n(shared)


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


def _within(shared_bytes: Callable[[int, int], int], threads: Callable[[int], int], most: int):
    def largest_n(shared: int) -> int:
        fits = [n for n in range(3, most + 1) if shared_bytes(n, threads(n)) + _CELLS <= shared]
        return max(fits, default=0)

    return largest_n


def matr_s_bytes(n: int, threads: int) -> int:
    """The matrix, and a byte per city for the tour of each thread."""
    return 4 * n * n + threads * 4 * -(-(n + 1) // 4)


def matr_s_threads(n: int) -> int:
    """The most threads that leave room for the matrix (their tours are in shared memory too) and for registers."""
    room = (MULTIPROCESSOR_SHARED - 2 * _CELLS - 4 * n * n) // (4 * -(-(n + 1) // 4))
    return max(32, min(768, room // 32 * 32))


def tour_bytes(n: int, threads: int) -> int:
    """A closed tour, and room to shuffle it."""
    return 4 * (2 * n + 2)


def matrix_bytes(n: int, threads: int) -> int:
    """A closed tour, room to shuffle it, and the matrix."""
    return tour_bytes(n, threads) + 4 * n * n


def tile_bytes(n: int, threads: int) -> int:
    """x, y and edges of a tile: see `solvers.two_opt.kernels.block_rows_cuda.tile_width`."""
    return 3 * 4 * (min(n, 1024) + 1)


def row_threads(n: int) -> int:
    """A thread for each i, up to the size of a block."""
    return up_to(n - 2, 1024)


def pair_threads(n: int) -> int:
    """Threads for all moves of a scan, in blocks small enough for several on a multiprocessor."""
    return up_to((n - 1) * (n - 2) // 2, 256)


def shared_matrix_threads(n: int) -> int:
    """More threads per block, since the matrix leaves room for few blocks."""
    return up_to((n - 1) * (n - 2) // 2, 512)


def tuned_threads(n: int) -> int:
    """Threads that keep most of a multiprocessor busy with i's, after slide 38.

    Compares block sizes by how many blocks fit (threads, blocks, registers, shared memory) and the share of threads
    with an i to work on. Of equally good sizes the smaller is better, since it waits less for its slowest thread. But a
    block with a thread for each i goes over the tour once, and is better even if a twentieth fewer threads are busy.
    """
    bytes_ = tile_bytes(n, 0) + _CELLS

    def busy(threads: int) -> float:
        blocks = min(
            MULTIPROCESSOR_THREADS // threads, MULTIPROCESSOR_BLOCKS,
            MULTIPROCESSOR_REGISTERS // (TILE_REGISTERS * threads), MULTIPROCESSOR_SHARED // bytes_,
        )  # fmt: skip
        return blocks * n / -(-n // threads)

    busiest = max(range(1024, 31, -32), key=lambda threads: (busy(threads), -threads))
    whole = up_to(n, 1024)
    return whole if whole >= n and busy(whole) >= 0.95 * busy(busiest) else busiest


_THREAD = "solvers.two_opt.kernels.thread_tours_cuda:"
_ROWS = "solvers.two_opt.kernels.block_rows_cuda:"
_PAIRS = "solvers.two_opt.kernels.block_pairs_cuda:"


def thread_scan(shared: int) -> int:
    """The most cities of which a thread scans two rows within a launch, with memory for all threads."""
    return MAX_MATRIX


#: The variants of the two papers, in the order in which they were developed.
PUBLISHED_VARIANTS: tuple[TwoOptVariant, ...] = (
    TwoOptVariant(
        "matr_s", "cuda", _THREAD + "matr_s", "A climber per thread; the distance matrix in shared memory.",
        source=f"{_ONEIL}, slides 10 and 11",
        memory="Shared: matrix, and the tours as bytes.",
        lesson="The fastest memory is small: the matrix takes n² of it, which limits it to about 200 cities.",
        per="thread", kinds=EVERY, reads_matrix=True, threads=matr_s_threads, shared_bytes=matr_s_bytes,
        scratch_words=state_words, order_words=closed_words, largest_n=_within(matr_s_bytes, matr_s_threads, 240),
    ),
    TwoOptVariant(
        "matr_g", "cuda", _THREAD + "matr_g", "A climber per thread; the distance matrix in global memory.",
        source=f"{_ONEIL}, slides 12 and 13",
        memory="Global: matrix, and the tours.",
        lesson="Without the limit of shared memory, scattered reads of a large matrix wait for the caches.",
        per="thread", kinds=EVERY, reads_matrix=True, threads=lambda n: 256, scratch_words=state_words,
        order_words=closed_words, largest_n=thread_scan,
    ),
    TwoOptVariant(
        "matr_g_ro", "cuda", _THREAD + "matr_g_ro", "The same, the matrix read through the read-only cache.",
        source=f"{_ONEIL}, slides 14 and 15",
        memory="Global: matrix by the read-only path, and the tours.",
        lesson="A hint about the cache helps where the matrix fits it; today's GPUs cache both alike.",
        per="thread", kinds=EVERY, reads_matrix=True, threads=lambda n: 256, scratch_words=state_words,
        order_words=closed_words, largest_n=thread_scan,
    ),
    TwoOptVariant(
        "calc", "cuda", _THREAD + "calc", "A climber per thread; distances computed from coordinates in tour order.",
        source=f"{_ONEIL}, slides 16 to 20, after K. Rocki and R. Suda (2012)",
        memory="Global: tours and their coordinates, laid out by position.",
        lesson="Arithmetic is cheaper than memory: to compute a distance again beats looking it up.",
        per="thread", threads=lambda n: 256, scratch_words=state_words, order_words=placed_words,
    ),
    TwoOptVariant(
        "intra", "cuda", _ROWS + "intra", "A climber per block: i over its threads, edge lengths in a buffer.",
        source=f"{_ONEIL}, slides 21 to 30",
        memory="Global: coordinates in tour order and edge lengths.",
        lesson="A tour per block instead of a tour per thread: less memory, and a few climbers fill the GPU.",
        threads=row_threads, scratch_words=placed_words,
    ),
    TwoOptVariant(
        "tile", "cuda", _ROWS + "tile", "The same, j backwards through tiles in shared memory.",
        source=f"{_ONEIL}, slides 31 to 36",
        memory="Shared: a tile of coordinates and edge lengths. Global: all of them.",
        lesson="When all threads need the same j at the same time, one read serves them all.",
        threads=row_threads, shared_bytes=tile_bytes, scratch_words=placed_words,
    ),
    TwoOptVariant(
        "tuned", "cuda", _ROWS + "tile", "The same, with the number of threads per block that keeps the GPU busiest.",
        source=f"{_ONEIL}, slides 37 and 38",
        memory="Shared: a tile of coordinates and edge lengths. Global: all of them.",
        lesson="The same kernel is faster where its block size suits n and the GPU.",
        threads=tuned_threads, shared_bytes=tile_bytes, scratch_words=placed_words,
    ),
    TwoOptVariant(
        "array", "cuda", "solvers.two_opt.kernels.array_cuda:operations",
        "Map, scan and reduce over arrays of all moves.",
        source=f"{_UTNE}, section 5",
        memory="Global: an array of the changes of all moves, for each climber.",
        lesson="Flat array operations are simple, but every step goes to global memory and back.",
        per="host", kinds=EVERY, reads_matrix=True, reads_table=True, threads=lambda n: 256,
        largest_n=lambda shared: 5_000,
    ),
    TwoOptVariant(
        "original", "cuda", _PAIRS + "original", "A climber per block: i and j of each move read from a table.",
        source=f"{_UTNE}, section 6.3",
        memory="Shared: the tour. Global: matrix, and a table of i and j in 16 bits each.",
        lesson="Two loops merged into one share the work evenly, at the price of reading i and j.",
        kinds=EVERY, reads_matrix=True, reads_table=True, threads=pair_threads, shared_bytes=tour_bytes,
        largest_n=_within(tour_bytes, pair_threads, LONGEST_SCAN),
    ),
    TwoOptVariant(
        "hundred-cities", "cuda", _PAIRS + "hundred_cities", "The same, with the matrix in shared memory.",
        source=f"{_UTNE}, section 6.4",
        memory="Shared: the tour and the matrix. Global: the table of i and j.",
        lesson="Faster reads, but fewer blocks at a time: the gain is small, and so is the largest instance.",
        kinds=EVERY, reads_matrix=True, reads_table=True, threads=shared_matrix_threads, shared_bytes=matrix_bytes,
        largest_n=_within(matrix_bytes, shared_matrix_threads, 240),
    ),
    TwoOptVariant(
        "calculated", "cuda", _PAIRS + "calculated", "The same as original, i and j computed from the move's number.",
        source=f"{_UTNE}, section 6.5 and appendix A",
        memory="Shared: the tour. Global: the matrix.",
        lesson="A square root instead of a table: fewer reads; the root is corrected in integers.",
        kinds=EVERY, reads_matrix=True, threads=pair_threads, shared_bytes=tour_bytes,
        largest_n=_within(tour_bytes, pair_threads, LONGEST_SCAN),
    ),
)  # fmt: skip
