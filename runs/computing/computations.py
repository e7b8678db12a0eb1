"""Computes answers: bounded, shared between clients, and cancelled when the last client leaves.

The server's process computes nothing: only one of its threads holds the interpreter at a time, so a long computation
would delay every stream and every click. A separate process can also be limited and killed.
"""

import asyncio
import contextlib
import logging
import os
import secrets
import threading
import weakref
from collections.abc import Awaitable, Callable, Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from runs.admission import Admission, QueueFull
from runs.computing.answer import NotRecorded, PoolFull, TooCostly, class_name
from runs.language import current_language
from runs.visitors import current_visitor, wait_until_left
from solvers.worker.frames import Frame, decode, encode
from solvers.worker.process import Process, WorkerProcess

#: Module of the worker program.
PROGRAM = "runs.computing.program"
#: Seconds that an answer may wait for a process.
WAIT_SECONDS = 30.0
#: Seconds after which a computation counts as long and gives up its place, which is also the length of its turns; how
#: many long computations work at a time, and how many may be suspended.
LONG_SECONDS, MAX_LONG, MAX_SUSPENDED = 2.0, 4, 8
#: Maximum number of idle processes, and seconds until they end; maximum number of cached answers, and of their total
#: bytes.
IDLE, IDLE_SECONDS = 2, 60.0
MAX_CACHED, MAX_CACHED_BYTES, CACHE_SECONDS = 32, 256 << 20, 600.0
#: Bytes of an answer sent at a time.
CHUNK = 64 << 10
_log = logging.getLogger(__name__)

#: Computes a file that a function needs besides its arguments; see `Computations.answer`.
Fallback = Callable[[], Awaitable[bytes]]


class _Call(NamedTuple):
    """A computation; see the parameters of `Computations.answer`."""

    function: str
    arguments: tuple[Any, ...]
    fallback: Fallback | None
    is_cacheable: bool


class ComputationFailed(RuntimeError):
    """An answer could not be computed.

    Parameters
    ----------
    failure : dict
        The values of the ``failed`` frame; see `runs.computing.program`.

    Attributes
    ----------
    kinds : tuple of str
        The names of the error's classes; see `runs.computing.answer.class_name`.
    """

    def __init__(self, failure: dict[str, Any]) -> None:
        super().__init__(failure["sentence"])
        self.kinds: tuple[str, ...] = tuple(failure["kinds"])
        self.add_note(failure["trace"])


class _File:
    """A file written by a process, deleted when its last reader closes it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stream: Any = None

    def open(self) -> None:
        """Open the file, which may still be growing."""
        if self._stream is None:
            self._stream = self.path.open("rb", buffering=0)
            weakref.finalize(self, _remove, self._stream, self.path)

    def read(self, at: int) -> bytes:
        """Read the next bytes from this position.

        Raises
        ------
        OSError
            If there are no more bytes.
        """
        self._stream.seek(at)
        part: bytes = self._stream.read(CHUNK)
        if not part:
            raise OSError("The file of an answer is shorter than it was.")
        return part

    def unlink(self) -> None:
        """Remove the file's name, which is no longer needed; on Windows, closing the file does so."""
        with contextlib.suppress(OSError):
            self.path.unlink()


def _remove(stream: Any, path: Path) -> None:
    stream.close()
    with contextlib.suppress(OSError):
        path.unlink()


class _Job:
    """An answer, being computed or complete."""

    def __init__(self, file: _File) -> None:
        self.file, self.size, self.done = file, 0, False
        self.head: dict[str, Any] | None = None
        self.failure: BaseException | None = None
        self.followers = 0
        self.task: asyncio.Task[None] | None = None
        self._change_event = asyncio.Event()

    async def change(self) -> None:
        """Wait until more of the answer is available."""
        await self._change_event.wait()

    def update(self, **values: Any) -> None:
        """Set attributes and wake the waiting tasks."""
        for name, value in values.items():
            setattr(self, name, value)
        self._change_event.set()
        self._change_event = asyncio.Event()


class Computations:
    """Computes answers in processes; call its methods on the event loop.

    Parameters
    ----------
    folder : Path
        Folder of the answers' files.
    start : callable
        Starts the program of this name in a process on this machine.
    """

    def __init__(self, folder: Path, start: Callable[[str], Process]) -> None:
        self._folder, self._start = folder, start
        places = max(2, os.cpu_count() or 1)
        self._admission, self._long = Admission(places), Admission(MAX_LONG)
        self._workers: dict[str, WorkerProcess] = {}  # workers of the computations, by ticket
        self._admitted: dict[str, asyncio.Future[None]] = {}
        self._jobs: dict[Hashable, _Job] = {}
        self._idle: list[WorkerProcess] = []
        self._working: set[WorkerProcess] = set()
        self._lock = threading.Lock()
        self._executor = ThreadPoolExecutor(places + MAX_LONG + MAX_SUSPENDED, "computing")
        self._retiring: threading.Timer | None = None
        self._closed = False

    def answer(
        self, function: str, *arguments: Any, version: Hashable = (), fallback: Fallback | None = None
    ) -> Response:
        """Return a response whose content a function computes.

        Parameters
        ----------
        function : str
            Module and name, with a colon between them; it returns an `Answer`.
        *arguments : JSON values
        version : hashable
            Changes with what the function reads: later requests for the same version get the same answer. With None,
            only requests that arrive during the computation share its answer.
        fallback : callable, optional
            Called if the function raises `NotRecorded`; computes a file, whose path becomes the function's last
            argument.
        """
        call = _Call(function, arguments, fallback, version is not None)
        return _ComputedResponse(self, (function, repr(arguments), version, current_language()), call)

    @property
    def busy(self) -> int:
        """Number of answers being computed or waiting."""
        return sum(not job.done for job in self._jobs.values())

    @contextlib.contextmanager
    def follow_job(self, key: Hashable, call: _Call) -> Iterator[_Job]:
        """Follow an answer's job, which is cancelled when its last follower leaves."""
        key = asyncio.get_running_loop(), key
        job = self._jobs.get(key)
        if job is None:
            job = self._jobs[key] = _Job(self._create_file())
            job.task = asyncio.create_task(self._do(key, job, call))
        job.followers += 1
        try:
            yield job
        finally:
            job.followers -= 1
            if not job.followers and not job.done and job.task:
                job.task.cancel()
                self._forget(key, job)

    def close(self) -> None:
        """Kill all processes."""
        with self._lock:
            self._closed = True
            workers = [*self._idle, *self._working]
            if self._retiring:
                self._retiring.cancel()
        for worker in workers:
            worker.kill()

    def _create_file(self) -> _File:
        return _File(self._folder / f"answer-{secrets.token_hex(8)}")

    def _forget(self, key: Hashable, job: _Job) -> None:
        if self._jobs.get(key) is job:
            del self._jobs[key]

    async def _do(self, key: Hashable, job: _Job, call: _Call) -> None:
        try:
            try:
                end = await self._compute(job, call.function, call.arguments)
            except NotRecorded:
                if call.fallback is None:
                    raise
                extra_file, content = self._create_file(), await call.fallback()
                try:
                    await asyncio.to_thread(extra_file.path.write_bytes, content)
                    end = await self._compute(job, call.function, (*call.arguments, str(extra_file.path)))
                finally:
                    extra_file.unlink()
            job.file.open()
        except asyncio.CancelledError:  # its last follower has left
            return
        except BaseException as failure:  # noqa: BLE001 - raised by its followers
            self._forget(key, job)
            job.update(done=True, failure=failure)
            return
        finally:
            job.task = None
            job.file.unlink()
        job.update(done=True, head=end, size=end["size"])
        if not call.is_cacheable:
            self._forget(key, job)
            return
        self._evict()
        asyncio.get_running_loop().call_later(CACHE_SECONDS, self._forget, key, job)

    def _evict(self) -> None:
        """Evict the oldest cached answers beyond the limits."""
        completed = [(key, job) for key, job in self._jobs.items() if job.done]
        while len(completed) > MAX_CACHED or (
            len(completed) > 1 and sum(job.size for _, job in completed) > MAX_CACHED_BYTES
        ):
            self._forget(*completed.pop(0))

    async def _compute(self, job: _Job, function: str, arguments: Any) -> dict[str, Any]:
        """Compute an answer in a process once a place is free; return the values of its last frame."""
        ticket, giving_way = secrets.token_hex(8), None
        try:
            await self._wait(ticket)
            giving_way = asyncio.create_task(self._give_way(ticket))
            values = {
                "function": function,
                "arguments": arguments,
                "file": str(job.file.path),
                "language": current_language(),
            }
            return await self._request(job, ticket, encode("compute", values, {}))
        finally:
            if giving_way:
                giving_way.cancel()
            if worker := self._workers.pop(ticket, None):
                worker.set_suspended(False)  # it may have been suspended just after it finished its work
            self._pass_turn(ticket)
            self._leave(ticket)

    async def _wait(self, ticket: str) -> None:
        """Wait for a place.

        Raises
        ------
        PoolFull
        """
        try:
            if self._admission.enter(ticket, current_visitor().id):
                return
        except QueueFull:
            raise PoolFull from None
        admitted = self._admitted[ticket] = asyncio.get_running_loop().create_future()
        try:
            await asyncio.wait_for(admitted, WAIT_SECONDS)
        except TimeoutError:
            raise PoolFull from None
        finally:
            del self._admitted[ticket]

    async def _give_way(self, ticket: str) -> None:
        """Give up a computation's place if it turns out to be long; too many long ones take turns."""
        await asyncio.sleep(LONG_SECONDS)
        while ticket not in self._workers or len(self._long.queue()) >= MAX_SUSPENDED:
            await asyncio.sleep(LONG_SECONDS)
        while True:
            self._workers[ticket].set_suspended(not self._long.enter(ticket, current_visitor().id))
            self._leave(ticket)
            await asyncio.sleep(LONG_SECONDS)
            while ticket in (waiting := self._long.queue()) or not waiting:
                await asyncio.sleep(LONG_SECONDS)
            self._pass_turn(ticket)

    def _pass_turn(self, ticket: str) -> None:
        """Let the next long computation work in place of this one."""
        self._long.leave(ticket)
        while resumed := self._long.admit():
            self._workers[resumed].set_suspended(False)

    def _leave(self, ticket: str) -> None:
        self._admission.leave(ticket)
        while follow_job := self._admission.admit():
            if (admitted := self._admitted.get(follow_job)) and not admitted.done():
                admitted.set_result(None)

    async def _request(self, job: _Job, ticket: str, frame: bytes) -> dict[str, Any]:
        loop = asyncio.get_running_loop()
        worker = self._workers[ticket] = await loop.run_in_executor(self._executor, self._take_worker)

        def follow() -> dict[str, Any]:
            for each in worker.frames():
                reply = decode(each)
                if reply.kind in ("end", "failed"):
                    self._return_worker(worker, reply.values["worn"])
                    return _parse_result(reply)
                loop.call_soon_threadsafe(_take, job, reply)
            self._return_worker(worker, True)
            raise TooCostly

        worker.send(frame)
        follow_job = loop.run_in_executor(self._executor, follow)
        try:
            return await asyncio.shield(follow_job)
        except asyncio.CancelledError:
            worker.kill()
            with contextlib.suppress(Exception):
                await asyncio.shield(follow_job)  # until the process has ended and no longer writes
            raise
        except TooCostly:
            _log.warning("A process that computed an answer has ended: %s", worker.error_tail())
            raise

    def _take_worker(self) -> WorkerProcess:
        with self._lock:
            worker = next((each for each in self._idle if each.alive()), None) or WorkerProcess(self._start(PROGRAM))
            self._idle = [each for each in self._idle if each is not worker]
            self._working.add(worker)
            return worker

    def _return_worker(self, worker: WorkerProcess, is_worn: bool) -> None:
        """Keep a process for the next answer, unless it has grown too large or enough are idle."""
        with self._lock:
            self._working.discard(worker)
            reuse = not (is_worn or self._closed) and len(self._idle) < IDLE
            if reuse:
                self._idle.append(worker)
                if self._retiring:
                    self._retiring.cancel()
                self._retiring = threading.Timer(IDLE_SECONDS, self._retire)
                self._retiring.daemon = True
                self._retiring.start()
        if not reuse:
            worker.close()

    def _retire(self) -> None:
        """End idle processes."""
        with self._lock:
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.close()


def _take(job: _Job, frame: Frame) -> None:
    """Record the head or the current size of a streamed answer."""
    job.file.open()
    job.update(**({"head": frame.values} if frame.kind == "head" else {"size": frame.values["size"]}))


def _parse_result(frame: Frame) -> dict[str, Any]:
    """Return the values of an answer's last frame, or raise the error it reports."""
    if frame.kind == "end":
        return frame.values
    kinds, number = frame.values["kinds"], frame.values["errno"]
    if "builtins:MemoryError" in kinds:
        raise TooCostly
    if class_name(NotRecorded) in kinds:
        raise NotRecorded
    if number is not None:
        raise OSError(number, frame.values["sentence"])
    raise ComputationFailed(frame.values)


class _ComputedResponse(Response):
    """A response with computed content; see `Computations.answer`."""

    def __init__(self, computations: Computations, key: Hashable, call: _Call) -> None:
        self._computations, self._key, self._call = computations, key, call
        self.status_code, self.background = 200, None
        self.init_headers({})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the content from its file, unless the client leaves first."""
        leaving = asyncio.create_task(wait_until_left(receive))
        sending = asyncio.create_task(self._send(scope, send))
        try:
            await asyncio.wait((leaving, sending), return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
            if not sending.done():
                sending.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await sending

    async def _send(self, scope: Scope, send: Send) -> None:
        with self._computations.follow_job(self._key, self._call) as job:
            while job.head is None and not job.done:
                await job.change()
            if job.failure:
                raise job.failure
            assert job.head
            if not await self._send_head(scope, send, job):
                return
            at = 0
            while at < job.size or not job.done:
                if at < job.size:
                    part = job.file.read(at)[: job.size - at]
                    at += len(part)
                    await send({"type": "http.response.body", "body": part, "more_body": True})
                    await asyncio.sleep(0)  # lets other tasks run, even if the client reads everything at once
                else:
                    await job.change()
            if job.failure:
                raise job.failure
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    @staticmethod
    async def _send_head(scope: Scope, send: Send, job: _Job) -> bool:
        """Send the head; return whether the client wants a body."""
        assert job.head
        kind = job.head["media_type"]
        charset = "; charset=utf-8" if kind.startswith("text/") else ""
        headers = {"content-type": f"{kind}{charset}", **job.head["headers"]}
        tag = headers.get("ETag", "").encode()
        unchanged = bool(tag) and (b"if-none-match", tag) in scope["headers"]
        if job.done and not unchanged:
            headers["content-length"] = str(job.size)
        raw = [(name.lower().encode("latin-1"), str(value).encode("latin-1")) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": 304 if unchanged else 200, "headers": raw})
        if unchanged:
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        return not unchanged
