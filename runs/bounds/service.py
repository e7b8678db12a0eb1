"""Computes requested lower bounds one at a time in a separate process, and stores proven ones."""

import logging
import signal
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from data.collection.bounds import KnownBound, load_bound, save_ascent, save_bound
from runs.admission import Admission, QueueFull
from runs.bounds.board import Board, BoundState
from runs.bounds.program import TOO_LARGE
from runs.bounds.record import is_record
from solvers.core.errors import DeviceUnavailable, RunFailed
from solvers.worker.frames import Frame, decode
from solvers.worker.process import Process, WorkerProcess

#: Module of the worker program.
PROGRAM = "runs.bounds.program"
#: Seconds between two checks for an active race.
POLL_SECONDS = 0.25
#: Number of checks after which the process is killed. The process itself is limited in processor time, which may pass
#: slowly on a busy machine.
MAX_POLLS = 1200
#: Seconds without a viewer until a computation is suspended, and until it ends.
UNWATCHED_SECONDS, ABANDONED_SECONDS = 1.0, 20.0
#: Timeout in seconds for the process to end when the service closes.
CLOSE_SECONDS = 10.0
TOO_LONG = "Nothing was proven within the time that the server gives a bound."
BROKEN = "The bound could not be computed because of an error in the program."
TOO_MANY = "Too many bounds are waiting already: try again later."
_log = logging.getLogger(__name__)


class BoundRequest(NamedTuple):
    """A bound to compute, waiting or in progress; `instance` is a frame."""

    board: Board
    instance: bytes


class BoundService:
    """Computes and stores the bounds of the server's instances.

    Parameters
    ----------
    folder : Path
        Folder in which the bounds are stored.
    process : callable
        Starts a worker's program by its module and environment; see `runs.engine.protocol.Engine.start_process`.
    is_race_active : callable
        Returns whether a race is active; nothing is computed then, since it could slow one lane more than another.
    on_proof : callable
        Called, in another thread, with each run of `Board.runs` and the instance's hash once the bound is stored.
    """

    def __init__(
        self,
        folder: Path,
        process: Callable[[str, Mapping[str, str]], Process],
        is_race_active: Callable[[], bool] = lambda: False,
        on_proof: Callable[[str, str], None] = lambda run, sha256: None,
    ) -> None:
        self.folder, self._process, self._is_race_active, self._on_proof = folder, process, is_race_active, on_proof
        self._boards: weakref.WeakValueDictionary[str, Board] = weakref.WeakValueDictionary()
        self._requests: dict[str, BoundRequest] = {}
        self._admission = Admission(1)
        self._worker: WorkerProcess | None = None
        self._serving: threading.Thread | None = None
        self._closed = threading.Event()
        self._lock = threading.Lock()

    def board(self, sha256: str) -> Board:
        """Return the board of the instance with this hash, which is updated while its bound is computed."""
        with self._lock:
            board = self._boards.get(sha256)
            if board is None:
                bound = load_bound(self.folder, sha256)
                board = self._boards[sha256] = Board(BoundState("done", bound) if bound else BoundState())
            return board

    def find_length(self, sha256: str) -> int | None:
        """Return an instance's stored lower bound; None if there is none."""
        bound = load_bound(self.folder, sha256)
        return bound.length if bound else None

    def request(self, sha256: str, read: Callable[[], bytes], run: str = "", owner: str = "") -> str:
        """Request an instance's bound unless it is known; return the state of its `BoundState`.

        Parameters
        ----------
        sha256 : str
            Hash of the instance.
        read : callable
            Returns the instance's frame; not called if the bound is known or requested.
        run : str
            A run on this instance, whose best tour is compared with the bound; empty for none.
        owner : str
            The visitor who requests the bound; empty for none.

        Raises
        ------
        DeviceUnavailable
            If too many requests are waiting.
        """
        board = self.board(sha256)
        board.last_watched = time.monotonic()
        if run:
            board.runs.add(run)
        with self._lock:
            if not board.newest.is_open or self._closed.is_set():
                return board.newest.state
            instance = read()
            try:
                begins = self._admission.enter(sha256, owner)
            except QueueFull:
                raise DeviceUnavailable(TOO_MANY) from None
            self._requests[sha256] = BoundRequest(board, instance)
            board.newest = waiting = BoundState("waiting")
            if begins:
                self._begin(sha256)
        board.notify()
        return waiting.state

    @property
    def busy(self) -> bool:
        """Whether any bound is being computed or waiting."""
        return bool(self._requests)

    def close(self) -> None:
        """Cancel the current computation without storing a result, and drop the queue."""
        with self._lock:
            self._closed.set()
            worker, serving = self._worker, self._serving
        if worker:
            worker.kill()
        if serving:
            serving.join(CLOSE_SECONDS)

    def _begin(self, sha256: str) -> None:
        self._serving = threading.Thread(target=self._serve, args=(sha256,), name="bound", daemon=True)
        self._serving.start()

    def _serve(self, sha256: str) -> None:
        """Compute bounds one after another, even after a failure."""
        request, newest = self._requests[sha256], BoundState("failed", reason=BROKEN)
        try:
            newest, record = self._compute(request)
            if newest.state == "done":
                self._save(sha256, newest.known, record)
                request.board.publish(newest)  # runs opened from now on are compared with the bound when they open
                for run in tuple(request.board.runs):
                    self._on_proof(run, sha256)
        except (RunFailed, OSError, ValueError, LookupError, TypeError):
            if not self._closed.is_set():
                _log.exception("The bound of %s could not be computed.", sha256)
        finally:
            with self._lock:
                del self._requests[sha256]
                self._admission.leave(sha256)
                request.board.newest = newest
                if not self._closed.is_set() and (following := self._admission.admit()):
                    self._begin(following)
            request.board.notify()

    def _save(self, sha256: str, bound: KnownBound, record: bytes) -> None:
        try:
            save_bound(self.folder, sha256, bound)
            if record:
                save_ascent(self.folder, sha256, record)
        except OSError:
            _log.exception("The bound of %s could not be written.", sha256)

    def _compute(self, request: BoundRequest) -> tuple[BoundState, bytes]:
        """Compute a bound and publish its progress; return the final state and the ``ascent`` frame."""
        while self._is_race_active() and not self._closed.wait(POLL_SECONDS):
            pass
        if self._closed.is_set():
            return BoundState(), b""
        worker = WorkerProcess(self._process(PROGRAM, {}))
        with self._lock:
            self._worker = worker
            if self._closed.is_set():
                worker.kill()
        try:
            return self._follow(worker, request)
        finally:
            worker.close()
            with self._lock:
                self._worker = None

    def _follow(self, worker: WorkerProcess, request: BoundRequest) -> tuple[BoundState, bytes]:
        """Read a process's frames until it ends."""
        bound, refusal, record = KnownBound(), "", b""
        ended, timed_out = threading.Event(), threading.Event()
        watching = threading.Thread(
            target=self._watch, args=(worker, request.board, ended, timed_out), name="bound-watch", daemon=True
        )
        watching.start()
        try:
            worker.send(request.instance)
            for raw in worker.frames():
                frame = decode(raw)
                if frame.kind == "refused":
                    refusal = frame.values["sentence"]
                    break
                if frame.kind == "ascent":
                    record = bytes(raw)
                    continue
                bound = _parse_bound(frame)
                request.board.publish(BoundState("computing", bound))
        finally:
            ended.set()
            watching.join()
        if self._closed.is_set() or request.board.unwatched_seconds() > ABANDONED_SECONDS:
            return BoundState(), b""
        if bound.length is not None:  # even if the ascent was cut short, since each of its bounds is proven
            complete = is_record(record, decode(request.instance).values["n"], bound.length)
            return BoundState("done", bound), record if complete else b""
        return BoundState("failed", reason=refusal or _explain_end(worker, timed_out.is_set())), b""

    def _watch(self, worker: WorkerProcess, board: Board, ended: threading.Event, timed_out: threading.Event) -> None:
        """Suspend a process during races and while nobody watches.

        Kill it after its time limit, which sets `timed_out`, or after a long time without viewers.
        """
        suspended = False
        for _ in range(MAX_POLLS):
            while True:
                if ended.wait(POLL_SECONDS):
                    return
                unwatched = board.unwatched_seconds()
                if unwatched > ABANDONED_SECONDS:
                    worker.kill()
                    return
                if (self._is_race_active() or unwatched > UNWATCHED_SECONDS) != suspended:
                    suspended = not suspended
                    worker.set_suspended(suspended)
                if not suspended:
                    break
        timed_out.set()
        worker.kill()


def _explain_end(worker: WorkerProcess, timed_out: bool) -> str:
    """Return a sentence saying why a process ended without a bound."""
    status = worker.wait()
    if timed_out or (hasattr(signal, "SIGXCPU") and status == -signal.SIGXCPU):
        return TOO_LONG
    if worker.loss_reason:
        return worker.loss_reason
    if hasattr(signal, "SIGKILL") and status == -signal.SIGKILL:
        return TOO_LARGE  # this program did not kill it, so the system probably ran out of memory
    _log.error("The process of a bound ended with status %d: %s", status, worker.error_tail())
    return BROKEN


def _parse_bound(frame: Frame) -> KnownBound:
    values, arrays = frame.values, frame.arrays
    columns = (arrays["second"].tolist(), arrays["tree"].tolist(), arrays["bound"].tolist())
    return KnownBound(tuple(zip(*columns, strict=True)), values["seconds"], values["trees"], values["ended"])
