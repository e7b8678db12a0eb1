"""The frames of a run for a later view; climbs and pictures only as far as they fit."""

from tourscope.frames import Frame

#: Bytes beyond which frames of climbs and pictures are not kept.
_MOST = 64 << 20
#: Events that are large, and that a run can be shown without.
_BULK = frozenset({"moves", "edges", "choices", "deposits", "steps", "field", "ants", "tabu", "individuals"})


class FrameLog:
    """The frames of one run, in order."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self._size = 0

    def add(self, frame: Frame) -> None:
        """Keep a frame, if there is room for one of its kind."""
        if frame.kind in _BULK and self._size + len(frame.raw) > _MOST:
            return
        self.frames.append(frame.raw)
        self._size += len(frame.raw)
