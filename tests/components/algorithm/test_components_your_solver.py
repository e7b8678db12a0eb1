"""A user's own solver on the pages: under its own heading in the menu, in the drawer, and after its file is removed."""

from types import SimpleNamespace

import pytest

from components.algorithm import form
from components.algorithm.variants import Place
from components.how import content
from components.race import lanes
from components.watch import address
from components.watch.labels import explain_table
from data.collection.resolve import resolve
from runs.races.spec import RaceSpec
from solvers import SOLVERS, find
from solvers.core.errors import InvalidParams
from solvers.core.machine import Machine
from solvers.plan import plan, prepare
from solvers.spec import RunSpec
from solvers.user_files.declarations import describe_solver
from solvers.user_files.loading import load
from solvers.user_files.solver_file import SolverFile
from tests.solvers.user_files.mine import changed_template, empty_registry

SERVICE = SimpleNamespace(instance=lambda reference: resolve(reference, None), status=lambda: {"devices": []})


@pytest.fixture(autouse=True)
def own_registry(monkeypatch):
    empty_registry(monkeypatch)


@pytest.fixture
def file_solver(tmp_path):
    """A file as known to a server: described, not loaded."""
    path = changed_template(tmp_path, ('"""From a random city', '"""<b>From</b> a random city'))
    SOLVERS.join(SolverFile(str(path), describe_solver(load(path))))
    return find("my-solver")


def make_spec(name: str) -> dict:
    stages = [{"algorithm": name, "params": {"climbers": 5}}]
    return {"v": 2, "instance": {"name": "berlin52"}, "stages": stages, "seed": 7}


def test_own_solver_is_in_the_menu_under_a_heading(file_solver):
    first, second, third, *others = form._options()
    assert [first["label"].children, second["value"], third["label"].children] == [
        "Your solver",
        "my-solver",
        "Algorithms",
    ]
    assert [first["disabled"], second["disabled"], third["disabled"]] == [True, False, True]
    assert others[0]["value"] == "two-opt"
    fields, summary = form.build_form("my-solver", None, Place())
    assert "climbers" in str(fields)
    assert summary == file_solver.summary


def test_menu_has_no_headings_without_own_solvers():
    assert "heading" not in str([option["value"] for option in form._options()])


def test_drawer_shows_the_files_text_as_plain_text(file_solver):
    page = content.page("my-solver", "/")
    assert [section["title"] for section in page["sections"]] == ["Idea", "Parameters", "Sources"]
    assert "&lt;b&gt;From&lt;/b&gt; a random city" in page["sections"][0]["html"]
    assert "mine.py" in page["sections"][2]["html"]
    assert page["document"] == "your-solver.md"
    assert "your solver" in explain_table(file_solver)


def test_run_of_a_missing_solver_opens_with_a_note(monkeypatch):
    summary = {"spec": make_spec("gone")}
    service = SimpleNamespace(instance=SERVICE.instance, summary=lambda run: summary)
    SOLVERS.tolerate(["gone"])
    filled = address.open_run(service, {"run": "abc"}, [])
    assert filled["run"] == {"run": "abc"}
    assert filled["seed"] == 7
    assert "algorithm" not in filled
    assert filled["note"] == "The solver gone is not here: start TourScope with its file, by --solver FILE."
    spec = RunSpec.from_json(make_spec("gone"))
    assert str(plan(prepare(spec), SERVICE.instance(spec.instance), Machine(())).refusal) == filled["note"]
    assert "not here" in content.page("gone", "/")["sections"][0]["html"]


def test_run_of_a_solver_with_changed_parameters_opens_with_a_note(file_solver):
    spec = make_spec("my-solver")
    spec["stages"][0]["params"] = {"ants": 5}
    service = SimpleNamespace(instance=SERVICE.instance, summary=lambda run: {"spec": spec})
    filled = address.open_run(service, {"run": "abc"}, [])
    assert filled["run"] == {"run": "abc"}
    assert "Unknown parameter" in filled["note"]


def test_stored_race_may_name_a_missing_solver():
    stages = [{"stages": [{"algorithm": name, "params": {}}], "device": "auto"} for name in ("gone", "two-opt")]
    race = {"v": 2, "instance": {"name": "berlin52"}, "lanes": stages, "seed": 1, "budget": {"seconds": 1}}
    with pytest.raises(InvalidParams):
        RaceSpec.from_json(race)
    stored = RaceSpec.from_json(race, stored=True).to_json()["lanes"]
    assert [view["title"] for view in lanes.describe_lanes(stored)] == ["gone", "2-opt"]
