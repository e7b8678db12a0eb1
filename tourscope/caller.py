"""The caller's end of the program's process that answers calls.

The process is kept for the next call, which then need not wait for the program to start. It ends with this process.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any, BinaryIO, cast

from tourscope.errors import RunFailed
from tourscope.frames import Frame, encode, read
from tourscope.program import environment

#: Maximum number of frames queued for the reader; beyond that, the program waits.
_MAX_WAITING = 64
#: Seconds between checks for an interrupt during uninterruptible waits.
_CHECK_SECONDS = 0.5
#: Timeout in seconds for the process to end its workers.
_EXIT_SECONDS = 3.0
_GONE = "The program's process has ended."


class Caller:
    """A process that answers one call at a time."""

    def __init__(self) -> None:
        # Ctrl+C must not reach the process below: it gets a request to cancel instead
        group: dict[str, Any] = {"start_new_session": True} if os.name == "posix" else {"creationflags": 0x200}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "runs.calls"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(),
            **group,
        )  # fmt: skip
        self._owner = os.getpid()
        # An interrupt inside `queue.Queue.get` can leave its lock held forever; these have no locks visible to Python.
        self._frames: queue.SimpleQueue[Frame | None] = queue.SimpleQueue()
        self._places: queue.SimpleQueue[None] = queue.SimpleQueue()
        for _ in range(_MAX_WAITING):
            self._places.put(None)
        threading.Thread(target=self._read, name="tourscope", daemon=True).start()

    def usable(self) -> bool:
        """Return whether it can take a call: it is running, and this process started it, not its parent."""
        return self._owner == os.getpid() and self._process.poll() is None

    def send(self, kind: str, values: dict[str, Any], arrays: Any = None) -> None:
        """Send a frame.

        Raises
        ------
        RunFailed
            If the process has ended.
        """
        stream = cast(BinaryIO, self._process.stdin)
        try:
            stream.write(encode(kind, values, arrays))
            stream.flush()
        except OSError:
            raise RunFailed(_GONE) from None

    def frame(self, on_wait: Callable[[], object] = lambda: None) -> Frame:
        """Wait for the next frame of the answer; the last one is of the kind ``over``.

        Parameters
        ----------
        on_wait : callable, optional
            Called twice a second while waiting.

        Raises
        ------
        RunFailed
            If the process has ended.
        """
        while True:
            try:
                frame = self._frames.get(timeout=_CHECK_SECONDS)
            except queue.Empty:
                on_wait()
                continue
            self._places.put(None)
            if frame is None:
                raise RunFailed(_GONE)
            return frame

    def end(self) -> None:
        """End the process and its workers at once, by closing the process's input."""
        if self._owner != os.getpid():
            return
        with contextlib.suppress(OSError):
            cast(BinaryIO, self._process.stdin).close()
        try:
            self._process.wait(_EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _read(self) -> None:
        stream = cast(BinaryIO, self._process.stdout)
        while frame := read(stream):
            self._places.get()
            self._frames.put(frame)
        self._frames.put(None)


_lock = threading.Lock()
_idle: list[Caller] = []


def acquire() -> Caller:
    """Take an idle process, or start a new one."""
    with _lock:
        while _idle:
            if (caller := _idle.pop()).usable():
                return caller
    caller = Caller()
    atexit.register(caller.end)
    return caller


def release(caller: Caller) -> None:
    """Return a process whose call has been answered to the idle ones."""
    with _lock:
        _idle.append(caller)
