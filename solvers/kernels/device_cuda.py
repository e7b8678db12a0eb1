"""Small device functions that CUDA kernels share, with versions for the simulator.

Numba's simulator runs kernels as plain Python threads; it has no warps, no inline assembly and no libdevice. There a
warp is one thread wide, and the functions below compute the same results in plain Python.
"""

import math
from typing import Any

import numpy as np
from numba import config, float64, int32, uint32, uint64
from numba import cuda as numba_cuda

from solvers.kernels import exit_cuda, fast_analysis, scalar
from solvers.kernels.scalar import INT32_MAX as INT32_MAX

SIMULATED = bool(config.ENABLE_CUDASIM)  # type: ignore[attr-defined]
#: Number of threads that exchange values without shared memory.
WARP = 1 if SIMULATED else 32
#: 1.5 * 2**23: added to a float32 from 0 to 2**22, it leaves the nearest integer, ties to even, in the lowest bits.
MAGIC = np.float32(12582912.0)
#: What `euc_2d` and `ceil_2d` add to the distance: the bits of `MAGIC`.
BIAS = 0 if SIMULATED else 0x4B400000

cuda: Any = numba_cuda
if SIMULATED:
    from numba.cuda.simulator import kernel as _simulator

    class _RunningKernel:
        """``numba.cuda`` as the running kernel sees it.

        The simulator replaces the name ``cuda`` in a function's module while the function runs. If the kernel is in
        another module, the simulator restores the name while other threads still need it. This object is never
        replaced.
        """

        def __getattr__(self, name):
            try:
                return getattr(_simulator._kernel_context, name)
            except AttributeError:  # no kernel is running, or its ``cuda`` has no such name
                return getattr(numba_cuda, name)

    cuda = _RunningKernel()
else:
    exit_cuda.register()
    fast_analysis.install_cuda()

device = cuda.jit(device=True, fastmath=True)
random_bits = device(scalar.random_bits)
random_below = device(scalar.random_below)


@device
def random_position(seed, climber, k, n):
    """Return the index, at most k, that the shuffle of `tours_cpu.random_tour` swaps with index k of n."""
    bits = random_bits(uint64(seed), uint64(climber), uint64(n - uint32(1) - k))
    return uint32(random_below(bits, uint64(k) + uint64(1)))


if SIMULATED:
    euc_2d, ceil_2d = device(scalar.euc_2d_single), device(scalar.ceil_2d_single)
    exact_euc_2d, exact_ceil_2d, exact_att = device(scalar.euc_2d), device(scalar.ceil_2d), device(scalar.att)

    @device
    def as_bits(value):
        """Return a float32's bits as an int32."""
        return np.float32(value).view(np.int32)

    @device
    def as_float(bits):
        """Return the float32 that has an int32's bits."""
        return np.int32(bits).view(np.float32)

    @device
    def warp_min(value):
        """Return the minimum of a warp's values, int32, in all lanes."""
        return value

    @device
    def load_read_only(array, k):
        """Read ``array[k]`` of a flat int32 array, k uint32, through the read-only cache."""
        return array[k]

else:
    from llvmlite import ir
    from numba import types
    from numba.cuda.extending import intrinsic

    @device
    def euc_2d(dx, dy):
        """Return the single-precision distance plus `BIAS`, int32.

        Product and sum are written as `fma`, so that all kernels round alike, whatever the compiler contracts.
        """
        return as_bits(math.sqrt(cuda.fma(dx, dx, dy * dy)) + MAGIC)

    @device
    def ceil_2d(dx, dy):
        """Return the exact CEIL_2D distance plus `BIAS`; the root is rounded up."""
        return as_bits(cuda.libdevice.fadd_ru(math.sqrt(cuda.fma(dx, dx, dy * dy)), MAGIC))

    @device
    def _exact_square(dx, dy):
        # These operations are never contracted to fma, which would round differently than the CPU does.
        return cuda.libdevice.dadd_rn(cuda.libdevice.dmul_rn(dx, dx), cuda.libdevice.dmul_rn(dy, dy))

    @device
    def _exact_root(dx, dy):
        return cuda.libdevice.dsqrt_rn(_exact_square(dx, dy))

    @device
    def exact_euc_2d(dx, dy):
        """Compute `scalar.euc_2d`, bit for bit."""
        return int32(_exact_root(dx, dy) + float64(0.5))

    @device
    def exact_ceil_2d(dx, dy):
        """Compute `scalar.ceil_2d`, bit for bit."""
        return int32(math.ceil(_exact_root(dx, dy)))

    @device
    def exact_att(dx, dy):
        """Compute `scalar.att`, sqrt(sum / 10) rounded up, in 64-bit arithmetic."""
        return int32(math.ceil(cuda.libdevice.dsqrt_rn(cuda.libdevice.ddiv_rn(_exact_square(dx, dy), float64(10.0)))))

    @device
    def as_bits(value):
        """Return a float32's bits as an int32."""
        return cuda.libdevice.float_as_int(value)

    @device
    def as_float(bits):
        """Return the float32 that has an int32's bits."""
        return cuda.libdevice.int_as_float(bits)

    @device
    def warp_min(value):
        """Return the minimum of a warp's values, int32, in all lanes."""
        for step in (16, 8, 4, 2, 1):
            value = min(value, cuda.shfl_xor_sync(0xFFFFFFFF, value, step))
        return value

    @intrinsic
    def load_read_only(typingctx, array, k):
        """Read ``array[k]`` of a flat int32 array, k uint32, through the read-only cache, like CUDA C++'s ``__ldg``."""

        def codegen(context, builder, signature, arguments):
            data = context.make_array(signature.args[0])(context, builder, value=arguments[0]).data
            address = builder.gep(data, [builder.zext(arguments[1], ir.IntType(64))])
            shape = ir.FunctionType(ir.IntType(32), [data.type])
            return builder.call(ir.InlineAsm(shape, "ld.global.nc.b32 $0, [$1];", "=r,l"), [address])

        return types.int32(array, types.uint32), codegen


def build_block_fold(combine):
    """Build a device function ``(parts, threads)`` that reduces a block's values in `parts`.

    `parts` is in shared memory, `threads` is a power of two; the result is written to the first entry.
    """
    combined = device(combine)

    @device
    def fold(parts, threads):
        t = uint32(cuda.threadIdx.x)
        cuda.syncthreads()
        half = uint32(threads // 2)
        while half > uint32(0):
            if t < half:
                parts[t] = combined(parts[t], parts[uint32(t + half)])
            cuda.syncthreads()
            half >>= uint32(1)

    return fold


block_sum, block_minimum = build_block_fold(lambda a, b: a + b), build_block_fold(lambda a, b: min(a, b))


#: Functions for the single-precision distance plus `BIAS`, by kind of distance, for variants of papers that use it.
SINGLE = {"EUC_2D": euc_2d, "CEIL_2D": ceil_2d}
#: Functions for the exact distance between coordinates, by kind of distance.
EXACT = {"EUC_2D": exact_euc_2d, "CEIL_2D": exact_ceil_2d, "ATT": exact_att}
