"""Copies an untrusted run file's valid rows to a new one: ``python -m runs.imports.run FROM TO ID``.

Runs in a process of its own with little memory and time (`runs.imports.sandbox`). Exit status 0 means that the new file
was written. `REFUSED` means that it was not; the reason is on standard output.
"""

import contextlib
import json
import sqlite3
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from data.city_names import check_names
from data.collection import resolve
from data.instance import Instance
from data.moments import check_moment
from data.sqlite_files import restrict_untrusted
from data.tsplib import instances
from runs.imports.frame_checks import check_frame
from runs.imports.lengths import LengthChecker
from runs.imports.sandbox import run_limited
from runs.store.climb import list_piece_keys
from runs.store.pheromone import find_iteration
from runs.store.reader import RunReader
from runs.store.run_file import APPLICATION_ID, FINAL, FORMAT, STATES, Entry, RunWriter
from runs.store.summary import find_solver
from solvers.core.solver import is_exact
from solvers.spec import RunSpec
from solvers.worker.frames import Frame, decode, decode_instance, encode, encode_instance_frame

_BATCH = 64
_MAX_INSTANCE = 64 << 20
#: Maximum number of a run's state changes; a single step makes two.
_MAX_STATES = 20_000


def import_run(source: Path, target: Path, run: str) -> None:
    """Copy the valid contents.

    Raises
    ------
    ValueError, InvalidInstance, InvalidParams, sqlite3.Error, and others of a damaged file
    """
    with _open_tables(source) as connection:
        row = connection.execute("SELECT format, created, spec, instance, state, reason FROM run").fetchone()
        version, created, spec, raw, state, reason = row
        if version != FORMAT:
            raise ValueError(f"it has format {version!r:.20}, and this release reads {FORMAT}")
        instance = _read_instance(raw)
        run_spec = RunSpec.from_json(json.loads(spec))
        text = json.dumps(run_spec.to_json(), separators=(",", ":"))
        writer = RunWriter.create(
            target, run, check_moment(created), text, encode_instance_frame(instance), adopted=True
        )
        _copy(connection, writer, instance, is_exact(find_solver(run_spec.stages[-1].algorithm)))
        _finish(writer, str(state), str(reason)[:500])


def _open_tables(source: Path) -> contextlib.closing[sqlite3.Connection]:
    connection = sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    try:
        if (
            connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
        ):  # otherwise the reader raises an error with the reason
            restrict_untrusted(connection, ("run", "events"))
        with RunReader(source):  # raises an error with the reason if the file is of another kind
            pass
    except BaseException:
        connection.close()
        raise
    return contextlib.closing(connection)


def _read_instance(raw: bytes) -> Instance:
    """Write the instance as TSPLIB and read it back, which checks everything; add known facts such as its optimum."""
    if not isinstance(raw, bytes) or len(raw) > _MAX_INSTANCE:
        raise ValueError("its instance is missing or too large")
    instance = decode_instance(decode(raw))
    parsed = instances.read(instances.write(instance).encode(), "uploaded", _MAX_INSTANCE)
    return resolve.attach_optimum(replace(parsed, names=check_names(instance.names, parsed.n)))


def _copy(connection: sqlite3.Connection, writer: RunWriter, instance: Instance, exact: bool) -> None:
    """Copy the events and measure their lengths.

    If the run is complete, its best tour is in the file and no length may be smaller. Otherwise lengths may belong to
    tours that had not been sent yet, and rows that no tour of the file confirms are dropped.
    """
    measured = LengthChecker(instance)
    is_complete = _measure(connection, measured, instance.n)
    batch: list[Entry] = []
    states = 0
    for at, kind, raw in connection.execute("SELECT at, kind, frame FROM events ORDER BY seq"):
        checked = check_frame(decode(raw), kind, instance.n, exact)
        frame = decode(checked)
        states += kind == "state"
        if states > _MAX_STATES:
            raise ValueError("its state changes more often than that of any run.")
        measured.record_lengths(frame)
        if is_complete:
            measured.measure_climb(frame)
        elif (part := measured.drop_implausible(frame)) is None:
            continue
        elif part is not frame:
            checked = encode(kind, part.values, part.arrays)
        batch.append(Entry(check_moment(at), kind, checked, list_piece_keys(frame), find_iteration(frame)))
        if len(batch) == _BATCH:
            writer.append(batch)
            batch = []
    if is_complete and not measured.is_plausible:
        raise ValueError("it has lengths below that of its shortest tour.")
    writer.append(batch)


def _measure(connection: sqlite3.Connection, measured: LengthChecker, n: int) -> bool:
    """Measure the tours among the events; if the run's end has none, also the tours of climbs.

    Returns
    -------
    bool
        Whether the run is complete.
    """
    is_complete = False
    for frame in _read_frames(connection, ("tour", "tabu", "finished"), n):
        measured.measure_tour(frame)
        is_complete |= frame.kind == "finished"
    for frame in _read_frames(connection, () if is_complete else ("moves", "edges"), n):
        measured.measure_climb(frame)
    return is_complete


def _read_frames(connection: sqlite3.Connection, kinds: tuple[str, ...], n: int) -> Iterator[Frame]:
    """Return all events of these kinds, checked and in order."""
    query = f"SELECT kind, frame FROM events WHERE kind IN ({', '.join('?' * len(kinds))}) ORDER BY seq"
    return (decode(check_frame(decode(raw), kind, n)) for kind, raw in connection.execute(query, kinds))


def _finish(writer: RunWriter, state: str, reason: str) -> None:
    if state not in STATES:
        raise ValueError("its state is invalid")
    if state in FINAL:
        writer.append([], (state, reason))
        writer.finish()
    else:
        writer.interrupt("The file was saved while the run was in progress.")


def main() -> int:
    """Import the file given by the arguments."""
    source, target, run = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    return run_limited("run", lambda: import_run(source, target, run), (ValueError,))


if __name__ == "__main__":
    sys.exit(main())
