"""Base class of other projects' solvers: each call has a longer time limit, and its tour is measured here."""

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from data.distances import check_tour
from data.errors import InvalidInstance
from data.instance import Instance
from solvers.algorithms.reference.calls import Answer, Calls
from solvers.algorithms.reference.package import Package
from solvers.algorithms.reference.params import ReferenceParams, limit_call
from solvers.core.devices import cpu_text, cpu_threads
from solvers.core.errors import RunFailed
from solvers.core.events import Compiling, Event, Started
from solvers.core.params import Params
from solvers.core.solver import Job, Solver
from solvers.reporting.constructions import report_tour
from solvers.reporting.statistics import RunStatistics, make_heartbeat

#: Maximum number of cities for which there is only one tour, so that no package is called.
_TRIVIAL = 2

#: Finds a tour: takes distances (n, n) int32, a time limit in seconds, a seed and the number of threads; returns the
#: n cities.
Call = Callable[[np.ndarray, float, int, int], Any]


class ReferenceSolver(Solver[ReferenceParams]):
    """Calls a package's solver repeatedly, each time from the beginning and for longer, and keeps the best tour.

    The package gets the cities in an order drawn from the seed, so that the order in a file benefits none.
    """

    package: ClassVar[Package]
    family: ClassVar[str] = "reference"
    params: ClassVar[type[Params]] = ReferenceParams
    iteration_unit: ClassVar[str] = "call"
    evaluation_unit: ClassVar[str] = "tour"
    kernel_cities: ClassVar[tuple[int, ...]] = ()

    @classmethod
    def call(cls, distances: np.ndarray, seconds: float, seed: int, threads: int) -> Any:
        """Import the package and find a tour, in the process of `solvers.algorithms.reference.child`.

        Parameters
        ----------
        distances : ndarray, shape (n, n), int32
            Distances from the row's city to the column's, n > 2.
        seconds : float
            Time limit; the package may take longer.
        seed : int
            Less than 2**31; differs from call to call.
        threads : int

        Returns
        -------
        sequence of int, length n
            The cities in visiting order; empty if no tour was found in time.
        """
        raise NotImplementedError

    def missing(self) -> str:
        """See `solvers.core.solver.Solver.missing`."""
        return self.package.missing()

    def refusal(self, instance: Instance, params: Params, device: str) -> str:
        """Refuse negative distances, with which most packages find bad tours or none."""
        if self.package.negative or instance.weights is None or int(instance.weights.min()) >= 0:
            return ""
        return f"{self.title} takes no negative distances: add the same number to all, and the best tours stay."

    def versions(self) -> dict[str, str]:
        """See `solvers.core.solver.Solver.versions`."""
        return {self.package.distribution: self.package.version()}

    def solve(self, job: Job) -> Generator[Event, None, None]:
        """Call the package until all calls are made or the time limit is reached.

        Raises
        ------
        DeviceUnavailable
            If the package is not installed.
        InstanceTooLarge
            If the instance has more cities than `package` allows.
        RunFailed
            If the package fails, or returns no tour.
        """
        yield Compiling()
        variant, start_time = job.variant, perf_counter()
        threads = cpu_threads() if variant.name == "cpu" else 1
        statistics = RunStatistics(job, job.params.calls)
        if job.instance.n <= _TRIVIAL:
            yield Started(self.name, variant.name, cpu_text(1), 1, perf_counter() - start_time)
            yield from _report(job, statistics, Answer(np.arange(job.instance.n, dtype=np.int32), 0.0))
            statistics.stopped()
            return
        with closing(Calls(self.name, self.title, job, threads)) as calls:
            while not calls.ready():
                yield make_heartbeat()
            title = " ".join((self.package.distribution, *self.versions().values())).strip()
            device = f"{title}{calls.note}, {cpu_text(threads)}"
            yield Started(self.name, variant.name, device, threads, perf_counter() - start_time, repeatable=False)
            yield from _answers(job, statistics, calls)

    def replay(self, job: Job, climber: int) -> Iterator[Event]:
        """See `solvers.core.solver.Solver.replay`; a call with a time limit cannot be repeated.

        Raises
        ------
        RunFailed
            Always.
        """
        raise RunFailed(f"A call of {self.title} cannot be repeated exactly; the run's file has its tour.")


def _answers(job: Job[ReferenceParams], statistics: RunStatistics, calls: Calls) -> Iterator[Event]:
    """Make all calls and report their tours; an interrupted call has none."""
    params, previous_seconds = job.params, 0.0
    for call in range(params.calls):
        requested, limit = params.time_limit(call, previous_seconds), job.stop.budget.seconds
        seconds = limit_call(requested, None if limit is None else limit - job.stop.clock.seconds)
        answer = yield from _answer(statistics, calls, call, seconds)
        if answer is not None and answer.order.size:
            previous_seconds = answer.seconds
            yield from _report(job, statistics, answer)
        if statistics.stopped():
            break
        if seconds < requested and (
            answer is None or answer.seconds >= seconds / 2
        ):  # too little time is left for another call
            job.stop.reason = "time"
            break
    if statistics.finished or job.start is not None:
        return
    if job.stop.reason is None:
        raise RunFailed("No call found a tour within its time limit: allow more seconds.")
    # A run that the user ends needs a tour as well. Without an answer, it is the order of the file, which users will
    # recognise.
    yield from _report(job, statistics, Answer(np.arange(job.instance.n, dtype=np.int32), 0.0))


def _answer(
    statistics: RunStatistics, calls: Calls, call: int, seconds: float
) -> Generator[Event, None, Answer | None]:
    """Make one call; return None if the run stops first."""
    calls.begin(call, seconds)
    while (answer := calls.answer()) is None and not statistics.stopped():
        with calls.suspension():
            yield make_heartbeat()
    return answer


def _report(job: Job, statistics: RunStatistics, answer: Answer) -> Iterator[Event]:
    try:
        check_tour(job.instance.n, answer.order)
    except InvalidInstance as error:
        raise RunFailed(f"The package returned no tour: {error}") from error
    yield from report_tour(job, statistics, answer.order, 1, answer.seconds)
