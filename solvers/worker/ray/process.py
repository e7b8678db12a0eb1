"""A worker's program on a node, with the `subprocess.Popen` methods that `WorkerProcess` uses."""

import contextlib
import io
import logging
import threading
from collections.abc import Callable, Iterator
from typing import Any

_KILLED = -9
#: How often a program that never starts is launched again.
_LAUNCHES = 10
_log = logging.getLogger("tourscope.worker")


class RayProcess:
    """A program that a `solvers.worker.ray.worker_actor` starts, now or once a node has room.

    Ray notices the loss of a machine only after some seconds, and may assign programs to that machine meanwhile. A
    program that has never started is not lost: it is launched again, and receives its input again.

    Parameters
    ----------
    ray : module
    launch : callable
        Returns a new actor, and the reference to what the actor's ``begin`` returns.
    name : callable
        Returns a node's name, given its id.

    Attributes
    ----------
    stdin, stdout, stderr : file object
        The caller's ends of the program's input and outputs.
    """

    def __init__(self, ray: Any, launch: Callable[[], tuple[Any, Any]], name: Callable[[str], str]) -> None:
        self._ray, self._launch, self._name = ray, launch, name
        self._lock = threading.RLock()
        self._launches = 1
        self._actor, self._begun = launch()
        self._written: list[bytes] | None = []  # the input so far, until the program has started
        self._status: int | None = None
        self._killed = False
        self._lost = self._refusal = ""
        self._place: tuple[int, str] | None = None
        self.stdin: Any = _Input(self._write)
        self.stdout: Any = io.BufferedReader(_Output(self._pieces("output"), self._end), 1 << 16)
        self.stderr: Any = self._pieces("errors")

    @property
    def pid(self) -> int:
        """The program's process id on its node, 0 if it was not started; waits until this is known."""
        return self._await_placement()[0]

    @property
    def node(self) -> str:
        """The id of the program's node; empty while the program waits for one."""
        with self._lock:
            ready = self._place is not None or self._ray.wait([self._begun], timeout=0)[0]
            return self._await_placement()[1] if ready else ""

    @property
    def loss_reason(self) -> str:
        """Why the node was lost, in one sentence; empty if the program has ended normally or is still running."""
        return self._lost

    @property
    def refusal(self) -> str:
        """Why the node did not start the program; empty if it did."""
        return self._refusal

    def poll(self) -> int | None:
        """Return the exit status; None while running."""
        return self._status

    def wait(self) -> int:
        """Wait for the program to end; return its exit status, which is negative if a signal ended it."""
        if self._status is None:
            self._end()
        assert self._status is not None
        return self._status

    def kill(self) -> None:
        """Kill the program and its actor, if the program has not ended."""
        with self._lock:
            if self._status is not None:
                return
            self._killed, self._status = True, _KILLED
        self._release()

    def _await_placement(self) -> tuple[int, str]:
        """Wait for the program to start; return its process id and node, or 0 and "" if it never started."""
        while self._place is None:
            actor, started = self._actor, self._begun
            try:
                pid, node, refusal = self._ray.get(started)
            except self._ray.exceptions.RayError:
                if not self._follow_actor(actor):
                    return 0, ""
                continue
            with self._lock:
                self._place, self._refusal, self._written = (pid, node), refusal, None
        return self._place

    def _follow_actor(self, actor: Any) -> bool:
        """Replace an actor that has failed before starting its program; return whether it was replaced."""
        with self._lock:
            if self._killed or self._lost or self._place is not None:
                return False
            if actor is not self._actor:
                return True
            if self._has_begun() or self._launches == _LAUNCHES:
                return False
            self._launches += 1
            self._actor, self._begun = self._launch()
            for data in self._written or ():
                self._actor.write.remote(data)
            return True

    def _has_begun(self) -> bool:
        try:
            self._ray.get(self._begun, timeout=0)
        except self._ray.exceptions.RayError:
            return False
        return True

    def _write(self, data: bytes) -> None:
        with self._lock:
            if self._written is not None:
                self._written.append(data)
            self._actor.write.remote(data)

    def _pieces(self, method: str) -> Iterator[bytes]:
        """Yield the values of an actor's method until the method or the node ends."""
        while True:
            actor = self._actor
            try:
                for piece in getattr(actor, method).remote():
                    yield self._ray.get(piece)
                return
            except self._ray.exceptions.RayError as error:
                if not self._follow_actor(actor):
                    self._note(error)
                    return

    def _note(self, error: Exception) -> None:
        """Record that the actor has failed: unless it was killed, its node, or Ray on it, is lost."""
        with self._lock:
            if self._killed or self._lost or self._status is not None:
                return
            node = self.node
            self._lost = f"The node {self._name(node)} was lost." if node else "A node of the cluster was lost."
            self._status = _KILLED
        _log.warning("%s %s", self._lost, str(error).replace("\n", " ")[:400])
        self._release()  # the actor may only be unreachable, and must not continue

    def _end(self) -> None:
        """After the output's end, record the exit status and release the program's resources."""
        try:
            status = self._ray.get(self._actor.ended.remote()) if self._status is None else self._status
        except self._ray.exceptions.RayError as error:
            self._note(error)
            return
        self._await_placement()
        with self._lock:
            if self._status is not None:
                return
            self._status = status
        self._release()

    def _release(self) -> None:
        with contextlib.suppress(Exception):  # Ray may have stopped already
            self._ray.kill(self._actor, no_restart=True)


class _Input:
    """A program's input; empty bytes mark its end."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._write = write

    def write(self, data: bytes) -> None:
        if data:
            self._write(data)

    def flush(self) -> None:
        """Do nothing: no data is buffered."""

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self._write(b"")

    def __enter__(self) -> "_Input":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Output(io.RawIOBase):
    """A program's output as a stream."""

    def __init__(self, pieces: Iterator[bytes], end: Callable[[], None]) -> None:
        super().__init__()
        self._pieces, self._end = pieces, end
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                self._end()
                return 0
            self._rest = memoryview(piece)
        count = min(len(buffer), len(self._rest))
        buffer[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count
