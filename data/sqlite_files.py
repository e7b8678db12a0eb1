"""SQLite files that can be read while they are written, and are single files once complete."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def opened(path: Path) -> sqlite3.Connection:
    """Open an existing file for writing with a write-ahead log, by any thread."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10.0)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Run the statements of the block in one transaction."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # on a full disk, SQLite has ended it already
            connection.execute("ROLLBACK")
        raise


def fold(connection: sqlite3.Connection) -> None:
    """Merge the write-ahead log into the file, so that it is a single file.

    Waits for readers. If one stays too long, the log is kept, and merged when the file is next opened for writing.
    """
    try:
        connection.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError:
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")


def copy(connection: sqlite3.Connection, target: Path) -> None:
    """Copy a database in its current state into a single file, which must be empty or missing."""
    made = sqlite3.connect(target)
    try:
        connection.backup(made)
        made.execute("PRAGMA journal_mode = DELETE")
    finally:
        made.close()
