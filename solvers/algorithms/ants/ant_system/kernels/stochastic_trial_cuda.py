"""Stochastic trials: draw from the prefix sums of a whole row until an unvisited city is hit.

A. Uchida, Y. Ito and K. Nakano (2012), section IV.B.3. The paper makes one trial after another. Here all warps of a
block can make one trial each at the same time. The first success in the order of the draws counts, so the city is the
same.
"""

from numba import float32, uint32, uint64

from solvers.algorithms.ants.ant_system.kernels.unvisited_cuda import is_open, mark
from solvers.algorithms.ants.kernels.random_cuda import DRAWS, draw, uniform
from solvers.algorithms.ants.kernels.scan_cuda import PARTS, first_above
from solvers.kernels.device_cuda import WARP, cuda, device
from solvers.kernels.warp_cuda import NO_CITY

#: Size of two rows of the warps' offers: one is written while the other is read.
_OFFERS = 2 * PARTS


def build_trials(trials: int, at_once: bool = True):
    """Build a device function that makes up to `trials` trials, one per warp at once, or one by one.

    ``attempt(prefix, row, n, p, state, visited, counts) -> city``: choose the city of position p and mark it as
    visited; `NO_CITY` if all trials fail. Thread 0 counts the successful trial in ``counts`` (trials + 1,), in shared
    memory; the last entry counts the choices for which all trials failed.
    """

    @device
    def trial(prefix, row, n, r, samples, visited):
        """Return the city at r if it is unvisited, else `NO_CITY`, by step 3's k-ary search with 32 samples."""
        part = first_above(samples, uint32(0), uint32(PARTS), r)
        if part == uint32(PARTS):
            return uint32(NO_CITY)
        size = (n + uint32(PARTS - 1)) // uint32(PARTS)
        start, stop = part * size, min(part * size + size, n)
        city = uint32(first_above(prefix, row + start, row + stop, r) - row)
        return city if is_open(visited, city) else uint32(NO_CITY)

    @device
    def attempt(prefix, row, n, p, state, visited, counts):
        """Return the city of the first trial that hits an unvisited city, or `NO_CITY`."""
        # The simulator identifies shared arrays by their source line.
        samples = cuda.shared.array(PARTS, float32)
        offers = cuda.shared.array(_OFFERS, uint32)
        thread, width = uint32(cuda.threadIdx.x), uint32(cuda.blockDim.x)
        warp, warps = thread // uint32(WARP), width // uint32(WARP) if at_once else uint32(1)
        size = (n + uint32(PARTS - 1)) // uint32(PARTS)
        k = thread
        while k < uint32(PARTS):
            samples[k] = prefix[row + min(k * size + size, n) - uint32(1)]
            k += width
        cuda.syncthreads()
        # Each warp makes one trial.
        tried, side = uint32(0), uint32(0)
        while tried < uint32(trials):
            offer = uint32(NO_CITY)
            if warp < warps and tried + warp < uint32(trials):
                bits = draw(state, uint64(p * uint32(DRAWS) + tried + warp))
                offer = trial(prefix, row, n, float32(uniform(bits) * samples[PARTS - 1]), samples, visited)
            if thread % uint32(WARP) == uint32(0):
                offers[side + warp] = offer
            cuda.syncthreads()
            k = uint32(0)
            while k < warps and offers[side + k] == uint32(NO_CITY):
                k += uint32(1)
            if k < warps:
                if thread == uint32(0):
                    mark(visited, offers[side + k])
                    counts[tried + k] += uint32(1)
                return offers[side + k]
            tried += warps
            side = uint32(PARTS) - side
        if thread == uint32(0):
            counts[trials] += uint32(1)
        return uint32(NO_CITY)

    return attempt
