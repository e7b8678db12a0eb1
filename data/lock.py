"""Locks between processes; the system releases a lock when its process ends."""

import os
import sys
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def open_locked(path: Path, extra_flags: int = os.O_CREAT) -> int | None:
    """Open and lock a file until its descriptor is closed; return None if another process has locked it.

    Parameters
    ----------
    path : Path
    extra_flags : int
        Additional flags of `os.open`; by default a missing file is created.
    """
    descriptor = os.open(path, os.O_RDWR | extra_flags, 0o600)
    try:
        _lock(descriptor)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
