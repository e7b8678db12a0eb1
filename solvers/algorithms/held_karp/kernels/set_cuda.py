"""A warp's work on one set of outer cities of Held-Karp."""

from numba import uint32, uint64

from solvers.algorithms.held_karp.kernels.extend_cuda import build_join, build_to_all
from solvers.algorithms.held_karp.kernels.inner_cuda import build_close_low
from solvers.algorithms.held_karp.kernels.packed_cuda import (
    LANES,
    WORDS,
    build_lane_reader,
    build_min_of_lanes,
    build_unpacked,
)
from solvers.algorithms.held_karp.kernels.packed_memory_cuda import (
    FOUR,
    copy,
    get,
    index_at,
    put,
    sync_warp,
    wait_for_copies,
)
from solvers.algorithms.held_karp.kernels.workspace_cuda import EIGHT, NOTHING, ONE, ZERO, build_list_cities, gather
from solvers.kernels.device_cuda import cuda, device


def _build_fetch(item: int, high: int):
    lows, breadth, word_bits = WORDS[item].low, LANES << high, 3 if item == 8 else 2

    @device
    def fetch(workspace, layer, own, group):
        """Start copying a set's rows for a group of inner sets; the rows begin at byte offset `own`."""
        first_word = index_at(own, word_bits) + uint64(group * LANES)
        at = uint32(workspace.rows + uint32(lows * LANES))
        part, parts = workspace.lane, uint32(layer.rows * EIGHT)
        while part < parts:
            k = uint32(part // EIGHT * uint32(breadth) + part % EIGHT * uint32(FOUR))
            copy(workspace.words, workspace.base, uint32(at + part * uint32(FOUR)), layer.table, first_word + uint64(k))
            part = uint32(part + uint32(LANES))

    return fetch


def _build_ends(item: int):
    """Build device functions that find a path's last city, and a joined path's inner set and target."""
    _, lows, states, _ = WORDS[item]
    first_row, unpacked, find_minimum = uint32(lows), build_unpacked(item), build_min_of_lanes(4)

    @device
    def last_city(workspace, layer, across, length):
        """Return the first city that ends a path of this length through all inner cities."""
        column = uint32(workspace.rows + across - ONE)
        for row in range(ONE if layer.size == ZERO else ZERO, layer.rows):
            at = uint32(first_row + uint32(row))
            word = get(workspace.words, workspace.base, uint32(column + at * uint32(LANES)))
            if unpacked(word, states - 1) == length:
                return get(workspace.ints, workspace.base, uint32(workspace.cities + at))
        for k in range(layer.inner):
            at = uint32(k) if k < lows else uint32(first_row + layer.rows)
            word = get(workspace.words, workspace.base, uint32(column + at * uint32(LANES)))
            if unpacked(word, states - 1) == length:
                return uint32(layer.outer + uint32(k))
        return ZERO

    @device
    def meeting_point(workspace, shortest, minimum, at):
        """Return the first of all lanes' shortest paths, as 2**8 * inner set + index of the target."""
        key = uint32(0xFFFFFFFF)
        for k in range(states):
            inside = uint32(uint32(at[k] >> EIGHT) << first_row | workspace.lane * uint32(states) + uint32(k))
            if minimum[k] == shortest:
                key = min(key, uint32(inside << EIGHT | at[k] & uint32(255)))
        return find_minimum(key)

    return last_city, meeting_point


def build_work(item: int, high: int, halves: bool, split: bool):
    """Build a device function ``(workspace, layer, across, mask, best, which)`` that computes one set.

    It returns the better of the set's best path and the given one. For each group of inner sets, it copies the set's
    rows to shared memory and computes the rows of the low cities from these (`build_close_low`). Then it extends all
    rows to the cities outside the set or, in the last layer, joins them with the paths through those cities.
    """
    kind, low, states, unreached = WORDS[item]
    word_bytes = 8 if item == 8 else 4
    groups, breadth, first_row = 1 << high, LANES << high, uint32(low)
    row_bytes, longest = breadth * word_bytes, NOTHING >> 8 * (8 - word_bytes)
    close_low, to_all = build_close_low(item, halves), build_to_all(item, high, halves)
    join, unpacked = build_join(item, high, halves), build_unpacked(item)
    find_minimum, word_from = build_min_of_lanes(item), build_lane_reader(item)
    fetch, (last_city, meeting_point), list_cities = (
        _build_fetch(item, high),
        _build_ends(item),
        build_list_cities(split),
    )

    @device
    def work(workspace, layer, across, mask, best, which):
        minimum, at = cuda.local.array(2, kind), cuda.local.array(2, uint32)
        for k in range(states):
            minimum[k], at[k] = kind(longest), ZERO
        own = list_cities(workspace, layer, mask, first_row, row_bytes)
        high_row = uint32(first_row + layer.rows)
        if workspace.lane < first_row:
            put(
                workspace.ints,
                workspace.base,
                uint32(workspace.cities + workspace.lane),
                uint32(layer.outer + workspace.lane),
            )
        if workspace.lane == ZERO:
            put(workspace.ints, workspace.base, uint32(workspace.cities + high_row), uint32(layer.outer + first_row))
            if layer.size == ZERO:
                put(workspace.ints, workspace.base, uint32(workspace.cities + first_row), uint32(workspace.side - ONE))
        ended, through = kind(unreached), kind(unreached)
        for group in range(groups):
            fetch(workspace, layer, own, group)
            if group:
                put(
                    workspace.words,
                    workspace.base,
                    uint32(workspace.rows + high_row * uint32(LANES) + workspace.lane),
                    ended,
                )
            else:
                sync_warp()
                gather(workspace, layer, uint32(high_row + uint32(high)), uint32(layer.outer + first_row))
            wait_for_copies()
            rows = uint32(layer.rows + uint32(group))
            through = close_low(
                workspace, layer, rows
            )  # until the next `sync_warp`, each lane reads only its own values
            rows = uint32(rows + first_row)
            if layer.joins:
                ended = join(workspace, layer, across, group, rows, minimum, at)
            else:
                ended = to_all(workspace, layer, group, rows)
            sync_warp()
        if layer.joins:
            shortest = find_minimum(min(minimum[0], minimum[states - 1]))
            if uint64(shortest) < best:
                key = meeting_point(workspace, shortest, minimum, at)
                city = get(workspace.ints, workspace.base, uint32(workspace.targets + (key & uint32(255))))
                ends = uint32(uint32(key & uint32(0xFFFFFF00)) | city)
                best, which = uint64(shortest), uint64(mask) << uint64(32) | uint64(ends)
        else:
            shortest = unpacked(word_from(through, uint32(across - ONE)), states - 1)
            if uint64(shortest) < best:
                inside = uint32(uint32(uint32(ONE << layer.inner) - ONE) << EIGHT)
                city = last_city(workspace, layer, across, shortest)
                best, which = uint64(shortest), uint64(mask) << uint64(32) | uint64(inside | city)
        sync_warp()
        return best, which

    return work
