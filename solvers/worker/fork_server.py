"""The parent's side of the process that forks workers; its program is `solvers.worker.fork_server_main`.

A new interpreter takes seconds to import Numba and load the kernels. A fork of a process that has done so takes
milliseconds, and shares that process's memory.
"""

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Any

from solvers.worker.fork_server_main import MESSAGE_BYTES
from solvers.worker.process import child_environment

#: Whether this system supports such forks.
AVAILABLE = sys.platform == "linux" and hasattr(os, "pidfd_open")
_KILLED = -9


class ForkedProcess:
    """A forked worker with the `subprocess.Popen` methods that `WorkerProcess` uses.

    Attributes
    ----------
    stdin, stdout, stderr : file object
        The parent's ends of the worker's pipes.
    """

    def __init__(self, number: int, server: "ForkServer") -> None:
        self.number, self._server = number, server
        self._forked, self._ended = threading.Event(), threading.Event()
        self._pid, self._status = 0, 0
        pipes = [os.pipe() for _ in range(3)]
        (child_in, parent_in), (parent_out, child_out), (parent_err, child_err) = pipes
        self.stdin: IO[bytes] = os.fdopen(parent_in, "wb")
        self.stdout: IO[bytes] = os.fdopen(parent_out, "rb")
        self.stderr: IO[bytes] = os.fdopen(parent_err, "rb")
        self.child_ends = [child_in, child_out, child_err]

    @property
    def pid(self) -> int:
        """The process id; waits until it is known."""
        self._forked.wait()
        return self._pid

    def poll(self) -> int | None:
        """Return the exit status; None while running."""
        return self._status if self._ended.is_set() else None

    def wait(self) -> int:
        """Wait for the process to end; return its exit status, which is negative if a signal ended it."""
        self._ended.wait()
        return self._status

    def kill(self) -> None:
        """Kill the process, if it has not ended."""
        if not self._ended.is_set():
            self._server.kill(self.number)

    def set_forked(self, pid: int) -> None:
        self._pid = pid
        self._forked.set()

    def set_ended(self, status: int) -> None:
        self._status = status
        self._forked.set()
        self._ended.set()


class ForkServer:
    """A process that loads modules and then forks workers; the constructor starts it.

    Parameters
    ----------
    module : str
        The module whose ``preload()`` loads modules step by step, and yields the name of each step before it begins.
    on_stage : callable
        Called with ``"compiling"`` before each step and ``"ready"`` after the last, in another thread.
    """

    def __init__(self, module: str, on_stage: Callable[[str], object] = lambda stage: None) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "solvers.worker.fork_server_main", str(theirs.fileno()), module],
                **child_environment(),
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )
        self._on_stage, self._lock = on_stage, threading.Lock()
        self._workers: dict[int, ForkedProcess] = {}
        self._count, self._gone = 0, False
        threading.Thread(target=self._read, name="fork-server", daemon=True).start()

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    def alive(self) -> bool:
        """Return whether the process can fork."""
        return not self._gone

    def fork(self, module: str, environment: Mapping[str, str] | None = None) -> ForkedProcess:
        """Request a worker that calls ``main()`` of `module`; do not wait for it.

        Parameters
        ----------
        module : str
        environment : mapping, optional
            Environment variables in addition to this process's own.
        """
        with self._lock:
            self._count += 1
            worker = self._workers[self._count] = ForkedProcess(self._count, self)
            message = {"fork": worker.number, "module": module, "environment": {**(environment or {})}}
            if not self._send(message, worker.child_ends):
                del self._workers[worker.number]
                worker.set_ended(_KILLED)
        for descriptor in worker.child_ends:
            os.close(descriptor)
        return worker

    def hold(self, seconds: float) -> None:
        """Pause loading for `seconds`, while something else needs the processor."""
        with self._lock:
            self._send({"hold": seconds})

    def kill(self, number: int) -> None:
        """Kill worker `number`, from any thread."""
        with self._lock:
            if number in self._workers:
                self._send({"kill": number})

    def close(self) -> None:
        """End the process and all its workers."""
        self._process.kill()
        self._process.wait()

    def _send(self, message: dict[str, Any], descriptors: Sequence[int] = ()) -> bool:
        """Send a message; return whether the process is still alive. The caller must hold the lock."""
        try:
            if not self._gone:
                socket.send_fds(self._socket, [json.dumps(message).encode()], descriptors)
        except OSError:  # `_read` will soon notice that the process has ended
            return False
        return not self._gone

    def _read(self) -> None:
        while raw := self._next():
            message: dict[str, Any] = json.loads(raw)
            if "stage" in message:
                self._on_stage(message["stage"])
            elif "forked" in message:
                self._workers[message["forked"]].set_forked(message["pid"])
            else:
                with self._lock:
                    worker = self._workers.pop(message["ended"])
                worker.set_ended(message["status"])
        with self._lock:
            self._gone = True
            self._socket.close()
            left, self._workers = self._workers, {}
        status = self._process.wait() or _KILLED
        for worker in left.values():
            worker.set_ended(status)

    def _next(self) -> bytes:
        try:
            return self._socket.recv(MESSAGE_BYTES)
        except OSError:
            return b""
