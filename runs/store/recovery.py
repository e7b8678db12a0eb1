"""Run files left by a killed server: their last event is on disk, their end is missing."""

import logging
import sqlite3
from pathlib import Path

from runs.store.reader import RunReader
from runs.store.run_file import FINAL, RunWriter

REASON = "The server ended while this run was going."
_log = logging.getLogger(__name__)


def recover(path: Path, reason: str = REASON) -> None:
    """Mark a run that no worker is running any more as interrupted; a run that has ended keeps its state.

    A file that cannot be read or written is left unchanged, and logged.
    """
    try:
        with RunReader(path) as reader:
            state = reader.meta().state
        if state not in FINAL:
            RunWriter(path).interrupt(reason)
        elif path.with_name(f"{path.name}-wal").exists():
            RunWriter(path).finish()
    except (sqlite3.Error, ValueError, TypeError, LookupError) as error:
        _log.warning("The run file %s cannot be used: %s", path.name, error)
