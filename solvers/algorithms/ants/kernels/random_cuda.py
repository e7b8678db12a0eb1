"""An ant's random numbers on a GPU: `scalar.random_bits`, whose first steps are the same for a whole tour.

The generator absorbs three words, one after another. Seed and ant do not change within a tour, so the state after those
two words is stored, and a draw costs one step of SplitMix64 instead of three.
"""

import numpy as np
from numba import float32, uint32, uint64

from solvers.kernels import scalar
from solvers.kernels.device_cuda import device

#: Number of random draws reserved per choice; draw k at a position is step `position * DRAWS + k` of the random stream.
DRAWS = 128
_GOLDEN, _MIX_A, _MIX_B = scalar._GOLDEN, scalar._MIX_A, scalar._MIX_B
_HALF, _TWO_24 = np.float32(0.5), np.float32(2.0**-24)


@device
def draw(state, step):
    """Return 64 random bits, uint64: `scalar.random_bits` of the words absorbed in `state`, followed by `step`."""
    z = uint64(uint64(state) + _GOLDEN * (uint64(step) + uint64(1)))
    z = uint64((z ^ (z >> uint64(30))) * _MIX_A)
    z = uint64((z ^ (z >> uint64(27))) * _MIX_B)
    return uint64(z ^ (z >> uint64(31)))


@device
def absorb(seed, stream):
    """Return the state from which `draw` starts, uint64: seed and stream are absorbed."""
    return draw(draw(uint64(0), uint64(seed)), uint64(stream))


@device
def uniform(bits):
    """Return a random number in (0, 1] in steps of 2**-24, float32, from 64 random bits.

    The greatest values round up to 1, so a draw may fall exactly on the end of a range.
    """
    return float32((float32(uint32(bits >> uint64(40))) + _HALF) * _TWO_24)
