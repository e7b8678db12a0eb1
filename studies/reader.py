"""Reading a study file, also while another process works on it."""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
import orjson

from data.errors import InvalidInstance
from solvers.errors import InvalidParams
from studies.cells import Cell, prepared, units
from studies.errors import InvalidStudy
from studies.improvements import logs_of
from studies.lock import taken
from studies.spec import StudySpec
from studies.table import Entries, Instances, Runs, Table

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
        Seconds since 1970.

    Raises
    ------
    InvalidStudy
        If it is no study file, of another version, or damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_file():
            raise InvalidStudy(f"There is no study {path.name}.")
        self._connection = sqlite3.connect(
            f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None, check_same_thread=False, timeout=10.0
        )
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
        try:
            ours = self._one("PRAGMA application_id")[0] == APPLICATION_ID
            version = self._one("PRAGMA user_version")[0]
            if ours and version == FORMAT:
                created, spec = self._one("SELECT created, spec FROM study")
                return float(created), StudySpec.from_json(orjson.loads(spec))
        except InvalidStudy:
            raise
        except (sqlite3.DatabaseError, ValueError, TypeError) as error:
            if isinstance(error, sqlite3.OperationalError):
                raise InvalidStudy(f"{name} cannot be read: {error}.") from error
            if isinstance(error, InvalidParams | InvalidInstance):
                raise InvalidStudy(f"{name} is damaged: {error}") from error
            raise InvalidStudy(f"{name} is no study file, or damaged.") from error
        if ours:
            raise InvalidStudy(f"{name} is of version {version}; this release reads version {FORMAT}.")
        raise InvalidStudy(f"{name} is no study file.")

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let all that is read in the block be of one moment, whatever is written meanwhile."""
        self._connection.execute("BEGIN")
        try:
            yield
        finally:
            self._connection.execute("ROLLBACK")

    def at_work(self) -> bool:
        """Whether a process works on the study just now."""
        return taken(self.path)

    @cached_property
    def instances(self) -> tuple[InstanceRow, ...]:
        """The study's instances, in its order."""
        rows = self._all("SELECT name, n, optimum, proven, sha256 FROM instances ORDER BY number")
        return tuple(InstanceRow(name, n, optimum, bool(proven), sha) for name, n, optimum, proven, sha in rows)

    def instance_text(self, number: int) -> bytes:
        """An instance as a TSPLIB file."""
        return zlib.decompress(self._one("SELECT text FROM instances WHERE number = ?", number)[0])

    def counts(self) -> dict[str, int]:
        """How many cells are in each state."""
        found = dict(self._all("SELECT state, count(*) FROM cells GROUP BY state"))
        return {state: found.get(state, 0) for state in STATES}

    def cells(self) -> Iterator[CellRow]:
        """Every cell, in order."""
        query = "SELECT number, instance, entry, seed, state, sentence, took FROM cells ORDER BY number"
        for number, instance, entry, seed, state, sentence, took in self._all(query):
            yield CellRow(Cell(number, instance, entry, seed), state, sentence, took)

    def results(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Number and result of every finished cell, in order."""
        query = "SELECT number, result FROM cells WHERE state = 'finished' ORDER BY number"
        for number, result in self._all(query):
            yield number, orjson.loads(result)

    def tour(self, number: int) -> np.ndarray:
        """The best tour of a finished cell, shape (n,), int32."""
        return np.frombuffer(self._one("SELECT tour FROM cells WHERE number = ?", number)[0], "<i4")

    def table(self) -> Table:
        """All finished runs and their logs, in order of the cells; see `studies.table`."""
        query = "SELECT instance, entry, seed, result, log FROM cells WHERE state = 'finished' ORDER BY number"
        rows = self._all(query)
        results = [orjson.loads(row[3]) for row in rows]

        def column(name: str, dtype: type) -> np.ndarray:
            return np.array([result[name] for result in results], dtype)

        runs = Runs(
            instance=np.array([row[0] for row in rows], np.int64),
            entry=np.array([row[1] for row in rows], np.int64),
            seed=np.array([row[2] for row in rows], np.int64),
            length=column("length", np.int64),
            seconds=column("seconds", np.float64),
            seconds_to_best=column("seconds_to_best", np.float64),
            evaluations=column("evaluations", np.int64),
            iterations=column("iterations", np.int64),
            stop_reason=column("stop_reason", np.str_),
            device=column("device", np.str_),
        )
        return Table(self._instance_columns(), self._entry_columns(), runs, logs_of([row[4] for row in rows]))

    def _instance_columns(self) -> Instances:
        rows = self.instances
        optima = np.array([row.optimum or 0 for row in rows], np.int64)
        return Instances(tuple(row.name for row in rows), optima, np.array([row.proven for row in rows], bool))

    def _entry_columns(self) -> Entries:
        told = units(prepared(self.spec))
        return Entries(
            tuple(entry.label for entry in self.spec.entries),
            tuple(unit["evaluations"] for unit in told),
            tuple(unit["iterations"] for unit in told),
        )

    def _one(self, query: str, *values: Any) -> tuple[Any, ...]:
        rows = self._all(query, *values)
        if not rows:
            raise InvalidStudy(f"{self.path.name} lacks what it should hold.")
        return rows[0]

    def _all(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with closing(self._connection.execute(query, values)) as cursor:
            return cursor.fetchall()
