"""The default engine: one process per run, and at least one idle process ready for the next run.

Workers are forks of a process that has loaded the kernels (`solvers.worker.fork_server`), so that several can start at
once. On systems without such forks each worker is a new interpreter that loads the kernels itself. A worker whose run
finished or was cancelled becomes idle: it has all kernels of that run and a GPU context, so the next run of this kind
starts immediately. A few idle workers are kept, since the next race needs several.
"""

import json
import logging
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Set
from functools import partial
from typing import Any

from data.instance import Instance
from runs.engine.commands import FREE
from runs.engine.kernel_builds import KernelBuilds
from runs.engine.protocol import Status
from solvers import SOLVERS
from solvers.core.devices import cpu_threads
from solvers.core.errors import RunFailed
from solvers.core.events import Compiling
from solvers.spec import RunSpec
from solvers.worker.fork_server import AVAILABLE, ForkServer
from solvers.worker.frames import decode, encode, encode_event_frame, encode_instance_frame, read_kind
from solvers.worker.process import Process, WorkerProcess, spawn

#: Module of a worker's program.
WORKER = "runs.engine.worker"
#: Seconds that a run may take to obey `cancel` before its worker is killed.
CANCEL_GRACE = 1.5
#: Seconds after a run's start during which no kernels are loaded and no worker is started, so that the run's first
#: frames are not delayed.
SPARE_DELAY = 1.0
#: Maximum number of seconds for which the server loads and compiles no kernels while a run prepares its own.
MAX_HOLD = 60.0
#: Seconds between the end of a run and the preparation of the next one; by then the run's worker has exited.
AFTER_RUN = 0.5
#: Maximum number of idle workers, one more than a race has lanes, and seconds until all but the newest end.
MAX_IDLE = 5
IDLE_SECONDS = 120.0
REPLAY_TIMEOUT = 120.0
#: Seconds between two checks of whether a recomputed climb is still wanted.
POLL_SECONDS = 0.25
#: Seconds after which a run reports that its worker is still loading kernels.
COMPILING_DELAY = 0.2
_CLOSED = "The server is shutting down."
_log = logging.getLogger("tourscope.worker")


def _has_gpu(devices: list[dict[str, Any]] | None) -> bool:
    return any(device["kind"] == "cuda" and device["available"] for device in devices or ())


def make_kernel_key(spec: RunSpec, instance: Instance) -> str:
    """Return the key of a run's kernels: all but seed and budget, and the state of users' files."""
    stages = [[stage.algorithm, stage.params] for stage in spec.stages]
    return json.dumps([stages, spec.device, instance.sha256, SOLVERS.fingerprint()], sort_keys=True)


class RunWorker(WorkerProcess):
    """A worker that recomputes climbs until it is given to a run.

    Parameters
    ----------
    process : Process
    spare : str
        Initial value of the attribute.

    Attributes
    ----------
    answers : queue.Queue of bytes
        Frames that the worker sends without a run; empty bytes once it has exited.
    handed_over : threading.Event
        Set while the worker's frames belong to its run.
    spare : str
        State of a worker without a run: ``"starting"``, ``"compiling"`` or ``"ready"``.
    algorithms : set of str
        Names of the algorithms that it has run.
    prepared : set of str
        Keys (see `make_kernel_key`) of the runs whose kernels it has loaded.
    preparing : str
        Key of the run for which it is being prepared; empty for none.
    replaying : bool
        Whether it is recomputing a climb.
    files : str
        Fingerprint of users' own solvers when the worker started; it may have loaded them since.
    """

    def __init__(self, process: Process, spare: str) -> None:
        self.answers: queue.Queue[bytes] = queue.Queue()
        self.handed_over = threading.Event()
        self.spare = spare
        self.algorithms: set[str] = set()
        self.prepared: set[str] = set()
        self.preparing = ""
        self.replaying = False
        self.files = SOLVERS.fingerprint()
        super().__init__(process, on_line=lambda line: _log.warning("%d: %s", self.pid, line))

    def detach(self) -> None:
        """Detach this worker from its run: its frames go to `answers` again."""
        self.handed_over.clear()
        self.clear_error_tail()


class ProcessHandle:
    """A run in a worker process; see `runs.engine.protocol.Handle`.

    Parameters
    ----------
    worker : RunWorker
    on_start : callable
        Called once, when the run has started to solve or has ended before that.
    on_free : callable
        Called with the worker when the run has ended and the worker is free for another run.
    on_over : callable
        Called when the run has ended for any reason.

    Attributes
    ----------
    worker : RunWorker
    """

    def __init__(
        self,
        worker: RunWorker,
        on_start: Callable[[], None],
        on_free: Callable[[Any], None] = WorkerProcess.kill,
        on_over: Callable[[], None] = lambda: None,
    ) -> None:
        self.worker = worker
        self._on_start, self._on_free, self._on_over = on_start, on_free, on_over
        self._grace: threading.Timer | None = None
        self._lock = threading.Lock()
        self._is_over = False  # once the worker is free, it may belong to another run

    def frames(self) -> Iterator[bytes]:
        try:
            yield from self._frames()
        finally:
            self._on_over()

    def _frames(self) -> Iterator[bytes]:
        if not self.worker.handed_over.wait(COMPILING_DELAY):
            yield encode_event_frame(
                Compiling(), time.time()
            )  # the worker is not ready yet: the run waits for its kernels
            self.worker.handed_over.wait()
        started = False
        for frame in self.worker.frames():
            if frame == FREE:
                with self._lock:
                    self._is_over = True
                break
            yield frame
            if not started and read_kind(frame) == "started":
                started = True
                self._on_start()
        if not started:
            self._on_start()
        if self._grace:
            self._grace.cancel()
        if self._is_over:
            self._on_free(self.worker)

    def grace(self) -> float:
        """Return the seconds that the run has to obey `cancel`."""
        return CANCEL_GRACE

    def send(self, command: str) -> None:
        with self._lock:
            if self._is_over:
                return
            self.worker.send(encode(command, {}, {}))
        if command == "cancel" and self._grace is None:
            self._grace = threading.Timer(self.grace(), self.kill)
            self._grace.daemon = True
            self._grace.start()

    def kill(self) -> None:
        with self._lock:
            if not self._is_over:
                self.worker.kill()

    def wait(self) -> int:
        return 0 if self._is_over else self.worker.wait()

    @property
    def loss_reason(self) -> str:
        return "" if self._is_over else self.worker.loss_reason

    def error_tail(self) -> str:
        return "" if self._is_over else self.worker.error_tail()


class ProcessEngine:
    """Runs each run in a worker process of this machine; see `runs.engine.protocol.Engine`.

    Attributes
    ----------
    idle : list of RunWorker
        Free workers, the newest last.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._replaying = threading.Lock()
        self._workers: list[RunWorker] = []
        self._status: Status = {"devices": None, "spare": "starting"}
        self._listeners: list[Callable[[], None]] = []
        self._closed = False
        self._timers: dict[str, threading.Timer] = {}
        self.idle: list[RunWorker] = []
        self._fork_server: ForkServer | None = None
        self._stage = "starting"  # the fork server's stage
        self._starting = 0  # runs that have not started to solve
        self._next_spec: tuple[RunSpec, Instance] | None = None  # the run to prepare next
        self._refused_keys: set[str] = set()  # keys of runs that could not be prepared
        self._builds = KernelBuilds(self.start_process, lambda counts: self._update({"kernels": counts}))
        self._get_idle_worker()  # this worker reports the devices

    def start(self, spec: RunSpec, instance: Instance, pictures: bool = True) -> ProcessHandle:
        with self._lock:
            worker = self._get_idle_worker(
                {stage.algorithm for stage in spec.stages}, key := make_kernel_key(spec, instance)
            )
            self.idle.remove(worker)
            worker.prepared.add(key)
            worker.algorithms.update(stage.algorithm for stage in spec.stages)
            job = encode("start", {"spec": spec.to_json(), "pictures": pictures}, {})
            worker.send(job, encode_instance_frame(instance))
            self._starting += 1
            self._hold()
            self._builds.set_suspended(True)
        prepare_next = partial(self._schedule, "prepare", AFTER_RUN, self._prepare)
        return ProcessHandle(worker, self._on_start, self._reclaim, prepare_next)

    def _on_start(self) -> None:
        """Load kernels for the next runs, soon after a run has started to solve or has ended."""
        with self._lock:
            self._starting -= 1
            self._hold()
        self._schedule("refill", SPARE_DELAY, self._refill)

    def _hold(self) -> None:
        """Leave the cores to runs that prepare kernels: pause loading and compiling in the fork server."""
        if self._fork_server:
            is_awaited = self._starting or any(worker.preparing for worker in self.idle)
            self._fork_server.hold(MAX_HOLD if is_awaited else SPARE_DELAY)

    def anticipate(self, spec: RunSpec, instance: Instance) -> None:
        with self._lock:
            self._next_spec = spec, instance
            self._prepare()

    def _prepare(self) -> None:
        """Prepare an idle worker for the newest spec, unless something else is in progress."""
        with self._lock:
            busy = self.is_busy()
            self._builds.set_suspended(busy)
            if self._status["spare"] == "starting" or busy or self._next_spec is None or self._closed:
                return
            (spec, instance), self._next_spec = self._next_spec, None
            key = make_kernel_key(spec, instance)
            if key in self._refused_keys or any(key in worker.prepared for worker in self.idle):
                return
            worker = self._get_idle_worker({stage.algorithm for stage in spec.stages})
            worker.preparing = key
            self._hold()
            self._builds.set_suspended(True)
            worker.send(encode("prepare", {"spec": spec.to_json()}, {}), encode_instance_frame(instance))

    def is_busy(self) -> bool:
        """Return whether a run is active or being prepared."""
        alive = [worker for worker in self._workers if worker.alive()]
        return any(worker.preparing or worker not in self.idle for worker in alive)

    def _end_preparing(self, worker: RunWorker, usable: bool) -> None:
        """Record that a worker is prepared, or retire it if unusable: its GPU may be in any state."""
        with self._lock:
            key, worker.preparing = worker.preparing, ""
            if not key:
                return
            self._hold()
            (worker.prepared if usable else self._refused_keys).add(key)
            if not usable and worker in self.idle:
                self.idle.remove(worker)
                worker.kill()
            self._prepare()

    def replay(
        self, spec: RunSpec, instance: Instance, climber: int, is_wanted: Callable[[], bool] = lambda: True
    ) -> list[bytes]:
        with self._replaying:
            if not is_wanted():
                raise RunFailed("Nobody waits for the climb any more.")
            with self._lock:
                worker = self._get_idle_worker()
                worker.replaying = True
                job = encode("replay", {"spec": spec.to_json(), "climber": climber}, {})
                worker.send(job, encode_instance_frame(instance))
            try:
                return list(self._read_answers(worker, is_wanted))
            except queue.Empty:
                with self._lock:
                    if worker in self.idle:
                        self.idle.remove(worker)
                        worker.kill()
                raise RunFailed("The climb took too long to compute again.") from None
            finally:
                worker.replaying = False

    @staticmethod
    def _read_answers(worker: RunWorker, is_wanted: Callable[[], bool]) -> Iterator[bytes]:
        polls = 0
        while True:
            try:
                frame = worker.answers.get(timeout=POLL_SECONDS)
            except queue.Empty:
                polls += 1
                if polls * POLL_SECONDS >= REPLAY_TIMEOUT or not is_wanted():
                    raise
                continue
            if not frame:
                break
            kind = read_kind(frame)
            if kind == "replayed":
                return
            if kind == "failed":
                raise RunFailed(decode(frame).values["sentence"])
            yield frame
        raise RunFailed("The worker that computed the climb again was killed; try again.")

    def start_process(self, module: str, environment: Mapping[str, str] | None = None) -> Process:
        with self._lock:
            if self._closed:
                raise RunFailed(_CLOSED)
            if not AVAILABLE:
                return spawn([sys.executable, "-m", module], environment)
            if self._fork_server is None or not self._fork_server.alive():
                self._stage = "starting"
                self._fork_server = ForkServer(WORKER, self._on_stage)
            return self._fork_server.fork(module, environment)

    def start_local_process(self, module: str) -> Process:
        return self.start_process(module)

    def places(self) -> int:
        return max(2, os.cpu_count() or 1)

    def cores(self) -> int:
        return cpu_threads()

    def status(self) -> Status:
        return dict(self._status)

    def listen(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            for timer in self._timers.values():
                timer.cancel()
            for worker in self._workers:
                worker.kill()
            self._builds.close()
            if self._fork_server:
                self._fork_server.close()

    def _on_stage(self, stage: str) -> None:
        """Record the fork server's progress; once it is ready, replace idle workers forked earlier.

        Workers that are or will be prepared for a run stay.
        """
        with self._lock:
            self._stage = stage
            outdated = [each for each in self.idle if each.spare != "ready" and not (each.preparing or each.prepared)]
            if stage == "ready" and outdated and not self._closed and not self._replaying.locked():
                for worker in outdated:
                    self.idle.remove(worker)
                    worker.kill()
                self._get_idle_worker()
            else:
                for worker in outdated:
                    worker.spare = stage
        self._update({})
        self._prepare()

    def _get_idle_worker(self, algorithms: Set[str] = frozenset(), run: str = "") -> RunWorker:
        """Return the idle worker with the most kernels for a run, the newest on ties; start one if none is idle.

        A worker prepared for this very run is best, then one that has run most of its algorithms. A worker that is
        being prepared for another run or recomputes a climb is not idle.
        """
        with self._lock:
            self._end_outdated()
            idle = [worker for worker in self.idle if worker.preparing in ("", run) and not worker.replaying]
            if not idle:
                idle = [RunWorker(self.start_process(WORKER), self._stage)]
                self._add_idle(idle[0])
            is_prepared = {worker: run in {worker.preparing, *worker.prepared} for worker in idle}
            return max(reversed(idle), key=lambda worker: (is_prepared[worker], len(worker.algorithms & algorithms)))

    def _end_outdated(self) -> None:
        """Kill idle workers that may have outdated user solvers; new forks load the current ones."""
        now = SOLVERS.fingerprint()
        for worker in [each for each in self.idle if each.files != now]:
            self.idle.remove(worker)
            worker.kill()

    def _add_idle(self, worker: RunWorker) -> None:
        self.idle.append(worker)
        self._workers = [*(other for other in self._workers if other.alive() and other is not worker), worker]
        threading.Thread(target=self._serve_idle, args=(worker,), name="idle", daemon=True).start()

    def _reclaim(self, worker: RunWorker) -> None:
        """Keep a finished run's worker for the next run."""
        with self._lock:
            if self._closed:
                worker.kill()
                return
            worker.detach()
            self._add_idle(worker)
            self._end_idle(MAX_IDLE)
            self._schedule("end idle", IDLE_SECONDS, lambda: self._end_idle(1))

    def _end_idle(self, limit: int) -> None:
        """Kill the oldest idle workers beyond `limit`, but never one that recomputes a climb."""
        with self._lock:
            if not self._replaying.locked():
                for worker in self.idle[:-limit]:
                    self.idle.remove(worker)
                    worker.kill()

    def _schedule(self, name: str, seconds: float, work: Callable[[], object]) -> None:
        """Schedule `work` after `seconds`, replacing earlier work of the same name; return the schedule."""
        with self._lock:
            if name in self._timers:
                self._timers[name].cancel()
            if self._closed:
                return
            self._timers[name] = timer = threading.Timer(seconds, work)
            timer.daemon = True
            timer.start()

    def _refill(self) -> None:
        with self._lock:
            if not self._closed:
                self._get_idle_worker()

    def _serve_idle(self, worker: RunWorker) -> None:
        """Read an idle worker's frames until it is given to a run or exits."""
        for frame in worker.frames():
            kind = read_kind(frame)
            if kind == "taken":
                break
            if kind == "prepared":
                self._end_preparing(worker, decode(frame).values["fit"])
                continue
            if kind != "status":
                worker.answers.put(frame)
                continue
            values = decode(frame).values
            worker.spare = values.pop("spare", worker.spare)
            self._update(values)
            self._prepare()
        else:
            worker.answers.put(b"")
            with self._lock:
                if worker in self.idle:
                    self.idle.remove(worker)
            self._end_preparing(worker, usable=False)
            self._schedule("prepare", AFTER_RUN, self._prepare)  # it counts as busy until it has exited
        self._update({})
        worker.handed_over.set()

    def _update(self, changes: Status) -> None:
        with self._lock:
            stages = {self._stage, *(worker.spare for worker in self.idle)}
        changes["spare"] = next((stage for stage in ("ready", "compiling") if stage in stages), "starting")
        if {**self._status, **changes} != self._status:
            self._status = {**self._status, **changes}
            for listener in self._listeners:
                listener()
        ready = self._status["spare"] == "ready" and not self._builds.started
        if ready and AVAILABLE and _has_gpu(self._status["devices"]):
            self._schedule("kernels", SPARE_DELAY, self._builds.begin)
