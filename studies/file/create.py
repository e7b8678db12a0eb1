"""Creates a study file with its tables, instances and a cell for every run."""

import os
import sqlite3
import time
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from data.collection.resolve import resolve
from data.instance import Instance
from data.tsplib import instances as tsplib_instances
from solvers.core.machine import Machine
from solvers.plan import plan, prepare
from solvers.spec import RunSpec
from studies.errors import InvalidStudy
from studies.file.reader import APPLICATION_ID, FORMAT
from studies.spec.matrix import list_cells
from studies.spec.spec import StudySpec

_SCHEMA = """
CREATE TABLE study (format INTEGER, created REAL, spec TEXT);
CREATE TABLE instances (number INTEGER PRIMARY KEY, name TEXT, n INTEGER, optimum INTEGER, proven INTEGER, sha256 TEXT,
  text BLOB);
CREATE TABLE cells (number INTEGER PRIMARY KEY, instance INTEGER, entry INTEGER, seed INTEGER, state TEXT,
  sentence TEXT, took REAL, result TEXT, tour BLOB, log BLOB);
CREATE INDEX states ON cells (state, number);
"""
#: Additional tables of a tuning study: its trials, their finished runs, and the importance of each parameter.
_TUNING = """
CREATE TABLE trials (number INTEGER PRIMARY KEY, params TEXT, state TEXT, counted INTEGER, sentence TEXT);
CREATE TABLE trial_runs (trial INTEGER, step INTEGER, length INTEGER, sentence TEXT, took REAL, result TEXT, tour BLOB,
  PRIMARY KEY (trial, step));
CREATE TABLE importances (parameter TEXT PRIMARY KEY, share REAL, trials INTEGER);
"""


def create(path: Path, spec: StudySpec, instances: Sequence[Instance]) -> None:
    """Create a study file atomically, with all runs waiting; the caller holds its lock.

    Parameters
    ----------
    path : Path
        Path of the new file, which must not exist.
    spec : StudySpec
    instances : sequence of Instance
        Instances of the spec, see `resolve_instances`.
    """
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)  # left behind by a killed process
    connection = sqlite3.connect(part, isolation_level=None)
    try:
        connection.executescript(
            f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {FORMAT}; BEGIN; {_SCHEMA}"
            + ("" if spec.tune is None else _TUNING)
        )
        text = orjson.dumps(spec.to_json()).decode()
        connection.execute("INSERT INTO study VALUES (?, ?, ?)", (FORMAT, time.time(), text))
        connection.executemany("INSERT INTO instances VALUES (?, ?, ?, ?, ?, ?, ?)", _make_instance_rows(instances))
        rows = ((cell.number, cell.instance, cell.entry, cell.seed) for cell in list_cells(spec))
        connection.executemany("INSERT INTO cells VALUES (?, ?, ?, ?, 'waiting', '', NULL, NULL, NULL, NULL)", rows)
        connection.execute("COMMIT")
    except BaseException:
        connection.close()
        part.unlink(missing_ok=True)
        raise
    connection.close()
    os.replace(part, path)


def resolve_instances(spec: StudySpec, uploads: Path | None, ready: Sequence[Instance] = ()) -> list[Instance]:
    """Find a study's instances, `StudySpec.all_instances`.

    Parameters
    ----------
    spec : StudySpec
    uploads : Path or None
        Folder of instances referenced by hash.
    ready : sequence of Instance
        Further instances that may be referenced by hash.

    Raises
    ------
    InvalidStudy
        If two instances are the same, or if an instance has tours of equal length only, negative distances, missing
        edges, an optimum of 0, or directions that an entry does not support.
    InvalidInstance
        If an instance is not available.
    """
    by_hash = {instance.sha256: instance for instance in ready}
    instances = [
        by_hash.get(reference.get("sha256", "")) or resolve(reference, uploads) for reference in spec.all_instances
    ]
    check_instances(instances)
    _check_directed(spec, instances)
    return instances


def _check_directed(spec: StudySpec, instances: Sequence[Instance]) -> None:
    """Raise an error if an entry does not support a directed instance."""
    for instance in instances:
        for entry in spec.entries if instance.directed else ():
            run = RunSpec({"sha256": instance.sha256}, entry.stages, device=spec.device)
            if refusal := plan(prepare(run), instance, Machine(())).refusal:
                raise InvalidStudy(f"{entry.label} cannot run {instance.name}: {refusal}")


def check_instances(instances: Sequence[Instance]) -> None:
    """Check that these instances can form a study.

    Raises
    ------
    InvalidStudy
        As `resolve_instances`.
    """
    hashes = [instance.sha256 for instance in instances]
    for k, instance in enumerate(instances):
        if instance.sha256 in hashes[:k]:
            raise InvalidStudy(f"{instance.name} is listed twice: name each instance once.")
        if instance.has_negative:
            raise InvalidStudy(f"{instance.name} has negative distances, for which gaps are undefined.")
        if instance.missing:
            raise InvalidStudy(f"{instance.name} has missing edges, for which gaps are undefined.")
        if _is_trivial(instance):
            raise InvalidStudy(f"All cities of {instance.name} are in one place, so all tours have the same length.")
        if instance.optimum == 0:
            raise InvalidStudy(f"{instance.name} has an optimum of 0, for which gaps are undefined.")


def _is_trivial(instance: Instance) -> bool:
    """Return whether all distances are 0."""
    if instance.weights is not None:
        return not instance.weights[~np.eye(instance.n, dtype=bool)].any()
    return instance.coordinates is None or not np.ptp(instance.coordinates, axis=0).any()


def _make_instance_rows(instances: Sequence[Instance]) -> list[tuple[Any, ...]]:
    """Convert instances to rows of the file; number duplicate names."""
    rows: list[tuple[Any, ...]] = []
    names: set[str] = set()
    for number, instance in enumerate(instances):
        name, count = instance.name, 1
        while name in names:
            count += 1
            name = f"{instance.name} ({count})"
        names.add(name)
        text = zlib.compress(tsplib_instances.write(instance).encode())
        rows.append((number, name, instance.n, instance.optimum, int(instance.proven), instance.sha256, text))
    return rows
