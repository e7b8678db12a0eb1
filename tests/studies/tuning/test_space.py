"""The search space of a tuning study: the varied parameters, and every draw is a valid value."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import SOLVERS, find
from solvers.core.errors import InvalidParams
from studies.spec.ranges import Range
from studies.spec.space import (
    build_search_space,
    check_space,
    is_tuned_by_default,
    limit_range,
    list_tunable_params,
    make_default_range,
)
from tests.studies.tuning.small_tuning import tuning, tuning_json
from tests.tables import each_row

ALGORITHMS = [solver.name for solver in SOLVERS]
TUNABLE = [solver.name for solver in SOLVERS if list_tunable_params(solver)]


def possible_draws(each: Range) -> st.SearchStrategy:
    """Everything that a sampler may draw from a range, including steps with binary rounding noise."""
    if each.choices:
        return st.sampled_from(each.choices)
    if each.integer and each.step is None:
        return st.integers(int(each.low), int(each.last))
    if each.step is not None:
        steps = round((each.last - each.low) / each.step)
        return st.integers(0, steps).map(lambda k: each.low + k * each.step)
    return st.floats(each.low, each.last)


@pytest.mark.slow
@each_row("name", TUNABLE)
def test_every_draw_is_a_valid_parameter_in_its_range(name):
    declared = {each.name: each for each in list_tunable_params(find(name))}
    space = [make_default_range(each) for each in declared.values()]

    @settings(max_examples=60, deadline=None)
    @given(st.fixed_dictionaries({each.name: possible_draws(each) for each in space}))
    def check(raw):
        values = {each.name: each.value(raw[each.name]) for each in space}
        find(name).params.from_mapping(values)
        for each in space:
            declared[each.name].check(values[each.name])
            assert each.contains(values[each.name]), (each, values[each.name])

    check()


@each_row("name", TUNABLE)
def test_ranges_of_every_algorithm_survive_json_and_optuna(name):
    from studies.tuning.advisor import make_distributions

    space = [make_default_range(each) for each in list_tunable_params(find(name))]
    assert [Range.from_json(each.name, each.to_json()) for each in space] == space
    assert list(make_distributions({each.name: each.to_json() for each in space})) == [each.name for each in space]


@each_row("name", ALGORITHMS)
def test_device_and_budget_parameters_are_not_tuned(name):
    solver = find(name)
    names = {each.name for each in list_tunable_params(solver)}
    counted = solver.iterations_param()
    assert not names & {"variant", "gpus", "ranks", "tour", counted.name if counted else ""}
    assert not any(each.gpu for each in list_tunable_params(solver))


def test_relevant_parameters_vary_by_default():
    names = [each.name for each in build_search_space("ant-colony-system")]
    assert {"ants", "q0", "beta", "rho", "alpha", "local_search"} <= set(names)
    assert "local_update" not in names, "two of its values are not repeatable"
    assert "candidates" not in names, "it is advanced"
    assert [each.name for each in build_search_space("ant-colony-system", ["candidates"])] == ["candidates"]
    assert all(is_tuned_by_default(each) for each in list_tunable_params(find("artificial-bee-colony")))


def test_wide_parameter_varies_over_its_declared_part():
    (ants,) = build_search_space("ant-colony-system", ["ants"])
    assert (ants.low, ants.high, ants.integer, ants.log) == (8, 256, True, False)
    (moves,) = build_search_space("simulated-annealing", ["moves_per_city"])
    assert moves.log
    assert moves.step is None


@each_row("name", ["held-karp", "greedy", "nearest-neighbour"])
def test_algorithm_without_such_parameters_is_refused(name):
    with pytest.raises(InvalidParams, match="parameters that change its tours"):
        build_search_space(name)


def test_unknown_parameter_is_refused_with_the_existing_names():
    with pytest.raises(InvalidParams, match="did you mean beta"):
        build_search_space("ant-colony-system", ["betta"])


def test_other_limits_keep_the_steps_and_stay_within_the_parameter():
    declared = {each.name: each for each in list_tunable_params(find("ant-colony-system"))}
    beta = limit_range(declared["beta"], 1, 5)
    assert (beta.low, beta.last, beta.step) == (1, 5, 0.1)
    assert beta.contains(2.3)
    assert not beta.contains(2.35)
    with pytest.raises(InvalidParams):
        limit_range(declared["beta"], 1, 11)
    with pytest.raises(InvalidParams):
        limit_range(declared["beta"], 5, 1)


@each_row(
    "value",
    [
        {"low": 2, "high": 1}, {"low": 0, "high": 1, "log": True}, {"low": 0, "high": 1, "step": 2},
        {"low": 0, "high": float("nan")}, {"low": 0.5, "high": 3, "integer": True}, {"choices": ["a"]},
        {"choices": ["a", "a"]}, {"choices": ["a", True]}, {"low": 1}, {"low": 1, "high": 2, "middle": 1}, [], None,
        {"low": 1, "high": 2, "log": True, "step": 0.1}, {"low": True, "high": 2},
    ],
)  # fmt: skip
def test_a_malformed_range_is_refused(value):
    with pytest.raises(InvalidParams):
        Range.from_json("beta", value)


@each_row(
    ("vary", "expected"),
    [
        ({"cooling": {"low": 0.1, "high": 0.9}}, "cooling"),
        ({"variant": {"choices": ["auto", "cpu"]}}, "variant"),
        ({"schedule": {"choices": ["geometric", "steep"]}}, "schedule"),
        ({"neighbours": {"low": 5, "high": 10}}, "neighbours"),
    ],
)
def test_range_outside_the_algorithms_limits_is_refused(vary, expected):
    with pytest.raises(InvalidParams, match=expected):
        check_space(tuning(vary=vary))


def test_tuning_survives_json_and_is_tested_on_other_seeds():
    spec = tuning()
    assert type(spec).from_json(spec.to_json()) == spec
    assert [entry.label for entry in spec.entries] == ["as set", "tuned"]
    value = tuning_json()
    for seeds in ({"first": 1, "count": 1}, {"first": 2, "count": 5}, {"first": 0, "count": 2}):
        with pytest.raises(InvalidParams, match="training seeds"):
            type(spec).from_json(value | {"seeds": seeds})
    del value["seeds"]
    assert type(spec).from_json(value).seeds.first == 3, "after the training seeds"


def test_tuning_has_one_entry_and_no_more_runs_than_a_study(monkeypatch):
    value = tuning_json()
    with pytest.raises(InvalidParams, match="single"):
        tuning().from_json(value | {"entries": [*value["entries"], {**value["entries"][0], "label": "b"}]})
    monkeypatch.setattr("studies.spec.spec.MAX_CELLS", 14 * 4 + 12)
    assert tuning().tune.trials == 14
    with pytest.raises(InvalidParams, match="at most 68 runs"):
        tuning(trials=15)
