"""One process works on a study at a time: the lock beside its file."""

import contextlib
import os
import time
from pathlib import Path

from data.lock import locked
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
        descriptor = locked(self._path)
        if descriptor is None:
            time.sleep(_GLANCE)
            descriptor = locked(self._path)
        if descriptor is None:
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
        descriptor = locked(_beside(path), 0)
    except FileNotFoundError:
        return False
    if descriptor is not None:
        os.close(descriptor)
    return descriptor is None


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")
