"""Populations of tours that a GPU kicks and the CPU crosses. Imports Numba: for use inside `solve()`."""

import math
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from functools import partial
from threading import Event
from time import perf_counter, sleep
from typing import TypeVar

import numpy as np
from numba import cuda

from solvers.algorithms.lin_kernighan.cpu import allocate
from solvers.algorithms.lin_kernighan.cuda import GpuKicks, GpuSearch, make_zero_allowances
from solvers.algorithms.lin_kernighan.kernels.apply_cpu import apply_results
from solvers.algorithms.lin_kernighan.kernels.chain_cpu import reset_chain
from solvers.algorithms.lin_kernighan.kernels.merge_cpu import measure_tour
from solvers.algorithms.lin_kernighan.kernels.search_cpu import LENGTH, NO_TARGET, RECORDED, TARGET
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import Cities
from solvers.algorithms.lin_kernighan.large_cuda import LargeSearch
from solvers.algorithms.lin_kernighan.merged_cpu import AnyTourMaker, MergedSearch, has_few_candidates
from solvers.algorithms.lin_kernighan.nearness_cpu import are_clustered
from solvers.algorithms.lin_kernighan.params import LinKernighanParams
from solvers.algorithms.lin_kernighan.regions_cpu import RegionSearch
from solvers.algorithms.lin_kernighan.schedule import Schedule
from solvers.algorithms.lin_kernighan.start_cpu import build_varied_greedy_tour
from solvers.gpu.calibration import MAX_KICKS, POPULATION_EVALUATED, POPULATION_KICKS
from solvers.kernels.device_cuda import SIMULATED
from solvers.parallel.thread_team import ThreadTeam

#: Types of results: a population's tours with their lengths, and the number of evaluated exchanges; the same for one
#: tour; the cities with the candidates that cores use, and the cities' prices.
_Kicked = tuple[list[tuple[np.ndarray, int]], int]
_Built = tuple[tuple[np.ndarray, int], int]
_Candidates = tuple[Cities, np.ndarray | None]
_Result = TypeVar("_Result")
#: One in this many threads works for the GPU's population; seconds between two checks of that population; seconds
#: without a slice after which its work pauses.
_SHARE, _WAIT_SECONDS, _PAUSED_SECONDS = 4, 0.01, 0.5
#: Number of results that a thread applies between two checks of the clock.
_RESULTS_PER_CHECK = 256
#: Number of rounds in which cores kick the first tour, if there are very many clustered cities.
_CLUSTERED_ROUNDS = 15
_NO_LIMIT = 1 << 62
#: How many values that a result's exchanges overwrite can be stored, in tours.
_TOURS_HELD = 8


class _Island:
    """One tour of a population, to which the CPU applies the GPU's results."""

    def __init__(self, order: np.ndarray, length: int, depth: int) -> None:
        tour, self._search, self._chain = allocate(order, length, depth, 0, False)
        self._tour = tour._replace(saved=np.empty(_TOURS_HELD * order.size, np.int32))
        reset_chain(self._chain)
        self._chain.state[TARGET] = NO_TARGET
        self._next = 0

    @property
    def tour(self) -> tuple[np.ndarray, int]:
        """The tour and its length."""
        return self._tour.order, int(self._chain.state[LENGTH])

    def make(self, results: np.ndarray, sequence: np.ndarray) -> bool:
        """Apply some of a batch's results in the given sequence; return whether all have been applied."""
        self._chain.state[RECORDED] = 0
        self._next = apply_results(
            self._tour, self._search, self._chain, results, sequence, self._next, _RESULTS_PER_CHECK
        )
        if self._next < sequence.size:
            return False
        self._next = 0
        return True


class _Finished:
    """Returns a tour that has already been built; see `solvers.algorithms.lin_kernighan.merged_cpu.TourMaker`."""

    def __init__(self, tour: tuple[np.ndarray, int], evaluated: int) -> None:
        self._tour, self._evaluated = tour, evaluated

    def step(self) -> bool:
        """Return True."""
        return True

    def tour(self) -> tuple[np.ndarray, int]:
        """Return the tour and its length."""
        return self._tour

    def evaluated(self) -> int:
        """Return the number of evaluated exchanges."""
        return self._evaluated


class GpuMergedSearch(MergedSearch):
    """Crosses populations of tours that cores build; a GPU kicks every second population.

    A thread builds and kicks the GPU's next population while other threads work on the cores' population. With many
    cities, the GPU first kicks one tour while cores build the first two populations.

    A batch of kicks is divided evenly among the tours; of each tour's results, those with the greatest gain are applied
    first. Tours of very many cities are all kicked on the GPU, one after another, as `LargeSearch` does.

    Parameters
    ----------
    cities, order, length, seed, params, target, team, schedule
        See `MergedSearch`.

    Raises
    ------
    InstanceTooLarge
        See `solvers.algorithms.lin_kernighan.cuda.GpuKicks`.
    """

    def __init__(
        self, cities: Cities, order: np.ndarray, length: int, seed: int, params: LinKernighanParams,
        target: int | None, team: ThreadTeam, schedule: Schedule,
    ) -> None:  # fmt: skip
        super().__init__(cities, order, length, seed, params, target, team, schedule)
        self._gpu: GpuKicks | None = None
        self._kicked, self._halted, self._is_chained = 0, False, Event()
        self._device = 0 if SIMULATED else cuda.get_current_device().id
        share = team.threads if schedule.one_by_one else max(1, team.threads // _SHARE)
        self._gpu_team, self._kicker = _unlimited_team(share), ThreadPoolExecutor(1)
        self._next: tuple[int, Future[_Kicked]] | None = None
        self._core_team, self._builder = _unlimited_team(max(1, team.threads - share)), ThreadPoolExecutor(1)
        self._built: Future[list[_Built]] | None = None
        self._futures: list[Future[_Built]] = []
        if schedule.chained_rounds:
            chained = cities, order, length, seed, params, target
            if not schedule.one_by_one:
                self._first = GpuSearch(*chained)
            elif are_clustered(cities):  # kicks in regions are better at shortening clusters' long edges
                self._extra_rounds = _CLUSTERED_ROUNDS
            else:
                by_prices = has_few_candidates(cities, schedule)
                self._first = LargeSearch(*chained, team, [self._device], by_prices)

    def start_round(self) -> None:
        """Start the next round; while the first tour is kicked, threads begin to build others."""
        super().start_round()
        if self._first.descending or self._next or not self._in_first or not self.schedule.chained_rounds:
            return
        if self.schedule.one_by_one:
            if isinstance(self._first, RegionSearch):
                self._futures = self._futures or self._kick_one_by_one(1)
            return
        # Otherwise one thread finds candidates later.
        if self._candidates_future or not self._find_candidates:
            self._built = self._built or self._builder.submit(self._build_first, self._candidates_future)
        if not SIMULATED:  # the simulator would make the run wait for a population
            self._start(2)

    def _populations(self) -> Generator[bool, None, None]:
        self._is_chained.set()
        if not self.schedule.one_by_one:
            self._start(2)
        yield from super()._populations()

    def _build_first(self, candidates: "Future[_Candidates] | None") -> list[_Built]:
        """Build the first population's tours, in a thread."""
        cities, prices = candidates.result() if candidates else (self._all_cities, None)
        return self._build(self._tour_makers(1, cities, prices), self._core_team)

    def _build(self, makers: Sequence[Callable[[], AnyTourMaker]], team: ThreadTeam) -> list[_Built]:
        """Build tours with a team of threads; return each with the number of exchanges that it took."""
        built: list[_Built] = [((self._order, 0), 0)] * len(makers)

        def make(first: int, last: int) -> None:
            for at in range(first, last):
                maker = makers[at]()
                while not maker.step() and not self._halted:
                    self._wait_while_paused()
                tour = maker.tour()
                assert tour is not None
                built[at] = tour, maker.evaluated()

        for _ in team.share(make, len(makers), 1, team.threads):
            pass
        return built

    def _tours(self, population: int) -> Generator[bool, None, list[tuple[np.ndarray, int]]]:
        """Build the tours of a population, or take those that threads have built or kicked meanwhile."""
        if self.schedule.one_by_one:
            return (yield from self._take_one_by_one(population))
        if self.schedule.population(population).on_gpu:
            tours, evaluated = yield from _await(self._start(population))
            self._evaluated += evaluated
            self._start(population + 2)
            return tours
        if self._built is None:
            return (yield from super()._tours(population))
        built = yield from _await(self._built)
        self._built = None
        return (yield from self._make([partial(_Finished, *arguments) for arguments in built]))

    def _take_one_by_one(self, population: int) -> Generator[bool, None, list[tuple[np.ndarray, int]]]:
        """Take a population's tours as the GPU finishes them, and merge each; then start the next population."""
        tours = []
        for future in self._futures or self._kick_one_by_one(population):
            tour, evaluated = yield from _await(future)
            self._evaluated += evaluated + self._merge(*tour)
            tours.append(tour)
            yield True
        self._futures = self._kick_one_by_one(population + 1)
        return tours

    def _kick_one_by_one(self, population: int) -> list[Future[_Built]]:
        """Let the thread make and kick a population's tours, one after another."""
        candidates, size = self._first.candidates or (self._all_cities, None), self.schedule.population(population).size
        futures = [
            self._kicker.submit(self._kick_tour, *candidates, (self._seed, population, at)) for at in range(size)
        ]
        if SIMULATED:  # the simulator runs one kernel at a time
            wait(futures)
        return futures

    def _kick_tour(self, cities: Cities, prices: np.ndarray | None, key: tuple[int, ...]) -> _Built:
        """In the thread, make a tour and kick it; also return the number of evaluated exchanges.

        In clusters, only making the tour uses the few candidates that cores use.
        """
        order_seed, seed = np.random.default_rng(key).integers(1 << 62, size=2).tolist()
        kicks = int(self.schedule.gpu_kicks * self._order.size)
        order = build_varied_greedy_tour(cities, order_seed, prices)
        if are_clustered(self._all_cities):
            cities = self._all_cities
        length = int(measure_tour(cities.policy, cities.matrix, cities.points, order))
        with cuda.gpus[self._device]:
            search = LargeSearch(cities, order, length, seed, self._params, None, self._gpu_team, [self._device])
            with closing(search):
                while search.kicks < kicks and not self._halted:
                    self._wait_while_paused()
                    search.advance(_NO_LIMIT)
                    if search.round_over:
                        search.start_round()
                return (search.order, search.length), search.evaluated

    def _start(self, population: int) -> Future[_Kicked]:
        """Let the thread kick a population, unless it is already doing so."""
        if self._next is None or self._next[0] != population:
            self._next = population, self._kicker.submit(self._kick_population, population)
            if SIMULATED:  # the simulator runs one kernel at a time
                wait([self._next[1]])
        return self._next[1]

    def _batches(self, population: int) -> tuple[int, int]:
        """Return a population's kicks per tour and batch, and its number of batches."""
        size, kicks, _ = self.schedule.population(population)
        n = self._order.size
        each = min(MAX_KICKS // size, POPULATION_KICKS * n)
        return each, max(1, round(kicks * n / each))

    def _kick_population(self, population: int) -> _Kicked:
        """In the thread, build and kick a population's tours; also return the number of evaluated exchanges."""
        (each, batches), size = self._batches(population), self.schedule.population(population).size
        built = self._build(self._tour_makers(population, self._all_cities, None, kicks=1), self._gpu_team)
        islands = [_Island(*tour, self._params.depth) for tour, _ in built]
        evaluated = sum(count for _, count in built)
        self._is_chained.wait()
        with cuda.gpus[self._device]:
            if self._gpu is None or self._gpu.tours != size:
                self._gpu = None
                self._gpu = GpuKicks(self._all_cities, self._seed, self._params, size, POPULATION_EVALUATED)
            for _ in range(batches):
                if self._halted:
                    break
                evaluated += self._batch(self._gpu, islands, each)
        return [island.tour for island in islands], evaluated

    def _wait_while_paused(self) -> None:
        """Wait while the run is paused; the sign of a pause is that no slices come."""
        while not (self._halted or SIMULATED) and perf_counter() > self._team.deadline + _PAUSED_SECONDS:
            sleep(_WAIT_SECONDS)

    def _batch(self, gpu: GpuKicks, islands: list[_Island], each: int) -> int:
        """Kick every tour `each` times on the GPU, and apply the results; return the number of evaluated exchanges."""
        kicks, begin, batches, evaluated = each * len(islands), 0, list[np.ndarray](), 0
        gpu.take(np.concatenate([island.tour[0] for island in islands]), make_zero_allowances())
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

    def close(self) -> None:
        """Stop the threads and free the GPU's memory."""
        self._halted = True
        self._is_chained.set()
        for each in (self._kicker, self._builder):
            each.shutdown(cancel_futures=True)
        for team in (self._gpu_team, self._core_team):
            team.close()
        super().close()
        self._gpu = None


def _unlimited_team(threads: int) -> ThreadTeam:
    """Return a team whose slices never end."""
    team = ThreadTeam(threads)
    team.deadline = math.inf
    return team


def _await(future: Future[_Result]) -> Generator[bool, None, _Result]:
    """Wait for a thread's result, within a round."""
    while not future.done():
        wait([future], _WAIT_SECONDS)
        yield False
    return future.result()
