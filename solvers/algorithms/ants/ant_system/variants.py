"""Variants of Ant System: their device and selection rule. Plain Python: pages may import it."""

from solvers.algorithms.ants.variants import CPU_KERNEL, CPU_MEMORY, AntVariant, cpu_variants
from solvers.core.sources import BITNER, CECILIA, UCHIDA
from solvers.gpu.capability import WARP_REDUCTIONS

CPU_VARIANTS = cpu_variants(
    CPU_KERNEL, CPU_MEMORY, "Ants are independent while they build tours: each core can have its own.",
    ("nearest-first", "hybrid", "stochastic-trial", "with-compression", "without-compression", "i-roulette"),
)  # fmt: skip
CUDA_VARIANTS = (
    AntVariant(
        "warp", "cuda", "solvers.algorithms.ants.kernels.walk_warp_cuda:build_warp",
        "A warp per ant, nearest cities first.",
        "This program", "Shared: which cities were visited, and a list of those that are not; the weights of all "
        "cities' nearest, 256 bytes a city, where they fit (up to about 880 cities), else in the caches.",
        "Most choices fall among few near cities; only where the rest is drawn must a row be read.",
        ("nearest-first", "without-compression"), city_bytes=3.0, capability=WARP_REDUCTIONS,
    ),
    AntVariant(
        "block", "cuda", "solvers.algorithms.ants.ant_system.kernels.walk_block_cuda:build_block",
        "A block per ant, five rules to choose a city.",
        UCHIDA + ", section IV.B; i-roulette: " + CECILIA, "Shared: prefix sums, unvisited cities, a bit a city.",
        "Prefix sums cost most: trials on sums of the whole row avoid nearly all of them.",
        ("hybrid", "stochastic-trial", "with-compression", "without-compression", "i-roulette"), city_bytes=8.125,
    ),
    AntVariant(
        "worker", "cuda", "solvers.algorithms.ants.ant_system.kernels.walk_worker_cuda:build_worker",
        "A thread per ant, alone in its block.",
        BITNER + ", worker ant", "Shared: tour, unvisited cities, prefix sums.",
        "One thread a block leaves 31 of 32 lanes of a warp empty.", ("with-compression",), city_bytes=8.0,
    ),
    AntVariant(
        "queen", "cuda", "solvers.algorithms.ants.ant_system.kernels.walk_queen_cuda:build_queen",
        "A block per ant, a thread per city.",
        BITNER + ", queen ant", "Shared: the sums of the warps. Which cities were visited: registers.",
        "A thread per city makes each step short, but most threads idle on visited cities.", ("without-compression",),
        capability=WARP_REDUCTIONS,
    ),
)  # fmt: skip
