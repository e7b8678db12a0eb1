"""Stores the frames of a run for a later view, those of climbs and pictures only while they fit."""

from tourscope.frames import Frame

#: Bytes beyond which frames of climbs and pictures are dropped.
_MAX_BYTES = 64 << 20
#: Large events that are not required to show a run.
_BULK = frozenset({"moves", "edges", "choices", "deposits", "steps", "field", "ants", "tabu", "individuals"})


class FrameLog:
    """The frames of a run, in order."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self._size = 0

    def add(self, frame: Frame) -> None:
        """Store a frame; those of climbs and pictures only while they fit."""
        if frame.kind in _BULK and self._size + len(frame.raw) > _MAX_BYTES:
            return
        self.frames.append(frame.raw)
        self._size += len(frame.raw)
