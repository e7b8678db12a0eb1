"""The trials of an untrusted tuning study, rebuilt from checked values; every tour is measured again."""

import sqlite3
from collections.abc import Sequence
from typing import Any

import orjson

from data.instance import Instance
from data.sqlite_files import restrict_untrusted
from runs.imports.study_outcome import check_number, rebuild_outcome
from solvers.run import Prepared, prepare
from solvers.spec import RunSpec
from studies.file.checks import reduce_to_line
from studies.file.reader import TUNING_TABLES
from studies.file.trials import build_trials, load_importances
from studies.spec.spec import StudySpec
from studies.tuning.trials import find_references, find_winner


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
