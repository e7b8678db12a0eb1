"""Sums of rows and distances, and their minima, for 32 states in a CPU's vector registers.

The loops over lanes are written as LLVM vectors. Numba's own loops would not be vectorised: the compiler must assume
that rows overlap, so it would store each sum before it reads the next row.
"""

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

#: Number of states per vector, one for each set of low cities.
LANES = 32
LOW = 5
#: Number of sums that are computed while a row is in registers, for each number of bits per state: as many as fit.
_TILE = {16: 4, 32: 2, 64: 1}
_INDEX = ir.IntType(64)
_I32 = ir.IntType(32)


class _Lanes:
    """Operations on vectors of `bits`-bit unsigned integers, emitted by an IR builder."""

    def __init__(self, builder, bits: int) -> None:
        self.builder, self.bits = builder, bits
        self.type = ir.VectorType(ir.IntType(bits), LANES)
        #: Half of the maximum: it exceeds the length of every path, and can be added to itself.
        self.unreached = ir.Constant(self.type, [(1 << (bits - 1)) - 1] * LANES)

    def _place(self, pointer, at):
        return self.builder.bitcast(self.builder.gep(pointer, [at]), self.type.as_pointer())

    def load(self, pointer, at):
        return self.builder.load(self._place(pointer, at), align=self.bits // 8)

    def store(self, pointer, at, vector) -> None:
        self.builder.store(vector, self._place(pointer, at), align=self.bits // 8)

    def broadcast(self, number):
        """Return a vector with a number in every lane."""
        nothing = ir.Constant(self.type, ir.Undefined)
        one = self.builder.insert_element(nothing, number, _I32(0))
        return self.builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(_I32, LANES), [0] * LANES))

    def smaller(self, one, other):
        return self.builder.select(self.builder.icmp_unsigned("<", one, other), one, other)

    def min_sum(self, minimum, row, distance):
        return self.smaller(self.builder.add(row, distance), minimum)

    def with_city(self, vector, city: int):
        """Copy the states of sets without a low city to the sets with it; those without it become unreached."""
        without = [lane ^ (1 << city) if lane >> city & 1 else LANES for lane in range(LANES)]
        return self.builder.shuffle_vector(vector, self.unreached, ir.Constant(ir.VectorType(_I32, LANES), without))


def _data(context, builder, kind, array):
    return context.make_array(kind)(context, builder, array).data


@intrinsic
def min_sums(
    typing,
    distances,
    stride,
    cities,
    table,
    at,
    spacing,
    rows,
    inner,
    inner_at,
    inner_rows,
    targets,
    offsets,
    count,
    out,
):
    """For each target, compute the minimum over all rows of the row's states plus its city's distance to the target.

    A row has 32 states. There are `rows` rows in `table`, `spacing` states apart from index `at` on, and `inner_rows`
    rows in `inner`, contiguous from index `inner_at` on. The paths of row k end in ``cities[k]``; the minima for
    ``targets[c]`` are stored in `out` from index ``offsets[c]`` on. `targets` and `offsets` are read up to the next
    multiple of four.

    Parameters
    ----------
    distances : ndarray, shape (c * stride,), uint16, uint32 or uint64
        Distances to each target from all cities; distances and states are at most half of the dtype's maximum.
    stride, at, spacing, rows, inner_at, inner_rows, count : int64
    cities, targets, offsets : ndarray, int64
    table, inner, out : ndarray, of the dtype of `distances`
        All one-dimensional; `out` may be `inner` if no row is read where one is written.
    """
    signature = types.void(
        distances, stride, cities, table, at, spacing, rows, inner, inner_at, inner_rows, targets, offsets, count, out
    )

    def code(context, builder, signature, arguments):
        bits = signature.args[0].dtype.bitwidth
        lanes, tile = _Lanes(builder, bits), _TILE[bits]
        data = {k: _data(context, builder, signature.args[k], arguments[k]) for k in (0, 2, 3, 7, 10, 11, 13)}
        minima = [cgutils.alloca_once(builder, lanes.type) for _ in range(tile)]
        groups = builder.sdiv(builder.add(arguments[12], _INDEX(tile - 1)), _INDEX(tile))
        with cgutils.for_range(builder, groups, intp=_INDEX) as group:
            indices = [builder.add(builder.mul(group.index, _INDEX(tile)), _INDEX(k)) for k in range(tile)]
            paths = [
                builder.gep(data[0], [builder.mul(builder.load(builder.gep(data[10], [k])), arguments[1])])
                for k in indices
            ]
            for min_sum in minima:
                builder.store(lanes.unreached, min_sum)
            parts = (
                (data[3], arguments[4], arguments[5], arguments[6], _INDEX(0)),
                (data[7], arguments[8], _INDEX(LANES), arguments[9], arguments[6]),
            )
            for rows, at, spacing, number, first in parts:
                with cgutils.for_range(builder, number, intp=_INDEX) as row:
                    states = lanes.load(rows, builder.add(at, builder.mul(row.index, spacing)))
                    city = builder.load(builder.gep(data[2], [builder.add(row.index, first)]))
                    for path, min_sum in zip(paths, minima, strict=True):
                        distance = lanes.broadcast(builder.load(builder.gep(path, [city])))
                        builder.store(lanes.min_sum(builder.load(min_sum), states, distance), min_sum)
            for k, min_sum in zip(indices, minima, strict=True):
                lanes.store(data[13], builder.load(builder.gep(data[11], [k])), builder.load(min_sum))
        return context.get_dummy_value()

    return signature, code


@intrinsic
def close_low(typing, distances, paths, inner, at):
    """Compute the states that end in a low city, for all sets of low cities.

    Each round allows one more low city at the end of a path, so there are as many rounds as low cities.

    Parameters
    ----------
    distances : ndarray, shape (LOW * LOW * LANES,), uint16, uint32 or uint64
        Distances between the low cities, each in all lanes.
    paths : ndarray, shape (LOW * LANES,)
        For each low city and each set without it: the length of the shortest path through that set to the low city
        whose last but one city is not low.
    inner : ndarray
        Written in place: the rows of the low cities, contiguous from index `at` on.
    at : int64
    """
    signature = types.void(distances, paths, inner, at)

    def code(context, builder, signature, arguments):
        lanes = _Lanes(builder, signature.args[0].dtype.bitwidth)
        spacing, start, rows = (_data(context, builder, signature.args[k], arguments[k]) for k in range(3))
        first = [lanes.load(start, _INDEX(city * LANES)) for city in range(LOW)]
        ends = [lanes.with_city(way, city) for city, way in enumerate(first)]
        for _ in range(LOW - 1):
            sums = []
            for city, way in enumerate(first):
                minimum = way
                for before in range(LOW):
                    if before != city:
                        distance = lanes.load(spacing, _INDEX((before * LOW + city) * LANES))
                        minimum = lanes.min_sum(minimum, ends[before], distance)
                sums.append(lanes.with_city(minimum, city))
            ends = sums
        for city, end in enumerate(ends):
            lanes.store(rows, builder.add(arguments[3], _INDEX(city * LANES)), end)
        return context.get_dummy_value()

    return signature, code
