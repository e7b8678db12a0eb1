"""One GPU's share of Held-Karp's layers: its part of both tables, and its kernel launches.

Imports Numba: for use inside `solve()`, with a GPU or Numba's CUDA simulator.
"""

from collections.abc import Sequence
from functools import cache
from itertools import accumulate, combinations
from math import comb
from typing import Any

import numpy as np
from numba import cuda

from solvers.algorithms.held_karp.cpu import reorder_distances
from solvers.algorithms.held_karp.division import Division
from solvers.algorithms.held_karp.kernels.layer_cuda import build_layers
from solvers.algorithms.held_karp.kernels.packed_cuda import LANES, WORDS
from solvers.algorithms.held_karp.kernels.workspace_cuda import NOTHING
from solvers.algorithms.held_karp.plan import UNREACHED, Plan
from solvers.core.errors import DeviceUnavailable
from solvers.gpu.calibration import HELD_KARP_WARPS
from solvers.gpu.kernel_cache import cache_kernel
from solvers.gpu.launch import on_gpu
from solvers.gpu.limits import Limits, compile_kernel, count_resident_blocks, free_unused_memory
from solvers.kernels.device_cuda import SIMULATED

#: Number of warps per block.
_WARPS = 1 if SIMULATED else HELD_KARP_WARPS
#: First compute capability with an instruction that compares both halves of a word.
_HALVES = (9, 0)
#: Number of distances that the kernel stores for each city, to the low cities and the high city.
_NEAR = 8
#: Alignment of the arrays in shared memory, in bytes.
_ALIGNED = 16
#: Number of launch marks that can be pending at a time.
MARKS = 3


class CudaPart:
    """One GPU's share of the layers: some sets of each layer, and their rows.

    Parameters
    ----------
    division : Division
        How the layers are divided among the GPUs.
    distances : ndarray, shape (n, n), int32
    part : int
        Index of the part.
    device : int
        The GPU's number.

    Attributes
    ----------
    device : int
    limits : Limits
    tables : list of array
        Rows of the layers with an even and with an odd number of outer cities; set by `allocate`.

    Raises
    ------
    DeviceUnavailable
        If a block does not fit onto the device.
    """

    def __init__(self, division: Division, distances: np.ndarray, part: int, device: int) -> None:
        plan = division.plan
        self._plan, self._division, self._part, self.device = plan, division, part, device
        words = WORDS[plan.item]
        high = max(0, plan.inner_count - words.low)
        self._kind, self._breadth = np.uint64 if plan.item == 8 else np.uint32, LANES << high
        binomials = np.array(
            [[comb(n, k) for k in range(plan.layers + 1)] for n in range(plan.outer_count + 1)], np.uint32
        )
        between, near = self._between(distances, words.low)
        layout, self._shared = compute_shared_layout(plan, high, between, near, binomials, _WARPS)
        self._numbers = layout, between, near, binomials
        with self.current():
            self.limits = Limits.from_device()
            halves = SIMULATED or cuda.get_current_device().compute_capability >= _HALVES
            options = (plan.item, high, halves, _WARPS, division.parts > 1)
            self._kernel: Any = build_kernel(*options)
            self._blocks = self._block_count(options)
        self._arguments: tuple[Any, ...] = ()
        self.tables: list[Any] = []
        self._stream: Any = None

    def current(self) -> Any:
        """Return a context in which this GPU is current."""
        return on_gpu(self.device)

    @property
    def table_words(self) -> list[int]:
        """Sizes of this GPU's two tables, in words."""
        plan, maximum = self._plan, [1, 1]
        for layer in range(plan.layers):
            maximum[layer % 2] = max(maximum[layer % 2], max(1, layer) * self._division.sets(layer, self._part))
        return [rows * self._breadth for rows in maximum]

    def allocate(self) -> None:
        """Allocate this GPU's tables."""
        with self.current():
            self.tables = [cuda.device_array(words, self._kind) for words in self.table_words]

    def upload(self, offsets: Sequence[Sequence[int]]) -> None:
        """Upload all data, and load the kernel by launching it once.

        Parameters
        ----------
        offsets : sequence of (int, int)
            Addresses in bytes of each part's tables.
        """
        plan, at = self._plan, self._part
        with self.current():
            self._stream = cuda.stream()
            if self._division.sets(0, at):
                begin = 0 if not SIMULATED else (offsets[at][0] - offsets[0][0]) // self._kind(0).itemsize
                self.tables[0][begin : begin + self._breadth].copy_to_device(self._first_row())
            self._bests = cuda.to_device(np.full(plan.layers * self._blocks * 2, NOTHING, np.uint64))
            self._found = cuda.pinned_array(self._bests.size, np.uint64)
            self._marks = [cuda.event() for _ in range(MARKS)]
            arrived, self._barriers = cuda.to_device(np.zeros(1, np.int32)), 0
            flat = [cuda.to_device(array.reshape(-1)) for array in self._numbers]
            counts = np.uint32(plan.outer_count), np.uint32(plan.inner_count)
            self._arguments = (*counts, *flat, *self.tables, self._bests, arrived)
            self._split = cuda.to_device(self._split_table(offsets))
            self.launch(0, 0, 0, 0)  # a launch without sets
            self._stream.synchronize()

    def launch(self, *which: int) -> None:
        """Launch the kernel for a range of layers; for a single layer, also give the range of its sets."""
        launch_shape = self._blocks, _WARPS * LANES, self._stream, self._shared
        with self.current():
            self._kernel[launch_shape](*map(np.uint32, which), *self._arguments, np.uint32(self._barriers), self._split)
        self._barriers += which[1] - which[0]

    def read(self, first: int, last: int) -> None:
        """After all launches so far, copy the best results of layers `first` to `last` - 1 to the host."""
        begin, end = (2 * self._blocks * layer for layer in (first, last))
        with self.current():
            self._bests[begin:end].copy_to_host(self._found[begin:end], self._stream)

    def mark(self, k: int) -> None:
        """Set mark `k` of `MARKS` after all launches so far."""
        with self.current():
            self._marks[k].record(self._stream)

    def follow(self, other: "CudaPart", k: int) -> None:
        """Make later launches wait on the GPU for mark `k` of another part."""
        with self.current():
            other._marks[k].wait(self._stream)

    def wait(self, k: int) -> None:
        """Wait for mark `k`."""
        with self.current():
            self._marks[k].synchronize()

    def bests(self, layer: int) -> np.ndarray:
        """Return each block's best length and that path's ends in a layer, (blocks, 2) uint64; call after `read`."""
        return self._found.reshape(self._plan.layers, self._blocks, 2)[layer]

    def finish(self) -> None:
        """Wait for all launches."""
        if self._stream is not None:
            with self.current():
                self._stream.synchronize()

    def free(self) -> None:
        """Free all memory of this part, once all parts have finished."""
        with self.current():
            self._arguments, self.tables, self._stream = (), [], None
            self._bests = self._found = self._split = None
            self._marks = []
            free_unused_memory()

    def _split_table(self, offsets: Sequence[Sequence[int]]) -> np.ndarray:
        """See `solvers.algorithms.held_karp.kernels.workspace_cuda.Layer.parts`."""
        plan, own = self._plan, offsets[self._part]
        table = np.zeros((plan.layers, len(self._division.stored_ranges(0)), 2), np.uint64)
        for layer in range(plan.layers):
            row_bytes = max(1, layer) * self._breadth * self._kind(0).itemsize
            for k, sets in enumerate(self._division.stored_ranges(layer)):
                base = offsets[0] if SIMULATED else own
                beyond = offsets[sets.part][layer % 2] - base[layer % 2] + (sets.before - sets.first) * row_bytes
                table[layer, k] = sets.first, beyond % (1 << 64)
        return table

    def _between(self, distances: np.ndarray, low: int) -> tuple[np.ndarray, np.ndarray]:
        """Return, as words, all distances, and each city's distances to the low cities and the high city."""
        plan = self._plan
        between = reorder_distances(plan, distances, self._kind, low)
        near = np.full((len(between), _NEAR), UNREACHED[plan.item], self._kind)
        near[:, : plan.inner_count] = between[:, plan.outer_count : plan.outer_count + plan.inner_count]
        return (between | between << 16, near | near << 16) if plan.item == 2 else (between, near)

    def _first_row(self) -> np.ndarray:
        """Return the only row of the layer without outer cities, whose path is the first city alone."""
        row = np.full(self._breadth, WORDS[self._plan.item].unreached, self._kind)
        row[0] = WORDS[self._plan.item].unreached >> 16 << 16 if self._plan.item == 2 else 0
        return row

    def _block_count(self, options: tuple) -> int:
        """Return the number of blocks per launch: as many as can be resident, but at most one per `_WARPS` sets."""
        if SIMULATED:
            return 1
        limits, registers = self.limits, self._register_count(options)
        if registers * _WARPS * LANES > limits.registers or self._shared + 2048 > limits.shared_per_block:
            raise DeviceUnavailable("held-karp needs more of a multiprocessor than this device has; use another.")
        maximum = max(map(self._plan.count_outer_sets, range(self._plan.layers)))
        at_once = limits.multiprocessors * count_resident_blocks(self._shared, _WARPS * LANES, registers, limits)
        return max(1, min(at_once, -(-maximum // _WARPS)))

    def _register_count(self, options: tuple) -> int:
        """Compile or load the kernel, and return its registers per thread."""
        cache_kernel(self._kernel, (f"{build_layers.__module__}:{build_layers.__name__}", *options))
        number, (layout, words, longs, turns) = (
            np.uint32(0),
            (np.zeros(0, kind) for kind in (np.uint32, self._kind, np.uint64, np.int32)),
        )
        parts = np.zeros((1, 1, 2), np.uint64)
        arguments = (*[number] * 6, layout, words, words, layout, words, words, longs, turns, number, parts)
        return compile_kernel(self._kernel, tuple(map(self._kernel.typeof_pyval, arguments)), self._shared)


def list_addresses(parts: Sequence[CudaPart]) -> list[tuple[int, int]]:
    """Return the addresses of each part's tables.

    A GPU reaches another's memory by its address (CUDA C++ Programming Guide, "Unified Virtual Address Space"). In the
    simulator, all parts share two tables, and addresses are offsets in these.
    """
    if not SIMULATED:
        return [tuple(table.device_ctypes_pointer.value for table in part.tables) for part in parts]
    words = np.array([part.table_words for part in parts])
    begins = np.vstack(([0, 0], words.cumsum(axis=0)))
    tables = [cuda.device_array(int(size), parts[0].tables[0].dtype) for size in begins[-1]]
    for part in parts:
        part.tables = tables
    return [tuple(int(at) * tables[0].dtype.itemsize for at in begin) for begin in begins[:-1]]


def enable_peer_access(devices: Sequence[int]) -> None:
    """Enable peer access between these GPUs.

    Raises
    ------
    DeviceUnavailable
        If a GPU cannot access another's memory.
    """
    if SIMULATED:
        return
    from cuda.bindings import driver

    enabled = driver.CUresult.CUDA_SUCCESS, driver.CUresult.CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED
    for pair in combinations(sorted(set(devices)), 2):
        for one, other in (pair, pair[::-1]):
            with cuda.gpus[other]:
                handle = cuda.current_context().handle
            with cuda.gpus[one]:
                answer, able = driver.cuDeviceCanAccessPeer(one, other)
                if int(answer) or not able or driver.cuCtxEnablePeerAccess(handle, 0)[0] not in enabled:
                    raise DeviceUnavailable(
                        "These GPUs cannot reach each other's memory, which held-karp on several needs: use one."
                    )


@cache
def build_kernel(item: int, high: int, halves: bool, warps: int, split: bool) -> Any:
    """Build the kernel of `solvers.algorithms.held_karp.kernels.layer_cuda.build_layers`, once per process.

    Even loading a compiled kernel takes many times longer than the layers of 20 cities.
    """
    return build_layers(item, high, halves, warps, split)


def compute_shared_layout(
    plan: Plan, high: int, between: np.ndarray, near: np.ndarray, binomials: np.ndarray, warps: int
) -> tuple[np.ndarray, int]:
    """Return the layout of a block's shared memory, (12,) uint32, and its size in bytes.

    The order is that of `solvers.algorithms.held_karp.kernels.workspace_cuda.Workspace`: side, near, binomials, width,
    rows, paths, cities, targets, offsets. Offsets are counted in elements of their array. Then follows the size of a
    warp's part, in words, in numbers of 32 bits and in numbers of 64 bits.
    """
    item, low = between.itemsize, WORDS[plan.item].low
    rows = [max(1, layer) + low + high for layer in range(plan.layers)]
    of_rows = max(rows) * LANES * item
    sizes = (between.nbytes, near.nbytes, binomials.nbytes, of_rows, of_rows, 4 * LANES, 4 * LANES, 8 * LANES)
    *at, end = accumulate((-(-size // _ALIGNED) * _ALIGNED for size in sizes), initial=0)
    _, near_at, choose_at, *own = at
    part = end - own[0]
    counted = [near_at // item, choose_at // 4, binomials.shape[1]]
    counted += [offset // kind for offset, kind in zip(own, (item, item, 4, 4, 8), strict=True)]
    layout = [len(between), *counted, part // item, part // 4, part // 8]
    return np.array(layout, np.uint32), own[0] + warps * part
