"""The process that computes answers: reads ``compute`` frames and writes each answer to its file.

A ``compute`` frame has the values ``function`` (module and name), ``arguments``, ``file`` and ``language``. The program
sends a ``head`` frame (``media_type``, ``headers``), ``written`` frames (``size`` so far), and ``end`` or ``failed``
(``kinds``, the names of the error's classes; ``sentence``, ``errno``, ``trace``).
"""

import errno
import os
import queue
import sqlite3
import traceback
from collections.abc import Iterator
from pathlib import Path
from pkgutil import resolve_name
from time import process_time
from typing import Any

from data.sqlite_files import is_full, is_read_only
from runs.computing.answer import Answer, class_name
from runs.language import use_language
from solvers.worker.frames import Frame
from solvers.worker.worker_io import FrameWriter, limit, lower_priority, start_reading

#: Limits of one answer: seconds of processor time, and bytes of memory.
SECONDS, MEMORY = 120, 1 << 30
#: Bytes of memory beyond which a process exits after its answer, to return the memory to the system.
_MAX_SECONDS, _MAX_GROWTH_KB = 10.0, 160 << 10


def main() -> None:
    """Compute requested answers until this process has grown too large."""
    jobs: queue.SimpleQueue[Frame] = queue.SimpleQueue()

    def take(frames: Iterator[Frame]) -> None:
        for frame in frames:
            jobs.put(frame)

    writer = start_reading(take)
    limit(MEMORY, SECONDS)
    baseline_kb = _measure_peak_kb()
    while _compute(jobs.get().values, writer, baseline_kb + _MAX_GROWTH_KB):
        pass
    os._exit(0)  # the reading thread would wait for more input


def _compute(job: dict[str, Any], writer: FrameWriter, max_kb: int) -> bool:
    """Compute an answer; return whether this process can be used again."""
    path = Path(job["file"])
    try:
        with use_language(job["language"]):
            answer: Answer = resolve_name(job["function"])(*job["arguments"])
            head: dict[str, Any] = {"media_type": answer.media_type, "headers": dict(answer.headers)}
            _write(answer, path, writer, head)
    except Exception as error:  # noqa: BLE001 - reported by the server
        kinds = [class_name(kind) for kind in type(error).__mro__]
        number = error.errno if isinstance(error, OSError) else None
        if isinstance(error, sqlite3.Error):  # the server recognises disk errors by their numbers
            number = errno.ENOSPC if is_full(error) else errno.EROFS if is_read_only(error) else None
        trace = traceback.format_exc()
        failure: dict[str, Any] = {
            "kinds": kinds,
            "sentence": str(error)[:1000],
            "errno": number,
            "trace": trace[-8000:],
        }
        writer.send("failed", **failure, worn=(worn := _should_exit(max_kb)))
    else:
        writer.send("end", size=path.stat().st_size, worn=(worn := _should_exit(max_kb)), **head)
    return not worn


def _write(answer: Answer, path: Path, writer: FrameWriter, head: dict[str, Any]) -> None:
    content = answer.content
    if callable(content):
        content(path)
        return
    with path.open("wb", buffering=0 if answer.in_steps else -1) as file:
        if answer.in_steps:
            writer.send("head", **head)
        for part in (content,) if isinstance(content, bytes) else content:
            file.write(part)
            if answer.in_steps:
                writer.send("written", size=file.tell())


def _should_exit(max_kb: int) -> bool:
    return process_time() > _MAX_SECONDS or _measure_peak_kb() > max_kb


def _measure_peak_kb() -> int:
    """Return the peak memory of this process in kB; 0 on Windows."""
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    lower_priority()
    main()
