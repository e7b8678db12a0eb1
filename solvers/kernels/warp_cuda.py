"""Warp-wide draws, races and sums, with versions for the simulator, in which a warp is one thread.

A roulette wheel needs the sum of all weights before it can be spun. A race does not: if each contender has an
independent exponential variate E, the one with the greatest weight / E wins with probability weight / sum of weights
(the minimum of exponential variables of rates w; P. S. Efraimidis and P. G. Spirakis, "Weighted random sampling with a
reservoir", 2006). One instruction finds the greatest of a warp's values, while prefix sums take five dependent ones.
"""

import math

import numpy as np
from numba import float32, int32, uint32, uint64

from solvers.kernels.device_cuda import SIMULATED, cuda, device

#: Stands for no city.
NO_CITY = 0xFFFFFFFF
_TWO_32 = np.float32(2.0**-32)
_THIRD, _HALF, _ONE = np.float32(1.0 / 3.0), np.float32(0.5), np.float32(1.0)
#: Below this value, the series of the logarithm is more accurate than the GPU's instruction.
_SMALL = np.float32(0.01)
_ALL = 0xFFFFFFFF


@device
def uniform01(bits):
    """Return a number between 0 and 1 from 32 random bits, float32."""
    return float32((float32(bits) + _HALF) * _TWO_32)


@device
def exponential(bits):
    """Return an exponential variate, float32, from 32 random bits; small values, which win races, are accurate."""
    v = uniform01(bits)
    series = float32(v * (_ONE + v * (_HALF + v * _THIRD)))
    return series if v < _SMALL else float32(-math.log(float32(_ONE - v)))


@device
def high(bits):
    """Return the upper half of 64 random bits."""
    return uint32(bits >> uint64(32))


@device
def low(bits):
    """Return the lower half of 64 random bits."""
    return uint32(bits & uint64(0xFFFFFFFF))


if SIMULATED:

    @device
    def _alone(value):
        return value

    warp_max = warp_min_unsigned = warp_sum = warp_low = warp_high = _alone

    @device
    def address(array):
        """Return the address of a uint64 array."""
        return uint64(0)

    @device
    def broadcast_float(value, lane):
        """Return one lane's float32 in all lanes."""
        return value

    @device
    def broadcast_word(value, lane):
        """Return one lane's uint32 in all lanes."""
        return value

    @device
    def flag_rank(flag):
        """Return how many lower lanes have the flag set, and how many lanes have it set in all."""
        return uint32(0), uint32(1) if flag else uint32(0)

    @device
    def sync_warp():
        """Wait for the warp's other lanes, and make their writes visible."""

else:
    from llvmlite import ir
    from numba import types
    from numba.cuda.extending import intrinsic

    def _build_redux(operation: str):
        """Build an intrinsic that reduces a warp's values in one instruction; needs compute capability 8.0."""

        @intrinsic
        def reduce(typingctx, value):
            def codegen(context, builder, signature, arguments):
                word = ir.IntType(32)
                text = f"redux.sync.{operation}.u32 $0, $1, 0xffffffff;"
                assembly = ir.InlineAsm(ir.FunctionType(word, [word]), text, "=r,r", side_effect=True)
                # All lanes must execute this together, so the compiler must not copy it into divergent branches.
                return builder.call(assembly, arguments, attrs=("convergent",))

            return types.uint32(types.uint32), codegen

        return reduce

    @intrinsic
    def address(typingctx, array):
        """Return the address of a uint64 array, for `fetch`."""

        def codegen(context, builder, signature, arguments):
            data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
            return builder.ptrtoint(data, ir.IntType(64))

        return types.uint64(array), codegen

    @intrinsic
    def fetch(typingctx, where, k):
        """Read the k-th uint64 through the read-only cache; it must not change during the launch."""

        def codegen(context, builder, signature, arguments):
            word = ir.IntType(64)
            place = builder.add(arguments[0], builder.shl(builder.zext(arguments[1], word), ir.Constant(word, 3)))
            assembly = ir.InlineAsm(ir.FunctionType(word, [word]), "ld.global.nc.b64 $0, [$1];", "=l,l")
            return builder.call(assembly, [place])

        return types.uint64(types.uint64, types.uint32), codegen

    _most, _least = _build_redux("max"), _build_redux("min")

    @device
    def warp_max(value):
        """Return the maximum of a warp's values, uint32, in all lanes."""
        return _most(uint32(value))

    @device
    def warp_min_unsigned(value):
        """Return the minimum of a warp's values, uint32, in all lanes."""
        return _least(uint32(value))

    def _build_exchange(combine):
        """Build a device function that reduces a warp's values and returns the result in all lanes."""
        combined = device(combine)

        @device
        def fold(value):
            for step in (16, 8, 4, 2, 1):
                value = combined(value, cuda.shfl_xor_sync(_ALL, value, step))
            return value

        return fold

    #: Functions that return the sum, the minimum and the maximum of a warp's values, of any type, in all lanes.
    warp_sum, warp_low, warp_high = map(
        _build_exchange, (lambda a, b: a + b, lambda a, b: min(a, b), lambda a, b: max(a, b))
    )

    @device
    def broadcast_float(value, lane):
        """Return one lane's float32 in all lanes."""
        return cuda.shfl_sync(_ALL, value, lane)

    @device
    def broadcast_word(value, lane):
        """Return one lane's uint32 in all lanes."""
        return uint32(cuda.shfl_sync(_ALL, int32(value), lane))

    @device
    def flag_rank(flag):
        """Return how many lower lanes have the flag set, and how many lanes have it set in all."""
        set_lanes = uint32(cuda.ballot_sync(_ALL, flag))
        below = uint32((uint32(1) << uint32(cuda.threadIdx.x % 32)) - uint32(1))
        return uint32(cuda.popc(set_lanes & below)), uint32(cuda.popc(set_lanes))

    @device
    def sync_warp():
        """Wait for the warp's other lanes, and make their writes visible."""
        cuda.syncwarp(_ALL)


@device
def winner(run, city):
    """Return the city with the greatest `run` in the warp, `NO_CITY` if all are 0; ties go to the lowest city."""
    best = warp_max(run)
    return warp_min_unsigned(uint32(city) if run == best and best > uint32(0) else uint32(NO_CITY))
