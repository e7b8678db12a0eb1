"""The parent's side of a worker process, and the threads that serve its pipes."""

import collections
import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import IO, Any, Protocol, cast

from solvers.worker.frames import read_frame

ROOT = Path(__file__).resolve().parents[2]
_LAST_LINES = 20
#: Maximum number of bytes that are read of a line that a worker prints, since a user's solver may print anything.
_MAX_LINE_BYTES = 4096
#: Flags for a process on Windows: a group of its own, so that Ctrl-C does not reach it, and below-normal priority.
_NEW_GROUP, _BELOW_NORMAL = 0x200, 0x4000


class Process(Protocol):
    """The `subprocess.Popen` methods that `WorkerProcess` uses; forked and remote processes implement them too."""

    stdin: Any
    stdout: Any
    stderr: Any

    @property
    def pid(self) -> int:
        """The process id."""
        ...

    def poll(self) -> int | None:
        """Return the exit status; None while running."""
        ...

    def wait(self) -> int:
        """Wait for the process to end; return its exit status."""
        ...

    def kill(self) -> None:
        """Kill the process, if it has not ended."""
        ...


def child_environment(environment: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return `subprocess.Popen` arguments that start a process of this program from any working directory."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    group_options = {"start_new_session": True} if os.name == "posix" else {"creationflags": _NEW_GROUP | _BELOW_NORMAL}
    # BLAS multiplies only small matrices here, and its threads would busy-wait
    inherited = {"OPENBLAS_NUM_THREADS": "1", **os.environ, "PYTHONPATH": path}
    return {"cwd": ROOT, "env": inherited | dict(environment or {}), **group_options}


def spawn(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Process:
    """Start a worker in a new interpreter, since CUDA, once it is used, does not survive a fork.

    Parameters
    ----------
    command : sequence of str
        The command line, which must not depend on the working directory.
    environment : mapping, optional
        Environment variables in addition to this process's own.
    """
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen(command, **pipes, **child_environment(environment))


class WorkerProcess:
    """The parent's side of a worker process.

    Parameters
    ----------
    process : Process
        A process with pipes for its input and both outputs.
    on_line : callable, optional
        Called with each line of the process's error output as it arrives, in another thread.
    """

    def __init__(self, process: Process, on_line: Callable[[str], object] = lambda line: None) -> None:
        self._process = process
        self._output = cast(IO[bytes], self._process.stdout)
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._lines: collections.deque[str] = collections.deque(maxlen=_LAST_LINES)
        self._listening = threading.Thread(target=self._listen, args=(on_line,), name="worker-log", daemon=True)
        self._listening.start()
        threading.Thread(target=self._write, name="worker-input", daemon=True).start()

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def loss_reason(self) -> str:
        """Why the machine that ran the process was lost, in one sentence; empty if it was not."""
        return getattr(self._process, "loss_reason", "")

    @property
    def is_local(self) -> bool:
        """Whether the process is on this machine, so that it can receive signals."""
        return not hasattr(self._process, "loss_reason")

    @property
    def refusal(self) -> str:
        """Why the machine did not start the process, in one sentence; empty if it did."""
        return getattr(self._process, "refusal", "")

    def send(self, *frames: bytes) -> None:
        """Queue frames for the worker's input; this never blocks."""
        self._outbox.put(b"".join(frames))

    def frames(self) -> Iterator[bytes]:
        """Yield the frames of the worker's output until it ends.

        Raises
        ------
        ValueError
            If the output does not consist of frames.
        """
        while (frame := read_frame(self._output)) is not None:
            yield frame

    def alive(self) -> bool:
        """Return whether the process is running."""
        return self._process.poll() is None

    def set_suspended(self, is_suspended: bool) -> None:
        """Suspend or resume the process, if it is on this machine and not on Windows."""
        if sys.platform != "win32" and self.is_local and self.alive():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGSTOP if is_suspended else signal.SIGCONT)

    def kill(self) -> None:
        """Kill the process from any thread, if it has not ended."""
        self._process.kill()

    def wait(self) -> int:
        """Wait for the process to end, and close its input; return the exit status, negative if a signal ended it."""
        status = self._process.wait()
        self._outbox.put(None)
        self._listening.join(timeout=1.0)
        return status

    def close(self) -> None:
        """Kill the process and wait for its end; only the reader of its frames may call this."""
        self.kill()
        self.wait()
        self._output.close()

    def error_tail(self) -> str:
        """Return the last lines of the worker's error output."""
        return "\n".join(self._lines)

    def clear_error_tail(self) -> None:
        """Clear the lines that `error_tail` returns."""
        self._lines.clear()

    def _write(self) -> None:
        stream = cast(IO[bytes], self._process.stdin)
        with contextlib.suppress(OSError), stream:  # whoever reads the output notices that a worker has ended
            while (frames := self._outbox.get()) is not None:
                stream.write(frames)
                stream.flush()

    def _listen(self, on_line: Callable[[str], object]) -> None:
        errors, begins = cast(Any, self._process.stderr), True
        # for a process on a cluster, the stream yields lines
        lines = iter(partial(errors.readline, _MAX_LINE_BYTES), b"") if hasattr(errors, "readline") else errors
        for line in lines:
            begins, is_rest = line.endswith(b"\n"), not begins
            if is_rest:
                continue
            self._lines.append(line.decode("utf-8", "replace").rstrip())
            on_line(self._lines[-1])
