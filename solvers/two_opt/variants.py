"""This program's own 2-opt variants on CUDA, and a table of all. Plain Python, without Numba: pages may import it."""

from dataclasses import replace

from solvers.two_opt.kernels.strip_geometry import MOST_CITIES, climb_room, climb_words, rows_of, threads_of
from solvers.two_opt.variants_published import PLANAR, PUBLISHED_VARIANTS, TwoOptVariant

#: With fewer cities a thread's strip would wrap around to its own edges.
_FEWEST = 20


def _bytes(n: int, threads: int) -> int:
    return 4 * climb_words(n, rows_of(n, threads), threads)


def _most(shared: int) -> int:
    return MOST_CITIES


#: `strip` first; variants to compare with it follow.
_STRIP = TwoOptVariant(
    "strip", "cuda", "solvers.two_opt.kernels.strip_cuda:strip", "A strip of positions per thread.",
    source="This program",
    memory="Shared: the tour, its coordinates and edge lengths (global above about 6,500 cities).",
    lesson="Every distance serves two moves: keep it, and a move costs one square root.",
    kinds=(*PLANAR, "ATT"), threads=threads_of, shared_bytes=_bytes, scratch_words=climb_room, largest_n=_most,
    smallest_n=_FEWEST, switch=True, shares_out=True, spills=True,
)  # fmt: skip
STRIP_VARIANTS: tuple[TwoOptVariant, ...] = (
    _STRIP,
    replace(
        _STRIP, name="multi-move", kernel="solvers.two_opt.kernels.multi_move_cuda:multi_move",
        note="As strip, with many moves after each scan.",
        source=(
            "This program; several moves a scan after J. A. Robinson, S. V. Vrbsky, X. Hong and B. P. Eddy, "
            '"Analysis of a high-performance TSP solver on the GPU" (2018)'
        ),
        memory="Shared: as strip, and the candidates.",
        lesson="A scan finds many improving moves: all that do not conflict can be made at once.",
    ),
)  # fmt: skip

#: Every 2-opt variant on CUDA.
CUDA_VARIANTS: tuple[TwoOptVariant, ...] = STRIP_VARIANTS + PUBLISHED_VARIANTS
