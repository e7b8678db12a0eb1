"""Acceptance of longer tours in annealing: plain functions for any compiler."""

import math

import numpy as np

#: A change in length by more than this many temperatures is rejected: of all draws of 53 bits, only 0 would accept it.
HOPELESS = 37.0
_LOG2_E, _LN2_HIGH, _LN2_LOW = 1.4426950408889634, 0.6931471803691238, 1.9082149292705877e-10
_STEP = 1.0 / 9007199254740992.0


def boltzmann(x):
    """Compute exp(-x) for 0 <= x <= `HOPELESS` by additions and multiplications alone, independent of any library.

    x = m ln 2 + r with r from -ln 2 / 2 to ln 2 / 2; the Taylor series of exp(-r) up to r**13 has a relative error
    below 1e-16. ln 2 is split into two parts; the first has 20 zero bits, so that its product with m is exact.

    Parameters
    ----------
    x : float64

    Returns
    -------
    float64
    """
    m = math.floor(x * _LOG2_E + 0.5)
    r = -((x - m * _LN2_HIGH) - m * _LN2_LOW)
    total = 1.0
    for k in range(13, 0, -1):
        total = 1.0 + total * r / k
    return math.ldexp(total, -int(m))


def uniform(bits):
    """Return a float64 in [0, 1) from the upper 53 of 64 random bits."""
    return float(bits >> np.uint64(11)) * _STEP
