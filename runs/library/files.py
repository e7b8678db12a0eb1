"""Lists the library's files, with stamps that change on every write."""

import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from runs.store.home import ID
from runs.store.run_file import SUFFIX as RUN_SUFFIX
from runs.study_jobs.folders import make_study_id
from runs.study_jobs.service import StudyService
from studies.file.reader import SUFFIX as STUDY_SUFFIX

RACE_SUFFIX = ".json"
_SUFFIXES = {"run": RUN_SUFFIX, "race": RACE_SUFFIX}
#: Suffixes of the files that SQLite may create beside a file.
SQLITE_SUFFIXES = ("-wal", "-shm", "-journal")
#: Resolution of file systems' timestamps in nanoseconds: two changes within it may leave the same timestamp.
TIMESTAMP_NS = 50_000_000
#: Seconds during which an empty file may still be about to be written.
_CREATION_SECONDS = 5.0


class FileStatus(NamedTuple):
    """A file's path, stamp that changes on every write, last write (seconds since 1970) and bytes."""

    path: str
    stamp: str
    modified_at: float
    bytes: int


class LibraryFiles:
    """Finds the files of runs, races and studies.

    Parameters
    ----------
    home : Path
        The data folder.
    studies : StudyService
    """

    def __init__(self, home: Path, studies: StudyService) -> None:
        self.home, self._studies = home, studies

    def marks(self) -> tuple[int, ...]:
        """Return each folder's last change in nanoseconds since 1970.

        A folder changes when a file is added or removed.
        """
        return tuple(
            find_last_change(folder) for folder in (self.home / "runs", self.home / "races", *self._studies.folders)
        )

    def races(self) -> dict[str, FileStatus]:
        """Return the files of races by key."""
        return {f"race:{name}": file for name, file in _list_ids(self.home / "races", RACE_SUFFIX)}

    def all(self) -> dict[str, FileStatus]:
        """Return all files by key: races, studies, then runs, most recently written first."""
        files = self.races()
        for folder in self._studies.folders:
            for stem, file in _list_files(folder, STUDY_SUFFIX):
                files[f"study:{make_study_id(folder / f'{stem}{STUDY_SUFFIX}')}"] = file
        runs = [(f"run:{name}", race_id) for name, race_id in _list_ids(self.home / "runs", RUN_SUFFIX)]
        return files | dict(sorted(runs, key=lambda item: item[1].modified_at, reverse=True))

    def find_files(self, keys: Iterable[str]) -> dict[str, FileStatus | None]:
        """Return the files of untrusted keys; None where there is no file."""
        requested = list(keys)
        has_studies = any(key.startswith("study:") for key in requested)
        paths = {f"study:{make_study_id(path)}": path for path in self._studies.files()} if has_studies else {}
        return {
            key: _find_file(path) if (path := paths.get(key) or self._make_path(key)) else None for key in requested
        }

    def _make_path(self, key: str) -> Path | None:
        kind, _, name = key.partition(":")
        if kind not in _SUFFIXES or not ID.fullmatch(name):
            return None
        return self.home / ("runs" if kind == "run" else "races") / f"{name}{_SUFFIXES[kind]}"


def find_last_change(folder: Path) -> int:
    """Return a file's or folder's last change in nanoseconds since 1970; 0 if missing."""
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return 0


def _list_ids(folder: Path, suffix: str) -> Iterator[tuple[str, FileStatus]]:
    return ((stem, file) for stem, file in _list_files(folder, suffix) if ID.fullmatch(stem))


def _list_files(folder: Path, suffix: str) -> Iterator[tuple[str, FileStatus]]:
    """List files with a suffix, and their names without it; skip new empty files, which are being written."""
    try:
        with os.scandir(folder) as directory:
            entries = {entry.name: entry for entry in directory}
    except OSError:
        return
    now = time.time()
    for name, entry in entries.items():
        if not name.endswith(suffix):
            continue
        try:
            if not entry.is_file():
                continue
            log = entries.get(f"{name}-wal")
            file = _make_status(entry.path, entry.stat(), log.stat() if log else None)
        except OSError:  # deleted in the meantime
            continue
        if file.bytes or now - file.modified_at > _CREATION_SECONDS:
            yield name[: -len(suffix)], file


def _find_file(path: Path) -> FileStatus | None:
    try:
        log = path.with_name(f"{path.name}-wal")
        return _make_status(str(path), path.stat(), log.stat() if log.exists() else None) if path.is_file() else None
    except OSError:
        return None


def _make_status(path: str, status: os.stat_result, log: os.stat_result | None) -> FileStatus:
    stamp, size = f"{status.st_mtime_ns}:{status.st_size}", status.st_size
    if log is None:
        return FileStatus(path, stamp, status.st_mtime, size)
    stamp, size = f"{stamp}:{log.st_mtime_ns}:{log.st_size}", size + log.st_size
    return FileStatus(path, stamp, max(status.st_mtime, log.st_mtime), size)
