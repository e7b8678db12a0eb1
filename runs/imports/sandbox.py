"""Sandbox processes with little memory and time, in which hostile files can do no harm.

A sandbox process runs a module with a `main` of its own. It ends with exit status 0, or with `REFUSED` and a sentence
or a JSON value on standard output.
"""

import contextlib
import ctypes
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from data.tsplib.normal_form import reduce_to_line
from runs.abandoned import is_abandoned

REFUSED = 3
#: Default reason for a refusal.
DAMAGED = "it is damaged, or of another kind."
#: Flags of unshare(2).
_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
MEMORY = 1 << 30
#: Seconds between two checks of a sandbox process's own memory, on systems that cannot limit it.
WATCH_SECONDS = 0.05
#: Maximum size in bytes of a file that a sandbox process writes.
FILE = 512 << 20
CPU_SECONDS = 20
ROOT = Path(__file__).resolve().parents[2]
#: Seconds between two polls of a working sandbox process. Its timeouts are counted in polls, so that time in which the
#: server itself was suspended does not count.
POLL_SECONDS = 1.0
#: Number of consecutive polls at which the process is asleep and has used no more processor time. After that it counts
#: as hanging, because it waits for no input but its file.
ASLEEP_POLLS = 15
#: Number of polls after which the process is killed in any case. The real limit is processor time, which may take
#: minutes on a busy server because the process has low priority. Windows has no such limit: these polls are the only
#: limit there.
MAX_POLLS = 900 if os.name == "posix" else 60


class Overrun(RuntimeError):
    """The process took too much memory or time, crashed, or is no longer needed."""


def limit(cpu_seconds: int = CPU_SECONDS) -> None:
    """Limit this process's memory, time, files and network where supported, and lower its priority."""
    try:
        import resource
    except ImportError:  # Windows: `MAX_POLLS` is the only limit
        return
    if sys.platform == "darwin":
        # on macOS every process has reserved more addresses than that, and the system refuses the limit
        threading.Thread(target=_watch_memory, args=(resource,), name="memory", daemon=True).start()
    else:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE, FILE))  # a write beyond it raises OSError
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core dump would contain uploaded data
    os.nice(10)
    _leave_network()


def _watch_memory(resource: Any) -> None:
    """End this process if it uses too much memory, which macOS counts in bytes."""
    while resource.getrusage(resource.RUSAGE_SELF).ru_maxrss <= MEMORY:
        time.sleep(WATCH_SECONDS)
    os._exit(1)


def _leave_network() -> None:
    """Leave the network on Linux if allowed; file access is unaffected."""
    if not sys.platform.startswith("linux"):
        return
    with contextlib.suppress(OSError, AttributeError):  # other C libraries lack unshare
        # a user namespace allows a network namespace without privileges; some systems allow neither
        ctypes.CDLL(None, use_errno=True).unshare(_NEW_USER | _NEW_NETWORK)


def run_limited(kind: str, work: Callable[[], object], errors: tuple[type[Exception], ...]) -> int:
    """Run work in the sandbox process; print the reason for a refusal, and return the exit status.

    Parameters
    ----------
    kind : str
        Kind of the file.
    work : callable
        Reads the file.
    errors : tuple of exception types
        Exceptions whose messages are shown to the user, except JSON decoding errors.
    """
    limit()
    try:
        work()
    except Exception as error:  # noqa: BLE001 - a hostile file can raise anything
        reason = str(error) if isinstance(error, errors) and not isinstance(error, json.JSONDecodeError) else DAMAGED
        sys.stdout.write(reduce_to_line(f"This {kind} file cannot be imported: {reason}", 300))
        return REFUSED
    return 0


def run(module: str, *arguments: str) -> str | None:
    """Run a sandbox process to its end.

    Parameters
    ----------
    module : str
        Module for ``python -m``; it calls `limit` first.
    *arguments : str
        The module's arguments.

    Returns
    -------
    str or None
        The reason if the process refused the file, otherwise None.

    Raises
    ------
    Overrun
        If the process crashed or exceeded its limits.
    """
    # every BLAS thread would take part of the small memory limit
    folders = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": folders, "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", module, *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=pipe, stderr=pipe) as process:
        try:
            output = _wait_for(process)
        finally:
            process.kill()  # does nothing if it has ended
    if process.returncode == REFUSED:
        return output.decode("utf-8", "replace")
    if process.returncode:
        raise Overrun
    return None


def _wait_for(process: subprocess.Popen[bytes]) -> bytes:
    """Return a sandbox process's standard output once it ends; raise `Overrun` if it does not."""
    before, asleep = None, 0
    for _ in range(MAX_POLLS):
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=POLL_SECONDS)[0]
        now = sleeping_processor_time(process.pid)
        asleep = asleep + 1 if now is not None and now == before else 0
        if asleep == ASLEEP_POLLS or is_abandoned():
            break
        before = now
    raise Overrun


def sleeping_processor_time(pid: int) -> tuple[str, ...] | None:
    """Return a sleeping process's processor time; None if it is not asleep, or unknown.

    A process that waits for a processor or a disk, or was stopped by a signal, is not asleep.
    """
    try:
        state, *fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return tuple(fields[10:12]) if state == "S" else None  # user and kernel time, in ticks
