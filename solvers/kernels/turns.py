"""Turns of processes that need the same kernel: one compiles it, the others wait, and load it."""

import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache

#: The bytes of the file that this process has locked, one for each kernel that it is compiling.
_held: list[int] = []


@cache
def _file(folder: str) -> int:
    return os.open(os.path.join(folder, "compiling.lock"), os.O_RDWR | os.O_CREAT, 0o600)


def take_turn(folder: str, kernel: str) -> None:
    """Wait until no other process that has the same folder compiles the kernel of this name; see `ended_turns`.

    Some folders on a network know no locks, and Windows none that wait: there this returns at once.
    """
    _held.append(int.from_bytes(hashlib.sha256(kernel.encode()).digest()[:4]))
    _lock(folder, _held[-1], locks=True)


@contextmanager
def ended_turns(folder: str) -> Iterator[None]:
    """End the turns that are taken meanwhile. Numba's own lock lets one thread of a process compile."""
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
            fcntl.lockf(_file(folder), fcntl.LOCK_EX if locks else fcntl.LOCK_UN, 1, byte)
