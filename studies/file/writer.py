"""The study file: one SQLite file a study, written a whole run at a time, so that a kill loses runs under way alone."""

import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import orjson

from data.instance import Instance
from data.sqlite_files import fold, opened, transaction
from studies.errors import InvalidStudy
from studies.file.create import create, resolved
from studies.file.lock import StudyLock
from studies.file.reader import StudyReader
from studies.spec.matrix import prepared
from studies.spec.spec import StudySpec

#: Milliseconds that readers have for letting a study that ends have its file.
_READERS_MS = 500
#: Seconds after which the write-ahead log is folded in: what a power cut may cost.
_FOLD_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one run came to.

    Attributes
    ----------
    result : dict
        As `solvers.result.result` has it, and ``iterations``, ``seconds_to_best`` and ``threads``; ``climbs`` as
        `studies.pool.run_log.Climbs` has it.
    tour : bytes
        The best tour, int32, little-endian.
    log : bytes
        Its improvements, `studies.pool.run_log.ROW`.
    """

    result: dict[str, Any]
    tour: bytes
    log: bytes


class StudyFile:
    """A study that this process works on: it is locked until it is closed. May be used by several threads.

    Parameters
    ----------
    path : Path
    spec : StudySpec, optional
        The study that it is to be; a file that is not there is made of it.
    uploads : Path, optional
        Where instances are kept that are referred to by their hash.
    given : sequence of Instance, optional
        Instances that references may mean by their hash beside those.

    Attributes
    ----------
    spec : StudySpec

    Raises
    ------
    InvalidStudy
        If the file is none, is of another study, or an instance is one that a study cannot have.
    StudyTaken
        If another process works on it.
    InvalidParams, DeviceUnavailable
        If a new study has algorithms or parameters that are not good; nothing is made then.
    InvalidInstance
        If an instance is not to be had.
    """

    def __init__(
        self, path: Path, spec: StudySpec | None = None, uploads: Path | None = None, given: Sequence[Instance] = ()
    ) -> None:
        self.path, self._guard, self._closed, self._folded = path, threading.Lock(), False, time.monotonic()
        self._lock = StudyLock(path)
        try:
            if not path.exists():
                if spec is None:
                    raise InvalidStudy(f"There is no study {path.name}.")
                prepared(spec)
                create(path, spec, resolved(spec, uploads, given))
            with StudyReader(path) as reader:
                self.spec = reader.spec
            if spec is not None and not spec.same_runs(self.spec):
                raise InvalidStudy(f"{path.name} holds another study: choose another file, or move that one away.")
            self._connection = opened(path)
        except BaseException:
            self._lock.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def again(self) -> None:
        """Have all runs wait that were under way when a process was killed, or that failed."""
        self._write("UPDATE cells SET state = 'waiting', sentence = '' WHERE state IN ('running', 'failed')", [()])

    def begin(self, number: int) -> None:
        """Note that a run is under way."""
        self._write("UPDATE cells SET state = 'running' WHERE number = ?", [(number,)])

    def finish(self, number: int, outcome: Outcome, took: float) -> None:
        """Keep what a run came to, and the seconds that it took, compilation apart."""
        row = (took, orjson.dumps(outcome.result), outcome.tour, outcome.log, number)
        self._write(
            "UPDATE cells SET state = 'finished', took = ?, result = CAST(? AS TEXT), tour = ?, log = ? "
            "WHERE number = ?",
            [row],
        )

    def fail(self, number: int, sentence: str) -> None:
        """Keep why a run failed."""
        self._write("UPDATE cells SET state = 'failed', sentence = ? WHERE number = ?", [(sentence, number)])

    def wait(self, numbers: Iterable[int]) -> None:
        """Have runs wait again that were cancelled."""
        self._write("UPDATE cells SET state = 'waiting' WHERE number = ?", [(number,) for number in numbers])

    def rename(self, title: str) -> None:
        """Give the study another title.

        Raises
        ------
        InvalidParams
            If it is none.
        """
        self.spec = StudySpec.from_json({**self.spec.to_json(), "title": title})
        self._write("UPDATE study SET spec = ?", [(orjson.dumps(self.spec.to_json()).decode(),)])

    def close(self) -> None:
        """Fold the write-ahead log in, so that the study is one file, and let it go.

        A reader in the way is waited for a moment; if it stays, so does the log, until the study is opened again.
        """
        with self._guard:
            if self._closed:
                return
            self._closed = True
            self._connection.execute(f"PRAGMA busy_timeout = {_READERS_MS}")
            fold(self._connection)
            self._connection.close()
        self._lock.close()

    def _write(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """All of the rows, or none."""
        with self._guard:
            with transaction(self._connection):
                self._connection.executemany(statement, rows)
            if time.monotonic() - self._folded >= _FOLD_SECONDS:
                self._folded = time.monotonic()
                self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
