"""Computes the bounds that viewers of runs ask for: one at a time, in a process of its own, and keeps what is proven."""

import logging
import os
import signal
import sys
import threading
import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from data.collection.bounds import KnownBound, keep_bound, kept_bound
from data.instance import Instance
from runs.admission import Admission, QueueFull
from runs.bounds.board import Board, BoundState
from runs.bounds.program import TOO_LARGE
from solvers.errors import DeviceUnavailable, RunFailed
from solvers.worker.frames import Frame, decode, instance_frame
from solvers.worker.process import Process, WorkerProcess

#: The program of the process.
PROGRAM = "runs.bounds.program"
#: Seconds between two looks whether a race goes on.
LOOK_SECONDS = 0.25
#: Looks after which the process is killed: its own limit is processor time, of which a busy machine may give it little.
LOOKS = 1200
_log = logging.getLogger(__name__)


class Asked(NamedTuple):
    """A bound that waits or is being computed, and who is told when it is proven."""

    board: Board
    instance: Instance
    told: Callable[[KnownBound], None]


class BoundService:
    """The bounds of a server's instances.

    Parameters
    ----------
    folder : Path
        Where they are kept.
    process : callable
        Starts a worker's program by its module and environment; see `runs.engine.protocol.Engine.process`.
    is_held : callable
        Whether a race goes on, during which nothing is computed: no lane may be slower than another.
    """

    def __init__(
        self, folder: Path, process: Callable[[str, Mapping[str, str]], Process], is_held: Callable[[], bool]
    ) -> None:
        self._folder, self._process, self._is_held = folder, process, is_held
        self._boards: weakref.WeakValueDictionary[str, Board] = weakref.WeakValueDictionary()
        self._asked: dict[str, Asked] = {}
        self._admission = Admission(1)
        self._worker: WorkerProcess | None = None
        self._closed = False
        self._lock = threading.Lock()

    def board(self, sha256: str) -> Board:
        """What is known of the bound of the instance of that hash, and will be."""
        with self._lock:
            board = self._boards.get(sha256)
            if board is None:
                kept = kept_bound(self._folder, sha256)
                board = self._boards[sha256] = Board(BoundState("done", kept) if kept else BoundState())
            return board

    def known(self, sha256: str) -> int | None:
        """The length that no tour of an instance is below, as far as it is kept; None if it is not."""
        kept = kept_bound(self._folder, sha256)
        return kept.length if kept else None

    def ask(self, instance: Instance, owner: str = "", told: Callable[[KnownBound], None] = lambda bound: None) -> str:
        """Have the bound of an instance computed, unless it is known; returns the `BoundState`'s state.

        Parameters
        ----------
        instance : Instance
        owner : str
            Who asks; empty if nobody in particular.
        told : callable
            Called with the bound once it is kept, in another thread, if this is what has it computed.

        Raises
        ------
        DeviceUnavailable
            If too many wait.
        """
        sha256 = instance.sha256
        board = self.board(sha256)
        with self._lock:
            if not board.newest.is_open or self._closed:
                return board.newest.state
            self._asked[sha256] = Asked(board, instance, told)
            try:
                begins = self._admission.enter(sha256, owner)
            except QueueFull:
                del self._asked[sha256]
                raise DeviceUnavailable("Too many bounds are waiting already: try again later.") from None
            board.newest = BoundState("waiting")
            if begins:
                self._begin(sha256)
        board.notify()
        return board.newest.state

    @property
    def busy(self) -> bool:
        """Whether a bound is being computed or waits."""
        return bool(self._asked)

    def close(self) -> None:
        """End what is being computed; what waits is forgotten."""
        with self._lock:
            self._closed = True
            worker = self._worker
        if worker:
            worker.kill()

    def _begin(self, sha256: str) -> None:
        threading.Thread(target=self._serve, args=(sha256,), name="bound", daemon=True).start()

    def _serve(self, sha256: str) -> None:
        asked = self._asked[sha256]
        try:
            newest = self._computed(asked)
        except (RunFailed, OSError, ValueError):
            _log.exception("The bound of %s could not be computed.", sha256)
            newest = BoundState("failed", why="The bound could not be computed because of an error in the program.")
        if newest.state == "done":
            self._keep(sha256, newest.known)
        with self._lock:
            del self._asked[sha256]
            self._admission.leave(sha256)
            if not self._closed and (following := self._admission.admit()):
                self._begin(following)
        asked.board.publish(newest)
        if newest.state == "done":
            asked.told(newest.known)

    def _keep(self, sha256: str, known: KnownBound) -> None:
        try:
            keep_bound(self._folder, sha256, known)
        except OSError:
            _log.exception("The bound of %s could not be written.", sha256)

    def _computed(self, asked: Asked) -> BoundState:
        """Compute a bound, and tell how it rises; returns how that ended."""
        while self._is_held() and not self._closed:
            threading.Event().wait(LOOK_SECONDS)
        worker = WorkerProcess(self._process(PROGRAM, {}))
        over = threading.Event()
        with self._lock:
            self._worker = worker
            if self._closed:
                worker.kill()
        watching = threading.Thread(target=self._watch, args=(worker, over), name="bound-watch", daemon=True)
        watching.start()
        try:
            return self._followed(worker, asked)
        finally:
            over.set()
            watching.join()
            worker.close()
            with self._lock:
                self._worker = None

    @staticmethod
    def _followed(worker: WorkerProcess, asked: Asked) -> BoundState:
        """Read what a process tells until it ends."""
        worker.send(instance_frame(asked.instance))
        known = KnownBound()
        for raw in worker.frames():
            frame = decode(raw)
            if frame.kind == "refused":
                return BoundState("failed", why=frame.values["sentence"])
            known = _known(frame)
            asked.board.publish(BoundState("computing", known))
        if known.rows:  # also of one that was cut: each was proven
            return BoundState("done", known)
        return BoundState("failed", why=TOO_LARGE)

    def _watch(self, worker: WorkerProcess, over: threading.Event) -> None:
        """Let a process stand still while a race goes on, and end one that takes too long."""
        held = False
        for _ in range(LOOKS):
            while True:
                if over.wait(LOOK_SECONDS):
                    return
                if self._is_held() != held:
                    held = not held
                    _hold(worker, held)
                if not held:
                    break
        worker.kill()


def _hold(worker: WorkerProcess, held: bool) -> None:
    """Let a process stand still, or go on; Windows cannot stop one."""
    if sys.platform != "win32" and worker.alive():
        with suppress(ProcessLookupError):
            os.kill(worker.pid, signal.SIGSTOP if held else signal.SIGCONT)


def _known(frame: Frame) -> KnownBound:
    values, arrays = frame.values, frame.arrays
    columns = (arrays["second"].tolist(), arrays["tree"].tolist(), arrays["bound"].tolist())
    return KnownBound(tuple(zip(*columns, strict=True)), values["seconds"], values["trees"], values["ended"])
