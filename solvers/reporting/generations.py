"""Turns a population's generations into events. Imports Numba: for use inside `solve()`."""

from collections.abc import Callable, Generator, Iterator

from solvers.core.events import Event
from solvers.core.solver import Job
from solvers.parallel.population import Generation, Population
from solvers.reporting.constructions import report_tour
from solvers.reporting.populations import PopulationReporter
from solvers.reporting.statistics import RECORD_BYTES, FinishedClimbs, RunStatistics, make_heartbeat

#: A function that yields the events of a generation's best tour, given job, generation's index and generation.
Describe = Callable[[Job, int, Generation], Iterator[Event]]


def run_population(
    job: Job, population: Population, reporter: PopulationReporter, total: int, describe: Describe
) -> Generator[Event, None, None]:
    """Run the generations and yield their events.

    Each generation yields a row of the table and, as long as the record has room, its best tour. An interrupted
    generation does not count, unless it is the first; then one of its tours is the result.

    Parameters
    ----------
    job : Job
    population : Population
        The population, before its first generation. The caller closes it.
    reporter : PopulationReporter
    total : int
        Number of generations.
    describe : callable
    """
    statistics, recorded, over = RunStatistics(job, total), 0, False
    while statistics.finished < total and job.stop.reason is None and not over:
        generation = population.advance()
        if generation is None:
            yield make_heartbeat()
            statistics.stopped()
            continue
        batch = FinishedClimbs.of_tours(
            [generation.length], [generation.evaluations], [generation.seconds], generation.order[None]
        )
        counted = statistics.count(batch)
        if counted.improvements.size or recorded < RECORD_BYTES:
            recorded += 12 * job.instance.n
            yield from describe(job, statistics.finished, generation)
        yield from statistics.events(batch, counted)
        over = statistics.stopped() or generation.over
        yield from reporter.report(statistics.finished, generation, last=over)
    if not statistics.finished:
        yield from report_tour(job, statistics, population.find_unfinished(), 1, job.stop.clock.seconds)
        statistics.stopped()


def replay(job: Job, population: Population, number: int, describe: Describe) -> Generator[Event, None, None]:
    """Yield the events of a generation's best tour, by repeating all generations up to that one."""
    at = 0
    while (generation := population.advance()) is None or at < number:
        at += generation is not None
        yield make_heartbeat()
    yield from describe(job, number, generation)
