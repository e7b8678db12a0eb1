"""A colony in several processes, which this one starts by MPI and leads from outside."""

import collections
import logging
import os
import secrets
import socket
import subprocess
import threading
import time
from dataclasses import asdict
from pathlib import Path
from typing import IO

import numpy as np

from solvers import mpi_launch
from solvers.ant_colony_system import AntColonySystemParams
from solvers.colony import Iterations
from solvers.devices import cpu_threads
from solvers.errors import DeviceUnavailable, InstanceTooLarge, RunFailed
from solvers.mpi_link import Link, Message, decode, encode
from solvers.solver import Job

ROOT = Path(__file__).resolve().parent.parent
#: Seconds between two looks at whether the processes are there, and for which they may take to end by themselves.
_LOOK, _GRACE = 0.2, 2.0
#: Lines of the processes' error output that are kept for the log.
_LINES = 30
_KNOWN: dict[str, type[Exception]] = {"InstanceTooLarge": InstanceTooLarge}
_log = logging.getLogger("tourscope.mpi")


class MpiColony:
    """See `solvers.colony.AntColony`: the ants of `ranks` processes.

    Parameters
    ----------
    job : Job
    ranks : int
    windows : bool
        Whether the processes share memory.

    Raises
    ------
    DeviceUnavailable
        If mpi4py or mpiexec is missing.
    InstanceTooLarge
        See `solvers.ant_colony_system_cpu.AntColonySystemColony`.
    RunFailed
        If the processes do not start, or end by themselves.
    """

    def __init__(self, job: Job, ranks: int, windows: bool = True) -> None:
        assert isinstance(job.params, AntColonySystemParams)
        if why := mpi_launch.lacking():
            raise DeviceUnavailable(why)
        self.ants = job.params.colony_size(job.instance.n)
        self._link: Link | None = None
        with socket.create_server(("127.0.0.1", 0)) as server:
            password = secrets.token_hex(16)
            self._process = _started(ranks, windows, f"{server.getsockname()[1]}:{password}")
            self._lines: collections.deque[str] = collections.deque(maxlen=_LINES)
            assert self._process.stderr is not None
            self._reader = threading.Thread(target=self._read, args=(self._process.stderr,), daemon=True)
            self._reader.start()
            try:
                self._link = self._connected(server, password.encode())
                self._ask("begin", _values_of(job), _arrays_of(job))
            except BaseException:
                self.close()
                raise

    def advance(self, until: int) -> Iterations | None:
        """See `solvers.colony.AntColony.advance`."""
        told = self._ask("advance", {"until": until}).arrays
        return Iterations(**told) if told else None

    def trails(self) -> np.ndarray:
        """See `solvers.colony.AntColony.trails`."""
        return self._ask("trails").arrays["trails"]

    def unfinished(self) -> np.ndarray:
        """See `solvers.colony.AntColony.unfinished`."""
        return self._ask("unfinished").arrays["order"]

    def close(self) -> None:
        """See `solvers.colony.AntColony.close`."""
        if self._link is not None:
            try:
                self._link.send(encode("close", {}, {}))
                self._process.wait(_GRACE)
            except (OSError, subprocess.TimeoutExpired):
                pass
            self._link.close()
            self._link = None
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(_GRACE)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._reader.join(_GRACE)

    def _connected(self, server: socket.socket, password: bytes) -> Link:
        """The connection of process 0; whoever does not know the password is sent away."""
        server.settimeout(_LOOK)
        while True:
            try:
                connection, _ = server.accept()
            except TimeoutError:
                if self._process.poll() is not None:
                    raise self._gone() from None
                continue
            connection.settimeout(_GRACE)
            try:
                known = secrets.compare_digest(_exactly(connection, len(password)), password)
            except OSError:
                known = False
            if known:
                connection.settimeout(None)
                return Link(connection)
            connection.close()

    def _ask(self, kind: str, values: dict | None = None, arrays: dict[str, np.ndarray] | None = None) -> Message:
        """Tell process 0 something, and wait for its answer."""
        if self._link is None:
            raise self._gone()
        try:
            self._link.send(encode(kind, values or {}, arrays or {}))
            while not self._link.ready(_LOOK):
                if self._process.poll() is not None:
                    raise self._gone()
            answer = decode(self._link.receive())
        except (OSError, EOFError):
            raise self._gone() from None
        if answer.kind == "failed":
            raise _KNOWN.get(answer.values["error"], RunFailed)(answer.values["sentence"])
        return answer

    def _gone(self) -> RunFailed:
        """What is to be said of processes that have ended by themselves; what they said goes to the log."""
        deadline = time.monotonic() + _GRACE
        while self._process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        self._process.terminate()
        self._reader.join(_GRACE)
        _log.error("mpiexec said: %s", "".join(self._lines).strip() or "nothing")
        return RunFailed("The processes of the run ended by themselves: one was killed, or failed; see the log.")

    def _read(self, stream: IO[bytes]) -> None:
        for line in stream:
            self._lines.append(line.decode(errors="replace"))


def _started(ranks: int, windows: bool, address: str) -> subprocess.Popen:
    words = ["-m", "solvers.mpi_rank", *([] if windows else ["--no-windows"])]
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    environment = mpi_launch.environment({"PYTHONPATH": path, mpi_launch.ADDRESS: address})
    return subprocess.Popen(
        mpi_launch.command(ranks, words, cpu_threads()), cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=os.name == "posix",
    )  # fmt: skip


def _exactly(connection: socket.socket, count: int) -> bytes:
    found = b""
    while len(found) < count and (more := connection.recv(count - len(found))):
        found += more
    return found


def _values_of(job: Job) -> dict:
    instance = job.instance
    return {
        "name": instance.name, "kind": instance.kind, "n": instance.n, "seed": job.seed, "params": asdict(job.params)
    }  # fmt: skip


def _arrays_of(job: Job) -> dict[str, np.ndarray]:
    arrays = {"coordinates": job.instance.coordinates, "weights": job.instance.weights}
    return {name: array for name, array in arrays.items() if array is not None}
