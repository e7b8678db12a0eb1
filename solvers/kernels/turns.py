"""Makes processes that need the same kernel take turns: one compiles it, the others wait and then load it."""

import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache

#: Which bytes of the lock file this process has locked, one for each kernel that it is compiling.
_held: list[int] = []


@cache
def _open_file(folder: str) -> int:
    return os.open(os.path.join(folder, "compiling.lock"), os.O_RDWR | os.O_CREAT, 0o600)


def take_turn(folder: str, kernel: str) -> None:
    """Wait until no other process that uses this folder is compiling the kernel; see `end_turns`.

    Returns at once where there are no suitable locks: in some network folders, and on Windows, whose locks cannot wait.
    """
    _held.append(int.from_bytes(hashlib.sha256(kernel.encode()).digest()[:4]))
    _lock(folder, _held[-1], locks=True)


@contextmanager
def end_turns(folder: str) -> Iterator[None]:
    """End the turns taken within the context. Numba's lock lets only one thread per process compile."""
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
