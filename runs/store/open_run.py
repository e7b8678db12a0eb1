"""Opens a run file for reading, and explains failures in a sentence."""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from data.sqlite_files import is_full, is_read_only
from runs.store.reader import NewerRunFormat, RunReader

_log = logging.getLogger(__name__)


class NoSuchRun(LookupError):
    """There is no such run."""

    def __init__(self, sentence: str = "There is no such run.") -> None:
        super().__init__(sentence)


class UnreadableRun(NoSuchRun):
    """A run's file is damaged, not a run file, or from a newer release."""

    def __init__(self, sentence: str = "") -> None:
        super().__init__(sentence or "The file of this run cannot be read: it is damaged, or not a TourScope run.")


class NoSuchField(LookupError):
    """The run has no pheromone picture at or before this iteration."""

    def __init__(self) -> None:
        super().__init__("The run has no picture of that iteration.")


class NoSuchAscent(LookupError):
    """No steps of the bound are stored for the run's instance."""

    def __init__(self) -> None:
        super().__init__("The steps that led to this bound are not kept.")


class NoSuchClimb(LookupError):
    """The run has no such climber, or cannot show its climb."""

    def __init__(self) -> None:
        super().__init__("The run has no such climb.")


@contextmanager
def open_run(path: Path) -> Iterator[RunReader]:
    """Context manager: a reader of a run file.

    Raises
    ------
    NoSuchRun
    UnreadableRun
        For any error in its contents.
    sqlite3.Error, OSError
        If the disk is full or cannot be written.
    """
    try:
        with RunReader(path) as reader:
            yield reader
    except (sqlite3.Error, OSError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError) as error:
        if not path.is_file():  # deleted in the meantime
            raise NoSuchRun from None
        if is_full(error) or is_read_only(error):
            raise
        _log.warning("The run file of %s cannot be read: %s", path.stem, error)
        raise UnreadableRun(str(error) if isinstance(error, NewerRunFormat) else "") from error
