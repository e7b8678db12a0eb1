"""The table of GPU variants of simulated annealing. Plain Python, without Numba: pages may import it."""

from dataclasses import dataclass

from solvers.core.solver import Variant
from solvers.gpu.limits import Limits

#: Bytes of a block's shared memory that do not belong to its chain, and the maximum number of cities, whose positions
#: must fit into 16 bits.
_OTHER_BYTES, _MAX_CITIES = 2048, 65_535
#: Name of the variant whose chains exchange temperatures, and its maximum number of chains: each needs its own buffers.
EXCHANGE, MAX_REPLICAS = "replica-exchange", 256


@dataclass(frozen=True, slots=True)
class AnnealingVariant(Variant):
    """A variant that runs one chain per block, with its tour in shared memory."""

    def max_cities(self, limits: Limits) -> int:
        """See `solvers.core.variant.Variant`."""
        return min(_MAX_CITIES, max(0, limits.shared_per_block - _OTHER_BYTES) // 4)


WARP = AnnealingVariant(
    "warp", "cuda", "solvers.algorithms.annealing.kernels.anneal_cuda:build",
    "Ours: a warp per chain, thousands at a time; each lane evaluates another of the next 32 draws.",
    'E. E. Witte, R. D. Chamberlain and M. A. Franklin, "Parallel Simulated Annealing Using Speculative '
    'Computation" (1991)',
    "Tour and positions in shared memory, 4 bytes a city; neighbours, coordinates and best tours in global memory.",
    "A chain is made of steps that wait for each other; where most of them change nothing, many can be tried at "
    "once.",
    bound="a position has 16 bits",
    shared_bound="its tour and positions take 4 n bytes, and a block may have {shared} KB of shared memory",
)  # fmt: skip
ROUNDS = AnnealingVariant(
    "wei-wu-yu", "cuda", "solvers.algorithms.annealing.kernels.rounds_cuda:build",
    "A block per chain; each thread draws a move on the same tour, and the block makes the best accepted one.",
    'K.-C. Wei, C.-C. Wu and H.-L. Yu, "Mapping the Simulated Annealing Algorithm onto CUDA GPUs" (2015), as J. Utne '
    "and H. N. W. Hansen (2023) describe it in section 3.5",
    "Tour and positions in shared memory, 4 bytes a city; neighbours, coordinates and best tours in global memory.",
    "Threads fill a block with proposals for one tour, but only one of them can be made: hot, most of the work is "
    "thrown away.",
    bound="a position has 16 bits",
    shared_bound="its tour and positions take 4 n bytes, and a block may have {shared} KB of shared memory",
)  # fmt: skip
CUDA_VARIANTS = (WARP, ROUNDS)
