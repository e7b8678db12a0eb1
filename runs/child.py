"""Child processes with little memory and time, in which strangers' files are read: a hostile one's harm ends there.

A child is a module with a `main` of its own. It ends with exit status 0, or with `REFUSED` and a sentence or a JSON
value on its standard output.
"""

import os
import subprocess
import sys
from pathlib import Path

REFUSED = 3
MEMORY = 1 << 30
ROOT = Path(__file__).resolve().parent.parent


class Overrun(RuntimeError):
    """The child took too much memory or time, or fell over its file."""


def limit(cpu_seconds: int) -> None:
    """Give this process little memory and time, and the server the first place, where the system can."""
    try:
        import resource
    except ImportError:  # Windows: the parent's clock is the only limit
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core would hold what somebody sent
    os.nice(10)


def run(module: str, *arguments: str, wall_seconds: float) -> str | None:
    """Run a child to its end.

    Parameters
    ----------
    module : str
        To be run by ``python -m``.
    *arguments : str
        Its arguments.
    wall_seconds : float
        After which it is killed.

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
    try:
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=wall_seconds)
    except subprocess.TimeoutExpired:
        raise Overrun from None
    if done.returncode == REFUSED:
        return done.stdout.decode("utf-8", "replace")
    if done.returncode:
        raise Overrun
    return None
