"""Lets processes that need the same kernel take turns: one compiles, the others wait and load."""

import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache

#: The bytes of the lock file that this process has locked, one per kernel that it is compiling.
_held: list[int] = []


@cache
def _open_file(folder: str) -> int:
    return os.open(os.path.join(folder, "compiling.lock"), os.O_RDWR | os.O_CREAT, 0o600)


def take_turn(folder: str, kernel: str) -> None:
    """Wait until no other process with this folder compiles the kernel; see `end_turns`.

    Returns at once where locks are unavailable: in some network folders, and on Windows, whose locks cannot wait.
    """
    _held.append(int.from_bytes(hashlib.sha256(kernel.encode()).digest()[:4]))
    _lock(folder, _held[-1], locks=True)


@contextmanager
def end_turns(folder: str) -> Iterator[None]:
    """Context manager that ends the turns taken inside. Numba's lock admits one compiling thread per process."""
    before = len(_held)
    try:
        yield
    finally:
        while len(_held) > before:
            _lock(folder, _held.pop(), locks=False)


def _lock(folder: str, byte: int, locks: bool) -> None:
    if sys.platform != "win32":
        import fcntl

        with suppress(OSError):
            fcntl.lockf(_open_file(folder), fcntl.LOCK_EX if locks else fcntl.LOCK_UN, 1, byte)
