"""Processes that tests start by MPI: the command line, and what they do first."""

import os
import subprocess
from pathlib import Path

from solvers import mpi_launch

ROOT = Path(__file__).resolve().parent.parent.parent


def change_ranks(text: str, monkeypatch, tmp_path) -> None:
    """Have every Python that is started from now on do something first."""
    (tmp_path / "sitecustomize.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(ROOT), str(tmp_path))))


def command_line(*arguments: str, instance: str = "burma14") -> subprocess.CompletedProcess:
    words = mpi_launch.command(2, ["-m", "solvers", "run", instance, *arguments])
    with mpi_launch.folder() as folder:
        environment = mpi_launch.environment(mpi_launch.variables(folder))
        return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=300, env=environment)
