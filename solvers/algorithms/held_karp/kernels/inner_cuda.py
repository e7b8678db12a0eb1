"""Held-Karp paths that end in a low city, on a GPU: computed from all other paths of their set."""

from numba import uint32

from solvers.algorithms.held_karp.kernels.packed_cuda import LANES, WORDS, build_min_sum, build_with_city
from solvers.algorithms.held_karp.kernels.packed_memory_cuda import FOUR, get, load_four, put
from solvers.algorithms.held_karp.kernels.workspace_cuda import EIGHT, ONE
from solvers.kernels.device_cuda import cuda, device


def build_close_low(item: int, halves: bool):
    """Build a device function ``(workspace, layer, rows)`` that computes the low cities' rows from `rows` other rows.

    It returns the minimum over all rows. See `simd_cpu.close_low`.
    """
    kind, low, _, unreached = WORDS[item]
    min_sum, with_city = build_min_sum(item, halves), build_with_city(item)
    first_row, lows, pairs = uint32(low), low, low * low

    @device
    def nearest(workspace, city, minimum):
        """Write the distances from a city to the low cities to `minimum`."""
        at = uint32(workspace.near + city * EIGHT)
        minimum[0], minimum[1], minimum[2], minimum[3] = load_four(workspace.words, workspace.base, at)
        for k in range(FOUR, lows):
            minimum[k] = get(workspace.words, workspace.base, uint32(at + uint32(k)))

    @device
    def close_low(workspace, layer, rows):
        paths, ends, extended = cuda.local.array(8, kind), cuda.local.array(8, kind), cuda.local.array(8, kind)
        between, lengths = cuda.local.array(8, kind), cuda.local.array(pairs, kind)
        smallest = kind(unreached)
        for k in range(lows):
            paths[k] = kind(unreached)
        at, row, end = (
            uint32(workspace.rows + uint32(lows * LANES) + workspace.lane),
            first_row,
            uint32(first_row + rows),
        )
        while row < end:
            word = get(workspace.words, workspace.base, at)
            nearest(workspace, get(workspace.ints, workspace.base, uint32(workspace.cities + row)), between)
            smallest = min_sum(smallest, word, kind(0))
            for k in range(lows):
                paths[k] = min_sum(paths[k], word, between[k])
            at, row = uint32(at + uint32(LANES)), uint32(row + ONE)
        for k in range(lows):
            ends[k] = with_city(paths[k], k, workspace.lane)
        for before in range(lows):
            nearest(workspace, uint32(layer.outer + uint32(before)), between)
            for k in range(lows):
                lengths[before * lows + k] = between[k]
        for _ in range(lows - 1):
            for k in range(lows):
                extended[k] = paths[k]
            for before in range(lows):
                for k in range(lows):
                    if k != before:
                        extended[k] = min_sum(extended[k], ends[before], lengths[before * lows + k])
            for k in range(lows):
                ends[k] = with_city(extended[k], k, workspace.lane)
        for k in range(lows):
            put(workspace.words, workspace.base, uint32(workspace.rows + uint32(k * LANES) + workspace.lane), ends[k])
            smallest = min_sum(smallest, ends[k], kind(0))
        return smallest

    return close_low
