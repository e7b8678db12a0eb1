"""The head of a run: the tour as the run has it now, followed move by move as cheaply as can be."""

from dataclasses import dataclass, field

import numpy as np

from runs.climb import Piece, pieces
from runs.frames import Frame, encode
from runs.run_clock import RunClock

_NO_MOVE = (-1, -1, 0)
#: Climbs that are followed at a time; a run has a few in progress, of a damaged stream there could be any number.
_MOST_OPEN = 64


@dataclass(slots=True, eq=False)
class Head:
    """A tour at one moment of a run; `frame` is made once, for all who watch.

    Attributes
    ----------
    order : ndarray, shape (n,), int32, or (m, 2) for the edges of a construction
    elapsed : float
        The run's seconds at that moment.
    """

    climber: int
    move: int
    length: int
    at: float
    walk: str
    order: np.ndarray
    last: tuple[int, int, int] = _NO_MOVE
    elapsed: float = 0.0
    _frame: bytes = field(default=b"")

    def frame(self) -> bytes:
        """The ``head`` frame."""
        if not self._frame:
            values = {"climber": self.climber, "move": self.move, "length": self.length, "at": self.at}
            values["elapsed"] = self.elapsed
            name = "edges" if self.walk == "edges" else "order"
            arrays = {name: self.order, "last": np.array(self.last, np.int32)}
            self._frame = encode("head", {**values, "walk": self.walk}, arrays)
        return self._frame


class Follower:
    """Keeps the head of one run from its frames, and its clock.

    Attributes
    ----------
    clock : RunClock
    seconds : float
        The run's seconds at the last frame.
    """

    def __init__(self) -> None:
        self.clock = RunClock()
        self.seconds = 0.0
        self._open: dict[int, np.ndarray] = {}

    def follow(self, frame: Frame) -> Head | None:
        """The head that a frame leads to, if it leads to one."""
        self.seconds = self.clock.follow(frame)
        head = self._head(frame)
        if head:
            head.elapsed = self.seconds
        return head

    def _head(self, frame: Frame) -> Head | None:
        if frame.kind == "moves":
            return self._moves(frame)
        if frame.kind == "edges":
            return _edges(frame)
        if frame.kind == "tour":
            values = frame.values
            return Head(values["climber"], -1, values["length"], values["at"], "moves", frame.arrays["order"])
        return None

    def _moves(self, frame: Frame) -> Head | None:
        """Follow the climbs that are in progress and the last one: thousands may lie in between, whole."""
        climbers, last = frame.arrays["climber"], frame.arrays["last"].astype(bool)
        going = np.isin(climbers, list(self._open)) | ~last
        going[-1:] = True
        head = None
        for piece in pieces(frame, _from_whole_tours(frame, np.flatnonzero(going))):
            head = self._piece(piece, frame.values["at"])
        return head

    def _piece(self, piece: Piece, at: float) -> Head | None:
        order = self._open.pop(piece.climber, None) if piece.tour is None else piece.tour.copy()
        if order is None:
            return None
        for i, j in zip(piece.i.tolist(), piece.j.tolist(), strict=True):
            order[i + 1 : j + 1] = order[i + 1 : j + 1][::-1].copy()
        if not piece.last and len(self._open) < _MOST_OPEN:
            self._open[piece.climber] = order.copy()
        last = (int(piece.i[-1]), int(piece.j[-1]), int(piece.delta[-1])) if len(piece.i) else _NO_MOVE
        length = piece.length + int(piece.delta.sum(dtype=np.int64))
        return Head(piece.climber, piece.first + len(piece.i), length, at, "moves", order, last)


def _from_whole_tours(frame: Frame, rows: np.ndarray) -> list[int]:
    """Of each climber's pieces in these rows the last that has a whole tour, and those behind it: the rest is past."""
    climbers, whole = frame.arrays["climber"], frame.arrays["tour"] >= 0
    kept: list[int] = []
    known: set[int] = set()
    for row in rows[::-1].tolist():
        if climbers[row] not in known:
            kept.append(row)
            if whole[row]:
                known.add(climbers[row])
    return kept[::-1]


def _edges(frame: Frame) -> Head:
    edges, delta = frame.arrays["edges"], frame.arrays["delta"]
    last = (*edges[-1].tolist(), int(delta[-1])) if len(edges) else _NO_MOVE
    length = int(delta.sum(dtype=np.int64))
    return Head(frame.values["climber"], len(edges), length, frame.values["at"], "edges", edges, last)
