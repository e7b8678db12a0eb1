"""A pool of workers on a cluster: warm workers are reused, and make way for waiting runs."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from data.instance import Instance
from runs.engine.process import COMPILING_DELAY, IDLE_SECONDS, WORKER, ProcessHandle, RunWorker
from solvers import SOLVERS
from solvers.core.events import Compiling
from solvers.spec import RunSpec
from solvers.worker.frames import encode, encode_event_frame, encode_instance_frame, read_kind
from solvers.worker.process import Process

#: Seconds that a run may take to obey `cancel` before its worker is killed; the message takes under a second.
CANCEL_GRACE = 0.8
#: Seconds that a worker may wait for a place on a node before an idle worker must give up its place.
PATIENCE = 0.5
#: Environment variables of a worker that may use a GPU; Ray assigns the device.
GPU = {"CUDA_VISIBLE_DEVICES": "0"}
_KILLED = -9


class ClusterWorker(RunWorker):
    """A worker on a node of the cluster.

    Attributes
    ----------
    gpu : bool
        Whether it has a GPU.
    title : str
        Title of its current run; empty if none.
    free_since : float
        Time at which it became idle, on the monotonic clock.
    """

    def __init__(self, process: Process, gpu: bool) -> None:
        self.gpu, self.title, self.free_since = gpu, "", time.monotonic()
        super().__init__(process, "starting")

    @property
    def node(self) -> str:
        """The worker's node id; empty while it waits for a node."""
        return getattr(self._process, "node", "")


class PendingWorker:
    """Stands in for a waiting run's worker and stores its messages.

    Attributes
    ----------
    gpu : bool
        Whether the run needs a worker with a GPU.
    waiting_since : float
        Time at which it began to wait, on the monotonic clock.
    handed_over : threading.Event
        Set once the run has a worker, or was killed.
    """

    node = lost = refusal = ""

    def __init__(self, gpu: bool, title: str) -> None:
        self.gpu, self.title, self.waiting_since = gpu, title, time.monotonic()
        self.handed_over = threading.Event()
        self.sent: list[bytes] = []

    def send(self, *frames: bytes) -> None:
        self.sent += frames

    def kill(self) -> None:
        self.handed_over.set()

    def frames(self) -> Iterator[bytes]:
        return iter(())

    def wait(self) -> int:
        return _KILLED

    def error_tail(self) -> str:
        return ""


class ClusterHandle(ProcessHandle):
    """A run in a worker on a node, or waiting for one."""

    #: The run's current or former worker.
    worker: Any

    def grace(self) -> float:
        return CANCEL_GRACE

    @property
    def is_free(self) -> bool:
        """Whether the worker was free at the run's end and may take another."""
        return self._is_over

    def assign_worker(self, worker: ClusterWorker) -> None:
        """Give the run this worker, and send the worker the stored messages."""
        with self._lock:
            waited, self.worker = self.worker, worker
            worker.title = waited.title
            worker.send(*waited.sent)
        waited.handed_over.set()

    def _frames(self) -> Iterator[bytes]:
        if not self.worker.handed_over.wait(COMPILING_DELAY):
            yield encode_event_frame(Compiling(), time.time())
        while True:
            worker = self.worker
            worker.handed_over.wait()
            with self._lock:
                if worker is self.worker:
                    break
        yield from super()._frames()
        if self._is_over:
            return
        if refusal := self.worker.refusal:
            yield encode("failed", {"sentence": refusal, "error": "RunFailed"}, {})


class WorkerPool:
    """Workers of runs; each keeps its place on a node until it exits.

    Parameters
    ----------
    start : callable
        Starts a worker's program by its module and environment; see `solvers.worker.ray.connection.Cluster.start`.
    places : callable
        Number of workers that fit on the cluster. A further run first waits for a warm worker, then requests a new one.
    on_change : callable
        Called, from any thread, when a worker begins or ends a run.

    Attributes
    ----------
    idle : list of ClusterWorker
        Free workers, the newest last.
    """

    def __init__(
        self,
        start: Callable[[str, Mapping[str, str]], Process],
        places: Callable[[], int],
        on_change: Callable[[], object] = lambda: None,
    ) -> None:
        self._start, self._places, self._on_change = start, places, on_change
        self._lock = threading.RLock()
        self.idle: list[ClusterWorker] = []
        self._busy: list[ClusterWorker] = []
        self._waiting: list[tuple[PendingWorker, ClusterHandle, set[str]]] = []  # with the algorithms, the oldest first
        self._closed = False

    def run(self, spec: RunSpec, instance: Instance, gpu: bool, pictures: bool) -> ClusterHandle:
        """Start a run in an idle worker, in a new one if there is room, or queue it; without waiting."""
        algorithms = {stage.algorithm for stage in spec.stages}
        pending = PendingWorker(gpu, f"{instance.name} · {' → '.join(stage.algorithm for stage in spec.stages)}")
        pending.send(
            encode("start", {"spec": spec.to_json(), "pictures": pictures}, {}), encode_instance_frame(instance)
        )
        handle = ClusterHandle(cast(Any, pending), lambda: None, self._free, lambda: self._on_over(handle))
        with self._lock:
            if worker := self._find_idle_worker(gpu, algorithms) or self._start_worker(gpu, force=False):
                self._place(handle, worker, algorithms)
            else:
                self._waiting.append((pending, handle, algorithms))
        self._on_change()
        return handle

    def titles(self) -> dict[str, list[str]]:
        """Return active runs' titles by node id; waiting runs have an empty id."""
        with self._lock:
            titles: dict[str, list[str]] = {}
            for worker in self._busy:
                titles.setdefault(worker.node, []).append(worker.title)
            for pending, _, _ in self._waiting:
                titles.setdefault(pending.node, []).append(pending.title)
            return titles

    def trim(self, waiting: bool) -> None:
        """Request a worker for runs that have waited long, and end idle workers.

        Ends one idle worker if a run or another program is `waiting` for a place, and all but one of the workers that
        have long been idle.
        """
        with self._lock:
            now = time.monotonic()
            for pending, handle, algorithms in [*self._waiting]:
                if now - pending.waiting_since > PATIENCE:
                    self._waiting.remove((pending, handle, algorithms))
                    self._place(handle, self._start_worker(pending.gpu, force=True), algorithms)
            waiting |= any(not worker.node for worker in self._busy)
            if self.idle and waiting and now - self.idle[0].free_since > PATIENCE:
                self._end(self.idle[0])
            for worker in self.idle[:-1]:
                if now - worker.free_since > IDLE_SECONDS:
                    self._end(worker)

    def close(self) -> None:
        """Kill every worker."""
        with self._lock:
            self._closed = True
            for worker in (*self.idle, *self._busy):
                worker.kill()

    def _find_idle_worker(self, gpu: bool, algorithms: set[str]) -> ClusterWorker | None:
        """Return the idle worker that has run most of the algorithms, the newest on ties."""
        now = SOLVERS.fingerprint()
        for worker in [each for each in self.idle if each.files != now or not each.alive()]:
            self._end(worker)
        candidates = [worker for worker in self.idle if worker.gpu == gpu]
        if not candidates:
            return None
        best = max(reversed(candidates), key=lambda worker: len(worker.algorithms & algorithms))
        self.idle.remove(best)
        return best

    def _start_worker(self, gpu: bool, force: bool) -> ClusterWorker | None:
        """Start a worker if there is room, or with `force`; an idle worker of the other kind makes way."""
        if not force and len(self.idle) + len(self._busy) >= self._places():
            if not self.idle:
                return None
            self._end(self.idle[0])
        return self._serve(ClusterWorker(self._start(WORKER, GPU if gpu else {}), gpu))

    def _place(self, handle: ClusterHandle, worker: ClusterWorker | None, algorithms: set[str]) -> None:
        assert worker is not None
        worker.algorithms |= algorithms
        self._busy.append(worker)
        handle.assign_worker(worker)

    def _serve(self, worker: ClusterWorker) -> ClusterWorker:
        threading.Thread(target=self._await_run, args=(worker,), name="idle", daemon=True).start()
        return worker

    def _await_run(self, worker: ClusterWorker) -> None:
        """Read a worker's frames until it gets a run or ends."""
        for frame in worker.frames():
            if read_kind(frame) == "taken":
                break
        else:
            with self._lock:
                if worker in self.idle:
                    self._end(worker)
        worker.handed_over.set()

    def _free(self, worker: ClusterWorker) -> None:
        """Give a finished run's worker to a waiting run, or keep it."""
        with self._lock:
            self._leave(worker)
            if self._closed:
                worker.kill()
                return
            worker.detach()
            worker.free_since = time.monotonic()
            self._serve(worker)
            is_current = worker.files == SOLVERS.fingerprint()
            for pending, handle, algorithms in self._waiting if is_current else ():
                if pending.gpu == worker.gpu:
                    self._waiting.remove((pending, handle, algorithms))
                    self._place(handle, worker, algorithms)
                    return
            self.idle.append(worker)

    def _on_over(self, handle: ClusterHandle) -> None:
        with self._lock:
            self._waiting = [each for each in self._waiting if each[1] is not handle]
            worker = handle.worker
            if worker in self._busy and not handle.is_free:
                self._leave(worker)
        self._on_change()

    def _leave(self, worker: ClusterWorker) -> None:
        worker.title = ""
        if worker in self._busy:
            self._busy.remove(worker)

    def _end(self, worker: ClusterWorker) -> None:
        self.idle.remove(worker)
        worker.kill()
