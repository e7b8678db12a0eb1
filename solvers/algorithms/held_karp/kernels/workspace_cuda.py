"""A warp's data about a set of outer cities: shared memory, cities, ranks and distances."""

from typing import Any, NamedTuple

from numba import int32, uint32, uint64

from solvers.algorithms.held_karp.kernels.packed_cuda import LANES, read_lane, sum_lanes
from solvers.algorithms.held_karp.kernels.packed_memory_cuda import get, put
from solvers.kernels.device_cuda import cuda, device

#: Greater than the length of every path.
NOTHING = 0xFFFFFFFFFFFFFFFF
ZERO, ONE, TWO, EIGHT = uint32(0), uint32(1), uint32(2), uint32(8)


class Workspace(NamedTuple):
    """A warp's shared memory, and the offsets of its arrays there, in elements.

    Attributes
    ----------
    words, longs, ints : array
        Shared memory as words, as 64-bit numbers, and as 32-bit numbers.
    base : uint32
        Address of the shared memory.
    lane : uint32
    side : uint32
        Number of cities in the distance matrix.
    near : uint32
        The block's distances from each city to the low cities and the high city, eight per city; the distances between
        all cities begin at offset 0.
    binomials, width : uint32
        The block's binomial coefficients, and the length of their rows.
    rows, paths : uint32
        The warp's rows, and the distances from their cities to the targets.
    cities, targets, offsets : uint32
        The cities of the warp's rows, its targets, and the places of the rows with each target added.
    """

    words: Any
    longs: Any
    ints: Any
    base: Any
    lane: Any
    side: Any
    near: Any
    binomials: Any
    width: Any
    rows: Any
    paths: Any
    cities: Any
    targets: Any
    offsets: Any


class Layer(NamedTuple):
    """The layer being computed.

    Attributes
    ----------
    table, target : array, words
        The rows of this layer, and of the next one.
    size, outer, inner : uint32
        Number of outer cities in a set, number of all outer and of all inner cities.
    rows, count : uint32
        Number of a set's rows, and of the outer cities outside it.
    joins : bool
        Whether this is the last layer.
    parts : array, uint64 (layers, ranges, 2)
        For each layer and range of sets, the first set, and how many bytes further on its rows are, in this GPU's
        addresses, than they would be in a table of the whole layer; see `part_offset`.
    """

    table: Any
    target: Any
    size: Any
    outer: Any
    inner: Any
    rows: Any
    count: Any
    joins: Any
    parts: Any


@device
def binomial(workspace, cities, size):
    """Return the number of ways to choose `size` out of `cities` cities."""
    return get(workspace.ints, workspace.base, uint32(workspace.binomials + cities * workspace.width + size))


@device
def unrank(workspace, cities, size, index):
    """Return the set at `index` among the sets of `size` out of `cities` cities, as a bit mask."""
    mask, left, k, city = uint32(0), uint32(index), uint32(size), uint32(cities)
    while k > ZERO:
        city = uint32(city - ONE)
        before = binomial(workspace, city, k)
        if left >= before:
            left, k, mask = uint32(left - before), uint32(k - ONE), uint32(mask | ONE << city)
    return mask


@device
def next_set(mask):
    """Return the next set of the same size in the order of bits (R. W. Gosper; Knuth, section 7.1.3, formula 87)."""
    minimum = uint32(mask & uint32(uint32(~mask) + ONE))
    ripple = uint32(mask + minimum)
    return uint32(ripple | uint32(uint32(ripple ^ mask) >> uint32(uint32(cuda.ffs(int32(minimum))) + ONE)))


@device
def part_offset(parts, size, rank):
    """Return the byte offset from a set's row to its row on the GPU that stores it.

    Numbers wrap around: the table of another GPU may lie at a lower address.
    """
    beyond = parts[size, 0, 1]
    for k in range(1, parts.shape[1]):
        beyond = parts[size, k, 1] if uint64(rank) >= parts[size, k, 0] else beyond
    return beyond


def build_list_cities(split: bool):
    """Build a device function that lists a set's outer cities, the other outer cities, and the places of rows.

    It is called as ``(workspace, layer, mask, first, row_bytes)``. It stores the places of the rows of the sets with
    one more city or, in the last layer, of the complement's rows, and returns the place of the set's own rows. A place
    is an offset in bytes in this GPU's table. If the layers are `split` among several GPUs, it may lie outside, in
    another GPU's table.
    """

    @device
    def list_cities(workspace, layer, mask, first, row_bytes):
        lane, size = workspace.lane, layer.size
        bit = uint32(ONE << lane)
        member, here = (mask & bit) != ZERO, lane < layer.outer
        below = uint32(cuda.popc(uint32(mask & uint32(bit - ONE))))
        beyond = uint32(lane - below)
        before = binomial(workspace, lane, uint32(below + ONE)) if here else ZERO
        moved = binomial(workspace, lane, uint32(below + TWO)) if member else ZERO
        without = binomial(workspace, lane, uint32(beyond + ONE)) if layer.joins and here and not member else ZERO
        rank, rest = sum_lanes(before if member else ZERO), sum_lanes(without)
        # Greater members move up by one; this is the part of the move that lanes up to this one count.
        saved = uint32(before - moved) if member else ZERO
        for k in range(5):
            step = uint32(ONE << uint32(k))
            other = read_lane(saved, uint32(uint32(lane - step) & uint32(LANES - 1)))
            saved = uint32(saved + other) if lane >= step else saved
        shifted = uint32(uint32(sum_lanes(moved) + saved) + before)
        if member:
            put(workspace.ints, workspace.base, uint32(workspace.cities + first + below), lane)
        elif here:
            put(workspace.ints, workspace.base, uint32(workspace.targets + beyond), lane)
            row = uint64(shifted) * uint64(size + ONE) + uint64(below)
            if layer.joins:
                row = uint64(rest) * uint64(size) + uint64(beyond)
            base = row * uint64(row_bytes)
            if split:
                base += part_offset(layer.parts, size if layer.joins else size + ONE, rest if layer.joins else shifted)
            put(workspace.longs, workspace.base, uint32(workspace.offsets + beyond), base)
        own = uint64(rank) * uint64(uint32(size * uint32(row_bytes)))
        return own + part_offset(layer.parts, size, rank) if split else own

    return list_cities


@device
def gather(workspace, layer, rows, city):
    """Store the distances from the cities of `rows` rows to all targets, and then to `city`."""
    # Process two rows at a time if half of the lanes are enough for all targets.
    half = layer.count < uint32(LANES // 2)
    column = uint32(workspace.lane % uint32(LANES // 2)) if half else workspace.lane
    target = city
    if column < layer.count:
        target = get(workspace.ints, workspace.base, uint32(workspace.targets + column))
    row, step = (uint32(workspace.lane // uint32(LANES // 2)), TWO) if half else (ZERO, ONE)
    while row < rows:
        begin = get(workspace.ints, workspace.base, uint32(workspace.cities + row))
        way = get(workspace.words, workspace.base, uint32(begin * workspace.side + target))
        put(workspace.words, workspace.base, uint32(workspace.paths + row * uint32(LANES) + column), way)
        row = uint32(row + step)


@device
def keep_best(workspace, bests, slot, spacing, warps, best, which):
    """Merge the best results of a block's warps, stored `spacing` elements apart, into the block's best so far."""
    if workspace.lane == ZERO:
        put(workspace.longs, workspace.base, workspace.offsets, best)
        put(workspace.longs, workspace.base, uint32(workspace.offsets + ONE), which)
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        best, which = bests[slot], bests[slot + ONE]
        for warp in range(warps):
            at = uint32(workspace.offsets + uint32(warp) * spacing)
            other, its = (
                get(workspace.longs, workspace.base, at),
                get(workspace.longs, workspace.base, uint32(at + ONE)),
            )
            if other < best or (other == best and its < which):
                best, which = other, its
        bests[slot], bests[slot + ONE] = best, which
    cuda.syncthreads()
