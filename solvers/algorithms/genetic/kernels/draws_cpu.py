"""Random draws for crossovers, given by a key and a counter, independent of threads and slices."""

import numpy as np

from solvers.kernels import scalar
from solvers.kernels.compiler import njit

_absorbed, _below = njit(scalar.absorb), njit(scalar.random_below)
_random_bits = njit(scalar.random_bits)


@njit(cache=True, nogil=True)
def stream_key(seed, stream):
    """Return the key of a stream of draws, uint64."""
    return _random_bits(np.uint64(seed), np.uint64(stream), np.uint64(0))


@njit(cache=True, nogil=True)
def draw_bits(key, count):
    """Return draw number `count` of a stream as 64 random bits, uint64."""
    return _absorbed(np.uint64(key), np.uint64(count))


@njit(cache=True, nogil=True)
def draw(key, count, bound):
    """Return draw number `count` of a stream as an integer from 0 to `bound` - 1."""
    return np.int64(_below(draw_bits(key, count), np.uint64(bound)))
