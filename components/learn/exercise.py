"""A lesson's exercise: a run, race or study, given as JSON or as its page's address."""

import json
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit

from components.shell.texts import learn as text
from components.types import Json, JsonObject
from data import plain_json
from data.collection.resolve import resolve
from data.errors import InvalidInstance
from runs.races.spec import RaceSpec
from runs.translation import translate
from solvers import find
from solvers.core.errors import DeviceUnavailable, InvalidParams
from solvers.run import prepare
from solvers.spec import RunSpec
from studies.errors import InvalidStudy
from studies.spec.matrix import prepare_entries
from studies.spec.spec import StudySpec

#: Errors of invalid specs; each has a sentence.
_REFUSALS = (InvalidParams, InvalidInstance, InvalidStudy, DeviceUnavailable)


class InvalidExercise(ValueError):
    """The text is not a run, race or study of this release, or does not fit its form."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """A run, race or study that a lesson starts.

    Attributes
    ----------
    page : str
        Page that starts it: ``watch``, ``race`` or ``study``.
    spec : RunSpec, RaceSpec or StudySpec
    """

    page: str
    spec: RunSpec | RaceSpec | StudySpec

    @property
    def query(self) -> str:
        """Query with question mark that fills the page's form."""
        if isinstance(self.spec, StudySpec):
            return "?" + urlencode({"study": json.dumps(self.spec.to_json(), separators=(",", ":"))})
        return f"?{self.spec.to_query()}"

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Names of the exercise's algorithms."""
        if isinstance(self.spec, RunSpec):
            stages = self.spec.stages
        else:
            parts = self.spec.lanes if isinstance(self.spec, RaceSpec) else self.spec.entries
            stages = tuple(stage for part in parts for stage in part.stages)
        return tuple(dict.fromkeys(stage.algorithm for stage in stages))


def parse_exercise(source: str) -> Exercise:
    """Return the exercise in JSON, or in the page and query of an address.

    Raises
    ------
    InvalidExercise
        The message is a sentence.
    """
    try:
        exercise = _parse_json(source) if source.lstrip().startswith("{") else _parse_address(source)
        for instance in _list_instances(exercise):
            if "sha256" not in instance:  # only the server knows whether this instance was uploaded
                resolve(instance, None)
    except _REFUSALS as refusal:
        raise InvalidExercise(translate(str(refusal))) from None
    _check_form(exercise)
    return exercise


def _parse_json(source: str) -> Exercise:
    try:
        value = plain_json.loads(source)
    except ValueError:
        raise InvalidExercise(text("exercise.no-json")) from None
    if "lanes" in value:
        return Exercise("race", RaceSpec.from_json(value))
    return _parse_study(value) if "entries" in value else _parse_run(RunSpec.from_json(value))


def _parse_address(source: str) -> Exercise:
    parts = urlsplit(source.strip())
    fields = dict(parse_qsl(parts.query, max_num_fields=64))
    if "race" in fields:
        return Exercise("race", RaceSpec.from_query(parts.query))
    if "study" in fields:
        return _parse_study(plain_json.loads(fields["study"]))
    if "instance" not in fields or not {"algorithm", "stages"} & fields.keys():
        raise InvalidExercise(text("exercise.no-address"))
    return _parse_run(RunSpec.from_query(parts.query))


def _parse_run(spec: RunSpec) -> Exercise:
    prepare(spec)
    return Exercise("watch", spec)


def _parse_study(value: Json) -> Exercise:
    spec = StudySpec.from_json(value)
    prepare_entries(spec)
    return Exercise("study", spec)


def _list_instances(exercise: Exercise) -> tuple[JsonObject, ...]:
    spec = exercise.spec
    return spec.instances if isinstance(spec, StudySpec) else (spec.instance,)


def _check_form(exercise: Exercise) -> None:
    """Raise an error if the page's form cannot represent the exercise."""
    if isinstance(exercise.spec, StudySpec):
        return
    if set(exercise.spec.to_json()["budget"]) != {"seconds"}:
        raise InvalidExercise(text("exercise.seconds"))
    if isinstance(exercise.spec, RunSpec) and (
        len(exercise.spec.stages) > 1 or not find(exercise.algorithms[0]).listed
    ):
        raise InvalidExercise(text("exercise.one-algorithm"))
