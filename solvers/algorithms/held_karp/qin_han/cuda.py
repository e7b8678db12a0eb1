"""Qin and Han's Held-Karp (2022) on a GPU, section 2.1: one table, and one launch per layer.

Imports Numba: for use inside `solve()`, with a GPU or Numba's CUDA simulator.
"""

from collections.abc import Generator
from functools import cache
from itertools import accumulate, takewhile
from math import comb
from typing import Any

import numpy as np
from numba import cuda
from numba.cuda.cudadrv.driver import CudaAPIError

from solvers.algorithms.held_karp.layers import LayerProgress, Path
from solvers.algorithms.held_karp.plan import UNREACHED, format_bytes
from solvers.algorithms.held_karp.qin_han.kernels.batch_cuda import CHOOSE, ROOT, THREADS, build_batch
from solvers.algorithms.held_karp.qin_han.kernels.route_cuda import CITIES, build_route
from solvers.algorithms.held_karp.qin_han.kernels.states import ROW
from solvers.algorithms.held_karp.qin_han.plan import QinHanPlan
from solvers.core.errors import InstanceTooLarge
from solvers.gpu.calibration import QIN_HAN_SUMS
from solvers.gpu.kernel_cache import cache_kernel
from solvers.gpu.limits import Limits, compile_kernel, free_unused_memory
from solvers.kernels.device_cuda import SIMULATED

#: Maximum number of sets per launch: the maximum number of blocks in the second dimension of a grid.
_MAX_SETS = 65_535 * THREADS
_NOTHING = np.iinfo(np.uint64).max


class QinHanCudaLayers:
    """Qin and Han's layers on a GPU; see `solvers.algorithms.held_karp.layers.LayerTable`.

    Parameters
    ----------
    plan : QinHanPlan
    distances : ndarray, shape (n, n), int32
        Symmetric distances, not negative.
    piece : int
        Maximum number of sums launched without waiting; 0 for about 10 ms of work.

    Attributes
    ----------
    stream : numba.cuda Stream

    Raises
    ------
    InstanceTooLarge
        If the table does not fit into the GPU's memory.
    """

    def __init__(self, plan: QinHanPlan, distances: np.ndarray, piece: int = 0) -> None:
        self._plan = plan
        self._piece = piece or QIN_HAN_SUMS * Limits.from_device().multiprocessors
        self._arguments: tuple[Any, ...] = ()
        self._graph: Any = None
        if not self._try_upload(kernel_constants(plan, distances)):
            self._free()
            needed = format_bytes(plan.peak_bytes)
            raise InstanceTooLarge(
                f"{plan.n} cities need {needed} of the GPU's memory, which something else has taken."
            )
        self._batch, self._route = self._load_kernels()
        self._joint_layers = self._first_layers()
        self._prepare()
        self._work = self._compute_all()

    def advance(self) -> LayerProgress:
        """See `solvers.algorithms.held_karp.layers.LayerTable.advance`."""
        return next(self._work)

    def close(self) -> None:
        """See `solvers.algorithms.held_karp.layers.LayerTable.close`."""
        self._work.close()
        self._free()

    def _free(self) -> None:
        if self._graph is not None:
            self._graph.close()
            self._graph = None
        self._arguments = ()
        free_unused_memory()

    def _try_upload(self, numbers: np.ndarray) -> bool:
        """Upload all data; return whether there was enough memory; as in `held_karp.cuda.CudaLayers`."""
        try:
            self.stream = cuda.stream()
            table = cuda.device_array(self._plan.outer_count * self._plan.stride, np.uint32)
            bests = cuda.to_device(np.full(self._plan.n, _NOTHING, np.uint64))
            self._paths = cuda.to_device(np.zeros(self._plan.n * (self._plan.n + 1), np.int64))
            self._read = cuda.pinned_array(self._paths.size, np.int64)
            self._arguments = (np.uint32(self._plan.outer_count), cuda.to_device(numbers), table, bests)
        except CudaAPIError:
            return False
        return True

    def _load_kernels(self) -> tuple[Any, Any]:
        """Compile or load both kernels, and return them."""
        factories = _factories()
        for kernel, factory in zip(factories, (build_batch, build_route), strict=True):
            cache_kernel(kernel, (f"{factory.__module__}:{factory.__name__}",))
        if not SIMULATED:
            number, paths = np.uint32(0), self._paths
            arguments = (*(number,) * 3, *self._arguments), (number, *self._arguments, paths)
            for kernel, argument in zip(factories, arguments, strict=True):
                compile_kernel(kernel, tuple(map(kernel.typeof_pyval, argument)), 0)
        return factories

    def _first_layers(self) -> int:
        """Return how many of the first layers are small enough to be launched together."""
        sums = accumulate(map(self._plan.transitions, range(self._plan.layers)))
        small = takewhile(
            lambda each: each[1] <= self._piece and self._plan.sets(each[0]) <= _MAX_SETS, enumerate(sums)
        )
        return max(1, sum(1 for _ in small))

    def _prepare(self) -> None:
        """Load both kernels by launching them without work, and capture the launches of the first layers."""
        self._launch(0, 0, 0)
        self._launch_route(0, 0)
        self.stream.synchronize()
        if not SIMULATED:
            from solvers.gpu.graph import Graph

            self._graph = Graph(self.stream, self._launch_first)

    def launch_first(self) -> None:
        """Launch the first layers in turn, as in section 2.1.1, then the kernel that reads their paths."""
        if self._graph is None:
            self._launch_first()
        else:
            self._graph.replay()

    def _launch_first(self) -> None:
        for layer in range(self._joint_layers):
            self._launch(layer, 0, self._plan.sets(layer))
        self._launch_route(0, self._joint_layers)

    def _launch(self, layer: int, first: int, last: int) -> None:
        """Launch sets `first` to `last` - 1 of a layer, or `build_route` for the last layer."""
        if layer < self._plan.outer_count:
            grid = self._plan.outer_count, max(1, -(-(last - first) // THREADS))
            self._batch[grid, THREADS, self.stream](*map(np.uint32, (layer, first, last)), *self._arguments)

    def _launch_route(self, first: int, count: int) -> None:
        self._route[max(1, count), CITIES, self.stream](np.uint32(first), *self._arguments, self._paths)

    def _compute_all(self) -> Generator[LayerProgress, None, None]:
        """Compute the first layers together, then one layer after another."""
        self.launch_first()
        yield from self._report_progress(0, self._joint_layers)
        for layer in range(self._joint_layers, self._plan.layers):
            yield from self._compute_in_pieces(layer)
            self._launch_route(layer, 1)
            yield from self._report_progress(layer, layer + 1)

    def _compute_in_pieces(self, layer: int) -> Generator[LayerProgress, None, None]:
        """Compute a layer in launches of at most `piece` sums."""
        sets = self._plan.sets(layer)
        pieces = max(-(-self._plan.transitions(layer) // self._piece), -(-sets // _MAX_SETS))
        for piece in range(pieces):
            self._launch(layer, sets * piece // pieces, sets * (piece + 1) // pieces)
            self.stream.synchronize()
            if piece + 1 < pieces:
                yield LayerProgress(layer, (piece + 1) / pieces, None)

    def _report_progress(self, first: int, last: int) -> Generator[LayerProgress, None, None]:
        """Report finished layers, each with the path of its minimum state."""
        self._paths.copy_to_host(self._read, self.stream)
        self.stream.synchronize()
        rows = self._read.reshape(self._plan.n, -1)
        for layer in range(first, last):
            length, *cities = rows[layer, : layer + 2].tolist()
            yield LayerProgress(layer, 1.0, Path(length, (0, *cities[::-1])[: self._plan.n]))


@cache
def _factories() -> tuple[Any, Any]:
    """Build both kernels once per process, since even loading compiled ones takes milliseconds."""
    return build_batch(), build_route()


def kernel_constants(plan: QinHanPlan, distances: np.ndarray) -> np.ndarray:
    """Return the distances and binomial coefficients that the kernels read, (2048,) uint32; see `batch_cuda.CHOOSE`."""
    numbers = np.zeros((2 * CHOOSE // ROW, ROW), np.uint32)
    offsets = np.r_[ROOT, 0 : plan.outer_count]
    numbers[np.ix_(offsets, offsets)] = np.minimum(distances.astype(np.int64), UNREACHED[plan.item])
    numbers[ROW:] = [[min(comb(base, ones), (1 << 32) - 1) for base in range(ROW)] for ones in range(ROW)]
    return numbers.reshape(-1)
