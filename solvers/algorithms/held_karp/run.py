"""Turns finished Held-Karp layers into events. Imports Numba: for use inside `solve()`."""

from collections.abc import Generator
from functools import partial
from time import perf_counter

import numpy as np

from data.distances import tour_length
from solvers.algorithms.held_karp.layers import Ends, LayerPlan, LayerProgress, LayerTable, Path
from solvers.algorithms.held_karp.plan import MIN_CITIES, Plan
from solvers.algorithms.held_karp.reconstruct import rebuild_path, rebuild_tour
from solvers.core.events import Edges, Event, Front, Layers
from solvers.core.neighbours import nearest_neighbour_tour
from solvers.core.solver import Job
from solvers.reporting.constructions import make_batch, make_edges_event, make_tour_event, report_tour
from solvers.reporting.statistics import RunStatistics, make_heartbeat

#: Numbers of cities for which the cost is reported, for comparison.
_COMPARED_SIZES = range(5, 41)
#: Seconds between two heartbeats while a path is reconstructed.
_HEARTBEAT_SECONDS = 0.03
#: What is counted in each layer, by its name in `Plan` and in the events.
_COUNT_NAMES = ("subsets", "states", "transitions")


def run_layers(
    job: Job, plan: LayerPlan, distances: np.ndarray, layers: LayerTable, memory: int
) -> Generator[Event, None, None]:
    """Compute the layers and yield their events.

    Each layer k reports one tour: its shortest path through k outer cities and all inner ones, completed by the
    nearest-neighbour rule. The last layer's tour is the shortest of all.

    Parameters
    ----------
    job : Job
    plan : Plan or QinHanPlan
    distances : ndarray, shape (n, n), int32
    layers : LayerTable
        The layers, not yet advanced. The caller closes them.
    memory : int
        Bytes of the device's memory.
    """
    statistics, clock, start_time = RunStatistics(job, plan.layers), job.stop.clock, job.stop.clock.seconds
    yield make_layers_event(plan, memory)
    while statistics.finished < plan.layers and job.stop.reason is None:
        done = layers.advance()
        if done.best is None:
            yield make_front_event(plan, done, clock.seconds)
            statistics.stopped()
            continue
        tour, edges = yield from complete_tour(job, plan, distances, done.layer, done.best)
        batch = make_batch(job, tour, plan.transitions(done.layer), clock.seconds - start_time)
        start_time, counted = clock.seconds, statistics.count(batch)
        yield edges
        yield from statistics.events(batch, counted)
        yield make_front_event(plan, done, clock.seconds)
        statistics.stopped()
    if not statistics.finished:  # the run ended within the first layer, but must report a tour
        order = nearest_neighbour_tour(distances) if job.start is None else job.start
        yield from report_tour(job, statistics, order, 0, clock.seconds)


def make_layers_event(plan: LayerPlan, memory: int) -> Layers:
    """Return the event with each layer's work, and the cost of other numbers of cities."""
    layers = range(plan.layers)
    cities = sorted({*_COMPARED_SIZES, plan.n})
    others = [plan.resize(n) for n in cities]
    return Layers(
        inner=plan.inner_count,
        outer=plan.outer_count,
        item=plan.item,
        memory=memory,
        **{
            name: np.array([getattr(plan, name)(layer) for layer in layers], np.int64)
            for name in (*_COUNT_NAMES, "bytes")
        },
        cities=np.array(cities, np.int64),
        cities_transitions=np.array([float(other.all_transitions) for other in others]),
        cities_bytes=np.array([float(other.peak_bytes) for other in others]),
    )


def make_front_event(plan: LayerPlan, progress: LayerProgress, seconds: float) -> Front:
    """Return the progress event after a slice of work."""
    columns = {}
    for name in _COUNT_NAMES:
        count = getattr(plan, name)
        columns[name] = np.array(
            [sum(map(count, range(progress.layer))) + int(progress.share * count(progress.layer))], np.int64
        )
    layer, elapsed = np.array([progress.layer], np.int64), np.array([seconds])
    return Front(layer=layer, **columns, elapsed=elapsed, proven=progress.is_last(plan))


def complete_tour(
    job: Job, plan: LayerPlan, distances: np.ndarray, layer: int, best: Ends | Path
) -> Generator[Event, None, tuple[np.ndarray, Edges]]:
    """Complete a layer's best path to a tour; yield heartbeats; return the tour, (n,) int32, and its edges.

    In the last layer, where two paths meet, the edges are listed alternately from both ends of the tour.
    """
    if isinstance(best, Path):
        tour = nearest_neighbour_tour(distances, best.cities)
        return tour, make_tour_event(job, layer, tour)
    assert isinstance(plan, Plan)
    if layer < plan.layers - 1:
        path = yield from _run_with_heartbeats(rebuild_path(plan, distances, best))
        tour = nearest_neighbour_tour(distances, path)
        return tour, make_tour_event(job, layer, tour)
    tour = yield from _run_with_heartbeats(rebuild_tour(plan, distances, best))
    edges = np.stack((tour, np.roll(tour, -1)), axis=1)
    turns = np.arange(plan.n)
    return tour, make_edges_event(job, layer, edges[np.where(turns % 2, plan.n - 1 - turns // 2, turns // 2)])


def _run_with_heartbeats(work: Generator[None, None, np.ndarray]) -> Generator[Event, None, np.ndarray]:
    """Run a generator to its end; yield heartbeats, and return the generator's result."""
    last = perf_counter()
    while True:
        try:
            next(work)
        except StopIteration as done:
            return done.value
        if perf_counter() - last > _HEARTBEAT_SECONDS:
            yield make_heartbeat()
            last = perf_counter()


def replay(
    job: Job, plan: LayerPlan, distances: np.ndarray, layers: LayerTable, layer: int
) -> Generator[Event, None, None]:
    """Yield the `Edges` of a layer's tour, by computing all layers up to that one again."""
    while (done := layers.advance()).layer < layer or done.best is None:
        yield make_heartbeat()
    _, edges = yield from complete_tour(job, plan, distances, layer, done.best)
    yield edges


def report_only_tour(job: Job) -> Generator[Event, None, None]:
    """Report a run of at most three cities, which have only one tour, in two directions."""
    assert job.instance.n < MIN_CITIES
    order = np.arange(job.instance.n, dtype=np.int32)
    shorter = min((order, np.roll(order[::-1], 1)), key=partial(tour_length, job.instance))
    yield from report_tour(job, RunStatistics(job, 1), shorter, 0, job.stop.clock.seconds)
    nothing = np.zeros(0, np.int64)
    yield Front(nothing, nothing, nothing, nothing, np.zeros(0), proven=True)
