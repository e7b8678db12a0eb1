"""Turns a solver's work into events: start, tours and climbs, and stop rules."""

from collections.abc import Iterator, Sequence
from time import perf_counter

import numpy as np

from data.distances import tour_length
from solvers.core.devices import cpu_text
from solvers.core.events import Compiling, Event, Started
from solvers.core.solver import Job
from solvers.kernels.tours_cpu import apply_moves
from solvers.own.climb import Climb
from solvers.own.own_solver import OwnSolver
from solvers.reporting.constructions import make_tour_event
from solvers.reporting.statistics import RECORD_BYTES, FinishedClimbs, RunStatistics, make_heartbeat

#: Seconds of work after which an event is due; the contract allows up to 0.1 s.
SLICE = 0.04
#: Bytes per city in the record of a construction.
_EDGE_BYTES = 12


class Report:
    """Reports a run; `OwnSolver.solve` creates it before anything else.

    Parameters
    ----------
    solver : OwnSolver
    job : Job
    climbers : int
        Maximum number of tours in the run; of very many, the chart shows a sample.
    """

    def __init__(self, solver: OwnSolver, job: Job, climbers: int = 1) -> None:
        self._solver, self._job = solver, job
        self._statistics = RunStatistics(job, climbers)
        self._began = self._yielded = perf_counter()
        self._recorded = 0

    @property
    def finished(self) -> int:
        """Number of tours reported so far, which is also the next climber's index."""
        return self._statistics.finished

    @property
    def best(self) -> int | None:
        """Length of the best tour so far, including the start tour."""
        return self._statistics.best

    def compiling(self) -> Iterator[Event]:
        """Yield the first event; until `started`, while data and kernels are prepared, the run's clock stops."""
        self._began = perf_counter()
        yield Compiling()

    def started(self, threads: int = 1, repeatable: bool = True) -> Iterator[Event]:
        """Yield the event that starts the work and the run's clock."""
        apply_moves(np.zeros(1, np.int32), *np.empty((2, 0), np.int32))  # load the kernel that records climbs
        variant, seconds = self._solver.variants[0].name, perf_counter() - self._began
        yield Started(self._solver.name, variant, cpu_text(threads), threads, seconds, repeatable)
        self._yielded = self._began = perf_counter()

    def due(self) -> bool:
        """Return whether an event is due, since no more than 100 ms may pass; then yield from `waiting` or a climb."""
        return perf_counter() - self._yielded >= SLICE

    def waiting(self) -> Iterator[Event]:
        """Yield a heartbeat; the run may be paused or stopped here."""
        yield make_heartbeat()
        self._statistics.stopped()
        self._yielded = perf_counter()

    def stopped(self) -> bool:
        """Return whether the run must stop, because of its budget or a cancellation."""
        return self._job.stop.reason is not None or self._statistics.stopped()

    def climb(self, start: np.ndarray | Sequence[int]) -> Climb:
        """Start a climb, whose moves are recorded.

        Parameters
        ----------
        start : array_like, shape (n,), int
            The climb's start tour.
        """
        only = self._solver.replayed
        is_live = self._recorded < RECORD_BYTES if only is None else only == self.finished
        return Climb(self, self._job, self.finished, start, is_live)

    def built(self, order: np.ndarray | Sequence[int], evaluations: int) -> Iterator[Event]:
        """Yield a finished construction, which is shown edge by edge in visiting order.

        Parameters
        ----------
        order : array_like, shape (n,), int
        evaluations : int
            Number of evaluations that the construction took, in the solver's unit.
        """
        order = np.asarray(order, np.int32)
        improves = self._statistics.improves(tour_length(self._job.instance, order))
        if self._solver.replayed == self.finished or improves or self._recorded < RECORD_BYTES:
            self._recorded += _EDGE_BYTES * order.size
            yield make_tour_event(self._job, self.finished, order)
        yield from self.tour(order, evaluations)

    def tour(self, order: np.ndarray | Sequence[int], evaluations: int, moves: int = 0) -> Iterator[Event]:
        """Yield a finished climber, of which only the tour is shown.

        Parameters
        ----------
        order : array_like, shape (n,), int
            The tour, whose length is computed here.
        evaluations : int
            Number of evaluations that the climber took, in the solver's unit.
        moves : int, optional
            Number of moves that the climber made.
        """
        order = np.array(order, np.int32)
        now = perf_counter()
        length = tour_length(self._job.instance, order)
        batch = FinishedClimbs.of_tours([length], [evaluations], [now - self._began], order[None], moves)
        yield from self._statistics.events(batch, self._statistics.count(batch))
        self._statistics.stopped()
        self._began = self._yielded = perf_counter()

    def improves(self, length: int) -> bool:
        """Return whether a tour of this length is a new best."""
        return self._statistics.improves(length)

    def record(self, size: int) -> None:
        """Count `size` bytes of recorded moves."""
        self._recorded += size
