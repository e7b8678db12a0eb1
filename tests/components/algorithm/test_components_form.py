"""The form is built from the declarations of solvers."""

import pytest

from components.algorithm.form import build_form, choose_hints, fields
from components.algorithm.variants import Place
from components.shell import ids
from components.shell.controls import LOG_STEPS, choice_label, compute_slider_position, parameter_field
from solvers import SOLVERS as ALL
from solvers import find
from solvers.core.params import Param, Params, param
from tests.tables import each_row

SOLVERS = [solver for solver in ALL if solver.listed]
KINDS = [
    Param("count", "int", 5, 1, 1000, 1, "log", (), "Count", "How many.", "k"),
    Param("rate", "float", 0.5, 0.0, 1.0, 0.05, "linear", (), "Rate", "How much.", "ρ"),
    Param("deep", "bool", True, None, None, None, "linear", (), "Deep", "Whether.", ""),
    Param("rule", "choice", "best", None, None, None, "linear", ("best", "first"), "Rule", "Which.", ""),
]


def find_controls(components):
    everything = [each for field in components for each in [field, *field._traverse()]]
    named = [each for each in everything if isinstance(getattr(each, "id", None), dict)]
    return {each.id["name"]: each for each in named if each.id["type"] == "parameter"}


@each_row("solver", SOLVERS)
def test_each_parameter_has_one_control_at_its_default(solver):
    controls = find_controls(fields(solver, {}, Place()))
    schema = solver.params.schema()
    assert {name: control.value for name, control in controls.items()} == {each.name: each.default for each in schema}
    assert all(controls[each.name].id == ids.parameter(each.name) for each in schema)


@each_row("solver", SOLVERS)
def test_form_values_are_accepted_by_the_solver(solver):
    values = {name: control.value for name, control in find_controls(fields(solver, {}, Place())).items()}
    assert isinstance(solver.params.from_mapping(values), Params)


@each_row("declared", KINDS)
def test_every_kind_has_a_control(declared):
    [control] = find_controls([parameter_field(declared, declared.default)]).values()
    assert control.value == declared.default


@each_row("solver", SOLVERS)
def test_choices_are_words_rather_than_identifiers(solver):
    for declared in solver.params.schema():
        if declared.name != "variant":
            labels = {choice_label(each) for each in declared.choices}
            assert labels & {*declared.choices} <= {each for each in labels if "-" not in each or each[0] in "23"}


def test_choice_of_a_users_solver_is_shown_unchanged():
    assert choice_label("of-my-own") == "of-my-own"


@each_row(
    ("name", "note"),
    [("ants", ["0: uses as many ants as cities"]), ("beta", []), ("least_weight", [])],
)
def test_default_of_zero_explains_itself(name, note):
    [declared] = [each for each in find("ant-system").params.schema() if each.name == name]
    parts = parameter_field(declared, declared.default)._traverse()
    assert [each.children for each in parts if getattr(each, "className", "") == "note"] == note


@each_row(("value", "share"), [(1, 0.0), (1000, 1.0), (10, 1 / 3), (0, 0.0), (10**9, 1.0), (None, 1.0)])
def test_log_slider_has_its_proportional_position(value, share):
    assert compute_slider_position(KINDS[0], value) == pytest.approx(share * LOG_STEPS)


def test_linear_slider_stands_at_its_value():
    assert compute_slider_position(KINDS[1], 0.25) == 0.25


def test_permalink_fills_its_own_algorithm_only():
    first, second = SOLVERS[0], SOLVERS[1]
    asked = {"algorithm": first.name, "params": {"climbers": 7}}
    assert find_controls(build_form(first.name, asked, Place())[0])["climbers"].value == 7
    assert "climbers" not in find_controls(build_form(second.name, asked, Place())[0])
    assert build_form(second.name, asked, Place())[1] == second.summary


@each_row("algorithm", ["nothing", None, 3])
def test_unknown_algorithm_is_reported(algorithm):
    controls, sentence = build_form(algorithm, None, Place())
    assert controls == []
    assert "algorithm" in sentence


def test_hint_is_built_from_the_data(run_service):
    hint = choose_hints(run_service, "berlin52", "two-opt")
    assert hint["parameter"] == "climbers"
    assert (
        hint["many"]
        == "Press Start: {number} climbers will look for the shortest round trip through 52 locations in Berlin."
    )
    assert [hint[count][:27] for count in ("one", "none")] == [
        "Press Start: one climber wi",
        "Press Start: Climbers will ",
    ]


def test_hint_without_a_count_names_the_algorithm(run_service):
    hint = choose_hints(run_service, "kroA100", "greedy")
    assert hint["parameter"] is None
    assert hint["none"].startswith("Press Start: Greedy edges")
    assert "100 cities" in hint["none"]


def test_hint_omits_unavailable_controls(run_service):
    assert choose_hints(run_service, "no such instance", "two-opt") == {"parameter": None, "none": ""}


def test_declared_bool_and_symbol_reach_the_form():
    declared = Param.from_field(_declare(param(0.1, label="Evaporation", help="h", low=0, high=1, symbol="ρ")))
    text = str(parameter_field(declared, 0.1))
    assert "ρ" in text


def _declare(field):
    field.name = "rho"
    return field
