"""A run of any algorithm in several processes, which this one starts by MPI and controls."""

import logging
import secrets
import socket
import time
from contextlib import suppress
from dataclasses import asdict
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from solvers.core.devices import cpu_threads
from solvers.core.errors import DeviceUnavailable, InstanceTooLarge, InvalidParams, RunFailed
from solvers.core.solver import Job
from solvers.mpi import launcher
from solvers.mpi.connection import make_connection
from solvers.mpi.processes import MpiProcesses
from solvers.worker.frames import Frame, decode, encode, encode_instance_frame

#: Seconds between two checks whether the processes are still running.
_POLL_SECONDS = 0.1
#: Seconds that processes have to end by themselves. Together with the wait of `MpiProcesses.end`, this is well below
#: `runs.engine.process.CANCEL_GRACE`, the time within which a cancelled run must send its last frame.
_EXIT_SECONDS = 0.6
#: Seconds after a process has failed from which the others count as hung.
_HANG_SECONDS = 2.0
#: Seconds within which a client must send the password.
_PASSWORD_SECONDS = 1.0
_RAISED: dict[str, type[Exception]] = {"InstanceTooLarge": InstanceTooLarge}
_log = logging.getLogger("tourscope.mpi")


def max_ranks() -> int:
    """Return the maximum number of processes on this machine; with many more than cores, processes would only wait."""
    return max(2, 2 * cpu_threads())


def check_ranks(ranks: int) -> None:
    """Raise an error if `ranks` processes cannot be started.

    Raises
    ------
    DeviceUnavailable
        If mpi4py or mpiexec is missing.
    InvalidParams
        If `ranks` is more than `max_ranks`.
    """
    if reason := launcher.unavailable_reason():
        raise DeviceUnavailable(reason)
    if ranks > max_ranks():
        raise InvalidParams("ranks", ranks, f"at most {max_ranks()}, two for each core of this machine")


class MpiRun:
    """Processes that execute a job together, each with a `solvers.mpi.rank_task.RankTask`.

    Parameters
    ----------
    algorithm : str
        The algorithm's name in `solvers.SOLVERS`; the solver implements `solvers.core.solver.Solver.part`.
    job : Job
        The job; its start tour is not passed on.
    ranks : int
        Number of processes.
    windows : bool
        Whether the processes share memory.

    Attributes
    ----------
    processes : MpiProcesses

    Raises
    ------
    DeviceUnavailable
        If mpi4py or mpiexec is missing.
    InvalidParams
        If `ranks` is more than `max_ranks`.
    InstanceTooLarge
        If the processes report this when they create their tasks.
    RunFailed
        If the processes do not start, or end unexpectedly, or the run is cancelled while they start.
    """

    def __init__(self, algorithm: str, job: Job, ranks: int, windows: bool = True) -> None:
        check_ranks(ranks)
        self._stop, self._started = job.stop, False
        self._link: Connection | None = None
        with socket.create_server(("127.0.0.1", 0)) as server:
            password = secrets.token_hex(16)
            self.processes = MpiProcesses(ranks, windows, f"{server.getsockname()[1]}:{password}")
            try:
                self._link = self._accept_root(server, password.encode())
                values = {
                    "algorithm": algorithm, "variant": job.variant.name, "seed": job.seed, "params": asdict(job.params)
                }  # fmt: skip
                self._send_message(encode("begin", values, {}) + encode_instance_frame(job.instance))
            except BaseException:
                self.close()
                raise
        self._started = True

    def ask(
        self, kind: str, values: dict[str, Any] | None = None, arrays: dict[str, np.ndarray] | None = None
    ) -> Frame:
        """Send process 0 a request, and wait for its answer.

        Raises
        ------
        InstanceTooLarge
            If process 0 reports this.
        RunFailed
            If process 0 fails, or the processes have ended.
        """
        return self._send_message(encode(kind, values or {}, arrays or {}))

    def _send_message(self, message: bytes) -> Frame:
        if self._link is None:
            raise self._make_end_error()
        try:
            self._link.send_bytes(message)
            while not self._link.poll(_POLL_SECONDS):
                self._check()
            answer = decode(self._link.recv_bytes())
        except (OSError, EOFError):
            raise self._make_end_error() from None
        if answer.kind == "failed":
            self._log_errors()
            raise _RAISED.get(answer.values["error"], RunFailed)(answer.values["sentence"])
        return answer

    def close(self) -> None:
        """End the run and its processes, whatever their state."""
        if self._link is not None:
            if self._started:
                with suppress(OSError):
                    self._link.send_bytes(encode("close", {}, {}))
                    self.processes.wait(_EXIT_SECONDS)
            self._link.close()
            self._link = None
        self.processes.end()

    def _accept_root(self, server: socket.socket, password: bytes) -> Connection:
        """Accept process 0's connection; disconnect clients without the password."""
        server.settimeout(_POLL_SECONDS)
        while True:
            self._check()
            try:
                link, _ = server.accept()
            except TimeoutError:
                continue
            if _authenticate(link, password):
                return make_connection(link)
            link.close()

    def _check(self) -> None:
        """Raise an error if a process has ended, or if the run is cancelled before they have started."""
        if self.processes.wait():
            raise self._make_end_error()
        if not self._started and self._stop.reason == "cancelled":
            raise RunFailed("The run was cancelled before its processes had begun.")

    def _make_end_error(self) -> RunFailed:
        """Log the error output of processes that have ended unexpectedly, and return the error."""
        self._log_errors()
        return RunFailed("The processes of the run ended by themselves: one was killed, or failed; see the log.")

    def _log_errors(self) -> None:
        """Wait until the processes have ended, and then log their error output."""
        self.processes.wait(_HANG_SECONDS)
        self.processes.end()
        if output := self.processes.error_output():
            _log.error("mpiexec: %s", output)


def _authenticate(link: socket.socket, password: bytes) -> bool:
    """Return whether a client sends the password in time."""
    received, deadline = b"", time.monotonic() + _PASSWORD_SECONDS
    try:
        while len(received) < len(password) and (seconds_left := deadline - time.monotonic()) > 0:
            link.settimeout(seconds_left)
            if not (more := link.recv(len(password) - len(received))):
                return False
            received += more
        link.settimeout(None)
    except OSError:
        return False
    return secrets.compare_digest(received, password)
