"""The latest state of an instance's bound, and the listeners to notify."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from data.collection.bounds import KnownBound
from runs.stream.channel import Listeners
from solvers.worker.frames import encode

State = Literal["none", "waiting", "computing", "done", "failed"]


@dataclass(frozen=True)
class BoundState:
    """The state of a bound as sent to viewers.

    Attributes
    ----------
    state : str
        ``none`` until requested; ``waiting`` while other bounds are computed or a race is active.
    known : KnownBound
    reason : str
        Reason for the failure, in one sentence.
    """

    state: State = "none"
    known: KnownBound = field(default_factory=KnownBound)
    reason: str = ""

    @property
    def is_open(self) -> bool:
        """Whether the bound may be requested."""
        return self.state in ("none", "failed")

    def frame(self, translate: Callable[[str], str]) -> bytes:
        """Encode the state as a ``bound`` frame; `translate` translates its sentence."""
        bound, rows = self.known, self.known.rows
        values = {
            "state": self.state, "why": translate(self.reason), "length": bound.length, "seconds": bound.seconds,
            "trees": bound.trees, "ended": bound.ended,
        }  # fmt: skip
        arrays = {
            "second": np.array([row[0] for row in rows], np.float64),
            "tree": np.array([row[1] for row in rows], np.int64),
            "bound": np.array([row[2] for row in rows], np.int64),
        }
        return encode("bound", values, arrays)


#: State of a bound that nobody has requested.
NOTHING = BoundState()


class Board(Listeners):
    """The newest state of an instance's bound, and its listeners.

    Parameters
    ----------
    newest : BoundState

    Attributes
    ----------
    newest : BoundState
        Replaced on each change.
    runs : set of str
        Runs on this instance that were watched since the request; their best tours are compared with the bound.
    last_watched : float
        Time of the last request or viewer, on the monotonic clock.
    """

    def __init__(self, newest: BoundState) -> None:
        super().__init__()
        self.newest = newest
        self.runs: set[str] = set()
        self.last_watched = time.monotonic()

    def unwatched_seconds(self) -> float:
        """Return the seconds since the bound was last watched or requested."""
        now = time.monotonic()
        if self.listeners:
            self.last_watched = now
        return now - self.last_watched

    def publish(self, newest: BoundState) -> None:
        """Show a new state to all viewers."""
        self.newest = newest
        self.notify()
