"""Reading a study file, also while another process works on it."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
import orjson

from data.errors import InvalidInstance
from data.moments import moment_of
from solvers.errors import InvalidParams
from studies.errors import InvalidStudy
from studies.file.checks import check_instance, places, plain, result_of, sound, tour_of, unpacked
from studies.file.columns import entries_of, instances_of, plan_of, runs_of
from studies.file.connection import connected
from studies.file.lock import taken
from studies.pool.run_log import logs_of
from studies.spec.matrix import Cell
from studies.spec.spec import StudySpec
from studies.stats.table import Table

FORMAT = 1
SUFFIX = ".tourstudy"
#: Tells `file` and us that an SQLite file is one of ours ("Tstu").
APPLICATION_ID = 0x54737475
STATES = ("waiting", "running", "finished", "failed")


@dataclass(frozen=True, slots=True)
class InstanceRow:
    """What a study file tells of an instance; `text` is a TSPLIB file."""

    name: str
    n: int
    optimum: int | None
    proven: bool
    sha256: str


@dataclass(frozen=True, slots=True)
class CellRow:
    """How far one cell of the matrix is.

    Attributes
    ----------
    cell : Cell
    state : str
        One of `STATES`.
    sentence : str
        Why it failed.
    took : float or None
        Seconds that it took, compilation apart.
    """

    cell: Cell
    state: str
    sentence: str
    took: float | None


class StudyReader:
    """What a study file holds.

    Parameters
    ----------
    path : Path

    Attributes
    ----------
    spec : StudySpec
    created : float
        Seconds since 1970; as `data.moments.moment_of` has it.

    Raises
    ------
    InvalidStudy
        If it is no study file, of another version, or damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_file():
            raise InvalidStudy(f"There is no study {path.name}.")
        with sound(path.name):
            self._connection = connected(path)
        try:
            self.created, self.spec = self._head()
        except BaseException:
            self._connection.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _head(self) -> tuple[float, StudySpec]:
        name = self.path.name
        with sound(name):
            try:
                ours = self._one("PRAGMA application_id")[0] == APPLICATION_ID
                version = self._one("PRAGMA user_version")[0]
                if ours and version == FORMAT:
                    if self._one("SELECT count(*) FROM sqlite_master WHERE type IN ('view', 'trigger')")[0]:
                        raise InvalidStudy(f"{name} is damaged: it holds what no study does.")
                    created, spec = self._one("SELECT created, spec FROM study")
                    return moment_of(created, self.path), StudySpec.from_json(orjson.loads(spec))
            except (InvalidParams, InvalidInstance) as error:
                raise InvalidStudy(f"{name} is damaged: {error}") from error
            except (sqlite3.OperationalError, InvalidStudy):
                raise
            except (sqlite3.DatabaseError, ValueError, TypeError) as error:
                raise InvalidStudy(f"{name} is no study file, or damaged.") from error
        if ours:
            raise InvalidStudy(f"{name} is of version {version}; this release reads version {FORMAT}.")
        raise InvalidStudy(f"{name} is no study file.")

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let all that is read in the block be of one moment, whatever is written meanwhile."""
        with sound(self.path.name):
            self._connection.execute("BEGIN")
        try:
            yield
        finally:
            if self._connection.in_transaction:  # SQLite has ended it itself where it could not read on
                self._connection.execute("ROLLBACK")

    def at_work(self) -> bool:
        """Whether a process works on the study just now; of a lock that is not ours to open nobody can tell."""
        try:
            return taken(self.path)
        except OSError:
            return False

    @cached_property
    def instances(self) -> tuple[InstanceRow, ...]:
        """The study's instances, in its order."""
        with sound(self.path.name):
            rows = self._all("SELECT name, n, optimum, proven, sha256 FROM instances ORDER BY number")
            if len(rows) != len(self.spec.instances):
                raise ValueError("There is not a row for each instance.")
            for name, n, optimum, _, sha256 in rows:
                check_instance(name, n, optimum, sha256)
        return tuple(InstanceRow(name, n, optimum, bool(proven), sha) for name, n, optimum, proven, sha in rows)

    def instance_text(self, number: int) -> bytes:
        """An instance as a TSPLIB file."""
        with sound(self.path.name):
            return unpacked(self._one("SELECT text FROM instances WHERE number = ?", number)[0])

    def counts(self) -> dict[str, int]:
        """How many cells are in each state."""
        with sound(self.path.name):
            found = dict(self._all("SELECT state, count(*) FROM cells GROUP BY state"))
            if set(found) - set(STATES):
                raise ValueError("A cell is in no state that there is.")
        return {state: found.get(state, 0) for state in STATES}

    def cells(self) -> Iterator[CellRow]:
        """Every cell, in order."""
        with sound(self.path.name):
            query = "SELECT number, instance, entry, seed, state, sentence, took FROM cells ORDER BY number"
            rows = self._all(query)
            self._places(rows)
            if len(rows) != self.total or any(row[4] not in STATES for row in rows):
                raise ValueError("The cells are not those of the study.")
            told = [float(row[6]) if row[6] is not None else None for row in rows]
        for (number, instance, entry, seed, state, sentence, _), took in zip(rows, told, strict=True):
            yield CellRow(Cell(number, instance, entry, seed), state, plain(sentence), took)

    def failures(self) -> list[tuple[str, int]]:
        """Why runs failed, and how many for each reason, the most frequent first."""
        with sound(self.path.name):
            query = "SELECT sentence, count(*) FROM cells WHERE state = 'failed' GROUP BY sentence ORDER BY 2 DESC, 1"
            return [(plain(sentence), count) for sentence, count in self._all(query)]

    @property
    def total(self) -> int:
        """How many runs the study has."""
        return len(self.spec.instances) * len(self.spec.entries) * self.spec.seeds.count

    def results(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Number and result of every finished cell, in order."""
        with sound(self.path.name):
            query = "SELECT number, result FROM cells WHERE state = 'finished' ORDER BY number"
            found = [(number, result_of(result)) for number, result in self._all(query)]
        yield from found

    def tour(self, number: int) -> np.ndarray:
        """The best tour of a finished cell, shape (n,), int32."""
        with sound(self.path.name):
            blob, instance = self._one("SELECT tour, instance FROM cells WHERE number = ?", number)
            return tour_of(blob, self.instances[instance].n)

    def table(self) -> Table:
        """All finished runs and their logs, in order of the cells, and what else was planned; see
        `studies.stats.table`.
        """
        with sound(self.path.name):
            query = (
                "SELECT number, instance, entry, seed, result, log FROM cells WHERE state = 'finished' ORDER BY number"
            )
            rows = self._all(query)
            results = [result_of(row[4]) for row in rows]
            runs, proofs = (
                runs_of(self._places(rows), results),
                np.array([result["proven"] for result in results], bool),
            )
            failed = "SELECT instance, entry, count(*) FROM cells WHERE state = 'failed' GROUP BY instance, entry"
            plan, logs = plan_of(self.spec, self._all(failed)), logs_of([row[5] for row in rows])
            names, optima, proven = zip(*((row.name, row.optimum, row.proven) for row in self.instances), strict=True)
            return Table(instances_of(names, optima, proven, runs, proofs), entries_of(self.spec), runs, logs, plan)

    def _places(self, rows: Sequence[tuple[Any, ...]]) -> np.ndarray:
        """Instance, entry and seed of rows that begin with the number and these, shape (3, rows), int64."""
        told = np.array([row[:4] for row in rows], np.int64).reshape(-1, 4).T
        wanted = places(self.spec, told[0])
        if not np.array_equal(wanted, told[1:]):
            raise ValueError("A cell is not where it should be.")
        return wanted

    def _one(self, query: str, *values: Any) -> tuple[Any, ...]:
        rows = self._all(query, *values)
        if not rows:
            raise InvalidStudy(f"{self.path.name} lacks what it should hold.")
        return rows[0]

    def _all(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with closing(self._connection.execute(query, values)) as cursor:
            return cursor.fetchall()
