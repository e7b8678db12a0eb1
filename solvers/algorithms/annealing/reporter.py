"""Reports annealing chains in order of their indices, regardless of the order in which they finish."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from solvers.algorithms.annealing.cpu import AnnealingSlice, ChainWorker
from solvers.algorithms.annealing.kernels.insertion_cpu import REVERSALS
from solvers.algorithms.annealing.params import AnnealingParams
from solvers.algorithms.two_opt.cpu import START_LOADS, climb_in_parallel
from solvers.core.devices import cpu_text, cpu_threads
from solvers.core.events import Event, Moves, Replicas, Started
from solvers.core.solver import Job
from solvers.reporting.climbs import (
    STEP_BYTES,
    TOUR_EVERY,
    ClimbRecorder,
    Columns,
    MovesBuilder,
    concatenate,
    count_climb_bytes,
    make_start_tour,
    select_moves,
)
from solvers.reporting.ordered import OrderedReporter
from solvers.reporting.snapshots import TourSnapshots
from solvers.reporting.statistics import RECORD_BYTES, FinishedClimbs, make_heartbeat
from solvers.worker.kernel_loading import load_and_begin

#: Maximum size of a chain's record in bytes; larger records are dropped. Chain 0 is recorded while it runs.
CHAIN_BYTES = 8 << 20
#: Maximum number of progress rows within chain 0, not counting the row of its start.
_ROWS_INSIDE = 1000


@dataclass(slots=True, eq=False)
class _RunningChain:
    """A running chain: its progress and its unreported moves.

    Attributes
    ----------
    result : AnnealingSlice
        The newest slice.
    start_length : int
        Length of the start tour.
    seconds : float
    size : int
        Number of recorded moves so far.
    waiting : list of Columns
        Moves not yet reported; empty if the chain's record would be too large.
    levels : list of ndarray
        Rows not yet reported.
    """

    result: AnnealingSlice
    start_length: int
    seconds: float = 0.0
    size: int = 0
    waiting: list[Columns] = field(default_factory=list)
    levels: list[np.ndarray] = field(default_factory=list)

    def take(self, result: AnnealingSlice, capacity: int) -> None:
        """Add a slice; if the record grows beyond `capacity` bytes, keep only the slice's numbers."""
        self.result = result
        self.seconds += result.seconds
        n, before = result.current.size, self.size
        self.size += result.i.size
        self.levels.append(result.levels)
        fitting = _moves_within(capacity, n)
        if self.size <= fitting:
            self.waiting.append(result.columns)
        elif result.first == 0:
            self.waiting.append(select_moves(result.columns, 0, max(0, fitting - before)))
        else:
            self.waiting = []

    def fits(self, capacity: int) -> bool:
        """Return whether the chain so far fits into a record of `capacity` bytes."""
        return not self.result.missing and self.size <= _moves_within(capacity, self.result.current.size)

    def take_moves(self) -> Columns:
        """Return the unreported moves and clear them."""
        columns = concatenate(self.waiting)
        self.waiting = []
        return columns


class ChainReporter(OrderedReporter):
    """Turns slices into events, in order of the chains' indices.

    A chain that does not return to its best tour counts with its final tour. So until the first such chain ends, the
    run's best tour is the start tour.

    Parameters
    ----------
    job : Job
    chains : int
        Number of chains.
    levels : int
        Number of temperatures through which a chain cools.
    """

    def __init__(self, job: Job, chains: int, levels: int) -> None:
        super().__init__(job, chains)
        self._back = not isinstance(job.params, AnnealingParams) or job.params.finish != "none"
        self._row_interval = -(-levels // _ROWS_INSIDE)
        self._rows = self._bytes = 0
        self._recorder: ClimbRecorder | None = None
        self._running: dict[int, _RunningChain] = {}
        self._snapshots = TourSnapshots(self._n, REVERSALS if job.instance.directed else 1)
        self._previous: AnnealingSlice | None = None

    def report(self, result: AnnealingSlice | Replicas | None) -> Iterator[Event]:
        """Process a slice, if any, and yield the events now due, or a heartbeat."""
        if isinstance(result, Replicas):
            yield result
            return
        silent = True
        for event in () if result is None else self._reportable(result):
            silent = False
            yield event
        if silent:
            yield make_heartbeat()

    def _reportable(self, result: AnnealingSlice) -> Iterator[Event]:
        chain = self._running.setdefault(result.first, _RunningChain(result, result.start_length))
        chain.take(result, CHAIN_BYTES if result.first else RECORD_BYTES)
        while (
            (head := self._running.get(self._first_unreported))
            and head.result.length.size
            and (self._going or not self._first_unreported)
        ):
            yield from self._report_lowest(head)
        if self._going and 0 in self._running:
            yield from self._stream(self._running[0])
        if self._going:
            yield from self._snapshot(result)

    def _snapshot(self, result: AnnealingSlice) -> Iterator[Event]:
        """Yield a snapshot of the lowest chain, unless its moves are being recorded."""
        chain = self._running.get(result.first)
        if chain is None or result.first != self._first_unreported or result.tour is None:
            return
        before, self._previous = self._previous, result
        if before is None or before.first != result.first or (not result.first and chain.fits(RECORD_BYTES)):
            return
        assert before.tour is not None
        seconds, columns = self._job.stop.clock.seconds, (result.i, result.j, result.delta)
        moves, length = result.current_moves, result.tour_length
        yield from self._snapshots.take_due(result.first, moves, length, before.tour, columns, seconds)

    def report_interrupted(self) -> Iterator[Event]:
        """Yield the best tour of the lowest unfinished chain if it is a new best.

        A limit that counts chains ends a run between two chains; then there is nothing to yield.
        """
        chain = self._running.get(self._first_unreported)
        if chain is None or (self._first_unreported and not self._cut_from_outside):
            return
        statistics, result = self._statistics, chain.result
        statistics.evaluations += result.current_evaluations
        if statistics.improves(result.current_length):
            yield from self._record(self._first_unreported, chain, over=False)
            yield statistics.tour(result.current, result.current_length, self._first_unreported)
        statistics.stopped()

    def report_best_running(self, order: np.ndarray, length: int, climber: int, evaluations: int) -> Iterator[Event]:
        """After an interruption, yield the best tour of any running chain if it is a new best.

        Parameters
        ----------
        order : ndarray, shape (n,), int32
        length, climber : int
        evaluations : int
            Number of draws made by all running chains except the lowest.
        """
        statistics = self._statistics
        if not self._cut_from_outside:
            return
        statistics.evaluations += evaluations
        if statistics.improves(length):
            yield statistics.tour(order, length, climber)
        statistics.stopped()

    def _first_climber_evaluations(self) -> int | None:
        return self._running[0].result.current_evaluations if 0 in self._running else None

    def _stream(self, chain: _RunningChain) -> Iterator[Event]:
        """Report chain 0's new moves and its progress."""
        yield from self._record(0, chain, over=False)
        yield from self._progress_inside(chain)

    def _record(self, climber: int, chain: _RunningChain, over: bool) -> Iterator[Moves]:
        """Yield the unreported moves of a chain as part of its climb; `over` marks the last part."""
        if climber and not chain.fits(CHAIN_BYTES):
            return
        if self._recorder is None:
            start = make_start_tour(self._job, climber)
            self._recorder = ClimbRecorder(climber, start, chain.start_length)
        builder = MovesBuilder(self._n)
        self._recorder.add_to(builder, chain.take_moves(), last=over and self._record_is_complete(climber, chain))
        yield from builder.events()

    def _record_is_complete(self, climber: int, chain: _RunningChain) -> bool:
        return climber > 0 or chain.fits(RECORD_BYTES)

    def _report_lowest(self, chain: _RunningChain) -> Iterator[Event]:
        """Report the lowest unreported chain, which has finished."""
        del self._running[self._first_unreported]
        result = chain.result
        batch = FinishedClimbs(result.length, result.moves, result.evaluations, np.array([chain.seconds]), result.order)
        if not self._first_unreported:
            yield from self._progress_inside(chain)
        counted = self._statistics.count(batch)
        if not self._first_unreported or counted.improvements.size or self._bytes < RECORD_BYTES:
            self._bytes += int(count_climb_bytes(result.moves, self._n, STEP_BYTES)[0])
            yield from self._record(self._first_unreported, chain, over=True)
        self._recorder = None
        yield from self._statistics.events(batch, counted)

    def _progress_inside(self, chain: _RunningChain) -> Iterator[Event]:
        """Yield progress rows within chain 0: one for its start and one per completed temperature.

        If the chain does not return to its best tour, rows end where the record ends, because its moves prove them.
        """
        if not self._back and not chain.fits(RECORD_BYTES):
            chain.levels = []
        levels = np.concatenate([np.empty((0, 3), np.int64), *chain.levels])
        selected = (self._rows + np.arange(len(levels))) % self._row_interval == 0
        self._rows += len(levels)
        chain.levels = []
        draws, lengths, bests = levels[selected].T.copy()
        if not self._back and draws.size:
            if self._statistics.best is None:
                start = make_start_tour(self._job, 0)
                yield self._statistics.tour(start, chain.start_length, 0)
            bests[:] = np.int64(self._statistics.best or 0)
        if draws.size:
            yield self._progress_rows(self._statistics.evaluations + draws, lengths, bests)


def _moves_within(capacity: int, n: int) -> int:
    """Return the number of moves that fit into a climb's record of `capacity` bytes, which also contains whole tours.

    The number is a multiple of `REVERSALS`, so that the record does not end within an insertion.
    """
    tour = 4 * n + 32
    whole, rest = divmod(capacity, TOUR_EVERY * STEP_BYTES + tour)
    moves = max(0, TOUR_EVERY * whole + max(0, rest - tour) // STEP_BYTES)
    return moves - moves % REVERSALS


def run_chains(
    job: Job, name: str, start_time: float, chains: int, make_workers: Callable[[Job, int], Sequence[ChainWorker]],
    make_reporter: Callable[[], ChainReporter],
) -> Iterator[Event]:  # fmt: skip
    """Run chains on the CPU and report them in order.

    Parameters
    ----------
    job : Job
    name : str
        Name of the algorithm.
    start_time : float
        Value of `time.perf_counter` when the preparation began.
    chains : int
    make_workers : callable
        Makes the workers, given a job and a number of threads.
    make_reporter : callable
    """
    threads = min(chains, cpu_threads()) if job.variant.name == "cpu" else 1
    workers = make_workers(job, threads)
    yield from load_and_begin(
        job, workers[0].make_loaders(), START_LOADS,
        lambda: Started(name, job.variant.name, cpu_text(threads), threads, perf_counter() - start_time),
        lambda: make_start_tour(job, 0),
    )  # fmt: skip
    yield from make_reporter().report_all(climb_in_parallel([*workers], chains, job.stop.evaluations_left))


def replay(worker: ChainWorker, job: Job, climber: int) -> Iterator[Moves]:
    """Rerun a chain with an idle worker and yield its moves slice by slice, up to the maximum size of a record."""
    worker.assign(climber, climber + 1)
    yield from select_parts(_slices(worker), job, climber)


def _slices(worker: ChainWorker) -> Iterator[AnnealingSlice]:
    while not worker.idle:
        yield worker.advance()


def select_parts(results: Iterable[AnnealingSlice], job: Job, climber: int) -> Iterator[Moves]:
    """Yield the moves of one chain from the slices of several chains, up to the maximum size of a record."""
    n = job.instance.n
    recorder, capacity = None, _moves_within(RECORD_BYTES, n)
    for result in results:
        if result.first != climber or not capacity:
            continue
        if recorder is None:
            recorder = ClimbRecorder(climber, make_start_tour(job, climber), result.start_length)
        builder, size = MovesBuilder(n), min(capacity, result.i.size)
        whole = size == result.i.size and result.length.size > 0
        recorder.add_to(builder, select_moves(result.columns, 0, size), last=whole)
        capacity -= size
        yield from builder.events()
        if not capacity or whole:
            return
