"""What the library knows of files: read in the background, kept in memory and in the cache, renewed as files change."""

import threading
import time
from collections.abc import Iterable
from pathlib import Path

from runs.library.cache import Cache, CachedFile
from runs.library.entry import UNREADABLE
from runs.library.facts import facts_of
from runs.library.files import COARSE, CatalogueFiles, Found

#: Seconds that a search waits for files that came or went; then it answers with what is known.
PATIENCE = 0.2
#: Seconds after which files are looked at again whose folders have not changed: while something goes on, and else.
_LIVELY, _QUIET = 1.0, 10.0
#: Rows that are written to the cache at once.
_BATCH = 50


class LibraryScanner:
    """Rows by key.

    Parameters
    ----------
    files : CatalogueFiles
    cache : Path
        Where the cache is, or is made.

    Attributes
    ----------
    pending : int
        Files that are still to be read.
    """

    def __init__(self, files: CatalogueFiles, cache: Path) -> None:
        self._files, self._cache_path = files, cache
        self._guard, self._looking = threading.RLock(), threading.Lock()
        self._cache: Cache | None = None
        self._rows: dict[str, CachedFile] = {}
        self._aside: dict[str, CachedFile] = {}  # of files in the trash, which come back as they were
        self._races: set[str] = set()
        self._changed: set[str] = set()
        self._thread: threading.Thread | None = None
        self._marks: tuple[int, ...] = ()
        self._looked = -_QUIET
        self._closed = False
        self.pending = 1  # as long as nobody has looked

    def refresh(self, lively: bool) -> None:
        """Have files looked at if need be, and wait for that for a moment if files came or went.

        Parameters
        ----------
        lively : bool
            Whether something goes on that writes to files.
        """
        self._opened()
        with self._guard:
            marks = self._files.marks()
            moved = marks != self._marks
            due = moved or time.monotonic() - self._looked >= (_LIVELY if lively else _QUIET)
            if due and not self._closed and (self._thread is None or not self._thread.is_alive()):
                self._thread = threading.Thread(target=self._look, name="catalogue", daemon=True)
                self._thread.start()
            thread = self._thread
        if thread is not None and moved:
            thread.join(PATIENCE)

    def take_changes(self) -> dict[str, CachedFile | None]:
        """What has changed since this was asked last: by key the row, None of what has gone."""
        with self._guard:
            changed, self._changed = self._changed, set()
            return {key: self._rows.get(key) for key in changed}

    def renew(self, keys: Iterable[str]) -> None:
        """Look at some files now; none of a key that has no file."""
        found = self._files.some(keys)
        self.forget([key for key, each in found.items() if each is None])
        self._keep({key: self._read(key, each) for key, each in found.items() if each and self._is_new(key, each)})

    def renew_races(self) -> None:
        """Look at all races now: they say which runs are lanes."""
        found = self._files.races()
        with self._guard:
            gone = self._races - found.keys()
        self.forget(gone)
        self._keep({key: self._read(key, each) for key, each in found.items() if self._is_new(key, each)})

    def forget(self, keys: Iterable[str]) -> None:
        """Drop the rows of files that have gone."""
        with self._guard:
            gone = [key for key in keys if key in self._rows]
            self._aside.update((key, self._rows.pop(key)) for key in gone)
            self._races.difference_update(gone)
            self._changed.update(gone)
        if gone:
            self._opened().drop(gone)

    def rebuild(self) -> int:
        """Forget all rows, and read every file again; how many there are."""
        with self._looking:
            self._opened().clear()
            with self._guard:
                self._changed.update(self._rows)
                self._rows.clear()
                self._aside.clear()
                self._races.clear()
        self._look()
        return len(self._rows)

    def close(self) -> None:
        """Read no more."""
        with self._guard:
            self._closed, thread = True, self._thread
        if thread is not None:
            thread.join(2.0)
        if self._cache is not None:
            self._cache.close()

    def _opened(self) -> Cache:
        with self._guard:
            if self._cache is None:
                self._cache = Cache(self._cache_path)
                self._rows = self._cache.load() | self._rows
                self._races = {key for key in self._rows if key.startswith("race:")}
                self._changed.update(self._rows)
            return self._cache

    def _look(self) -> None:
        """Look at all files, and read those that have changed."""
        with self._looking:
            self._opened()
            began, marks = time.time_ns(), self._files.marks()
            found = self._files.all()
            with self._guard:
                self._looked = time.monotonic()
                self._marks = marks if max(marks, default=0) < began - COARSE else ()
                gone = self._rows.keys() - found.keys()
                stale = {key: each for key, each in found.items() if self._is_new(key, each)}
                self.pending = len(stale)
            self.forget(gone)
            self._read_all(stale)

    def _read_all(self, stale: dict[str, Found]) -> None:
        batch: dict[str, CachedFile] = {}
        for key, found in stale.items():
            if self._closed:
                break
            row = self._read(key, found)
            if row.facts.state != UNREADABLE or Path(found.path).is_file():  # else deleted meanwhile
                batch[key] = row
            self.pending -= 1
            if len(batch) == _BATCH or not self.pending:
                self._keep(batch)
                batch = {}
        self.pending = 0

    def _is_new(self, key: str, found: Found) -> bool:
        row = self._rows.get(key)
        return row is None or (row.path, row.stamp) != (found.path, found.stamp)

    def _read(self, key: str, found: Found) -> CachedFile:
        before = self._aside.pop(key, None)
        if before and (before.path, before.stamp) == (found.path, found.stamp):
            return before
        return CachedFile(found.path, found.stamp, found.bytes, facts_of(key.partition(":")[0], Path(found.path)))

    def _keep(self, rows: dict[str, CachedFile]) -> None:
        """Remember rows; those of damaged files in memory alone, for the next server may be able to read them."""
        if not rows:
            return
        with self._guard:
            self._rows.update(rows)
            self._races.update(key for key in rows if key.startswith("race:"))
            self._changed.update(rows)
        self._opened().put((key, row) for key, row in rows.items() if row.facts.state != UNREADABLE)
