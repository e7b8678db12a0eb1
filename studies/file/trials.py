"""Turns a study file's rows into a tuning study's trials, and checks them."""

from collections.abc import Iterable, Sequence
from typing import Any

import orjson

from studies.file.checks import reduce_to_line
from studies.spec.spec import StudySpec
from studies.tuning.trials import STATES, Trial

#: Upper bounds on lengths and on seconds.
_MAX_LENGTH, _MAX_SECONDS = 2**62, 1e10


def build_trials(
    spec: StudySpec, rows: Sequence[tuple[Any, ...]], runs: Iterable[tuple[Any, ...]]
) -> tuple[Trial, ...]:
    """Build a tuning study's trials.

    Parameters
    ----------
    spec : StudySpec
    rows : sequence of tuple
        ``number``, ``params``, ``state``, ``counted`` and ``sentence`` of each trial, in order.
    runs : iterable of tuple
        ``trial``, ``step``, ``length`` and ``took`` of each run; length and seconds are None for a failed run.

    Raises
    ------
    ValueError, TypeError
        If the rows do not match the spec.
    """
    tune = spec.tune
    assert tune is not None
    if [row[0] for row in rows] != list(range(len(rows))) or len(rows) > tune.trials:
        raise ValueError("The trials are not those of the study.")
    lengths: list[list[int | None]] = [[None] * tune.steps for _ in rows]
    totals = [0.0] * len(rows)
    for trial, step, length, seconds in runs:
        if not (isinstance(trial, int) and 0 <= trial < len(rows) and isinstance(step, int) and 0 <= step < tune.steps):
            raise ValueError("A run is of a trial that the study does not have.")
        if length is not None and not (isinstance(length, int) and 0 <= length < _MAX_LENGTH):
            raise ValueError("The length of a trial's run is out of range.")
        lengths[trial][step] = 0 if length is None else length
        totals[trial] += _check_seconds(seconds)
    return tuple(
        _build_trial(spec, row, tuple(run_lengths), seconds)
        for row, run_lengths, seconds in zip(rows, lengths, totals, strict=True)
    )


def _check_seconds(value: Any) -> float:
    if value is None:
        return 0.0
    if not isinstance(value, int | float) or not 0 <= value <= _MAX_SECONDS:
        raise ValueError("The duration of a trial's run is out of range.")
    return float(value)


def _build_trial(spec: StudySpec, row: tuple[Any, ...], lengths: tuple[int | None, ...], seconds: float) -> Trial:
    number, text, state, counted, sentence = row
    params = orjson.loads(text)
    assert spec.tune is not None
    names = [range_.name for range_ in spec.tune.vary]
    if state not in STATES or not isinstance(params, dict) or sorted(params) != sorted(names):
        raise ValueError("A trial has an unknown state, or other parameters than those that vary.")
    if number and not all(range_.contains(params[range_.name]) for range_ in spec.tune.vary):
        raise ValueError("A parameter of a trial is outside of its range.")
    least = len(lengths) if state == "complete" else 1  # a trial that counts only its best run would win
    if not isinstance(counted, int) or not least <= counted <= len(lengths):
        raise ValueError("A trial counts more or fewer runs than it has.")
    if state in ("complete", "pruned") and not all(lengths[:counted]):
        raise ValueError("A trial that is over lacks a run.")
    return Trial(
        number, {name: params[name] for name in names}, state, counted, lengths, seconds, reduce_to_line(sentence)
    )


def load_importances(spec: StudySpec, rows: Sequence[tuple[Any, ...]]) -> tuple[dict[str, float], int]:
    """Return parameters' importances, highest first, and how many trials they are based on.

    Raises
    ------
    ValueError, TypeError
        If the rows do not match the spec.
    """
    assert spec.tune is not None
    shares = {name: float(share) for name, share, _ in rows}
    names = {range_.name for range_ in spec.tune.vary}
    if not set(shares) <= names or not all(0 <= share <= 1 for share in shares.values()):
        raise ValueError("The importance of a parameter is out of range.")
    count = max((count for *_, count in rows), default=0)
    if not isinstance(count, int) or not 0 <= count <= spec.tune.trials:
        raise ValueError("The importance of parameters is from more trials than there are.")
    return dict(sorted(shares.items(), key=lambda item: -item[1])), count


def count_trials(spec: StudySpec, trials: Sequence[Trial]) -> dict[str, int]:
    """Return the number of trial runs in each state, without those skipped by pruning or failure."""
    assert spec.tune is not None
    finished = sum(trial.count for trial in trials)
    pending = sum(spec.tune.steps - trial.count for trial in trials if not trial.is_final)
    waiting = pending + (spec.tune.trials - len(trials)) * spec.tune.steps
    return {"finished": finished, "waiting": waiting}
