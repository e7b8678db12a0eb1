"""Disk cache of facts read from the library's files; safe to delete at any time."""

import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from runs.library.facts import Facts, validate

#: Increased whenever facts change in form or meaning; caches of other versions are rebuilt.
_VERSION = 6
#: SQLite application id of the cache ("Tcat").
_APPLICATION_ID = 0x54636174
_QUERY = "SELECT key, path, stamp, bytes, facts FROM files"
_SUFFIXES = ("", "-journal", "-wal", "-shm")
_log = logging.getLogger(__name__)


class CachedFile(NamedTuple):
    """A file's path, stamp when read, size in bytes, and facts."""

    path: str
    stamp: str
    bytes: int
    facts: Facts


class Cache:
    """An SQLite file with a row per run, race or study; recreated if damaged or foreign.

    Parameters
    ----------
    path : Path
    """

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, threading.Lock()
        self._connection = self._open()

    def load(self) -> dict[str, CachedFile]:
        """Return all readable rows by key."""
        cached_files = {}
        rows = self._with_recovery(lambda: self._connection.execute(_QUERY).fetchall())
        for key, path, stamp, size, text in rows or ():
            try:
                cached_files[str(key)] = CachedFile(str(path), str(stamp), int(size), _parse_facts(text))
            except (ValueError, TypeError):
                continue
        return cached_files

    def put(self, rows: Iterable[tuple[str, CachedFile]]) -> None:
        """Write rows atomically."""
        values = [(key, *row[:3], orjson.dumps(list(row.facts)).decode()) for key, row in rows if _is_text(row.path)]
        self._write("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?)", values)

    def drop(self, keys: Iterable[str]) -> None:
        """Delete rows."""
        self._write("DELETE FROM files WHERE key = ?", [(key,) for key in keys])

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def _write(self, statement: str, values: list[tuple[Any, ...]]) -> None:
        def write() -> None:
            with self._connection:  # a transaction
                self._connection.executemany(statement, values)

        if values:
            self._with_recovery(write)

    def _with_recovery(self, work: Callable[[], Any]) -> Any:
        """Call `work`; if the file is damaged, recreate it, in memory if necessary, and return None."""
        with self._lock:
            try:
                return work()
            except sqlite3.ProgrammingError:  # the cache is closed because the server is shutting down
                return None
            except sqlite3.Error as error:
                _log.warning("The library's cache is recreated: %s", error)
                self._connection.close()
                self._connection = self._recreate()
                return None

    def _open(self) -> sqlite3.Connection:
        try:
            if self._path.exists():
                return _open_connection(self._path)
        except sqlite3.Error as error:
            _log.warning("The library's cache is recreated: %s", error)
        return self._recreate()

    def _recreate(self) -> sqlite3.Connection:
        try:
            for suffix in _SUFFIXES:
                self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
            return _open_connection(self._path, new=True)
        except (OSError, sqlite3.Error) as error:
            _log.warning("The library's cache cannot be written: %s", error)
            return _open_connection(":memory:", new=True)


def _open_connection(path: Path | str, new: bool = False) -> sqlite3.Connection:
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
            raise sqlite3.DatabaseError("it is of another release")
    except BaseException:
        connection.close()
        raise
    return connection


def _is_text(path: str) -> bool:
    """Return whether SQLite can store a path, which must be UTF-8."""
    return path.isascii() or not any("\ud800" <= character <= "\udfff" for character in path)


def _parse_facts(text: Any) -> Facts:
    value = orjson.loads(text)
    if not isinstance(value, list) or len(value) != len(Facts._fields):
        raise ValueError("invalid row")
    return validate(Facts._make(tuple(field) if isinstance(field, list) else field for field in value))
