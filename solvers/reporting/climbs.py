"""Records climbs as `Moves` events: their parts, the whole tours between these, and the size of a record."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from data.distances import edge_lengths, tour_length
from solvers.algorithms.two_opt.launch_sizes import paper_threads
from solvers.core.events import Moves
from solvers.core.solver import Job
from solvers.kernels.tours_cpu import apply_moves, program_tour, random_tours

#: Number of moves between whole tours: a multiple of three, so that no whole tour falls between the three reversals of
#: an insertion.
TOUR_EVERY = 255
_COLUMNS = ("climber", "first", "count", "length", "last", "tour")
_MOVE_COLUMNS = ("i", "j", "delta", "step", "control")
_DTYPES: dict[str, type] = {"length": np.int64, "last": np.bool_, "step": np.int64, "control": np.float64}
#: Number of bytes per recorded move, without and with the number of its step.
MOVE_BYTES, STEP_BYTES = 12, 28

#: Columns i, j and delta of moves, each (m,) int32; for some algorithms also step and control, as in `events.Moves`.
Columns = tuple[np.ndarray, ...]


def select_moves(columns: Columns, first: int, last: int) -> Columns:
    """Return moves `first` to `last` - 1 of the columns."""
    return tuple(column[first:last] for column in columns)


def concatenate(parts: list[Columns]) -> Columns:
    """Concatenate parts with the same columns; if there are no parts, i, j and delta are empty."""
    if not parts:
        return (np.empty(0, np.int32),) * 3
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))


def follows_program(job: Job) -> bool:
    """Return whether climbs follow Utne and Hansen's program.

    See `solvers.algorithms.two_opt.params.TwoOptParams.published`.
    """
    return getattr(job.params, "published", "no") == "program"


def make_start_tours(job: Job, first: int, count: int) -> np.ndarray:
    """Return climbers' start tours, (count, n) int32: random, except that climber 0 may start at the job's tour."""
    n, tours = job.instance.n, np.empty((count, job.instance.n), np.int32)
    if follows_program(job):
        for k in range(count):
            program_tour(np.uint64(job.seed), first + k, n, paper_threads(n), tours[k])
    else:
        random_tours(np.uint64(job.seed), first, tours)
    if first == 0 and job.start is not None:
        tours[0] = job.start
    return tours


def make_start_tour(job: Job, climber: int) -> np.ndarray:
    """Return a climber's start tour."""
    return make_start_tours(job, climber, 1)[0]


def count_climb_bytes(moves: np.ndarray, n: int, each: int = MOVE_BYTES) -> np.ndarray:
    """Return how many bytes each recorded climb takes, int64, given the climbs' numbers of moves."""
    tours = 1 + np.maximum(moves - 1, 0) // TOUR_EVERY
    return each * moves + (4 * n + 32) * tours


class MovesBuilder:
    """Collects parts of climbs for a `Moves` event."""

    def __init__(self, n: int) -> None:
        self.n = n
        self._columns: dict[str, list[np.ndarray]] = {name: [] for name in _COLUMNS + _MOVE_COLUMNS}
        self._tours: list[np.ndarray] = []
        self._tour_count = 0

    def add(self, tours: np.ndarray, *moves: np.ndarray, **columns: np.ndarray) -> None:
        """Add parts: columns of moves, and those of parts except `tour`; the first k parts have whole tours (k, n)."""
        row = np.full(columns["climber"].size, -1, np.int32)
        row[: len(tours)] = self._tour_count + np.arange(len(tours))
        self._tours.append(tours)
        self._tour_count += len(tours)
        for name, values in {**columns, "tour": row, **dict(zip(_MOVE_COLUMNS, moves, strict=False))}.items():
            self._columns[name].append(values)

    def events(self) -> Iterator[Moves]:
        """Yield all parts as one event, if there are any."""
        if self._columns["climber"]:
            columns: dict[str, Any] = {
                name: np.concatenate(parts or [np.empty(0)]).astype(_DTYPES.get(name, np.int32), copy=False)
                for name, parts in self._columns.items()
            }
            yield Moves(tours=np.concatenate(self._tours).reshape(-1, self.n), **columns)


class ClimbRecorder:
    """Records a climb while it runs.

    Attributes
    ----------
    order : ndarray, shape (n,), int32
        The current tour; changed in place.
    length : int
    move_count : int
        Number of moves so far.
    """

    def __init__(self, climber: int, order: np.ndarray, length: int) -> None:
        self._climber, self.order, self.length = climber, order, length
        self.move_count = 0
        self._started = False

    def add_to(self, builder: MovesBuilder, columns: Columns, last: bool) -> None:
        """Add the climb's next moves in parts that end where a whole tour is due."""
        at, size = 0, columns[0].size
        while at < size or last or not self._started:
            end = min(size, at + TOUR_EVERY - self.move_count % TOUR_EVERY)
            self._piece(builder, select_moves(columns, at, end), last and end == size)
            if end == size:
                break
            at = end

    def _piece(self, builder: MovesBuilder, columns: Columns, last: bool) -> None:
        i, j, delta, *_ = columns
        due = self.move_count % TOUR_EVERY == 0 or not self._started
        self._started = True
        builder.add(
            self.order[None, :].copy() if due else np.empty((0, self.order.size), np.int32), *columns,
            climber=np.array([self._climber]), first=np.array([self.move_count]), count=np.array([i.size]),
            length=np.array([self.length]), last=np.array([last]),
        )  # fmt: skip
        apply_moves(self.order, i, j)
        self.move_count += i.size
        self.length += int(delta.sum())


class DeviceClimbRecorder:
    """Records a climb whose moves arrive launch by launch from a GPU.

    Parameters
    ----------
    job : Job
    climber : int
    exact : bool
        Whether the moves' changes in length are exactly TSPLIB's; if not, they are computed again here.

    Attributes
    ----------
    climb : ClimbRecorder
    ended : bool
    """

    def __init__(self, job: Job, climber: int, exact: bool) -> None:
        self._instance, self._exact = job.instance, exact
        order = make_start_tour(job, climber)
        self.climb = ClimbRecorder(climber, order, tour_length(job.instance, order))
        self.ended = False

    def take(self, columns: Columns, last: bool) -> Iterator[Moves]:
        """Record the next moves; if these are the `last`, end the climb."""
        if not columns[0].size and not last:
            return
        i, j, _ = columns
        if not self._exact:
            columns = i, j, self._measure_changes(i, j)
        builder = MovesBuilder(self._instance.n)
        self.climb.add_to(builder, columns, last)
        self.ended = last
        yield from builder.events()

    def _measure_changes(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Compute by how much exactly each of these successive moves changes the length."""
        order, n = self.climb.order.copy(), self._instance.n
        ends = np.empty((4, i.size), np.int32)
        for k in range(i.size):
            ends[:, k] = order[[i[k], i[k] + 1, j[k], (j[k] + 1) % n]]
            apply_moves(order, i[k : k + 1], j[k : k + 1])
        a, b, c, d = (edge_lengths(self._instance, ends[x], ends[y]) for x, y in ((0, 2), (1, 3), (0, 1), (2, 3)))
        return (a + b - c - d).astype(np.int32)


def add_short_climbs(
    builder: MovesBuilder, job: Job, first: int, length: np.ndarray, moves: np.ndarray, columns: Columns
) -> None:
    """Add whole climbs, from climber `first` on, of up to `TOUR_EVERY` moves each, as one part per climb.

    Parameters
    ----------
    length, moves : ndarray, shape (k,), int64
        Final length and number of moves of each climb.
    columns : tuple of ndarray, shape (m,), int32
        Columns i, j and delta of the climbs' moves.
    """
    tours = make_start_tours(job, first, length.size)
    ends = np.cumsum(moves)
    sums = np.concatenate(([0], np.cumsum(columns[2], dtype=np.int64)))
    builder.add(
        tours, *columns,
        climber=np.arange(first, first + length.size), first=np.zeros(length.size), count=moves,
        length=length - (sums[ends] - sums[ends - moves]), last=np.ones(length.size),
    )  # fmt: skip
