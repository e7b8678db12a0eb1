"""This program's own 2-opt variants on GPUs, and the table of all variants. Plain Python: pages may import it."""

from dataclasses import replace
from typing import Any

from solvers.algorithms.two_opt.kernels.strip_geometry import MAX_CITIES, climb_words, max_climb_words
from solvers.algorithms.two_opt.strip_launch import strip_rows, strip_threads
from solvers.algorithms.two_opt.variant import PLANAR, TwoOptVariant
from solvers.algorithms.two_opt.variants_published import PUBLISHED_VARIANTS
from solvers.gpu.limits import H200, Limits

#: With fewer cities, a thread's strip would wrap around to its own edges.
_MIN_CITIES = 20


def _threads(n: int, limits: Limits, climbers: int) -> int:
    return strip_threads(n, limits, climbers / limits.multiprocessors)


def _options(n: int, threads: int, limits: Limits) -> dict[str, Any]:
    return {"rows": strip_rows(n, threads, limits)}


def _bytes(n: int, threads: int, limits: Limits) -> int:
    return 4 * climb_words(n, strip_rows(n, threads, limits), threads)


def _max_cities(limits: Limits) -> int:
    return MAX_CITIES


#: `strip` first, followed by variants to compare with it.
_STRIP = TwoOptVariant(
    "strip", "cuda", "solvers.algorithms.two_opt.kernels.strip_cuda:build_strip", "A strip of positions per thread.",
    source="This program",
    memory="Shared: the tour, its coordinates and edge lengths (global where they do not fit).",
    key_idea="Every distance serves two moves: keep it, and a move costs one square root.",
    bound="a move has 15 bits for each of its two positions", kinds=(*PLANAR, "ATT"), threads=_threads,
    shared_bytes=_bytes, scratch_words=max_climb_words, max_n=_max_cities, options=_options, min_n=_MIN_CITIES,
    switch=True, shares_out=True, spills=True,
)  # fmt: skip
STRIP_VARIANTS: tuple[TwoOptVariant, ...] = (
    _STRIP,
    replace(
        _STRIP, name="multi-move", kernel="solvers.algorithms.two_opt.kernels.multi_move_cuda:build_multi_move",
        note="As strip, with many moves after each scan.",
        source=(
            "This program; several moves a scan after J. A. Robinson, S. V. Vrbsky, X. Hong and B. P. Eddy, "
            '"Analysis of a high-performance TSP solver on the GPU" (2018)'
        ),
        memory="Shared: as strip, and the candidates.",
        key_idea="A scan finds many improving moves: all that do not conflict can be made at once.",
        threads_decide=True,
        # Each strip offers one move, so every GPU has the strips of an H200, to give the same tours.
        threads=lambda n, limits, climbers: _threads(n, H200, climbers),
        shared_bytes=lambda n, threads, limits: _bytes(n, threads, H200),
        options=lambda n, threads, limits: _options(n, threads, H200),
    ),
)  # fmt: skip

#: Every 2-opt variant on CUDA.
CUDA_VARIANTS: tuple[TwoOptVariant, ...] = STRIP_VARIANTS + PUBLISHED_VARIANTS
