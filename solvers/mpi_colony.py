"""A colony in several processes, which this one starts by MPI and leads from outside."""

import collections
import logging
import os
import secrets
import socket
import subprocess
import threading
import time
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import IO

import numpy as np

from solvers import mpi_launch
from solvers.ant_colony_system import AntColonySystemParams
from solvers.colony import Iterations
from solvers.devices import cpu_threads
from solvers.errors import DeviceUnavailable, InstanceTooLarge, InvalidParams, RunFailed
from solvers.few_trails import FewTrails
from solvers.mpi_link import Link, Message, decode, encode
from solvers.solver import Job

ROOT = Path(__file__).resolve().parent.parent
#: Seconds between two looks at whether the processes are there.
_LOOK = 0.1
#: Seconds that processes have for ending: by themselves, then when asked by the launcher. Together well below the
#: `runs.process.CANCEL_GRACE` that a cancelled run has for its last frame.
_BY_THEMSELVES, _ASKED = 0.6, 0.3
#: Seconds until processes of which one has failed are thought to hang.
_GONE = 2.0
#: Seconds that who connects has for the password.
_PATIENCE = 1.0
#: Lines of the processes' error output that are kept for the log.
_LINES = 30
_KNOWN: dict[str, type[Exception]] = {"InstanceTooLarge": InstanceTooLarge}
_log = logging.getLogger("tourscope.mpi")


def most_ranks() -> int:
    """Processes that a run may start on this machine: more than cores only make each other wait."""
    return max(2, 2 * cpu_threads())


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
    InvalidParams
        If there are more than `most_ranks`.
    InstanceTooLarge
        See `solvers.ant_colony_system_cpu.AntColonySystemColony`.
    RunFailed
        If the processes do not start, or end by themselves, or the run is cancelled meanwhile.
    """

    def __init__(self, job: Job, ranks: int, windows: bool = True) -> None:
        assert isinstance(job.params, AntColonySystemParams)
        if why := mpi_launch.lacking():
            raise DeviceUnavailable(why)
        if ranks > most_ranks():
            raise InvalidParams("ranks", ranks, f"at most {most_ranks()}, two for each core of this machine")
        self.ants, self._n = job.params.colony_size(job.instance.n), job.instance.n
        self._stop, self._begun = job.stop, False
        self._link: Link | None = None
        self._folder = mpi_launch.folder()
        with socket.create_server(("127.0.0.1", 0)) as server:
            password = secrets.token_hex(16)
            try:
                self._process = _started(ranks, windows, f"{server.getsockname()[1]}:{password}", self._folder.name)
            except BaseException:
                self._folder.cleanup()
                raise
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
        self._begun = True

    def advance(self, until: int) -> Iterations | None:
        """See `solvers.colony.AntColony.advance`."""
        told = self._ask("advance", {"until": until}).arrays
        return Iterations(**told) if told else None

    def trails(self) -> np.ndarray:
        """See `solvers.colony.AntColony.trails`."""
        return self.pictured().dense()

    def pictured(self) -> FewTrails:
        """See `solvers.colony.AntColony.pictured`."""
        told = self._ask("trails")
        return FewTrails(self._n, told.values["usual"], told.arrays["ends"], told.arrays["trail"])

    def unfinished(self) -> np.ndarray:
        """See `solvers.colony.AntColony.unfinished`."""
        return self._ask("unfinished").arrays["order"]

    def close(self) -> None:
        """See `solvers.colony.AntColony.close`."""
        if self._link is not None:
            if self._begun:
                with suppress(OSError):
                    self._link.send(encode("close", {}, {}))
                    self._ended(_BY_THEMSELVES)
            self._link.close()
            self._link = None
        self._end()

    def _end(self) -> None:
        """Have the launcher end what has not ended by itself."""
        if not self._ended(0.0):
            self._process.terminate()
            if not self._ended(_ASKED):
                self._process.kill()
                self._process.wait()
        self._reader.join(_ASKED)
        self._folder.cleanup()

    def _ended(self, seconds: float) -> bool:
        """Whether the processes are gone, at the latest after so long."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _connected(self, server: socket.socket, password: bytes) -> Link:
        """The connection of process 0; whoever does not know the password is sent away."""
        server.settimeout(_LOOK)
        while True:
            self._look()
            try:
                connection, _ = server.accept()
            except TimeoutError:
                continue
            if _knows(connection, password):
                return Link(connection)
            connection.close()

    def _ask(self, kind: str, values: dict | None = None, arrays: dict[str, np.ndarray] | None = None) -> Message:
        """Tell process 0 something, and wait for its answer."""
        if self._link is None:
            raise self._gone()
        try:
            self._link.send(encode(kind, values or {}, arrays or {}))
            while not self._link.ready(_LOOK):
                self._look()
            answer = decode(self._link.receive())
        except (OSError, EOFError):
            raise self._gone() from None
        if answer.kind == "failed":
            self._log_words()
            raise _KNOWN.get(answer.values["error"], RunFailed)(answer.values["sentence"])
        return answer

    def _look(self) -> None:
        """See whether the processes are there, and until they have begun whether the run still is."""
        if self._process.poll() is not None:
            raise self._gone()
        if not self._begun and self._stop.reason == "cancelled":
            raise RunFailed("The run was cancelled before its processes had begun.")

    def _gone(self) -> RunFailed:
        """What is to be said of processes that have ended by themselves; what they said goes to the log."""
        self._log_words()
        return RunFailed("The processes of the run ended by themselves: one was killed, or failed; see the log.")

    def _log_words(self) -> None:
        """Wait until the processes are gone, and log what they said."""
        self._ended(_GONE)
        self._end()
        if words := "".join(self._lines).strip():
            _log.error("mpiexec said: %s", words)

    def _read(self, stream: IO[bytes]) -> None:
        for line in stream:
            self._lines.append(line.decode(errors="replace"))


def _started(ranks: int, windows: bool, address: str, folder: str) -> subprocess.Popen:
    words = ["-m", "solvers.mpi_rank", *([] if windows else ["--no-windows"])]
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    more = {"PYTHONPATH": path, mpi_launch.ADDRESS: address, **mpi_launch.variables(folder)}
    return subprocess.Popen(
        mpi_launch.command(ranks, words), cwd=ROOT, env=mpi_launch.environment(more), stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=os.name == "posix",
    )  # fmt: skip


def _knows(connection: socket.socket, password: bytes) -> bool:
    """Whether who connects sends the password, in time."""
    found, deadline = b"", time.monotonic() + _PATIENCE
    try:
        while len(found) < len(password) and (left := deadline - time.monotonic()) > 0:
            connection.settimeout(left)
            if not (more := connection.recv(len(password) - len(found))):
                return False
            found += more
        connection.settimeout(None)
    except OSError:
        return False
    return secrets.compare_digest(found, password)


def _values_of(job: Job) -> dict:
    instance = job.instance
    return {
        "name": instance.name, "kind": instance.kind, "n": instance.n, "seed": job.seed, "params": asdict(job.params)
    }  # fmt: skip


def _arrays_of(job: Job) -> dict[str, np.ndarray]:
    arrays = {"coordinates": job.instance.coordinates, "weights": job.instance.weights}
    return {name: array for name, array in arrays.items() if array is not None}
