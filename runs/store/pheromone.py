"""The newest picture of an ant colony: its pheromone, and the lengths of its ants' tours at that time."""

from collections import deque
from dataclasses import dataclass

from runs.store.run_file import PICTURES
from solvers.worker.frames import Frame

#: Maximum number of lengths that wait for their field; it is computed in parallel with the ants and arrives later.
_MAX_WAITING = 64


@dataclass(frozen=True, slots=True)
class ColonyPicture:
    """The frames of a pheromone field and of the matching ants' lengths, empty until they arrive."""

    field: bytes
    ants: bytes = b""

    def frames(self) -> list[bytes]:
        """Return the frames that have arrived."""
        return [raw for raw in (self.field, self.ants) if raw]


class Pairing:
    """Pairs each pheromone field of a run with the latest ants' lengths up to its iteration."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[int, bytes]] = deque(maxlen=_MAX_WAITING)
        self._ants = b""

    def follow(self, frame: Frame, raw: bytes) -> ColonyPicture | None:
        """Return the picture that an event completes, if it is a field."""
        iteration = find_iteration(frame)
        if iteration is None:
            return None
        if frame.kind == "ants":
            self._waiting.append((iteration, raw))
            return None
        while self._waiting and self._waiting[0][0] <= iteration:
            self._ants = self._waiting.popleft()[1]
        return ColonyPicture(raw, self._ants)


def find_iteration(frame: Frame) -> int | None:
    """Return the iteration an event shows, for the run file's index; None if it is not a picture."""
    return frame.values["iteration"] if frame.kind in PICTURES else None
