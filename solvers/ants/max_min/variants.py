"""Variants of MAX-MIN Ant System. Plain Python: pages may read it."""

from solvers.ants.variants import _CPU, AntVariant

CPU_VARIANTS = (
    AntVariant(
        "cpu", "cpu", _CPU, "Ants in parallel, one thread a core.", "This program", "Trails and fitness in float32.",
        "With lists, an ant looks at 32 cities rather than at all.", ("nearest-first",),
    ),
    AntVariant(
        "sequential", "cpu", _CPU, "One ant after the other, on one thread.", "This program",
        "Trails and fitness in float32.", "What the parallel ways are measured against.", ("nearest-first",),
    ),
)  # fmt: skip
CUDA_VARIANTS = (
    AntVariant(
        "warp", "cuda", "solvers.ants.kernels.walk_warp_cuda:warp",
        "A warp an ant, and a warp a tour that is shortened.",
        "This program", "Shared: which cities were visited; a tour and its queue of cities while it is shortened.",
        "Only one ant leaves pheromone: what is left to do is to build tours and to shorten them.", ("nearest-first",),
        city_bytes=6.125,
    ),
)  # fmt: skip
