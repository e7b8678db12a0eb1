"""The parent's side of a study's worker: sends a run, receives its outcome or refusal."""

import logging
import os
import signal
import sys
from collections.abc import Callable, Mapping

import numpy as np

from solvers.spec import RunSpec
from solvers.worker.frames import decode, encode
from solvers.worker.process import Process, WorkerProcess, spawn
from studies.file.writer import Outcome

#: Module of the worker program, and the command that starts it.
WORKER = "studies.pool.worker"
COMMAND = [sys.executable, "-m", WORKER]
#: Starts the worker program with additional environment variables.
StartProcess = Callable[[Mapping[str, str]], Process]
_log = logging.getLogger("tourscope.study")


class WorkerGone(Exception):
    """The worker has ended or cannot be reused; the message is a sentence."""


class NoWorker(RuntimeError):
    """No worker can start on this machine or installation; the message is a sentence."""


class ImpossibleRun(Exception):
    """The run is impossible, but the worker can be reused; the message is a sentence."""


class Worker(WorkerProcess):
    """A worker process, started immediately.

    Parameters
    ----------
    threads : int
        Maximum number of threads per run.
    gpu : int or None
        Index of the GPU for its runs, among those visible to this process; None for no GPU.
    start : callable
        Starts the process with additional environment variables.
    """

    def __init__(self, threads: int, gpu: int | None, start: StartProcess) -> None:
        super().__init__(start(_make_environment(threads, gpu)))
        self._answers = map(decode, self.frames())
        self._has: set[str] = set()
        self._ready = False

    def has_instance(self, sha256: str) -> bool:
        """Return whether the worker already has this instance."""
        return sha256 in self._has

    def run(self, spec: RunSpec, sha256: str, text: bytes) -> tuple[Outcome, float]:
        """Execute a run and wait; return its outcome and its seconds without compilation.

        Parameters
        ----------
        spec : RunSpec
        sha256 : str
            Hash of the instance.
        text : bytes
            The instance as a TSPLIB file; empty if the worker has it.

        Raises
        ------
        ImpossibleRun
            If the run is impossible.
        WorkerGone
            If the worker has ended, or cannot be used after this run.
        NoWorker
            If the worker ended before it was ready for any run.
        """
        self.send(encode("run", {"spec": spec.to_json(), "sha256": sha256}, {"text": np.frombuffer(text, np.uint8)}))
        try:
            self._ready = self._ready or next(self._answers, None) is not None
            answer = next(self._answers, None)
        except (OSError, ValueError):  # the worker has exited, or sent an invalid answer
            answer = None
        if answer is None:
            reason = self._end()
            if self._ready or self.loss_reason:
                raise WorkerGone(self.loss_reason or reason)
            raise NoWorker(f"No worker starts: {self.refusal or self._read_last_line() or reason}")
        if answer.kind == "spoilt":
            self._end()
            raise WorkerGone(answer.values["sentence"])
        if answer.kind == "refused":
            raise ImpossibleRun(answer.values["sentence"])
        self._has.add(sha256)
        tour, log = (answer.arrays[name].tobytes() for name in ("tour", "log"))
        return Outcome(answer.values["result"], tour, log), answer.values["took"]

    def _end(self) -> str:
        self.kill()
        status = self.wait()
        for line in self._lines:
            _log.warning("%d: %s", self.pid, line)
        if status < 0:
            return f"The worker process was ended by {signal.Signals(-status).name}."
        return f"The worker process ended with status {status}."

    def _read_last_line(self) -> str:
        return self.error_tail().rpartition("\n")[2][:200]


def start_interpreter(environment: Mapping[str, str]) -> Process:
    """Start a worker process in a new interpreter."""
    return spawn(COMMAND, environment)


def _make_environment(threads: int, gpu: int | None) -> dict[str, str]:
    visible = [name for name in os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",") if name]
    device = "" if gpu is None else visible[gpu] if gpu < len(visible) else str(gpu)
    return {"NUMBA_NUM_THREADS": str(threads), "CUDA_VISIBLE_DEVICES": device}
