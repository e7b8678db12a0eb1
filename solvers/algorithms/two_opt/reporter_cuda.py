"""Turns launch results into events, in order of the climbers' indices, whatever the order in which they finish."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from data.distances import tour_length
from solvers.algorithms.two_opt.batch_cuda import LaunchResult
from solvers.core.events import Event, Progress, Tour
from solvers.core.solver import Job
from solvers.reporting.climbs import DeviceClimbRecorder, count_climb_bytes
from solvers.reporting.ordered import OrderedReporter
from solvers.reporting.statistics import RECORD_BYTES, FinishedClimbs, make_heartbeat


class CudaReporter(OrderedReporter):
    """Reports climbers as rows and progress, new best tours, and some climbers' moves.

    The first recorded climber is climber 0. While the record has room, others follow one at a time: once a recorded
    climber has finished, the next one to begin is recorded, so that a viewer always has a climb to watch.

    A device stores only its best climber's tour. A new best is reported once all climbers before it have been counted.
    If a better tour has meanwhile replaced it, `missing` returns its climber, so that the climb can be repeated.

    Parameters
    ----------
    job : Job
    climbers : int
        Number of climbers.
    exact : bool
        Whether the devices' distances are exactly TSPLIB's.
    """

    def __init__(self, job: Job, climbers: int, exact: bool) -> None:
        super().__init__(job, climbers)
        self._recorder, self._recorded, self._bytes, self._exact = DeviceClimbRecorder(job, 0, exact), 0, 0, exact
        self._waiting: dict[int, LaunchResult] = {}
        self._seconds: dict[int, float] = {}
        self._best_tours: dict[int, tuple[int, np.ndarray]] = {}
        self._scan_counts: dict[int, int] = {}
        self._before = self._evaluations_shown = self._statistics.evaluations
        self._reported = self._statistics.best
        self._best_climber = -1

    def report(self, batch: LaunchResult) -> Iterator[Event]:
        """Process a launch's result and yield the events now due."""
        yield from self._record_moves(batch)
        if batch.best_climber >= 0:
            self._best_tours[batch.best_climber] = (batch.best_length, batch.best_order)
        self._scan_counts[batch.part] = batch.scan_count
        self._seconds[batch.part] = self._seconds.get(batch.part, 0.0) + batch.seconds
        if batch.length.size:
            batch.seconds = self._seconds.pop(batch.part)
            self._waiting[batch.first] = batch
        elif self._statistics.finished == 0:
            yield self._progress_inside()
        while (ready := self._waiting.pop(self._statistics.finished, None)) is not None and self._going:
            yield from self._count_scans(ready)
        yield make_heartbeat()

    def missing(self) -> int | None:
        """Return the climber with the best length if its tour is still unreported, else None."""
        best = self._statistics.best
        return self._best_climber if best is not None and (self._reported is None or best < self._reported) else None

    def report_recovered(self, batch: LaunchResult) -> Iterator[Tour]:
        """Yield the missing climber's tour after its climb has been repeated."""
        yield self._tour(batch.best_order, batch.best_length, batch.best_climber)

    def report_end(self) -> Iterator[Event]:
        """Yield climber 0's current tour if the run stopped before any climber finished.

        At the end all evaluations count, including those of unfinished climbers.
        """
        self._statistics.evaluations = max(self._statistics.evaluations, self._total)
        if self._statistics.finished == 0:
            length = tour_length(self._job.instance, self._recorder.climb.order)
            if self._statistics.improves(length):
                yield self._tour(self._recorder.climb.order.copy(), length, 0)
        self._statistics.stopped()

    def _first_climber_evaluations(self) -> int:
        return self._recorder.climb.move_count * self._scan

    @property
    def _total(self) -> int:
        """Number of evaluations so far, including those of running climbers."""
        return self._before + sum(self._scan_counts.values()) * self._scan

    @property
    def _scan(self) -> int:
        return (self._n - 1) * (self._n - 2) // 2

    def _record_moves(self, batch: LaunchResult) -> Iterator[Event]:
        if batch.part or batch.recorded < 0 or self._bytes > RECORD_BYTES:
            return
        last = batch.first == 0 and batch.length.size > 0
        if batch.recorded > 0:
            last = batch.has_ended
            if batch.recorded != self._recorded:
                self._recorder = DeviceClimbRecorder(self._job, batch.recorded, self._exact)
                self._recorded = batch.recorded
        if self._recorder.ended:
            return
        yield from self._recorder.take((batch.i, batch.j, batch.delta), last)
        if last:
            self._bytes += int(count_climb_bytes(np.array([self._recorder.climb.move_count]), self._n)[0])

    def _count_scans(self, batch: LaunchResult) -> Iterator[Event]:
        evaluations = batch.scans * self._scan
        seconds = evaluations * (batch.seconds / max(1, evaluations.sum()))
        finished = FinishedClimbs(batch.length, batch.moves, evaluations, seconds, np.empty((0, self._n), np.int32))
        counted = self._statistics.count(finished)
        if counted.improvements.size:
            self._best_climber = self._statistics.finished + int(counted.improvements[-1])
        for event in self._statistics.events(finished, counted):
            yield self._with_all_evaluations(event) if isinstance(event, Progress) else event
        for climber in sorted(self._best_tours):
            if climber < self._statistics.finished:
                length, order = self._best_tours.pop(climber)
                if self._reported is None or length < self._reported:
                    yield self._tour(order, length, climber)

    def _tour(self, order: np.ndarray, length: int, climber: int) -> Tour:
        self._reported = length
        return self._statistics.tour(order, length, climber)

    def _with_all_evaluations(self, progress: Progress) -> Progress:
        """Return rows that count all climbers' evaluations, spread evenly over the time since the previous rows.

        The evaluations of counted climbers alone would lag far behind while thousands of others are running.
        """
        if not progress.iteration.size:
            return progress
        ticks = np.linspace(self._evaluations_shown, self._total, progress.iteration.size + 1)[1:].astype(np.int64)
        self._evaluations_shown = self._total
        return replace(progress, evaluations=ticks)

    def _progress_inside(self) -> Progress:
        """Return a row for climber 0 while no climber has finished."""
        length = np.array([self._recorder.climb.length], np.int64)
        self._evaluations_shown = self._total
        return self._progress_rows(np.array([self._total], np.int64), length, length)
