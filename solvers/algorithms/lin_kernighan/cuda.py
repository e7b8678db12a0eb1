"""Thousands of simultaneous kicks of a tour on a GPU; the CPU applies their results. Imports Numba."""

from functools import cache
from time import perf_counter

import numpy as np
from numba import cuda

from solvers.algorithms.lin_kernighan.cpu import LocalSearch
from solvers.algorithms.lin_kernighan.kernels import choose_cuda, repair_cuda, search_cpu
from solvers.algorithms.lin_kernighan.kernels.apply_cpu import allow_longer, apply_results
from solvers.algorithms.lin_kernighan.kernels.repair_cuda import RESULT
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import Cities
from solvers.algorithms.lin_kernighan.params import LinKernighanParams
from solvers.algorithms.lin_kernighan.variants import too_long_reason
from solvers.core.errors import InstanceTooLarge
from solvers.core.kernel_distances import GRID_DIAGONAL
from solvers.gpu.calibration import (
    BATCH_KICKS,
    FEW_RESULTS,
    FIRST_KICKS,
    HEAT_FACTOR,
    KICKS_PER_CITY,
    LAUNCH_SECONDS,
    LONGER_STRIDE,
    MAX_HEATED,
    MAX_KICKS,
    REPAIR_REGISTERS,
)
from solvers.gpu.launch import Step
from solvers.gpu.limits import Limits, count_resident_blocks, free_unused_memory
from solvers.kernels.device_cuda import SIMULATED
from solvers.kernels.distance_rows_cpu import EUC_2D, GRID, MATRIX

#: Maximum number of kicks per launch; each of them may have a result.
_LAUNCH_KICKS = 1 << (4 if SIMULATED else 30)
#: Target seconds of a slice that applies results, and number of results in the first slice.
_SLICE_SECONDS, _FIRST_RESULTS = 0.02, 256
#: How many values that exchanges overwrite can be stored: at most this many cities, but at least this many tours.
_HELD, _TOURS_HELD = 1 << 20, 4
#: The kernels, each built once per process, since every population has a `GpuKicks` of its own.
_build_nodes, _build_choice = cache(repair_cuda.build_nodes), cache(choose_cuda.build_choice)
_build_repair = cache(repair_cuda.build)
#: Number of threads in a block that lays out a tour.
_THREADS = 128


class GpuKicks:
    """A search's arrays on one GPU, and its launches.

    Parameters
    ----------
    cities : Cities
    seed : int
    params : LinKernighanParams
    tours : int
        Number of tours that are kicked side by side.
    max_evaluated : int
        Maximum number of exchanges that a kick and its repair may evaluate.
    maximum : int
        Maximum number of kicks per batch, and per launch.
    seconds : float
        Maximum seconds that a launch takes.

    Attributes
    ----------
    origins : tuple of int
        The first city where kicks begin, and the number of such cities.
    abandoned : int
        Number of kicks in the last launch that were given up because their repair took too long.
    tours : int

    Raises
    ------
    InstanceTooLarge
        If sums of distances might not fit into 32 bits, or the device's memory is too small.
    """

    def __init__(
        self, cities: Cities, seed: int, params: LinKernighanParams, tours: int = 1,
        max_evaluated: int = repair_cuda.MAX_EVALUATED, maximum: int = MAX_KICKS,
        seconds: float = LAUNCH_SECONDS,
    ) -> None:  # fmt: skip
        n, width = cities.near.shape
        limits = Limits.from_device()
        policy, distances = make_distance_data(cities)
        _check(cities, distances.nbytes + count_other_bytes(n, width, tours, maximum), limits.free)
        upload = cuda.to_device
        near = upload(np.stack([cities.near, cities.near_distance], axis=-1).view(np.int64).reshape(-1))
        node, chosen = cuda.device_array(4 * n * tours, np.int32), cuda.device_array(4 * maximum, np.int32)
        self._order, self._allowances = cuda.device_array(n * tours, np.int32), upload(make_zero_allowances(maximum))
        self._counts = upload(np.zeros(repair_cuda.COUNTS, np.int64))
        self._most = min(maximum, _LAUNCH_KICKS)
        self._results = cuda.device_array((self._most, RESULT), np.int32)
        if not SIMULATED:  # zeros, since whole rows are copied although exchanges fill only a few entries
            self._results.gpu_data.memset(0)
        data = near, node, np.int32(n), np.int32(width)
        each = count_resident_blocks(repair_cuda.SHARED, repair_cuda.THREADS, REPAIR_REGISTERS, limits)
        steps = (
            Step(0, _build_nodes, (), -(-n * tours // _THREADS), _THREADS, (self._order, np.int32(n), node)),
            Step(
                1, _build_choice, (), -(-self._most // choose_cuda.THREADS), choose_cuda.THREADS,
                (*data, np.uint64(seed), np.int32(params.walk), self._counts, chosen),
            ),
            Step(
                2, _build_repair, (int(policy), REPAIR_REGISTERS), limits.multiprocessors * max(1, each),
                repair_cuda.THREADS,
                (
                    upload(distances), *data, np.int32(params.depth), np.int32(max_evaluated), chosen,
                    np.int32(LONGER_STRIDE), self._allowances, self._counts, self._results,
                ),
                repair_cuda.SHARED,
            ),
        )  # fmt: skip
        self._stream = cuda.stream()
        self._lay_out, *self._kick = (step.on(self._stream) for step in steps)
        self._fitting, self.abandoned, self.tours = FIRST_KICKS, 0, tours
        self.origins, self._seconds = (0, n), seconds

    def take(self, order: np.ndarray, allowed: np.ndarray) -> None:
        """Set the tour or tours to kick, and by how much each kick may lengthen them.

        Parameters
        ----------
        order : ndarray, shape (tours * n,), int32
        allowed : ndarray, shape (m,), int32
            See `solvers.algorithms.lin_kernighan.kernels.apply_cpu.allow_longer`.
        """
        self._order.copy_to_device(order, self._stream)
        self._allowances[: allowed.size].copy_to_device(allowed, self._stream)
        self._lay_out()

    def launch(self, first: int, begin: int, kicks: int, until: int | None = None) -> tuple[int, np.ndarray, int]:
        """Launch kicks of a batch of `kicks` whose first kick has number `first`, from kick `begin` of the batch on.

        The launch ends before kick `until`; by default it ends with the batch's last kick.

        Returns
        -------
        end : int
            The next kick to launch.
        results : ndarray, shape (m, RESULT), int32
        evaluated : int
            Number of evaluated exchanges.
        """
        start_time = perf_counter()
        end = min(kicks if until is None else until, begin + max(1, min(self._most, self._fitting)))
        counts = np.array([begin, 0, 0, 0, first, kicks // self.tours, begin, end, *self.origins], np.int64)
        self._counts.copy_to_device(counts, self._stream)
        for launch in self._kick:
            launch()
        self._counts.copy_to_host(counts, self._stream)
        self._stream.synchronize()
        count = int(counts[repair_cuda.RESULTS])
        results = self._results[:count].copy_to_host(stream=self._stream) if count else np.empty((0, RESULT), np.int32)
        self._stream.synchronize()
        elapsed = max(1e-6, perf_counter() - start_time)
        # A launch with only a few kicks takes as long as its longest kick, which says nothing about the speed.
        fitting = int((end - begin) * self._seconds / elapsed)
        if elapsed > self._seconds or fitting > self._fitting:
            self._fitting = min(4 * self._fitting, max(1, fitting))
        self.abandoned = int(counts[repair_cuda.ABANDONED])
        return end, results, int(counts[repair_cuda.EVALUATED])


class GpuSearch(LocalSearch):
    """An iterated local search in slices: a GPU kicks, cores find the first local optimum.

    The kicks of a batch start from the same tour. Results that shorten the tour are applied first, in order of their
    gain, and then those that may lengthen it; results that no longer fit the tour are dropped. The division into
    launches and slices does not affect the tours.

    Parameters
    ----------
    cities, order, length, seed, params, target
        See `solvers.algorithms.lin_kernighan.cpu.LocalSearch`.

    Raises
    ------
    InstanceTooLarge
        See `GpuKicks`.
    """

    _few = FEW_RESULTS

    def __init__(
        self, cities: Cities, order: np.ndarray, length: int, seed: int, params: LinKernighanParams,
        target: int | None,
    ) -> None:  # fmt: skip
        n = order.size
        self._batch, self._most = (min(maximum, max(1, n * KICKS_PER_CITY)) for maximum in (BATCH_KICKS, MAX_KICKS))
        super().__init__(cities, order, length, seed, params, target)
        self._tour = self._tour._replace(saved=allocate_held(n))
        if n <= MAX_HEATED:
            self._chain = self._chain._replace(best=order.copy())
        self._open(seed)
        self._begin, self._results, self._seen = 0, list[np.ndarray](), 0
        self._sequence: np.ndarray | None = None
        self._next, self._most_results, self._before = 0, _FIRST_RESULTS, 0

    def _open(self, seed: int) -> None:
        """Allocate the arrays on the GPU."""
        self.gpu = GpuKicks(self.cities, seed, self._params)

    def start_round(self) -> None:
        """Start the next round: one batch of kicks, or as many batches as the requested kicks take."""
        cold = self._heat < 0
        super().start_round()
        if cold and not self.in_descent:
            mean_edge = self.length / self.order.size
            self._heat = HEAT_FACTOR * self._params.temperature * mean_edge * (self.order.size <= MAX_HEATED)
        self._until = int(self._state[search_cpu.KICKS]) + (self._params.kicks or self._batch)

    def _kick(self, limit: int) -> None:
        """For one slice, launch kicks or, after a batch's last launch, apply its results."""
        first = int(self._state[search_cpu.KICKS])
        kicks = min(self._until - first, self._most)
        if self._sequence is None:
            if self._begin == 0:
                self.gpu.take(self.order, self._allowances(first, kicks))
            self._begin, results, evaluated = self.gpu.launch(first, self._begin, kicks)
            self._results.append(results)
            self._seen += evaluated
            if self._begin < kicks:
                return
            self._sort()
        if self._make():
            self._end_batch(first + kicks)

    def _allowances(self, first: int, kicks: int) -> np.ndarray:
        """Return by how much each kick of a batch may lengthen the tour."""
        allowed = make_zero_allowances()[: -(-kicks // LONGER_STRIDE)]
        if self._heat > 0:
            allow_longer(self._seed, first, LONGER_STRIDE, self._heat, allowed)
        return allowed

    def _sort(self) -> None:
        """Sort the results into the order in which they are applied."""
        self._results = [np.concatenate(self._results)]
        self._sequence = choose_application_order(self._results[0])
        self._next, self._before = 0, int(self._state[search_cpu.ACCEPTED])

    def _make(self) -> bool:
        """Apply some results; return whether all have been applied."""
        assert self._sequence is not None
        start_time, first = perf_counter(), self._next
        self._next = apply_results(
            self._tour, self._search, self._chain, self._results[0], self._sequence, first, self._most_results
        )
        elapsed = max(1e-6, perf_counter() - start_time)
        self._most_results = max(16, min(4 * self._most_results, int((self._next - first) * _SLICE_SECONDS / elapsed)))
        return self._next == self._sequence.size or self.length <= self._state[search_cpu.TARGET]

    def _end_batch(self, kicks: int) -> None:
        """Count a batch; enlarge the next one if only a few results could be applied, unless its size is fixed."""
        state = self._state
        state[search_cpu.KICKS] = kicks
        state[search_cpu.EVALUATED] += self._seen
        if state[search_cpu.ACCEPTED] - self._before < self._batch >> self._few:
            self._batch = min(self._most, 2 * self._batch)
        self._begin, self._results, self._seen, self._sequence = 0, [], 0, None

    def close(self) -> None:
        """Free the GPU's memory."""
        del self.gpu
        free_unused_memory()


def allocate_held(n: int) -> np.ndarray:
    """Allocate buffers for the parts of a tour of n cities that a result's exchanges overwrite."""
    return np.empty(max(_TOURS_HELD * n, min(_HELD, 64 * n)), np.int32)


def choose_application_order(results: np.ndarray) -> np.ndarray:
    """Return the order in which to apply results: by descending gain, then those that may lengthen the tour."""
    return np.lexsort((results[:, 0], np.minimum(results[:, 1], 0)))


def make_distance_data(cities: Cities) -> tuple[int, np.ndarray]:
    """Return the distance policy and its data; see `solvers.kernels.distances_cuda.build_metric`."""
    if cities.policy == MATRIX:
        return MATRIX, cities.matrix.reshape(-1)
    points = cities.points - cities.points.min(axis=0)
    is_integral = np.array_equal(cities.points, np.rint(cities.points))
    if cities.policy == EUC_2D and is_integral and np.hypot(*points.max(axis=0)) <= GRID_DIAGONAL:
        x, y = points.T.astype(np.uint32)
        return GRID, x | y << np.uint32(16)
    return cities.policy, cities.points.reshape(-1)


def count_other_bytes(n: int, width: int, tours: int = 1, maximum: int = MAX_KICKS) -> int:
    """Return how many bytes of a GPU's memory are needed besides those for distances."""
    return n * (20 * tours + 8 * width) + (16 + 4 * RESULT) * maximum


def _check(cities: Cities, needed: int, free: int) -> None:
    if cities.policy == MATRIX:
        longest = float(max(int(cities.matrix.max()), -int(cities.matrix.min())))
    else:
        longest = float(np.hypot(*np.ptp(cities.points, axis=0)))
    if reason := too_long_reason(longest):
        raise InstanceTooLarge(reason)
    if needed > 0.8 * free:
        raise InstanceTooLarge(f"The search needs {needed >> 20:,} MiB, more than the device's free memory.")


def make_zero_allowances(maximum: int = MAX_KICKS) -> np.ndarray:
    """Return allowances of 0, so that no kick of a batch may lengthen its tour."""
    return np.zeros(-(-maximum // LONGER_STRIDE), np.int32)
