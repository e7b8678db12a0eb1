"""The lock file beside a study, which lets only one process work on it."""

import contextlib
import os
import time
from pathlib import Path

from data.lock import open_locked
from studies.errors import StudyLocked

#: Seconds for which `is_locked` in another process may hold the lock.
_RETRY_SECONDS = 0.05


class StudyLock:
    """Locks a study until `close` or the end of the process.

    Parameters
    ----------
    path : Path
        Path of the study file; the lock is a file beside it, deleted by `close`.

    Raises
    ------
    StudyLocked
        If another process holds the lock.
    OSError
        If the lock file cannot be created.
    """

    def __init__(self, path: Path) -> None:
        self._path = _lock_path(path)
        self._descriptor = -1
        while self._descriptor < 0:
            self._descriptor = self._acquire(path)

    def _acquire(self, path: Path) -> int:
        """Lock the file and return its descriptor; -1 if its last holder has just deleted it."""
        descriptor = open_locked(self._path)
        if descriptor is None:
            time.sleep(_RETRY_SECONDS)
            descriptor = open_locked(self._path)
        if descriptor is None:
            raise StudyLocked(f"Another process works on the study {path.name}: wait for it, or stop it.")
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(descriptor), os.stat(self._path)):
                return descriptor
        os.close(descriptor)
        return -1

    def close(self) -> None:
        """Release the lock."""
        if self._descriptor >= 0:
            with contextlib.suppress(OSError):  # Windows cannot delete an open file, so the file stays, unlocked
                os.unlink(self._path)
            os.close(self._descriptor)
            self._descriptor = -1


def is_locked(path: Path) -> bool:
    """Return whether a process is working on the study."""
    try:
        descriptor = open_locked(_lock_path(path), 0)
    except FileNotFoundError:
        return False
    if descriptor is not None:
        os.close(descriptor)
    return descriptor is None


def _lock_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")
