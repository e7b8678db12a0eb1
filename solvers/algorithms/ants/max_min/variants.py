"""Variants of MAX-MIN Ant System. Plain Python: pages may import it."""

from solvers.algorithms.ants.variants import CPU_KERNEL, CPU_MEMORY, AntVariant, cpu_variants
from solvers.core.sources import BAI
from solvers.gpu.capability import WARP_REDUCTIONS

#: Maximum number of cities for `bai`: with more, a thread per ant takes too long.
COLONY_CITIES = 512

CPU_VARIANTS = cpu_variants(
    CPU_KERNEL, CPU_MEMORY, "With lists, an ant considers 32 cities instead of all.", ("nearest-first",)
)
CUDA_VARIANTS = (
    AntVariant(
        "warp", "cuda", "solvers.algorithms.ants.kernels.walk_warp_cuda:build_warp",
        "A warp per ant, and a warp per tour that is shortened.",
        "This program", "Shared: which cities were visited; a tour and its queue of cities while it is shortened.",
        "Only one ant deposits pheromone: the work is to build tours and to shorten them.", ("nearest-first",),
        city_bytes=6.125, capability=WARP_REDUCTIONS,
    ),
    AntVariant(
        "bai", "cuda", "solvers.algorithms.ants.max_min.kernels.walk_colony_cuda:build_colony_walk",
        "All colonies at the same time: a block per colony, a thread per ant.",
        BAI, "Shared: a bit for each ant and city. The trails of each colony: global memory, through the caches.",
        "Colonies need nothing of each other, so each can have a multiprocessor; but an ant that is one thread reads "
        "its rows alone.", ("nearest-first",), cities=COLONY_CITIES, capability=WARP_REDUCTIONS,
    ),
)  # fmt: skip
