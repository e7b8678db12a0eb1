"""Repairs run files of a killed server, which have a last event but no end."""

import contextlib
import logging
import sqlite3
from pathlib import Path

from data.sqlite_files import is_merged
from runs.store.reader import RunReader
from runs.store.run_file import FINAL, RunWriter

REASON = "The server ended while this run was going."
_log = logging.getLogger(__name__)


def recover(path: Path, reason: str = REASON) -> None:
    """Mark a run without a worker as interrupted; an ended run keeps its state.

    A file that cannot be read or written is left unchanged, and logged. For a run that has ended, only one byte is
    read, since a starting server may check thousands of runs.
    """
    try:
        _roll_back(path)
        if is_merged(path):
            return
        with RunReader(path) as reader:
            state = reader.meta().state
        if state not in FINAL:
            RunWriter(path).interrupt(reason)
        elif path.with_name(f"{path.name}-wal").exists():
            RunWriter(path).finish()
    except (OSError, sqlite3.Error, ValueError, TypeError, LookupError) as error:
        _log.warning("The run file %s cannot be used: %s", path.name, error)


def _roll_back(path: Path) -> None:
    """Roll back the write during which the server was killed, which a read-only reader cannot do.

    A rollback journal exists only briefly, while the write-ahead log begins and ends.
    """
    if path.with_name(f"{path.name}-journal").exists():
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
