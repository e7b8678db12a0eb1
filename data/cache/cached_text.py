"""Caches texts computed from a folder's files."""

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from data.cache.place import cache_home
from data.files import write_whole

#: Number of states of each kind that stay cached, enough for a few releases used side by side.
_MAX_CACHED = 5


def cached_text(kind: str, state: str, name: str, make: Callable[[], str]) -> str:
    """Return a cached text, or compute and cache it.

    Parameters
    ----------
    kind : str
        Folder in the cache folder.
    state : str
        Identifies the text's input, such as a hash from `data.cache.folder_hash.folder_hash`; only the newest few
        states of each kind stay cached.
    name : str
        File name of the text.
    make : callable
        Returns the text.
    """
    folder = cache_home() / kind / state
    path = folder / name
    with suppress(OSError, UnicodeDecodeError):
        return path.read_bytes().decode()
    text = make()
    is_new = not folder.exists()
    with suppress(OSError):
        write_whole(path, text.encode())
        if is_new:
            _delete_old(folder.parent)
    return text


def _delete_old(kind: Path) -> None:
    for old in sorted(kind.iterdir(), key=lambda folder: folder.stat().st_mtime_ns, reverse=True)[_MAX_CACHED:]:
        shutil.rmtree(old, ignore_errors=True)
