"""A browser's stream: every log event but only the newest heads, as fast as the browser acknowledges them."""

import asyncio
import collections
import contextlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocket, WebSocketDisconnect

from runs.bounds.board import NOTHING, Board, BoundState
from runs.lecture import ClassNews, LectureNews
from runs.service import RunService
from runs.store.live_tour import Head
from runs.store.open_run import NoSuchRun
from runs.store.pheromone import ColonyPicture
from runs.store.reader import Meta
from runs.stream.channel import Channel
from runs.translation import translate
from runs.visitors import current_visitor
from solvers.worker.frames import decode, encode

IN_FLIGHT = 2
HEAD_EVERY = 1 / 30
#: Range of the seconds between heads that a browser may request.
MIN_HEAD_EVERY = 1 / 120
FIELD_EVERY = 1 / 15
LOG_EVERY = 0.25
BOUND_EVERY = 0.1
LECTURE_EVERY = 0.1
LOG_BYTES = 1 << 20
_MAX_RUNS = 16
_MAX_REFUSALS = 16
_BAD_MESSAGE = 1003
_LAST_SEQ = 2**63 - 1


@dataclass(slots=True, eq=False)
class Watch:
    """A run that the viewer watches, and its position in the log.

    Attributes
    ----------
    wake : callable
        Wakes the viewer, from any thread.
    seq : int
        Sequence number of the last event sent.
    sent_state : (str, str)
        State and reason last sent; empty before the first log message.
    caught_up : bool
        Whether the last log message reached the newest event.
    board : Board or None
        Board of the instance's bound; None before the instance is sent.
    bound : BoundState or None
        State of the bound last sent.
    """

    run: str
    channel: Channel
    seq: int
    wake: Callable[[], None]
    heads: bool = True
    all_heads: bool = False
    head_every: float = HEAD_EVERY
    fields: bool = False
    opened: bool = False
    sent_state: tuple[str, str] = ("", "")
    caught_up: bool = False
    head: Head | None = None
    heads_sent: int = 0
    picture: ColonyPicture | None = None
    log_due: float = 0.0
    head_due: float = 0.0
    field_due: float = 0.0
    board: Board | None = None
    bound: BoundState | None = None
    bound_due: float = 0.0

    def notify(self) -> None:
        """Wake the viewer if a message is due (see `runs.stream.channel.Listener`); else it wakes at `next_due`."""
        if self.due()[0] <= time.monotonic():
            self.wake()

    def next_due(self, now: float) -> float:
        """Return the earliest time after `now` at which a message is due if there is something to send."""
        times = (self.log_due, self.head_due, self.field_due, self.bound_due)
        return min((time for time in times if time > now), default=float("inf"))

    def due(self) -> tuple[float, str]:
        """Return the next message's monotonic time and kind; infinity if there is none."""
        if not self.opened:
            return 0.0, "instance"
        log = self._compute_log_time()
        newest = min(
            (self._compute_head_time(), "head"),
            (self._compute_field_time(), "field"),
            (self._compute_bound_time(), "bound"),
        )
        return (log, "log") if log <= max(newest[0], time.monotonic()) else newest

    def _compute_log_time(self) -> float:
        """Return when the next log message is due: at once to catch up or for a new state, else a few times a second.

        A state may change without a new event: its events were read before it was published, or none could be written
        because the disk is full.
        """
        if self.sent_state != self.channel.state:
            return 0.0
        if self.channel.logged <= self.seq:
            return float("inf")
        return self.log_due if self.caught_up else 0.0

    def _compute_head_time(self) -> float:
        waiting = self.heads and self.channel.head is not None and self.channel.head is not self.head
        return self.head_due if waiting else float("inf")

    def _compute_field_time(self) -> float:
        waiting = self.fields and self.channel.picture is not None and self.channel.picture is not self.picture
        return self.field_due if waiting else float("inf")

    def _compute_bound_time(self) -> float:
        waiting = self.board is not None and self.board.newest is not self.bound
        return self.bound_due if waiting else float("inf")

    def leave(self) -> None:
        """Stop notifying the viewer."""
        self.channel.leave(self)
        if self.board:
            self.board.leave(self)


class _BadMessage(Exception):
    """The browser sent an unknown message."""


class Viewer:
    """Serves a browser's WebSocket.

    Parameters
    ----------
    socket : WebSocket
    run_service : RunService
    """

    def __init__(self, socket: WebSocket, run_service: RunService) -> None:
        self._socket, self._run_service = socket, run_service
        self._loop = asyncio.get_running_loop()
        self._wake = asyncio.Event()
        self._is_notified = False
        self._watches: dict[str, Watch] = {}
        self._refusals: collections.deque[tuple[str, str]] = collections.deque(maxlen=_MAX_REFUSALS)
        self._unacknowledged: set[int] = set()
        self._deletions = run_service.deletions
        self._number = 0
        self._status: dict[str, Any] = {}
        self._lecture = run_service.lecture
        self._visitor = current_visitor()
        #: The lecture's news last sent, by kind.
        self._last_news: dict[str, LectureNews | ClassNews] = {}
        self._lecture_due = 0.0

    def _wake_for_watch(self) -> None:
        """Wake the viewer, unless it waits for an acknowledgement, which will wake it."""
        if len(self._unacknowledged) < IN_FLIGHT:
            self.notify()

    def notify(self) -> None:
        """See `runs.stream.channel.Listener`."""
        if not self._is_notified and not self._loop.is_closed():
            self._is_notified = True
            self._loop.call_soon_threadsafe(self._wake.set)

    async def serve(self) -> None:
        """Handle messages until the browser disconnects."""
        await self._socket.accept()
        self._run_service.status_changes.join(self)
        if self._lecture and self._visitor.host:
            self._lecture.hosts.join(self)
        tasks = {asyncio.create_task(self._receive()), asyncio.create_task(self._send())}
        is_bad = False
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        except WebSocketDisconnect:
            return
        except _BadMessage:
            is_bad = True
        finally:
            self._run_service.status_changes.leave(self)
            if self._lecture:
                self._lecture.hosts.leave(self)
                self._lecture.follow(self, on=False)
            for watch in self._watches.values():
                watch.leave()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if is_bad:  # only now: nothing can follow the close, since the sending task has ended
            await self._socket.close(_BAD_MESSAGE)

    async def _receive(self) -> None:
        while True:
            try:  # a browser may send anything; binary messages have no text
                await self._handle(json.loads(await self._socket.receive_text()))
            except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
                raise _BadMessage from error
            self._wake.set()

    async def _handle(self, message: dict[str, Any]) -> None:
        op = message["op"]
        if op == "ack":
            self._unacknowledged.discard(int(message["message"]))
        elif op == "open":
            await self._open(str(message["run"]), int(message.get("after", 0)))
        elif op == "head" and message["run"] in self._watches:
            every, all_heads = float(message.get("every", HEAD_EVERY)), bool(message.get("all", False))
            self._set_heads(self._watches[message["run"]], bool(message["on"]), every, all_heads)
        elif op == "field" and message["run"] in self._watches:
            self._watches[message["run"]].fields = bool(message["on"])
        elif op == "close" and message["run"] in self._watches:
            self._watches.pop(message["run"]).leave()
        elif op == "follow" and self._lecture:
            self._lecture.follow(self, bool(message["on"]))

    @staticmethod
    def _set_heads(watch: Watch, on: bool, every: float, all_heads: bool) -> None:
        watch.heads, watch.head_every, watch.all_heads = on, max(MIN_HEAD_EVERY, every), all_heads

    async def _open(self, run: str, after: int) -> None:
        if not 0 <= after <= _LAST_SEQ:
            raise ValueError("a sequence number is out of range")
        if not run.isascii():  # an unpaired surrogate could not be quoted in a refusal
            raise ValueError("this cannot be the id of a run")
        if run not in self._watches and len(self._watches) >= _MAX_RUNS:
            self._refusals.append((run, "This page watches too many runs; close one."))
            return
        try:
            channel = await run_in_threadpool(self._run_service.channel, run)
        except NoSuchRun as error:
            self._refusals.append((run, str(error)))
            return
        if run in self._watches:
            self._watches[run].leave()
        watch = self._watches[run] = Watch(run, channel, after, self._wake_for_watch)
        channel.join(watch)

    async def _send(self) -> None:
        while True:
            self._wake.clear()
            self._is_notified = False
            await self._send_notices()
            lecture = await self._send_lecture()
            pauses = [pause for pause in (lecture, await self._send_due()) if pause is not None]
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(pauses, default=None)):
                    await self._wake.wait()

    async def _send_notices(self) -> None:
        """Send status and refusals, which need no acknowledgement."""
        status = self._run_service.status()
        if status != self._status:
            self._status = status
            await self._socket.send_bytes(encode("status", status, {}))
        if self._deletions != self._run_service.deletions:
            self._deletions = self._run_service.deletions
            await self._drop_deleted()
        while self._refusals:
            run, sentence = self._refusals.popleft()
            await self._socket.send_bytes(encode("refused", {"run": run, "sentence": translate(sentence)}, {}))

    async def _send_lecture(self) -> float | None:
        """Send changes of the lecturer's place and the question to the class, which need no acknowledgement.

        Returns the seconds until it is due, or None if there is nothing to send.
        """
        if not self._lecture:
            return None
        before, news = self._last_news, self._lecture.news(self._visitor)
        if news == before:
            return None
        wait = self._lecture_due - time.monotonic()
        if wait > 0:
            return wait
        self._last_news, self._lecture_due = news, time.monotonic() + LECTURE_EVERY
        for kind, values in news.items():
            if values != before.get(kind):
                await self._socket.send_bytes(encode(kind, values.values(), {}))
        return None

    async def _drop_deleted(self) -> None:
        """Stop watching deleted runs and report them."""
        for run in list(self._watches):
            try:
                await run_in_threadpool(self._run_service.path, run)
            except NoSuchRun as error:
                self._drop(run, str(error))

    def _drop(self, run: str, sentence: str) -> None:
        if watch := self._watches.pop(run, None):
            watch.leave()
            self._refusals.append((run, sentence))

    async def _send_due(self) -> float | None:
        """Send all messages now due; return the seconds until the next, or None to wait for a wake-up."""
        senders = {
            "instance": self._send_instance, "log": self._send_log, "head": self._send_head, "field": self._send_field,
            "bound": self._send_bound,
        }  # fmt: skip
        while self._watches and len(self._unacknowledged) < IN_FLIGHT:
            watch = min(self._watches.values(), key=lambda watch: watch.due()[0])
            due_at, kind = watch.due()
            if due_at > (now := time.monotonic()):
                wait = min(watch.next_due(now) for watch in self._watches.values()) - now
                return None if wait == float("inf") else wait
            try:
                await senders[kind](watch)
            except NoSuchRun as error:  # it was just deleted
                self._drop(watch.run, str(error))
                self._wake.set()
        return None

    def _read_opening(self, run: str) -> tuple[Meta, bytes, Board]:
        """Return a run's first row, its instance's frame and its bound's board."""
        meta, instance = self._run_service.opening(run)
        return meta, instance, self._run_service.board(run, decode(instance).values["sha256"])

    async def _send_instance(self, watch: Watch) -> None:
        meta, instance, board = await run_in_threadpool(self._read_opening, watch.run)
        if self._watches.get(watch.run) is not watch:  # closed in the meantime
            return
        watch.opened, watch.board = True, board
        watch.bound = board.newest if board.newest == NOTHING else None
        board.join(watch)
        is_own = self._run_service.owners.may_change(f"run:{watch.run}")
        values = {"spec": meta.spec, "adopted": meta.adopted, "own": is_own}
        await self._send_message(watch, "instance", [instance], watch.channel.state, **values)

    async def _send_log(self, watch: Watch) -> None:
        # Both are taken before the events are read. So a final state never overtakes an event, and `caught_up` stays
        # false if another event is written while these are read.
        state, logged = watch.channel.state, watch.channel.logged
        rows, fields = await run_in_threadpool(self._run_service.log, watch.run, watch.seq, LOG_BYTES)
        watch.log_due = time.monotonic() + LOG_EVERY
        watch.seq = rows[-1][0] if rows else max(watch.seq, logged)
        watch.caught_up = watch.seq >= watch.channel.logged
        if not rows and state == watch.sent_state:
            return
        watch.sent_state = state
        seqs, ats = [row[0] for row in rows], [row[1] for row in rows]
        await self._send_message(watch, "log", [row[2] for row in rows], state, seqs=seqs, ats=ats, fields=fields)

    async def _send_head(self, watch: Watch) -> None:
        watch.heads_sent, new = watch.channel.heads(watch.heads_sent)
        watch.head_due = time.monotonic() + watch.head_every
        if new:
            watch.head = new[-1]
            frames = [head.frame() for head in (new if watch.all_heads else new[-1:])]
            await self._send_message(watch, "head", frames, watch.channel.state)

    async def _send_field(self, watch: Watch) -> None:
        watch.picture = watch.channel.picture
        watch.field_due = time.monotonic() + FIELD_EVERY
        if watch.picture:
            await self._send_message(watch, "field", watch.picture.frames(), watch.channel.state)

    async def _send_bound(self, watch: Watch) -> None:
        assert watch.board is not None
        watch.bound = watch.board.newest
        watch.bound_due = time.monotonic() + BOUND_EVERY
        await self._send_message(watch, "bound", [watch.bound.frame(translate)], watch.channel.state)

    async def _send_message(
        self, watch: Watch, kind: str, frames: list[bytes], state: tuple[str, str], **values: Any
    ) -> None:
        self._number += 1
        self._unacknowledged.add(self._number)
        values |= {
            "message": self._number,
            "run": watch.run,
            "state": state[0],
            "reason": translate(state[1]),
            "what": kind,
        }
        await self._socket.send_bytes(b"".join([encode("message", values, {}), *frames]))
