"""Variants of Ant Colony System. Plain Python: pages may import it."""

from solvers.algorithms.ants.variants import LARGE, AntVariant, cpu_variants
from solvers.core.solver import Variant
from solvers.core.sources import QIN_HAN
from solvers.gpu.capability import WARP_REDUCTIONS

_ACS_CPU = "solvers.algorithms.ants.acs.kernels.walk_cpu:advance"
CPU_VARIANTS: tuple[AntVariant, ...] = (
    *cpu_variants(
        _ACS_CPU, "The trails of each city's nearest; of all other edges those that ever were part of a best tour.",
        "Nearly all trails keep their initial value: only those of best tours must be stored.", ("nearest-first",),
    ),
    AntVariant(
        "mpi", "cpu", _ACS_CPU, "Ants in several processes, which exchange what they did after each iteration.",
        QIN_HAN + ", section 2.6", "Distances and nearness once for all processes of a machine; trails in each.",
        "Processes need not exchange tours: how often each raised edge was taken is enough.", ("nearest-first",),
        needs="mpi",
    ),
)  # fmt: skip
_IN_STEP = "solvers.algorithms.ants.acs.kernels.lockstep_cpu:walk_in_step"
QIN_HAN_VARIANTS = (
    AntVariant(
        "qin-han-openmp", "cpu", _IN_STEP,
        "Threads wait at each city, and update trails in a critical section for each edge.",
        QIN_HAN + ", section 2.4", "Weights and trails of all edges, once for all threads.",
        "In step, an ant sees what all others did before: threads wait for each other twice a city.",
        ("without-compression",),
    ),
    AntVariant(
        "qin-han-mpi", "cpu", _IN_STEP,
        "Processes: at each city one gathers the edges of all ants and broadcasts them.",
        QIN_HAN + ", section 2.6", "Distances once for all processes of a machine; weights and trails in each.",
        "Little is sent, but at each city: processes wait for each other as often as an ant moves.",
        ("without-compression",), needs="mpi",
    ),
)  # fmt: skip
CPU_VARIANTS += QIN_HAN_VARIANTS
CUDA_VARIANTS = (
    AntVariant(
        "warp", "cuda", "solvers.algorithms.ants.acs.kernels.walk_warp_cuda:build_warp",
        "A warp per ant, nearest cities first.",
        "This program", "Shared: which cities were visited, and a list of those that are not; the weights of all "
        "cities' nearest, 196 bytes a city, where they fit, unless they change while ants walk.",
        "Exploitation needs the greatest weight of all cities: that of the nearest, unless one of the others has more.",
        ("nearest-first",), city_bytes=3.0, cities=LARGE, capability=WARP_REDUCTIONS,
    ),
    AntVariant(
        "block", "cuda", "solvers.algorithms.ants.acs.kernels.walk_block_cuda:build_block",
        "A block per ant, all cities evaluated.",
        QIN_HAN + ", section 2.2", "Shared: a bit a city, sums of the threads.",
        "Each thread has the cities of one remainder: their sum chooses the thread, then the thread its city.",
        ("without-compression",), city_bytes=0.125, cities=LARGE, capability=WARP_REDUCTIONS,
    ),
)  # fmt: skip


def is_qin_han(variant: Variant) -> bool:
    """Return whether a variant runs Qin and Han's ants on the CPU, which walk in lockstep and consider every city."""
    return variant in QIN_HAN_VARIANTS


def local_updates(variant: AntVariant) -> tuple[str, ...]:
    """Return the values of ``local_update`` that a variant supports."""
    if is_qin_han(variant):
        return ("lockstep",)
    if variant.name == "block":
        return ("deferred", "racy", "compare-and-swap")
    return ("deferred", "lockstep", "racy")
