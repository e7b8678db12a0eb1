"""The hash of all files in a folder, cached until one of them changes.

Kernels and the page's scripts are in folders named by such hashes, which are needed at each start and by each worker.
Checking the files for changes takes a tenth of the time for reading them.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from data.cache.place import cache_home
from data.files import write_whole

#: Subfolder of the cache folder that stores the hashes.
_SUBFOLDER = "hashes"


def folder_hash(folder: Path, suffix: str = "", within: str = "") -> str:
    """Return the hash of the paths and contents of a folder's files, as 16 hexadecimal digits.

    A file counts as unchanged while its size and its times stay the same, including the time of its last status change,
    which only the system can set. If caching is impossible, all files are read each time.

    Parameters
    ----------
    folder : Path
    suffix : str
        Only files with this suffix.
    within : str
        Only files in folders of this name, if it is not empty.

    Raises
    ------
    OSError
        If a file cannot be read.
    """
    files = dict(file for file in _list_files(folder, suffix) if not within or within in file[0].split("/")[:-1])
    state = _hash_lines(
        f"{path} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns}" for path, found in files.items()
    )
    remembered = cache_home() / _SUBFOLDER / _hash_lines([str(folder), suffix, within])
    with suppress(OSError, ValueError):
        stored_state, content = remembered.read_text("ascii").split()
        if stored_state == state:
            return content
    digest = hashlib.sha256()
    for path in files:
        read = (folder / path).read_bytes()
        digest.update(f"{path}\n{len(read)}\n".encode())
        digest.update(read)
    content = digest.hexdigest()[:16]
    with suppress(OSError):
        write_whole(remembered, f"{state} {content}\n".encode("ascii"))
    return content


def _list_files(folder: Path | str, suffix: str, below: str = "") -> Iterator[tuple[str, os.stat_result]]:
    """Yield each file's path below the folder, with slashes, and its status, in a fixed order."""
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        if entry.is_dir():
            yield from _list_files(entry.path, suffix, f"{below}{entry.name}/")
        elif entry.name.endswith(suffix):
            yield below + entry.name, entry.stat()


def _hash_lines(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
