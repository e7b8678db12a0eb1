"""Packs a data folder into a file, even while a server writes to it.

The file is a zip of the folder's files by path, with a manifest written last. SQLite files are copied by SQLite's
backup interface, so that each is consistent and includes its write-ahead log. Races are copied before runs, so that no
race in the backup refers to a run that started after the list of runs was read.
"""

import json
import os
import secrets
import sqlite3
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from data.home.errors import HomeRefused
from data.home.version import MARKER, check_version
from data.sqlite_files import copy

#: Version of the backup file and its manifest, and the manifest's name.
FORMAT = 1
MANIFEST = "tourscope-backup.json"
_SQLITE = b"SQLite format 3\0"
#: Files that are not copied, because a server recreates them or a process owns them.
_LEFT_OUT = ("address", "incoming", "lock", "catalogue.sqlite")
_SUFFIXES = (".lock", ".part", "-wal", "-shm", "-journal")
_PIECE = 1 << 20


@dataclass(slots=True)
class BackupContents:
    """The result of a backup or a restoration.

    Attributes
    ----------
    files : dict of str to (int, int)
        Size in bytes and time of the last change in nanoseconds since 1970, by path within the folder.
    left_out : list of str
        Paths that could not be copied: links, and files with names that are not valid on every system.
    """

    files: dict[str, tuple[int, int]] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)

    @property
    def bytes(self) -> int:
        """Total size of all files."""
        return sum(size for size, _ in self.files.values())


def back_up(home: Path, target: Path) -> BackupContents:
    """Pack a data folder.

    Parameters
    ----------
    home : Path
    target : Path
        The file to write, which must not exist. Only its owner may read it, since the folder contains visitors'
        secrets.

    Raises
    ------
    HomeRefused
        If there is no such folder, it belongs to a newer release, or the file exists or is inside the folder.
    OSError
        If a file cannot be read or written; nothing is left behind.
    """
    if not home.is_dir():
        raise HomeRefused(f"There is no data folder {home}.")
    version = check_version(home)
    if target.resolve().is_relative_to(home.resolve()):
        raise HomeRefused("The backup must lie outside the data folder.")
    if target.exists():
        raise HomeRefused(f"{target} exists already: choose another name.")
    packed = BackupContents()
    part = target.with_name(f"{target.name[:100]}.{secrets.token_hex(4)}.part")
    try:
        with os.fdopen(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as file:
            with ZipFile(file, "w", ZIP_DEFLATED, compresslevel=1, strict_timestamps=False) as archive:
                _pack(home, archive, packed, target.absolute().parent)
                archive.writestr(MANIFEST, json.dumps(_make_manifest(version, packed)))
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return packed


def _make_manifest(version: int, packed: BackupContents) -> dict[str, Any]:
    return {"format": FORMAT, "home": version, "created": time.time(), "files": packed.files}


def _pack(home: Path, archive: ZipFile, packed: BackupContents, scratch: Path) -> None:
    for path in _list_files(home):
        name = path.relative_to(home).as_posix()
        if path.is_symlink() or not is_plain(name):
            packed.left_out.append(name)
            continue
        with suppress(FileNotFoundError):  # deleted in the meantime
            changed = path.stat()
            if stat.S_ISREG(changed.st_mode):
                packed.files[name] = (_add(path, name, archive, scratch), changed.st_mtime_ns)


def _list_files(home: Path) -> Iterator[Path]:
    """Yield all files to copy, and all links; the runs come last."""
    runs: list[Path] = []
    for top in sorted(home.iterdir()):
        if top.name in _LEFT_OUT or top.name.endswith(_SUFFIXES) or top.name == MARKER:
            continue
        if top.name == "runs" and not top.is_symlink():
            runs.append(top)
        else:
            yield from _list_below(top)
    for top in runs:
        yield from _list_below(top)


def _list_below(top: Path) -> Iterator[Path]:
    if top.is_symlink() or not top.is_dir():
        yield top
        return
    for folder, inner, names in os.walk(top):
        folder_path = Path(folder)
        yield from (folder_path / name for name in sorted(inner) if (folder_path / name).is_symlink())
        yield from (folder_path / name for name in sorted(names) if not name.endswith(_SUFFIXES))


def is_plain(name: str) -> bool:
    """Return whether a path with slashes stays inside a folder on every system."""
    path = PurePosixPath(name)
    is_printable = (
        name.isprintable() and "\\" not in name and not any("\ud800" <= character <= "\udfff" for character in name)
    )
    return (
        is_printable and path.as_posix() == name and not path.is_absolute() and ".." not in path.parts and name != "."
    )


def _add(path: Path, name: str, archive: ZipFile, scratch: Path) -> int:
    """Add a file's current state; return its size."""
    with path.open("rb") as file:
        if file.read(len(_SQLITE)) == _SQLITE:
            with tempfile.TemporaryDirectory(prefix=".tourscope-backup-", dir=scratch) as folder:
                single = Path(folder) / "copy"
                if _copy_database(path, single):
                    return _write(single, name, archive)
    return _write(path, name, archive)


def _copy_database(path: Path, target: Path) -> bool:
    """Copy an SQLite database's current state; return False if it is damaged and must be copied as a plain file."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=30.0)) as connection:
            copy(connection, target)
    except sqlite3.DatabaseError as error:
        if not path.exists():
            raise FileNotFoundError(path) from error
        if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
            raise OSError(f"The file {path.name} has been in use by another process for too long.") from error
        return False
    return True


def _write(path: Path, name: str, archive: ZipFile) -> int:
    size = 0
    info = ZipInfo.from_file(path, name, strict_timestamps=False)
    info.compress_type, info.external_attr = ZIP_DEFLATED, (stat.S_IFREG | 0o600) << 16
    with path.open("rb") as source, archive.open(info, "w", force_zip64=info.file_size > 1 << 30) as member:
        while piece := source.read(_PIECE):
            member.write(piece)
            size += len(piece)
    return size
