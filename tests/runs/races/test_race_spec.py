"""The spec of a race: round trips to JSON and an address, and refusals."""

import copy

import pytest

from runs.races.spec import RaceSpec
from solvers.core.errors import DeviceUnavailable, InvalidParams
from tests.tables import each_row

TWO_OPT = {"stages": [{"algorithm": "two-opt", "params": {"climbers": 5}}], "device": "cpu"}
THEN = {"stages": [{"algorithm": "nearest-neighbour"}, {"algorithm": "two-opt"}]}
RACE = {"v": 1, "instance": {"name": "kroA200"}, "lanes": [TWO_OPT, THEN], "seed": 7, "budget": {"seconds": 2.5}}


def change_race(**fields):
    return {**copy.deepcopy(RACE), **fields}


def test_race_spec_round_trip():
    spec = RaceSpec.from_json(RACE)
    assert RaceSpec.from_json(spec.to_json()) == spec
    assert RaceSpec.from_query("?" + spec.to_query() + "&id=abcdefghijkl") == spec


def test_all_lanes_run_with_the_same_seed_and_budget_on_the_same_cities():
    runs = RaceSpec.from_json(RACE).runs()
    assert [(run.instance, run.seed, run.budget.seconds) for run in runs] == [({"name": "kroA200"}, 7, 2.5)] * 2
    assert [run.device for run in runs] == ["cpu", "auto"]
    assert [stage.algorithm for stage in runs[1].stages] == ["nearest-neighbour", "two-opt"]


@each_row(
    "race",
    [
        None,
        [],
        change_race(v=3),
        change_race(v=0),
        change_race(lanes=[TWO_OPT]),
        change_race(lanes=[TWO_OPT] * 5),
        change_race(lanes=[TWO_OPT, {"stages": []}]),
        change_race(lanes=[TWO_OPT, {**THEN, "seed": 3}]),
        change_race(lanes=[TWO_OPT, {"stages": [{"algorithm": "two-opt", "params": {"climbers": 0}}]}]),
        change_race(lanes=[TWO_OPT, {"stages": [{"algorithm": "nothing"}]}]),
        change_race(lanes="two"),
        change_race(seed=-1),
        change_race(budget={"hours": 1}),
        change_race(winner="A"),
    ],
)
def test_impossible_race_gives_one_sentence(race):
    with pytest.raises(InvalidParams) as refusal:
        RaceSpec.from_json(race)
    assert str(refusal.value).endswith(".")


def test_lane_on_an_unsupported_device_is_refused():
    lane = {"stages": [{"algorithm": "greedy"}], "device": "cuda"}
    with pytest.raises(DeviceUnavailable):
        RaceSpec.from_json(change_race(lanes=[TWO_OPT, lane]))


@each_row("query", ["", "?race=", "?race=[", "?race=" + "[" * 9000, "?id=abcdefghijkl"])
def test_invalid_addresses(query):
    with pytest.raises(InvalidParams):
        RaceSpec.from_query(query)


def test_race_too_long_for_an_address_has_none():
    cities = {"cities": [[k, k * k] for k in range(3000)]}
    assert RaceSpec.from_json(change_race(instance=cities)).to_query() == ""
