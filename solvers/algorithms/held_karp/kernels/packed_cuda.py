"""Held-Karp states packed into words across a warp: exchange, sums and minima, with other versions for the simulator.

A word has 32 or 64 bits and contains one state, or two of 16 bits. The states of all sets of low cities fill a warp's
words, one word per lane. In the simulator a warp is a block of 32 threads, which exchange words through a shared array.
"""

from typing import Any, NamedTuple

from numba import int32, int64, uint32, uint64

from solvers.kernels.device_cuda import SIMULATED, cuda, device

#: Lanes of a warp, in the simulator as well.
LANES = 32
_ALL = 0xFFFFFFFF


class Words(NamedTuple):
    """How states are packed into words.

    Attributes
    ----------
    kind : numba type
        Type of a word.
    low : int
        Number of low cities; their sets correspond to the states in a warp's words.
    states : int
        Number of states per word.
    unreached : int
        A word whose states exceed the length of every path.
    """

    kind: Any
    low: int
    states: int
    unreached: int


#: The kind of word for each number of bytes per state.
WORDS = {
    2: Words(uint32, 6, 2, 0x7FFE7FFE),
    4: Words(uint32, 5, 1, 0x7FFFFFFE),
    8: Words(uint64, 5, 1, 0x7FFFFFFFFFFFFFFE),
}

if SIMULATED:

    def _gather_words(value):
        """Return all lanes' words, in the simulator."""
        words = cuda.shared.array(LANES, uint64)
        words[cuda.threadIdx.x] = value
        cuda.syncthreads()
        minimum = [type(value)(word) for word in words]
        cuda.syncthreads()
        return minimum

    @device
    def read_lane(value, lane):
        """Return another lane's 32-bit number; all lanes must call this."""
        return _gather_words(value)[lane]

    _read_long_lane = read_lane

    @device
    def sum_lanes(value):
        """Return the sum of the warp's values modulo 2**32, uint32, in all lanes."""
        return uint32(sum(map(int, _gather_words(value))) & _ALL)

    @device
    def _lanes_min(value):
        return min(_gather_words(value))

else:
    from llvmlite import ir
    from numba import types
    from numba.cuda.extending import intrinsic

    from solvers.kernels.warp_cuda import broadcast_word, warp_min_unsigned

    _WORD = ir.IntType(32)

    @intrinsic
    def _lanes_sum(typingctx, value):
        def codegen(context, builder, signature, arguments):
            text = "redux.sync.add.u32 $0, $1, 0xffffffff;"
            assembly = ir.InlineAsm(ir.FunctionType(_WORD, [_WORD]), text, "=r,r", side_effect=True)
            # All lanes must execute this together, so the compiler must not copy it into divergent branches.
            return builder.call(assembly, arguments, attrs=("convergent",))

        return types.uint32(types.uint32), codegen

    def _build_half_sums(text: str):
        """Build an intrinsic ``(minimum, row, distance)`` that lowers each half of `minimum` to the sum."""

        @intrinsic
        def min_sums(typingctx, minimum, row, distance):
            def codegen(context, builder, signature, arguments):
                shape = ir.FunctionType(_WORD, [_WORD] * 3)
                return builder.call(ir.InlineAsm(shape, text, "=r,r,r,r"), arguments)

            return types.uint32(types.uint32, types.uint32, types.uint32), codegen

        return min_sums

    _halves = _build_half_sums("{ .reg .b32 t; add.u16x2 t, $2, $3; min.u16x2 $0, $1, t; }")
    # Each half contains at most half of its maximum, so no sum carries into the other half. The smaller word has the
    # smaller upper half.
    _halves_apart = _build_half_sums(
        "{ .reg .b32 t, h, l, g; add.u32 t, $2, $3; min.u32 h, $1, t; and.b32 l, $1, 0xffff; and.b32 g, t, 0xffff; "
        "min.u32 l, l, g; prmt.b32 $0, l, h, 0x7610; }"
    )

    @device
    def read_lane(value, lane):
        """Return another lane's 32-bit number; all lanes must call this."""
        return broadcast_word(value, int32(lane))

    @device
    def _read_long_lane(value, lane):
        return uint64(cuda.shfl_sync(_ALL, int64(value), int32(lane)))

    @device
    def sum_lanes(value):
        """Return the sum of the warp's values modulo 2**32, uint32, in all lanes."""
        return _lanes_sum(uint32(value))  # type: ignore[call-arg]


def build_lane_reader(item: int):
    """Build a device function ``(word, lane)`` that returns another lane's word; all lanes must call it."""
    return _read_long_lane if item == 8 else read_lane


def build_min_of_lanes(item: int):
    """Build a device function that returns the warp's minimum in all lanes, for words with one 16-bit state."""
    if SIMULATED:
        return _lanes_min
    if item < 8:
        return warp_min_unsigned

    @device
    def smallest(value):
        for step in (16, 8, 4, 2, 1):
            value = min(value, uint64(cuda.shfl_xor_sync(_ALL, int64(value), step)))
        return value

    return smallest


def build_min_sum(item: int, halves: bool):
    """Build a device function ``(minimum, row, distance)`` that lowers each state of `minimum` to row + distance.

    `halves` says whether one instruction can compare both halves of a word, as from compute capability 9.0 on.
    """
    kind = WORDS[item].kind
    if item != 2:

        @device
        def min_sum(minimum, row, distance):
            return min(minimum, kind(row + distance))

    elif SIMULATED:

        @device
        def min_sum(minimum, row, distance):
            lows = [(int(word) & 0xFFFF, int(word) >> 16) for word in (minimum, row, distance)]
            (f, g), (r, s), (d, e) = lows
            return uint32(min(f, r + d & 0xFFFF) | min(g, s + e & 0xFFFF) << 16)

    else:
        of_halves = _halves if halves else _halves_apart

        @device
        def min_sum(minimum, row, distance):
            return of_halves(minimum, row, distance)  # type: ignore[call-arg]

    return min_sum


def build_with_city(item: int):
    """Build a device function ``(word, city, lane)`` that copies states of sets without a low city to those with it.

    The states of sets without the city become unreached. All lanes must call it.
    """
    kind, _, states, unreached = WORDS[item]
    lowest, within = (0x7FFE, 1) if states == 2 else (0, 0)
    row = build_lane_reader(item)

    @device
    def with_city(word, city, lane):
        if states == 2 and city == 0:
            return uint32(uint32(word << uint32(16)) | uint32(lowest))
        bit = uint32(uint32(1) << uint32(city - within))
        other = row(word, uint32(lane ^ bit))
        return other if lane & bit else kind(unreached)

    return with_city


def build_unpacked(item: int):
    """Build a device function ``(word, k)`` that returns a word's k-th state as a word of its own."""
    if item != 2:

        @device
        def unpacked(word, k):
            return word

    else:

        @device
        def unpacked(word, k):
            return uint32(uint32(word >> uint32(16 * k)) & uint32(0xFFFF))

    return unpacked
