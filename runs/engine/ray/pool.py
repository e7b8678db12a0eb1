"""The workers of runs on a cluster: warm ones are used again, and give their place to whoever waits for one."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping

from data.instance import Instance
from runs.engine.process import IDLE_SECONDS, WORKER, ProcessHandle, RunWorker
from solvers import SOLVERS
from solvers.spec import RunSpec
from solvers.worker.frames import encode, instance_frame, kind_of
from solvers.worker.process import Process

#: Seconds that a run has to obey `cancel` before its worker is killed: with its way there, under a second.
CANCEL_GRACE = 0.8
#: Seconds that a worker may wait for a place on a node before an idle one has to give up its own.
PATIENCE = 0.5
#: Variables of a worker whose runs may use a GPU; Ray says which.
GPU = {"CUDA_VISIBLE_DEVICES": "0"}


class ClusterWorker(RunWorker):
    """A worker on a node.

    Attributes
    ----------
    gpu : bool
        Whether it has one.
    titled : str
        The run that it does, empty if none.
    freed : float
        When it became idle, on the monotonic clock.
    """

    def __init__(self, process: Process, gpu: bool) -> None:
        self.gpu, self.titled, self.freed = gpu, "", time.monotonic()
        super().__init__(process, "starting")

    @property
    def node(self) -> str:
        """The id of its node; empty while it waits for one."""
        return getattr(self._process, "node", "")


class ClusterHandle(ProcessHandle):
    """A run in a worker on a node."""

    def grace(self) -> float:
        return CANCEL_GRACE

    def _frames(self) -> Iterator[bytes]:
        yield from super()._frames()
        if self._is_over:
            return
        if why := self._worker.refusal:
            yield encode("failed", {"sentence": why, "error": "RunFailed"}, {})


class WorkerPool:
    """Workers of runs; each has its place on a node until it ends.

    Parameters
    ----------
    start : callable
        Starts a worker's program by its module and environment; see `solvers.worker.ray.connection.Cluster.start`.
    changed : callable
        Called, from any thread, when a worker began or ended a run.
    """

    def __init__(
        self, start: Callable[[str, Mapping[str, str]], Process], changed: Callable[[], object] = lambda: None
    ) -> None:
        self._start, self._changed = start, changed
        self._lock = threading.RLock()
        self._idle: list[ClusterWorker] = []  # the newest last
        self._busy: list[ClusterWorker] = []
        self._closed = False

    def run(self, spec: RunSpec, instance: Instance, gpu: bool, pictures: bool) -> ClusterHandle:
        """Start a run in an idle worker, else in a new one; returns immediately."""
        algorithms = {stage.algorithm for stage in spec.stages}
        with self._lock:
            worker = self._take(gpu, algorithms)
            worker.algorithms |= algorithms
            worker.titled = f"{instance.name} · {' → '.join(stage.algorithm for stage in spec.stages)}"
            self._busy.append(worker)
            job = encode("start", {"spec": spec.to_json(), "pictures": pictures}, {})
            worker.send(job, instance_frame(instance))
        self._changed()
        return ClusterHandle(worker, lambda: None, self._free, lambda: self._over(worker))

    def titles(self) -> dict[str, list[str]]:
        """The runs that go on, by the ids of their nodes; those that wait for one are at an empty id."""
        with self._lock:
            found: dict[str, list[str]] = {}
            for worker in self._busy:
                found.setdefault(worker.node, []).append(worker.titled)
            return found

    def tidy(self, waiting: bool) -> None:
        """End idle workers: one if somebody is `waiting` for a place, and those that were idle for long, but one."""
        with self._lock:
            waiting |= any(not worker.node for worker in self._busy)
            now = time.monotonic()
            if self._idle and waiting and now - self._idle[0].freed > PATIENCE:
                self._end(self._idle[0])
            for worker in self._idle[:-1]:
                if now - worker.freed > IDLE_SECONDS:
                    self._end(worker)

    def close(self) -> None:
        """Kill every worker."""
        with self._lock:
            self._closed = True
            for worker in (*self._idle, *self._busy):
                worker.kill()

    def _take(self, gpu: bool, algorithms: set[str]) -> ClusterWorker:
        """The idle worker that has run most of the algorithms, of equal ones the newest; a new one if none is idle."""
        now = SOLVERS.fingerprint()
        for worker in [each for each in self._idle if each.files != now or not each.alive()]:
            self._end(worker)
        fit = [worker for worker in self._idle if worker.gpu == gpu]
        if not fit:
            return self._serve(ClusterWorker(self._start(WORKER, GPU if gpu else {}), gpu))
        worker = max(reversed(fit), key=lambda worker: len(worker.algorithms & algorithms))
        self._idle.remove(worker)
        return worker

    def _serve(self, worker: ClusterWorker) -> ClusterWorker:
        threading.Thread(target=self._await_run, args=(worker,), name="idle", daemon=True).start()
        return worker

    def _await_run(self, worker: ClusterWorker) -> None:
        """Read a worker's frames until it takes a run or ends."""
        for frame in worker.frames():
            if kind_of(frame) == "taken":
                break
        else:
            with self._lock:
                if worker in self._idle:
                    self._end(worker)
        worker.handed_over.set()

    def _free(self, worker: ClusterWorker) -> None:
        """Keep the worker of a finished run."""
        with self._lock:
            self._leave(worker)
            if self._closed:
                worker.kill()
                return
            worker.take_back()
            worker.freed = time.monotonic()
            self._idle.append(self._serve(worker))

    def _over(self, worker: ClusterWorker) -> None:
        with self._lock:
            if worker not in self._idle:  # else it was freed
                self._leave(worker)
        self._changed()

    def _leave(self, worker: ClusterWorker) -> None:
        worker.titled = ""
        if worker in self._busy:
            self._busy.remove(worker)

    def _end(self, worker: ClusterWorker) -> None:
        self._idle.remove(worker)
        worker.kill()
