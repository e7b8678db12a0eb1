"""Lets several processes write to Numba's cache at the same time.

Numba keeps an index file for each function, which it reads, extends and writes back. Two processes that compile the
same function for different types could choose the same free file name, and one process would lose its entry. Then a
function would be compiled again, or code for other types loaded. So here processes take turns.

Imports Numba: for workers' programs.
"""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from numba.core import caching

from data.lock import open_locked

#: Name of the lock file in a folder of the cache, and seconds between two attempts to lock it.
_LOCK, _PAUSE = "turns.lock", 0.002
#: Maximum seconds to wait for the lock. It is held only for milliseconds, but its holder may be suspended, and some
#: network folders do not support locks.
_PATIENCE = 2.0
_NumbasIndex: Any = caching.IndexDataCacheFile


class _SharedIndex(_NumbasIndex):
    """Numba's index of a function, to which one process at a time adds entries.

    Attributes
    ----------
    waits : bool
        Whether to wait for the lock; false after a wait has failed once.
    """

    waits = True

    def save(self, key: Any, data: Any) -> None:
        with _turn(Path(self._cache_path) / _LOCK):
            super().save(key, data)


@contextlib.contextmanager
def _turn(path: Path) -> Iterator[None]:
    """Hold the lock if it becomes free in time."""
    end = time.monotonic() + _PATIENCE
    while (descriptor := open_locked(path)) is None and _SharedIndex.waits:
        _SharedIndex.waits = time.monotonic() < end
        time.sleep(_PAUSE)
    try:
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def share_index_files() -> None:
    """From now on, let functions that are declared share their index files with other processes."""
    caching.IndexDataCacheFile = _SharedIndex  # type: ignore[misc]
