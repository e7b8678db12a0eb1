"""SQLite files that can be read while they are written, become single files once complete, and may be untrusted."""

import errno
import logging
import sqlite3
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

_log = logging.getLogger(__name__)
_Contents = TypeVar("_Contents")

#: Maximum size in bytes of a value, and of a statement's text, in an untrusted file; larger ones raise
#: `sqlite3.DataError`.
_MAX_VALUE = 256 << 20
_MAX_SQL = 1 << 16
#: SQLite's errors for a full disk: on writing, and when the index of the write-ahead log grows.
_FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE)


def is_full(error: BaseException | None) -> bool:
    """Return whether an error, or its cause, says that the disk is full."""
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", None) in _FULL
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    return error is not None and is_full(error.__cause__)


def is_read_only(error: BaseException | None) -> bool:
    """Return whether an error, or its cause, says that the disk is not writable, as after damage."""
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_READONLY
    if isinstance(error, OSError):
        return error.errno == errno.EROFS
    return error is not None and is_read_only(error.__cause__)


def open_database(path: Path) -> sqlite3.Connection:
    """Open an existing file for writing by any thread, with a write-ahead log."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10.0)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


def open_store(
    path: Path, schema: str, load: Callable[[sqlite3.Connection], _Contents]
) -> tuple[sqlite3.Connection, _Contents]:
    """Open one of the server's small SQLite files, creating it if missing, and load its contents.

    Parameters
    ----------
    path : Path
        A damaged file is renamed, and a new one takes its place.
    schema : str
        Statements that create missing tables.
    load : callable
        Loads the contents; its errors count as damage.
    """
    try:
        return _open_store(path, schema, load)
    except (sqlite3.DatabaseError, ValueError, KeyError, TypeError) as error:
        aside = path.with_name(f"{path.stem}.damaged-{time.time_ns()}{path.suffix}")
        _log.warning("%s is damaged; the file is now %s: %s", path.name, aside.name, error)
        path.rename(aside)
        return _open_store(path, schema, load)


def _open_store(
    path: Path, schema: str, load: Callable[[sqlite3.Connection], _Contents]
) -> tuple[sqlite3.Connection, _Contents]:
    connection = sqlite3.connect(path, check_same_thread=False, timeout=10.0)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.executescript(schema)
        return connection, load(connection)
    except BaseException:
        connection.close()
        raise


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Context manager: run the block's statements in one transaction."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # on a full disk, SQLite has already ended the transaction
            connection.execute("ROLLBACK")
        raise


def read_stamp(path: Path) -> tuple[tuple[int, int], ...]:
    """Return the modification times (nanoseconds) and sizes of a file and its write-ahead log.

    Until the log is merged into the file, writes only change the log. A missing file has (0, 0).
    """
    stats = []
    for each in (path, path.with_name(f"{path.name}-wal")):
        try:
            status = each.stat()
        except OSError:
            stats.append((0, 0))
        else:
            stats.append((status.st_mtime_ns, status.st_size))
    return tuple(stats)


def merge_log(connection: sqlite3.Connection) -> None:
    """Merge the write-ahead log, so that the database is a single file.

    Waits for readers. If one stays too long, or the disk is full, the log is kept, and merged when the file is next
    opened for writing.
    """
    try:
        connection.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError:
        with suppress(sqlite3.OperationalError):
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")


def is_merged(path: Path) -> bool:
    """Return whether a file's header declares no write-ahead log (SQLite's file format, section 1.3.3)."""
    with path.open("rb") as file:
        return file.read(19)[18:] == b"\1"


def copy(connection: sqlite3.Connection, target: Path) -> None:
    """Copy a database's current state to a single file, which must be empty or missing."""
    database = sqlite3.connect(target)
    try:
        connection.backup(database)
        database.execute("PRAGMA journal_mode = DELETE")
    finally:
        database.close()


def restrict_untrusted(connection: sqlite3.Connection, tables: Collection[str]) -> None:
    """Prepare to read an untrusted file: allow only plain tables, and execute nothing in it.

    Parameters
    ----------
    connection : Connection
    tables : collection of str
        Names of the tables to read.

    Raises
    ------
    ValueError
        If a table is missing, is not a plain table, or has generated or hidden columns, which can compute unbounded
        values when read; or if the file has views or triggers.
    """
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_VALUE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, _MAX_SQL)
    entries = connection.execute("SELECT type, name, rootpage FROM sqlite_master").fetchall()
    if any(kind in ("view", "trigger") for kind, *_ in entries):
        raise ValueError("it has views or triggers.")
    plain = {name for kind, name, page in entries if kind == "table" and page}  # a virtual table has no page
    if not plain.issuperset(tables):
        raise ValueError("its tables are not those of such a file.")
    query = "SELECT count(*) FROM pragma_table_xinfo(?) WHERE hidden <> 0"
    if any(connection.execute(query, (name,)).fetchone()[0] for name in tables):
        raise ValueError("it has hidden columns.")
