"""The table of two papers' 2-opt variants on GPUs. Plain Python, without Numba: pages may import it."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from data.instance import KINDS
from data.limits import MAX_MATRIX
from solvers.algorithms.two_opt.launch_sizes import (
    CELLS,
    PROGRAM_CELLS,
    array_scan,
    busiest,
    closed_words,
    fit_shared_memory,
    fixed_threads,
    long_scan,
    matr_s_bytes,
    matr_s_two_rows_bytes,
    matrix_bytes,
    matrix_scan,
    pair_threads,
    paper_threads,
    row_threads,
    shared_matrix_threads,
    short_matrix_bytes,
    short_tour_bytes,
    state_words,
    tile_bytes,
    tour_and_coordinate_words,
    tour_bytes,
    tuned_threads,
)
from solvers.algorithms.two_opt.variant import TwoOptVariant
from solvers.core.sources import UTNE_HANSEN
from solvers.gpu.calibration import MAX_SCAN_CITIES
from solvers.gpu.limits import Limits

_ONEIL = 'M. A. O\'Neil and M. Burtscher, "Rethinking the Parallelization of Random-Restart Hill Climbing" (2015)'
_THREAD = "solvers.algorithms.two_opt.kernels.thread_tours_cuda:build_"
_ROWS = "solvers.algorithms.two_opt.kernels.block_rows_cuda:build_"
_PAIRS = "solvers.algorithms.two_opt.kernels.block_pairs_cuda:build_"
#: Maximum number of cities that a byte can distinguish.
_BYTES = 255
#: Bytes read per move. A scan that measures edge i outside its loop reads three distances per move (slide 9), or five
#: for two moves if it scans two rows at once. The flattened loop reads four distances and, from a table, a word with i
#: and j.
_ONE_ROW, _TWO_ROWS, _FLAT, _TABLE = 12, 10, 16, 4
# Reasons for the maximum numbers of cities.
_MATRIX = "its matrix takes 4 n² bytes, and a block may have {shared} KB of shared memory"
_TOUR = "its tour takes 8 n bytes while it is shuffled, and a block may have {shared} KB of shared memory"
_BOTH = "its matrix and tour take 4 n² + 8 n bytes, and a block may have {shared} KB of shared memory"
_LAUNCH = "a scan of more cities would outlast a launch"
_BOUND = "a matrix of more cities is not made"


def _two_rows(variant: TwoOptVariant, name: str, **changes: Any) -> TwoOptVariant:
    """Return a variant with one climber per thread that can also scan two rows at once, as in its paper."""
    kernel = f"{_THREAD}{name}_two_rows"
    move_bytes = _TWO_ROWS if variant.reads_matrix else 0
    return replace(variant, two_rows=replace(variant, kernel=kernel, move_bytes=move_bytes, **changes))


def _published(variant: TwoOptVariant, shared_bytes: Callable[..., int], maximum: int) -> TwoOptVariant:
    """Return a variant with one climber per block and numbered moves, with the forms of the paper and its program."""
    forms = {
        form: replace(
            variant, threads=paper_threads, shared_bytes=shared_bytes,
            max_n=fit_shared_memory(shared_bytes, maximum, static), options=partial(_form, form),
        )
        for form, static in (("paper", CELLS), ("program", PROGRAM_CELLS))
    }  # fmt: skip
    return replace(variant, published=forms)


def _form(form: str, n: int, threads: int, limits: Limits) -> dict[str, Any]:
    return {"form": form}


#: The variants of the two papers, in the order in which they were developed.
PUBLISHED_VARIANTS: tuple[TwoOptVariant, ...] = (
    _two_rows(
        TwoOptVariant(
            "matr_s", "cuda", _THREAD + "matr_s", "A climber per thread; the distance matrix in shared memory.",
            source=f"{_ONEIL}, slides 8 to 11",
            memory="Shared: matrix. Global: the tours, laid out as local memory is.",
            key_idea="The fastest memory is small: the matrix takes n² of it, which ends at 110 cities in 48 KB and at "
            "241 in 227 KB.",
            shared_bound=_MATRIX, per="thread", kinds=KINDS, reads_matrix=True, move_bytes=_ONE_ROW,
            threads=busiest(matr_s_bytes), shared_bytes=matr_s_bytes, scratch_words=state_words,
            order_words=closed_words, max_n=fit_shared_memory(matr_s_bytes, MAX_MATRIX, 0),
        ),
        "matr_s", threads=busiest(matr_s_two_rows_bytes), shared_bytes=matr_s_two_rows_bytes,
        max_n=fit_shared_memory(matr_s_two_rows_bytes, _BYTES, 0), memory="Shared: matrix, and the tours as bytes.",
        bound="a byte of a tour holds no greater number", shared_bound="its matrix and the tours of a warp take "
        "4 n² + 32 n bytes, and a block may have {shared} KB of shared memory",
    ),
    _two_rows(
        TwoOptVariant(
            "matr_g", "cuda", _THREAD + "matr_g", "A climber per thread; the distance matrix in global memory.",
            source=f"{_ONEIL}, slides 12 and 13",
            memory="Global: matrix, and the tours, laid out as local memory is.",
            key_idea="Without the limit of shared memory, scattered reads of a large matrix wait for the caches.",
            bound=_BOUND, per="thread", kinds=KINDS, reads_matrix=True, move_bytes=_ONE_ROW, threads=fixed_threads(256),
            scratch_words=state_words, order_words=closed_words, max_n=matrix_scan,
        ),
        "matr_g",
    ),
    _two_rows(
        TwoOptVariant(
            "matr_g_ro", "cuda", _THREAD + "matr_g_ro", "The same, the matrix read through the read-only cache.",
            source=f"{_ONEIL}, slides 14 and 15",
            memory="Global: matrix by the read-only path, and the tours, laid out as local memory is.",
            key_idea="A hint about the cache helps where the matrix fits it; today's GPUs cache both alike.",
            bound=_BOUND, per="thread", kinds=KINDS, reads_matrix=True, move_bytes=_ONE_ROW, threads=fixed_threads(256),
            scratch_words=state_words, order_words=closed_words, max_n=matrix_scan,
        ),
        "matr_g_ro",
    ),
    _two_rows(
        TwoOptVariant(
            "calc", "cuda", _THREAD + "calc",
            "A climber per thread; distances computed from coordinates in tour order.",
            source=f"{_ONEIL}, slides 16 to 20, after K. Rocki and R. Suda (2012)",
            memory="Global: tours and their coordinates by position, laid out as local memory is.",
            key_idea="Arithmetic is cheaper than memory: to compute a distance again beats looking it up.",
            bound=_LAUNCH, per="thread", threads=fixed_threads(256), scratch_words=state_words,
            order_words=tour_and_coordinate_words, max_n=long_scan,
        ),
        "calc",
    ),
    TwoOptVariant(
        "intra", "cuda", _ROWS + "intra", "A climber per block: i over its threads, edge lengths in a buffer.",
        source=f"{_ONEIL}, slides 21 to 30",
        memory="Global: coordinates in tour order and edge lengths.",
        key_idea="A tour per block instead of a tour per thread: less memory, and a few climbers fill the GPU.",
        bound=_LAUNCH, threads=row_threads, scratch_words=tour_and_coordinate_words, max_n=long_scan,
    ),
    TwoOptVariant(
        "tile", "cuda", _ROWS + "tile", "The same, j backwards through tiles in shared memory.",
        source=f"{_ONEIL}, slides 31 to 36",
        memory="Shared: a tile of coordinates and edge lengths. Global: all of them.",
        key_idea="When all threads need the same j at the same time, one read serves them all.",
        bound=_LAUNCH, threads=row_threads, shared_bytes=tile_bytes,
        scratch_words=tour_and_coordinate_words, max_n=long_scan,
    ),
    TwoOptVariant(
        "tuned", "cuda", _ROWS + "tile", "The same, with the number of threads per block that keeps the GPU busiest.",
        source=f"{_ONEIL}, slides 37 and 38",
        memory="Shared: a tile of coordinates and edge lengths. Global: all of them.",
        key_idea="The same kernel is faster where its block size suits n and the GPU.",
        bound=_LAUNCH, threads=tuned_threads, shared_bytes=tile_bytes,
        scratch_words=tour_and_coordinate_words, max_n=long_scan,
        tried=True,
    ),
    TwoOptVariant(
        "array", "cuda", "solvers.algorithms.two_opt.kernels.array_cuda:operations",
        "Map, scan and reduce over arrays of all moves.",
        source=f"{UTNE_HANSEN}, section 5",
        memory="Global: for each climber, an array with each move's change in length.",
        key_idea="Flat array operations are simple, but every step goes to global memory and back.",
        bound="of more cities, an array of all moves of some climbers is too large", per="host", kinds=KINDS,
        reads_matrix=True, reads_table=True, move_bytes=_FLAT + _TABLE, threads=fixed_threads(256),
        max_n=array_scan,
    ),
    _published(
        TwoOptVariant(
            "original", "cuda", _PAIRS + "original", "A climber per block: i and j of each move read from a table.",
            source=f"{UTNE_HANSEN}, section 6.3",
            memory="Shared: the tour. Global: matrix, and a table of i and j in 16 bits each.",
            key_idea="Two loops merged into one share the work evenly, at the price of reading i and j.",
            bound=_LAUNCH, shared_bound=_TOUR, kinds=KINDS, reads_matrix=True, reads_table=True,
            move_bytes=_FLAT + _TABLE, threads=pair_threads, shared_bytes=tour_bytes,
            max_n=fit_shared_memory(tour_bytes, MAX_SCAN_CITIES),
        ),
        short_tour_bytes, MAX_SCAN_CITIES,
    ),
    _published(
        TwoOptVariant(
            "hundred-cities", "cuda", _PAIRS + "hundred_cities", "The same, with the matrix in shared memory.",
            source=f"{UTNE_HANSEN}, section 6.4",
            memory="Shared: the tour and the matrix. Global: the table of i and j.",
            key_idea="Faster reads, but fewer blocks at a time: the gain is small, and so is the largest instance.",
            shared_bound=_BOTH, kinds=KINDS, reads_matrix=True, reads_table=True, move_bytes=_FLAT + _TABLE,
            threads=shared_matrix_threads, shared_bytes=matrix_bytes,
            max_n=fit_shared_memory(matrix_bytes, MAX_MATRIX),
        ),
        short_matrix_bytes, MAX_MATRIX,
    ),
    _published(
        TwoOptVariant(
            "calculated", "cuda", _PAIRS + "calculated",
            "The same as original, i and j computed from the move's number.",
            source=f"{UTNE_HANSEN}, section 6.5 and appendix A",
            memory="Shared: the tour. Global: the matrix.",
            key_idea="A square root instead of a table: fewer reads; the root is corrected in integers.",
            bound=_LAUNCH, shared_bound=_TOUR, kinds=KINDS, reads_matrix=True, move_bytes=_FLAT, threads=pair_threads,
            shared_bytes=tour_bytes, max_n=fit_shared_memory(tour_bytes, MAX_SCAN_CITIES),
        ),
        short_tour_bytes, MAX_SCAN_CITIES,
    ),
)  # fmt: skip
