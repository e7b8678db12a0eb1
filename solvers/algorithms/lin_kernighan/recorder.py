"""Exchanges as 2-opt moves: their number, and the record of a round. Imports Numba: for use inside `solve()`."""

from collections.abc import Iterator

import numpy as np

from solvers.algorithms.lin_kernighan.cpu import RoundResult, list_reversals
from solvers.algorithms.lin_kernighan.kernels.moves_cpu import MAX_MOVES, count_moves, make_moves
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import ROW, Cities
from solvers.core.events import Moves
from solvers.kernels.tours_cpu import apply_moves
from solvers.reporting.climbs import ClimbRecorder, Columns, MovesBuilder

#: Number of moves to make at a time.
_MOVES = 1 << 12


class RoundRecorder:
    """Records rounds as climbs, each of which starts at the previous round's tour.

    Parameters
    ----------
    cities : Cities
    names : ndarray, shape (n,), int32
        The number that each city has in the instance.
    order : ndarray, shape (n,), int32
        The first tour, in the kernels' numbering.
    length : int
        Length of the first tour.
    """

    #: Number of recorded moves per step of a climb.
    moves_per_step = 1

    def __init__(self, cities: Cities, names: np.ndarray, order: np.ndarray, length: int) -> None:
        self._cities, self._names = cities, names
        self._order, self._place = order.copy(), np.empty(order.size, np.int32)
        self._place[order] = np.arange(order.size, dtype=np.int32)
        self._length = length

    def round(self, climber: int, record: np.ndarray, count: int) -> Iterator[Moves]:
        """Yield the first `count` exchanges of a round as a climb, and apply the rest."""
        n = self._order.size
        recorder, builder = ClimbRecorder(climber, self._names[self._order], self._length), MovesBuilder(n)
        for columns, last in self._apply_exchanges(record[:count]):
            recorder.add_to(builder, columns, last)
        self._length = recorder.length
        for columns, _ in self._apply_exchanges(record[count:]):
            self._length += int(columns[2].sum())
        yield from builder.events()

    def rows(self, result: RoundResult) -> tuple[np.ndarray, int]:
        """Return a round's exchanges, and how many of them lead to its tour; reversals if the exchanges are unknown."""
        if result.record is not None:
            return result.record, result.best_count
        _, record = list_reversals(self._order, result.order)
        return record, len(record)

    @staticmethod
    def count(record: np.ndarray) -> int:
        """Return the number of 2-opt moves in a record."""
        return int(count_moves(record, len(record)))

    def _apply_exchanges(self, record: np.ndarray) -> Iterator[tuple[Columns, bool]]:
        """Apply exchanges; yield them as 2-opt moves, part by part, and whether the part is the last."""
        i, j, delta = np.empty((3, max(_MOVES, MAX_MOVES)), np.int32)
        measure, first, last = (self._cities.policy, self._cities.matrix, self._cities.points), 0, False
        while not last:
            first, count = make_moves(*measure, record, first, self._order, self._place, i, j, delta)
            last = first == len(record)
            yield (i[:count].copy(), j[:count].copy(), delta[:count].copy()), last


class InsertionRecorder:
    """Records rounds of a directed instance, whose moves come with their change in length.

    Parameters
    ----------
    order : ndarray, shape (n,), int32
        The first tour.
    length : int
        Length of the first tour.
    moves_per_step : int
        See `RoundRecorder`.
    """

    def __init__(self, order: np.ndarray, length: int, moves_per_step: int) -> None:
        self._order, self._length, self.moves_per_step = order.copy(), length, moves_per_step

    def round(self, climber: int, record: np.ndarray, count: int) -> Iterator[Moves]:
        """Yield a round as a climb; nothing if a change in length exceeds 32 bits."""
        recorder, builder = ClimbRecorder(climber, self._order, self._length), MovesBuilder(self._order.size)
        fits = not record.size or np.abs(record).max() < 2**31
        i, j, delta = np.ascontiguousarray(record.T)
        recorder.add_to(builder, (i.astype(np.int32), j.astype(np.int32), delta), True)
        self._length = recorder.length
        if fits:
            yield from builder.events()

    @staticmethod
    def rows(result: RoundResult) -> tuple[np.ndarray, int]:
        """See `RoundRecorder`; here the moves are always known."""
        assert result.record is not None
        return result.record, result.best_count

    @staticmethod
    def count(record: np.ndarray) -> int:
        """Return the number of moves in a record."""
        return len(record)


def load(cities: Cities) -> None:
    """Compile or load the kernels."""
    nothing, order = np.empty((0, ROW), np.int32), np.zeros((2, 0), np.int32)
    columns = np.empty((3, 0), np.int32)
    count_moves(nothing, 0)
    make_moves(cities.policy, cities.matrix, cities.points, nothing, 0, *order, *columns)
    apply_moves(np.zeros(1, np.int32), *columns[:2])  # load the kernel that records climbs
