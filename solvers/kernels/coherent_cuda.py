"""Reads that see other blocks' writes, compare-and-swap and a barrier of all blocks, with versions for the simulator.

A multiprocessor's L1 cache, which does not see other multiprocessors' writes, may serve a plain read. The L2 cache,
which all multiprocessors share, serves a relaxed read at device scope.
"""

from numba import float32, int32, uint32, uint64

from solvers.kernels.device_cuda import SIMULATED, as_bits, as_float, cuda, device

if SIMULATED:

    @device
    def load_relaxed_words(array, k):
        """Read the current ``array[k]`` of a flat uint64 array."""
        return array[k]

    @device
    def load_relaxed_int(array, k):
        """Read the current ``array[k]`` of a flat int32 array."""
        return array[k]

    @device
    def load_relaxed_float(array, k):
        """Read the current ``array[k]`` of a flat float32 array."""
        return array[k]

    @device
    def swap_float(array, k, old, new):
        """Atomically replace ``array[k]`` of a flat float32 array if it equals `old`; return the previous value."""
        return cuda.atomic.cas(array, k, old, new)

    @device
    def all_blocks(arrived, barrier):
        """Wait for all blocks; the simulator's grid has only one."""
        cuda.syncthreads()

else:
    from llvmlite import ir
    from numba import types
    from numba.cuda.extending import intrinsic

    def _address(builder, data):
        return builder.ptrtoint(data, ir.IntType(64))

    def _build_relaxed_read(bits: int, letter: str, result):
        """Build an intrinsic ``(array, k)`` that reads `bits` bits at device scope."""

        @intrinsic
        def read(typingctx, array, k):
            def codegen(context, builder, signature, arguments):
                data = context.make_array(signature.args[0])(context, builder, value=arguments[0]).data
                base = _address(builder, data)
                offset = builder.mul(builder.zext(arguments[1], ir.IntType(64)), ir.Constant(ir.IntType(64), bits // 8))
                text = f"ld.relaxed.gpu.global.b{bits} $0, [$1];"
                shape = ir.FunctionType(ir.IntType(bits), [ir.IntType(64)])
                assembly = ir.InlineAsm(shape, text, f"={letter},l", side_effect=True)
                return builder.call(assembly, [builder.add(base, offset)])

            return result(array, types.uint32), codegen

        return read

    @intrinsic
    def _swap(typingctx, array, k, old, new):
        """Write `new` if the bits at index k equal `old`, at device scope; return the previous bits."""

        def codegen(context, builder, signature, arguments):
            data = context.make_array(signature.args[0])(context, builder, value=arguments[0]).data
            long, word = ir.IntType(64), ir.IntType(32)
            offset = builder.mul(builder.zext(arguments[1], long), ir.Constant(long, 4))
            text = "atom.relaxed.gpu.global.cas.b32 $0, [$1], $2, $3;"
            shape = ir.FunctionType(word, [long, word, word])
            assembly = ir.InlineAsm(shape, text, "=r,l,r,r,~{memory}", side_effect=True)
            return builder.call(assembly, [builder.add(_address(builder, data), offset), *arguments[2:]])

        return types.int32(array, types.uint32, types.int32, types.int32), codegen

    @intrinsic
    def _arrive(typingctx, arrived):
        """Increment the count, after all writes that this thread has made or seen (release)."""

        def codegen(context, builder, signature, arguments):
            data = context.make_array(signature.args[0])(context, builder, value=arguments[0]).data
            text = "red.release.gpu.global.add.s32 [$0], 1;"
            shape = ir.FunctionType(ir.VoidType(), [ir.IntType(64)])
            builder.call(ir.InlineAsm(shape, text, "l,~{memory}", side_effect=True), [_address(builder, data)])
            return context.get_dummy_value()

        return types.none(arrived), codegen

    @intrinsic
    def _read_arrivals(typingctx, arrived):
        """Read the count, and make all writes before the counted arrivals visible (acquire)."""

        def codegen(context, builder, signature, arguments):
            data = context.make_array(signature.args[0])(context, builder, value=arguments[0]).data
            text = "ld.acquire.gpu.global.b32 $0, [$1];"
            shape = ir.FunctionType(ir.IntType(32), [ir.IntType(64)])
            assembly = ir.InlineAsm(shape, text, "=r,l,~{memory}", side_effect=True)
            return builder.call(assembly, [_address(builder, data)])

        return types.int32(arrived), codegen

    _b64, _b32 = _build_relaxed_read(64, "l", types.uint64), _build_relaxed_read(32, "r", types.int32)

    @device
    def load_relaxed_words(array, k):
        """Read the current ``array[k]`` of a flat uint64 array."""
        return uint64(_b64(array, uint32(k)))

    @device
    def load_relaxed_int(array, k):
        """Read the current ``array[k]`` of a flat int32 array."""
        return int32(_b32(array, uint32(k)))

    @device
    def load_relaxed_float(array, k):
        """Read the current ``array[k]`` of a flat float32 array."""
        return as_float(_b32(array, uint32(k)))

    @device
    def swap_float(array, k, old, new):
        """Atomically replace ``array[k]`` of a flat float32 array if it equals `old`; return the previous value."""
        return as_float(_swap(array, uint32(k), as_bits(old), as_bits(new)))  # type: ignore[call-arg]

    @device
    def all_blocks(arrived, barrier):
        """Wait for all blocks, and make their writes visible; all blocks must be resident at the same time.

        Parameters
        ----------
        arrived : array, int32 (1,)
            0 before the first barrier.
        barrier : uint32
            How many barriers have used `arrived`, including this one.
        """
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            _arrive(arrived)  # type: ignore[call-arg]
            target = int32(barrier * uint32(cuda.gridDim.x))
            while _read_arrivals(arrived) < target:
                pass
        cuda.syncthreads()


@device
def decay_excess(array, k, keep, minimum):
    """Atomically multiply the excess of ``array[k]`` over `minimum` by `keep`.

    The new value is computed from the old one, and written if the old one has not changed meanwhile; otherwise both
    steps are repeated. Y. Qin and D. Han, "Parallel TSP Solvers" (2022), section 2.2.4, ``atomicAxp``.
    """
    bits = load_relaxed_float(array, k)
    while True:
        old = bits
        bits = swap_float(array, k, old, float32(minimum + float32(float32(old - minimum) * keep)))
        if as_bits(bits) == as_bits(old):
            break
