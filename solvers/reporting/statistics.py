"""Counts finished climbers (ants, starts, samples) for stop rules, new bests, and table and chart columns."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from data.distances import tour_length
from solvers.core.events import Event, Progress, Rows, Tour
from solvers.core.solver import Job

#: Number of bytes of recorded climbs or constructions after which only new best ones are recorded.
RECORD_BYTES = 32 << 20
#: Maximum number of progress rows per stage; those of new bests do not count.
PROGRESS_ROWS = 20_000


@dataclass(frozen=True, slots=True, eq=False)
class FinishedClimbs:
    """Finished climbers, in order of their indices.

    Attributes
    ----------
    length, moves, evaluations : ndarray, shape (k,), int64
    seconds : ndarray, shape (k,), float64
    order : ndarray, shape (k, n), int32
        The climbers' tours; shape (0, n) if `RunStatistics.events` must not report the tours of new bests.
    """

    length: np.ndarray
    moves: np.ndarray
    evaluations: np.ndarray
    seconds: np.ndarray
    order: np.ndarray

    @classmethod
    def of_tours(
        cls, lengths: ArrayLike, evaluations: ArrayLike, seconds: ArrayLike, orders: np.ndarray, moves: int = 0
    ) -> Self:
        """Create the batch of climbers that have all made the same number of moves."""
        length, evaluated = np.asarray(lengths, np.int64), np.asarray(evaluations, np.int64)
        return cls(length, np.full(length.size, moves, np.int64), evaluated, np.asarray(seconds, np.float64), orders)


@dataclass(frozen=True, slots=True, eq=False)
class CountedBatch:
    """The part of a batch that counts: its first `k` climbers, of which those at `improvements` are new bests."""

    k: int
    improvements: np.ndarray
    best: np.ndarray
    evaluations: np.ndarray


class RunStatistics:
    """Totals of a stage, as exact integers.

    Parameters
    ----------
    job : Job
        The job, whose counter continues the previous stage's iterations and evaluations.
    total : int
        Number of climbers.

    Attributes
    ----------
    finished : int
        Number of climbers counted so far; also the next climber's index.
    iterations, evaluations : int
        The run's totals.
    best : int or None
        Best length so far, including the start tour.
    """

    def __init__(self, job: Job, total: int) -> None:
        self._stop = job.stop
        self.finished = 0
        self.iterations, self.evaluations = job.stop.iterations, job.stop.evaluations
        self.best = None if job.start is None else tour_length(job.instance, job.start)
        self._total, self._row_interval = total, -(-total // PROGRESS_ROWS)
        self._sum, self._leader = 0, 0
        self._elapsed = job.stop.clock.seconds

    def stopped(self) -> bool:
        """Return whether a stop rule applies."""
        return self._stop.update(self.iterations, self.evaluations, self.best)

    def count(self, batch: FinishedClimbs) -> CountedBatch:
        """Return how many climbers of a batch count; all limits but time are checked after each climber."""
        best = np.minimum.accumulate(batch.length)
        if self.best is not None:
            best = np.minimum(best, self.best)
        evaluations = self.evaluations + np.cumsum(batch.evaluations)
        k = self._until_stop(best, evaluations)
        before = np.iinfo(np.int64).max if self.best is None else self.best
        improvements = np.flatnonzero(best[:k] < np.concatenate(([before], best[: k - 1])))
        return CountedBatch(k, improvements, best[:k], evaluations[:k])

    def _until_stop(self, best: np.ndarray, evaluations: np.ndarray) -> int:
        budget = self._stop.budget
        if (budget.iterations, budget.evaluations, budget.without_improvement, budget.target) == (None,) * 4:
            return best.size
        for at in range(best.size):
            if self._stop.update(self.iterations + at + 1, int(evaluations[at]), int(best[at])):
                return at + 1
        return best.size

    def events(self, batch: FinishedClimbs, counted: CountedBatch) -> Iterator[Event]:
        """Yield a batch's new bests (if it has tours), table rows and progress, and add the batch to the totals."""
        k, first = counted.k, self.finished
        if len(batch.order):
            for at in counted.improvements.tolist():
                yield self.tour(batch.order[at].copy(), int(batch.length[at]), first + at)
        yield Rows(
            climber=np.arange(first, first + k, dtype=np.int32),
            length=batch.length[:k],
            moves=batch.moves[:k].astype(np.int32),
            evaluations=batch.evaluations[:k],
            seconds=batch.seconds[:k],
        )
        progress = self._progress(batch, counted)
        if counted.improvements.size:
            self._leader = first + int(counted.improvements[-1])
        self.finished += k
        self.iterations += k
        self.best, self.evaluations = int(counted.best[-1]), int(counted.evaluations[-1])
        if progress.iteration.size:
            yield progress

    def _progress(self, batch: FinishedClimbs, counted: CountedBatch) -> Progress:
        """Return one row per climber; of very many, a regular sample and the new bests."""
        finished = np.arange(self.finished + 1, self.finished + counted.k + 1)
        sums = self._sum + np.cumsum(batch.length[: counted.k])
        self._sum = int(sums[-1])
        elapsed = self.ticks(counted.k)
        selected = (finished % self._row_interval == 0) | (finished == self._total)
        selected[counted.improvements] = True
        return Progress(
            iteration=self.iterations + 1 + np.flatnonzero(selected),
            evaluations=counted.evaluations[selected],
            elapsed=elapsed[selected],
            best=counted.best[selected],
            current=batch.length[: counted.k][selected],
            mean=(sums / finished)[selected],
        )

    def improves(self, length: int) -> bool:
        """Return whether a tour of this length is a new best."""
        return self.best is None or length < self.best

    def tour(self, order: np.ndarray, length: int, climber: int) -> Tour:
        """Return the event of a new best tour."""
        if self.improves(length):
            self.best = length
        return Tour(order, length, climber)

    def report_improved(self, order: np.ndarray, length: int) -> Iterator[Event]:
        """Yield a new best tour that is no climber's: the best tour, improved after the last climber."""
        yield self.tour(order, length, self._leader)
        whole = [np.array([value], np.int64) for value in (self.iterations, self.evaluations, length, length)]
        iteration, evaluations, best, current = whole
        mean = np.array([self._sum / self.finished])
        yield Progress(iteration, evaluations, self.ticks(1), best, current, mean)

    def ticks(self, k: int) -> np.ndarray:
        """Return k times, float64, spread evenly over the time since the last rows."""
        now = self._stop.clock.seconds
        ticks = np.linspace(self._elapsed, now, k + 1)[1:]
        self._elapsed = now
        return ticks


def make_heartbeat() -> Progress:
    """Return an event without rows, at which a run can be paused or stopped during long work."""
    nothing = np.empty(0, np.int64)
    return Progress(nothing, nothing, np.empty(0), nothing, nothing, np.empty(0))
