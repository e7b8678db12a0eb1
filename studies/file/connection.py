"""The SQLite file of a study, opened to be read."""

import os
import sqlite3
from pathlib import Path


def connected(path: Path) -> sqlite3.Connection:
    """The file, to be read alone.

    A study that was killed says that it has a write-ahead log. Where that log is not there and cannot be made, for the
    folder is closed, nobody writes to the study either, and it is read as it is.
    """
    connection = _connect(path, "mode=ro")
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        if not path.with_name(f"{path.name}-wal").exists() and not os.access(path.absolute().parent, os.W_OK):
            connection.close()
            return _connect(path, "immutable=1")
    except sqlite3.DatabaseError:
        pass  # whoever reads on is told what is wrong with it
    return connection


def _connect(path: Path, how: str) -> sqlite3.Connection:
    address = f"{path.resolve().as_uri()}?{how}"
    return sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False, timeout=10.0)
