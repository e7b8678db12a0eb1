"""Turns the rounds of a Lin-Kernighan run into events. Imports Numba: for use inside `solve()`."""

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from contextlib import ExitStack, closing
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from solvers.algorithms.lin_kernighan.candidates_cpu import number_cities
from solvers.algorithms.lin_kernighan.cpu import LocalSearch
from solvers.algorithms.lin_kernighan.directed_cpu import DirectedSearch, Pairs, rotate_to
from solvers.algorithms.lin_kernighan.kernels.merge_cpu import measure_tour
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import Cities
from solvers.algorithms.lin_kernighan.merged_cpu import MergedSearch
from solvers.algorithms.lin_kernighan.params import LinKernighanParams
from solvers.algorithms.lin_kernighan.paths_cpu import ClosedPath, find_round_trip
from solvers.algorithms.lin_kernighan.recorder import InsertionRecorder, RoundRecorder
from solvers.algorithms.lin_kernighan.start_cpu import build_greedy_tour
from solvers.core.devices import cuda_devices, gpu_text
from solvers.core.events import Event, Started, Tour
from solvers.core.kernel_distances import build_measure
from solvers.core.solver import Job
from solvers.parallel.thread_team import ThreadTeam
from solvers.reporting.climbs import count_climb_bytes
from solvers.reporting.statistics import RECORD_BYTES, FinishedClimbs, RunStatistics, make_heartbeat

if TYPE_CHECKING:
    from solvers.algorithms.lin_kernighan.islands_cuda import IslandSearch

#: Seconds between two heartbeats while nothing else is reported.
_HEARTBEAT_SECONDS = 0.05
_NO_LIMIT = 1 << 62
#: Rounds are recorded up to this product of moves and cities. A move writes part of the tour, which takes about ten
#: microseconds with 20,000 cities; with more cities, writing would take longer than searching.
_MAX_WRITTEN = 1 << 32

#: A function that creates a search from cities, order, length, seed, parameters, target and threads.
SearchKind = Callable[..., "LocalSearch | MergedSearch | IslandSearch"]


def run_search(
    job: Job, threads: int, search: SearchKind, loading: Iterator[Event] | None = None
) -> Generator[Event, None, None]:
    """Find candidates, make the start tour, improve it in rounds, and yield the events.

    Each round yields a row of the table and, while the record has room, a climb from the previous tour. Round 0 makes
    the start tour.

    Parameters
    ----------
    job : Job
    threads : int
    search : SearchKind
    loading : iterator of Event, optional
        Loads the kernels that the start tour does not need; that tour is reported before.
    """
    with closing(_Run(job, threads, search)) as run:
        yield from _run_in_thread(run.make_start_tour)
        if loading is not None:
            yield from run.report_start_tour()
            yield from loading
        run.begin()
        yield from run.events()


def replay(job: Job, threads: int, search: SearchKind, number: int) -> Iterator[Event]:
    """Yield the `Moves` of a round, by repeating all rounds up to that one."""
    with closing(_Run(job, threads, search)) as run:
        yield from _run_in_thread(run.make_start_tour)
        run.begin()
        for at in range(number):
            yield from run.work()
            run.discard_round(at)
        yield from run.work()
        result = run.search.end_round()
        yield from run.recorder.round(number, *run.recorder.rows(result))


class _Run:
    """A run: its search, and the exchanges of the current round."""

    def __init__(self, job: Job[LinKernighanParams], threads: int, search: SearchKind) -> None:
        self._job, self._params, self._search_of = job, job.params, search
        self._ends = ExitStack()
        self._team = ThreadTeam(threads)
        self._ends.callback(self._team.close)
        self._start: tuple[Cities, np.ndarray, int]
        self.search: LocalSearch | MergedSearch | IslandSearch | DirectedSearch
        self.recorder: RoundRecorder | InsertionRecorder
        self._statistics = RunStatistics(job, job.params.rounds)
        self._bytes, self._written, self._seconds, self._evaluated = 0, 0, 0.0, 0
        self._finished, self._lost = 0, 0
        self._is_reported = False  # whether the start tour has been reported before round 0

    def make_start_tour(self) -> None:
        """Find candidates and make the start tour; `begin` does so for directed instances."""
        job, params, team, start_time = self._job, self._params, self._team, perf_counter()
        if not job.instance.directed:
            cities, self._names = number_cities(job.instance, params.neighbours, params.quadrants, team)
            order = build_greedy_tour(cities, team) if job.start is None else _to_instance(job.start, self._names)
            length = int(measure_tour(cities.policy, cities.matrix, cities.points, order))
            self._start = cities, order, length
        self._seconds = perf_counter() - start_time

    def report_start_tour(self) -> Iterator[Event]:
        """Before round 0, report the start tour if it is a new best."""
        _, order, length = self._start
        if self._statistics.improves(length):
            self._is_reported = True
            yield Tour(self._names[order], length, 0)

    def begin(self) -> None:
        """Create the search at the start tour."""
        start_time = perf_counter()
        if self._job.instance.directed:
            self._begin_directed()
        else:
            (cities, order, length), job = self._start, self._job
            self.search = self._search_of(*self._start, job.seed, self._params, job.stop.budget.target, self._team)
            self.recorder = RoundRecorder(cities, self._names, order, length)
        self._ends.callback(self.search.close)
        self._seconds += perf_counter() - start_time

    def _begin_directed(self) -> None:
        """Create the search of a directed instance, whose cities keep their numbers."""
        job, params = self._job, self._params
        base = find_round_trip(job.instance)
        pairs: Pairs | ClosedPath
        if base is not None:
            pairs = ClosedPath(job.instance, base, params, self._team)
        else:
            pairs = Pairs(build_measure(job.instance).matrix, params, self._team)
        order = pairs.start if job.start is None else job.start.astype(np.int32)
        order = rotate_to(order, pairs.anchor(order))
        self._names = np.arange(order.size, dtype=np.int32)
        self.search = DirectedSearch(pairs, order, job.seed, params, job.stop.budget.target, self._team)
        self.recorder = InsertionRecorder(order, pairs.length(order), pairs.moves_per_step)

    def close(self) -> None:
        """Free the search and stop the threads."""
        self._ends.close()

    def events(self) -> Iterator[Event]:
        """Run the rounds and report them."""
        job, statistics = self._job, self._statistics
        while statistics.finished < self._params.rounds and job.stop.reason is None:
            yield from self.work()
            if not self._round_over:
                break
            yield from self._report()
            yield from self._report_lost()
            statistics.stopped()
            if self.search.complete and statistics.finished > 1:
                break
        if not statistics.finished:
            yield from self._report()
        elif not self._round_over:
            yield from self._report_interrupted()

    def work(self) -> Iterator[Event]:
        """Work until the current round is over or the run is stopped; yield heartbeats."""
        job, search, statistics = self._job, self.search, self._statistics
        if self._finished == 0:
            return
        if self._finished > 1 or search.evaluated:
            search.start_round()
        start_time = last = perf_counter()
        limit = job.stop.budget.evaluations
        while not search.round_over:
            evaluations_left = (
                _NO_LIMIT if limit is None else limit - statistics.evaluations - (search.evaluated - self._evaluated)
            )
            if evaluations_left <= 0 and self._seconds:
                break
            search.advance(evaluations_left)
            now = perf_counter()
            if now - last > _HEARTBEAT_SECONDS:
                last = now
                yield make_heartbeat()
            done = statistics.evaluations + search.evaluated - self._evaluated
            if job.stop.update(statistics.iterations, done, statistics.best):
                break
        self._seconds = perf_counter() - start_time

    @property
    def _round_over(self) -> bool:
        return self._finished == 0 or self.search.round_over

    def discard_round(self, number: int) -> None:
        """Apply the current round without reporting it, and start the next."""
        result = self.search.end_round()
        for _ in self.recorder.round(number, *self.recorder.rows(result)):
            pass
        self._finished += 1
        self._evaluated = self.search.evaluated

    def _report(self) -> Iterator[Event]:
        """Report the finished round."""
        search, statistics = self.search, self._statistics
        result = search.end_round()
        count = 0 if result.record is None else self.recorder.count(result.record[: result.best_count])
        orders = self._names[result.order][None][: 0 if self._is_reported else 1]
        moves, evaluated = count // self.recorder.moves_per_step, search.evaluated - self._evaluated
        batch = FinishedClimbs.of_tours([result.length], [evaluated], [self._seconds], orders, moves)
        self._is_reported = False
        counted = statistics.count(batch)
        size = int(count_climb_bytes(np.array([count]), search.order.size)[0])
        self._written += count * search.order.size
        if result.record is not None and self._bytes + size <= RECORD_BYTES and self._written <= _MAX_WRITTEN:
            self._bytes += size
            yield from self.recorder.round(statistics.finished, *self.recorder.rows(result))
        else:
            self._bytes = RECORD_BYTES
        yield from statistics.events(batch, counted)
        self._finished += 1
        self._evaluated = search.evaluated

    def _report_lost(self) -> Iterator[Event]:
        """After a GPU has failed, report the remaining ones."""
        lost, job = len(getattr(self.search, "lost_devices", ())), self._job
        if lost > self._lost:
            count, self._lost = len(cuda_devices()), lost
            device = f"{gpu_text(count - lost)}, exact distances; {lost} of {count} GPUs failed"
            yield Started("lin-kernighan", job.variant.name, device, self._team.threads, 0.0)

    def _report_interrupted(self) -> Iterator[Event]:
        """Report the tour of an interrupted round if it is a new best."""
        search, statistics = self.search, self._statistics
        result = search.end_round()
        statistics.evaluations += search.evaluated - self._evaluated
        if statistics.improves(result.length):
            yield statistics.tour(self._names[result.order], result.length, statistics.finished)
        statistics.stopped()


def _to_instance(order: np.ndarray, names: np.ndarray) -> np.ndarray:
    """Convert a tour of the instance to the kernels' numbering."""
    number = np.empty_like(names)
    number[names] = np.arange(names.size, dtype=np.int32)
    return number[order]


def _run_in_thread(work: Callable[[], None]) -> Iterator[Event]:
    """Run work in a thread, and yield heartbeats until it is done."""
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(work)
        while True:
            try:
                future.result(_HEARTBEAT_SECONDS)
                return
            except NotYet:
                yield make_heartbeat()
