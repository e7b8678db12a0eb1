"""Runs a package's solver in a separate process that can be suspended or killed at any time."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from queue import Empty, Queue
from threading import Thread
from time import perf_counter
from typing import IO, Any

import numpy as np

from data.distances import distance_matrix
from data.instance import Instance
from solvers.core.errors import RunFailed
from solvers.core.solver import Job
from solvers.worker.process import child_environment

#: Seconds to wait for an answer before the next check of whether the run should continue.
_SLICE = 0.05
#: A call without an answer fails after this multiple of its time limit plus this many seconds.
_OVERRUN, _OVERRUN_SECONDS = 10.0, 60.0


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """The tour of a call, shape (n,), int32, with no cities if none was found; and the call's duration in seconds."""

    order: np.ndarray
    seconds: float


class Calls:
    """Calls a package repeatedly for one run.

    Parameters
    ----------
    name, title : str
        Name and title of the algorithm whose package `solvers.algorithms.reference.child` calls.
    job : Job
    threads : int
        Number of threads that the package may use.

    Attributes
    ----------
    note : str
        How the distances were changed, to be reported with the device; empty before `ready`, or if they were not
        changed.
    """

    def __init__(self, name: str, title: str, job: Job, threads: int) -> None:
        self._title, self.note = title, ""
        self._seed = job.seed
        self._city_order = np.random.default_rng(job.seed).permutation(job.instance.n).astype(np.int32)
        command = [sys.executable, "-m", "solvers.algorithms.reference.child"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            **child_environment({"OMP_NUM_THREADS": str(threads)}),
        )  # fmt: skip
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._inbox: Queue[dict[str, Any] | None] = Queue()
        self._reader = Thread(target=_read, args=(self._process.stdout, self._inbox), daemon=True)
        self._reader.start()
        self._writer = Thread(target=self._introduce, args=(name, job.instance, threads), daemon=True)
        self._writer.start()
        self._began, self._limit = perf_counter(), _OVERRUN_SECONDS

    def _introduce(self, name: str, instance: Instance, threads: int) -> None:
        """Send the instance in a thread, because the process reads it only after its imports."""
        array = distance_matrix(instance) if instance.directed else instance.weights
        kind = instance.kind if array is None else "EXPLICIT"
        array = instance.coordinates if array is None else array
        assert array is not None
        about = {"algorithm": name, "kind": kind, "threads": threads, "directed": instance.directed}
        arrays = [array, self._city_order]
        about["arrays"] = [[array.dtype.str, list(array.shape)] for array in arrays]
        with suppress(OSError):
            self._send(about, *(np.ascontiguousarray(array).tobytes() for array in arrays))

    def _send(self, values: dict[str, Any], *data: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(values).encode() + b"\n" + b"".join(data))
        self._process.stdin.flush()

    def ready(self) -> bool:
        """Wait briefly; return whether the process has imported the package and computed the distances.

        Raises
        ------
        RunFailed
            If the process has failed.
        """
        reply = self._receive()
        if reply is None:
            return False
        self.note = f" (distances divided by {reply['divisor']:,})" if reply["divisor"] > 1 else ""
        return True

    def begin(self, call: int, seconds: float) -> None:
        """Start call number `call`, counted from 0."""
        self._began, self._limit = perf_counter(), _OVERRUN * seconds + _OVERRUN_SECONDS
        with suppress(OSError):  # `answer` detects a dead process
            self._send({"seconds": seconds, "seed": (self._seed + call) % ((1 << 31) - 1)})

    def answer(self) -> Answer | None:
        """Wait briefly; return the call's tour if the call has ended.

        Raises
        ------
        RunFailed
            If the process has failed, or does not answer.
        """
        reply = self._receive()
        if reply is None:
            return None
        order = np.array(reply["order"], np.int64)
        if not order.size:
            return Answer(order.astype(np.int32), reply["seconds"])
        if order.ndim != 1 or order.size != self._city_order.size or order.min() < 0 or order.max() >= order.size:
            raise RunFailed(f"{self._title} returned no tour of {self._city_order.size:,} cities.")
        return Answer(self._city_order[order], reply["seconds"])

    def _receive(self) -> dict[str, Any] | None:
        try:
            reply = self._inbox.get(timeout=_SLICE)
        except Empty:
            if perf_counter() - self._began > self._limit:
                raise RunFailed(f"{self._title} does not answer, long after its time limit.") from None
            return None
        if reply is None:
            raise RunFailed(f"{self._title} ended unexpectedly (exit status {self._process.wait()}).")
        if "error" in reply:
            raise RunFailed(f"{self._title} failed: {reply['error']}")
        return reply

    @contextmanager
    def suspension(self) -> Iterator[None]:
        """Return a context in which the process is suspended while the run is paused, if the system supports this."""
        self._signal("SIGSTOP")
        yield
        self._signal("SIGCONT")

    def _signal(self, name: str) -> None:
        if (number := getattr(signal, name, None)) is not None:
            self._process.send_signal(number)

    def close(self) -> None:
        """Kill the process, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        self._writer.join()
        self._reader.join()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                assert pipe is not None
                pipe.close()


def _read(pipe: IO[bytes], inbox: "Queue[dict[str, Any] | None]") -> None:
    """Put each line from the process into `inbox`, and None at the end."""
    for reply in _lines(pipe):
        inbox.put(reply)
    inbox.put(None)


def _lines(pipe: IO[bytes]) -> Iterator[dict[str, Any]]:
    with suppress(OSError, ValueError):
        for line in pipe:
            yield json.loads(line)
