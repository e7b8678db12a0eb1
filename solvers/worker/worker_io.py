"""The worker's side of its pipes, and how it imports Numba."""

import importlib
import os
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from data.errors import InvalidInstance
from solvers.core.errors import DeviceUnavailable, InstanceTooLarge, InvalidParams, RunFailed
from solvers.worker.frames import Frame, decode, encode, read_frame

#: Errors whose messages are meant for the user; any other error is a bug in the program.
USER_ERRORS = (InvalidParams, InvalidInstance, DeviceUnavailable, InstanceTooLarge, RunFailed)


class FrameWriter:
    """The worker's end of its output pipe; what libraries print goes to standard error."""

    def __init__(self) -> None:
        self._stream = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)

    def send(self, kind: str, arrays: dict[str, np.ndarray] | None = None, **values: Any) -> None:
        """Write a frame of values and arrays."""
        self.write(encode(kind, values, arrays or {}))

    def write(self, frame: bytes) -> None:
        """Write a frame."""
        self._stream.write(frame)
        self._stream.flush()


def start_reading(consume: Callable[[Iterator[Frame]], object]) -> FrameWriter:
    """Start a thread that reads the input, and return what writes the output.

    Parameters
    ----------
    consume : callable
        Iterates over the input's frames. When it returns or fails, the process exits at once, because nobody expects an
        answer any more, and a running kernel could block a cleaner exit.
    """
    writer = FrameWriter()
    threading.Thread(target=_read, args=(consume,), name="inbox", daemon=True).start()
    return writer


def _read(consume: Callable[[Iterator[Frame]], object]) -> None:
    stream = os.fdopen(os.dup(0), "rb")
    try:
        consume(map(decode, iter(lambda: read_frame(stream), None)))
    finally:
        os._exit(0)


def lower_priority() -> None:
    """Lower this process's priority below its parent's, which serves the page; on Windows, the parent does this."""
    if hasattr(os, "nice"):
        os.nice(10)


def limit(memory: int, cpu_seconds: int) -> None:
    """Limit this process's additional memory and its processor time, where the system supports this."""
    try:
        import resource

        pages = int(open("/proc/self/statm").read().split()[0])  # noqa: SIM115 - closed at once
    except (ImportError, OSError):
        return
    maximum = pages * resource.getpagesize() + memory
    resource.setrlimit(resource.RLIMIT_AS, (maximum, maximum))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def import_numba() -> None:
    """Import `solvers.kernels`, which sets the cache folder that processes share, and then Numba."""
    importlib.import_module("solvers.kernels")
    importlib.import_module("numba")
    importlib.import_module("solvers.worker.numba_cache").share_index_files()
