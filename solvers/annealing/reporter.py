"""Report chains of annealing in the order of their index, whatever the order in which they finish."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from solvers.annealing.cpu import AnnealingSlice, ChainWorker
from solvers.events import Event, Moves, Progress
from solvers.reporting.climbs import ClimbRecorder, Columns, MovesBuilder, bytes_of, cut_out, joined, start_tour
from solvers.reporting.ordered import OrderedReporter
from solvers.reporting.snapshots import TourSnapshots
from solvers.reporting.statistics import RECORD_BYTES, FinishedClimbs, heartbeat
from solvers.solver import Job

#: Most bytes of a chain's record; a larger one is not kept. Chain 0 is recorded while it runs.
CHAIN_BYTES = 8 << 20
#: Most rows of progress inside chain 0, its start not included.
_ROWS_INSIDE = 1000


@dataclass(slots=True, eq=False)
class _UnderWay:
    """A chain that has been begun: its progress, and its moves that wait to be reported.

    Attributes
    ----------
    told : AnnealingSlice
        The newest slice.
    start_length : int
        Length of its start tour.
    seconds : float
    size : int
        Recorded moves so far.
    waiting : list of Columns
        Empty if its record would be too large.
    levels : list of ndarray
        Rows that wait.
    """

    told: AnnealingSlice
    start_length: int
    seconds: float = 0.0
    size: int = 0
    waiting: list[Columns] = field(default_factory=list)
    levels: list[np.ndarray] = field(default_factory=list)

    def take(self, told: AnnealingSlice, room: int) -> None:
        """Take a slice; if the chain's record is larger than `room` bytes, only its numbers are kept."""
        self.told = told
        self.seconds += told.seconds
        n, before = told.current.size, self.size
        self.size += told.i.size
        self.levels.append(told.levels)
        fitting = _moves_within(room, n)
        if self.size <= fitting:
            self.waiting.append((told.i, told.j, told.delta))
        elif told.first == 0:
            self.waiting.append(cut_out((told.i, told.j, told.delta), 0, max(0, fitting - before)))
        else:
            self.waiting = []

    def fits(self, room: int) -> bool:
        """Whether the chain so far fits a record of so many bytes."""
        return not self.told.missing and self.size <= _moves_within(room, self.told.current.size)

    def written(self) -> Columns:
        """Take the waiting moves."""
        columns = joined(self.waiting)
        self.waiting = []
        return columns


class ChainReporter(OrderedReporter):
    """Turns slices into events, in order of the chain.

    Parameters
    ----------
    job : Job
    chains : int
        How many there will be.
    levels : int
        Temperatures of a chain.
    """

    def __init__(self, job: Job, chains: int, levels: int) -> None:
        super().__init__(job, chains)
        self._thin = -(-levels // _ROWS_INSIDE)
        self._rows = self._bytes = 0
        self._walk: ClimbRecorder | None = None
        self._under_way: dict[int, _UnderWay] = {}
        self._snapshots = TourSnapshots(self._n)
        self._seen: AnnealingSlice | None = None

    def report(self, told: AnnealingSlice) -> Iterator[Event]:
        """Take one slice, and yield what can now be reported, or else a heartbeat."""
        silent = True
        for event in self._reportable(told):
            silent = False
            yield event
        if silent:
            yield heartbeat()

    def _reportable(self, told: AnnealingSlice) -> Iterator[Event]:
        chain = self._under_way.setdefault(told.first, _UnderWay(told, told.start_length))
        chain.take(told, CHAIN_BYTES if told.first else RECORD_BYTES)
        while (head := self._under_way.get(self._head)) and head.told.length.size and (self._going or not self._head):
            yield from self._finished(head)
        if self._going and 0 in self._under_way:
            yield from self._streamed(self._under_way[0])
        if self._going:
            yield from self._glimpse(told)

    def _glimpse(self, told: AnnealingSlice) -> Iterator[Event]:
        """Yield a snapshot of the lowest chain, unless it is recorded while it runs."""
        chain = self._under_way.get(told.first)
        if chain is None or told.first != self._head or told.here is None:
            return
        before, self._seen = self._seen, told
        if before is None or before.first != told.first or (not told.first and chain.fits(RECORD_BYTES)):
            return
        assert before.here is not None
        seconds, columns = self._job.stop.clock.seconds, (told.i, told.j, told.delta)
        made, length = told.current_moves, told.here_length
        yield from self._snapshots.of(told.first, made, length, before.here, columns, seconds)

    def cut(self) -> Iterator[Event]:
        """Yield the best tour of the lowest unfinished chain, if it is a new best, when the run was stopped during it.

        Rules that count chains end a run between two of them; then there is nothing to add.
        """
        chain = self._under_way.get(self._head)
        if chain is None or (self._head and not self._cut_from_outside):
            return
        statistics, told = self._statistics, chain.told
        statistics.evaluations += told.current_evaluations
        if statistics.improves(told.current_length):
            yield from self._written(self._head, chain, over=False)
            yield statistics.tour(told.current, told.current_length, self._head)
        statistics.stopped()

    def cut_beside(self, order: np.ndarray, length: int, climber: int, evaluations: int) -> Iterator[Event]:
        """Yield the best tour of any running chain, if it is a new best, when time or a user stopped the run.

        Parameters
        ----------
        order : ndarray, shape (n,), int32
        length, climber : int
        evaluations : int
            Draws of all running chains except the lowest.
        """
        statistics = self._statistics
        if not self._cut_from_outside:
            return
        statistics.evaluations += evaluations
        if statistics.improves(length):
            yield statistics.tour(order, length, climber)
        statistics.stopped()

    def _evaluations_of_first(self) -> int | None:
        return self._under_way[0].told.current_evaluations if 0 in self._under_way else None

    def _streamed(self, chain: _UnderWay) -> Iterator[Event]:
        """Report the new moves of chain 0."""
        yield from self._written(0, chain, over=False)
        yield from self._progress_inside(chain)

    def _written(self, climber: int, chain: _UnderWay, over: bool) -> Iterator[Moves]:
        """The waiting moves of a chain, as pieces of its climb; `over` if it ends with them."""
        if climber and not chain.fits(CHAIN_BYTES):
            return
        if self._walk is None:
            start = start_tour(self._job.seed, climber, self._n, self._job.start)
            self._walk = ClimbRecorder(climber, start, chain.start_length)
        sheet = MovesBuilder(self._n)
        self._walk.add_to(sheet, chain.written(), last=over and self._walk_is_whole(climber, chain))
        yield from sheet.events()

    def _walk_is_whole(self, climber: int, chain: _UnderWay) -> bool:
        return climber > 0 or chain.fits(RECORD_BYTES)

    def _finished(self, chain: _UnderWay) -> Iterator[Event]:
        """Report the lowest chain, which has finished."""
        del self._under_way[self._head]
        told = chain.told
        batch = FinishedClimbs(told.length, told.moves, told.evaluations, np.array([chain.seconds]), told.order)
        if not self._head:
            yield from self._progress_inside(chain)
        counted = self._statistics.count(batch)
        if not self._head or counted.falls.size or self._bytes < RECORD_BYTES:
            self._bytes += int(bytes_of(told.moves, self._n)[0])
            yield from self._written(self._head, chain, over=True)
        self._walk = None
        yield from self._statistics.events(batch, counted)

    def _progress_inside(self, chain: _UnderWay) -> Iterator[Progress]:
        """Rows of progress inside chain 0: of its start, and of completed temperatures."""
        levels = np.concatenate([np.empty((0, 3), np.int64), *chain.levels])
        kept = (self._rows + np.arange(len(levels))) % self._thin == 0
        self._rows += len(levels)
        chain.levels = []
        draws, lengths, bests = levels[kept].T.copy()
        if draws.size:
            yield self._progress_rows(self._statistics.evaluations + draws, lengths, bests)


def _moves_within(room: int, n: int) -> int:
    """How many moves of a climb fit a record of so many bytes, whole tours included."""
    tour = 4 * n + 32
    whole, rest = divmod(room, 256 * 12 + tour)
    return max(0, 256 * whole + max(0, rest - tour) // 12)


def replay(lane: ChainWorker, job: Job, climber: int) -> Iterator[Moves]:
    """Anneal again with an idle worker, and yield the chain as pieces, one per slice, as far as the record has room."""
    lane.give(climber, climber + 1)
    n = job.instance.n
    walk, room = None, _moves_within(RECORD_BYTES, n)
    while not lane.idle and room:
        told = lane.advance()
        if walk is None:
            walk = ClimbRecorder(climber, start_tour(job.seed, climber, n, job.start), told.start_length)
        sheet, size = MovesBuilder(n), min(room, told.i.size)
        whole = size == told.i.size and told.length.size > 0
        walk.add_to(sheet, cut_out((told.i, told.j, told.delta), 0, size), last=whole)
        room -= size
        yield from sheet.events()
