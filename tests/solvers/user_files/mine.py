"""User files for tests, made from the template."""

from pathlib import Path

import pytest

from commands.check import TEMPLATE
from solvers import SOLVERS
from solvers.user_files.solver_file import VARIABLE, SolverFile, pass_to_children


def empty_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a registry without user files, invisible to other tests."""
    monkeypatch.setattr(SOLVERS, "files", [])
    monkeypatch.setattr(SOLVERS, "_absent", {})
    monkeypatch.setenv(VARIABLE, "[]")


def join_and_bequeath(path: Path) -> None:
    """Register the solver of a file here and in workers that are new interpreters."""
    SOLVERS.join(SolverFile(str(path)))
    pass_to_children(SOLVERS.files)


def changed_template(folder: Path, *changes: tuple[str, str], name: str = "mine.py") -> Path:
    """The template with some changes, as a file."""
    text = TEMPLATE.read_text()
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    path = folder / name
    path.write_text(text)
    return path
