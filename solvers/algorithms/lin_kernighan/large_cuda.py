"""A large tour that all GPUs kick together. Imports Numba: for use inside `solve()`."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from itertools import pairwise
from time import perf_counter

import numpy as np

from solvers.algorithms.genetic.kernels.tour_links_cpu import walk
from solvers.algorithms.lin_kernighan.cpu import RoundResult, allocate
from solvers.algorithms.lin_kernighan.cuda import GpuKicks, GpuSearch, allocate_held, make_zero_allowances
from solvers.algorithms.lin_kernighan.kernels import search_cpu
from solvers.algorithms.lin_kernighan.kernels.apply_cpu import apply_results, find_regions, rename_cities
from solvers.algorithms.lin_kernighan.kernels.chain_cpu import reset_chain
from solvers.algorithms.lin_kernighan.kernels.regions_cpu import INNER, join_cycles, list_paths, put_back
from solvers.algorithms.lin_kernighan.kernels.repair_cuda import RESULT
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import Cities
from solvers.algorithms.lin_kernighan.params import LinKernighanParams
from solvers.algorithms.lin_kernighan.regions_cpu import RegionSearch, divide
from solvers.algorithms.lin_kernighan.schedule import MANY
from solvers.gpu.calibration import (
    LARGE_BATCH,
    LARGE_FEW_RESULTS,
    LARGE_KICKS_PER_CITY,
    LARGE_MAX_KICKS,
    LARGE_MAX_KICKS_PER_CITY,
    MIN_HALVED_CITIES,
)
from solvers.gpu.launch import on_gpu
from solvers.gpu.limits import free_unused_memory
from solvers.kernels.device_cuda import SIMULATED
from solvers.parallel.thread_team import ThreadTeam
from solvers.reporting.populations import find_tour_neighbours

#: Target seconds per slice, and maximum seconds of a launch, for which slices do not wait.
_SLICE_SECONDS, _LAUNCH_SECONDS = 0.02, 0.1
#: Approximate number of cities in a region in which a thread applies results; minimum and maximum number of divisions
#: into regions; and maximum number of cities in all divisions together, since dividing a million cities takes 0.1 s.
_REGION, _DIVISIONS, _DIVIDED = 16_000, (2, 8), 16_000_000
#: Number of batches after which a tour of more than `MANY` cities is reported: measuring it takes longer than a batch.
_ROUND_BATCHES = 4

_Gpu = tuple[int, GpuKicks]


class LargeSearch(GpuSearch):
    """An iterated local search for many cities, with kicks on all GPUs.

    Cores apply a batch's results in regions of the plane, each as a separate tour, and drop results whose cities lie in
    several regions; batches use several divisions in turn. From `MIN_HALVED_CITIES` cities on, GPUs kick one half of
    the tour while cores apply the results for the other half. The halves are those of the curve along which cities are
    numbered. The tours do not depend on the number of GPUs or threads. If a GPU fails, the others continue. Cores
    compute the first local optimum, as `RegionSearch` does.

    Parameters
    ----------
    cities, order, length, seed, params, target
        See `solvers.algorithms.lin_kernighan.cpu.LocalSearch`.
    team : ThreadTeam
        The threads that improve regions and apply results in them.
    devices : sequence of int
        The GPUs' numbers.
    begins_by_prices : bool, optional
        See `RegionSearch`.

    Attributes
    ----------
    lost_devices : list of int
        The numbers of the GPUs that have failed.

    Raises
    ------
    InstanceTooLarge
        See `solvers.algorithms.lin_kernighan.cuda.GpuKicks`.
    """

    _regions: RegionSearch | None = None
    _few = LARGE_FEW_RESULTS

    def __init__(
        self, cities: Cities, order: np.ndarray, length: int, seed: int, params: LinKernighanParams,
        target: int | None, team: ThreadTeam, devices: Sequence[int], begins_by_prices: bool = False,
    ) -> None:  # fmt: skip
        self._devices, self._team, self.lost_devices, self._gpus = devices, team, list[int](), list[_Gpu]()
        super().__init__(cities, order, length, seed, params, target)
        n = order.size
        self._most, self._halved = _max_kicks(n), n >= MIN_HALVED_CITIES
        self._batch = min(self._most, max(LARGE_BATCH, int(LARGE_KICKS_PER_CITY * n)))
        # The last round in regions shortens long edges, since results with such edges rarely fit into a region.
        self._regions = RegionSearch(
            cities, order, length, seed, replace(params, kicks=1), target, team, begins_by_prices
        )
        self._chain = self._chain._replace(best=np.empty(0, np.int32))  # no tour becomes longer
        self._pool, self._halted = ThreadPoolExecutor(len(devices)), False
        self._opening: Future[None] | None = None
        self._running: list[Future[tuple[np.ndarray, int]]] = []
        self._submitted, self._kicks_running, self._made_kicks, self._turn = 0, 0, 0, 0
        self._divisions, self._division_count = list[tuple[list[np.ndarray], np.ndarray]](), 0
        self._local, self._waits = np.empty(n, np.int32), np.zeros(n, np.bool_)
        self._applied: Iterator[None] = iter(())

    def _open(self, seed: int) -> None:
        """Do nothing: the candidates are known only after the descent."""

    def _begin_opening(self, cities: Cities) -> Future[None]:
        """Let a thread allocate the arrays on the GPUs, unless it is already doing so."""
        self._opening = self._opening or self._pool.submit(self._open_gpus, cities)
        return self._opening

    def _open_gpus(self, cities: Cities) -> None:
        """Allocate the arrays on the GPUs."""
        for device in self._devices:
            with on_gpu(device):
                kicks = GpuKicks(cities, int(self._seed), self._params, maximum=self._most, seconds=_LAUNCH_SECONDS)
                self._gpus.append((device, kicks))

    @property
    def round_over(self) -> bool:
        """Whether the round has ended."""
        return self._regions.round_over if self._regions else super().round_over

    @property
    def kicks(self) -> int:
        """Number of kicks whose results have been applied."""
        return int(self._state[search_cpu.KICKS])

    def start_round(self) -> None:
        """Start the next round: a descent, or one batch of kicks, or as many batches as the requested kicks take."""
        super().start_round()
        if self.order.size > MANY and not self._params.kicks:
            self._until += (_ROUND_BATCHES - 1) * self._batch
        if self._regions:
            self._regions.start_round()

    def close(self) -> None:
        """Stop the threads and free the GPUs' memory."""
        self._halted = True
        self._pool.shutdown()
        devices = [device for device, _ in self._gpus]
        self._gpus = []
        for device in devices:
            with on_gpu(device):
                free_unused_memory()

    def _descend(self, limit: int) -> None:
        """Descend in regions for one slice."""
        regions, (order, position), state = self._regions, self._tour[:2], self._state
        assert regions is not None
        regions.advance(limit)
        if regions.is_connected:
            self._begin_opening(regions.cities)
        if regions.round_over:
            order[:] = regions.order
            position[order] = np.arange(order.size, dtype=np.int32)
            state[search_cpu.LENGTH] = state[search_cpu.BEST] = regions.length
            state[search_cpu.EVALUATED] = regions.evaluated
            if not regions.in_descent:
                self.cities, self.candidates, self._regions = regions.cities, regions.candidates, None
                reset_chain(self._chain)

    def _kick(self, limit: int) -> None:
        """Apply results for one slice; when none are left, fetch the GPUs' next results."""
        if self._sequence is None:
            if not self._running:
                self._submit()
            if wait(self._running, timeout=_SLICE_SECONDS).not_done:
                return
            kicks = self._kicks_running
            self._collect()
            if self._halved:
                self._submit()
            self._made_kicks = kicks
            self._sort()
        if self._make():
            self._end_batch(int(self._state[search_cpu.KICKS]) + self._made_kicks)

    def _sort(self) -> None:
        """Begin to apply the results."""
        self._before, self._sequence = int(self._state[search_cpu.ACCEPTED]), np.empty(0, np.int64)
        self._applied = self._apply(np.concatenate(self._results), *self._divide_next())

    def _divide_next(self) -> tuple[list[np.ndarray], np.ndarray]:
        """Return the next division: the cities of each region, and the region of each city."""
        n = self.order.size
        count = max(_DIVISIONS[0], min(_DIVISIONS[1], _DIVIDED // n))
        if len(self._divisions) < count:
            rng = np.random.default_rng((int(self._seed), len(self._divisions)))
            parts = divide(self.cities.points, 1 << max(0, round(np.log2(n / _REGION))), rng, self._team)
            region = np.empty(n, np.int32)
            for number, part in enumerate(parts):
                region[part] = number
            self._divisions.append((parts, region))
        self._division_count += 1
        return self._divisions[(self._division_count - 1) % count]

    def _apply(self, results: np.ndarray, parts: list[np.ndarray], region: np.ndarray) -> Iterator[None]:
        """Apply the results of each region, on all cores, and then join the regions; yield after each slice.

        Results that contain ends of paths are left out, so that no edge between paths is removed.
        """
        (order, position), links, state = self._tour[:2], find_tour_neighbours(self.order[None])[0], self._state
        found, totals = np.empty(len(results), np.int32), np.zeros((len(parts), 2), np.int64)
        find_regions(results, region, found)
        sequence = np.lexsort((results[:, 0], results[:, 1], found))
        bounds = np.searchsorted(found[sequence], np.arange(len(parts) + 1))

        def work(at: int, _: int) -> None:
            rows = sequence[bounds[at] : bounds[at + 1]]
            if not rows.size:
                return
            names, ends = np.empty(parts[at].size, np.int32), np.empty(parts[at].size, np.int8)
            size = list_paths(order, np.sort(position[parts[at]]), self._local, self._waits, names, ends)
            self._local[names[:size][ends[:size] != INNER]] = -1
            rows = rename_cities(results, rows, self._local)
            tour, search, chain = allocate(np.arange(size, dtype=np.int32), 0, self._params.depth, 0, False)
            tour, done = tour._replace(saved=allocate_held(size)), 0
            chain.state[search_cpu.TARGET] = search_cpu.NO_TARGET
            while done < rows.size:
                chain.state[search_cpu.RECORDED] = 0
                done = apply_results(tour, search, chain, results, rows, done, rows.size)
            put_back(tour.order, names[:size], ends[:size], order, position, links)
            totals[at] = chain.state[[search_cpu.LENGTH, search_cpu.ACCEPTED]]

        yield from self._team.share(work, len(parts), 1, self._team.threads)
        joined, _ = join_cycles(self.cities, links, self._local, self._waits)
        walk(links, order, position)
        change, accepted = totals.sum(axis=0)
        state[search_cpu.LENGTH] += change + joined
        state[search_cpu.ACCEPTED] += accepted

    def _make(self) -> bool:
        """Apply results for one slice; return whether all have been applied."""
        self._team.deadline = perf_counter() + _SLICE_SECONDS
        return next(self._applied, self) is self

    def end_round(self) -> RoundResult:
        """See `LocalSearch`; a round's exchanges are unknown."""
        return self._regions.end_round() if self._regions else RoundResult(self.length, self.order.copy(), None, 0)

    def _submit(self) -> None:
        """Let the GPUs kick the current tour, or its next half."""
        self._begin_opening(self.cities).result()
        kicks = min(self._params.kicks or self._batch, self._most)
        n, first, half = self.order.size, self._submitted, self._turn
        self._turn = 1 - half
        self._submitted, self._kicks_running = first + kicks, kicks
        bounds = [kicks * k // len(self._gpus) for k in range(len(self._gpus) + 1)]
        for (device, gpu), (begin, end) in zip(self._gpus, pairwise(bounds), strict=True):
            with on_gpu(device):
                gpu.origins = (n // 2 * half, n // 2 + half * (n % 2)) if self._halved else (0, n)
                gpu.take(self.order, make_zero_allowances(1))
            self._running.append(self._pool.submit(self._launch, device, gpu, first, begin, kicks, end))
            if SIMULATED:  # the simulator runs one kernel at a time
                wait(self._running)

    def _launch(
        self, device: int, gpu: GpuKicks, first: int, begin: int, kicks: int, end: int
    ) -> tuple[np.ndarray, int]:
        """Run a GPU's share of a batch in a thread of its own; return results and number of evaluated exchanges."""
        improved, evaluated = [np.empty((0, RESULT), np.int32)], 0
        with on_gpu(device):
            while begin < end and not self._halted:
                begin, results, seen = gpu.launch(first, begin, kicks, end)
                improved.append(results)
                evaluated += seen
        return np.concatenate(improved), evaluated

    def _collect(self) -> None:
        """Collect the results of all GPUs; raise an error if the last remaining GPU has failed."""
        failed = []
        for each, (device, _) in zip(self._running, self._gpus, strict=True):
            if error := each.exception():
                failed.append((device, error))
            else:
                results, evaluated = each.result()
                self._results.append(results)
                self._seen += evaluated
        self._running = []
        self.lost_devices += [device for device, _ in failed]
        self._gpus = [(device, gpu) for device, gpu in self._gpus if device not in self.lost_devices]
        if not self._gpus:
            raise failed[-1][1]


def _max_kicks(n: int) -> int:
    """Return the maximum number of kicks per batch for n cities."""
    return min(LARGE_MAX_KICKS, LARGE_MAX_KICKS_PER_CITY * n)
