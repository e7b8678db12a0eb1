"""Opens a run file to read, and says in a sentence why that fails."""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from data.sqlite_files import is_full, is_read_only
from runs.store.reader import NewerRun, RunReader

_log = logging.getLogger(__name__)


class NoSuchRun(LookupError):
    """There is no run of that id."""

    def __init__(self, sentence: str = "There is no such run.") -> None:
        super().__init__(sentence)


class UnreadableRun(NoSuchRun):
    """The file of a run is damaged, not a run file, or of a newer release."""

    def __init__(self, sentence: str = "") -> None:
        super().__init__(sentence or "The file of this run cannot be read: it is damaged, or not a TourScope run.")


class NoSuchField(LookupError):
    """The run has no picture of the trails at or before that iteration."""

    def __init__(self) -> None:
        super().__init__("The run has no picture of that iteration.")


class NoSuchAscent(LookupError):
    """No steps of the bound of the run's instance are stored."""

    def __init__(self) -> None:
        super().__init__("The steps that led to this bound are not kept.")


class NoSuchClimb(LookupError):
    """The run has no such climber, or its climb cannot be shown."""

    def __init__(self) -> None:
        super().__init__("The run has no such climb.")


@contextmanager
def open_run(path: Path) -> Iterator[RunReader]:
    """Context manager: a reader of a run file.

    Raises
    ------
    NoSuchRun
    UnreadableRun
        Whatever is wrong with its contents.
    sqlite3.Error, OSError
        If the disk is full or cannot be written.
    """
    try:
        with RunReader(path) as reader:
            yield reader
    except (sqlite3.Error, OSError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError) as error:
        if not path.is_file():  # it was deleted meanwhile
            raise NoSuchRun from None
        if is_full(error) or is_read_only(error):
            raise
        _log.warning("The run file of %s cannot be read: %s", path.stem, error)
        raise UnreadableRun(str(error) if isinstance(error, NewerRun) else "") from error
