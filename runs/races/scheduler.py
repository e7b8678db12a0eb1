"""Lanes of a race take turns: each has the machine to itself for a moment, while the clocks of the others stand.

Side by side, lanes would take cores, caches and the card's memory bus from each other, and whoever ends early would
leave more to the rest: seconds that nobody could compare. In turns, a lane's seconds are those that it takes alone.
"""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from runs.engine.protocol import Status
from runs.service import AtWork
from runs.store.run_file import FINAL

#: Seconds of a turn: short enough for all lanes to be seen moving, long against the change from one to the next.
TURN = 0.25
#: Seconds for which lanes may load and compile, and for which a lane may take to stand still.
_READY, _STAND = 120.0, 5.0
#: Seconds for which the next spare worker is waited for, which would take time from the lanes.
_SPARE = 20.0
_LOOK = 0.004


class Machine(Protocol):
    """What turns ask of the run service."""

    def turn(self, run: str, command: str) -> None:
        """See `runs.service.RunService.turn`."""

    def at_work(self, run: str) -> AtWork | None:
        """See `runs.service.RunService.at_work`."""

    def status(self) -> Status:
        """See `runs.service.RunService.status`."""


class RaceScheduler:
    """Lets runs that stand still go, one at a time, the one with the least seconds first.

    Parameters
    ----------
    run_service : Machine
    lanes : sequence of str
        Their ids; all have been told to pause.
    over : callable
        Called when all are over.
    """

    def __init__(self, run_service: Machine, lanes: Sequence[str], over: Callable[[], None]) -> None:
        self._run_service, self._lanes, self._over = run_service, tuple(lanes), over
        self._lock = threading.Lock()
        self._cancelled = False
        self._free = threading.Event()
        self._free.set()
        self._thread = threading.Thread(target=self._run, name="race", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    @property
    def over(self) -> bool:
        """Whether the end of every lane has been told, though a worker may still be on its way out."""
        found = (self._run_service.at_work(lane) for lane in self._lanes)
        return all(at is None or at.state in FINAL for at in found)

    @property
    def paused(self) -> bool:
        """Whether somebody has paused the whole race."""
        return not self._free.is_set()

    def command(self, command: str) -> None:
        """``pause``, ``resume`` or ``cancel`` the whole race."""
        if command == "pause":
            self._free.clear()
            return
        if command == "cancel":
            with self._lock:  # behind it no lane is told to pause any more
                self._cancelled = True
            for lane in self._lanes:
                self._run_service.turn(lane, "cancel")
        self._free.set()

    def _run(self) -> None:
        try:
            self._get_ready()
            while going := self._going():
                self._free.wait()
                self._turn(min(going, key={lane: at.seconds for lane, at in going.items()}.__getitem__), TURN)
            self._await_end()
        finally:
            self._over()

    def _await_end(self) -> None:
        """Lanes that were cancelled end by themselves, or are killed."""
        until = time.monotonic() + _STAND
        while time.monotonic() < until and any(self._run_service.at_work(lane) for lane in self._lanes):
            time.sleep(_LOOK)

    def _get_ready(self) -> None:
        """Let every worker load, then compile, one after the other; their clocks begin within one turn."""
        self._wait(lambda: all(at.state == "paused" for at in self._going().values()), _READY)
        for lane in self._lanes:
            self._turn(lane, _READY, only_begin=True)
        self._wait(lambda: self._run_service.status()["spare"] == "ready", _SPARE)

    def _turn(self, lane: str, seconds: float, only_begin: bool = False) -> None:
        """Let a lane go for so many seconds, or until it has begun to solve."""
        self._tell(lane, "resume")
        self._wait(lambda: self.paused or not self._goes_on(lane, only_begin), seconds)
        self._tell(lane, "pause")
        self._wait(lambda: self._stands(lane), _STAND)

    def _tell(self, lane: str, command: str) -> None:
        with self._lock:
            if not self._cancelled:
                self._run_service.turn(lane, command)

    def _wait(self, true: Callable[[], bool], seconds: float) -> None:
        until = time.monotonic() + seconds
        while not self._cancelled and time.monotonic() < until and not true():
            time.sleep(_LOOK)

    def _going(self) -> dict[str, AtWork]:
        if self._cancelled:  # they end by themselves
            return {}
        found = {lane: self._run_service.at_work(lane) for lane in self._lanes}
        return {lane: at for lane, at in found.items() if at}

    def _goes_on(self, lane: str, only_begin: bool) -> bool:
        at = self._run_service.at_work(lane)
        return at is not None and not (only_begin and at.begun)

    def _stands(self, lane: str) -> bool:
        at = self._run_service.at_work(lane)
        return at is None or at.state == "paused"
