"""Child processes with little memory and time, in which strangers' files are read: a hostile one's harm ends there.

A child is a module with a `main` of its own. It ends with exit status 0, or with `REFUSED` and a sentence or a JSON
value on its standard output.
"""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from data.tsplib.normal_form import one_line

REFUSED = 3
MEMORY = 1 << 30
CPU_SECONDS = 20
ROOT = Path(__file__).resolve().parents[2]
#: Seconds between two looks at a child that is at work. Its waits are counted in looks, so that a server which itself
#: stood still holds nothing against it.
LOOK_SECONDS = 1.0
#: Looks in a row that find a child asleep, without any use of the processor since the last one: it has nothing to wait
#: for but its file, so it will not wake.
ASLEEP_LOOKS = 15
#: Looks after which it is ended whatever it does. Its limit is the processor time that it takes; a busy server may need
#: minutes to give it that, for it has low priority. Windows has no such limit: there this is the only one.
LOOKS = 900 if os.name == "posix" else 60


class Overrun(RuntimeError):
    """The child took too much memory or time, or fell over its file."""


def limit(cpu_seconds: int = CPU_SECONDS) -> None:
    """Give this process little memory and time, and the server the first place, where the system can."""
    try:
        import resource
    except ImportError:  # Windows: `LOOKS` is the only limit
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core would hold what somebody sent
    os.nice(10)


def copied(
    what: str, work: Callable[[], object], told: tuple[type[Exception], ...], other: str = "it is damaged."
) -> int:
    """Have a child do its work: the exit status, and of what cannot be taken the sentence on the standard output.

    Parameters
    ----------
    what : str
        Kind of the file.
    work : callable
    told : tuple of exception types
        Those that say in words what is wrong with the file, but for those of a JSON text.
    other : str
        What is said of any other: a hostile file can raise anything.
    """
    limit()
    try:
        work()
    except Exception as error:  # noqa: BLE001 - see `other`
        why = str(error) if isinstance(error, told) and not isinstance(error, json.JSONDecodeError) else other
        sys.stdout.write(one_line(f"This {what} file cannot be taken: {why}", 300))
        return REFUSED
    return 0


def run(module: str, *arguments: str) -> str | None:
    """Run a child to its end.

    Parameters
    ----------
    module : str
        To be run by ``python -m``; it calls `limit` first.
    *arguments : str
        Its arguments.

    Returns
    -------
    str or None
        What a child that refuses has to say, None if it did its work.

    Raises
    ------
    Overrun
        If it did neither.
    """
    # each thread of a BLAS would take its share of the little memory
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", module, *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=pipe, stderr=pipe) as process:
        try:
            said = _attend(process)
        finally:
            process.kill()  # of one that has ended, nothing is left to kill
    if process.returncode == REFUSED:
        return said.decode("utf-8", "replace")
    if process.returncode:
        raise Overrun
    return None


def _attend(process: subprocess.Popen[bytes]) -> bytes:
    """What a child says on its standard output, once it has ended by itself; `Overrun` of one that does not."""
    before, asleep = None, 0
    for _ in range(LOOKS):
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=LOOK_SECONDS)[0]
        now = asleep_at(process.pid)
        asleep = asleep + 1 if now is not None and now == before else 0
        if asleep == ASLEEP_LOOKS:
            break
        before = now
    raise Overrun


def asleep_at(pid: int) -> tuple[str, ...] | None:
    """The processor time at which a process sleeps; None if it does not, or the system does not tell.

    One that waits for a processor, for a disk, or was stopped from outside does not sleep.
    """
    try:
        state, *fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return tuple(fields[10:12]) if state == "S" else None  # in user mode and in the kernel, in ticks
