"""Turns the generations of a genetic algorithm into events. Imports Numba: for use inside `solve()`."""

from collections.abc import Generator, Iterator

import numpy as np

from data.distances import tour_length
from solvers.algorithms.genetic.cpu import CpuPopulation
from solvers.algorithms.genetic.generation import Generation, Parents
from solvers.core.events import Crossover, Event
from solvers.core.solver import Job
from solvers.reporting.constructions import report_tour, tour_edges
from solvers.reporting.populations import PopulationReporter
from solvers.reporting.statistics import RECORD_BYTES, FinishedClimbs, RunStatistics, heartbeat


def run_population(
    job: Job, population: CpuPopulation, reporter: PopulationReporter, total: int
) -> Generator[Event, None, None]:
    """Run the generations and yield their events.

    Each generation gives a row of the table and, as long as the record has space, its best tour, edge by edge.

    Parameters
    ----------
    job : Job
    population : CpuPopulation
        The population, before its first generation. The caller closes it.
    reporter : PopulationReporter
    total : int
        Number of generations.
    """
    statistics, recorded = RunStatistics(job, total), 0
    while statistics.finished < total and job.stop.reason is None:
        generation = population.advance()
        if generation is None:
            yield heartbeat()
            statistics.stopped()
            continue
        batch = _batch(generation)
        counted = statistics.count(batch)
        if counted.improvements.size or recorded < RECORD_BYTES:
            recorded += 12 * job.instance.n
            yield from _describe(job, statistics.finished, generation)
        yield from statistics.events(batch, counted)
        last = generation.over or job.stop.reason is not None
        yield from reporter.report(
            generation.number, generation.lengths, generation.tours, linked=generation.linked, last=last
        )
        statistics.stopped()
        if generation.over:
            break
    if not statistics.finished:
        yield from _report_interrupted(job, statistics, population)


def replay(job: Job, population: CpuPopulation, number: int) -> Generator[Event, None, None]:
    """Yield the explained `Edges` of a generation's best tour, by repeating all generations up to it."""
    while True:
        generation = population.advance()
        yield heartbeat()
        if generation is not None and generation.number == number + 1:
            yield from _describe(job, number, generation)
            return


def _describe(job: Job, number: int, generation: Generation) -> Iterator[Event]:
    """Yield the best tour of a generation, after its construction from the parents."""
    if generation.parents is not None:
        yield _crossover(number, generation.order, generation.parents, job.instance.directed)
    yield tour_edges(job, number, generation.order)


def _crossover(number: int, order: np.ndarray, parents: Parents, directed: bool) -> Crossover:
    n, tours = len(order), (order, parents.first_order, parents.second_order)
    child, first, second = (_number_edges(each, directed) for each in tours)
    origin = np.isin(child, first) + 2 * np.isin(child, second).astype(np.uint8)
    removed_at = np.flatnonzero(~np.isin(first, child))
    removed = np.stack((parents.first_order[removed_at], parents.first_order[(removed_at + 1) % n]), axis=1)
    return Crossover(
        number, parents.first, parents.second, parents.first_length, parents.second_length, parents.children,
        origin.astype(np.uint8), removed,
    )  # fmt: skip


def _number_edges(order: np.ndarray, directed: bool) -> np.ndarray:
    """Return the number of each tour edge, (n,) int64; the same in both directions unless `directed`."""
    ends = np.stack((order, np.roll(order, -1)), axis=1).astype(np.int64)
    if not directed:
        ends.sort(axis=1)
    return ends[:, 0] * len(order) + ends[:, 1]


def _batch(generation: Generation) -> FinishedClimbs:
    return FinishedClimbs(
        length=np.array([generation.lengths.min()]),
        moves=np.zeros(1, np.int64),
        evaluations=np.array([generation.children], np.int64),
        seconds=np.array([generation.seconds]),
        order=generation.order[None],
    )


def _report_interrupted(job: Job, statistics: RunStatistics, population: CpuPopulation) -> Generator[Event, None, None]:
    """Report a tour of a run that ended within its first generation."""
    order = population.find_unfinished()
    if job.start is not None and tour_length(job.instance, job.start) < tour_length(job.instance, order):
        order = job.start
    yield from report_tour(job, statistics, order, 1, job.stop.clock.seconds)
