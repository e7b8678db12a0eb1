"""A slot of a study: executes one run at a time on cores or a GPU, replacing its worker if needed."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from solvers.spec import RunSpec
from studies.file.writer import Outcome
from studies.pool.dispatch import Run
from studies.pool.process import ImpossibleRun, NoWorker, StartProcess, Worker, WorkerGone

#: Maximum number of attempts at a run that crashes its worker, each in a new worker.
_ATTEMPTS = 2


class SlotStopped(Exception):
    """The slot was stopped before the run ended."""


class Slot:
    """Executes runs one after another in a single thread; `stop` and `current_run` are thread-safe.

    Parameters
    ----------
    threads : int
        Maximum number of threads per run.
    gpu : int or None
        Index of the GPU for its runs, if any.
    start : callable
        Starts a worker process; see `studies.pool.process.Worker`.
    """

    def __init__(self, threads: int, gpu: int | None, start: StartProcess) -> None:
        self.gpu, self._start = gpu, start
        self._threads, self._lock, self._stopped = threads, threading.Lock(), False
        self._worker: Worker | None = None
        self._current: tuple[Run, float] | None = None

    @property
    def current_run(self) -> tuple[Run, float] | None:
        """The run in progress, and the seconds since its start."""
        at = self._current
        return None if at is None else (at[0], time.monotonic() - at[1])

    @contextmanager
    def track(self, cell: Run) -> Iterator[None]:
        """Mark a run as in progress within the block."""
        self._current = (cell, time.monotonic())
        try:
            yield
        finally:
            self._current = None

    def run(self, spec: RunSpec, sha256: str, text: Callable[[], bytes]) -> tuple[Outcome, float]:
        """Execute a run; return its outcome and its seconds without compilation.

        Parameters
        ----------
        spec : RunSpec
        sha256 : str
            Hash of the instance.
        text : callable
            Returns the instance as a TSPLIB file; called if the worker does not have it.

        Raises
        ------
        ImpossibleRun
            If the run is impossible, or has crashed two workers.
        SlotStopped
            If the slot was stopped.
        NoWorker
            If no worker starts.
        """
        reason = ""
        for _ in range(_ATTEMPTS):
            try:
                worker = self._get_worker()
                return worker.run(spec, sha256, b"" if worker.has_instance(sha256) else text())
            except (WorkerGone, NoWorker) as gone:
                reason = str(gone)
                self.close()
                if self._stopped:
                    raise SlotStopped from None
                if isinstance(gone, NoWorker):
                    raise
        raise ImpossibleRun(f"{reason} A second attempt in a new worker ended the same way.")

    def stop(self) -> None:
        """Kill the run in progress and start no others, from any thread."""
        with self._lock:
            self._stopped = True
            if self._worker is not None:
                self._worker.kill()

    def close(self) -> None:
        """End the worker process."""
        with self._lock:
            worker, self._worker = self._worker, None
        if worker is not None:
            worker.close()

    def _get_worker(self) -> Worker:
        with self._lock:
            if self._stopped:
                raise SlotStopped
            if self._worker is None:
                self._worker = Worker(self._threads, self.gpu, self._start)
            return self._worker
