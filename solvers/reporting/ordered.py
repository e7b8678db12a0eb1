"""Base class of reporters for climbers that finish in any order, but are reported in order of their indices."""

from collections.abc import Generator, Iterator
from contextlib import closing
from typing import Any

import numpy as np

from solvers.core.events import Event, Progress
from solvers.core.solver import Job
from solvers.reporting.statistics import RunStatistics


class OrderedReporter:
    """Base class of reporters for climbers that run at the same time.

    Parameters
    ----------
    job : Job
    total : int
        Number of climbers.
    """

    def __init__(self, job: Job, total: int) -> None:
        self._job, self._n = job, job.instance.n
        self._statistics = RunStatistics(job, total)

    def report_all(self, results: Generator[Any, None, None]) -> Iterator[Event]:
        """Report results until a stop rule applies; then close their generator, and report what was interrupted."""
        with closing(results):
            for result in results:
                yield from self.report(result)
                if self.stopped():
                    break
        if not self._going:
            yield from self.report_interrupted()

    def report(self, result: Any) -> Iterator[Event]:
        """Process a result of the climbers' work, and yield at least one event."""
        raise NotImplementedError

    def report_interrupted(self) -> Iterator[Event]:
        """Yield the events of climbers that a stop rule has interrupted."""
        yield from ()

    def stopped(self) -> bool:
        """Return whether a stop rule applies, but only once climber 0 has started, so that there is always a tour."""
        statistics = self._statistics
        if self._first_unreported:
            return statistics.stopped()
        evaluations = self._first_climber_evaluations()
        if evaluations is None:
            return False
        return self._job.stop.update(statistics.iterations, statistics.evaluations + evaluations, statistics.best)

    def _first_climber_evaluations(self) -> int | None:
        """Return climber 0's evaluations while it runs; None before it starts."""
        raise NotImplementedError

    @property
    def _first_unreported(self) -> int:
        """Index of the first climber not yet reported."""
        return self._statistics.finished

    @property
    def _going(self) -> bool:
        return self._job.stop.reason is None

    @property
    def _cut_from_outside(self) -> bool:
        """Whether the time limit or the user ended the run.

        Other limits end a run only between two climbers or within climber 0.
        """
        return self._job.stop.reason in ("time", "cancelled")

    def _progress_rows(self, evaluations: np.ndarray, lengths: np.ndarray, lowest: np.ndarray) -> Progress:
        """Return progress rows within climber 0.

        Parameters
        ----------
        evaluations : ndarray, shape (k,), int64
            The run's totals so far.
        lengths, lowest : ndarray, shape (k,), int64
            The climber's length, and its lowest length so far.
        """
        best = self._statistics.best
        return Progress(
            iteration=np.full(lengths.size, self._statistics.iterations, np.int64),
            evaluations=evaluations,
            elapsed=self._statistics.ticks(lengths.size),
            best=lowest if best is None else np.minimum(lowest, best),
            current=lengths,
            mean=lengths.astype(np.float64),
        )
