"""Lanes of a race take turns: each has the machine to itself for a moment, while the others' clocks are stopped.

In parallel, lanes would compete for cores, caches and the GPU's memory bandwidth, and lanes that end early would leave
more to the rest: their seconds could not be compared. With turns, a lane's seconds are those of running alone.
"""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from runs.engine.protocol import Status
from runs.service import ActiveRun
from runs.store.run_file import FINAL

#: Seconds of a turn: short enough that all lanes are seen to move, long compared with a switch of lanes.
TURN = 0.25
#: Timeout in seconds for lanes to load and compile, and for a lane to pause.
_READY, _STAND = 120.0, 5.0
#: Timeout in seconds for the next spare worker to be ready, as starting it would slow down the lanes.
_SPARE = 20.0
_LOOK = 0.004


class Machine(Protocol):
    """The part of the run service that the scheduler needs."""

    def send_command(self, run: str, command: str) -> None:
        """See `runs.service.RunService.send_command`."""

    def active_run(self, run: str) -> ActiveRun | None:
        """See `runs.service.RunService.active_run`."""

    def status(self) -> Status:
        """See `runs.service.RunService.status`."""


class RaceScheduler:
    """Resumes paused runs one at a time, the one with the fewest seconds first.

    Parameters
    ----------
    run_service : Machine
    lanes : sequence of str
        Ids of their runs; all have been sent ``pause``.
    over : callable
        Called when all have ended.
    """

    def __init__(self, run_service: Machine, lanes: Sequence[str], over: Callable[[], None]) -> None:
        self._run_service, self._lanes, self._over = run_service, tuple(lanes), over
        self._lock = threading.Lock()
        self._cancelled = False
        self._free = threading.Event()
        self._free.set()
        self._thread = threading.Thread(target=self._run, name="race", daemon=True)

    def start(self) -> None:
        """Start the scheduler's thread."""
        self._thread.start()

    @property
    def over(self) -> bool:
        """Whether every lane has reported its end, though a worker may still be exiting."""
        found = (self._run_service.active_run(lane) for lane in self._lanes)
        return all(at is None or at.state in FINAL for at in found)

    @property
    def paused(self) -> bool:
        """Whether a user has paused the whole race."""
        return not self._free.is_set()

    def command(self, command: str) -> None:
        """``pause``, ``resume`` or ``cancel`` the whole race."""
        if command == "pause":
            self._free.clear()
            return
        if command == "cancel":
            with self._lock:  # after this, no lane is sent ``pause`` any more
                self._cancelled = True
            for lane in self._lanes:
                self._run_service.send_command(lane, "cancel")
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
        """Wait until cancelled lanes have ended by themselves, or are killed."""
        until = time.monotonic() + _STAND
        while time.monotonic() < until and any(self._run_service.active_run(lane) for lane in self._lanes):
            time.sleep(_LOOK)

    def _get_ready(self) -> None:
        """Let every worker load, then compile, one after the other; their clocks start within one turn."""
        self._wait(lambda: all(at.state == "paused" for at in self._going().values()), _READY)
        for lane in self._lanes:
            self._turn(lane, _READY, only_begin=True)
        self._wait(lambda: self._run_service.status()["spare"] == "ready", _SPARE)

    def _turn(self, lane: str, seconds: float, only_begin: bool = False) -> None:
        """Let a lane run for this many seconds, or until it has begun to solve."""
        self._tell(lane, "resume")
        # without this, a worker that is slow to resume would still be seen as paused below, and run in the next turn
        self._wait(lambda: not self._is_paused(lane), _STAND)
        self._wait(lambda: self.paused or not self._goes_on(lane, only_begin), seconds)
        self._tell(lane, "pause")
        self._wait(lambda: self._stands(lane), _STAND)

    def _tell(self, lane: str, command: str) -> None:
        with self._lock:
            if not self._cancelled:
                self._run_service.send_command(lane, command)

    def _wait(self, true: Callable[[], bool], seconds: float) -> None:
        until = time.monotonic() + seconds
        while not self._cancelled and time.monotonic() < until and not true():
            time.sleep(_LOOK)

    def _going(self) -> dict[str, ActiveRun]:
        if self._cancelled:  # cancelled lanes end by themselves
            return {}
        found = {lane: self._run_service.active_run(lane) for lane in self._lanes}
        return {lane: at for lane, at in found.items() if at}

    def _goes_on(self, lane: str, only_begin: bool) -> bool:
        at = self._run_service.active_run(lane)
        return at is not None and not (only_begin and at.begun)

    def _is_paused(self, lane: str) -> bool:
        at = self._run_service.active_run(lane)
        return at is not None and at.state == "paused"

    def _stands(self, lane: str) -> bool:
        at = self._run_service.active_run(lane)
        return at is None or at.state == "paused"
