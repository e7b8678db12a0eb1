"""A worker process from outside, and the threads that keep its pipes moving."""

import collections
import contextlib
import os
import queue
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, cast

from solvers.worker.frames import read_frame

ROOT = Path(__file__).resolve().parents[2]
_LAST_LINES = 20


class WorkerProcess:
    """A worker, started at once; it is not forked, for CUDA would not outlive it.

    Parameters
    ----------
    command : sequence of str
        Starts its program, whatever the working directory is.
    environment : mapping, optional
        Variables that it has besides those of this process.
    hear : callable, optional
        Takes each line of its error output as it comes, in another thread.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str] | None = None,
        hear: Callable[[str], object] = lambda line: None,
    ) -> None:
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        apart = {"start_new_session": True} if os.name == "posix" else {"creationflags": 0x200}  # a new process group
        self._process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": path, **(environment or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **apart,
        )
        self._output = cast(IO[bytes], self._process.stdout)
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._lines: collections.deque[str] = collections.deque(maxlen=_LAST_LINES)
        self._listening = threading.Thread(target=self._listen, args=(hear,), name="worker-log", daemon=True)
        self._listening.start()
        threading.Thread(target=self._write, name="worker-input", daemon=True).start()

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    def send(self, *frames: bytes) -> None:
        """Queue frames for the worker's input; one that does not read, or is gone, blocks nobody."""
        self._outbox.put(b"".join(frames))

    def frames(self) -> Iterator[bytes]:
        """Frames of the worker's output until it ends.

        Raises
        ------
        ValueError
            If the output is not one of frames.
        """
        while (frame := read_frame(self._output)) is not None:
            yield frame

    def alive(self) -> bool:
        """Whether the process is there."""
        return self._process.poll() is None

    def kill(self) -> None:
        """End the process at once, from any thread; nothing happens if it is gone."""
        self._process.kill()

    def wait(self) -> int:
        """The process's exit status, negative for the signal that killed it, once it is gone; its input is closed."""
        status = self._process.wait()
        self._outbox.put(None)
        self._listening.join(timeout=1.0)
        return status

    def close(self) -> None:
        """End the process, and wait until it is gone; called by who reads its frames."""
        self.kill()
        self.wait()
        self._output.close()

    def last_words(self) -> str:
        """The last lines of the process's error output."""
        return "\n".join(self._lines)

    def forget_words(self) -> None:
        """Begin the lines of `last_words` anew."""
        self._lines.clear()

    def _write(self) -> None:
        stream = cast(IO[bytes], self._process.stdin)
        with contextlib.suppress(OSError), stream:  # of a worker that is gone, whoever reads its output will tell
            while (frames := self._outbox.get()) is not None:
                stream.write(frames)
                stream.flush()

    def _listen(self, hear: Callable[[str], object]) -> None:
        for line in cast(IO[bytes], self._process.stderr):
            self._lines.append(line.decode("utf-8", "replace").rstrip())
            hear(self._lines[-1])
