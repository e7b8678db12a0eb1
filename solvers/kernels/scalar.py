"""Arithmetic for any compiler: plain functions that kernels wrap with `njit` or `cuda.jit(device=True)`.

None of these functions calls another, so that each can be wrapped separately.
"""

import math

import numpy as np

#: The greatest int32, which exceeds any change in a tour's length.
INT32_MAX = 0x7FFFFFFF
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)
_GEO_RADIUS = 6378.388


def random_bits(seed, climber, step):
    """Return 64 random bits as a pure function of three words, independent of the order of draws.

    The words are absorbed one after another by SplitMix64's step: G. L. Steele, D. Lea, C. H. Flood, "Fast
    Splittable Pseudorandom Number Generators" (OOPSLA 2014), with the finaliser "variant 13" of D. Stafford, "Better
    Bit Mixing" (2011). For fixed seed and climber the values are SplitMix64's own sequence.

    Parameters
    ----------
    seed, climber, step : uint64

    Returns
    -------
    uint64
    """
    z = np.uint64(0)
    for word in (seed, climber, step):
        z = z + _GOLDEN * (word + np.uint64(1))
        z = (z ^ (z >> np.uint64(30))) * _MIX_A
        z = (z ^ (z >> np.uint64(27))) * _MIX_B
        z = z ^ (z >> np.uint64(31))
    return z


def absorb(state, word):
    """Return the state after one step of `random_bits`, for draws with the same first words; the first state is 0.

    Parameters
    ----------
    state, word : uint64

    Returns
    -------
    uint64
    """
    z = state + _GOLDEN * (word + np.uint64(1))
    z = (z ^ (z >> np.uint64(30))) * _MIX_A
    z = (z ^ (z >> np.uint64(27))) * _MIX_B
    return z ^ (z >> np.uint64(31))


def random_below(bits, bound):
    """Return an integer from 0 to bound - 1, uint64, computed from 64 random bits; bound is at most 2**32.

    Multiply and shift: D. Lemire, "Fast Random Integer Generation in an Interval" (ACM TOMACS 29, 2019). As there is no
    rejection, relative probabilities differ by at most bound / 2**32.
    """
    return ((bits >> np.uint64(32)) * bound) >> np.uint64(32)


def euc_2d(dx, dy):
    """Return the EUC_2D distance, int32, for float64 coordinate differences (Reinelt, 1995, section 2.1)."""
    return np.int32(math.sqrt(dx * dx + dy * dy) + 0.5)


def ceil_2d(dx, dy):
    """Return the CEIL_2D distance, int32, for float64 coordinate differences (TSPLIB 95, section 2.6)."""
    return np.int32(math.ceil(math.sqrt(dx * dx + dy * dy)))


def euc_2d_single(dx, dy):
    """Return the EUC_2D distance in single precision, int32; it is symmetric, and exact for all but a few pairs.

    Parameters
    ----------
    dx, dy : float32
        Coordinate differences; the distance must be below 2**22.
    """
    return np.int32(np.rint(np.sqrt(np.float32(dx * dx + dy * dy))))


def ceil_2d_single(dx, dy):
    """Return the CEIL_2D distance in single precision, int32; see `euc_2d_single`."""
    return np.int32(np.ceil(np.sqrt(np.float32(dx * dx + dy * dy))))


def att(dx, dy):
    """Return the ATT distance, int32, the pseudo-Euclidean one of att48 and att532 (TSPLIB 95, section 2.5)."""
    exact = math.sqrt((dx * dx + dy * dy) / 10.0)
    rounded = np.int32(exact + 0.5)
    return np.int32(rounded + np.int32(rounded < exact))


def geo(latitude_a, longitude_a, latitude_b, longitude_b):
    """Return the GEO distance, int32, for coordinates in radians (TSPLIB 95, section 2.4)."""
    q1 = math.cos(longitude_a - longitude_b)
    q2 = math.cos(latitude_a - latitude_b)
    q3 = math.cos(latitude_a + latitude_b)
    cosine = min(1.0, max(-1.0, 0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3)))
    return np.int32(_GEO_RADIUS * math.acos(cosine) + 1.0)


def euc_2d_grid(dx, dy):
    """Return the exact EUC_2D distance on an integer grid, in 32 bits, with twice as many SIMD lanes as in float64.

    The rounded single-precision root of the integer q = dx**2 + dy**2 is off by at most 1. The integer r is correct if
    (r - 1/2)**2 < q < (r + 1/2)**2; in integers, if -r < q - r**2 <= r and r is not negative.

    Parameters
    ----------
    dx, dy : int32
        At most 32,767 in absolute value, with a sum of squares below 2**31.
    """
    q = np.int32(np.int32(dx * dx) + np.int32(dy * dy))
    r = np.int32(np.sqrt(np.float32(q)) + np.float32(0.5))
    off = np.int32(q - np.int32(r * r))
    return max(np.int32(0), np.int32(np.int32(r + np.int32(off > r)) - np.int32(off <= np.int32(-r))))


def next_draw(bits):
    """Return the next 31-bit random number of Utne and Hansen (2023), section 6.3.3; int64."""
    return (np.int64(1_103_515_245) * np.int64(bits) + np.int64(12_345)) & np.int64(0x7FFF_FFFF)
