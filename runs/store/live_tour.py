"""The head of a run: its current tour, cheaply updated move by move."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from runs.store.climb import Piece, split_pieces
from runs.store.clock import RunClock
from solvers.worker.frames import Frame, encode

_NO_MOVE = (-1, -1, 0)
#: Maximum number of climbs followed at a time: a run has a few in progress, but a damaged stream could have any number.
_MAX_OPEN = 64
#: Maximum number of heads taken from one frame, besides its last.
_MAX_INTERMEDIATE = 3


@dataclass(slots=True, eq=False)
class Head:
    """A run's tour at one moment; `frame` is encoded once for all viewers.

    Attributes
    ----------
    order : ndarray, shape (n,), int32, or (m, 2) for the edges of a construction
    last : tuple of int
        i, j and delta of up to three moves, as many as an insertion has, the newest first; -1, -1, 0 for none.
    elapsed : float
        The run's seconds at this time.
    """

    climber: int
    move: int
    length: int
    at: float
    walk: str
    order: np.ndarray
    last: tuple[int, ...] = _NO_MOVE
    elapsed: float = 0.0
    _frame: bytes = field(default=b"")

    def frame(self) -> bytes:
        """Return the head encoded as a ``head`` frame."""
        if not self._frame:
            values = {"climber": self.climber, "move": self.move, "length": self.length, "at": self.at}
            values["elapsed"] = self.elapsed
            name = "edges" if self.walk == "edges" else "order"
            arrays = {name: self.order, "last": np.array(self.last, np.int32)}
            self._frame = encode("head", {**values, "walk": self.walk}, arrays)
        return self._frame


class Follower:
    """Derives a run's current tour and clock from its frames.

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

    def follow(self, frame: Frame) -> list[Head]:
        """Return a frame's heads, at most a few, newest last.

        A frame covers a few milliseconds: its heads are assumed to be evenly spaced over this time.
        """
        before, self.seconds = self.seconds, self.clock.follow(frame)
        heads = self._find_heads(frame)
        for k, head in enumerate(heads, 1):
            head.elapsed = before + k / len(heads) * (self.seconds - before)
        return heads

    def _find_heads(self, frame: Frame) -> list[Head]:
        if frame.kind == "moves":
            return self._follow_moves(frame)
        if frame.kind == "edges":
            return [_make_edge_head(frame)]
        if frame.kind == "tour":
            values = frame.values
            return [Head(values["climber"], -1, values["length"], values["at"], "moves", frame.arrays["order"])]
        return []

    def _follow_moves(self, frame: Frame) -> list[Head]:
        """Follow only the climbs in progress and the last one, as thousands may have finished in between."""
        climbers, last = frame.arrays["climber"], frame.arrays["last"].astype(bool)
        in_progress = np.isin(climbers, list(self._open)) | ~last
        in_progress[-1:] = True
        heads = list(_make_intermediate_heads(frame))
        head = None
        for piece in split_pieces(frame, _select_rows(frame, np.flatnonzero(in_progress))):
            head = self._follow_piece(piece, frame.values["at"])
        return [*heads, head] if head else heads

    def _follow_piece(self, piece: Piece, at: float) -> Head | None:
        start = self._open.pop(piece.climber, None) if piece.tour is None else piece.tour
        if start is None:
            return None
        order = _apply_moves(piece, start)
        if not piece.last and len(self._open) < _MAX_OPEN:
            self._open[piece.climber] = order
        return _make_head(piece, order, at)


def _make_intermediate_heads(frame: Frame) -> Iterator[Head]:
    """Yield some of a frame's earlier tours: those of the last climb or, without any, the end of another climb."""
    a, at = frame.arrays, frame.values["at"]
    latest = a["climber"] == a["climber"][-1:]
    with_tour = np.flatnonzero(latest & (a["tour"] >= 0) & (a["first"] > 0))[:-1]
    selection = np.linspace(0, with_tour.size - 1, min(with_tour.size, _MAX_INTERMEDIATE)).astype(int)
    for row in with_tour[selection].tolist():
        climber, move, length = (int(a[name][row]) for name in ("climber", "first", "length"))
        yield Head(climber, move, length, at, "moves", a["tours"][a["tour"][row]].copy())  # a view would keep the frame
    if with_tour.size:
        return
    candidates = np.flatnonzero(~latest & (a["first"] == 0) & (a["tour"] >= 0) & a["last"].astype(bool))
    for row in candidates[candidates.size // 2 :][:1].tolist():
        (piece,) = split_pieces(frame, [row])
        yield _make_head(piece, _apply_moves(piece, a["tours"][a["tour"][row]]), at)


def _apply_moves(piece: Piece, start: np.ndarray) -> np.ndarray:
    """Apply a piece's moves to a tour."""
    order = start.copy()
    for i, j in zip(piece.i.tolist(), piece.j.tolist(), strict=True):
        order[i + 1 : j + 1] = order[i + 1 : j + 1][::-1].copy()
    return order


def _make_head(piece: Piece, order: np.ndarray, at: float) -> Head:
    last = tuple(np.stack([piece.i, piece.j, piece.delta], axis=1)[:-4:-1].ravel().tolist()) or _NO_MOVE
    length = piece.length + int(piece.delta.sum(dtype=np.int64))
    return Head(piece.climber, piece.first + len(piece.i), length, at, "moves", order, last)


def _select_rows(frame: Frame, rows: np.ndarray) -> list[int]:
    """Select each climber's last piece with a whole tour and all later ones; earlier ones are outdated."""
    climbers, has_tour = frame.arrays["climber"], frame.arrays["tour"] >= 0
    selected: list[int] = []
    complete: set[int] = set()
    for row in rows[::-1].tolist():
        if climbers[row] not in complete:
            selected.append(row)
            if has_tour[row]:
                complete.add(climbers[row])
    return selected[::-1]


def _make_edge_head(frame: Frame) -> Head:
    edges, delta = frame.arrays["edges"], frame.arrays["delta"]
    last = (*edges[-1].tolist(), int(delta[-1])) if len(edges) else _NO_MOVE
    length = int(delta.sum(dtype=np.int64))
    return Head(frame.values["climber"], len(edges), length, frame.values["at"], "edges", edges, last)
