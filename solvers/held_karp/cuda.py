"""Held-Karp's layers on a CUDA device: their tables, and the kernel launches that fill them.

Imports Numba: for use inside `solve()`, with a GPU or Numba's CUDA simulator.
"""

from collections.abc import Generator
from functools import cache
from itertools import accumulate
from math import comb
from typing import Any

import numpy as np
from numba import cuda
from numba.cuda.cudadrv.driver import CudaAPIError

from solvers.errors import DeviceUnavailable, InstanceTooLarge
from solvers.gpu.calibration import HELD_KARP_WARPS, LAUNCH_SUMS, SHARED_LAUNCH_SUMS
from solvers.gpu.limits import Limits, blocks_at_once, compile_kernel, give_memory_back
from solvers.held_karp.cpu import layered
from solvers.held_karp.kernels.layer_cuda import layers
from solvers.held_karp.kernels.packed_cuda import LANES, WORDS
from solvers.held_karp.kernels.workspace_cuda import NOTHING
from solvers.held_karp.layers import Ends, LayerProgress
from solvers.held_karp.plan import UNREACHED, Plan, size_in_words
from solvers.kernels.device_cuda import SIMULATED

#: Warps per block.
_WARPS = 1 if SIMULATED else HELD_KARP_WARPS
#: Compute capability from which one instruction compares both halves of a word.
_HALVES = (9, 0)
#: Distances per city to the low cities and the high one, as the kernel stores them.
_NEAR = 8
#: Alignment of the arrays in shared memory, in bytes.
_ALIGNED = 16


class CudaLayers:
    """See `solvers.held_karp.layers.LayerTable`.

    Parameters
    ----------
    plan : Plan
    distances : ndarray, shape (n, n), int32
        Symmetric, not negative.

    Raises
    ------
    DeviceUnavailable
        If a block does not fit the device.
    InstanceTooLarge
        If the tables do not fit into the GPU's memory.
    """

    def __init__(self, plan: Plan, distances: np.ndarray) -> None:
        words = WORDS[plan.item]
        high, limits = max(0, plan.inner - words.low), Limits.of_device()
        self._plan, self._kind = plan, np.uint64 if plan.item == 8 else np.uint32
        self._breadth = LANES << high
        #: Maximum sums of a launch, and of one that computes several layers.
        self.piece, self.few = LAUNCH_SUMS * limits.multiprocessors, SHARED_LAUNCH_SUMS * limits.multiprocessors
        between, near = self._between(distances, words.low)
        choose = np.array([[comb(n, k) for k in range(plan.layers + 1)] for n in range(plan.outer + 1)], np.uint32)
        layout, self._shared = shared_layout(plan, high, between, near, choose, _WARPS)
        options = (plan.item, high, SIMULATED or cuda.get_current_device().compute_capability >= _HALVES, _WARPS)
        self._kernel: Any = kernel_of(*options)
        self._blocks = self._block_count(limits, options)
        self._arguments: tuple[Any, ...] = ()
        if not self._try_upload(layout, between, near, choose):
            self._free()
            needed = size_in_words(plan.most_bytes)
            raise InstanceTooLarge(
                f"{plan.n} cities need {needed} of the GPU's memory, which something else has taken."
            )
        self._work = self._all()

    def advance(self) -> LayerProgress:
        """See `solvers.held_karp.layers.LayerTable.advance`."""
        return next(self._work)

    def close(self) -> None:
        """See `solvers.held_karp.layers.LayerTable.close`."""
        self._work.close()
        self._free()

    def _free(self) -> None:
        self._arguments = ()
        give_memory_back()

    def _try_upload(self, *numbers: np.ndarray) -> bool:
        """Upload, and return whether there was enough memory.

        A `CudaAPIError` is not passed on: while it is handled, it references what was already allocated.
        """
        try:
            self._upload(*numbers)
        except CudaAPIError:
            return False
        return True

    def _upload(self, layout: np.ndarray, *numbers: np.ndarray) -> None:
        """Allocate the GPU's memory, and launch the kernel once, which loads it."""
        self._stream = cuda.stream()
        tables = [cuda.device_array(rows * self._breadth, self._kind) for rows in self._plan.table_rows]
        tables[0][: self._breadth].copy_to_device(self._first_row())
        self._bests = cuda.to_device(np.full(self._plan.layers * self._blocks * 2, NOTHING, np.uint64))
        self._found = cuda.pinned_array(self._bests.size, np.uint64)
        arrived, self._barriers = cuda.to_device(np.zeros(1, np.int32)), 0
        flat = [cuda.to_device(array.reshape(-1)) for array in (layout, *numbers)]
        counts = np.uint32(self._plan.outer), np.uint32(self._plan.inner)
        self._arguments = (*counts, *flat, *tables, self._bests, arrived)
        self._launch(0, 0, 0, 0)  # no sets
        self._stream.synchronize()

    def _between(self, distances: np.ndarray, low: int) -> tuple[np.ndarray, np.ndarray]:
        """Distances as words: between all cities, and from each city to the low cities and the high one."""
        plan = self._plan
        between = layered(plan, distances, self._kind, low)
        near = np.full((len(between), _NEAR), UNREACHED[plan.item], self._kind)
        near[:, : plan.inner] = between[:, plan.outer : plan.outer + plan.inner]
        return (between | between << 16, near | near << 16) if plan.item == 2 else (between, near)

    def _first_row(self) -> np.ndarray:
        """The only row of the layer without outer cities: the path that has not left the first city."""
        row = np.full(self._breadth, WORDS[self._plan.item].unreached, self._kind)
        row[0] = WORDS[self._plan.item].unreached >> 16 << 16 if self._plan.item == 2 else 0
        return row

    def _block_count(self, limits: Limits, options: tuple) -> int:
        """Blocks of every launch: as many as the device runs at once, at most one for every `_WARPS` sets."""
        if SIMULATED:
            return 1
        registers = self._register_count(options)
        if registers * _WARPS * LANES > limits.registers or self._shared + 2048 > limits.shared_per_block:
            raise DeviceUnavailable("held-karp needs more of a multiprocessor than this device has; take another.")
        most = max(map(self._plan.visited, range(self._plan.layers)))
        at_once = limits.multiprocessors * blocks_at_once(self._shared, _WARPS * LANES, registers, limits)
        return max(1, min(at_once, -(-most // _WARPS)))

    def _register_count(self, options: tuple) -> int:
        """Compile or load the kernel, and return its registers per thread."""
        from solvers.gpu.kernel_cache import cache_kernel

        cache_kernel(self._kernel, (f"{layers.__module__}:{layers.__name__}", *options))
        number, (layout, words, longs, turns) = (
            np.uint32(0),
            (np.zeros(0, kind) for kind in (np.uint32, self._kind, np.uint64, np.int32)),
        )
        arguments = (*[number] * 6, layout, words, words, layout, words, words, longs, turns, number)
        return compile_kernel(self._kernel, tuple(map(self._kernel.typeof_pyval, arguments)), self._shared)

    def _all(self) -> Generator[LayerProgress, None, None]:
        """Compute several layers per launch while they are small, then one layer in several launches."""
        plan, layer = self._plan, 0
        while layer < plan.layers:
            sums = accumulate(map(plan.transitions, range(layer, plan.layers)))
            together = max(1, sum(done <= self.few for done in sums))
            if together == 1:
                yield from self._pieces(layer)
            else:
                self._launch(layer, layer + together - 1, 0, 0)
            yield from self._progress(layer, layer + together)
            layer += together

    def _pieces(self, layer: int) -> Generator[LayerProgress, None, None]:
        """Compute one layer, in launches of about `piece` sums."""
        sets = self._plan.visited(layer)
        pieces = max(1, -(-self._plan.transitions(layer) // self.piece))
        for piece in range(pieces):
            self._launch(layer, layer, sets * piece // pieces, sets * (piece + 1) // pieces)
            self._stream.synchronize()
            if piece + 1 < pieces:
                yield LayerProgress(layer, (piece + 1) / pieces, None)

    def _launch(self, *which: int) -> None:
        """Launch the kernel on the stream: first and last layer, and for a single layer the range of its sets."""
        where = self._blocks, _WARPS * LANES, self._stream, self._shared
        barriers = np.uint32(self._barriers)
        self._kernel[where](*map(np.uint32, which), *self._arguments, barriers)
        self._barriers += which[1] - which[0]

    def _progress(self, first: int, last: int) -> Generator[LayerProgress, None, None]:
        """Report finished layers, and the best path or tour of each."""
        self._bests.copy_to_host(self._found, self._stream)
        self._stream.synchronize()
        for layer in range(first, last):
            lengths, ends = self._found.reshape(self._plan.layers, self._blocks, 2)[layer].T
            least = lengths.min()
            which = int(ends[lengths == least].min())
            yield LayerProgress(layer, 1.0, Ends(int(least), which >> 32, which >> 8 & 0xFFFFFF, which & 0xFF))


@cache
def kernel_of(item: int, high: int, halves: bool, warps: int) -> Any:
    """The kernel of `solvers.held_karp.kernels.layer_cuda.layers`, made once in a process: even to load a compiled one
    takes many times longer than the layers of 20 cities."""
    return layers(item, high, halves, warps)


def shared_layout(
    plan: Plan, high: int, between: np.ndarray, near: np.ndarray, choose: np.ndarray, warps: int
) -> tuple[np.ndarray, int]:
    """The layout of a block's shared memory, (12,) uint32, and its size in bytes.

    In the order of `solvers.held_karp.kernels.workspace_cuda.Workspace`: side, near, choose, width, rows, ways, cities,
    targets, places, with offsets in elements of each array; then the size of a warp's part, in words, in numbers of 32
    bits and in numbers of 64 bits.
    """
    item, low = between.itemsize, WORDS[plan.item].low
    rows = [max(1, layer) + low + high for layer in range(plan.layers)]
    of_rows = max(rows) * LANES * item
    sizes = (between.nbytes, near.nbytes, choose.nbytes, of_rows, of_rows, 4 * LANES, 4 * LANES, 8 * LANES)
    *at, end = accumulate((-(-size // _ALIGNED) * _ALIGNED for size in sizes), initial=0)
    _, near_at, choose_at, *own = at
    part = end - own[0]
    counted = [near_at // item, choose_at // 4, choose.shape[1]]
    counted += [place // kind for place, kind in zip(own, (item, item, 4, 4, 8), strict=True)]
    layout = [len(between), *counted, part // item, part // 4, part // 8]
    return np.array(layout, np.uint32), own[0] + warps * part
