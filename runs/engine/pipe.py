"""One worker process and the threads that keep its pipes moving."""

import collections
import logging
import queue
import subprocess
import threading
from collections.abc import Iterator
from typing import IO, cast

from runs.store.frames import read_frame

_LAST_LINES = 20
_log = logging.getLogger("tourscope.worker")


class WorkerPipe:
    """Frames to and from a worker process.

    Attributes
    ----------
    answers : queue.Queue of bytes
        What the worker says while it is nobody's run; an empty one when it is gone.
    handed_over : threading.Event
        Set when what the worker says belongs to its run.
    """

    def __init__(self, process: subprocess.Popen) -> None:
        self._process = process
        self._output = cast(IO[bytes], process.stdout)
        self.answers: queue.Queue[bytes] = queue.Queue()
        self.handed_over = threading.Event()
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._lines: collections.deque[str] = collections.deque(maxlen=_LAST_LINES)
        self._listening = threading.Thread(target=self._listen, name="worker-log", daemon=True)
        self._listening.start()
        threading.Thread(target=self._write, name="worker-input", daemon=True).start()

    def send(self, *frames: bytes) -> None:
        """Queue frames for the worker's input; a worker that does not read blocks nobody."""
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
        """End the process at once."""
        self._process.kill()

    def wait(self) -> int:
        """The process's exit status, once it is gone; its pipes are closed then."""
        status = self._process.wait()
        self._outbox.put(None)
        self._listening.join(timeout=1.0)
        return status

    def last_words(self) -> str:
        """The last lines of the process's error output."""
        return "\n".join(self._lines)

    def _write(self) -> None:
        stream = cast(IO[bytes], self._process.stdin)
        try:
            while (frames := self._outbox.get()) is not None:
                stream.write(frames)
                stream.flush()
            stream.close()
        except OSError:  # the worker is gone, and whoever reads its output will say so
            return

    def _listen(self) -> None:
        for line in cast(IO[bytes], self._process.stderr):
            text = line.decode("utf-8", "replace").rstrip()
            self._lines.append(text)
            _log.warning("%d: %s", self._process.pid, text)
