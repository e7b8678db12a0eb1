"""Active runs: those with a worker, and those waiting for a place."""

import json
import logging
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from data.instance import Instance
from runs.admission import Admission
from runs.engine.protocol import Engine
from runs.store.home import Home
from runs.store.recovery import recover
from runs.store.run_file import FINAL, RunWriter, make_state_entry
from runs.stream.channel import Channel
from runs.stream.collector import END_MISSING, STOPPED, Collector
from solvers.core.errors import DeviceUnavailable, RunFailed
from solvers.plan import Plan
from solvers.spec import RunSpec
from solvers.worker.frames import encode_instance_frame

#: Reason shown for a run that was restarted.
SECOND_ATTEMPT = "This is the second attempt."
#: Timeout in seconds for all runs to write their last events when the server stops; only a busy machine reaches it.
_CLOSE_SECONDS = 10.0
_log = logging.getLogger(__name__)


class ActiveRun(NamedTuple):
    """An active run: its state, whether it has started to solve, and the seconds computed so far."""

    state: str
    started: bool
    seconds: float


class WaitingRun(NamedTuple):
    """A run waiting for a place: its start arguments and its run file."""

    spec: RunSpec
    instance: Instance
    writer: RunWriter
    channel: Channel


class ActiveRuns:
    """Starts runs while places are free and queues the others.

    Parameters
    ----------
    home : Home
    engine : Engine
    places : int or None
        Maximum number of active runs, a race counting as one; by default the engine's number of places.
    on_change : callable
        Called, from any thread, when a run starts or ends.
    on_end : callable
        Called, from any thread, with the id of a run whose file is complete and the hash of its instance.
    restart : callable, optional
        Called, from any thread, with the id of a run whose machine was lost and the id of its second attempt.

    Attributes
    ----------
    started : int
        Number of runs started so far, including lanes of races.
    """

    def __init__(
        self,
        home: Home,
        engine: Engine,
        places: int | None,
        on_change: Callable[[], None],
        on_end: Callable[[str, str], None],
        restart: Callable[[str, str], None] = lambda run, other: None,
    ) -> None:
        self._home, self._engine, self._on_change, self._on_end = home, engine, on_change, on_end
        self._on_restart = restart
        self._has_fixed_places = places is not None
        self._admission = Admission(places or engine.places(), self._find_memory)
        self._live: dict[str, tuple[Collector, Channel]] = {}
        self._waiting: dict[str, WaitingRun] = {}
        self._seats: dict[str, str] = {}  # seats of unfinished runs; a race's lanes share one
        self._lanes: set[str] = set()
        self._second_attempts: set[str] = set()  # runs that are second attempts
        self._closing = False
        self._lock = threading.Lock()
        self.started = 0

    def start(self, plan: Plan, owner: str) -> str:
        """Start or queue a run and return its id.

        Raises
        ------
        QueueFull, RunFailed
        """
        run, claim = secrets.token_urlsafe(9), plan.claim()
        with self._lock:
            if self._admission.enter(run, owner, claim=claim):
                self._begin(run, run, plan.spec, plan.instance)
            else:
                self._queue(run, plan.spec, plan.instance)
        self._on_change()
        return run

    def start_lanes(self, plans: Sequence[Plan], owner: str) -> list[str]:
        """Start all lanes of a race paused and return their ids; a race is never queued.

        Raises
        ------
        DeviceUnavailable, RunFailed
            No lane has started in that case.
        """
        seat, lanes = secrets.token_urlsafe(9), list[str]()
        with self._lock:
            if not self._admission.enter(seat, owner, may_wait=False):
                raise DeviceUnavailable(
                    f"{self._admission.places} runs go on already, and a race needs a place: open one under Recent "
                    "runs and cancel it, or wait."
                )
        try:
            for plan in plans:
                run = secrets.token_urlsafe(9)
                with self._lock:
                    self._begin(run, seat, plan.spec, plan.instance)
                lanes.append(run)
                self.command(run, "pause")
        except BaseException:
            for run in lanes:
                self.command(run, "cancel")
            with self._lock:
                self._release_seat(seat)
            raise
        self._on_change()
        return lanes

    def command(self, run: str, command: str) -> None:
        """Send a run one of `runs.engine.protocol.COMMANDS`; a waiting run accepts only ``cancel``."""
        with self._lock:
            live = self._live.get(run)
            waiting = self._waiting.pop(run, None) if command == "cancel" else None
            if waiting:
                self._admission.leave(run)
                self._end_unstarted(waiting, "cancelled")
                self._notify_queue()
        if live:
            live[0].command(command)
        if waiting:
            self._on_change()

    def get(self, run: str) -> ActiveRun | None:
        """Return the state of a run; None once it has ended."""
        with self._lock:
            live, waiting = self._live.get(run), run in self._waiting
        if waiting:
            return ActiveRun("queued", False, 0.0)
        return ActiveRun(live[1].state[0], *live[0].clock) if live else None

    def channel(self, run: str) -> Channel | None:
        """Return the channel with a run's newest data; None once it has ended."""
        with self._lock:
            if run in self._live:
                return self._live[run][1]
            return self._waiting[run].channel if run in self._waiting else None

    def ids(self) -> tuple[str, ...]:
        """Return the ids of runs with a worker, then the ids of waiting runs."""
        with self._lock:
            return (*self._live, *self._waiting)

    def is_lane(self, run: str) -> bool:
        """Return whether a run is a lane of an active race."""
        return run in self._lanes

    @property
    def racing(self) -> bool:
        """Whether a lane of a race is computing."""
        with self._lock:
            channels = [self._live[run][1] for run in self._lanes]
        return any(channel.state[0] == "running" for channel in channels)

    @property
    def active_count(self) -> int:
        """Number of runs without a final state, whose workers may exit later."""
        return sum(channel.state[0] not in FINAL for _, channel in tuple(self._live.values()))

    @property
    def claimed_memory(self) -> int:
        """Bytes of main memory claimed by active runs."""
        return self._admission.claimed_bytes("cpu")

    @property
    def waiting(self) -> int:
        """Number of runs waiting for a place."""
        return len(self._waiting)

    def count_places(self) -> None:
        """Start waiting runs if places were added, for example when the engine gains a machine."""
        if self._has_fixed_places or self._admission.places == (places := self._engine.places()):
            return
        with self._lock:
            self._admission.places = places
            self._admit()

    def close(self, close_engine: Callable[[], None]) -> None:
        """Stop every run, mark it ``interrupted``, and close the engine."""
        with self._lock:
            self._closing = True
            for run, waiting in self._waiting.items():
                self._admission.leave(run)
                self._end_unstarted(waiting, "interrupted", STOPPED)
            self._waiting.clear()
            collectors = [collector for collector, _ in self._live.values()]
        for collector in collectors:
            collector.stop()
        close_engine()
        until = time.monotonic() + _CLOSE_SECONDS
        for collector in collectors:
            collector.join(max(0.0, until - time.monotonic()))

    def _list_devices(self) -> Sequence[Any]:
        """Return this machine's devices as JSON; empty for a cluster, whose memory is not counted."""
        status = self._engine.status()
        return () if "nodes" in status else status["devices"] or ()

    def _find_memory(self, device: str) -> int:
        """Return the memory in bytes of the first available device of this kind; 0 if unknown."""
        usable = (entry for entry in self._list_devices() if entry["kind"] == device and entry["available"])
        return next((each.get("memory", 0) for each in usable), 0)

    def _queue(self, run: str, spec: RunSpec, instance: Instance) -> None:
        """Create a waiting run's file and publish its position in the queue."""
        try:
            writer = self._create_writer(run, spec, instance)
            seq = writer.append([make_state_entry("queued", "")], ("queued", ""))
        except (OSError, sqlite3.Error) as error:
            self._admission.leave(run)
            self._home.new_path(run).unlink(missing_ok=True)
            raise _start_failure() from error
        self._waiting[run] = WaitingRun(spec, instance, writer, Channel(("queued", ""), seq))
        self._notify_queue()

    def _notify_queue(self) -> None:
        for place, run in enumerate(self._admission.queue(), 1):
            self._waiting[run].channel.publish(("queued", str(place)))

    def _begin(
        self,
        run: str,
        seat: str,
        spec: RunSpec,
        instance: Instance,
        waiting: WaitingRun | None = None,
        restart_reason: str = "",
    ) -> None:
        """Assign a worker to a run that has a place. A race's lanes share its place and send no pictures."""
        lane = seat != run
        self._seats[run] = seat
        channel = waiting.channel if waiting else Channel()
        handle = writer = None
        try:
            handle = self._engine.start(spec, instance, not lane)
            writer = waiting.writer if waiting else self._create_writer(run, spec, instance)
            on_over, on_end = partial(self._release_place, run), partial(self._on_worker_exit, run, instance.sha256)
            restart = partial(self._restart, run, spec, instance)
            collector = Collector(handle, writer, channel, on_over, on_end, restart, restart_reason)
            collector.start()
        except BaseException as error:
            del self._seats[run]
            if not lane:
                self._admission.leave(run)
            if handle:
                handle.kill()
            if not waiting:
                if writer:
                    writer.close()
                self._home.new_path(run).unlink(missing_ok=True)
            if not isinstance(error, OSError | sqlite3.Error):
                raise
            _log.exception("A run could not be started.")
            raise _start_failure() from error
        self._live[run] = collector, channel
        self.started += 1
        if lane:
            self._lanes.add(run)

    def _restart(self, run: str, spec: RunSpec, instance: Instance, reason: str) -> bool:
        """Restart a run on a lost machine under a new id: only once, and never a race's lane."""
        other = secrets.token_urlsafe(9)
        with self._lock:
            if run in self._lanes or run in self._second_attempts or self._closing or not self._seats.pop(run, ""):
                return False
            self._admission.transfer(run, other)
            try:
                self._begin(other, other, spec, instance, restart_reason=f"{reason} {SECOND_ATTEMPT}")
            except (RunFailed, OSError):
                _log.exception("A run could not be started again.")
                return False
            self._second_attempts.add(other)
        self._on_restart(run, other)
        self._on_change()
        return True

    def _create_writer(self, run: str, spec: RunSpec, instance: Instance) -> RunWriter:
        text = json.dumps(spec.to_json(), separators=(",", ":"))
        return RunWriter.create(self._home.new_path(run), run, time.time(), text, encode_instance_frame(instance))

    def _release_seat(self, seat: str) -> None:
        """Release a place that no run uses, and start the runs that can now start."""
        if seat in self._seats.values():
            return
        self._admission.leave(seat)
        self._admit()

    def _admit(self) -> None:
        while run := self._admission.admit():
            waiting = self._waiting.pop(run)
            try:
                self._begin(run, run, waiting.spec, waiting.instance, waiting)
            except RunFailed as error:
                self._end_unstarted(waiting, "failed", str(error))
        self._notify_queue()

    def _end_unstarted(self, waiting: WaitingRun, state: str, reason: str = "") -> None:
        """End a run that never started."""
        seq = None
        try:
            seq = waiting.writer.append([make_state_entry(state, reason)], (state, reason))
            waiting.writer.finish()
        except sqlite3.Error:  # for example, the disk is full; recovery adds the end later
            _log.exception("The end of a run that waited could not be written.")
            waiting.writer.close()
        waiting.channel.publish((state, reason), seq)

    def _release_place(self, run: str) -> None:
        """Release the place of a run whose last state is on disk, even while its worker exits."""
        with self._lock:
            if seat := self._seats.pop(run, ""):
                self._release_seat(seat)

    def _on_worker_exit(self, run: str, sha256: str) -> None:
        recover(self._home.new_path(run), END_MISSING)
        self._on_end(run, sha256)
        self._release_place(run)  # needed if the run could not write its end
        with self._lock:
            del self._live[run]
            self._lanes.discard(run)
            self._second_attempts.discard(run)
        self._on_change()


def _start_failure() -> RunFailed:
    return RunFailed("The run could not be started; is the disk or the memory full?")
