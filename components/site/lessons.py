"""A lesson's data in a site: text as HTML, runs, and their instances."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from components.learn.collection import Lessons
from components.learn.lesson import Lesson
from components.learn.view import lesson_to_json
from components.shell.facts import units
from data.collection.resolve import load
from solvers import find
from solvers.core.params import Param
from solvers.spec import RunSpec
from solvers.worker.frames import decode, encode_instance_frame

#: Lessons whose runs the scripts can solve, in order.
LESSONS = ("first-minute", "two-opt-stuck", "cooling")
#: By algorithm: the parameters that `assets/site/record.js` reads, and the values it assumes for all others.
_SOLVED = {
    "two-opt": ("climbers",),
    "simulated-annealing": (
        "chains", "moves_per_city", "cooling", "acceptance", "temperature", "final_temperature_ratio", "neighbours",
    ),
}  # fmt: skip
_ASSUMED = {"two-opt": {}, "simulated-annealing": {"finish": "best"}}
#: Maximum values in the form; larger ones would take a phone minutes.
MAXIMUMS = {"climbers": 1000, "cooling": 0.995}


def bundled_lessons() -> list[Lesson]:
    """Return a site's lessons in the current language."""
    lessons = Lessons(Path())
    return [lessons.find(name) for name in LESSONS]


def lesson_data(lesson: Lesson, after: Lesson | None) -> dict[str, Any]:
    """Return the data of a lesson's page: ``SiteData`` of `assets/site/types.d.ts`."""
    lesson_data = lesson_to_json(lesson, None, "")
    lesson_data["all"] = "index.html#lessons"
    lesson_data["next"] = {"title": after.title, "address": f"{after.id}.html"} if after else None
    exercises = [step.exercise for step in lesson.steps if step.exercise]
    runs = {exercise.query: exercise.spec for exercise in exercises if isinstance(exercise.spec, RunSpec)}
    names = dict.fromkeys(spec.instance["name"] for spec in runs.values())
    return {
        "page": "lesson",
        "lesson": lesson_data,
        "runs": {query: _run(spec) for query, spec in runs.items()},
        "instances": {name: encode_instance(name) for name in names},
    }


def list_changed_params(lesson: Lesson) -> list[Param]:
    """Return the declarations of the parameters that a step's reader changes."""
    marked = {name for step in lesson.steps if step.kind == "change" for name in step.marked}
    exercises = [step.exercise for step in lesson.steps if step.exercise]
    algorithms = dict.fromkeys(name for exercise in exercises for name in exercise.algorithms)
    return [param for name in algorithms for param in find(name).params.schema() if param.name in marked]


def encode_instance(name: str) -> dict[str, Any]:
    """Return a bundled instance's frame as JSON, with arrays as flat lists."""
    frame = decode(encode_instance_frame(load(name)))
    arrays = {kind: frame.arrays[kind].ravel().tolist() for kind in ("coordinates", "display", "optimal_tour")}
    return {"values": frame.values, "arrays": arrays}


def _run(spec: RunSpec) -> dict[str, Any]:
    """Return a run as the scripts solve it.

    Raises
    ------
    ValueError
        If a parameter has a value that the scripts do not support.
    """
    [stage] = spec.stages
    solver = find(stage.algorithm)
    params = asdict(solver.params.from_mapping(stage.params))
    defaults = asdict(solver.params()) | _ASSUMED[stage.algorithm]
    solved = _SOLVED[stage.algorithm]
    if other := [name for name, value in params.items() if name not in solved and value != defaults[name]]:
        raise ValueError(stage.algorithm, other)
    return {
        "algorithm": stage.algorithm,
        "instance": spec.instance["name"],
        "params": {name: params[name] for name in solved},
        "seed": spec.seed,
        "units": units(solver),
    }
