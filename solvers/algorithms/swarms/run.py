"""Turns the iterations of a swarm into events."""

from collections.abc import Generator
from time import perf_counter

import numpy as np

from solvers.algorithms.swarms.swarm import Swarm
from solvers.core.events import Event
from solvers.core.solver import Job
from solvers.reporting.constructions import report_tour, tour_edges
from solvers.reporting.populations import PopulationReporter
from solvers.reporting.statistics import RECORD_BYTES, FinishedClimbs, RunStatistics, heartbeat


def run_swarm(job: Job, swarm: Swarm, population: PopulationReporter, iterations: int) -> Generator[Event, None, None]:
    """Run the iterations of a swarm and yield their events.

    Each iteration gives a row of the table and, while the record has room, its best tour, edge by edge. An interrupted
    iteration does not count, unless it is the first; then the best of the initial tours is the result.

    Parameters
    ----------
    job : Job
    swarm : Swarm
        The swarm, before its first iteration.
    population : PopulationReporter
        The reporter, with its kernels loaded.
    iterations : int
        Total number of iterations.
    """
    statistics, recorded = RunStatistics(job, iterations), 0
    while statistics.finished < iterations and job.stop.reason is None:
        start_time = perf_counter()
        for _ in swarm.iterate():
            yield heartbeat()
            if statistics.stopped():
                break
        else:
            at = statistics.finished
            if statistics.improves(swarm.best_length) or recorded < RECORD_BYTES:
                recorded += 12 * job.instance.n
                yield tour_edges(job, at, swarm.best)
            batch = _batch(swarm, perf_counter() - start_time)
            yield from statistics.events(batch, statistics.count(batch))
            yield from population.report(at + 1, swarm.lengths, swarm.tours, last=statistics.stopped())
    if not statistics.finished:
        yield from report_tour(job, statistics, swarm.best, swarm.size, job.stop.clock.seconds)
        statistics.stopped()


def replay(job: Job, swarm: Swarm, iteration: int) -> Generator[Event, None, None]:
    """Yield the `Edges` of an iteration's best tour, by repeating all iterations up to it."""
    for _ in range(iteration + 1):
        for _ in swarm.iterate():
            yield heartbeat()
        yield heartbeat()
    yield tour_edges(job, iteration, swarm.best)


def _batch(swarm: Swarm, seconds: float) -> FinishedClimbs:
    """Return the last iteration as a batch of one."""
    return FinishedClimbs(
        length=np.array([swarm.best_length], np.int64),
        moves=np.zeros(1, np.int64),
        evaluations=np.array([swarm.evaluations], np.int64),
        seconds=np.array([seconds]),
        order=swarm.best[None],
    )
