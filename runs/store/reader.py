"""Reads run files, even while they are written. Readers are short-lived: open, read, close."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from data.collection.proofs import attach_proof
from data.moments import read_moment
from data.sqlite_files import copy
from runs.store.home import PROOFS
from runs.store.run_file import APPLICATION_ID, FORMAT, LOGGED, PICTURES, STATES
from solvers.worker.frames import decode, decode_instance, encode, encode_instance_frame


@dataclass(frozen=True, slots=True)
class Meta:
    """The run file's first row.

    ``created`` is as in `data.moments.read_moment`. ``adopted`` says whether the run was imported from a file; older
    files do not record this and count as runs of this server.
    """

    id: str
    created: float
    spec: dict[str, Any]
    state: str
    reason: str
    adopted: bool


class NewerRunFormat(ValueError):
    """The run file was written in the format of a newer release; the message is a full sentence."""

    def __init__(self, version: int) -> None:
        super().__init__(
            f"This run has format {version}, of a newer release of TourScope; this release reads {FORMAT}."
        )


class RunReader(AbstractContextManager["RunReader"]):
    """A read-only view of a run file and a context manager; usable by one thread at a time.

    Parameters
    ----------
    path : Path

    Raises
    ------
    ValueError
        If the file is not a run file, or its format is unknown; `NewerRunFormat` if a newer release knows the format.
    sqlite3.Error
        If the file cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        # an answer sent in steps reads and closes it in any of the server's threads
        self._connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False, timeout=10.0
        )
        try:
            self._check()
        except BaseException:
            self._connection.close()
            raise

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def _check(self) -> None:
        (application,) = self._connection.execute("PRAGMA application_id").fetchone()
        if application != APPLICATION_ID:
            raise ValueError("This is not a TourScope run.")
        (version,) = self._connection.execute("SELECT format FROM run").fetchone()
        if isinstance(version, int) and version > FORMAT:
            raise NewerRunFormat(version)
        if version != FORMAT:
            raise ValueError(f"This run has format {version}; this release reads {FORMAT}.")

    def meta(self) -> Meta:
        """Return the run's id, date, spec and state.

        Raises
        ------
        ValueError
            If the file's first row is not that of a run.
        """
        row = self._connection.execute("SELECT id, created, spec, state, reason FROM run").fetchone()
        run, created, spec, state, reason = row or (None,) * 5
        if not isinstance(run, str) or state not in STATES or not isinstance(reason, str):
            raise ValueError("The run's first row is invalid.")
        return Meta(run, read_moment(created, self._path), _parse_spec(spec), state, reason, self._read_adopted())

    def _read_adopted(self) -> bool:
        if not self._connection.execute("SELECT 1 FROM pragma_table_info('run') WHERE name = 'adopted'").fetchone():
            return False
        return bool(self._connection.execute("SELECT adopted FROM run").fetchone()[0])

    def instance(self) -> bytes:
        """Return the instance's frame, with an optimum proven in this data folder since the run.

        With negative distances, only a proof made here counts: an earlier release may have written a wrong optimum.
        """
        raw = self._read_raw_instance()
        frame = decode(raw)
        proven = bool(frame.values.get("proven"))
        if proven and "weights" not in frame.arrays:
            return raw
        decoded = instance = decode_instance(frame)
        if proven:
            if not instance.has_negative:
                return raw
            instance = replace(instance, optimum=None, proven=False, optimal_tour=None)
        with_proof = attach_proof(instance, self._path.absolute().parent.parent / PROOFS)
        return raw if with_proof is decoded else encode_instance_frame(with_proof)

    def _read_raw_instance(self) -> bytes:
        return self._connection.execute("SELECT instance FROM run").fetchone()[0]

    @cached_property
    def _is_misled(self) -> bool:
        """Whether this is a Held-Karp run with negative distances by a release that computed them wrongly."""
        query = "SELECT frame FROM events WHERE kind = 'finished'"
        finished = self._connection.execute(query).fetchone()
        if finished is None or "held-karp" in decode(finished[0]).values.get("versions", {}):
            return False
        return decode_instance(decode(self._read_raw_instance())).has_negative

    def _strip_false_proof(self, kind: str, raw: bytes) -> bytes:
        """Remove a wrong proof from a frame."""
        if kind != "front" or not self._is_misled:
            return raw
        frame = decode(raw)
        return encode(kind, {**frame.values, "proven": False}, frame.arrays)

    def log(self, after: int, limit: int) -> list[tuple[int, float, bytes]]:
        """Return events after `after` in order, except pieces of climbs and pictures, as (seq, at, frame).

        Parameters
        ----------
        after : int
        limit : int
            Size in bytes after which reading stops; at least one event is returned if there is one.
        """
        query = f"SELECT seq, at, kind, frame FROM events WHERE seq > ? AND {LOGGED} ORDER BY seq"
        rows, size = [], 0
        for seq, at, kind, frame in self._connection.execute(query, (after,)):
            rows.append((seq, at, self._strip_false_proof(kind, frame)))
            size += len(frame)
            if size >= limit:
                break
        return rows

    def last_seq(self) -> int:
        """Return the log's last sequence number, 0 if it is empty."""
        query = f"SELECT coalesce(max(seq), 0) FROM events WHERE {LOGGED}"
        return self._connection.execute(query).fetchone()[0]

    def last(self, kind: str) -> bytes | None:
        """Return the log's newest frame of this kind."""
        query = f"SELECT frame FROM events WHERE kind = ? AND {LOGGED} ORDER BY seq DESC LIMIT 1"
        row = self._connection.execute(query, (kind,)).fetchone()
        return row and self._strip_false_proof(kind, row[0])

    def read_frames(self, kind: str) -> Iterator[bytes]:
        """Return the log's frames of this kind in order."""
        query = f"SELECT frame FROM events WHERE kind = ? AND {LOGGED} ORDER BY seq"
        return (self._strip_false_proof(kind, frame) for (frame,) in self._connection.execute(query, (kind,)))

    def all_frames(self, kinds: tuple[str, ...]) -> Iterator[bytes]:
        """Return all frames of these kinds in order, with pieces of climbs and pictures if requested."""
        query = f"SELECT kind, frame FROM events WHERE kind IN ({', '.join('?' * len(kinds))}) ORDER BY seq"
        return (self._strip_false_proof(kind, frame) for kind, frame in self._connection.execute(query, kinds))

    def field_iterations(self, after: int, until: int) -> list[int]:
        """Return the iterations of fields after event `after` up to event `until`, ascending."""
        if not self._has_pictures():
            return []
        query = "SELECT iteration FROM pictures WHERE kind = 'field' AND seq > ? AND seq <= ? ORDER BY iteration"
        return [iteration for (iteration,) in self._connection.execute(query, (after, until))]

    def pictures_at(self, iteration: int) -> bytes:
        """Return the last frame of each kind of picture up to an iteration, concatenated."""
        if not self._has_pictures():
            return b""
        query = (
            "SELECT frame FROM events WHERE seq = (SELECT seq FROM pictures WHERE kind = ? AND iteration <= ? "
            "ORDER BY iteration DESC LIMIT 1)"
        )
        rows = (self._connection.execute(query, (kind, iteration)).fetchone() for kind in PICTURES)
        return b"".join(row[0] for row in rows if row)

    def _has_pictures(self) -> bool:
        """Return whether the file has a table of pictures, which the first release lacks."""
        query = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'pictures'"
        return self._connection.execute(query).fetchone() == (1,)

    def climb(self, climber: int, after: int = 0) -> list[bytes]:
        """Return a climb's frames in order; empty if the climb was not recorded.

        Only pieces from move `after` on are included.
        """
        piece_query = "SELECT seq FROM pieces WHERE climber = ? AND first >= ?"
        query = f"SELECT frame FROM events WHERE seq IN ({piece_query}) ORDER BY seq"
        return [frame for (frame,) in self._connection.execute(query, (climber, after))]

    def count_recorded_climbs(self) -> int:
        """Return how many climbs are recorded from their first move."""
        return self._connection.execute("SELECT count(DISTINCT climber) FROM pieces WHERE first = 0").fetchone()[0]

    def recorded_climbers(self) -> list[int]:
        """Return the climbers with climbs recorded from their first move, ascending."""
        return [
            climber
            for (climber,) in self._connection.execute("SELECT DISTINCT climber FROM pieces WHERE first = 0 ORDER BY 1")
        ]

    def backup(self, target: Path) -> None:
        """Copy the run's current state to a new file."""
        copy(self._connection, target)


def _parse_spec(text: Any) -> dict[str, Any]:
    """Parse the spec, possibly of another release."""
    try:
        spec = json.loads(text)
    except (TypeError, RecursionError) as error:
        raise ValueError("The run's spec is invalid.") from error
    if not isinstance(spec, dict):
        raise ValueError("The run's spec is invalid.")
    return spec
