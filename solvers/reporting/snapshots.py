"""Snapshots, taken from time to time, of the tours of climbs that are not recorded."""

from collections.abc import Iterator

import numpy as np

from solvers.core.events import Moves
from solvers.kernels.tours_cpu import apply_moves
from solvers.reporting.climbs import Columns, MovesBuilder, count_climb_bytes

#: Minimum time on the run's clock between two snapshots: in seconds, and as a share of the time that has passed.
_EVERY, _SHARE = 1 / 160, 1 / 4000
#: Maximum number of snapshots in one event.
_MAX_SNAPSHOTS = 4
#: Maximum number of bytes of all snapshots together, and of snapshots per second.
_BYTES, _BYTES_PER_SECOND = 16 << 20, 1 << 20
_MAX_MOVES = np.iinfo(np.int32).max


class TourSnapshots:
    """Takes snapshots of the current tours of a run's climbs.

    A snapshot is a part of a climb with a whole tour and no moves; see `solvers.core.events.Moves`. It does not affect
    results, and nothing is computed from it.

    Parameters
    ----------
    n : int
        Number of cities.
    moves_per_step : int, optional
        Number of moves that make up a step; no snapshot is taken within a step.
    """

    def __init__(self, n: int, moves_per_step: int = 1) -> None:
        self._n, self._step = n, moves_per_step
        self._size = int(count_climb_bytes(np.zeros(1, np.int64), n)[0])
        self._bytes, self._last = 0, 0.0

    def take_due(
        self, climber: int, total: int, length: int, before: np.ndarray, columns: Columns, seconds: float
    ) -> Iterator[Moves]:
        """Yield the snapshots now due as one event.

        Parameters
        ----------
        climber : int
        total, length : int
            Number of moves that the climb has made so far, and its length after these.
        before : ndarray, shape (n,), int32
            The climb's tour before the last moves, which are in `columns`.
        columns : Columns
        seconds : float
            Seconds on the run's clock.
        """
        every = max(_EVERY, _SHARE * seconds, self._size / _BYTES_PER_SECOND)
        steps, room = columns[0].size // self._step, (_BYTES - self._bytes) // self._size
        count = min(int((seconds - self._last) / every), _MAX_SNAPSHOTS, steps, room)
        if count < 1:
            return
        self._last, self._bytes = seconds, self._bytes + count * self._size
        yield self._event(climber, total, length, before.copy(), columns, count)

    def _event(self, climber: int, total: int, length: int, order: np.ndarray, columns: Columns, count: int) -> Moves:
        i, j, delta = columns
        ends = self._step * np.linspace(0, i.size // self._step, count + 1).astype(np.int64)
        tours = np.empty((count, self._n), np.int32)
        for k in range(count):
            apply_moves(order, i[ends[k] : ends[k + 1]], j[ends[k] : ends[k + 1]])
            tours[k] = order
        change_to_end = delta[::-1].cumsum(dtype=np.int64)[::-1]  # the total change from each move to the end
        builder, nothing = MovesBuilder(self._n), np.empty(0, np.int32)
        builder.add(
            tours, nothing, nothing, nothing,
            climber=np.full(count, climber), first=np.minimum(total - i.size + ends[1:], _MAX_MOVES),
            count=np.zeros(count), length=length - np.append(change_to_end, 0)[ends[1:]], last=np.ones(count, np.bool_),
        )  # fmt: skip
        return next(builder.events())
