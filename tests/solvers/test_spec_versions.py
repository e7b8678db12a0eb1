"""A spec of the first version keeps its meaning; one from a newer release is refused in a sentence."""

from dataclasses import dataclass
from urllib.parse import urlencode

import orjson
import pytest

from runs.races.spec import RaceSpec
from solvers.algorithms.two_opt.params import TwoOptParams
from solvers.core.errors import InvalidParams
from solvers.core.params import Params, param
from solvers.spec import VERSION, RunSpec
from studies.spec.spec import StudySpec
from tests.tables import each_row

INSTANCE = {"name": "gr17"}
LANE = {"stages": [{"algorithm": "two-opt", "params": {"climbers": 5}}]}
RUN = {"instance": INSTANCE, **LANE}
RACE = {"instance": INSTANCE, "lanes": [LANE, LANE]}
STUDY = {"instances": [INSTANCE], "entries": [{"label": "a", **LANE}]}
KINDS = pytest.mark.parametrize(
    ("kind", "value", "what"), [(RunSpec, RUN, "spec"), (RaceSpec, RACE, "race"), (StudySpec, STUDY, "study")]
)


@dataclass(frozen=True)
class Moved(Params):
    """A choice split into two parameters, a renamed parameter, and one with a new meaning."""

    moves: str = param("b", label="Moves", help="Which.", choices=("a", "b", "none"),
                       former_choices={"every": {"moves": "b", "when": "every"}, "nothing": "none"})  # fmt: skip
    when: str = param("last", label="When", help="When.", choices=("last", "every"), former=("at",))

    @classmethod
    def from_version_1(cls, values):
        """The values after the old ``a`` was renamed to ``b``."""
        return {**values, "moves": "every"} if values.get("moves") == "a" else values


@pytest.fixture
def double_climbers(monkeypatch):
    """Climbers, which version 1 counted in pairs."""
    twice = classmethod(lambda cls, values: {**values, "climbers": 2 * values["climbers"]})
    monkeypatch.setattr(TwoOptParams, "from_version_1", twice)


def find_climbers(value):
    """All numbers of climbers in a JSON value."""
    if isinstance(value, dict):
        found = [value["climbers"]] if "climbers" in value else []
        return found + [each for part in value.values() for each in find_climbers(part)]
    return [each for part in value for each in find_climbers(part)] if isinstance(value, list) else []


@KINDS
def test_version_1_is_translated_and_rewritten(double_climbers, kind, value, what):
    old, now = kind.from_json({"v": 1, **value}).to_json(), kind.from_json({"v": VERSION, **value}).to_json()
    assert (old["v"], set(find_climbers(old))) == (VERSION, {10})
    assert (now["v"], set(find_climbers(now))) == (VERSION, {5})
    assert kind.from_json(old).to_json() == old


def test_link_without_a_version_is_of_the_first(double_climbers):
    asked = {"instance": "gr17", "algorithm": "two-opt", "climbers": "5"}
    specs = [RunSpec.from_query(urlencode(values)) for values in (asked, {"v": "1", **asked}, {"v": VERSION, **asked})]
    assert [find_climbers(spec.to_json()) for spec in specs] == [[10], [10], [5]]
    assert f"v={VERSION}&" in specs[0].to_query()
    race = urlencode({"race": orjson.dumps({"v": 1, **RACE}).decode()})
    assert set(find_climbers(RaceSpec.from_query(race).to_json())) == {10}


@KINDS
def test_newer_version_gives_one_sentence(kind, value, what):
    newer = f"This {what} has version {VERSION + 1}, of a newer release: this one reads versions up to {VERSION}."
    with pytest.raises(InvalidParams, match=newer) as refused:
        kind.from_json({"v": VERSION + 1, "of": "a newer release", **value})
    assert refused.value.name == "v"


@each_row(
    ("version", "expected", "means"),
    [
        (1, {"moves": "a"}, {"moves": "b", "when": "every"}),
        (2, {"moves": "a"}, {"moves": "a"}),
        (1, {"moves": "every"}, {"moves": "b", "when": "every"}),
        (2, {"moves": "every"}, {"moves": "b", "when": "every"}),
        (2, {"moves": "every", "when": "last"}, {"moves": "b", "when": "last"}),
        (2, {"at": "last", "moves": "every"}, {"moves": "b", "when": "last"}),
        (2, {"moves": "nothing"}, {"moves": "none"}),
        (2, {"at": "last", "when": "last", "moves": 5}, {"at": "last", "when": "last", "moves": 5}),
        (2, {"moves": {"when": "every"}}, {"moves": {"when": "every"}}),
        (2, {}, {}),
    ],
)
def test_former_choices_become_their_values(version, expected, means):
    assert Moved.renamed(expected, version) == means


@each_row("means", [{"moves": "b", "when": "every"}, {"moves": "none", "when": "last"}, {"moves": "a"}])
def test_first_names_keep_their_meaning_in_version_1(means):
    first = Moved.first_named(means)
    assert "when" not in first
    assert Moved.renamed(first) == means
