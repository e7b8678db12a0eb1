"""2-opt climbs as array operations: the host loop over `solvers.algorithms.two_opt.kernels.array_cuda`.

Imports Numba: for use inside `solve()`.
"""

from collections.abc import Generator
from time import perf_counter
from typing import Any

import numpy as np
from numba import cuda

from data.instance import Instance
from solvers.algorithms.two_opt.batch_cuda import LaunchResult
from solvers.algorithms.two_opt.kernels import array_cuda as ops
from solvers.algorithms.two_opt.layout_cuda import check, flat_matrix
from solvers.algorithms.two_opt.variant import TwoOptVariant
from solvers.core.errors import InstanceTooLarge
from solvers.gpu.calibration import ARRAY_CLIMBERS, LAUNCH_SECONDS
from solvers.gpu.limits import Limits

#: Maximum number of changes in length that an array holds (2 GB).
_CHANGES = 1 << 28


class ArrayClimbs:
    """All climbers of a run on one GPU, several hundred at a time; parameters and errors are those of `Climbs`."""

    def __init__(
        self, instance: Instance, variant: TwoOptVariant, seed: int, start: np.ndarray | None,
        climbers: int | tuple[int, int],
        device: int = 0, slots: int | None = None, recorded: int = -1,
    ) -> None:  # fmt: skip
        self._device, self._seed, self._start, self.recorded = device, np.uint64(seed), start, recorded
        self.records_more = False
        self._first, self._last = (0, climbers) if isinstance(climbers, int) else climbers
        self._n, self._best, self._best_order = instance.n, (0, -1), np.empty(0, np.int32)
        self._scan_count = 0
        with cuda.gpus[device]:
            limits = Limits.from_device()
            check(instance, variant, limits)
            moves = max(1, (self._n - 1) * (self._n - 2) // 2)
            if 16 * moves + 4 * self._n**2 > 0.8 * limits.free:
                raise InstanceTooLarge(f"{instance.name} needs more device memory than is free; use another variant.")
            room = min(_CHANGES, int(0.5 * limits.free) // 8)
            maximum = ARRAY_CLIMBERS if slots is None else slots
            self._rows = max(1, min(maximum, self._last - self._first, room // moves))
            start_time = perf_counter()
            self._matrix, self._table = cuda.to_device(flat_matrix(instance)), ops.pair_table(self._n)
            self._keys = cuda.device_array((self._rows, moves), np.int64)
            self.compile_seconds = perf_counter() - start_time

    def differing_pairs(self) -> int:
        """Return 0: all distances are TSPLIB's."""
        return 0

    def batches(self, budget: int = 1) -> Generator[LaunchResult, None, None]:
        """Climb, and yield a result every 50 ms; finally free the GPU's memory. `budget` is ignored."""
        try:
            for first in range(self._first, self._last, self._rows):
                yield from self._climb(first, min(self._rows, self._last - first))
        finally:
            self.close()

    def _climb(self, first: int, k: int) -> Generator[LaunchResult, None, None]:
        """Run climbers `first` to `first` + k - 1 at the same time."""
        moves, scans, active = np.zeros(k, np.int64), np.zeros(k, np.int64), np.ones(k, np.bool_)
        tours, move_keys, start_time = self._start_tours(first, k), [], perf_counter()
        while active.any():
            tours, keys = self._step(tours, active)
            scans += active
            self._scan_count += int(active.sum())
            active = keys < 0
            moves += active
            if first <= self.recorded < first + k and active[self.recorded - first]:
                move_keys.append(int(keys[self.recorded - first]))
            if (elapsed := perf_counter() - start_time) > LAUNCH_SECONDS and active.any():
                nothing = np.empty(0, np.int64)
                yield self._result(first, nothing, nothing, nothing, move_keys, elapsed)
                move_keys, start_time = [], perf_counter()
        lengths = self._measure(tours, first)
        yield self._result(first, lengths, moves, scans, move_keys, perf_counter() - start_time)

    def _start_tours(self, first: int, k: int) -> Any:
        with cuda.gpus[self._device]:
            columns, tours = cuda.device_array((self._n, k), np.int32), cuda.device_array((k, self._n), np.int32)
            ops.map_random_tours[-(-k // ops.THREADS), ops.THREADS](self._seed, first, columns)
            side = ops.TILE
            ops.transpose[(-(-k // side), -(-self._n // side)), (side, side)](columns, tours)
            if first == 0 and self._start is not None:
                tours[0].copy_to_device(np.ascontiguousarray(self._start, np.int32))
            return tours

    def _step(self, tours: Any, active: np.ndarray) -> tuple[Any, np.ndarray]:
        """Scan each climber's neighbourhood and apply its best move; return the new tours and move keys."""
        if self._n < 3:
            return tours, np.zeros(active.size, np.int64)
        with cuda.gpus[self._device]:
            k, threads = active.size, ops.THREADS
            going, best = cuda.to_device(active.astype(np.int32)), cuda.device_array(k, np.int64)
            new_tours = cuda.device_array((k, self._n), np.int32)
            ops.map_changes[(-(-self._keys.shape[1] // threads), k), threads](
                self._matrix, tours, self._table, going, self._keys
            )
            ops.reduce_rows[k, threads](self._keys, going, best)
            ops.map_swaps[(-(-self._n // threads), k), threads](tours, self._table, best, new_tours)
            return new_tours, best.copy_to_host()

    def _measure(self, tours: Any, first: int) -> np.ndarray:
        """Compute the final tours' lengths, and store the best tour so far."""
        with cuda.gpus[self._device]:
            out = cuda.device_array(tours.shape[0], np.int64)
            ops.reduce_lengths[tours.shape[0], ops.THREADS](self._matrix, tours, out)
            lengths = out.copy_to_host()
            k = int(lengths.argmin())
            if self._best[1] < 0 or lengths[k] < self._best[0]:
                self._best, self._best_order = (int(lengths[k]), first + k), tours[k].copy_to_host()
            return lengths

    def _result(
        self, first: int, length: np.ndarray, moves: np.ndarray, scans: np.ndarray, move_keys: list[int],
        seconds: float,
    ) -> LaunchResult:  # fmt: skip
        """Return the result of the latest steps; `move_keys` contains the keys of the recorded climber's moves."""
        keys = np.array(move_keys, np.int64)
        with cuda.gpus[self._device]:
            pairs = self._table.copy_to_host()[keys & 0xFFFFFFFF] if move_keys else np.empty(0, np.int32)
        i = (pairs >> 16) & 0xFFFF
        j = i + 2 + (pairs & 0xFFFF)
        best = self._best[1], self._best[0], self._best_order
        return LaunchResult(
            first, length, moves, scans, *best, i.astype(np.int32), j.astype(np.int32),
            (keys >> 32).astype(np.int32), seconds, self._scan_count,
        )  # fmt: skip

    def close(self) -> None:
        """Free the GPU's memory."""
        self._matrix = self._table = self._keys = None
