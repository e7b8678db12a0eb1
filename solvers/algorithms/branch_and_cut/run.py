"""Reports the nodes of a branch-and-cut run as events. Imports Numba and HiGHS: for use inside `solve()`."""

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from contextlib import closing
from functools import partial
from time import perf_counter
from typing import TypeVar

import numpy as np

from data.distances import tour_length
from data.generators import directed, uniform
from data.instance import Instance
from solvers.algorithms.branch_and_cut.graph import Graph
from solvers.algorithms.branch_and_cut.kernels.bound_cpu import min_sum, reduce_costs
from solvers.algorithms.branch_and_cut.search import NodeResult, Search
from solvers.algorithms.branch_and_cut.separation import find_violated
from solvers.algorithms.branch_and_cut.tours import TourFinder
from solvers.algorithms.held_karp.plan import MIN_CITIES
from solvers.algorithms.lin_kernighan.kernels.chain_cpu import first_position
from solvers.bounds.lower_bound import compute_lower_bounds
from solvers.core.events import Edges, Event, Tour, Tree
from solvers.core.solver import Job
from solvers.reporting.constructions import make_batch, make_edges_event, make_tour_event, report_tour
from solvers.reporting.statistics import RECORD_BYTES, RunStatistics, make_heartbeat
from solvers.worker.kernel_loading import load_in_two_parts

T = TypeVar("T")
#: Seconds between two events within a node, and before an event during a longer step.
_SECONDS = 0.05
#: Number of nodes after which not every node has a row of progress.
_NODES = 20_000
#: Seed of the first tour's kicks. Nothing else is random, so all runs are the same.
_SEED = 1
#: Number of cities of the instance that loads the kernels; number of calls that load the kernels of the start tour.
_LOADING_CITIES, _START_CALLS = 12, 2
#: The kinds of instances, directed or not, whose kernels this process has loaded.
_loaded_kinds: set[bool] = set()


def load(is_directed: bool) -> Generator[None, None, None]:
    """Compile or load the kernels once per process, on an instance of a few cities.

    Yields once if some had to be compiled, as soon as the kernels of the start tour are loaded.
    """
    if is_directed in _loaded_kinds:
        return
    instance = (directed if is_directed else uniform)(_LOADING_CITIES, 1)
    calls: list[Callable[[], object]] = [
        partial(first_position, np.uint64(1), 1), partial(_load_start, instance), _load_proof,
        partial(_load_kicks, instance), partial(_load_bound, instance), _load_separation,
    ]  # fmt: skip
    yield from load_in_two_parts(calls, _START_CALLS)
    _loaded_kinds.add(is_directed)


def _load_start(instance: Instance) -> None:
    with closing(TourFinder(instance, Graph(instance), _SEED)) as tours:
        tours.greedy_tour()


def _load_kicks(instance: Instance) -> None:
    with closing(TourFinder(instance, Graph(instance), _SEED)) as tours:
        tours.begin(np.arange(_LOADING_CITIES, dtype=np.int32))
        for _ in range(2):  # the descent, and kicks
            tours.kick()


def _load_bound(instance: Instance) -> None:
    for _ in compute_lower_bounds(instance):
        continue


def _load_separation() -> None:
    """Find the cuts of the smallest example that has a comb."""
    ends = np.array([[0, 1], [1, 2], [0, 2], [3, 4], [4, 5], [3, 5], [0, 3], [1, 4], [2, 5]], np.int32)
    (cut, *_) = find_violated(6, ends, np.array([0.5] * 6 + [1.0] * 3), [])
    assert cut.kind == "comb"


def _load_proof() -> None:
    no_sets, nothing = np.zeros(1, np.int64), np.zeros((4, 4), np.int64)
    reduce_costs(nothing, no_sets.repeat(4), no_sets, np.zeros(0, np.int32), np.zeros(0, np.int64), nothing.copy())
    min_sum(nothing, nothing.astype(np.int8))


def run_tree(job: Job, loading: Iterator[Event] | None = None) -> Generator[Event, None, None]:
    """Process the tree and yield its events.

    Iteration 0 is the first tour, which is the tree's first upper bound. The others are nodes, each with a tour made
    from its relaxation.

    Parameters
    ----------
    job : Job
    loading : iterator of Event, optional
        Loads the kernels that the start tour does not need; that tour is reported first.
    """
    statistics = RunStatistics(job, _NODES)
    if job.instance.n < MIN_CITIES:
        yield from _report_only_tour(job, statistics)
        return
    recorded = counted = 0
    with closing(Search(job.instance, _SEED, job.start)) as search, ThreadPoolExecutor(1) as pool:
        start = yield from _run_in_thread(pool, search.start_tour)
        if loading is not None:
            if statistics.improves(length := tour_length(job.instance, start)):
                yield Tour(start, length, 0)
            yield from loading
        start_time = reported = perf_counter()
        steps = search.steps()
        while job.stop.reason is None:
            result, over = yield from _run_in_thread(pool, lambda: _next_result(steps))
            if over:
                break
            now = perf_counter()
            if result is None:
                if now - reported > _SECONDS and search.length is not None:
                    reported = now
                    yield make_tree_event(job, search, statistics.finished)
                    statistics.stopped()
                continue
            batch = make_batch(job, result.order, search.relaxations - counted, now - start_time)
            start_time, reported, counted = now, now, search.relaxations
            done = statistics.count(batch)
            recorded += job.instance.n * 12
            if recorded <= RECORD_BYTES or done.improvements.size:
                yield _sort_edges(job, statistics.finished, result)
            yield from statistics.events(batch, done)
            yield make_tree_event(job, search, statistics.finished)
            statistics.stopped()
        if search.proven:
            yield make_tree_event(job, search, statistics.finished)
        elif not statistics.finished:  # stopped before the first tour was finished
            order = search.order if search.length is not None else np.arange(job.instance.n, dtype=np.int32)
            yield from report_tour(job, statistics, order, 0, job.stop.clock.seconds)


def make_tree_event(job: Job, search: Search, nodes: int) -> Tree:
    """Return the state of the tree; the first tour does not count as a node."""
    counts = (max(0, nodes - 1), len(search.open), search.depth, search.cuts, search.relaxations, search.columns)
    assert search.length is not None
    columns = [np.array([value], np.int64) for value in (*counts, min(search.bound, search.length), search.length)]
    node, opened, depth, cuts, relaxations, edges, bound, length = columns
    elapsed = np.array([job.stop.clock.seconds])
    return Tree(node, opened, depth, cuts, relaxations, edges, bound, length, elapsed, search.proven)


def replay(job: Job, climber: int) -> Iterator[Event]:
    """Yield the `Edges` of a node, by repeating the search up to that node."""
    if job.instance.n < MIN_CITIES:
        yield make_tour_event(job, 0, _find_only_tour(job.instance))
        return
    with closing(Search(job.instance, _SEED, job.start)) as search:
        done = 0
        for result in search.steps():
            if result is not None:
                if done == climber:
                    yield _sort_edges(job, climber, result)
                    return
                done += 1
            yield make_heartbeat()


def _sort_edges(job: Job, climber: int, result: NodeResult) -> Edges:
    """Return a tour's edges in descending order of their values in the relaxation."""
    edges = np.stack((result.order, np.roll(result.order, -1)), axis=1)
    return make_edges_event(job, climber, edges[np.argsort(-result.value, kind="stable")])


def _next_result(steps: Iterator[NodeResult | None]) -> tuple[NodeResult | None, bool]:
    """Return the next step's result, and whether the steps have ended."""
    for result in steps:
        return result, False
    return None, True


def _run_in_thread(pool: ThreadPoolExecutor, work: Callable[[], T]) -> Generator[Event, None, T]:
    """Run work in a thread, yield heartbeats meanwhile, and return its result."""
    future = pool.submit(work)
    while True:
        try:
            return future.result(_SECONDS)
        except NotYet:
            yield make_heartbeat()


def _find_only_tour(instance: Instance) -> np.ndarray:
    """Return the only tour of at most three cities, in its shorter direction."""
    order = np.arange(instance.n, dtype=np.int32)
    return min(order, order[::-1], key=lambda each: tour_length(instance, each))


def _report_only_tour(job: Job, statistics: RunStatistics) -> Iterator[Event]:
    """Report a run of at most three cities, which have a single tour."""
    yield from report_tour(job, statistics, _find_only_tour(job.instance), 0, job.stop.clock.seconds)
    nothing = np.zeros(0, np.int64)
    yield Tree(nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, np.zeros(0), True)
