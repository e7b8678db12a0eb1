"""The latest state of one instance's bound, and the listeners to notify."""

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
    """The state of a bound, as sent to viewers.

    Attributes
    ----------
    state : str
        ``none`` until requested; ``waiting`` for others, or while a race is active.
    known : KnownBound
    why : str
        Why it failed, a sentence.
    """

    state: State = "none"
    known: KnownBound = field(default_factory=KnownBound)
    why: str = ""

    @property
    def is_open(self) -> bool:
        """Whether it may be asked for."""
        return self.state in ("none", "failed")

    def frame(self, say: Callable[[str], str]) -> bytes:
        """The ``bound`` frame; `say` translates its sentence."""
        known, rows = self.known, self.known.rows
        values = {
            "state": self.state, "why": say(self.why), "length": known.length, "seconds": known.seconds,
            "trees": known.trees, "ended": known.ended,
        }  # fmt: skip
        arrays = {
            "second": np.array([row[0] for row in rows], np.float64),
            "tree": np.array([row[1] for row in rows], np.int64),
            "bound": np.array([row[2] for row in rows], np.int64),
        }
        return encode("bound", values, arrays)


#: Of an instance whose bound nobody has asked for.
NOTHING = BoundState()


class Board(Listeners):
    """The newest `BoundState` of an instance.

    Parameters
    ----------
    newest : BoundState

    Attributes
    ----------
    newest : BoundState
        Another object after each change.
    runs : set of str
        The runs on this instance that are watched, or were meanwhile: their best tours are compared with the bound.
    asked : float
        When it was last asked for or watched, on the monotonic clock.
    """

    def __init__(self, newest: BoundState) -> None:
        super().__init__()
        self.newest = newest
        self.runs: set[str] = set()
        self.asked = time.monotonic()

    def unwatched_seconds(self) -> float:
        """Seconds since it was last watched or asked for."""
        now = time.monotonic()
        if self.listeners:
            self.asked = now
        return now - self.asked

    def publish(self, newest: BoundState) -> None:
        """Show it to all viewers."""
        self.newest = newest
        self.notify()
