"""A study's worker process, as the study sees it: a run asked for, an outcome or a reason told."""

import collections
import logging
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, cast

from solvers.spec import RunSpec
from studies.file.writer import Outcome
from studies.pool.messages import read, write

ROOT = Path(__file__).resolve().parents[2]
#: Starts a worker.
COMMAND = [sys.executable, "-m", "studies.pool.worker"]
_LAST_LINES = 20
_log = logging.getLogger("tourscope.study")


class WorkerGone(Exception):
    """The worker has ended, or must not be asked again; tells why, in one sentence."""


class NoWorker(RuntimeError):
    """No worker can be had: a fault of the machine or of the installation, told in one sentence."""


class Refused(Exception):
    """The run cannot be, for a reason that is told in one sentence; the worker is as good as before."""


class Worker:
    """A worker process, started at once.

    Parameters
    ----------
    threads : int
        Threads that its runs may use.
    card : int or None
        Which of the cards that this process sees its runs have, if any.
    """

    def __init__(self, threads: int, card: int | None) -> None:
        apart = {"start_new_session": True} if os.name == "posix" else {"creationflags": 0x200}  # a new process group
        self._process = subprocess.Popen(
            COMMAND,
            cwd=ROOT,
            env=_environment(threads, card),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **apart,
        )
        self._input = cast(IO[bytes], self._process.stdin)
        self._output = cast(IO[bytes], self._process.stdout)
        self._lines: collections.deque[str] = collections.deque(maxlen=_LAST_LINES)
        self._listening = threading.Thread(target=self._listen, name="study-worker-log", daemon=True)
        self._listening.start()
        self._has: set[str] = set()
        self._ready = False

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    def has(self, sha256: str) -> bool:
        """Whether the worker was sent an instance before."""
        return sha256 in self._has

    def run(self, spec: RunSpec, sha256: str, text: bytes) -> tuple[Outcome, float]:
        """Have a run done, and wait for it; what it came to, and the seconds that it took, compilation apart.

        Parameters
        ----------
        spec : RunSpec
        sha256 : str
            Of the instance.
        text : bytes
            The instance as a TSPLIB file; empty if the worker `has` it.

        Raises
        ------
        Refused
            If the run cannot be.
        WorkerGone
            If the worker has ended meanwhile, or the run has spoilt it.
        NoWorker
            If it has ended before it was ready for any run.
        """
        try:
            self._ready = self._ready or read(self._output) is not None
            write(self._input, {"spec": spec.to_json(), "sha256": sha256}, text)
            answer = read(self._output)
        except (OSError, ValueError):  # it is gone, or somebody has closed it
            answer = None
        if answer is None:
            why = self._end()
            raise WorkerGone(why) if self._ready else NoWorker(f"No worker starts: {self._last_line() or why}")
        values, body = answer
        if "failed" in values:
            if values["spoilt"]:
                self._log_lines()
                raise WorkerGone(values["failed"])
            raise Refused(values["failed"])
        self._has.add(sha256)
        return Outcome(values["result"], body[: values["tour"]], body[values["tour"] :]), values["took"]

    def kill(self) -> None:
        """End the process at once, from any thread."""
        self._process.kill()

    def close(self) -> None:
        """End the process, and wait until it is gone."""
        self._process.kill()
        self._process.wait()
        self._listening.join(timeout=1.0)
        for stream in (self._input, self._output):
            try:
                stream.close()
            except OSError:  # what was left to be written is for nobody
                continue

    def _end(self) -> str:
        status = self._process.wait()
        self._log_lines()
        if status < 0:
            return f"The worker process was ended by {signal.Signals(-status).name}."
        return f"The worker process ended with status {status}."

    def _last_line(self) -> str:
        return self._lines[-1][:200] if self._lines else ""

    def _log_lines(self) -> None:
        self._listening.join(timeout=1.0)
        for line in self._lines:
            _log.warning("%d: %s", self.pid, line)

    def _listen(self) -> None:
        for line in cast(IO[bytes], self._process.stderr):
            self._lines.append(line.decode("utf-8", "replace").rstrip())


def _environment(threads: int, card: int | None) -> dict[str, str]:
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": path, "NUMBA_NUM_THREADS": str(threads)}
    seen = [name for name in os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",") if name]
    one = "" if card is None else seen[card] if card < len(seen) else str(card)
    return {**environment, "CUDA_VISIBLE_DEVICES": one}
