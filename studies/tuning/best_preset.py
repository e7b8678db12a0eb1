"""Turns a tuning study's result into a preset."""

from typing import Any

from solvers import find
from solvers.core.errors import InvalidParams
from solvers.presets.preset_file import OwnPreset
from studies.file.reader import StudyReader
from studies.spec.space import DEVICE_PARAMS
from studies.spec.title import make_study_title
from studies.tuning.trials import find_best


def make_best_preset(reader: StudyReader, name: str) -> OwnPreset:
    """Make a preset of a tuning study's best trial so far.

    Raises
    ------
    InvalidParams
        If the study is not a tuning study, or has no such complete trial yet.
    """
    tune, trials = reader.spec.tune, reader.trials()
    if tune is None:
        raise InvalidParams("preset", name, "of a tuning study, but this is an ordinary study")
    reference = reader.trial_references(trials)
    best_trial = find_best(trials, reference)
    if best_trial is None:
        raise InvalidParams("preset", name, "of a complete trial: there is none yet")
    solver_stage = reader.spec.stages_with(best_trial.params)[-1]
    names = [[row.name for row in rows] for rows in (reader.instances, reader.training)]
    spec = reader.spec.to_json() | {"title": ""}
    source = f"{make_study_title(type(reader.spec).from_json(spec), *names)}, trial {best_trial.number}"
    return OwnPreset.from_json(
        {
            "preset": name,
            "algorithm": solver_stage.algorithm,
            "params": _select_params(solver_stage.algorithm, solver_stage.params),
            "source": source[:300],
        }
    )


def _select_params(algorithm: str, params: dict[str, Any]) -> dict[str, Any]:
    """Return a preset's parameters, without those for device and budget."""
    iterations = find(algorithm).iterations_param()
    left_out = {*DEVICE_PARAMS, *([] if iterations is None else [iterations.name])}
    return {name: value for name, value in params.items() if name not in left_out}
