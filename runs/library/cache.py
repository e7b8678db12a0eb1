"""What the library has read of files, kept over the end of the server: a cache, which may be thrown away any time."""

import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from runs.library.facts import Facts, checked

#: Raised whenever facts change their form or their meaning: older caches are then made anew.
_VERSION = 2
#: Tells an SQLite file of ours ("Tcat").
_APPLICATION_ID = 0x54636174
_QUERY = "SELECT key, path, stamp, bytes, facts FROM files"
_BESIDE = ("", "-journal", "-wal", "-shm")
_log = logging.getLogger(__name__)


class CachedFile(NamedTuple):
    """The facts of a file, where it is, the stamp that it had when it was read, and its bytes."""

    path: str
    stamp: str
    bytes: int
    facts: Facts


class Cache:
    """One SQLite file with a row a run, race or study. What is damaged, or not ours, is made anew.

    Parameters
    ----------
    path : Path
    """

    def __init__(self, path: Path) -> None:
        self._path, self._guard = path, threading.Lock()
        self._connection = self._opened()

    def load(self) -> dict[str, CachedFile]:
        """All rows by key, those apart that cannot be read."""
        found = {}
        rows = self._safely(lambda: self._connection.execute(_QUERY).fetchall())
        for key, path, stamp, size, text in rows or ():
            try:
                found[str(key)] = CachedFile(str(path), str(stamp), int(size), _facts(text))
            except (ValueError, TypeError):
                continue
        return found

    def put(self, rows: Iterable[tuple[str, CachedFile]]) -> None:
        """Keep rows; all or none."""
        values = [(key, *row[:3], orjson.dumps(list(row.facts)).decode()) for key, row in rows if _is_text(row.path)]
        self._write("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?)", values)

    def drop(self, keys: Iterable[str]) -> None:
        """Forget some."""
        self._write("DELETE FROM files WHERE key = ?", [(key,) for key in keys])

    def clear(self) -> None:
        """Forget all."""
        self._write("DELETE FROM files", [()])

    def close(self) -> None:
        """Close the file."""
        with self._guard:
            self._connection.close()

    def _write(self, statement: str, values: list[tuple[Any, ...]]) -> None:
        def write() -> None:
            with self._connection:  # a transaction
                self._connection.executemany(statement, values)

        if values:
            self._safely(write)

    def _safely(self, work: Callable[[], Any]) -> Any:
        """Do it; a file that is damaged is made anew, and one that cannot be written to is done without."""
        with self._guard:
            try:
                return work()
            except sqlite3.ProgrammingError:  # closed, for the server ends
                return None
            except sqlite3.Error as error:
                _log.warning("The library's cache is made anew: %s", error)
                self._connection.close()
                self._connection = self._made_anew()
                return None

    def _opened(self) -> sqlite3.Connection:
        try:
            if self._path.exists():
                return _connected(self._path)
        except sqlite3.Error as error:
            _log.warning("The library's cache is made anew: %s", error)
        return self._made_anew()

    def _made_anew(self) -> sqlite3.Connection:
        try:
            for ending in _BESIDE:
                self._path.with_name(self._path.name + ending).unlink(missing_ok=True)
            return _connected(self._path, new=True)
        except (OSError, sqlite3.Error) as error:
            _log.warning("The library goes without its cache: %s", error)
            return _connected(":memory:", new=True)


def _connected(path: Path | str, new: bool = False) -> sqlite3.Connection:
    connection = sqlite3.connect(os.fspath(path), check_same_thread=False, timeout=5.0)
    try:
        connection.execute("PRAGMA synchronous = OFF")
        if new:
            connection.executescript(
                f"PRAGMA application_id = {_APPLICATION_ID}; PRAGMA user_version = {_VERSION}; "
                "CREATE TABLE files (key TEXT PRIMARY KEY, path TEXT, stamp TEXT, bytes INTEGER, facts TEXT);"
            )
        marks = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
        if marks != [_APPLICATION_ID, _VERSION]:
            raise sqlite3.DatabaseError("it is none of this release")
    except BaseException:
        connection.close()
        raise
    return connection


def _is_text(path: str) -> bool:
    """Whether SQLite takes a path: one of bytes that are no UTF-8 it does not."""
    return path.isascii() or not any("\ud800" <= character <= "\udfff" for character in path)


def _facts(text: Any) -> Facts:
    value = orjson.loads(text)
    if not isinstance(value, list) or len(value) != len(Facts._fields):
        raise ValueError("a row is none")
    return checked(Facts._make(tuple(field) if isinstance(field, list) else field for field in value))
