"""Which files the library is of, and the stamps by which it knows that one has changed."""

import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from runs.store.home import ID
from runs.store.run_file import SUFFIX as RUN_SUFFIX
from runs.study_jobs.folders import id_of
from runs.study_jobs.service import StudyService
from studies.file.reader import SUFFIX as STUDY_SUFFIX

RACE_SUFFIX = ".json"
_SUFFIXES = {"run": RUN_SUFFIX, "race": RACE_SUFFIX}
#: What SQLite may have put beside a file.
BESIDE = ("-wal", "-shm", "-journal")
#: Nanoseconds within which a folder may change twice and show it once, for clocks of file systems are coarse.
COARSE = 50_000_000
#: Seconds for which an empty file is one that is just being made.
_MAKING = 5.0


class Found(NamedTuple):
    """A file: where it is, what changes whenever it is written to, when that was in seconds since 1970, its bytes."""

    path: str
    stamp: str
    written: float
    bytes: int


class CatalogueFiles:
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
        """What changes when a file comes or goes: when each folder was written to, nanoseconds since 1970."""
        return tuple(mark(folder) for folder in (self.home / "runs", self.home / "races", *self._studies.folders))

    def races(self) -> dict[str, Found]:
        """The files of races by their keys."""
        return {f"race:{name}": found for name, found in _ids(self.home / "races", RACE_SUFFIX)}

    def all(self) -> dict[str, Found]:
        """All files by their keys: races first, then studies, then runs, what was written last first."""
        found = self.races()
        for folder in self._studies.folders:
            for stem, each in _files(folder, STUDY_SUFFIX):
                found[f"study:{id_of(folder / f'{stem}{STUDY_SUFFIX}')}"] = each
        runs = [(f"run:{name}", each) for name, each in _ids(self.home / "runs", RUN_SUFFIX)]
        return found | dict(sorted(runs, key=lambda item: item[1].written, reverse=True))

    def some(self, keys: Iterable[str]) -> dict[str, Found | None]:
        """The files of keys, which may be anything that somebody sent; None of what there is not."""
        wanted = list(keys)
        asks = any(key.startswith("study:") for key in wanted)
        paths = {f"study:{id_of(path)}": path for path in self._studies.files()} if asks else {}
        return {key: _looked_at(path) if (path := paths.get(key) or self._path(key)) else None for key in wanted}

    def _path(self, key: str) -> Path | None:
        kind, _, name = key.partition(":")
        if kind not in _SUFFIXES or not ID.fullmatch(name):
            return None
        return self.home / ("runs" if kind == "run" else "races") / f"{name}{_SUFFIXES[kind]}"


def mark(folder: Path) -> int:
    """When a file or folder was written to, nanoseconds since 1970; 0 of none."""
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return 0


def _ids(folder: Path, suffix: str) -> Iterator[tuple[str, Found]]:
    return ((stem, found) for stem, found in _files(folder, suffix) if ID.fullmatch(stem))


def _files(folder: Path, suffix: str) -> Iterator[tuple[str, Found]]:
    """Files whose names end so, by what stands before it; an empty one may be just being made."""
    try:
        with os.scandir(folder) as listed:
            entries = {entry.name: entry for entry in listed}
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
            found = _found(entry.path, entry.stat(), log.stat() if log else None)
        except OSError:  # gone meanwhile
            continue
        if found.bytes or now - found.written > _MAKING:
            yield name[: -len(suffix)], found


def _looked_at(path: Path) -> Found | None:
    try:
        log = path.with_name(f"{path.name}-wal")
        return _found(str(path), path.stat(), log.stat() if log.exists() else None) if path.is_file() else None
    except OSError:
        return None


def _found(path: str, status: os.stat_result, log: os.stat_result | None) -> Found:
    stamp, size = f"{status.st_mtime_ns}:{status.st_size}", status.st_size
    if log is None:
        return Found(path, stamp, status.st_mtime, size)
    stamp, size = f"{stamp}:{log.st_mtime_ns}:{log.st_size}", size + log.st_size
    return Found(path, stamp, max(status.st_mtime, log.st_mtime), size)
