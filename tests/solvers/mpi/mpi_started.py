"""Processes started by tests with MPI: their command line, and code that they run first."""

import os
import subprocess
from pathlib import Path

from solvers.mpi import launcher

ROOT = Path(__file__).resolve().parents[3]


def change_ranks(text: str, monkeypatch, tmp_path) -> None:
    """Have every Python process started from now on run some code first."""
    (tmp_path / "sitecustomize.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(ROOT), str(tmp_path))))


def command_line(*arguments: str, instance: str = "burma14") -> subprocess.CompletedProcess:
    words = launcher.format_command(2, ["-m", "solvers", "run", instance, *arguments])
    with launcher.create_folder() as folder:
        environment = launcher.make_environment(launcher.make_variables(folder))
        return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=300, env=environment)
