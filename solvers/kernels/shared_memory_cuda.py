"""Access to shared memory by an address in a register, with versions for the simulator.

The compiler computes the address of an array in shared memory again wherever that seems cheap, from a special register
that takes longer to read than the memory itself. Where every step of a loop would wait for such a read, the address is
computed once and stored.
"""

from numba import float32, uint8, uint32

from solvers.kernels.device_cuda import SIMULATED, as_float, device

if SIMULATED:

    @device
    def shared_address(array):
        """Return the address of an array in shared memory."""
        return uint32(0)

    @device
    def load_byte(array, at):
        """Read the byte at an address of a uint8 array as uint32."""
        return uint32(array[at])

    @device
    def load_half(array, at):
        """Read the 16 bits at an address of a uint16 array as uint32."""
        return uint32(array[at >> 1])

    @device
    def load_float(array, at):
        """Read the number at an address of a float32 array."""
        return array[at >> 2]

    @device
    def mark_byte(array, at):
        """Write 1 to an address of a uint8 array; several lanes may do so at once."""
        array[at] = uint8(1)

else:
    from llvmlite import ir
    from numba import types
    from numba.cuda.extending import intrinsic

    from solvers.kernels.warp_cuda import broadcast_word

    _WORD = ir.IntType(32)

    def _build_instruction(text: str, constraints: str, outputs: bool):
        """Build an intrinsic ``(array, at)`` for one instruction on the address `at`."""

        @intrinsic
        def run(typingctx, array, at):
            def codegen(context, builder, signature, arguments):
                shape = ir.FunctionType(_WORD if outputs else ir.VoidType(), [_WORD])
                value = builder.call(ir.InlineAsm(shape, text, constraints, side_effect=True), [arguments[1]])
                return value if outputs else context.get_dummy_value()

            return (types.uint32 if outputs else types.none)(array, types.uint32), codegen

        return run

    @intrinsic
    def _address(typingctx, array):
        def codegen(context, builder, signature, arguments):
            data = context.make_array(signature.args[0])(context, builder, value=arguments[0]).data
            long = ir.IntType(64)
            assembly = ir.InlineAsm(ir.FunctionType(long, [long]), "cvta.to.shared.u64 $0, $1;", "=l,l")
            return builder.trunc(builder.call(assembly, [builder.ptrtoint(data, long)]), _WORD)

        return types.uint32(array), codegen

    _byte = _build_instruction("ld.shared.u8 $0, [$1];", "=r,r,~{memory}", True)
    _half = _build_instruction("{ .reg .u16 h; ld.shared.u16 h, [$1]; cvt.u32.u16 $0, h; }", "=r,r,~{memory}", True)
    _word = _build_instruction("ld.shared.u32 $0, [$1];", "=r,r,~{memory}", True)
    _mark = _build_instruction("{ .reg .u32 one; mov.u32 one, 1; st.shared.u8 [$0], one; }", "r,~{memory}", False)

    @device
    def shared_address(array):
        """Return a shared array's address, uint32; an exchange between lanes hides its origin from the compiler."""
        return broadcast_word(_address(array), uint32(0))  # type: ignore[call-arg]

    @device
    def load_byte(array, at):
        """Read the byte at an address of a uint8 array as uint32."""
        return _byte(array, uint32(at))

    @device
    def load_half(array, at):
        """Read the 16 bits at an address of a uint16 array as uint32."""
        return _half(array, uint32(at))

    @device
    def load_float(array, at):
        """Read the number at an address of a float32 array."""
        return float32(as_float(_word(array, uint32(at))))

    @device
    def mark_byte(array, at):
        """Write 1 to an address of a uint8 array; several lanes may do so at once."""
        _mark(array, uint32(at))
