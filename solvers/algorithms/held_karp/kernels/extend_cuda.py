"""Held-Karp paths on a GPU: extends them to cities outside a set, or joins them with paths from the other end."""

from numba import uint32, uint64

from solvers.algorithms.held_karp.kernels.packed_cuda import LANES, WORDS, build_min_sum, build_unpacked
from solvers.algorithms.held_karp.kernels.packed_memory_cuda import (
    FOUR,
    find_lane,
    get,
    index_at,
    load_four,
    load_fresh,
    write,
)
from solvers.algorithms.held_karp.kernels.workspace_cuda import EIGHT, ONE, ZERO
from solvers.kernels.device_cuda import cuda, device

#: Maximum number of targets whose sums are computed while a word of a row is in a register.
_MAX_TARGETS = 16


def _build_sums(item: int, halves: bool, width: int):
    """Build a device function that computes `width` targets' minimum sums of rows and distances."""
    kind, _, _, unreached = WORDS[item]
    min_sum = build_min_sum(item, halves)

    @device
    def min_sums(workspace, target, rows, minimum):
        for k in range(width):
            minimum[k] = kind(unreached)
        at, way = uint32(workspace.rows + workspace.lane), uint32(workspace.paths + target)
        end = uint32(at + rows * uint32(LANES))
        while at != end:
            word = get(workspace.words, workspace.base, at)
            for k in range(0, width, FOUR):
                a, b, c, d = load_four(workspace.words, workspace.base, uint32(way + uint32(k)))
                minimum[k], minimum[k + 1] = min_sum(minimum[k], word, a), min_sum(minimum[k + 1], word, b)
                minimum[k + 2], minimum[k + 3] = min_sum(minimum[k + 2], word, c), min_sum(minimum[k + 3], word, d)
            at, way = uint32(at + uint32(LANES)), uint32(way + uint32(LANES))

    return min_sums


def _build_onward(item: int, halves: bool, width: int):
    """Build a device function that extends paths to `width` targets.

    It returns the sums of target ``layer.count``, the high city, if that is among them; otherwise `ended`.
    """
    kind, sums = WORDS[item].kind, _build_sums(item, halves, width)

    @device
    def onward(workspace, layer, where, target, rows, ended):
        minimum = cuda.local.array(width, kind)
        sums(workspace, target, rows, minimum)
        for k in range(width):
            number = uint32(target + uint32(k))
            if number < layer.count:
                base = get(workspace.longs, workspace.base, uint32(workspace.offsets + number))
                write(layer.target, where, base, minimum[k])
            ended = minimum[k] if number == layer.count else ended
        return ended

    return onward


def build_to_all(item: int, high: int, halves: bool):
    """Build a device function that extends the paths of a group of inner sets to all targets.

    It is called as ``(workspace, layer, group, rows)`` and returns the high city's row.
    """
    kind, unreached = WORDS[item].kind, WORDS[item].unreached
    onward_4, onward_8, onward_12, onward_16 = (
        _build_onward(item, halves, width) for width in range(FOUR, _MAX_TARGETS + 1, FOUR)
    )

    @device
    def to_all(workspace, layer, group, rows):
        where, ended = find_lane(layer.target, uint32(uint32(group * LANES) + workspace.lane)), kind(unreached)
        target, count = ZERO, uint32(layer.count + ONE) if high and group == 0 else layer.count
        while target < count:
            left = uint32(count - target)
            if left > uint32(12):
                ended = onward_16(workspace, layer, where, target, rows, ended)
            elif left > uint32(8):
                ended = onward_12(workspace, layer, where, target, rows, ended)
            elif left > uint32(4):
                ended = onward_8(workspace, layer, where, target, rows, ended)
            else:
                ended = onward_4(workspace, layer, where, target, rows, ended)
            target = uint32(target + uint32(_MAX_TARGETS))
        return ended

    return to_all


def build_join(item: int, high: int, halves: bool):
    """Build a device function that extends paths to all targets and joins them with paths from the other end.

    It is called as ``(workspace, layer, across, group, rows, smallest, at)``, stores each lane's shortest result in
    `smallest` and `at`, and returns the high city's row.
    """
    kind, _, states, unreached = WORDS[item]
    groups, eight, word_bits = 1 << high, 2 * FOUR, 3 if item == 8 else 2
    sums, unpacked = _build_sums(item, halves, eight), build_unpacked(item)

    @device
    def join(workspace, layer, across, group, rows, smallest, at):
        minimum, ended = cuda.local.array(eight, kind), kind(unreached)
        lane = uint32(uint32((groups - 1 - group) * LANES) + across - ONE - workspace.lane)
        for target in range(0, uint32(layer.count + uint32(high)), eight):
            sums(workspace, uint32(target), rows, minimum)
            for k in range(eight):
                number = uint32(uint32(target) + uint32(k))
                ended = minimum[k] if number == layer.count else ended
                if number < layer.count and workspace.lane < across:
                    base = get(workspace.longs, workspace.base, uint32(workspace.offsets + number))
                    other = load_fresh(layer.table, index_at(base, word_bits) + uint64(lane))
                    for j in range(states):
                        length = kind(unpacked(minimum[k], j) + unpacked(other, states - 1 - j))
                        if length < smallest[j]:
                            smallest[j], at[j] = length, uint32(uint32(group) << EIGHT | number)
        return ended

    return join
