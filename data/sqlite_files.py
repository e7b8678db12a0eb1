"""SQLite files that are read while they are written, and are a single file each once complete."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def opened(path: Path) -> sqlite3.Connection:
    """A file that is there, to be written with a write-ahead log, by any thread."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10.0)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All of the statements in the block, or none."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # where the disk is full, SQLite has ended it itself
            connection.execute("ROLLBACK")
        raise


def fold(connection: sqlite3.Connection) -> None:
    """Fold the write-ahead log in, so that there is one file.

    A reader in the way is waited for; if it stays, the file keeps its log and is folded in when it is next opened.
    """
    try:
        connection.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError:
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")


def copy(connection: sqlite3.Connection, target: Path) -> None:
    """Copy what there is, as it stands, into one file, which is empty or not there."""
    made = sqlite3.connect(target)
    try:
        connection.backup(made)
        made.execute("PRAGMA journal_mode = DELETE")
    finally:
        made.close()
