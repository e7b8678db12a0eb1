"""Reads a study file, even while another process writes to it."""

import os
import re
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from data.errors import InvalidInstance
from data.instance import UNITS, Instance
from data.moments import read_moment
from data.sqlite_files import restrict_untrusted
from solvers import SOLVERS
from solvers.core.errors import InvalidParams
from studies.errors import InvalidStudy
from studies.file.checks import (
    as_invalid_study,
    check_instance,
    decompress,
    locate_cells,
    parse_result,
    parse_tour,
    reduce_to_line,
)
from studies.file.columns import build_entries, build_instances, build_measured, build_plan, build_runs, select_fields
from studies.file.instances import parse_instance
from studies.file.lock import is_locked
from studies.file.trials import build_trials, count_trials, load_importances
from studies.pool.run_log import decode_logs
from studies.spec.matrix import Cell
from studies.spec.spec import StudySpec
from studies.stats.references import References
from studies.stats.table import Table
from studies.tuning.trials import Trial, find_references, find_winner


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


FORMAT = 1
SUFFIX = ".tourstudy"
#: SQLite application id of a study file ("Tstu"), which the command `file` also recognises.
APPLICATION_ID = 0x54737475
TABLES = ("study", "instances", "cells")
#: Additional tables of a tuning study.
TUNING_TABLES = ("trials", "trial_runs", "importances")
STATES = ("waiting", "running", "finished", "failed")


#: Number of an instance's compressed bytes that certainly include its header.
_HEAD = 4096
_KIND = re.compile(rb"^EDGE_WEIGHT_TYPE: (\w+)$", re.MULTILINE)


def _find_unit(text: Any) -> str:
    """Return the unit of an instance's lengths, from the start of its text; empty if damaged."""
    try:
        kind = _KIND.search(zlib.decompressobj().decompress(text, _HEAD))
    except (zlib.error, TypeError):
        return ""
    return UNITS.get(kind[1].decode("ascii"), "") if kind else ""


@dataclass(frozen=True, slots=True)
class InstanceRow:
    """An instance in a study file; `unit` is the unit of its lengths, see `data.instance.Instance.unit`."""

    name: str
    n: int
    optimum: int | None
    proven: bool
    sha256: str
    unit: str = ""


@dataclass(frozen=True, slots=True)
class CellRow:
    """The state of a cell of the matrix.

    Attributes
    ----------
    cell : Cell
    state : str
        One of `STATES`.
    sentence : str
        Reason for a failure.
    seconds : float or None
        Duration in seconds, without compilation.
    """

    cell: Cell
    state: str
    sentence: str
    seconds: float | None


class StudyReader(AbstractContextManager["StudyReader"]):
    """Reads a study file.

    Parameters
    ----------
    path : Path

    Attributes
    ----------
    spec : StudySpec
        The spec. Once the trials of a tuning study are over, its tuned entry has the parameters found.
    created : float
        Seconds since 1970, see `data.moments.read_moment`.

    Raises
    ------
    InvalidStudy
        If the file is not a study file, has another version, or is damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_file():
            raise InvalidStudy(f"There is no study {path.name}.")
        with as_invalid_study(path.name):
            self._connection = open_read_only(path)
        try:
            self.created, self.spec = self._read_head()
            if self.spec.tune is not None:
                self._check_untrusted(TUNING_TABLES)
                self.spec = self._with_found_params()
        except BaseException:
            self._connection.close()
            raise

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _read_head(self) -> tuple[float, StudySpec]:
        name = self.path.name
        with as_invalid_study(name):
            try:
                ours = self._query_one("PRAGMA application_id")[0] == APPLICATION_ID
                version = self._query_one("PRAGMA user_version")[0]
                if ours and version == FORMAT:
                    self._check_untrusted()
                    created, text = self._query_one("SELECT created, spec FROM study")
                    spec = StudySpec.from_json(orjson.loads(text))
                    SOLVERS.tolerate(stage.algorithm for entry in spec.entries for stage in entry.stages)
                    return read_moment(created, self.path), spec
            except (sqlite3.OperationalError, InvalidStudy, InvalidParams, InvalidInstance):
                raise
            except (sqlite3.DatabaseError, ValueError, TypeError) as error:
                raise InvalidStudy(f"{name} is not a study file, or damaged.") from error
        if ours:
            raise InvalidStudy(f"{name} is of version {version}; this release reads version {FORMAT}.")
        raise InvalidStudy(f"{name} is not a study file.")

    def _check_untrusted(self, tables: Sequence[str] = TABLES) -> None:
        """Treat the file as untrusted, since anybody may have put it into a server's working directory."""
        try:
            restrict_untrusted(self._connection, tables)
        except ValueError as error:
            raise InvalidStudy(f"{self.path.name} is damaged: {error}") from error

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Context manager: read everything in the block from one state of the file, whatever is written meanwhile."""
        with as_invalid_study(self.path.name):
            self._connection.execute("BEGIN")
        try:
            yield
        finally:
            if self._connection.in_transaction:  # after some errors, SQLite has already ended the transaction
                self._connection.execute("ROLLBACK")

    def is_being_worked_on(self) -> bool:
        """Return whether a process is working on the study; False if the lock cannot be opened."""
        try:
            return is_locked(self.path)
        except OSError:
            return False

    @property
    def instances(self) -> tuple[InstanceRow, ...]:
        """The study's instances in order."""
        return self.all_instances[: len(self.spec.instances)]

    @property
    def training(self) -> tuple[InstanceRow, ...]:
        """A tuning study's training instances in order."""
        count = 0 if self.spec.tune is None else len(self.spec.tune.instances)
        return tuple(self.all_instances[self.spec.training(k)[0]] for k in range(count))

    @cached_property
    def all_instances(self) -> tuple[InstanceRow, ...]:
        """The instances of `StudySpec.all_instances`."""
        with as_invalid_study(self.path.name):
            rows = self._query_all(
                "SELECT name, n, optimum, proven, sha256, substr(text, 1, ?) FROM instances ORDER BY number", _HEAD
            )
            if len(rows) != len(self.spec.all_instances):
                raise ValueError("There is not a row for each instance.")
            for name, n, optimum, _, sha256, _ in rows:
                check_instance(name, n, optimum, sha256)
            return tuple(
                InstanceRow(name, n, optimum, bool(proven), sha256, _find_unit(text))
                for name, n, optimum, proven, sha256, text in rows
            )

    def instance_text(self, number: int) -> bytes:
        """Return an instance as a TSPLIB file."""
        with as_invalid_study(self.path.name):
            return decompress(self._query_one("SELECT text FROM instances WHERE number = ?", number)[0])

    def instance(self, number: int) -> Instance:
        """Return an instance with its cities and best known tours."""
        with as_invalid_study(self.path.name):
            return parse_instance(self.instance_text(number))

    def counts(self) -> dict[str, int]:
        """Return the number of cells, or of a tuning study's trials, in each state.

        Runs saved by pruning are not counted.
        """
        with as_invalid_study(self.path.name):
            counts = dict(self._query_all("SELECT state, count(*) FROM cells GROUP BY state"))
            if set(counts) - set(STATES):
                raise ValueError("A cell is in an unknown state.")
        result = {state: counts.get(state, 0) for state in STATES}
        if self.spec.tune is not None:
            for state, count in count_trials(self.spec, self.trials()).items():
                result[state] += count
        return result

    def trials(self) -> tuple[Trial, ...]:
        """Return a tuning study's trials so far, in order; empty for other studies."""
        if self.spec.tune is None:
            return ()
        with as_invalid_study(self.path.name):
            rows = self._query_all("SELECT number, params, state, counted, sentence FROM trials ORDER BY number")
            runs = self._query_all("SELECT trial, step, length, took FROM trial_runs ORDER BY trial, step")
            return build_trials(self.spec, rows, runs)

    def importances(self) -> tuple[dict[str, float], int]:
        """Return each parameter's importance in a tuning study, and how many complete trials it is based on."""
        if self.spec.tune is None:
            return {}, 0
        with as_invalid_study(self.path.name):
            rows = self._query_all("SELECT parameter, share, trials FROM importances")
            return load_importances(self.spec, rows)

    def trial_references(self, trials: Sequence[Trial]) -> References:
        """Return the reference lengths for trials' gaps."""
        return find_references(self.spec, trials, [(row.optimum, row.proven) for row in self.training])

    def _with_found_params(self) -> StudySpec:
        """Return the spec with the parameters that the trials found, once all trials are over."""
        trials = self.trials()
        best_trial = find_winner(self.spec, trials, self.trial_references(trials)) if trials else None
        return self.spec if best_trial is None else self.spec.with_tuned(best_trial.params)

    def cells(self) -> Iterator[CellRow]:
        """Yield all cells in order."""
        with as_invalid_study(self.path.name):
            query = "SELECT number, instance, entry, seed, state, sentence, took FROM cells ORDER BY number"
            rows = self._query_all(query)
            self._check_locations(rows)
            if len(rows) != self.total or any(row[4] not in STATES for row in rows):
                raise ValueError("The cells are not those of the study.")
            durations = [float(row[6]) if row[6] is not None else None for row in rows]
        for (number, instance, entry, seed, state, sentence, _), took in zip(rows, durations, strict=True):
            yield CellRow(Cell(number, instance, entry, seed), state, reduce_to_line(sentence), took)

    def failures(self) -> list[tuple[str, int]]:
        """Return reasons for failed runs with their counts, most frequent first."""
        with as_invalid_study(self.path.name):
            query = "SELECT sentence, count(*) FROM cells WHERE state = 'failed' GROUP BY sentence ORDER BY 2 DESC, 1"
            return [(reduce_to_line(sentence), count) for sentence, count in self._query_all(query)]

    @property
    def total(self) -> int:
        """Number of cells of the matrix, not counting a tuning study's trials."""
        return len(self.spec.instances) * len(self.spec.entries) * self.spec.seeds.count

    def results(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield number and result of each finished cell, in order."""
        with as_invalid_study(self.path.name):
            query = "SELECT number, result FROM cells WHERE state = 'finished' ORDER BY number"
            results = [(number, parse_result(result)) for number, result in self._query_all(query)]
        yield from results

    def tour(self, number: int) -> np.ndarray:
        """Return a finished cell's best tour, (n,) int32."""
        with as_invalid_study(self.path.name):
            blob, instance = self._query_one("SELECT tour, instance FROM cells WHERE number = ?", number)
            return parse_tour(blob, self.instances[instance].n)

    def tours(self, instance: int, entry: int | None = None) -> Iterator[tuple[int, np.ndarray]]:
        """Yield number and best tour, (n,) int32, of each finished cell on an instance, for one entry or all."""
        with as_invalid_study(self.path.name):
            rows = self._query_all(
                "SELECT number, entry FROM cells WHERE state = 'finished' AND instance = ?", instance
            )
        for number, entry_number in sorted(rows):
            if entry is None or entry_number == entry:
                yield number, self.tour(number)

    def table(self) -> Table:
        """Return the table of finished runs with logs, in cell order, and the plan."""
        with as_invalid_study(self.path.name):
            query = (
                "SELECT number, instance, entry, seed, result, log FROM cells WHERE state = 'finished' ORDER BY number"
            )
            with closing(self._connection.execute(query)) as cursor:
                rows = [(row[:4], select_fields(parse_result(row[4])), row[5]) for row in cursor]
            places, results = self._check_locations([row[0] for row in rows]), [row[1] for row in rows]
            runs, proofs = build_runs(places, results), np.array([result["proven"] for result in results], bool)
            failed = "SELECT instance, entry, count(*) FROM cells WHERE state = 'failed' GROUP BY instance, entry"
            plan, logs = build_plan(self.spec, self._query_all(failed)), decode_logs([row[2] for row in rows])
            names, optima, proven = zip(*((row.name, row.optimum, row.proven) for row in self.instances), strict=True)
            instances = build_instances(names, optima, proven, runs, proofs)
            measured = build_measured(self.spec, [row.n for row in self.instances], places, results)
            return Table(instances, build_entries(self.spec), runs, logs, plan, measured)

    def _check_locations(self, rows: Sequence[tuple[Any, ...]]) -> np.ndarray:
        """Check rows of number, instance, entry, seed, ...; return the latter three, (3, rows) int64."""
        columns = np.array([row[:4] for row in rows], np.int64).reshape(-1, 4).T
        expected = locate_cells(self.spec, columns[0])
        if not np.array_equal(expected, columns[1:]):
            raise ValueError("A cell has a wrong instance, entry or seed.")
        return expected

    def _query_one(self, query: str, *values: Any) -> tuple[Any, ...]:
        rows = self._query_all(query, *values)
        if not rows:
            raise InvalidStudy(f"{self.path.name} lacks a row that a study has.")
        return rows[0]

    def _query_all(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with closing(self._connection.execute(query, values)) as cursor:
            return cursor.fetchall()
