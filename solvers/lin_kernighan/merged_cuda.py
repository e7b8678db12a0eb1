"""Populations of tours kicked in parallel on a GPU and crossed on the CPU. Imports Numba: for use inside `solve()`."""

import math
from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from functools import partial
from itertools import count
from queue import SimpleQueue
from time import perf_counter, sleep

import numpy as np
from numba import cuda

from solvers.gpu.calibration import MAX_KICKS, POPULATION_EVALUATED, POPULATION_KICKS
from solvers.kernels.device_cuda import SIMULATED
from solvers.lin_kernighan.cpu import allocate
from solvers.lin_kernighan.cuda import GpuKicks, GpuSearch, none_allowed
from solvers.lin_kernighan.kernels.apply_cpu import apply_results
from solvers.lin_kernighan.kernels.chain_cpu import forget
from solvers.lin_kernighan.kernels.search_cpu import LENGTH, NO_TARGET, RECORDED, TARGET
from solvers.lin_kernighan.kernels.tour_cpu import Cities
from solvers.lin_kernighan.merged_cpu import MergedSearch, OneCallTourMaker, TourMaker
from solvers.lin_kernighan.params import LinKernighanParams
from solvers.lin_kernighan.schedule import Schedule
from solvers.parallel.thread_team import ThreadTeam

#: The tours of a population with their lengths, and the number of evaluated exchanges.
_Kicked = tuple[list[tuple[np.ndarray, int]], int]
#: One in this many threads works for the GPU's population; seconds between two checks of it; seconds without a slice
#: until it pauses.
_SHARE, _WAIT_SECONDS, _PAUSED_SECONDS = 4, 0.01, 0.5
#: Number of batches of the first population after which its shortest tour is merged into the best one.
_MERGED_BATCHES = 4
#: Number of results that a thread applies between two checks of the clock.
_RESULTS_PER_CHECK = 256
#: Capacity, in tours, for the values that the exchanges of a result overwrite.
_TOURS_HELD = 8


class _Island:
    """One tour of a population, to which the CPU applies the GPU's results."""

    def __init__(self, order: np.ndarray, length: int, depth: int) -> None:
        tour, self._search, self._chain = allocate(order, length, depth, 0, False)
        self._tour = tour._replace(saved=np.empty(_TOURS_HELD * order.size, np.int32))
        forget(self._chain)
        self._chain.state[TARGET] = NO_TARGET
        self._next = 0

    @property
    def tour(self) -> tuple[np.ndarray, int]:
        """The tour and its length."""
        return self._tour.order, int(self._chain.state[LENGTH])

    def make(self, results: np.ndarray, sequence: np.ndarray) -> bool:
        """Apply some of a batch's results in the given sequence; return whether all are applied."""
        self._chain.state[RECORDED] = 0
        self._next = apply_results(
            self._tour, self._search, self._chain, results, sequence, self._next, _RESULTS_PER_CHECK
        )
        if self._next < sequence.size:
            return False
        self._next = 0
        return True


class GpuMergedSearch(MergedSearch):
    """Crosses populations of tours; the CPU improves and crosses them, a GPU kicks them.

    A thread kicks one population while the others make and cross the previous one. With few cities, cores also kick
    the tours of the first populations, and up to 20,000 cities those of every second one, among fewer candidates.

    A batch of kicks is divided evenly among the tours; of each tour's results, those of greatest gain are applied
    first.

    Parameters
    ----------
    cities, order, length, seed, params, target, team, schedule
        See `MergedSearch`.

    Raises
    ------
    InstanceTooLarge
        See `solvers.lin_kernighan.cuda.GpuKicks`.
    """

    def __init__(
        self, cities: Cities, order: np.ndarray, length: int, seed: int, params: LinKernighanParams,
        target: int | None, team: ThreadTeam, schedule: Schedule,
    ) -> None:  # fmt: skip
        super().__init__(cities, order, length, seed, params, target, team, schedule)
        self._gpu: GpuKicks | None = None
        self._kicked, self._halted = 0, False
        self._device = 0 if SIMULATED else cuda.get_current_device().id
        self._gpu_team = ThreadTeam(max(1, team.threads // _SHARE))
        self._gpu_team.deadline = math.inf
        self._kicker = ThreadPoolExecutor(1)
        self._next: tuple[int, Future[_Kicked]] | None = None
        self._shortest: SimpleQueue[tuple[np.ndarray, int]] = SimpleQueue()
        if schedule.chained_batches:
            self._first.close()
            self._first = GpuSearch(cities, order, length, seed, params, target)
            self._extra_rounds = schedule.chained_batches

    def _kick_chains(self) -> Generator[bool, None, list[tuple[np.ndarray, int]]]:
        """Return the tour that was kicked alone, as the first one of the first population."""
        return [(self._order, self._length)] if self.schedule.chained_batches else []
        yield False

    def _tours(self, number: int) -> Generator[bool, None, list[tuple[np.ndarray, int]]]:
        """Build the tours of a population; while a GPU kicks the first one, its tours are merged into the best."""
        if not self.schedule.population(number).on_gpu:
            if self.schedule.alternates:
                yield from self._take_candidates()
            return (yield from super()._tours(number))
        is_first = self._next is None
        if is_first:
            self._gpu_cities = self.cities, self._prices
        future = self._start(number)
        for _ in range(0, self._batches(number)[1] if is_first else 0, _MERGED_BATCHES):
            while self._shortest.empty() and not future.done():
                wait([future], _WAIT_SECONDS)
                yield False
            if self._shortest.empty():
                break
            self._evaluated += self._merge(*self._shortest.get())
            yield True
        while not future.done():
            wait([future], _WAIT_SECONDS)
            yield False
        tours, evaluated = future.result()
        self._evaluated += evaluated
        self._start(next(each for each in count(number + 1) if self.schedule.population(each).on_gpu))
        return tours

    def _start(self, number: int) -> Future[_Kicked]:
        """Let the thread kick a population, unless it already does."""
        if self._next is None or self._next[0] != number:
            self._next = number, self._kicker.submit(self._kick_population, number, self._next is None)
            if SIMULATED:  # the simulator runs one kernel at a time
                wait([self._next[1]])
        return self._next[1]

    def _batches(self, number: int) -> tuple[int, int]:
        """Return the kicks per tour of a batch of a population, and the number of batches."""
        size, kicks, _ = self.schedule.population(number)
        n = self._order.size
        each = min(MAX_KICKS // size, POPULATION_KICKS * n)
        return each, max(1, round(kicks * n / each))

    def _kick_population(self, number: int, is_first: bool) -> _Kicked:
        """Build and kick the tours of a population in the thread; also return the number of evaluated exchanges."""
        params, (size, _, _) = self._params, self.schedule.population(number)
        each, batches = self._batches(number)
        cities, prices = self._gpu_cities
        tour_params, kind = (
            replace(params, kicks=1),
            OneCallTourMaker if self.schedule.builds_in_one_call else TourMaker,
        )
        makers = [partial(kind, cities, tour_params, (self._seed, number, at), prices=prices) for at in range(size)]
        built: list[tuple[tuple[np.ndarray, int], int]] = [((self._order, 0), 0)] * size

        def make(first: int, last: int) -> None:
            for at in range(first, last):
                maker = makers[at]()
                while not maker.step() and not self._halted:
                    self._wait_while_paused()
                tour = maker.tour()
                assert tour is not None
                built[at] = tour, maker.evaluated()

        for _ in self._gpu_team.share(make, size, 1, self._gpu_team.threads):
            pass
        islands, evaluated = [_Island(*tour, params.depth) for tour, _ in built], sum(count for _, count in built)
        with cuda.gpus[self._device]:
            if self._gpu is None or self._gpu.tours != size:
                self._gpu = None
                self._gpu = GpuKicks(cities, self._seed, params, size, POPULATION_EVALUATED)
            for batch in range(batches):
                if self._halted:
                    break
                evaluated += self._batch(self._gpu, islands, each)
                if is_first and batch % _MERGED_BATCHES == 0:
                    order, length = min((island.tour for island in islands), key=lambda tour: tour[1])
                    self._shortest.put((order.copy(), length))
        return [island.tour for island in islands], evaluated

    def _wait_while_paused(self) -> None:
        """Wait while the run is paused, as indicated by missing slices."""
        while not (self._halted or SIMULATED) and perf_counter() > self._team.deadline + _PAUSED_SECONDS:
            sleep(_WAIT_SECONDS)

    def _batch(self, gpu: GpuKicks, islands: list[_Island], each: int) -> int:
        """Kick each tour `each` times on the GPU, and apply the results; return the number of evaluated exchanges."""
        kicks, begin, batches, evaluated = each * len(islands), 0, list[np.ndarray](), 0
        gpu.take(np.concatenate([island.tour[0] for island in islands]), none_allowed())
        while begin < kicks:
            self._wait_while_paused()
            begin, results, count = gpu.launch(self._kicked, begin, kicks)
            batches.append(results)
            evaluated += count
        self._kicked += kicks
        results = np.concatenate(batches)
        kick, change = results[:, 0], results[:, 1]
        sequence = np.lexsort((kick, np.minimum(change, 0), kick // each))
        ends = np.searchsorted(kick[sequence] // each, np.arange(len(islands) + 1))

        def work(first: int, last: int) -> None:
            for at in range(first, last):
                while not islands[at].make(results, sequence[ends[at] : ends[at + 1]]):
                    pass

        for _ in self._gpu_team.share(work, len(islands), 1, self._gpu_team.threads):
            pass
        return evaluated

    def _merge_unfinished(self) -> None:
        while not self._shortest.empty():
            self._merge(*self._shortest.get())
        super()._merge_unfinished()

    def close(self) -> None:
        """End the thread, and free the device's memory."""
        self._halted = True
        self._kicker.shutdown()
        self._gpu_team.close()
        super().close()
        self._gpu = None
