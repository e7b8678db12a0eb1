"""Reports searches in the order of their indices, with pictures of the first unfinished search's tabu edges."""

from collections.abc import Iterator

from solvers.algorithms.annealing.cpu import AnnealingSlice
from solvers.algorithms.annealing.reporter import ChainReporter
from solvers.algorithms.tabu.cpu import ROWS, SearchSlice
from solvers.algorithms.tabu.params import TabuParams
from solvers.core.events import Event, Replicas, Tabu
from solvers.core.solver import Job

#: Minimum time between two pictures by the run's clock: in seconds, and as a share of the time so far.
_EVERY, _SHARE = 0.1, 0.01


class SearchReporter(ChainReporter):
    """Reports slices as events, in the order of the searches.

    Parameters
    ----------
    job : Job
    params : TabuParams
        The parameters of the job.
    """

    def __init__(self, job: Job, params: TabuParams) -> None:
        super().__init__(job, params.searches, min(ROWS, params.steps_per_city * job.instance.n))
        self._due = 0.0

    def report(self, result: AnnealingSlice | Replicas | None) -> Iterator[Event]:
        """Process a slice and yield the events now due; see `ChainReporter`."""
        yield from super().report(result)
        if (
            isinstance(result, SearchSlice)
            and self._job.pictures
            and result.first == self._first_unreported
            and self._going
        ):
            yield from self._picture(result)

    def _picture(self, result: SearchSlice) -> Iterator[Tabu]:
        seconds = self._job.stop.clock.seconds
        if seconds >= self._due and result.tour is not None and result.removed is not None:
            assert result.added is not None
            self._due = seconds + max(_EVERY, _SHARE * seconds)
            yield Tabu(result.first, result.steps, result.tour_length, result.tour, result.removed, result.added)
