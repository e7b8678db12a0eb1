"""Parameters, specs and stop rules: a round trip changes nothing, and errors are named."""

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands.arguments import parse_command
from data.collection.resolve import load
from solvers import SOLVERS, find
from solvers.core.devices import cpu_threads
from solvers.core.errors import DeviceUnavailable, InvalidParams
from solvers.core.params import Params, param
from solvers.core.stop import Budget
from solvers.run import prepare, run
from solvers.spec import VERSION, RunSpec, Stage
from tests.solver_runs import NAMES, make_spec
from tests.tables import each_row


@dataclasses.dataclass(frozen=True)
class EveryKind(Params):
    """One parameter of each kind."""

    ants: int = param(10, label="Ants", help="How many.", low=1, high=100)
    rho: float = param(0.5, label="Evaporation", help="How fast.", low=0.0, high=1.0, step=0.1, symbol="ρ")
    elite: bool = param(False, label="Elite", help="Whether.")
    choice: str = param("a", label="Choice", help="Which.", choices=("a", "b"))
    tour: tuple[int, ...] = param((), label="Tour", help="What order.")


def valid_values(schema):
    """Valid values for some of the parameters."""
    kinds = {
        "int": lambda p: st.integers(int(p.low), int(p.high)),
        "float": lambda p: st.floats(p.low, p.high),
        "bool": lambda p: st.booleans(),
        "choice": lambda p: st.sampled_from(p.choices),
        "tour": lambda p: st.permutations(range(5)).map(list),
    }
    return st.fixed_dictionaries({}, optional={p.name: kinds[p.kind](p) for p in schema})


stage = st.sampled_from(SOLVERS).flatmap(
    lambda solver: st.fixed_dictionaries(
        {
            "algorithm": st.just(solver.name),
            # Values that are read as those of an older release get others.
            "params": valid_values(solver.params.schema()).filter(
                lambda params: solver.params.renamed(params) == params
            ),
        }
    )
)
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(lambda text: text[0] != "{")
instance = st.one_of(
    st.fixed_dictionaries({"name": names}),
    st.fixed_dictionaries({"generate": st.just("uniform"), "n": st.integers(1, 200_000), "seed": st.integers(0)}),
    st.fixed_dictionaries({"cities": st.lists(st.tuples(st.integers(), st.integers()).map(list), max_size=3)}),
)
specs = st.fixed_dictionaries(
    {
        "v": st.just(VERSION),
        "instance": instance,
        "stages": st.lists(stage, min_size=1, max_size=3),
        "seed": st.integers(0, 2**53 - 1),
        "budget": st.fixed_dictionaries(
            {},
            optional={
                "seconds": st.floats(0.001, 86_400),
                "iterations": st.integers(1, 10**15),
                "target": st.integers(1, 10**15),
            },
        ),
        "device": st.just("auto"),
    }
)


def test_complete_values_without_newer_parameters_are_older():
    params = find("lin-kernighan").params
    older = {each.name: each.default for each in params.schema()}
    del older["gpus"], older["tours"]
    assert params.renamed(older) == {**older, "tours": 0}
    newer = {**older, "gpus": "one"}
    assert params.renamed(newer) == newer


@given(specs)
def test_spec_survives_json_and_link(value):
    spec = RunSpec.from_json(value)
    assert spec.to_json() == value
    assert RunSpec.from_json(json.loads(json.dumps(spec.to_json()))) == spec
    if any("tour" in stage.params for stage in spec.stages):
        assert spec.to_query() == "", "an address has no room for a tour"
    else:
        assert RunSpec.from_query(spec.to_query()) == spec
        assert RunSpec.from_query("?" + spec.to_query()) == spec
    assert len(prepare(spec).stages) == len(value["stages"])


@each_row(
    ("change", "name"),
    [
        ({"v": 0}, "v"),
        ({"v": True}, "v"),
        ({"v": None}, "v"),
        ({"v": "1"}, "v"),
        ({"v": VERSION + 1}, "v"),
        ({"seed": -1}, "seed"),
        ({"seed": 1.5}, "seed"),
        ({"seed": 2**53}, "seed"),
        ({"seed": True}, "seed"),
        ({"budget": {"seconds": 0}}, "seconds"),
        ({"budget": {"years": 1}}, "budget"),
        ({"budget": []}, "budget"),
        ({"device": "tpu"}, "device"),
        ({"stages": []}, "stages"),
        ({"stages": [{"algorithm": 3}]}, "algorithm"),
        ({"instance": "berlin52"}, "instance"),
        ({"extra": 1}, "extra"),
    ],
)
def test_wrong_spec_is_refused_by_name(change, name):
    with pytest.raises(InvalidParams) as refused:
        RunSpec.from_json({**make_spec("random").to_json(), **change})
    assert refused.value.name == name


@given(valid_values(EveryKind.schema()))
def test_params_keep_their_values(values):
    params = EveryKind.from_mapping(values)
    stored = {name: getattr(params, name) for name in values}
    assert stored == {name: tuple(value) if name == "tour" else value for name, value in values.items()}


@each_row(
    ("values", "allowed"),
    [
        ({"ants": 0}, "a whole number from 1 to 100"),
        ({"ants": 1.5}, "a whole number from 1 to 100"),
        ({"ants": True}, "a whole number from 1 to 100"),
        ({"ants": "3"}, "a whole number from 1 to 100"),
        ({"rho": 1.01}, "a number from 0 to 1"),
        ({"rho": float("nan")}, "a number from 0 to 1"),
        ({"elite": 1}, "true or false"),
        ({"choice": "c"}, "one of a, b"),
        ({"tour": "0"}, "a list of at most 200,000 cities, counted from 0"),
        ({"tour": [0, 1.0]}, "a list of at most 200,000 cities, counted from 0"),
        ({"tour": [False]}, "a list of at most 200,000 cities, counted from 0"),
        ({"tour": [-1]}, "a list of at most 200,000 cities, counted from 0"),
        ({"tour": [200_000]}, "a list of at most 200,000 cities, counted from 0"),
        ({"tour": [0] * 200_001}, "a list of at most 200,000 cities, counted from 0"),
        ({"bees": 1}, "left out: this algorithm has no such parameter"),
    ],
)
def test_params_out_of_range_are_refused_in_words(values, allowed):
    with pytest.raises(InvalidParams) as refused:
        EveryKind.from_mapping(values)
    assert refused.value.allowed == allowed
    assert refused.value.name == next(iter(values))


def test_a_whole_float_is_a_whole_number():
    assert EveryKind(ants=3.0).ants == 3
    assert isinstance(EveryKind(ants=3.0).ants, int)


@each_row("name", NAMES)
def test_every_schema_can_make_a_form(name):
    for declared in find(name).params.schema():
        assert declared.label
        assert declared.help.endswith(".")
        assert declared.kind in ("int", "float", "bool", "choice", "tour")
        assert declared.check(declared.default) == declared.default
        assert declared.scale in ("linear", "log")
        if declared.kind in ("int", "float"):
            assert declared.low < declared.high
            assert declared.scale == "linear" or declared.low > 0


def test_an_unknown_algorithm_gets_a_hint():
    with pytest.raises(InvalidParams, match="did you mean two-opt"):
        find("twoopt")


def test_device_without_a_variant_is_refused():
    with pytest.raises(DeviceUnavailable, match="runs on cpu"):
        prepare(RunSpec.from_json({**make_spec("greedy").to_json(), "device": "cuda"}))


def test_first_rule_met_gives_the_reason():
    counter = Budget(iterations=3, evaluations=100, target=10, without_improvement=2).start()
    assert not counter.update(1, 10, 50)
    assert not counter.update(2, 20, 50)
    assert counter.update(3, 30, 9)
    assert counter.reason == "target"
    counter = Budget(without_improvement=2).start()
    assert [counter.update(k, k, best) for k, best in enumerate([9, 8, 8, 8])] == [False, False, False, True]
    assert counter.reason == "no-improvement"


def test_progress_is_that_of_the_nearest_limit():
    counter = Budget(iterations=10, evaluations=1000).start()
    counter.update(5, 900, None)
    assert counter.progress() == pytest.approx(0.9)


def test_clock_waits_until_started():
    counter = Budget(seconds=1e-9).start()
    assert not counter.update(0, 0, None)
    counter.clock.resume()
    assert counter.update(0, 0, None)
    assert counter.reason == "time"
    counter.clock.pause()
    assert counter.clock.seconds == counter.clock.seconds > 0


def test_spec_has_a_thread_limit_only_if_one_is_set():
    spec = RunSpec({"name": "berlin52"}, (Stage("two-opt"),), threads=3)
    assert "threads" not in RunSpec({"name": "berlin52"}, (Stage("two-opt"),)).to_json()
    assert RunSpec.from_json(spec.to_json()) == RunSpec.from_query(spec.to_query()) == spec
    for wrong in (-1, 1.5, True, "2", 5000):
        with pytest.raises(InvalidParams, match="threads"):
            RunSpec.from_json(spec.to_json() | {"threads": wrong})


def test_run_respects_the_thread_limit(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "4")
    spec = parse_command(["run", "burma14", "two-opt", "--climbers", "8", "--device", "cpu", "--threads", "2"]).spec
    assert [end.threads for end in (*run(prepare(spec), load("burma14")),)[-1:]] == [2]
    assert cpu_threads() == 4
