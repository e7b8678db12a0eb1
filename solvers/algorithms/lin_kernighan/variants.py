"""The variants of Lin-Kernighan as a table, and their distances on a GPU. Plain Python: pages may import it."""

import numpy as np

from data.instance import Instance
from solvers.core.solver import Variant

SOURCE = (
    'S. Lin and B. W. Kernighan, "An Effective Heuristic Algorithm for the Traveling-Salesman Problem" (1973); K. '
    'Helsgaun, "An Effective Implementation of the Lin-Kernighan Traveling Salesman Heuristic" (2000)'
)
KICKS = (
    'O. Martin, S. W. Otto and E. W. Felten, "Large-Step Markov Chains for the Traveling Salesman Problem" (1991); D. '
    'Applegate, W. Cook and A. Rohe, "Chained Lin-Kernighan for Large Traveling Salesman Problems" (2003)'
)
CROSSING = (
    'Y. Nagata and S. Kobayashi, "A Powerful Genetic Algorithm Using Edge Assembly Crossover for the Traveling '
    'Salesman Problem" (2013)'
)
#: From this distance on, the sums of a kick and its repair might not fit into 32 bits on a GPU.
TOO_LONG = 1 << 26
CPU = Variant(
    "cpu", "cpu", "solvers.algorithms.lin_kernighan.kernels.chain_cpu:run_kicks",
    "Tours that are kicked side by side and crossed; of many cities one tour.", f"{SOURCE}; {KICKS}; {CROSSING}",
    "Tours as arrays, with positions, coordinates and candidates of the cities along a Hilbert curve; all distances "
    "where tours are crossed.",
    "What a kick costs does not grow with the number of cities: only what it changed is searched and taken back. Where "
    "two tours differ, crossing takes the shorter part.",
    directed=True, supports_large=True,
)  # fmt: skip
CUDA = Variant(
    "cuda", "cuda", "solvers.algorithms.lin_kernighan.kernels.repair_cuda:build",
    "Ours: thousands of kicks at a time, a thread each; the CPU makes those that shorten a tour, and crosses tours.",
    f"{SOURCE}; {KICKS}; {CROSSING}",
    "Positions, neighbours in the tour, coordinates and candidates in global memory; for each thread 32 pieces of the "
    "tour in shared memory.",
    "A thread need not change the tour to search it: the pieces that its exchanges have made say where each city is.",
    supports_large=True,
)  # fmt: skip
VARIANTS = (CPU, CUDA)


def too_long_reason(longest: float) -> str:
    """Return why a GPU does not support distances of up to `longest`; empty if it does."""
    if longest < TOO_LONG:
        return ""
    return f"Distances up to {longest:,.0f} are too long for cuda, which adds up those of a kick in 32 bits; use cpu."


def longest_distance(instance: Instance) -> float:
    """Return an upper bound on the instance's distances."""
    if instance.weights is not None:
        return float(np.abs(instance.weights, dtype=np.float64).max())
    if instance.coordinates is None or instance.is_on_globe:
        return 0.0  # distances on the globe are never too long
    return float(np.hypot(*np.ptp(instance.coordinates, axis=0))) + 1
