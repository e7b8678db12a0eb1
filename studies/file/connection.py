"""Opens a study's SQLite file for reading."""

import os
import sqlite3
from pathlib import Path


def open_read_only(path: Path) -> sqlite3.Connection:
    """Open the file read-only.

    After its writer was killed, a study file still refers to a write-ahead log. If that log is missing and cannot be
    created, because the folder is read-only, nobody writes to the study either, so it is opened as immutable.
    """
    connection = _connect(path, "mode=ro")
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        if not path.with_name(f"{path.name}-wal").exists() and not os.access(path.absolute().parent, os.W_OK):
            connection.close()
            return _connect(path, "immutable=1")
    except sqlite3.DatabaseError:
        pass  # the next query will report the error
    return connection


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    address = f"{path.resolve().as_uri()}?{mode}"
    return sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False, timeout=10.0)
