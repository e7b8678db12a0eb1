"""Writes a study file in one transaction per run, so that a kill only loses runs in progress."""

import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from data.instance import Instance
from data.sqlite_files import merge_log, open_database, transaction
from studies.errors import InvalidStudy
from studies.file.create import create, resolve_instances
from studies.file.lock import StudyLock
from studies.file.reader import StudyReader
from studies.spec.matrix import prepare_entries
from studies.spec.spec import StudySpec
from studies.tuning.packages import check

#: Milliseconds for which `close` waits for readers.
_READERS_MS = 500
#: Seconds between checkpoints of the write-ahead log; a power cut may lose everything since the last one.
_CHECKPOINT_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a run.

    Attributes
    ----------
    result : dict
        See `solvers.result.build_result`; with ``iterations``, ``seconds_to_best``, ``threads``, and ``climbs`` of
        `studies.pool.run_log.Climbs`.
    tour : bytes
        The best tour, int32, little-endian.
    log : bytes
        Improvements of the run, `studies.pool.run_log.ROW`.
    """

    result: dict[str, Any]
    tour: bytes
    log: bytes


class StudyFile(AbstractContextManager["StudyFile"]):
    """The study on which this process is working, locked until `close`; thread-safe.

    Parameters
    ----------
    path : Path
    spec : StudySpec, optional
        The expected study; a missing file is created from it.
    uploads : Path, optional
        Folder of instances referenced by hash.
    instances : sequence of Instance, optional
        Further instances that may be referenced by hash.

    Attributes
    ----------
    spec : StudySpec

    Raises
    ------
    InvalidStudy
        If the file is not a study file or holds another study, or an instance does not suit a study.
    StudyLocked
        If another process is working on it.
    InvalidParams, DeviceUnavailable
        If an algorithm or a parameter of a new study is invalid; no file is created in that case.
    InvalidInstance
        If an instance is not available.
    """

    def __init__(
        self, path: Path, spec: StudySpec | None = None, uploads: Path | None = None, instances: Sequence[Instance] = ()
    ) -> None:
        self.path, self._write_lock, self._closed, self._checkpointed = path, threading.Lock(), False, time.monotonic()
        self._lock = StudyLock(path)
        try:
            if not path.exists():
                if spec is None:
                    raise InvalidStudy(f"There is no study {path.name}.")
                prepare_entries(spec)
                check(spec)
                create(path, spec, resolve_instances(spec, uploads, instances))
            with StudyReader(path) as reader:
                self.spec = reader.spec
            if spec is not None and not spec.same_runs(self.spec):
                raise InvalidStudy(f"{path.name} holds another study: choose another file, or move that one away.")
            self._connection = open_database(path)
        except BaseException:
            self._lock.close()
            raise

    def __exit__(self, *_: object) -> None:
        self.close()

    def requeue(self) -> None:
        """Set failed and interrupted runs to waiting."""
        self._write("UPDATE cells SET state = 'waiting', sentence = '' WHERE state IN ('running', 'failed')", [()])

    def begin(self, number: int) -> None:
        """Set a run to running."""
        self._write("UPDATE cells SET state = 'running' WHERE number = ?", [(number,)])

    def finish(self, number: int, outcome: Outcome, seconds: float) -> None:
        """Store a run's outcome and its seconds without compilation."""
        row = (seconds, orjson.dumps(outcome.result), outcome.tour, outcome.log, number)
        self._write(
            "UPDATE cells SET state = 'finished', took = ?, result = CAST(? AS TEXT), tour = ?, log = ? "
            "WHERE number = ?",
            [row],
        )

    def fail(self, number: int, sentence: str) -> None:
        """Store why a run failed."""
        self._write("UPDATE cells SET state = 'failed', sentence = ? WHERE number = ?", [(sentence, number)])

    def wait(self, numbers: Iterable[int]) -> None:
        """Set cancelled runs to waiting."""
        self._write("UPDATE cells SET state = 'waiting' WHERE number = ?", [(number,) for number in numbers])

    def add_trials(self, first: int, trials: Sequence[Mapping[str, Any]], steps: int) -> None:
        """Store the parameters of a tuning study's next trials, from number `first`, with `steps` runs each."""
        rows = [(first + k, orjson.dumps(params).decode(), steps) for k, params in enumerate(trials)]
        self._write("INSERT INTO trials VALUES (?, ?, 'running', ?, '')", rows)

    def finish_trial_run(self, trial: int, step: int, outcome: Outcome, seconds: float) -> None:
        """Store a trial's run."""
        row = (trial, step, outcome.result["length"], seconds, orjson.dumps(outcome.result), outcome.tour)
        self._write("INSERT OR REPLACE INTO trial_runs VALUES (?, ?, ?, '', ?, CAST(? AS TEXT), ?)", [row])

    def fail_trial_run(self, trial: int, step: int, sentence: str) -> None:
        """Store why a trial's run failed."""
        row = (trial, step, sentence)
        self._write("INSERT OR REPLACE INTO trial_runs VALUES (?, ?, NULL, ?, NULL, NULL, NULL)", [row])

    def decide(self, trial: int, state: str, counted: int, sentence: str = "") -> None:
        """Store a trial's final state, and how many of its runs count."""
        row = (state, counted, sentence, trial)
        self._write("UPDATE trials SET state = ?, counted = ?, sentence = ? WHERE number = ?", [row])

    def set_importances(self, shares: Mapping[str, float], trials: int) -> None:
        """Store parameters' importances in a tuning study, and how many complete trials they are based on."""
        rows = [(name, share, trials) for name, share in shares.items()]
        self._write("INSERT OR REPLACE INTO importances VALUES (?, ?, ?)", rows)

    def rename(self, title: str) -> None:
        """Change the study's title.

        Raises
        ------
        InvalidParams
            If the title is invalid.
        """
        self.spec = replace(self.spec, title=StudySpec.from_json({**self.spec.to_json(), "title": title}).title)
        self._write("UPDATE study SET spec = ?", [(orjson.dumps(self.spec.to_json()).decode(),)])

    def close(self) -> None:
        """Merge the write-ahead log into the study file and unlock it.

        Waits briefly for readers. If one stays, the log remains until the study is opened again.
        """
        with self._write_lock:
            if self._closed:
                return
            self._closed = True
            self._connection.execute(f"PRAGMA busy_timeout = {_READERS_MS}")
            merge_log(self._connection)
            self._connection.close()
        self._lock.close()

    def _write(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """Execute a statement for all rows in a single transaction."""
        with self._write_lock:
            with transaction(self._connection):
                self._connection.executemany(statement, rows)
            if time.monotonic() - self._checkpointed >= _CHECKPOINT_SECONDS:
                self._checkpointed = time.monotonic()
                self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
