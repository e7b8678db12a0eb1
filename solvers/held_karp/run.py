"""A run of Held-Karp: layers as they are done, turned into events. Imports Numba: for use inside `solve()`."""

from collections.abc import Generator
from time import perf_counter

import numpy as np

from solvers.events import Edges, Event, Front, Layers
from solvers.held_karp.layers import Ends, LayerProgress, LayerTable
from solvers.held_karp.plan import LEAST_CITIES, Plan
from solvers.held_karp.reconstruct import path_of, tour_of
from solvers.neighbours import nearest_neighbour_tour
from solvers.reporting.constructions import chosen_edges, one_tour, tour_edges
from solvers.reporting.statistics import RunStatistics, heartbeat
from solvers.solver import Job

#: Numbers of cities for which it is told what they would take.
_WALL = range(5, 41)
#: Seconds between two signs of life while a path is found again.
_SIGN = 0.03
#: What is counted of each layer, by the names that plan and events have for it.
_COUNTED = ("subsets", "states", "transitions")


def events_of(
    job: Job, plan: Plan, distances: np.ndarray, layers: LayerTable, memory: int
) -> Generator[Event, None, None]:
    """Work through the layers, and tell what comes of it.

    Each layer is a row of the table and a tour: its shortest path through all inner and as many outer cities, from the
    end of which the nearest city is taken again and again. The last layer's tour is the shortest there is.

    Parameters
    ----------
    job : Job
    plan : Plan
    distances : ndarray, shape (n, n), int32
    layers : LayerTable
        Before the first layer. The caller closes it.
    memory : int
        Bytes that the device has.
    """
    statistics, clock, began = RunStatistics(job, plan.layers), job.stop.clock, job.stop.clock.seconds
    yield layers_event(plan, memory)
    while statistics.finished < plan.layers and job.stop.reason is None:
        done = layers.advance()
        if done.best is None:
            yield front(plan, done, clock.seconds)
            statistics.stopped()
            continue
        tour, edges = yield from completed(job, plan, distances, done.layer, done.best)
        batch = one_tour(job, tour, plan.transitions(done.layer), clock.seconds - began)
        began, counted = clock.seconds, statistics.count(batch)
        yield edges
        yield from statistics.events(batch, counted)
        yield front(plan, done, clock.seconds)
        statistics.stopped()
    if not statistics.finished:  # it was stopped within the first layer, and has a tour all the same
        yield from _one(job, statistics, nearest_neighbour_tour(distances) if job.start is None else job.start)


def layers_event(plan: Plan, memory: int) -> Layers:
    """What is to be done, and what other numbers of cities would take."""
    layers = range(plan.layers)
    cities = sorted({*_WALL, plan.n})
    others = [Plan(n, plan.item) for n in cities]
    return Layers(
        inner=plan.inner,
        outer=plan.outer,
        item=plan.item,
        memory=memory,
        **{name: np.array([getattr(plan, name)(layer) for layer in layers], np.int64) for name in (*_COUNTED, "bytes")},
        cities=np.array(cities, np.int64),
        cities_transitions=np.array([float(other.all_transitions) for other in others]),
        cities_bytes=np.array([float(other.most_bytes) for other in others]),
    )


def front(plan: Plan, done: LayerProgress, seconds: float) -> Front:
    """How far the layers have come, after a piece of work."""
    columns = {}
    for name in _COUNTED:
        of = getattr(plan, name)
        columns[name] = np.array([sum(map(of, range(done.layer))) + int(done.share * of(done.layer))], np.int64)
    layer, elapsed = np.array([done.layer], np.int64), np.array([seconds])
    return Front(layer=layer, **columns, elapsed=elapsed, proven=done.is_last(plan))


def completed(
    job: Job, plan: Plan, distances: np.ndarray, layer: int, ends: Ends
) -> Generator[Event, None, tuple[np.ndarray, Edges]]:
    """The tour of a layer, (n,) int32, and its edges: the last layer's from both ends, as it was put together."""
    if layer < plan.layers - 1:
        path = yield from _alive(path_of(plan, distances, ends))
        tour = nearest_neighbour_tour(distances, path)
        return tour, tour_edges(job, layer, tour)
    tour = yield from _alive(tour_of(plan, distances, ends))
    edges = np.stack((tour, np.roll(tour, -1)), axis=1)
    turns = np.arange(plan.n)
    return tour, chosen_edges(job, layer, edges[np.where(turns % 2, plan.n - 1 - turns // 2, turns // 2)])


def _alive(work: Generator[None, None, np.ndarray]) -> Generator[Event, None, np.ndarray]:
    """Do work that yields, with a sign of life now and then, and return what it does."""
    events_of = perf_counter()
    while True:
        try:
            next(work)
        except StopIteration as done:
            return done.value
        if perf_counter() - events_of > _SIGN:
            yield heartbeat()
            events_of = perf_counter()


def replayed(
    job: Job, plan: Plan, distances: np.ndarray, layers: LayerTable, layer: int
) -> Generator[Event, None, None]:
    """Yield the `Edges` of one layer, by doing all layers up to it again."""
    while (done := layers.advance()).layer < layer or done.best is None:
        yield heartbeat()
    _, edges = yield from completed(job, plan, distances, layer, done.best)
    yield edges


def trivial(job: Job) -> Generator[Event, None, None]:
    """A run of so few cities that all tours are alike."""
    assert job.instance.n < LEAST_CITIES
    yield from _one(job, RunStatistics(job, 1), np.arange(job.instance.n, dtype=np.int32))
    nothing = np.zeros(0, np.int64)
    yield Front(nothing, nothing, nothing, nothing, np.zeros(0), proven=True)


def _one(job: Job, statistics: RunStatistics, order: np.ndarray) -> Generator[Event, None, None]:
    """A tour that no layer has made, as the only one of the run."""
    batch = one_tour(job, order, 0, job.stop.clock.seconds)
    yield tour_edges(job, 0, order)
    yield from statistics.events(batch, statistics.count(batch))
