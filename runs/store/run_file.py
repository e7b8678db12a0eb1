"""The run file: an SQLite file per run, written during the run and read by viewers."""

import contextlib
import errno
import os
import sqlite3
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from data.sqlite_files import merge_log, open_database, transaction
from solvers.worker.frames import encode

FORMAT = 1
SUFFIX = ".tourscope"
#: Suffix of a file name until the file is complete.
UNFINISHED = ".new"
#: SQLite application id of a run file ("Tour"), which the command `file` also recognises.
APPLICATION_ID = 0x546F7572
STATES = ("queued", "running", "paused", "finished", "cancelled", "failed", "interrupted")
FINAL = frozenset(STATES[3:])
#: Kinds of events that are read only to assemble climbs.
BULK = "('moves', 'edges')"
#: Kinds of events that are read one at a time, by iteration.
PICTURES = ("field", "ants")
#: Kinds of events that explain the climb after them.
EXPLANATIONS = ("choices", "crossover", "deposits", "steps")
#: Condition for events in the log. Its first part is the index's condition, unchanged since the first format.
LOGGED = f"kind NOT IN {BULK} AND kind NOT IN {(*PICTURES, *EXPLANATIONS)}"
#: Seconds between checkpoints of the write-ahead log.
CHECKPOINT_EVERY = 1.0
#: Memory for pages of a run that is being written, in KiB: events are only appended.
_CACHE_KIB = 200

SCHEMA = f"""
CREATE TABLE run (format INTEGER, id TEXT, created REAL, spec TEXT, instance BLOB, state TEXT, reason TEXT,
  adopted INTEGER);
CREATE TABLE events (seq INTEGER PRIMARY KEY, at REAL, kind TEXT, frame BLOB);
CREATE TABLE pieces (climber INTEGER, first INTEGER, seq INTEGER, PRIMARY KEY (climber, first, seq)) WITHOUT ROWID;
CREATE TABLE pictures (kind TEXT, iteration INTEGER, seq INTEGER, PRIMARY KEY (kind, iteration)) WITHOUT ROWID;
CREATE INDEX log ON events (seq, kind) WHERE kind NOT IN {BULK};
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """An event to be written to the file.

    Attributes
    ----------
    at : float
        Time at which the worker made the event, in seconds since 1970.
    kind : str
    frame : bytes
    pieces : tuple of (int, int)
        Climber and first move of each piece of a climb in the event.
    iteration : int or None
        The iteration shown, if the event's kind is one of `PICTURES`.
    """

    at: float
    kind: str
    frame: bytes
    pieces: tuple[tuple[int, int], ...] = ()
    iteration: int | None = None


def make_state_entry(state: str, reason: str, at: float | None = None) -> Entry:
    """Return a state's event, at the time when the worker entered it, if known."""
    at = at or time.time()
    return Entry(at, "state", encode("state", {"state": state, "reason": reason, "at": at}, {}))


class RunFileGone(OSError):
    """The file was deleted during the run."""


class RunWriter:
    """Appends a run's events; one thread at a time may use it.

    Parameters
    ----------
    path : Path
        Path of a file made by `create`.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection = open_database(path)
        self._connection.execute("PRAGMA wal_autocheckpoint = 0")
        self._connection.execute(f"PRAGMA cache_size = {-_CACHE_KIB}")
        self._seq: int = self._connection.execute("SELECT coalesce(max(seq), 0) FROM events").fetchone()[0]
        self._checkpointed = time.monotonic()

    @classmethod
    def create(
        cls, path: Path, run: str, created: float, spec: str, instance: bytes, adopted: bool = False
    ) -> "RunWriter":
        """Create a run file with state ``running``, which gets its name once complete.

        Parameters
        ----------
        path : Path
            Must not exist.
        run : str
            The run's id.
        created : float
            Seconds since 1970.
        spec : str
            JSON of the `RunSpec`.
        instance : bytes
            Frame of the instance.
        adopted : bool
            Whether the run was imported from a file.
        """
        if path.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
        unfinished = path.with_name(f"{path.name}{UNFINISHED}")
        try:
            with contextlib.closing(sqlite3.connect(unfinished, isolation_level=None)) as connection:
                connection.execute("PRAGMA synchronous = OFF")  # safe for a new file, since nobody has seen the run yet
                connection.execute("PRAGMA journal_mode = WAL")  # a run file without such a log has ended
                connection.executescript(
                    f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {FORMAT}; BEGIN; {SCHEMA} COMMIT;"
                )
                row = (FORMAT, run, created, spec, instance, "running", "", int(adopted))
                connection.execute("INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            unfinished.rename(path)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise
        return cls(path)

    def append(self, entries: Iterable[Entry], state: tuple[str, str] | None = None) -> int:
        """Append events in a transaction.

        Parameters
        ----------
        entries : iterable of Entry
        state : (str, str), optional
            The run's new state and its reason.

        Returns
        -------
        int
            Sequence number of the last event.

        Raises
        ------
        RunFileGone
            If the file was deleted, which is checked once a second.
        sqlite3.Error
        """
        numbered = list(enumerate(entries, self._seq + 1))
        pieces = [(*piece, seq) for seq, entry in numbered for piece in entry.pieces]
        pictures = [(entry.kind, entry.iteration, seq) for seq, entry in numbered if entry.iteration is not None]
        with transaction(self._connection):
            rows = ((seq, entry.at, entry.kind, entry.frame) for seq, entry in numbered)
            self._connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?)", rows)
            self._connection.executemany("INSERT INTO pieces VALUES (?, ?, ?)", pieces)
            self._connection.executemany("INSERT OR REPLACE INTO pictures VALUES (?, ?, ?)", pictures)
            if state:
                self._connection.execute("UPDATE run SET state = ?, reason = ?", state)
        self._seq += len(numbered)
        self._checkpoint()
        return self._seq

    def interrupt(self, reason: str) -> None:
        """Mark the run as interrupted and finish the file."""
        state = ("interrupted", reason)
        self.append([make_state_entry(*state)], state)
        self.finish()

    def finish(self) -> None:
        """Merge the run into a single file (see `data.sqlite_files.merge_log`) and close it."""
        merge_log(self._connection)
        self.close()

    def close(self) -> None:
        """Close the file unchanged."""
        self._connection.close()

    def _checkpoint(self) -> None:
        if time.monotonic() - self._checkpointed >= CHECKPOINT_EVERY:
            self._checkpointed = time.monotonic()
            if not self._path.exists():  # the system still allows writing, but nobody could read the file any more
                raise RunFileGone(self._path.name)
            with contextlib.suppress(sqlite3.OperationalError):  # on a full disk the events stay in the write-ahead log
                self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
