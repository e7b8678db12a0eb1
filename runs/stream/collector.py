"""The collector: writes a worker's frames to the run file, and only then notifies viewers."""

import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence

from data.sqlite_files import is_full
from runs.engine.protocol import Handle
from runs.store.climb import list_piece_keys
from runs.store.live_tour import Follower, Head
from runs.store.pheromone import ColonyPicture, Pairing, find_iteration
from runs.store.run_file import EXPLANATIONS, FINAL, PICTURES, Entry, RunFileGone, RunWriter, make_state_entry
from runs.stream.channel import Channel, select_newest
from solvers.core.events import Tour
from solvers.worker.frames import Frame, decode, encode_event_frame

#: Reason shown for a run that was interrupted because the server stopped.
STOPPED = "The server was stopped."
#: Reason shown for a run that was restarted because its machine was lost.
RESTARTED = "The run was started again, as a new one."
_BATCH = 256
_QUEUE_SIZE = 64  # frames queued between pipe and file; while the queue is full, the worker blocks
#: Seconds between commits: short enough for 30 heads a second, long enough to share a commit.
_COMMIT_EVERY = 0.01
#: Seconds without a frame after which a run counts as not responding; solvers send an event at least every 100 ms.
QUIET_SECONDS = 4.0
_QUIET = "Its worker does not respond; Cancel ends it."
#: Seconds between two checks of whether a full disk has room again.
FULL_SECONDS = 1.0
_FULL = "The disk is full: the run goes on by itself once there is room."
#: Reason shown for a run whose worker ended without an explanation, or whose file cannot be written.
END_MISSING = "The run's end could not be written; is the disk full?"
_GONE = "The run file was deleted while the run went on."
#: Kinds of events outside the log.
_NOT_LOGGED = ("moves", "edges", *PICTURES, *EXPLANATIONS)
_log = logging.getLogger(__name__)


class Collector:
    """Writes the frames of a run's worker to the run file.

    Parameters
    ----------
    handle : Handle
    writer : RunWriter
        Owned and closed by the collector.
    channel : Channel
        Channel of the run's newest data.
    on_over : callable
        Called at most once, when the run's last state is on disk; its worker may still be exiting.
    on_end : callable
        Called when the run has ended and its file is closed.
    restart : callable, optional
        Called with the reason why the worker's machine was lost; restarts the run if possible and returns whether it
        did.
    restart_reason : str
        Why this run was restarted; empty for none.
    """

    def __init__(
        self,
        handle: Handle,
        writer: RunWriter,
        channel: Channel,
        on_over: Callable[[], None],
        on_end: Callable[[], None],
        restart: Callable[[str], bool] = lambda lost: False,
        restart_reason: str = "",
    ) -> None:
        self._handle, self._writer, self._channel, self._on_over, self._on_end = (
            handle,
            writer,
            channel,
            on_over,
            on_end,
        )
        self._restart = restart
        self._frames: queue.Queue[bytes | None] = queue.Queue(_QUEUE_SIZE)
        self._follower = Follower()
        self._pairing = Pairing()
        self._best: Head | None = None  # the shortest tour shown, if the file does not have it as an event
        self._best_reported: int | None = None  # length of the shortest tour in the file
        self._state: tuple[str, str] = ("running", restart_reason)
        self._cancelled = False
        self._stopping = False
        self._solving = False  # whether frames are due
        self._is_over_reported = False
        self._thread = threading.Thread(target=self._collect, name="collector", daemon=True)

    def start(self) -> None:
        """Write the run's first event and start reading.

        Raises
        ------
        sqlite3.Error
            For example on a full disk: a run that cannot start does not wait for room.
        """
        first = [make_state_entry(*self._state)]
        self._publish(self._writer.append(first, self._state), first)
        threading.Thread(target=self._read, name="collector-read", daemon=True).start()
        self._thread.start()

    def command(self, command: str) -> None:
        """Send one of `runs.engine.protocol.COMMANDS` to the worker."""
        self._cancelled |= command == "cancel"
        self._handle.send(command)

    @property
    def clock(self) -> tuple[bool, float]:
        """Whether the run has started solving, and the seconds elapsed as of the worker's last frame."""
        return self._follower.clock.started, self._follower.seconds

    def stop(self) -> None:
        """Kill the worker as the server shuts down; the run will be ``interrupted``."""
        self._stopping = True
        self._handle.kill()

    def join(self, timeout: float) -> None:
        """Wait until the run has ended and its file is closed."""
        self._thread.join(timeout)

    def _read(self) -> None:
        try:
            for frame in self._handle.frames():
                self._frames.put(frame)
        except ValueError:
            _log.exception("The worker's output is not a sequence of frames.")
            self._handle.kill()
        finally:
            self._frames.put(None)

    def _read_batches(self) -> Iterator[list[bytes]]:
        """Yield frames since the last commit, up to 256 at a time; blocks until there is one."""
        while (frame := self._wait_for_frame()) is not None:
            batch = [frame]
            while len(batch) < _BATCH and not self._frames.empty():
                frame = self._frames.get()
                if frame is None:
                    yield batch
                    return
                batch.append(frame)
            yield batch
            time.sleep(_COMMIT_EVERY)

    def _wait_for_frame(self) -> bytes | None:
        """Wait for the next frame; viewers see 'not responding' after `QUIET_SECONDS`."""
        while True:
            try:
                return self._frames.get(timeout=QUIET_SECONDS)
            except queue.Empty:
                if self._solving and self._state[0] == "running" and not self._cancelled:
                    self._channel.publish(("running", _QUIET))

    def _collect(self) -> None:
        batches = self._read_batches()
        try:
            for batch in batches:
                self._write(batch)
            status = self._handle.wait()
            if self._state[0] not in FINAL:
                self._state = self._find_final_state(status)
                self._commit([*self._make_best_entry(), make_state_entry(*self._state)])
            self._writer.finish()
        except RunFileGone as gone:
            _log.warning("The run file %s was deleted while its run went on, which has ended therefore.", gone)
            self._give_up(batches, "failed", _GONE)
        except (sqlite3.Error, OSError, ValueError, KeyError, IndexError):
            _log.exception("The run file could not be written.")
            self._give_up(batches, "interrupted", END_MISSING)
        finally:
            self._on_end()

    def _give_up(self, batches: Iterator[list[bytes]], state: str, reason: str) -> None:
        self._handle.kill()
        for _ in batches:  # drain what the worker sent, which may include its end
            continue
        self._handle.wait()
        self._writer.close()
        self._channel.publish(state=(state, reason))

    def _write(self, batch: list[bytes]) -> None:
        entries: list[Entry] = []
        heads: list[Head] = []
        picture: ColonyPicture | None = None
        for raw in batch:
            frame = decode(raw)
            state = self._next_state(frame)
            new_heads = self._follower.follow(frame)
            self._track_best(frame, new_heads)
            heads = [*select_newest([*heads, *new_heads])]  # a batch may contain a thousand
            if frame.kind not in ("state", "failed"):
                entries.append(
                    Entry(frame.values["at"], frame.kind, raw, list_piece_keys(frame), find_iteration(frame))
                )
                picture = self._pairing.follow(frame, raw) or picture
            if state:
                self._state = state
                entries += self._make_best_entry() if frame.kind == "failed" else ()
                entries.append(make_state_entry(*state, frame.values.get("at")))
        self._commit(entries, heads, picture)

    def _track_best(self, frame: Frame, heads: Sequence[Head]) -> None:
        if frame.kind == "tour":
            self._best_reported = min(frame.values["length"], self._best_reported or frame.values["length"])
            return
        for head in heads:
            if head.walk == "moves" and (self._best is None or head.length < self._best.length):
                self._best = head

    def _make_best_entry(self) -> list[Entry]:
        """Return the entry of the shortest tour shown, for a run that ended without reporting one as short.

        A chain of annealing reports its best tour when it ends; until then, that tour is only part of the climb.
        """
        best = self._best
        if best is None or (self._best_reported is not None and self._best_reported <= best.length):
            return []
        now = time.time()
        return [Entry(now, "tour", encode_event_frame(Tour(best.order, best.length, best.climber), now))]

    def _next_state(self, frame: Frame) -> tuple[str, str] | None:
        if self._state[0] in FINAL:
            return None
        if frame.kind in ("started", "compiling"):
            self._solving = frame.kind == "started"
        if frame.kind == "state":
            return frame.values["state"], ""
        if frame.kind == "failed":
            return "failed", frame.values["sentence"]
        if frame.kind == "finished":
            reason = frame.values["stop_reason"]
            return ("cancelled", "") if reason == "cancelled" else ("finished", reason)
        return None

    def _find_final_state(self, status: int) -> tuple[str, str]:
        """Return the final state of a run whose worker exited without reporting any."""
        if self._stopping:
            return "interrupted", STOPPED
        if self._cancelled:
            return "cancelled", ""
        if lost := self._handle.loss_reason:
            return "interrupted", f"{lost} {RESTARTED}" if self._restart(lost) else lost
        _log.error("A worker ended with status %d:\n%s", status, self._handle.error_tail())
        if status < 0:
            return "failed", f"The worker process was killed (signal {-status})."
        return "failed", f"The worker process ended before its run did (exit status {status})."

    def _commit(self, entries: list[Entry], heads: Sequence[Head] = (), picture: ColonyPicture | None = None) -> None:
        self._publish(self._append(entries), entries, heads, picture)

    def _publish(
        self, seq: int, entries: list[Entry], heads: Sequence[Head] = (), picture: ColonyPicture | None = None
    ) -> None:
        numbered_entries = enumerate(entries, seq + 1 - len(entries))
        logged = [number for number, entry in numbered_entries if entry.kind not in _NOT_LOGGED]
        self._channel.publish(self._state, logged[-1] if logged else None, heads, picture)
        if self._state[0] in FINAL and not self._is_over_reported:
            self._is_over_reported = True
            self._on_over()

    def _append(self, entries: list[Entry]) -> int:
        """Write events; while the disk is full, wait, which also stops the worker.

        Raises
        ------
        sqlite3.Error
            If writing fails for another reason, or the run was cancelled.
        """
        while True:
            try:
                return self._writer.append(entries, self._state)
            except sqlite3.Error as error:
                if not is_full(error) or self._cancelled or self._stopping:
                    raise
                self._channel.publish(("paused", _FULL))
                time.sleep(FULL_SECONDS)
