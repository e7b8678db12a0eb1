"""Reconstructs solver time from events: a run's seconds at each frame."""

from solvers.worker.frames import Frame

#: Kinds of frames that stop the clock.
_STOPPING = ("compiling", "finished", "failed")


class RunClock:
    """Computes a run's seconds at each of its frames, which must be passed in order.

    Between two frames that carry the solver's own seconds, the clock advances by the frames' time stamps.

    Attributes
    ----------
    started : bool
        Whether the run has started to solve.
    """

    def __init__(self) -> None:
        self.started = False
        self._seconds = 0.0
        self._since: float | None = None  # when the clock showed `_seconds`, in seconds since 1970; None while stopped
        self._working, self._paused = False, False

    def follow(self, frame: Frame) -> float:
        """Return the run's seconds at `frame`, which never decrease."""
        at = frame.values.get("at", self._since or 0.0)
        now = self._seconds if self._since is None else max(self._seconds, self._seconds + at - self._since)
        if frame.kind == "progress" and frame.arrays["elapsed"].size:
            now = max(self._seconds, float(frame.arrays["elapsed"][-1]))
        elif frame.kind == "finished":
            now = max(self._seconds, float(frame.values["seconds"]))
        self._update_state(frame)
        self._seconds, self._since = now, at if self._working and not self._paused else None
        return now

    def _update_state(self, frame: Frame) -> None:
        if frame.kind == "started":
            self.started = self._working = True
        elif frame.kind in _STOPPING:
            self._working = False
        elif frame.kind == "state":
            self._paused = frame.values["state"] != "running"
