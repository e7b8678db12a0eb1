"""Populations of tours, built in parallel and crossed. Imports Numba: for use inside `solve()`.

Each tour and each pair draws from (seed, population, its number), and all parents of a generation are tours of the
generation before. So threads can divide the work, and their number does not affect the tours.
"""

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from functools import partial
from itertools import count
from time import perf_counter
from typing import Any, Protocol

import numpy as np

from solvers.algorithms.genetic.frequencies_cpu import count_edges
from solvers.algorithms.genetic.kernels.draws_cpu import stream_key
from solvers.algorithms.genetic.kernels.edge_assembly_cpu import SINGLE, Breeding, allocate_crossing
from solvers.algorithms.genetic.kernels.edge_frequency_cpu import allocate_frequencies, entropy_terms
from solvers.algorithms.genetic.kernels.tour_links_cpu import walk
from solvers.algorithms.lin_kernighan.cpu import LocalSearch, RoundResult, make_result, search_breadths, shapes
from solvers.algorithms.lin_kernighan.kernels.cross_cpu import cross_in_groups
from solvers.algorithms.lin_kernighan.kernels.make_tour_cpu import make_tour
from solvers.algorithms.lin_kernighan.kernels.merge_cpu import fill_distances, measure_tour, merge
from solvers.algorithms.lin_kernighan.kernels.search_cpu import NO_TARGET
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import Cities
from solvers.algorithms.lin_kernighan.nearness_cpu import are_clustered, reduce_candidates
from solvers.algorithms.lin_kernighan.params import LinKernighanParams
from solvers.algorithms.lin_kernighan.regions_cpu import RegionSearch
from solvers.algorithms.lin_kernighan.schedule import ALONE, REGIONS, Schedule
from solvers.algorithms.lin_kernighan.start_cpu import build_varied_greedy_tour, maximum_increase
from solvers.kernels.distance_rows_cpu import MATRIX
from solvers.parallel.thread_team import ThreadTeam
from solvers.reporting.populations import find_tour_neighbours

#: Target seconds of a slice of all threads, and of a thread's step on one tour.
_SLICE_SECONDS, _PIECE_SECONDS = 0.04, 0.005
_NO_LIMIT = 1 << 62
#: Number of tours that are built in a round.
_MERGED_PER_ROUND = 8
#: Number of generations without a shorter tour after which a population ends.
_STALE_GENERATIONS = 2
#: Maximum number of generations of a round, and of cities in all tours of its generations. A round has several
#: generations if they are small, because reporting each would take as long as crossing.
_GENERATIONS, _ROUND_CITIES = 4, 1_000_000
#: Work of a thread between two checks of the clock, which takes a few milliseconds; number of cities whose distances
#: are written at a time.
_WORK, _ROWS = 1_000_000, 64
#: Number of random streams of a population.
_STREAMS = 1 << 32
#: `_SHORT_TOUR`: number of cities up to which a pair of tours is crossed within a millisecond. A thread then takes
#: several pairs at a time, because each time it holds the interpreter for about 30 microseconds, and other threads
#: wait. `_MAX_PAIRS`: maximum number of pairs at a time. `_BATCHES_PER_THREAD`: how often a thread takes pairs in a
#: generation, if there are enough pairs.
_SHORT_TOUR, _MAX_PAIRS, _BATCHES_PER_THREAD = 2000, 8, 4
#: Minimum number of cities per thread, in all tours of a generation: waking a thread takes about 50 microseconds.
_WORKER_CITIES = 3000


class TourMaker:
    """Builds one tour in slices: a greedy tour with random lengths, improved to a local optimum and then kicked.

    Parameters
    ----------
    cities : Cities
    params : LinKernighanParams
        The parameters, with the number of kicks for this tour.
    key : tuple of int
        The key of the tour's random draws.
    prices : ndarray, shape (n,), float64, optional
        See `solvers.algorithms.lin_kernighan.start_cpu.build_varied_greedy_tour`.

    Attributes
    ----------
    search : LocalSearch
    """

    def __init__(
        self, cities: Cities, params: LinKernighanParams, key: tuple[int, ...],
        prices: np.ndarray | None = None,
    ) -> None:  # fmt: skip
        rng = np.random.default_rng(key)
        order = build_varied_greedy_tour(cities, int(rng.integers(1 << 62)), prices)
        length = int(measure_tour(cities.policy, cities.matrix, cities.points, order))
        self.search = LocalSearch(cities, order, length, int(rng.integers(1 << 62)), params, None)
        self.search.slice_seconds = _PIECE_SECONDS
        self._evaluated = 0

    def step(self) -> bool:
        """Work for a few milliseconds; return whether the tour is finished."""
        search = self.search
        search.advance(_NO_LIMIT)
        if search.round_over and not search.in_descent:
            return True
        if search.round_over:
            search.start_round()
        return False

    def tour(self) -> tuple[np.ndarray, int]:
        """Return the current tour and its length."""
        result = self.search.end_round()
        return result.order, result.length

    def evaluated(self) -> int:
        """Return the number of exchanges evaluated since the last call."""
        before, self._evaluated = self._evaluated, self.search.evaluated
        return self._evaluated - before


class OneCallTourMaker:
    """Builds the same tour as `TourMaker`, but in one call, for a few cities.

    Parameters
    ----------
    cities, params, key, prices
        See `TourMaker`.
    """

    def __init__(
        self, cities: Cities, params: LinKernighanParams, key: tuple[int, ...], prices: np.ndarray | None
    ) -> None:
        self._arguments, self._prices = (cities, params), prices
        self._seeds = np.random.default_rng(key).integers(1 << 62, size=2).astype(np.uint64)
        self._tour: tuple[np.ndarray, int] | None = None
        self._evaluated = 0

    def step(self) -> bool:
        """Build the tour, and return True, since the tour is then finished."""
        cities, params = self._arguments
        n, prices = len(cities.near), self._prices
        order, temperature = np.empty(n, np.int32), params.heat(n, n)
        length, self._evaluated = make_tour(
            cities, np.zeros(n) if prices is None else prices, maximum_increase(prices), self._seeds,
            search_breadths(params.depth), shapes(), params.kicks, params.walk, temperature, order,
        )  # fmt: skip
        self._tour = order, int(length)
        return True

    def tour(self) -> tuple[np.ndarray, int] | None:
        """Return the tour and its length; None until it is built."""
        return self._tour

    def evaluated(self) -> int:
        """Return the number of exchanges evaluated."""
        return self._evaluated


class AnyTourMaker(Protocol):
    """Builds one tour in steps; see `TourMaker`."""

    def step(self) -> bool:
        """Work for a few milliseconds; return whether the tour is finished."""

    def tour(self) -> tuple[np.ndarray, int] | None:
        """Return the current tour and its length; None if there is no tour yet."""

    def evaluated(self) -> int:
        """Return the number of exchanges evaluated since the last call."""


class MergedSearch:
    """Finds a local optimum and then crosses populations of tours, in slices, like `LocalSearch`.

    Parameters
    ----------
    cities, order, length, seed, params, target
        See `LocalSearch`.
    team : ThreadTeam
    schedule : Schedule
        The kind of search and its sizes. Populations on the CPU use only a few candidates. In clusters, only the first
        population does, since few candidates lead to other clusters. With several threads, one thread finds these few
        candidates while another computes the first local optimum with all candidates, and kicks it.
    """

    def __init__(
        self, cities: Cities, order: np.ndarray, length: int, seed: int, params: LinKernighanParams,
        target: int | None, team: ThreadTeam, schedule: Schedule,
    ) -> None:  # fmt: skip
        self.cities, self._seed, self._params, self._team, self.schedule = cities, seed, params, team, schedule
        self._target = NO_TARGET if target is None else target
        self._all_cities = cities
        fewer = has_few_candidates(cities, schedule)
        # Regions need coordinates; a GPU that kicks tours side by side also kicks the first tour.
        in_regions = schedule.chained_rounds > 0 and cities.policy != MATRIX and schedule.gpu == schedule.one_by_one
        finds = fewer and not in_regions
        self._find_candidates = partial(find_few_candidates, cities, order, schedule) if finds else None
        self._executor = ThreadPoolExecutor(1) if self._find_candidates and team.threads > 1 else None
        self._candidates_future = (
            self._executor.submit(self._find_candidates) if self._executor and self._find_candidates else None
        )
        first = cities, order, length, seed
        self._first: LocalSearch
        if in_regions:
            self._first = RegionSearch(*first, replace(params, kicks=0), target, team, fewer)
        else:
            self._first = LocalSearch(*first, replace(params, kicks=schedule.first_kicks), target)
        # While one thread reduces the candidates, another kicks the first tour.
        self._in_first, self._over, self._extra_rounds = True, False, schedule.chained_rounds or int(finds)
        self._evaluated = 0
        self._order, self._length = order, length
        self._shown = order
        self._prices: np.ndarray | None = None
        self._steps = self._populations()
        self._makers: list[AnyTourMaker | None] = [None] * team.threads
        self._pairs: tuple[Any, ...] = ()
        self._table: np.ndarray | Cities = cities
        self._groups = 0, 0
        self._start_tours: list[tuple[np.ndarray, int] | None] = []

    @property
    def length(self) -> int:
        """Length of the best tour."""
        return self._first.length if self._in_first else self._length

    @property
    def evaluated(self) -> int:
        """Number of exchanges and children evaluated so far; after the first tour, only finished rounds count."""
        return self._first.evaluated if self._in_first else self._evaluated

    @property
    def order(self) -> np.ndarray:
        """The best tour, in the kernels' numbering."""
        return self._first.order if self._in_first else self._order

    @property
    def descending(self) -> bool:
        """Whether the first tour is still on its way to a local optimum."""
        return self._first.descending

    @property
    def complete(self) -> bool:
        """Whether no further improvement is possible."""
        return False

    @property
    def round_over(self) -> bool:
        """Whether the round has ended."""
        return self._first.round_over if self._in_first else self._over

    def start_round(self) -> None:
        """Start the next round."""
        self._over = False
        if self._first.descending or self._extra_rounds:
            self._extra_rounds -= not self._first.descending
            self._first.start_round()
        elif self._in_first:
            self._in_first, self._evaluated = False, self._first.evaluated
            self._order, self._length = self._first.best
            self._links = find_tour_neighbours(self._order[None])[0]

    def end_round(self) -> RoundResult:
        """Return the result of the round: the best tour so far."""
        if self._in_first:
            result = self._first.end_round()
            if result.record is not None:
                self._shown = result.order
                return result
            order, length = result.order, result.length
        else:
            if not self._over:
                self._merge_unfinished()
            order, length = self._order, self._length
        result = make_result(self._shown, order, length)
        self._shown = result.order
        return result

    def advance(self, limit: int) -> None:
        """Work for one slice; before the first population, of at most `limit` exchanges."""
        self._team.deadline = perf_counter() + _SLICE_SECONDS
        if self._in_first:
            self._first.advance(limit)
            return
        self._over = next(self._steps) or self._length <= self._target

    def close(self) -> None:
        """Wait for the search's thread, and free all of a GPU's memory."""
        if self._executor:
            self._executor.shutdown(cancel_futures=True)
        self._first.close()

    def _populations(self) -> Generator[bool, None, None]:
        """Build and cross populations; after each slice, yield whether a round has ended."""
        yield from self._take_candidates()
        self._table = self.cities
        self._crossings = [allocate_crossing(self._order.size) for _ in range(self._team.threads)]
        final = self._first_tours()
        yield from self._fill_table()
        for population in count(1):
            tours = yield from self._tours(population)
            final.append((yield from self._cross(population, [*final, *tours])))
            final += yield from self._exchange(final[-1])
            if self.cities is not self._all_cities and are_clustered(self._all_cities):
                self.cities = self._all_cities

    def _exchange(self, best: tuple[np.ndarray, int]) -> Generator[bool, None, list[tuple[np.ndarray, int]]]:
        """Exchange best tours with other searches, and return theirs; here there are none."""
        return []
        yield False

    def _first_tours(self) -> list[tuple[np.ndarray, int]]:
        """Return the tours to cross with the first population: the search's first tour, if kicked long enough."""
        return [(self._order, self._length)] if self.schedule.chained_rounds else []

    def _tours(self, population: int) -> Generator[bool, None, list[tuple[np.ndarray, int]]]:
        """Build and kick the tours of a population."""
        makers = self._tour_makers(population, self.cities, self._prices)
        return (yield from self._make(makers))

    def _tour_makers(
        self, population: int, cities: Cities, prices: np.ndarray | None, kicks: int = 0
    ) -> list[Callable[[], AnyTourMaker]]:
        """Return functions that create a population's tour makers, with `kicks` per tour, or as many as scheduled."""
        size, kicks_of_city, _ = self.schedule.population(population)
        kind = OneCallTourMaker if self.schedule.builds_in_one_call else TourMaker
        params = replace(self._params, kicks=kicks or max(1, int(kicks_of_city * self._order.size)))
        return [partial(kind, cities, params, (self._seed, population, at), prices=prices) for at in range(size)]

    def _take_candidates(self) -> Generator[bool, None, None]:
        """Wait for the candidates that populations on cores use, unless the first search has found them."""
        if self._first.candidates is not None:
            self.cities, self._prices = self._first.candidates
        elif self._candidates_future is not None:
            while not self._candidates_future.done():
                wait([self._candidates_future], _SLICE_SECONDS)
                yield False
            self.cities, self._prices = self._candidates_future.result()
        elif self._find_candidates is not None:
            self.cities, self._prices = self._find_candidates()
        self._find_candidates = self._candidates_future = None

    def _fill_table(self) -> Generator[bool, None, None]:
        """Compute all distances if they fit into memory."""
        cities, n = self.cities, self._order.size
        if cities.policy == MATRIX:
            self._table = cities.matrix.reshape(-1)
        elif self.schedule.uses_matrix:
            table = np.empty((n, n), np.int32)

            def fill(first: int, last: int) -> None:
                fill_distances(cities.policy, cities.matrix, cities.points, first, last, table)

            for _ in self._team.share(fill, n, _ROWS, self._team.threads):
                yield False
            self._table = table.reshape(-1)

    def _make(
        self, makers: Sequence[Callable[[], AnyTourMaker]], group: int = _MERGED_PER_ROUND
    ) -> Generator[bool, None, list[tuple[np.ndarray, int]]]:
        """Build tours, and return them with their lengths; a round builds `group` tours and merges them into the best.

        Threads do not wait for each other at the end of a round, but begin tours of the next round.
        """
        start_tours: list[tuple[np.ndarray, int] | None] = [None] * len(makers)
        self._start_tours = start_tours
        evaluated, states = np.zeros(len(makers), np.int64), [np.zeros(2, np.int64) for _ in range(self._team.threads)]
        tours: list[tuple[np.ndarray, int]] = []

        def work(worker: int) -> None:
            at, maker = states[worker][0], self._makers[worker]
            if maker is None:
                self._makers[worker] = makers[at]()
            elif maker.step():
                start_tours[at], evaluated[at] = maker.tour(), maker.evaluated()
                self._makers[worker] = None
                states[worker][0] += 1

        def merge_rounds() -> Generator[bool, None, None]:
            """Merge the tours of all finished rounds, and end the rounds."""
            while len(tours) < len(start_tours):
                done = [tour for tour in start_tours[len(tours) : len(tours) + group] if tour is not None]
                first, last = len(tours), min(len(tours) + group, len(start_tours))
                if len(done) < last - first:
                    return
                tours.extend(done)
                start_tours[first:last] = [None] * len(done)
                self._evaluated += int(evaluated[first:last].sum())
                for tour in done:
                    self._evaluated += self._merge(*tour)
                yield True

        for _ in self._team.distribute(work, len(makers), 1, states):
            yield from merge_rounds()
            yield False
        yield from merge_rounds()
        self._start_tours = []
        return tours

    def _merge(self, order: np.ndarray, length: int) -> int:
        """Merge a tour into the best one; return how many AB-cycles were tried."""
        links = find_tour_neighbours(order[None])[0]
        if length < self._length:
            links, self._links, self._length = self._links, links, length
        key = np.uint64(stream_key(np.uint64(self._seed), np.uint64(self._length & (2**64 - 1))))
        change, children = merge(self._table, self.cities.near, self._links, links, self._crossings[0], key)
        self._length += int(change)
        self._order, position = np.empty((2, self._order.size), np.int32)
        walk(self._links, self._order, position)
        return int(children)

    def _merge_unfinished(self) -> None:
        """Merge the finished tours of an interrupted round."""
        unfinished = [start_tour for start_tour in self._start_tours if start_tour is not None]
        for maker in self._makers:
            if maker is not None and (tour := maker.tour()) is not None:
                unfinished.append(tour)
        for start_tour in unfinished:
            self._merge(*start_tour)

    def _cross(
        self, population: int, tours: list[tuple[np.ndarray, int]]
    ) -> Generator[bool, None, tuple[np.ndarray, int]]:
        """Cross tours, with several generations per round, until few children improve; return the shortest tour."""
        m, n, team = len(tours), self._order.size, self._team
        self._groups = self.schedule.groups(population)
        links = find_tour_neighbours(np.array([order for order, _ in tours]))
        lengths = np.array([length for _, length in tours])
        new, new_lengths, child_counts = np.zeros_like(links), lengths.copy(), np.zeros(m, np.int64)
        breeding = Breeding(
            self._table,
            self.cities.near,
            self._groups[1],
            SINGLE,
            allocate_frequencies(m, n),
            entropy_terms(m),
            np.uint64(self._seed),
        )
        rng, (workers, few) = np.random.default_rng((self._seed, population)), divide_pairs(m, n, team.threads)
        spans = [crossing.span for crossing in self._crossings[:workers]]
        still, order, position = 0, *np.empty((2, n), np.int32)
        round_generations = max(1, min(_GENERATIONS, _ROUND_CITIES // (m * n)))
        for generation in count():
            for _ in count_edges(team, links, breeding.frequencies):
                yield False
            sequence, stream = rng.permutation(m).astype(np.int32), population * _STREAMS + generation * m
            self._pairs = breeding, links, lengths, sequence, stream, new, new_lengths, child_counts
            for _ in team.distribute(self._cross_pairs, m, few, spans):
                yield False
            links, new = new, links
            still = 0 if new_lengths.sum() < lengths.sum() else still + 1
            lengths[:] = new_lengths
            self._evaluated += int(child_counts.sum())
            over = still >= _STALE_GENERATIONS or not child_counts.any()
            best = int(np.argmin(lengths))
            walk(links[best], order, position)
            if not over and (generation + 1) % round_generations:
                self._start_tours = [(order, int(lengths[best]))]
                continue
            self._start_tours = []
            self._evaluated += self._merge(order, int(lengths[best]))
            if over:
                return order, int(lengths[best])
            yield True
        raise AssertionError

    def _cross_pairs(self, worker: int) -> None:
        breeding, parents, lengths, sequence, stream, children, new_lengths, child_counts = self._pairs
        cross_in_groups(
            breeding, self._groups[0], parents, lengths, sequence, stream, children, new_lengths, child_counts,
            self._crossings[worker], _WORK,
        )  # fmt: skip


def divide_pairs(m: int, n: int, threads: int) -> tuple[int, int]:
    """Return how many threads cross m pairs of tours of n cities, and how many pairs a thread takes at a time."""
    workers = max(1, min(threads, m * n // _WORKER_CITIES))
    few = 1 if n >= _SHORT_TOUR else min(_MAX_PAIRS, m // (_BATCHES_PER_THREAD * workers) or -(-m // workers))
    return min(workers, -(-m // few)), few


def has_few_candidates(cities: Cities, schedule: Schedule) -> bool:
    """Return whether CPU searches use only a few candidates for this number of cities."""
    return 0 < schedule.candidates < cities.near.shape[1] and cities.policy != MATRIX


def find_few_candidates(cities: Cities, order: np.ndarray, schedule: Schedule) -> tuple[Cities, np.ndarray | None]:
    """Return the cities, with only the few candidates that are nearest by alpha, and their prices.

    If the search keeps all candidates, return the cities unchanged, and None.
    """
    if not has_few_candidates(cities, schedule):
        return cities, None
    return reduce_candidates(cities, order, schedule.candidates)


def make_cpu_search(
    cities: Cities, order: np.ndarray, length: int, seed: int, params: LinKernighanParams, target: int | None,
    team: ThreadTeam,
) -> LocalSearch | MergedSearch:  # fmt: skip
    """Return the search on the CPU for this number of cities, with few candidates if possible."""
    schedule = Schedule.for_cities(params, order.size)
    if schedule.kind not in (ALONE, REGIONS):
        return MergedSearch(cities, order, length, seed, params, target, team, schedule)
    fewer = has_few_candidates(cities, schedule)
    if schedule.kind == REGIONS:
        return RegionSearch(cities, order, length, seed, params, target, team, begins_by_prices=fewer)
    if fewer and not are_clustered(cities):
        cities, _ = find_few_candidates(cities, order, schedule)
    return LocalSearch(cities, order, length, seed, params, target)
