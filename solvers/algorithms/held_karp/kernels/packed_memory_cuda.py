"""Access to words of states in shared memory and in tables, with other versions for Numba's simulator.

A word has 32 or 64 bits. Functions take an array in shared memory together with its address, which is computed only
once (`shared_memory_cuda.shared_address`).
"""

from numba import int64, uint32, uint64

from solvers.kernels.device_cuda import SIMULATED, cuda, device

#: Number of words that one instruction reads.
FOUR = 4


@device
def index_at(base, word_bits):
    """Return the index of the word at a byte offset, possibly before the table; a word has ``2**word_bits`` bytes."""
    return uint64(int64(base) >> int64(word_bits))


if SIMULATED:

    @device
    def get(words, base, at):
        """Read the word at index `at` of an array in shared memory at address `base`."""
        return words[at]

    @device
    def put(words, base, at, value):
        """Write a word to index `at` of an array in shared memory at address `base`."""
        words[at] = value

    @device
    def load_four(words, base, at):
        """Read four successive words; `at` is a multiple of four."""
        return words[at], words[at + 1], words[at + 2], words[at + 3]

    @device
    def copy(words, base, at, table, k):
        """Start copying four words, 16 or 32 bytes, from index `k` of a table to index `at`; see `wait_for_copies`."""
        for word in range(4):
            words[at + word] = table[k + word]

    @device
    def load_fresh(table, k):
        """Read ``table[k]``, k uint64, such that other blocks' writes are visible."""
        return table[k]

    @device
    def find_lane(table, k):
        """Return the address of ``table[k]``."""
        return k

    @device
    def write(table, where, beyond, value):
        """Write a word `beyond` bytes past an address from `find_lane`."""
        table[uint64(where) + uint64(beyond) // uint64(table.dtype.itemsize)] = value

    @device
    def sync_warp():
        """Wait for the warp's other lanes, and make their writes visible."""
        cuda.syncthreads()

    @device
    def wait_for_copies():
        """Wait until all copies that the lanes have started are complete."""
        cuda.syncthreads()

else:
    from llvmlite import ir
    from numba import types
    from numba.cuda.extending import intrinsic

    from solvers.kernels.warp_cuda import sync_warp

    _PLACE = ir.IntType(32)

    def _at(builder, array, base, at):
        """Return the address of a word in shared memory, and its size in bits."""
        bits = array.dtype.bitwidth
        return builder.add(base, builder.mul(at, _PLACE(bits // 8))), bits

    def _letter(bits: int) -> str:
        return {32: "r", 64: "l"}[bits]

    @intrinsic
    def _get(typingctx, words, base, at):
        def codegen(context, builder, signature, arguments):
            address, bits = _at(builder, signature.args[0], *arguments[1:])
            shape = ir.FunctionType(ir.IntType(bits), [_PLACE])
            text, constraints = f"ld.shared.u{bits} $0, [$1];", f"={_letter(bits)},r,~{{memory}}"
            return builder.call(ir.InlineAsm(shape, text, constraints, side_effect=True), [address])

        return words.dtype(words, types.uint32, types.uint32), codegen

    @intrinsic
    def _put(typingctx, words, base, at, value):
        def codegen(context, builder, signature, arguments):
            address, bits = _at(builder, signature.args[0], *arguments[1:3])
            shape = ir.FunctionType(ir.VoidType(), [_PLACE, ir.IntType(bits)])
            text, constraints = f"st.shared.u{bits} [$0], $1;", f"r,{_letter(bits)},~{{memory}}"
            builder.call(ir.InlineAsm(shape, text, constraints, side_effect=True), [address, arguments[3]])
            return context.get_dummy_value()

        return types.none(words, types.uint32, types.uint32, words.dtype), codegen

    @intrinsic
    def _get_four(typingctx, words, base, at):
        def codegen(context, builder, signature, arguments):
            address, bits = _at(builder, signature.args[0], *arguments[1:])
            word, letter = ir.IntType(bits), _letter(bits)
            if bits == 32:
                text = "ld.shared.v4.u32 {$0, $1, $2, $3}, [$4];"
            else:
                text = "ld.shared.v2.u64 {$0, $1}, [$4]; ld.shared.v2.u64 {$2, $3}, [$4+16];"
            shape = ir.FunctionType(ir.LiteralStructType([word] * 4), [_PLACE])
            constraints = f"={letter},={letter},={letter},={letter},r,~{{memory}}"
            result = builder.call(ir.InlineAsm(shape, text, constraints, side_effect=True), [address])
            return context.make_tuple(
                builder, signature.return_type, [builder.extract_value(result, k) for k in range(4)]
            )

        return types.UniTuple(words.dtype, 4)(words, types.uint32, types.uint32), codegen

    @intrinsic
    def _copy(typingctx, words, base, at, table, k):
        def codegen(context, builder, signature, arguments):
            address, bits = _at(builder, signature.args[0], *arguments[1:3])
            data = context.make_array(signature.args[3])(context, builder, value=arguments[3]).data
            source = builder.ptrtoint(builder.gep(data, [arguments[4]]), ir.IntType(64))
            parts = bits // 32
            text = " ".join(f"cp.async.cg.shared.global [$0+{16 * j}], [$1+{16 * j}], 16;" for j in range(parts))
            shape = ir.FunctionType(ir.VoidType(), [_PLACE, ir.IntType(64)])
            builder.call(ir.InlineAsm(shape, text, "r,l,~{memory}", side_effect=True), [address, source])
            return context.get_dummy_value()

        return types.none(words, types.uint32, types.uint32, table, types.uint64), codegen

    @intrinsic
    def _fresh(typingctx, table, k):
        def codegen(context, builder, signature, arguments):
            bits = signature.args[0].dtype.bitwidth
            data = context.make_array(signature.args[0])(context, builder, value=arguments[0]).data
            source = builder.ptrtoint(builder.gep(data, [arguments[1]]), ir.IntType(64))
            shape = ir.FunctionType(ir.IntType(bits), [ir.IntType(64)])
            text, constraints = f"ld.global.cg.u{bits} $0, [$1];", f"={_letter(bits)},l,~{{memory}}"
            return builder.call(ir.InlineAsm(shape, text, constraints, side_effect=True), [source])

        return table.dtype(table, types.uint64), codegen

    @intrinsic
    def _element_address(typingctx, table, k):
        def codegen(context, builder, signature, arguments):
            data = context.make_array(signature.args[0])(context, builder, value=arguments[0]).data
            base = builder.gep(data, [builder.zext(arguments[1], ir.IntType(64))])
            return builder.ptrtoint(base, ir.IntType(64))

        return types.uint64(table, types.uint32), codegen

    @intrinsic
    def _write(typingctx, table, where, beyond, value):
        def codegen(context, builder, signature, arguments):
            bits = signature.args[0].dtype.bitwidth
            shape = ir.FunctionType(ir.VoidType(), [ir.IntType(64), ir.IntType(bits)])
            text, constraints = f"st.global.u{bits} [$0], $1;", f"l,{_letter(bits)},~{{memory}}"
            address = builder.add(arguments[1], arguments[2])
            builder.call(ir.InlineAsm(shape, text, constraints, side_effect=True), [address, arguments[3]])
            return context.get_dummy_value()

        return types.none(table, types.uint64, types.uint64, table.dtype), codegen

    @intrinsic
    def _all_copied(typingctx):
        def codegen(context, builder, signature, arguments):
            shape = ir.FunctionType(ir.VoidType(), [])
            builder.call(ir.InlineAsm(shape, "cp.async.wait_all;", "~{memory}", side_effect=True), [])
            return context.get_dummy_value()

        return types.none(), codegen

    @device
    def get(words, base, at):
        """Read the word at index `at` of an array in shared memory at address `base`."""
        return _get(words, base, uint32(at))  # type: ignore[call-arg]

    @device
    def put(words, base, at, value):
        """Write a word to index `at` of an array in shared memory at address `base`."""
        _put(words, base, uint32(at), value)  # type: ignore[call-arg]

    @device
    def load_four(words, base, at):
        """Read four successive words; `at` is a multiple of four."""
        return _get_four(words, base, uint32(at))  # type: ignore[call-arg]

    @device
    def copy(words, base, at, table, k):
        """Start copying four words, 16 or 32 bytes, from index `k` of a table to index `at`; see `wait_for_copies`.

        The copy bypasses the L1 cache, so that writes of other blocks are visible.
        """
        _copy(words, base, uint32(at), table, uint64(k))  # type: ignore[call-arg]

    @device
    def load_fresh(table, k):
        """Read ``table[k]``, k uint64, such that other blocks' writes are visible."""
        return _fresh(table, uint64(k))  # type: ignore[call-arg]

    @device
    def find_lane(table, k):
        """Return the address of ``table[k]``."""
        return _element_address(table, uint32(k))  # type: ignore[call-arg]

    @device
    def write(table, where, beyond, value):
        """Write a word `beyond` bytes past an address from `find_lane`."""
        _write(table, where, beyond, value)  # type: ignore[call-arg]

    @device
    def wait_for_copies():
        """Wait until all copies that the lanes have started are complete."""
        _all_copied()  # type: ignore[call-arg]
        sync_warp()
