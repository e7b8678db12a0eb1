"""Turns an ant colony's iterations into events."""

from collections.abc import Generator

import numpy as np

from data.distances import distance_matrix
from solvers.algorithms.ants.colony import AntColony, Iterations
from solvers.algorithms.ants.explanations import choose_explained
from solvers.algorithms.ants.final_local_search import shorten_best_tour
from solvers.algorithms.ants.heatmap import HeatmapRenderer
from solvers.core.events import Ants, Colony, Event, Phases, Shortened
from solvers.core.neighbours import nearest_neighbour_tour
from solvers.core.solver import Job
from solvers.reporting.constructions import make_tour_event, make_tour_events, report_tour
from solvers.reporting.pictures import find_next_picture, is_explainable
from solvers.reporting.statistics import PROGRESS_ROWS, RECORD_BYTES, FinishedClimbs, RunStatistics, make_heartbeat

#: Seconds between heartbeats.
_WAIT = 0.03


def run_colony(job: Job, colony: AntColony, iterations: int) -> Generator[Event, None, None]:
    """Advance a colony and yield its events.

    Each iteration yields a row of the table and, while the record has room, its best ant's tour, edge by edge. Some
    iterations, chosen by their number alone, are explained. Heatmaps of the trails follow some iterations, also chosen
    by their number, and the last one. If requested, local search improves the best tour at the end.

    Parameters
    ----------
    job : Job
    colony : AntColony
        The colony, before its first iteration. The caller closes it.
    iterations : int
        Total number of iterations.
    """
    statistics, recorded, best_order = RunStatistics(job, iterations), 0, job.start
    colony.explain(choose_explained(job))
    with Pictures(job, iterations) as pictures:
        pictures.start_heatmap(0, colony, None)
        while statistics.finished < iterations and job.stop.reason is None:
            yield from pictures.take_finished()
            results = colony.advance(pictures.next_heatmap(statistics.finished))
            if results is None:
                yield make_heartbeat()
                statistics.stopped()
                continue
            evaluations = np.full(results.best.size, colony.ants)
            batch = FinishedClimbs.of_tours(results.best, evaluations, results.seconds, results.order)
            counted = statistics.count(batch)
            first = statistics.finished
            if counted.improvements.size:
                best_order = results.order[counted.improvements[-1]]
            room = -(-max(RECORD_BYTES - recorded, 0) // (12 * job.instance.n))
            chosen = np.union1d(np.arange(min(room, counted.k)), counted.improvements).astype(np.int64)
            recorded += 12 * job.instance.n * chosen.size
            for edges in make_tour_events(job, (first + chosen).tolist(), results.order[chosen]):
                yield from (explanation for explanation in results.explanations if explanation.climber == edges.climber)
                yield edges
            yield from statistics.events(batch, counted)
            yield from _report_numbers(results, first, counted.k, iterations)
            if counted.k == batch.length.size and statistics.finished == pictures.next_heatmap(first):
                if job.pictures:
                    yield Ants(statistics.finished, results.lengths)
                yield from pictures.wait_for_heatmap()
                pictures.start_heatmap(statistics.finished, colony, best_order)
            statistics.stopped()
        yield from pictures.wait_for_all()
    if not statistics.finished:
        best_order = yield from _report_interrupted(job, statistics, colony)
    yield from shorten_best_tour(job, statistics, best_order)


class Pictures(HeatmapRenderer):
    """Heatmaps of a colony's trails, if requested.

    Parameters
    ----------
    job : Job
    iterations : int
        Total number of iterations; there is always a heatmap of the last one.
    """

    def __init__(self, job: Job, iterations: int) -> None:
        super().__init__(job.instance)
        self._wanted, self._clock, self._last = job.pictures, job.stop.clock, iterations

    def next_heatmap(self, iteration: int) -> int:
        """Return the next iteration after which there is a heatmap."""
        return min(self._last, find_next_picture(iteration)) if self._wanted else self._last

    def wait_for_heatmap(self) -> Generator[Event, None, None]:
        """Yield heartbeats until another heatmap can start; the run's clock is paused meanwhile."""
        while self._wanted and self._must_wait():
            yield make_heartbeat()

    def _must_wait(self) -> bool:
        with self._clock.paused():
            return self.is_full(_WAIT)

    def start_heatmap(self, iteration: int, colony: AntColony, best_order: np.ndarray | None) -> None:
        """Start a heatmap of the current trails; the run's clock is paused, since rendering is not solver time."""
        if self._wanted:
            with self._clock.paused():
                self.draw(iteration, colony.trails(), best_order)


def replay(job: Job, colony: AntColony, iteration: int) -> Generator[Event, None, None]:
    """Yield the `Edges` of an iteration's best ant, by repeating all iterations up to it.

    The iteration is explained, even if the run did not explain it.
    """
    done = 0
    colony.explain(lambda each: each == iteration + 1 and is_explainable(job.instance.n))
    while True:
        results = colony.advance(iteration + 1)
        yield make_heartbeat()
        if results is None:
            continue
        done += results.best.size
        if done > iteration:
            yield from results.explanations
            yield make_tour_event(job, iteration, results.order[-1])
            return


def _report_numbers(
    results: Iterations, first: int, k: int, total: int
) -> Generator[Colony | Phases | Shortened, None, None]:
    """Yield the statistics of the first `k` iterations in `results`; long runs report only some iterations."""
    iteration = first + 1 + np.arange(k, dtype=np.int64)
    selected = (iteration % -(-total // PROGRESS_ROWS) == 0) | (iteration == total)
    if selected.any():
        columns = {name: getattr(results, name)[:k][selected] for name in _COLUMNS}
        yield Colony(iteration=iteration[selected], **columns)
    measured = selected & ~np.isnan(results.phases[:k]).any(axis=1)
    if measured.any():
        yield Phases(iteration[measured], *np.ascontiguousarray(results.phases[:k][measured].T))
    shorter = selected & ~np.isnan(results.built[:k])
    if shorter.any():
        before, after, milliseconds = (
            column[:k][shorter] for column in (results.built, results.mean, results.shortening)
        )
        yield Shortened(iteration[shorter], before, after, milliseconds)


_COLUMNS = ("best", "mean", "worst", "entropy", "branching", "trials")


def _report_interrupted(job: Job, statistics: RunStatistics, colony: AntColony) -> Generator[Event, None, np.ndarray]:
    """If a run ended within its first iteration, report a tour; return the run's best tour."""
    order = colony.find_unfinished()
    if order is None:
        order = nearest_neighbour_tour(distance_matrix(job.instance)) if job.start is None else job.start
    counted = yield from report_tour(job, statistics, order, 1, job.stop.clock.seconds)
    return order if counted.improvements.size or job.start is None else job.start
