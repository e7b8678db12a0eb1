"""Reports climbs in order of their climbers' indices, regardless of the order in which they finish."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from solvers.algorithms.annealing.kernels.insertion_cpu import MAX_PATH_CITIES, REVERSALS
from solvers.algorithms.two_opt.cpu import ClimbSlice, ClimbWorker
from solvers.core.events import Event, Moves, Progress
from solvers.core.solver import Job
from solvers.reporting.climbs import (
    TOUR_EVERY,
    ClimbRecorder,
    Columns,
    MovesBuilder,
    add_short_climbs,
    concatenate,
    count_climb_bytes,
    make_start_tour,
    select_moves,
)
from solvers.reporting.ordered import OrderedReporter
from solvers.reporting.statistics import RECORD_BYTES, FinishedClimbs

#: Climber 0 has one progress row for each of its first 64 moves, and then one for every n / 64 moves.
_ROWS_INSIDE = 64


@dataclass(slots=True, eq=False)
class _RunningClimb:
    """A running climb: its progress and its unreported moves."""

    seconds: float = 0.0
    moves: int = 0
    evaluations: int = 0
    length: int = 0
    order: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))
    waiting: list[Columns] = field(default_factory=list)

    def take(self) -> Columns:
        """Return the unreported moves and clear them."""
        columns = concatenate(self.waiting)
        self.waiting = []
        return columns


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """Climbers that finished in one slice, with their unreported moves.

    Attributes
    ----------
    batch : FinishedClimbs
    ends : ndarray, shape (k + 1,), int64
        Climber c of the block has the moves `ends[c]` to `ends[c + 1]` - 1 of the columns.
    columns : Columns
    """

    batch: FinishedClimbs
    ends: np.ndarray
    columns: Columns

    def moves(self, first: int, last: int) -> Columns:
        """Return the moves of climbers `first` to `last` - 1."""
        return select_moves(self.columns, self.ends[first], self.ends[last])


class ClimbReporter(OrderedReporter):
    """Turns slices into events, in order of the climbers' indices.

    Parameters
    ----------
    job : Job
    climbers : int
        Number of climbers.
    """

    def __init__(self, job: Job, climbers: int) -> None:
        super().__init__(job, climbers)
        self._bytes = 0
        self._inside = -1
        n = self._n
        #: Number of recorded moves per step of a climb, and number of evaluations per scan.
        self._step, self._scan = 1, (n - 1) * (n - 2) // 2
        if job.instance.directed:
            paths = range(1, min(MAX_PATH_CITIES, n - 2) + 1)
            self._step, self._scan = REVERSALS, sum(n * (n - 1 - length) for length in paths)
        self._recorder: ClimbRecorder | None = None
        self._running: dict[int, _RunningClimb] = {}
        self._blocks: dict[int, _Block] = {}

    def report(self, result: ClimbSlice) -> Iterator[Event]:
        """Process a slice and yield the events now due."""
        self._store(result)
        while self._first_unreported in self._blocks and (self._going or not self._first_unreported):
            yield from self._report_block(self._blocks.pop(self._first_unreported))
        if self._first_unreported in self._running and self._going:
            yield from self._stream(self._running[self._first_unreported])

    def report_interrupted(self) -> Iterator[Event]:
        """Yield the tour of the lowest unfinished climber if it is a new best.

        A limit that counts climbers ends a run between two climbers; then there is nothing to yield.
        """
        climb = self._running.get(self._first_unreported)
        if climb is None or (self._first_unreported and not self._cut_from_outside):
            return
        statistics = self._statistics
        statistics.evaluations += climb.evaluations
        if statistics.improves(climb.length):
            yield from self._record_moves(climb)
            yield statistics.tour(climb.order, climb.length, self._first_unreported)
        statistics.stopped()

    def _first_climber_evaluations(self) -> int | None:
        return self._running[0].evaluations if 0 in self._running else None

    def _store(self, result: ClimbSlice) -> None:
        """Store a slice's climbers for `report`, each with its share of the time."""
        k = result.length.size
        before = self._running.pop(result.first, None) or _RunningClimb()
        evaluations = np.append(result.evaluations, result.current_evaluations if result.is_running else 0)
        evaluations[0] -= before.evaluations
        seconds = evaluations * (result.seconds / max(1, evaluations.sum()))
        seconds[0] += before.seconds
        moves = result.moves.copy()
        moves[:1] -= before.moves
        split = int(moves.sum())
        columns = (result.i, result.j, result.delta)
        if k:
            waiting = before.take()
            moves[0] += waiting[0].size
            self._blocks[result.first] = _Block(
                FinishedClimbs(result.length, result.moves, result.evaluations, seconds[:k], result.order),
                np.concatenate(([0], np.cumsum(moves))),
                concatenate([waiting, select_moves(columns, 0, split)]),
            )
            before = _RunningClimb()
        if result.is_running:
            before.seconds, before.order = float(seconds[k]), result.current
            before.moves, before.evaluations = result.current_moves, result.current_evaluations
            before.length = result.current_length
            before.waiting.append(select_moves(columns, split, result.i.size))
            self._running[result.first + k] = before

    def _stream(self, climb: _RunningClimb) -> Iterator[Event]:
        """While the record has room, report the new moves of the lowest unfinished climber."""
        if climb.waiting and (self._recorder is not None or self._bytes < RECORD_BYTES):
            delta = [part[2] for part in climb.waiting]
            yield from self._record_moves(climb)
            if self._first_unreported == 0:
                yield from self._progress_inside(climb.length, np.concatenate(delta))

    def _record_moves(self, climb: _RunningClimb) -> Iterator[Moves]:
        """Yield the unreported moves of the lowest unfinished climber as parts of its climb."""
        columns = climb.take()
        if self._recorder is None:
            self._recorder = self._make_recorder(self._first_unreported, climb.length - int(columns[2].sum()))
        builder = MovesBuilder(self._n)
        self._recorder.add_to(builder, columns, last=False)
        yield from builder.events()

    def _make_recorder(self, climber: int, length: int) -> ClimbRecorder:
        return ClimbRecorder(climber, make_start_tour(self._job, climber), length)

    def _report_block(self, block: _Block) -> Iterator[Event]:
        """Report a block's climbers, up to the one at which a limit ends the run."""
        counted = self._statistics.count(block.batch)
        if self._first_unreported == 0:
            yield from self._progress_inside(int(block.batch.length[0]), block.moves(0, 1)[2])
        yield from self._record_block(block, counted.k, counted.improvements)
        yield from self._statistics.events(block.batch, counted)

    def _record_block(self, block: _Block, k: int, improvements: np.ndarray) -> Iterator[Moves]:
        """Record the block's first k climbers while there is room, and those with a new best in any case."""
        builder, moves = MovesBuilder(self._n), block.batch.moves
        sizes = count_climb_bytes(moves[:k], self._n)
        room = int(np.searchsorted(self._bytes + np.cumsum(sizes) - sizes, RECORD_BYTES))
        self._bytes += int(sizes[:room].sum())
        at = 0
        if self._recorder is not None:
            self._recorder.add_to(builder, block.moves(0, 1), last=True)
            self._recorder, at = None, 1
        if at < room and moves[at:room].max() <= TOUR_EVERY:
            length = block.batch.length[at:room]
            add_short_climbs(
                builder, self._job, self._first_unreported + at, length, moves[at:room], block.moves(at, room)
            )
            at = room
        for c in [*range(at, room), *improvements[improvements >= max(at, room)].tolist()]:
            columns = block.moves(c, c + 1)
            recorder = self._make_recorder(
                self._first_unreported + c, int(block.batch.length[c]) - int(columns[2].sum())
            )
            recorder.add_to(builder, columns, last=True)
        yield from builder.events()

    def _progress_inside(self, length: int, delta: np.ndarray) -> Iterator[Progress]:
        """Yield progress rows for climber 0's start and some of its moves; `length` is its length after all `delta`."""
        lengths = np.append(length - np.cumsum(delta[::-1], dtype=np.int64)[::-1], length)
        first = max(self._inside, 0)
        moves = np.arange(first, first + lengths.size)
        selected = (moves <= _ROWS_INSIDE) | (moves % max(1, self._n // _ROWS_INSIDE) == 0)
        selected &= (moves > self._inside) & (moves % self._step == 0)
        self._inside = first + delta.size
        reported = lengths[selected]
        if reported.size:
            scans = moves[selected] // self._step * self._scan
            yield self._progress_rows(self._statistics.evaluations + scans, reported, reported)


def replay(worker: ClimbWorker, job: Job, climber: int) -> Iterator[Moves]:
    """Rerun a climb with an idle worker, and yield its moves slice by slice."""
    worker.assign(climber, climber + 1)
    recorder = None
    while not worker.idle:
        result = worker.advance()
        length = int(result.length[0]) if result.length.size else result.current_length
        if recorder is None:
            start = make_start_tour(job, climber)
            recorder = ClimbRecorder(climber, start, length - int(result.delta.sum()))
        builder = MovesBuilder(job.instance.n)
        recorder.add_to(builder, (result.i, result.j, result.delta), last=result.length.size > 0)
        yield from builder.events()
