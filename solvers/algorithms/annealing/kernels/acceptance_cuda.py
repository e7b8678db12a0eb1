"""Acceptance of longer tours on a GPU: the same decisions as `acceptance`, mostly in 32-bit arithmetic."""

import math

import numpy as np
from numba import float32, float64, int32, uint64

from solvers.algorithms.annealing.kernels import acceptance
from solvers.kernels.device_cuda import SIMULATED, cuda, device

#: More than single precision's error here: 2e-5 in the exponent, which is at most 37, and 1e-6 in the exponential.
_MARGIN = np.float32(1e-4)
_UPPER, _LOWER = np.float32(1.0) + _MARGIN, np.float32(1.0) - _MARGIN
_TWO_24, _LOG2_E = np.float32(2.0**-24), 1.4426950408889634
_LN2_HIGH, _LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10

uniform = device(acceptance.uniform)

if SIMULATED:
    boltzmann = device(acceptance.boltzmann)

    @device
    def multiply(a, b):
        """Return a * b, rounded according to IEEE 754."""
        return a * b

    @device
    def divide(a, b):
        """Return a / b, rounded according to IEEE 754."""
        return a / b

else:

    @device
    def multiply(a, b):
        """Return a * b, rounded according to IEEE 754."""
        return cuda.libdevice.dmul_rn(a, b)

    @device
    def divide(a, b):
        """Return a / b, rounded according to IEEE 754."""
        return cuda.libdevice.ddiv_rn(a, b)

    @device
    def _add(a, b):
        return cuda.libdevice.dadd_rn(a, b)

    @device
    def boltzmann(x):
        """Compute the same bits as `acceptance.boltzmann`: no operations are fused into multiply-adds."""
        m = math.floor(_add(multiply(x, _LOG2_E), 0.5))
        r = -_add(_add(x, -multiply(float64(m), _LN2_HIGH)), -multiply(float64(m), _LN2_LOW))
        total = 1.0
        for k in range(13, 0, -1):
            total = _add(1.0, divide(multiply(total, r), float64(k)))
        return cuda.libdevice.ldexp(total, -int32(m))


@device
def accepts(bits, delta, temperature, inverse):
    """Return whether a move that lengthens the tour by `delta` is accepted; `delta` is at most 37 temperatures.

    The upper 24 of the draw's 53 bits and a single-precision exponential decide nearly all cases; one case in several
    thousand needs the exact computation.

    Parameters
    ----------
    bits : uint64
        Random bits.
    delta : int32
    temperature : float64
    inverse : float32
        1 / `temperature`.
    """
    chance = float32(math.exp(float32(-float32(delta) * inverse)))
    draw = float32(float32(bits >> uint64(40)) * _TWO_24)
    if draw > chance * _UPPER:
        return False
    if draw + _TWO_24 < chance * _LOWER:
        return True
    return uniform(bits) < boltzmann(divide(float64(delta), temperature))
