"""A new algorithm in a lane or an entry uses the same budget as all others."""

from itertools import product
from types import SimpleNamespace

import dash
import fastapi
import pytest

from components.algorithm import ids as item_ids
from components.algorithm import presets, start_tour
from components.race import ids as race_ids_module
from components.race import lanes as race_lanes_module
from components.race import page
from components.shell import ids
from components.study import entries, entry_dialog, setup
from components.study import ids as study_ids
from components.study import page as study_page
from data.generators import uniform
from solvers import SOLVERS, find
from solvers.core.stop import Budget
from solvers.spec import Stage
from studies.spec.open_ended import max_iterations
from tests.components.person import Person
from tests.components.race.test_components_race import ASSETS, KNOWN, FakeRaces
from tests.shortened import shorten
from tests.solver_runs import collect_events, fit_instance, make_spec

pytestmark = pytest.mark.slow

LISTED = [solver.name for solver in SOLVERS if solver.listed]
#: Families whose algorithms come to an end of their own, which no budget puts off.
ENDING = ("exact", "construction")
#: Algorithms that may end before their time is up, once all tours of a population are alike.
CONVERGING = ("genetic-algorithm",)
#: One of most families: the rule of all is the same, and what an algorithm declares is checked by contracts.
SHORT = ("nearest-neighbour", "two-opt", "ant-system", "held-karp")
EVERY_ALGORITHM = pytest.mark.parametrize("name", shorten(LISTED, SHORT.__contains__))


class Racer(Person):
    """A person who sets up and starts a race with the lanes `lanes`."""

    def __init__(self, run_service, lanes) -> None:
        self._races = FakeRaces(run_service)
        app = dash.Dash("race", server=fastapi.FastAPI(), url_base_pathname="/race/", assets_folder=str(ASSETS))
        page.build(app, self._races, "/")
        super().__init__(app, page.layout(run_service.status(), "/"), ids.START)
        self.finds(race_ids_module.LANES, lanes)

    begins_with, use, add = item_ids.START_TOUR, item_ids.USE, item_ids.ADD

    def edits(self, number: int) -> None:
        self.presses(race_ids_module.lane("edit", number))

    def starts(self) -> tuple[list[tuple[Stage, ...]], Budget]:
        """The stages and the budget of every started run."""
        self.presses(ids.START)
        runs = self._races.find(KNOWN).spec.runs()
        assert len({run.budget for run in runs}) == 1
        return [run.stages for run in runs], runs[0].budget


class Student(Person):
    """A person who sets up and starts a study whose entries have these stages."""

    def __init__(self, run_service, lanes) -> None:
        self._asked: list = []
        studies = SimpleNamespace(
            run_service=run_service, cores=2, start=lambda spec, owner: self._asked.append(spec) or "abc"
        )
        app = dash.Dash("study", server=fastapi.FastAPI(), url_base_pathname="/study/", assets_folder=str(ASSETS))
        app.config.prevent_initial_callbacks = True  # as the page has it
        setup.register(app, studies)
        entries.register(app)
        entry_dialog.register(app, run_service)
        app.layout = study_page.layout(run_service.status(), "/")
        super().__init__(app, app.layout, ids.START)
        named = [{"label": f"my {number}", "stages": each["stages"]} for number, each in enumerate(lanes)]
        self.finds(study_ids.ENTRIES, named)

    begins_with, use, add = item_ids.START_TOUR, item_ids.USE, item_ids.ADD

    def edits(self, number: int) -> None:
        self.presses(study_ids.entry("edit", number))

    def starts(self) -> tuple[list[tuple[Stage, ...]], Budget]:
        """The stages and the budget of every started run."""
        self.presses(ids.START)
        (spec,) = self._asked
        return [entry.stages for entry in spec.entries], spec.budget


VISITORS = (Racer, Student)
BOTH = pytest.mark.parametrize("visitor", VISITORS)
EVERY_ALGORITHM_OF_BOTH = pytest.mark.parametrize(
    ("visitor", "name"), shorten(product(VISITORS, LISTED), lambda case: case[0] is Racer and case[1] in SHORT)
)
TWO = [race_lanes_module.lane("nearest-neighbour", "two-opt"), race_lanes_module.lane("simulated-annealing")]
#: Of the algorithm that a form is first at, but for what is its default.
TUNED = {"stages": [{"algorithm": "ant-system", "params": {"iterations": 70, "candidates": 9, "beta": 3.0}}],
         "device": "auto"}  # fmt: skip


def is_ended_by_the_budget(stage: Stage) -> bool:
    solver = find(stage.algorithm)
    count = solver.iterations_param()
    return solver.family in ENDING if count is None else stage.params[count.name] == count.high


def form_defaults(name: str) -> dict:
    """The initial values of an algorithm's form."""
    return {param.name: param.default for param in find(name).params.schema()} | max_iterations(find(name))


@EVERY_ALGORITHM_OF_BOTH
def test_shared_budget_ends_a_lane_of_any_algorithm(visitor, name, run_service):
    person = visitor(run_service, TWO)
    person.presses(person.add)
    person.chooses(ids.ALGORITHM, name)
    assert person.form() == form_defaults(name)
    person.presses(person.use)
    stages, budget = person.starts()
    assert [stage.algorithm for stage in stages[-1]] == [name]
    assert all(is_ended_by_the_budget(each[-1]) for each in stages)
    assert budget == Budget(seconds=5.0 if visitor is Racer else 1.0)


@EVERY_ALGORITHM_OF_BOTH
def test_another_algorithm_keeps_no_parameters_of_the_previous_one(visitor, name, run_service):
    tuned = {**TUNED, "stages": [{"algorithm": "greedy", "params": {}}, *TUNED["stages"]]}
    person = visitor(run_service, [tuned, *TWO])
    person.edits(0)
    assert person.form() == form_defaults("ant-system") | TUNED["stages"][0]["params"]
    assert person.sees(person.begins_with) == "greedy"
    if name == "ant-system":  # is the one that it was
        person.presses(person.use)
        stages, _ = person.starts()
        assert stages[0] == tuple(Stage(each["algorithm"], each["params"]) for each in tuned["stages"])
        return
    person.chooses(ids.ALGORITHM, name)
    assert person.form() == form_defaults(name)
    assert person.sees(person.begins_with) == start_tour.NOTHING
    person.presses(person.use)
    stages, _ = person.starts()
    assert stages[0] == (Stage(name, max_iterations(find(name))),)


@BOTH
def test_lane_settings_return_with_its_own_algorithm(visitor, run_service):
    person = visitor(run_service, [TUNED, *TWO])
    person.edits(1)
    before = person.form(), person.sees(person.begins_with)
    person.chooses(ids.ALGORITHM, "greedy")
    person.chooses(ids.ALGORITHM, "two-opt")
    assert (person.form(), person.sees(person.begins_with)) == before == (form_defaults("two-opt"), "nearest-neighbour")
    person.edits(0)
    assert person.form() == form_defaults("ant-system") | TUNED["stages"][0]["params"]
    assert person.sees(person.begins_with) == start_tour.NOTHING


@BOTH
def test_explicit_number_is_kept(visitor, run_service):
    """Including the default: only an unedited value runs until the budget ends it."""
    person = visitor(run_service, TWO)
    for count in (100, 7):
        person.edits(1)
        person.chooses(ids.ALGORITHM, "max-min-ant-system")
        person.chooses(ids.parameter("iterations"), count)
        person.presses(person.use)
        person.edits(1)
        assert person.form() == form_defaults("max-min-ant-system") | {"iterations": count}
        person.presses(person.use)
    stages, _ = person.starts()
    assert stages[1] == (Stage("max-min-ant-system", {"iterations": 7}),)


@BOTH
def test_values_of_links_and_files_are_kept(visitor, run_service):
    """Without a count, an algorithm uses its default, in a form as in a run; opening the form keeps it."""
    plain = {"stages": [{"algorithm": "ant-system", "params": {}}], "device": "auto"}
    person = visitor(run_service, [plain, *TWO])
    person.edits(0)
    assert person.form()["iterations"] == 100
    person.presses(person.use)
    stages, _ = person.starts()
    assert stages[0] == (Stage("ant-system", {}),)
    assert race_lanes_module.describe_settings(plain) == "iterations 100", "it may end before the others, and says so"


def test_another_algorithm_drops_the_entry_name_and_swept_parameter(run_service):
    person = Student(run_service, [TUNED, *TWO])
    person.edits(0)
    assert person.sees(study_ids.LABEL) == "my 0"
    person.chooses(study_ids.OVER, "beta")
    person.chooses(study_ids.OVER_VALUES, "1, 2")
    person.chooses(ids.ALGORITHM, "two-opt")
    assert person.sees(study_ids.LABEL) == ""
    assert (person.sees(study_ids.OVER), person.sees(study_ids.OVER_VALUES)) == (entry_dialog.NOTHING, "")
    person.presses(person.use)
    assert person.sees(study_ids.ENTRIES, "data")[0]["label"] == "2-opt"
    assert person.sees(item_ids.NOTE, "children") == ""


def test_excess_entries_are_reported_by_their_values():
    several = entry_dialog.build_entries("ant-system", {"rho": 0.3}, [], "", "iterations", "10,20")
    assert [each["label"] for each in several] == [f"Ant System · evaporation 0.3 iterations={k}" for k in (10, 20)]


@EVERY_ALGORITHM_OF_BOTH
def test_no_preset_ends_a_lane_before_its_budget(visitor, name, run_service):
    """A preset has a paper's settings of an algorithm, but all entries have the same length."""
    person = visitor(run_service, TWO)
    person.presses(person.add)
    person.chooses(ids.ALGORITHM, name)
    solver = find(name)
    for preset in presets.list_presets(solver):
        sets = person.sees(ids.preset(name, "params"), "data")[preset.name]
        assert sets.keys().isdisjoint(max_iterations(solver))
        assert sets == {key: value for key, value in presets.complete_params(solver, preset).items() if key in sets}
    if presets.list_presets(solver):
        assert person.sees(ids.preset(name, "menu")) == presets.find_matching(solver, {}), "the preset of the defaults"


@pytest.mark.slow
@EVERY_ALGORITHM
def test_untouched_lane_ends_at_the_time_limit(name):
    solver = find(name)
    if solver.family == "reference":
        pytest.skip("its package may not be installed, and tests of its own measure its time")
    spec = make_spec(name, budget={"seconds": 0.2}, **max_iterations(solver))
    finished = collect_events(fit_instance(solver, uniform(50, 1)), spec)[-1]
    assert finished.stop_reason == "time" or solver.family in ENDING or name in CONVERGING
