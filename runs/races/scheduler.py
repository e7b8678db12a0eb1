"""Lets a race's lanes take turns: each briefly has the machine to itself while the others are paused.

In parallel, lanes would compete for cores, caches and the GPU's memory bandwidth, and lanes that end early would leave
more of the machine to the others, so their seconds could not be compared. With turns, a lane takes the same seconds as
a run alone on the machine.
"""

import threading
import time
from collections.abc import Callable, Sequence

from runs.service import ActiveRun, RunService
from runs.store.run_file import FINAL

#: Seconds of a turn: short enough that all lanes visibly move, long compared with the time to switch lanes.
TURN = 0.25
#: Timeout in seconds for lanes to load and compile, and for a lane to pause.
_READY_TIMEOUT, _PAUSE_TIMEOUT = 120.0, 5.0
#: Maximum time in seconds to wait for the next spare worker to start: starting it during a race would slow down lanes.
_SPARE_TIMEOUT = 20.0
_POLL_SECONDS = 0.004


class RaceScheduler:
    """Resumes paused runs one at a time, the one with the fewest seconds first.

    Parameters
    ----------
    run_service : RunService
    lanes : sequence of str
        Ids of the lanes' runs; all have been sent ``pause``.
    on_end : callable
        Called when all lanes have ended.
    """

    def __init__(self, run_service: RunService, lanes: Sequence[str], on_end: Callable[[], None]) -> None:
        self._run_service, self._lanes, self._on_end = run_service, tuple(lanes), on_end
        self._lock = threading.Lock()
        self._cancelled = False
        self._not_paused = threading.Event()
        self._not_paused.set()
        self._thread = threading.Thread(target=self._run, name="race", daemon=True)

    def start(self) -> None:
        """Start the scheduler's thread."""
        self._thread.start()

    @property
    def is_over(self) -> bool:
        """Whether every lane has reported its end; workers may still be exiting."""
        runs = (self._run_service.active_run(lane) for lane in self._lanes)
        return all(run is None or run.state in FINAL for run in runs)

    @property
    def paused(self) -> bool:
        """Whether a visitor has paused the race."""
        return not self._not_paused.is_set()

    def command(self, command: str) -> None:
        """Pause, resume or cancel the whole race."""
        if command == "pause":
            self._not_paused.clear()
            return
        if command == "cancel":
            with self._lock:  # from here on, no lane is sent ``pause``
                self._cancelled = True
            for lane in self._lanes:
                self._run_service.send_command(lane, "cancel")
        self._not_paused.set()

    def _run(self) -> None:
        try:
            self._prepare_lanes()
            while active := self._list_active():
                self._not_paused.wait()
                self._turn(min(active, key={lane: run.seconds for lane, run in active.items()}.__getitem__), TURN)
            self._await_end()
        finally:
            self._on_end()

    def _await_end(self) -> None:
        """Wait until cancelled lanes have ended or been killed."""
        deadline = time.monotonic() + _PAUSE_TIMEOUT
        while time.monotonic() < deadline and any(self._run_service.active_run(lane) for lane in self._lanes):
            time.sleep(_POLL_SECONDS)

    def _prepare_lanes(self) -> None:
        """Let workers load and compile one after another, so that all lanes' clocks start within a turn."""
        self._wait_until(lambda: all(run.state == "paused" for run in self._list_active().values()), _READY_TIMEOUT)
        for lane in self._lanes:
            self._turn(lane, _READY_TIMEOUT, only_begin=True)
        self._wait_until(lambda: self._run_service.status()["spare"] == "ready", _SPARE_TIMEOUT)

    def _turn(self, lane: str, seconds: float, only_begin: bool = False) -> None:
        """Let a lane run for this many seconds, or until it has started to solve."""
        self._send(lane, "resume")
        # otherwise a worker that is slow to resume would still seem paused below, and run in the next turn
        self._wait_until(lambda: not self._is_paused(lane), _PAUSE_TIMEOUT)
        self._wait_until(lambda: self.paused or not self._continues(lane, only_begin), seconds)
        self._send(lane, "pause")
        self._wait_until(lambda: self._has_stopped(lane), _PAUSE_TIMEOUT)

    def _send(self, lane: str, command: str) -> None:
        with self._lock:
            if not self._cancelled:
                self._run_service.send_command(lane, command)

    def _wait_until(self, condition: Callable[[], bool], seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not self._cancelled and time.monotonic() < deadline and not condition():
            time.sleep(_POLL_SECONDS)

    def _list_active(self) -> dict[str, ActiveRun]:
        if self._cancelled:  # cancelled lanes end by themselves
            return {}
        runs = {lane: self._run_service.active_run(lane) for lane in self._lanes}
        return {lane: run for lane, run in runs.items() if run}

    def _continues(self, lane: str, only_begin: bool) -> bool:
        run = self._run_service.active_run(lane)
        return run is not None and not (only_begin and run.started)

    def _is_paused(self, lane: str) -> bool:
        run = self._run_service.active_run(lane)
        return run is not None and run.state == "paused"

    def _has_stopped(self, lane: str) -> bool:
        run = self._run_service.active_run(lane)
        return run is None or run.state == "paused"
