"""Processes that ``mpiexec`` starts: checks that they run, collects their errors and ends them."""

import collections
import os
import subprocess
import threading
from typing import IO

from solvers.mpi import launcher
from solvers.worker.process import ROOT

#: Seconds that `MpiProcesses.end` waits after asking the launcher to end the processes.
_GRACE_SECONDS = 0.3
#: Number of last lines of the error output to store for the log.
_LINES = 30


class MpiProcesses:
    """Processes of `solvers.mpi.rank`, which the constructor starts.

    Parameters
    ----------
    ranks : int
        Number of processes.
    windows : bool
        Whether the processes share memory.
    address : str
        Value of `solvers.mpi.launcher.ADDRESS` in the processes.

    Attributes
    ----------
    folder : str
        The folder of the processes' files, which `end` deletes.

    Raises
    ------
    RunFailed
        If ``mpiexec`` does not report its version.
    """

    def __init__(self, ranks: int, windows: bool, address: str) -> None:
        self._folder = launcher.create_folder()
        self.folder = self._folder.name
        try:
            self._process = _start(ranks, windows, address, self.folder)
        except BaseException:
            self._folder.cleanup()
            raise
        self._lines: collections.deque[str] = collections.deque(maxlen=_LINES)
        assert self._process.stderr is not None
        self._reader = threading.Thread(target=self._read, args=(self._process.stderr,), daemon=True)
        self._reader.start()

    def wait(self, seconds: float = 0.0) -> bool:
        """Wait up to `seconds` for the processes to end; return whether they did."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def end(self) -> None:
        """Make the launcher end the remaining processes."""
        if not self.wait():
            self._process.terminate()
            if not self.wait(_GRACE_SECONDS):
                self._process.kill()
                self._process.wait()
        self._reader.join(_GRACE_SECONDS)
        self._folder.cleanup()

    def error_output(self) -> str:
        """Return the last lines of the processes' error output."""
        return "".join(self._lines).strip()

    def _read(self, stream: IO[bytes]) -> None:
        for line in stream:
            self._lines.append(line.decode(errors="replace"))


def _start(ranks: int, windows: bool, address: str, folder: str) -> subprocess.Popen:
    arguments = ["-m", "solvers.mpi.rank", *([] if windows else ["--no-windows"])]
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    more = {"PYTHONPATH": path, launcher.ADDRESS: address, **launcher.make_variables(folder)}
    return subprocess.Popen(
        launcher.format_command(ranks, arguments), cwd=ROOT, env=launcher.make_environment(more),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=os.name == "posix",
    )  # fmt: skip
