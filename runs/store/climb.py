"""Assembles a climb from the frames that contain its pieces."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from runs.store.run_file import EXPLANATIONS
from solvers.worker.frames import Frame, decode, encode

_EMPTY = np.zeros(0, np.int32)
#: New names for an explanation's values that would clash with values of a climb.
_RENAMED = {"length": "deposited", "q": "per_ant"}
#: Values of `step` and `control` if the algorithm, or the release that wrote the file, does not record which step made
#: a move.
_NO_STEP, _NO_CONTROL = np.zeros(0, np.int64), np.zeros(0)


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Consecutive moves of a climb, as in `solvers.core.events.Moves`; `tour` is None or (n,)."""

    climber: int
    first: int
    length: int
    last: bool
    tour: np.ndarray | None
    i: np.ndarray
    j: np.ndarray
    delta: np.ndarray
    step: np.ndarray
    control: np.ndarray


def split_pieces(moves: Frame, rows: Iterable[int]) -> Iterator[Piece]:
    """Split rows of a ``moves`` frame into pieces."""
    a = moves.arrays
    ends = np.cumsum(a["count"], dtype=np.int64)
    for row in rows:
        part = slice(int(ends[row] - a["count"][row]), int(ends[row]))
        tour = int(a["tour"][row])
        yield Piece(
            climber=int(a["climber"][row]),
            first=int(a["first"][row]),
            length=int(a["length"][row]),
            last=bool(a["last"][row]),
            tour=a["tours"][tour] if tour >= 0 else None,
            i=a["i"][part],
            j=a["j"][part],
            delta=a["delta"][part],
            step=a.get("step", _NO_STEP)[part],
            control=a.get("control", _NO_CONTROL)[part],
        )


def build_climb_frame(climber: int, frames: Iterable[bytes], after: int = 0) -> bytes | None:
    """Return a climber's ``climb`` frame, given its frames in order.

    Parameters
    ----------
    climber : int
    frames : iterable of bytes
        ``moves`` and ``edges`` frames that hold pieces of the climb, and those that explain it.
    after : int
        Number of moves already known, in whole pieces; the frame holds the moves after them, possibly none.

    Returns
    -------
    bytes or None
        None if the frames lack a part of the climb.
    """
    parts: list[Piece] = []
    explanations: list[Frame] = []
    for frame in map(decode, frames):
        if frame.kind in EXPLANATIONS:
            explanations.append(frame)
            continue
        if frame.kind == "edges":
            return _build_edge_climb(frame, explanations)
        rows = np.flatnonzero(frame.arrays["climber"] == climber)
        parts += split_pieces(frame, rows)
    return _build_move_climb(climber, [part for part in parts if part.first >= after], after)


def _build_edge_climb(frame: Frame, explanations: Iterable[Frame]) -> bytes:
    """Return a construction's frame, to which the arrays and renamed values of its explanations are added."""
    explained: dict[str, float] = {}
    for explanation in explanations:
        explained |= {
            _RENAMED.get(name, name): value
            for name, value in explanation.values.items()
            if name not in ("at", "climber")
        }
    values = {**explained, "climber": frame.values["climber"], "walk": "edges", "complete": True, "length": 0}
    empty = {"at": _EMPTY, "tours": np.zeros((0, len(frame.arrays["edges"])), np.int32), "i": _EMPTY, "j": _EMPTY}
    arrays = {name: array for explanation in explanations for name, array in explanation.arrays.items()}
    return encode("climb", values, {**empty, **arrays, "edges": frame.arrays["edges"], "delta": frame.arrays["delta"]})


def _build_move_climb(climber: int, parts: list[Piece], after: int) -> bytes | None:
    position, chain = after, list[Piece]()
    for part in parts:
        if part.first == position:
            chain.append(part)
            position += len(part.i)
        elif len(part.i) or part.tour is None:  # else a snapshot, which does not belong to the recorded climb
            return None
    if not after and (not chain or chain[0].tour is None):
        return None
    tours = [(part.first, part.tour) for part in chain if part.tour is not None]
    complete, length = (chain[-1].last, chain[0].length) if chain else (False, 0)
    values = {"climber": climber, "walk": "moves", "complete": complete, "length": length}
    columns = ("i", "j", "delta")
    arrays = {name: np.concatenate([_EMPTY, *(getattr(part, name) for part in chain)]) for name in columns}
    if any(part.step.size for part in chain):
        arrays["step"] = np.concatenate([part.step for part in chain])
        arrays["control"] = np.concatenate([part.control for part in chain])
    arrays["at"] = np.array([at for at, _ in tours], np.int32)
    arrays["tours"] = np.stack([tour for _, tour in tours]) if tours else np.zeros((0, 0), np.int32)
    return encode("climb", values, arrays)


def list_piece_keys(frame: Frame) -> tuple[tuple[int, int], ...]:
    """Return an event's keys (climber, first move) for the run file's index."""
    if frame.kind == "moves":
        return tuple(zip(frame.arrays["climber"].tolist(), frame.arrays["first"].tolist(), strict=True))
    return ((frame.values["climber"], 0),) if frame.kind in ("edges", *EXPLANATIONS) else ()
