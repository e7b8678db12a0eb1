"""What a colony of ants looks like now: the newest field of its trails, and the lengths of its ants at that time."""

from collections import deque
from dataclasses import dataclass

from runs.store.run_file import PICTURES
from solvers.worker.frames import Frame

#: Lengths that wait for their field at most; a field is made beside the ants' work, and comes a little later.
_MOST_AHEAD = 64


@dataclass(frozen=True, slots=True)
class ColonyPicture:
    """A field's frame, as the worker made it, and that of the ants' lengths; empty where none have come."""

    field: bytes
    ants: bytes = b""

    def frames(self) -> list[bytes]:
        """The frames that have come."""
        return [raw for raw in (self.field, self.ants) if raw]


class Pairing:
    """Puts each field of a run together with the lengths that are nearest at or before its iteration."""

    def __init__(self) -> None:
        self._ahead: deque[tuple[int, bytes]] = deque(maxlen=_MOST_AHEAD)
        self._ants = b""

    def follow(self, frame: Frame, raw: bytes) -> ColonyPicture | None:
        """The picture that an event completes, if it is a field."""
        iteration = iteration_of(frame)
        if iteration is None:
            return None
        if frame.kind == "ants":
            self._ahead.append((iteration, raw))
            return None
        while self._ahead and self._ahead[0][0] <= iteration:
            self._ants = self._ahead.popleft()[1]
        return ColonyPicture(raw, self._ants)


def iteration_of(frame: Frame) -> int | None:
    """The iteration that an event pictures, None if it is no picture: its row in the run file's index."""
    return frame.values["iteration"] if frame.kind in PICTURES else None
