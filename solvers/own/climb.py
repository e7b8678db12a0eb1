"""A climb of a user's solver: a start tour and its moves, which the page replays."""

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from data.distances import edge_lengths, tour_length
from solvers.core.events import Event
from solvers.core.solver import Job
from solvers.kernels.tours_cpu import apply_moves
from solvers.reporting.climbs import MOVE_BYTES, ClimbRecorder, MovesBuilder


class Reports(Protocol):
    """What a climb uses of `solvers.own.report.Report`."""

    def waiting(self) -> Iterator[Event]:
        """Yield a heartbeat."""
        ...

    def tour(self, order: np.ndarray, evaluations: int, moves: int = 0) -> Iterator[Event]:
        """Yield a finished climber."""
        ...

    def improves(self, length: int) -> bool:
        """Return whether a tour of this length is a new best."""
        ...

    def record(self, size: int) -> None:
        """Count `size` bytes of recorded moves."""
        ...


class Climb:
    """A climb; `Report.climb` creates it.

    A move (i, j), i < j, reverses positions i+1 to j of the tour: it removes the edges after positions i and j.

    Attributes
    ----------
    order : ndarray, shape (n,), int32
        The tour after all moves so far; to be changed only by moves.
    length : int
        Length of the tour.
    """

    def __init__(
        self, report: Reports, job: Job, climber: int, start: np.ndarray | Sequence[int], is_live: bool
    ) -> None:
        self._report, self._instance, self._is_live = report, job.instance, is_live
        self.order = np.array(start, np.int32)
        self.length = tour_length(job.instance, self.order)
        self._recorder = ClimbRecorder(climber, self.order.copy(), self.length)
        self._moves: list[tuple[int, int, int]] = []
        self._move_count = 0

    def move(self, i: int, j: int, delta: int | None = None) -> None:
        """Apply a move.

        Parameters
        ----------
        i, j : int
            Positions, 0 <= i < j < n.
        delta : int, optional
            The change in length, negative if the tour gets shorter; computed here if omitted.

        Raises
        ------
        ValueError
            If the positions are invalid.
        """
        if not 0 <= i < j < self.order.size:
            raise ValueError(_find_position_error("move(i, j)", f"0 <= i < j < {self.order.size}", f"i = {i}, j = {j}"))
        if delta is None:
            a, b, c, d = self.order[[i, i + 1, j, (j + 1) % self.order.size]]
            lengths = edge_lengths(self._instance, np.array([a, b, a, c]), np.array([c, d, b, d]))
            delta = int(lengths[0] + lengths[1] - lengths[2] - lengths[3])
        self.order[i + 1 : j + 1] = self.order[i + 1 : j + 1][::-1].copy()
        self.length += delta
        self._moves.append((i, j, delta))
        self._move_count += 1

    def moves(self, i: np.ndarray, j: np.ndarray, delta: np.ndarray) -> None:
        """Apply many moves in order, for example those that a kernel has written.

        Parameters
        ----------
        i, j, delta : ndarray, shape (m,), int

        Raises
        ------
        ValueError
            If a position is invalid; all must satisfy 0 <= i < j < n.
        """
        i, j = np.asarray(i), np.asarray(j)
        wrong = np.flatnonzero((i < 0) | (i >= j) | (j >= self.order.size))
        if wrong.size:
            place = f"i = {i[wrong[0]]}, j = {j[wrong[0]]} in move {wrong[0]}"
            raise ValueError(_find_position_error("moves(i, j, delta)", f"0 <= i < j < {self.order.size}", place))
        apply_moves(self.order, i.astype(np.int32), j.astype(np.int32))
        self.length += int(np.sum(delta))
        self._moves.extend(zip(i.tolist(), j.tolist(), np.asarray(delta).tolist(), strict=True))
        self._move_count += len(i)

    def move_segment(self, first: int, last: int, to: int, turned: bool = False) -> None:
        """Apply an Or-opt move: put positions `first` to `last` between the cities at `to` and `to` + 1.

        Parameters
        ----------
        first, last, to : int
            Positions before the move: 1 <= first <= last, and `to` is before `first` - 1 or after `last`.
        turned : bool
            Whether the moved cities are reversed.

        Raises
        ------
        ValueError
            If the positions are invalid.
        """
        n = self.order.size
        if not (1 <= first <= last < n and 0 <= to < n) or first - 1 <= to <= last:
            rule = f"1 <= first <= last < {n}, and to from 0 to {n - 1} but not from first - 1 to last"
            raise ValueError(_find_position_error("move_segment(first, last, to)", rule, f"{first}, {last}, {to}"))
        if to > last:
            low, high, size = first - 1, to, last - first + 1
            middle = low + (to - last)
            parts = [(low, middle), (middle, high)]  # what followed the cities now precedes them
        else:
            low, high, size = to, last, last - first + 1
            middle = low + size
            parts = [(low, middle), (middle, high)]
        self._turn(low, high)
        behind, moved = (parts[0], parts[1]) if to > last else (parts[1], parts[0])
        self._turn(*behind)
        if not turned:
            self._turn(*moved)

    def going_on(self) -> Iterator[Event]:
        """Yield the moves since the last call; in a long climb, call this whenever `Report.due` is true."""
        yield from self._events(last=False)
        yield from self._report.waiting()

    def end(self, evaluations: int) -> Iterator[Event]:
        """Yield the climb's last moves and its tour, which finishes the climber.

        Parameters
        ----------
        evaluations : int
            Number of evaluations that the climb took, in the solver's unit.
        """
        self._is_live |= self._report.improves(tour_length(self._instance, self.order))
        yield from self._events(last=True)
        yield from self._report.tour(self.order, evaluations, self._move_count)

    def _turn(self, i: int, j: int) -> None:
        if j > i + 1:  # otherwise the part has only one city
            self.move(i, j)

    def _events(self, last: bool) -> Iterator[Event]:
        if not self._is_live or not (self._moves or last):
            return
        columns = np.array(self._moves, np.int32).reshape(-1, 3).T
        self._moves = []
        builder = MovesBuilder(self.order.size)
        self._recorder.add_to(builder, tuple(np.ascontiguousarray(column) for column in columns), last)
        self._report.record(MOVE_BYTES * columns.shape[1] + 4 * self.order.size)
        yield from builder.events()


def _find_position_error(call: str, rule: str, values: str) -> str:
    """Return the error message for invalid positions, which would corrupt memory outside the tour."""
    return f"{call} takes positions {rule}; here are {values}"
