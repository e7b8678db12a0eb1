"""Reads the library's files in the background when they change, into memory and the cache."""

import threading
import time
from collections.abc import Iterable
from pathlib import Path

from runs.library.cache import Cache, CachedFile
from runs.library.entry import UNREADABLE
from runs.library.facts import read_facts
from runs.library.files import TIMESTAMP_NS, FileStatus, LibraryFiles

#: Maximum time in seconds that a search waits for a scan after files were added or removed.
SCAN_TIMEOUT = 0.2
#: Seconds between scans if no folder has changed: while anything writes to files, and at other times.
_ACTIVE_SECONDS, _IDLE_SECONDS = 1.0, 10.0
#: Number of rows that are written to the cache at once.
_BATCH = 50


class LibraryScanner:
    """The facts of all files by key.

    Parameters
    ----------
    files : LibraryFiles
    cache : Path
        Path of the cache's file, created if it does not exist.

    Attributes
    ----------
    pending : int
        Number of files that have not been read yet.
    """

    def __init__(self, files: LibraryFiles, cache: Path) -> None:
        self._files, self._cache_path = files, cache
        self._lock, self._scan_lock = threading.RLock(), threading.Lock()
        self._cache: Cache | None = None
        self._rows: dict[str, CachedFile] = {}
        self._trash_rows: dict[str, CachedFile] = {}  # rows of files in the trash, which may be restored unchanged
        self._races: set[str] = set()
        self._changed_keys: set[str] = set()
        self._thread: threading.Thread | None = None
        self._marks: tuple[int, ...] = ()
        self._last_scan = -_IDLE_SECONDS
        self._closed = False
        self.pending = 1  # unknown before the first scan

    def refresh(self, active: bool) -> None:
        """Scan in the background if due; wait briefly if files were added or removed.

        Parameters
        ----------
        active : bool
            Whether a run, race or study is writing to files.
        """
        self._open_cache()
        with self._lock:
            marks = self._files.marks()
            has_changed = marks != self._marks
            due = has_changed or time.monotonic() - self._last_scan >= (_ACTIVE_SECONDS if active else _IDLE_SECONDS)
            if due and not self._closed and (self._thread is None or not self._thread.is_alive()):
                self._thread = threading.Thread(target=self._scan, name="library", daemon=True)
                self._thread.start()
            thread = self._thread
        if thread is not None and has_changed:
            thread.join(SCAN_TIMEOUT)

    def take_changes(self) -> dict[str, CachedFile | None]:
        """Return the changes since the last call: new rows by key, None for missing files."""
        with self._lock:
            changed, self._changed_keys = self._changed_keys, set()
            return {key: self._rows.get(key) for key in changed}

    def renew(self, keys: Iterable[str]) -> None:
        """Check some files now and read changed ones; drop rows of missing files."""
        files = self._files.find_files(keys)
        self.forget([key for key, file in files.items() if file is None])
        self._store(
            {key: self._read(key, file) for key, file in files.items() if file and self._has_changed(key, file)}
        )

    def renew_races(self) -> None:
        """Check all races now, because they determine which runs are lanes."""
        files = self._files.races()
        with self._lock:
            missing = self._races - files.keys()
        self.forget(missing)
        self._store({key: self._read(key, file) for key, file in files.items() if self._has_changed(key, file)})

    def renew_unsolved(self, n: int) -> None:
        """Reread unsolved runs on instances of this size, after one optimum was proven."""
        self._open_cache()
        with self._lock:
            keys = [key for key, row in self._rows.items() if _is_unsolved(key, row, n)]
            self._trash_rows = {key: row for key, row in self._trash_rows.items() if not _is_unsolved(key, row, n)}
        self._store({key: self._read(key, file) for key, file in self._files.find_files(keys).items() if file})

    def forget(self, keys: Iterable[str]) -> None:
        """Drop rows of missing files."""
        with self._lock:
            missing = [key for key in keys if key in self._rows]
            self._trash_rows.update((key, self._rows.pop(key)) for key in missing)
            self._races.difference_update(missing)
            self._changed_keys.update(missing)
        if missing:
            self._open_cache().drop(missing)

    def close(self) -> None:
        """Stop reading and close the cache."""
        with self._lock:
            self._closed, thread = True, self._thread
        if thread is not None:
            thread.join(2.0)
        if self._cache is not None:
            self._cache.close()

    def _open_cache(self) -> Cache:
        with self._lock:
            if self._cache is None:
                self._cache = Cache(self._cache_path)
                self._rows = self._cache.load() | self._rows
                self._races = {key for key in self._rows if key.startswith("race:")}
                self._changed_keys.update(self._rows)
            return self._cache

    def _scan(self) -> None:
        """Check all files and read changed ones."""
        with self._scan_lock:
            self._open_cache()
            start, marks = time.time_ns(), self._files.marks()
            files = self._files.all()
            with self._lock:
                self._last_scan = time.monotonic()
                self._marks = marks if max(marks, default=0) < start - TIMESTAMP_NS else ()
                missing = self._rows.keys() - files.keys()
                stale = {key: file for key, file in files.items() if self._has_changed(key, file)}
                self.pending = len(stale)
            self.forget(missing)
            self._read_all(stale)

    def _read_all(self, stale: dict[str, FileStatus]) -> None:
        batch: dict[str, CachedFile] = {}
        for key, file in stale.items():
            if self._closed:
                break
            row = self._read(key, file)
            if row.facts.state != UNREADABLE or Path(file.path).is_file():  # else the file was deleted meanwhile
                batch[key] = row
            self.pending -= 1
            if len(batch) == _BATCH or not self.pending:
                self._store(batch)
                batch = {}
        self.pending = 0

    def _has_changed(self, key: str, file: FileStatus) -> bool:
        row = self._rows.get(key)
        return row is None or (row.path, row.stamp) != (file.path, file.stamp)

    def _read(self, key: str, file: FileStatus) -> CachedFile:
        before = self._trash_rows.pop(key, None)
        if before and (before.path, before.stamp) == (file.path, file.stamp):
            return before
        return CachedFile(file.path, file.stamp, file.bytes, read_facts(key.partition(":")[0], Path(file.path)))

    def _store(self, rows: dict[str, CachedFile]) -> None:
        """Store rows; rows of damaged files stay in memory, since another release may be able to read the files."""
        if not rows:
            return
        with self._lock:
            self._rows.update(rows)
            self._races.update(key for key in rows if key.startswith("race:"))
            self._changed_keys.update(rows)
        self._open_cache().put((key, row) for key, row in rows.items() if row.facts.state != UNREADABLE)


def _is_unsolved(key: str, row: CachedFile, n: int) -> bool:
    """Return whether a row is a run on `n` cities with an unknown gap."""
    return key.startswith("run:") and row.facts.n == n and row.facts.gap_percent is None
