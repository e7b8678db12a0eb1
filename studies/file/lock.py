"""One process works on a study at a time: the lock beside its file."""

import contextlib
import os
import time
from pathlib import Path

from data.lock import lock
from studies.errors import StudyTaken

#: Seconds for which who only looks whether a study is taken may have its lock.
_GLANCE = 0.05


class StudyLock:
    """Holds a study until it is closed; a process that is killed lets it go.

    Parameters
    ----------
    path : Path
        Of the study file; the lock is a file beside it, which goes when the study is let go.

    Raises
    ------
    StudyTaken
        If another process holds it.
    OSError
        If the folder does not take a file.
    """

    def __init__(self, path: Path) -> None:
        self._path = _beside(path)
        self._descriptor = -1
        while self._descriptor < 0:
            self._descriptor = self._taken(path)

    def _taken(self, path: Path) -> int:
        """The locked file; -1 if whoever had it has removed it meanwhile."""
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        if not _locked_after_a_glance(descriptor):
            os.close(descriptor)
            raise StudyTaken(f"Another process works on the study {path.name}: wait for it, or stop it.")
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(descriptor), os.stat(self._path)):
                return descriptor
        os.close(descriptor)
        return -1

    def close(self) -> None:
        """Let the study go."""
        if self._descriptor >= 0:
            with contextlib.suppress(OSError):  # Windows removes no open file; then it stays, unlocked
                os.unlink(self._path)
            os.close(self._descriptor)
            self._descriptor = -1


def taken(path: Path) -> bool:
    """Whether a process works on the study just now."""
    try:
        descriptor = os.open(_beside(path), os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        return not _locked(descriptor)
    finally:
        os.close(descriptor)


def _locked_after_a_glance(descriptor: int) -> bool:
    if _locked(descriptor):
        return True
    time.sleep(_GLANCE)
    return _locked(descriptor)


def _locked(descriptor: int) -> bool:
    try:
        lock(descriptor)
    except OSError:
        return False
    return True


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")
