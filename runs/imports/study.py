"""Copies an untrusted study file's valid rows to a new one: ``python -m runs.imports.study FROM TO``.

Runs in a process of its own with little memory and time (`runs.imports.sandbox`). Only the fields of a study's contract
are copied: the spec, validated like any spec; the instances, read as TSPLIB and written again; and the result, tour and
log of each run. Tour lengths are recomputed. No run is started. Exit status 0 means that the new file was written.
`REFUSED` means that it was not; the reason is on standard output.
"""

import contextlib
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from data.collection import resolve
from data.errors import InvalidInstance
from data.instance import Instance
from data.moments import check_moment
from data.sqlite_files import restrict_untrusted
from runs.imports.sandbox import run_limited
from runs.imports.study_outcome import check_number, rebuild_outcome
from solvers.core.errors import DeviceUnavailable
from solvers.run import Prepared, prepare
from solvers.spec import RunSpec
from studies.errors import InvalidStudy
from studies.file.checks import decompress, reduce_to_line
from studies.file.create import check_instances, create
from studies.file.instances import parse_instance
from studies.file.reader import APPLICATION_ID, FORMAT, STATES, TABLES, TUNING_TABLES
from studies.file.trials import build_trials, load_importances
from studies.spec.matrix import Cell, list_cells, make_run_spec, prepare_entries
from studies.spec.spec import StudySpec
from studies.tuning.trials import find_references, find_winner

_BATCH = 256


def import_study(source: Path, target: Path) -> None:
    """Copy the valid contents; unfinished runs are reset to waiting.

    Raises
    ------
    ValueError, InvalidInstance, InvalidParams, InvalidStudy, DeviceUnavailable, sqlite3.Error, and others of a damaged
    file
    """
    with _open_tables(source) as connection:
        created, text = connection.execute("SELECT created, spec FROM study").fetchone()
        spec = StudySpec.from_json(orjson.loads(text))
        entries = prepare_entries(spec)
        instances = _read_instances(connection, spec)
        check_instances(instances)
        create(target, spec, instances)
        with contextlib.closing(sqlite3.connect(target, isolation_level=None)) as new:
            new.execute("BEGIN")
            new.execute("UPDATE study SET created = ?", (check_moment(created),))
            if spec.tune is not None:
                spec = copy_trials(connection, new, spec, instances)
                entries = prepare_entries(spec)
            _copy(connection, new, spec, entries, instances)
            new.execute("COMMIT")


def _open_tables(source: Path) -> contextlib.closing[sqlite3.Connection]:
    connection = sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    try:
        versions = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
        if versions[0] != APPLICATION_ID:
            raise ValueError("it is not a study file.")
        if versions[1] != FORMAT:
            raise ValueError(f"it is of version {versions[1]}, and this release reads version {FORMAT}.")
        restrict_untrusted(connection, TABLES)
    except BaseException:
        connection.close()
        raise
    return contextlib.closing(connection)


def _read_instances(connection: sqlite3.Connection, spec: StudySpec) -> list[Instance]:
    """Read each instance as TSPLIB, which checks everything, and compare it with the spec's reference."""
    (count,) = connection.execute("SELECT count(*) FROM instances").fetchone()
    if count != len(spec.all_instances):
        raise ValueError("its instances are not those of its spec.")
    instances = []
    rows = connection.execute("SELECT text FROM instances ORDER BY number")
    for (text,), reference in zip(rows, spec.all_instances, strict=True):
        instance = parse_instance(decompress(text))
        if not _matches(instance, reference):
            raise ValueError(f"its instance {instance.name} is not the one that its spec names.")
        instances.append(instance)
    return instances


def _matches(instance: Instance, reference: dict[str, Any]) -> bool:
    """Return whether an instance matches a reference; any does if the reference is unknown here."""
    if "sha256" in reference:
        return instance.sha256 == reference["sha256"]
    try:
        return resolve.resolve(reference, None).sha256 == instance.sha256
    except InvalidInstance:
        return True


def _copy(
    connection: sqlite3.Connection, new: sqlite3.Connection, spec: StudySpec, entries: Sequence[Prepared],
    instances: Sequence[Instance],
) -> None:  # fmt: skip
    """Copy finished and failed runs."""
    batch: list[tuple[Any, ...]] = []
    for cell, row in _read_rows(connection, spec):
        state, sentence, took, result, tour, log = row
        if state not in STATES:
            raise ValueError("the state of a run is invalid.")
        if state == "failed":
            batch.append(("failed", reduce_to_line(sentence), None, None, None, None, cell.number))
        elif state == "finished":
            checked = rebuild_outcome(
                make_run_spec(spec, cell), entries[cell.entry], instances[cell.instance], (result, tour, log)
            )
            batch.append(("finished", "", check_number(took, "a time"), *checked, cell.number))
        if len(batch) == _BATCH:
            _write(new, batch)
            batch = []
    _write(new, batch)


def _read_rows(connection: sqlite3.Connection, spec: StudySpec) -> Iterator[tuple[Cell, tuple[Any, ...]]]:
    """Yield every cell of the spec with its row, in order."""
    query = "SELECT number, instance, entry, seed, state, sentence, took, result, tour, log FROM cells ORDER BY number"
    rows = connection.execute(query)
    for cell in list_cells(spec):
        row = rows.fetchone()
        if row is None or row[:4] != (cell.number, cell.instance, cell.entry, cell.seed):
            raise ValueError("its runs are not those of its spec.")
        yield cell, row[4:]
    if rows.fetchone() is not None:
        raise ValueError("it has more runs than its spec.")


def _write(new: sqlite3.Connection, batch: list[tuple[Any, ...]]) -> None:
    new.executemany(
        "UPDATE cells SET state = ?, sentence = ?, took = ?, result = CAST(? AS TEXT), tour = ?, log = ? "
        "WHERE number = ?",
        batch,
    )


def main() -> int:
    """Import the file given by the arguments."""
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    return run_limited("study", lambda: import_study(source, target), (ValueError, InvalidStudy, DeviceUnavailable))


def copy_trials(
    connection: sqlite3.Connection, new: sqlite3.Connection, spec: StudySpec, instances: Sequence[Instance]
) -> StudySpec:
    """Copy the trials and their runs; return the spec with the tuned parameters.

    Parameters
    ----------
    connection, new : Connection
        Connections to the untrusted file and to the new one.
    spec : StudySpec
        Spec of a tuning study.
    instances : sequence of Instance
        The instances of `StudySpec.all_instances`.

    Raises
    ------
    ValueError, TypeError, sqlite3.Error
        If something is invalid.
    """
    restrict_untrusted(connection, TUNING_TABLES)
    assert spec.tune is not None
    rows = connection.execute("SELECT number, params, state, counted, sentence FROM trials ORDER BY number").fetchall()
    outcomes = [(index, orjson.loads(text)) for index, text, *_ in rows]
    query = "SELECT trial, step, sentence, took, result, tour FROM trial_runs ORDER BY trial, step"
    runs: list[tuple[Any, ...]] = []
    entries: dict[int, Prepared] = {}
    for trial, step, sentence, took, result, tour in connection.execute(query):
        if not (isinstance(trial, int) and 0 <= trial < len(outcomes) and isinstance(step, int)):
            raise ValueError("a run belongs to a trial that does not exist.")
        if not 0 <= step < spec.tune.steps or not isinstance(outcomes[trial][1], dict):
            raise ValueError("a trial has more runs than its study, or no parameters.")
        if result is None:
            runs.append((trial, step, None, reduce_to_line(sentence), None, None, None))
            continue
        place, seed = spec.training(step)
        run = RunSpec(spec.all_instances[place], spec.stages_with(outcomes[trial][1]), seed, spec.budget, spec.device)
        if trial not in entries:
            entries = {trial: prepare(run)}  # runs are in the order of the trials
        checked, order, _ = rebuild_outcome(run, entries[trial], instances[place], (result, tour, b""))
        length = orjson.loads(checked)["length"]
        runs.append((trial, step, length, "", check_number(took, "a time"), checked, order))
    trials = build_trials(spec, rows, ((*row[:3], row[4]) for row in runs))
    shares, count = load_importances(spec, connection.execute("SELECT * FROM importances").fetchall())
    new.executemany(
        "INSERT INTO trials VALUES (?, ?, ?, ?, ?)",
        [(t.number, orjson.dumps(t.params).decode(), t.state, t.counted, t.sentence) for t in trials],
    )
    new.executemany("INSERT INTO trial_runs VALUES (?, ?, ?, ?, ?, CAST(? AS TEXT), ?)", runs)
    new.executemany("INSERT INTO importances VALUES (?, ?, ?)", [(*item, count) for item in shares.items()])
    optima = [
        (instances[place].optimum, instances[place].proven)
        for place in (spec.training(k)[0] for k in range(len(spec.tune.instances)))
    ]
    best = find_winner(spec, trials, find_references(spec, trials, optima))
    return spec if best is None else spec.with_tuned(best.params)


if __name__ == "__main__":
    sys.exit(main())
