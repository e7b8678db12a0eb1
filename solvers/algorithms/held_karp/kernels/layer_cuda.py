"""Held-Karp layers on a GPU: one warp per set of outer cities, with the inner sets in its lanes.

Cities are numbered, sets ranked and rows laid out as in `layer_cpu`. A warp reads contiguous parts of a table: the rows
of a set, and sets in the order of their bits. Each row that it writes has 128 bytes or more.

For its current set, a warp stores one word per lane of each row in shared memory: first the rows of the low cities,
then the rows that the previous layer computed, then, for sets that contain the high city, that city's row. It also
stores the distances from each row's city to each target.
"""

from numba import uint32, uint64

from solvers.algorithms.held_karp.kernels.packed_cuda import LANES, WORDS
from solvers.algorithms.held_karp.kernels.packed_memory_cuda import put
from solvers.algorithms.held_karp.kernels.set_cuda import build_work
from solvers.algorithms.held_karp.kernels.workspace_cuda import (
    NOTHING,
    ONE,
    TWO,
    ZERO,
    Layer,
    Workspace,
    binomial,
    keep_best,
    next_set,
    unrank,
)
from solvers.kernels.coherent_cuda import all_blocks
from solvers.kernels.device_cuda import cuda, device
from solvers.kernels.shared_memory_cuda import shared_address

#: Maximum number of successive sets that a warp computes; to find the first of them takes as long as to compute one.
_MAX_RUN = 16


def build_layers(item: int, high: int, halves: bool, warps: int, split: bool):
    """Build a kernel for states of `item` bytes and `warps` warps per block, with or without a high city.

    See `packed_cuda.build_min_sum` for `halves`. If `split`, several GPUs store parts of each layer's table, and access
    each other's parts.

    The kernel's arguments:

    first_layer, last_layer : uint32
        The range of layers; several only if all blocks are resident at the same time.
    first, last : uint32
        For a single layer, the range of sets; in the last layer, of the sets with outer city 0.
    outer, inner : uint32
    layout : array, uint32
        See `solvers.algorithms.held_karp.part_cuda.compute_shared_layout`.
    distances, near : array, words
        See `Workspace`.
    binomials : array, uint32
    even, odd : array, words
        Tables of layers with an even and with an odd number of outer cities.
    bests : array, uint64
        For each layer and block, the length of the best path, and 2**32 set + 2**8 inner set + last city; `NOTHING` at
        first. Only a result that comes earlier in lexicographic order replaces it.
    arrived : array, int32 (1,)
    barriers : uint32
        Number of times that blocks have synchronised so far: in each earlier launch, once per layer except the last.
    parts : array, uint64
        See `Layer`; read only if `split`.
    """
    kind, states, work = WORDS[item].kind, WORDS[item].states, build_work(item, high, halves, split)

    @device
    def walk(workspace, layer, across, first, last, warp, all_warps):
        """Compute a warp's share of sets `first` to `last` - 1; return the best length and the path of that length."""
        best, which = uint64(NOTHING), uint64(NOTHING)
        fixed = ONE if layer.joins else ZERO
        run = min(uint32(_MAX_RUN), max(ONE, uint32(uint32(last - first) // uint32(all_warps * uint32(4)))))
        begin = uint64(first) + uint64(warp) * uint64(run)
        while begin < uint64(last):
            mask = unrank(workspace, uint32(layer.outer - fixed), uint32(layer.size - fixed), begin)
            remaining = min(run, uint32(uint64(last) - begin))
            while remaining > ZERO:
                best, which = work(workspace, layer, across, uint32(mask << fixed | fixed), best, which)
                mask, remaining = next_set(mask), uint32(remaining - ONE)
            begin += uint64(all_warps) * uint64(run)
        return best, which

    @cuda.jit
    def kernel(
        first_layer, last_layer, first, last, outer, inner, layout, distances, near, binomials, even, odd, bests,
        arrived, barriers, parts,
    ):  # fmt: skip
        words, longs, ints = cuda.shared.array(0, kind), cuda.shared.array(0, uint64), cuda.shared.array(0, uint32)
        thread = uint32(cuda.threadIdx.x)
        warp, lane = uint32(thread // uint32(LANES)), uint32(thread % uint32(LANES))
        workspace = Workspace(
            words, longs, ints, shared_address(words), lane, layout[0], layout[1], layout[2], layout[3],
            uint32(layout[4] + warp * layout[9]), uint32(layout[5] + warp * layout[9]),
            uint32(layout[6] + warp * layout[10]), uint32(layout[7] + warp * layout[10]),
            uint32(layout[8] + warp * layout[11]),
        )  # fmt: skip
        for k in range(thread, distances.size, warps * LANES):
            put(words, workspace.base, uint32(k), distances[k])
        for k in range(thread, near.size, warps * LANES):
            put(words, workspace.base, uint32(workspace.near + uint32(k)), near[k])
        for k in range(thread, binomials.size, warps * LANES):
            put(ints, workspace.base, uint32(workspace.binomials + uint32(k)), binomials[k])
        cuda.syncthreads()
        across = max(1, min(LANES, (1 << inner) // states))  # number of a group's words that contain states
        blocks = uint32(cuda.gridDim.x)
        ours = uint32(uint32(cuda.blockIdx.x) * uint32(warps) + warp)
        for layer in range(first_layer, last_layer + 1):
            size = uint32(layer)
            count, joins = uint32(outer - size), uint32(size + size) == outer
            fixed = ONE if joins else ZERO
            if first_layer != last_layer:
                first, last = ZERO, binomial(workspace, uint32(outer - fixed), uint32(size - fixed))
            table, target = (odd, even) if size % TWO else (even, odd)
            rows = max(size, ONE)
            at_work = Layer(table, target, size, outer, inner, rows, count, joins, parts)
            best, which = walk(workspace, at_work, uint32(across), first, last, ours, uint32(blocks * uint32(warps)))
            slot = uint32(uint32(size * blocks + uint32(cuda.blockIdx.x)) * TWO)
            keep_best(workspace, bests, slot, layout[11], warps, best, which)
            if layer < last_layer:
                all_blocks(arrived, uint32(barriers + uint32(layer - first_layer + 1)))

    return kernel
