"""The default engine: each run in an operating system process of its own, and one spare process kept ready.
A worker whose run ended by itself becomes the spare: it has compiled everything that this run needed and has a GPU
context, so the next run of this kind begins immediately.
"""

import logging
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator

from data.instance import Instance
from runs.engine.commands import FREE
from runs.engine.protocol import Status
from solvers.errors import RunFailed
from solvers.events import Compiling
from solvers.spec import RunSpec
from solvers.worker.frames import decode, encode, event_frame, instance_frame, kind_of
from solvers.worker.process import WorkerProcess

#: Command that starts a worker.
COMMAND = [sys.executable, "-m", "runs.engine.worker"]
#: Seconds that a run has to obey `cancel` before its worker is killed.
CANCEL_GRACE = 1.5
#: Seconds from a run's start until the next spare is started: it must not slow down the compilation of the kernels
#: (which it would only repeat) or the first frames.
SPARE_DELAY = 1.0
REPLAY_TIMEOUT = 120.0
#: Seconds after which a run reports that its worker is still loading kernels.
COMPILING_DELAY = 0.2
_log = logging.getLogger("tourscope.worker")


class RunWorker(WorkerProcess):
    """A worker that recomputes climbs until it is handed to a run.

    Attributes
    ----------
    answers : queue.Queue of bytes
        The worker's frames while it has no run; an empty one when it has exited.
    handed_over : threading.Event
        Set while the worker's frames belong to its run.
    """

    def __init__(self) -> None:
        self.answers: queue.Queue[bytes] = queue.Queue()
        self.handed_over = threading.Event()
        super().__init__(COMMAND, on_line=lambda line: _log.warning("%d: %s", self.pid, line))

    def take_back(self) -> None:
        """Detach this worker from its run: its frames are answers again."""
        self.handed_over.clear()
        self.forget_words()


class ProcessHandle:
    """A run in a worker process; see `runs.engine.protocol.Handle`.

    Parameters
    ----------
    worker : RunWorker
    started : callable
        Called once, when the run has started to solve or has ended without doing so.
    freed : callable
        Given the worker when the run has ended and the worker is free for another.
    """

    def __init__(
        self, worker: RunWorker, started: Callable[[], None], freed: Callable[[RunWorker], None] = WorkerProcess.kill
    ) -> None:
        self._worker = worker
        self._started, self._freed = started, freed
        self._grace: threading.Timer | None = None
        self._lock = threading.Lock()
        self._is_over = False  # once the worker is free, it may belong to another run

    def frames(self) -> Iterator[bytes]:
        if not self._worker.handed_over.wait(COMPILING_DELAY):
            yield event_frame(Compiling(), time.time())  # the worker is not ready yet: the run waits for its kernels
            self._worker.handed_over.wait()
        started = False
        for frame in self._worker.frames():
            if frame == FREE:
                with self._lock:
                    self._is_over = True
                break
            yield frame
            if not started and kind_of(frame) == "started":
                started = True
                self._started()
        if not started:
            self._started()
        if self._grace:
            self._grace.cancel()
        if self._is_over:
            self._freed(self._worker)

    def send(self, command: str) -> None:
        with self._lock:
            if self._is_over:
                return
            self._worker.send(encode(command, {}, {}))
        if command == "cancel" and self._grace is None:
            self._grace = threading.Timer(CANCEL_GRACE, self.kill)
            self._grace.daemon = True
            self._grace.start()

    def kill(self) -> None:
        with self._lock:
            if not self._is_over:
                self._worker.kill()

    def wait(self) -> int:
        return 0 if self._is_over else self._worker.wait()

    def last_words(self) -> str:
        return "" if self._is_over else self._worker.last_words()


class ProcessEngine:
    """Runs in worker processes of this machine; see `runs.engine.protocol.Engine`."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._replaying = threading.Lock()
        self._workers: list[RunWorker] = []
        self._status: Status = {"devices": None, "spare": "starting"}
        self._listeners: list[Callable[[], None]] = []
        self._closed = False
        self._timer: threading.Timer | None = None
        self._spare: RunWorker | None = None
        self._make_spare()

    def start(self, spec: RunSpec, instance: Instance, pictures: bool = True) -> ProcessHandle:
        with self._lock:
            worker = self._spare or self._make_spare()
            self._spare = None
            job = encode("start", {"spec": spec.to_json(), "pictures": pictures}, {})
            worker.send(job, instance_frame(instance))
        return ProcessHandle(worker, self._make_spare_later, self._take_back)

    def replay(self, spec: RunSpec, instance: Instance, climber: int) -> list[bytes]:
        with self._replaying:
            with self._lock:
                worker = self._spare or self._make_spare()
                job = encode("replay", {"spec": spec.to_json(), "climber": climber}, {})
                worker.send(job, instance_frame(instance))
            try:
                return list(self._answers(worker))
            except queue.Empty:
                with self._lock:
                    if worker is self._spare:
                        worker.kill()
                raise RunFailed("The climb took too long to compute again.") from None

    @staticmethod
    def _answers(worker: RunWorker) -> Iterator[bytes]:
        while frame := worker.answers.get(timeout=REPLAY_TIMEOUT):
            kind = kind_of(frame)
            if kind == "replayed":
                return
            if kind == "failed":
                raise RunFailed(decode(frame).values["sentence"])
            yield frame
        raise RunFailed("The worker that computed the climb again was killed; try again.")

    def status(self) -> Status:
        return dict(self._status)

    def listen(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            if self._timer:
                self._timer.cancel()
            for worker in self._workers:
                worker.kill()

    def _make_spare(self) -> RunWorker:
        with self._lock:
            if self._closed:
                raise RunFailed("The server is shutting down.")
            return self._spare or self._set_spare(RunWorker())

    def _set_spare(self, spare: RunWorker) -> RunWorker:
        self._spare = spare
        self._workers = [*(worker for worker in self._workers if worker.alive() and worker is not spare), spare]
        threading.Thread(target=self._serve_spare, args=(spare,), name="spare", daemon=True).start()
        return spare

    def _take_back(self, worker: RunWorker) -> None:
        """Make the worker of a finished run the spare, replacing one that has compiled less."""
        with self._lock:
            if self._timer:
                self._timer.cancel()
            if self._closed or self._replaying.locked():  # the current spare is recomputing a climb
                worker.kill()
                return
            if self._spare:
                self._spare.kill()
            worker.take_back()
            self._set_spare(worker)

    def _make_spare_later(self) -> None:
        with self._lock:
            if not self._closed:
                self._timer = threading.Timer(SPARE_DELAY, self._refill)
                self._timer.daemon = True
                self._timer.start()

    def _refill(self) -> None:
        with self._lock:
            if not self._closed:
                self._make_spare()

    def _serve_spare(self, worker: RunWorker) -> None:
        """Read the spare's frames until it is handed to a run or exits."""
        for frame in worker.frames():
            kind = kind_of(frame)
            if kind == "taken":
                break
            if kind == "status":
                self._update(decode(frame).values)
            else:
                worker.answers.put(frame)
        else:
            worker.answers.put(b"")
            with self._lock:
                if self._spare is worker:
                    self._spare = None
        if self._spare is None:
            self._update({"spare": "starting"})
        worker.handed_over.set()

    def _update(self, changes: Status) -> None:
        if {**self._status, **changes} != self._status:
            self._status = {**self._status, **changes}
            for listener in self._listeners:
                listener()
