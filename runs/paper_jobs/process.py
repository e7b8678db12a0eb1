"""A measurement in a separate low-priority process: ``python -m papers measure``."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO, Any

#: Working directory for ``python -m papers``.
_ROOT = Path(__file__).resolve().parents[2]
#: The niceness of run workers: the page has priority.
_NICENESS = 10
#: The same priority on Windows, as a flag of the process.
_BELOW_NORMAL = 0x4000
#: Exit status of the command if an entry cannot be measured here; stderr then gives the reason.
_REFUSED = 2


def format_command(entry: str, device: str, quick: bool, output: Path) -> list[str]:
    """Return the command line that measures an entry into a file."""
    program = [sys.executable, "-m", "papers.background", "measure", entry]
    return [*program, "--device", device, "--json", str(output), *(["--quick"] if quick else [])]


class Measurement:
    """A process that measures an entry.

    Parameters
    ----------
    arguments : list of str
        See `format_command`.

    Raises
    ------
    OSError
        If the process cannot be started.
    """

    def __init__(self, arguments: list[str]) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        streams: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": self._errors}
        # a process group of its own, so that processes started by a recipe can be ended with it
        group: dict[str, Any] = {"start_new_session": True} if os.name == "posix" else {"creationflags": _BELOW_NORMAL}
        self._process = subprocess.Popen(arguments, cwd=_ROOT, **group, **streams)
        if hasattr(os, "setpriority"):
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, self._process.pid, _NICENESS)

    @property
    def status(self) -> int | None:
        """Exit status of the process; None while running."""
        return self._process.poll()

    def refusal(self) -> str:
        """Return why the entry cannot be measured here; empty if the process ended for another reason."""
        return self.error_tail().strip().splitlines()[-1] if self.status == _REFUSED and self.error_tail() else ""

    def error_tail(self) -> str:
        """Return the error output of an ended process."""
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace")

    def close(self) -> None:
        """Kill the process and everything it started, and close its output."""
        if self._process.poll() is None:
            if hasattr(os, "killpg"):
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        if self._process.stdin:
            self._process.stdin.close()
        self._errors.close()
