"""The study page's fields and results of a tuning study, called directly."""

from types import SimpleNamespace
from urllib.parse import parse_qsl

import pytest
from dash import Dash

from components.study import address, setup, tune_setup, tuning
from components.study import ids as study_ids
from data.collection import resolve
from runs.language import use_language
from runs.library.facts import read_facts
from runs.owners import Owners
from runs.presets import Presets
from runs.study_jobs.errors import NoSuchStudy
from runs.study_jobs.snapshots import read
from runs.visitors import HOST, act_as
from solvers.core.errors import InvalidParams
from studies.file.reader import StudyReader
from studies.spec.spec import StudySpec
from studies.tuning import packages
from studies.tuning.best_preset import make_best_preset
from studies.tuning.trials import find_best
from tests.studies.tuning.small_tuning import PARAMS, VARIED, run_tuning, tuning_json
from tests.studies.tuning.small_tuning import tuning as tuning_spec

pytestmark = pytest.mark.slow

SHOWN = {"study": "abc", "version": "1"}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("tuning") / "t.tourstudy"
    run_tuning(path, tuning_spec(trials=16))
    return path


@pytest.fixture
def studies(path, tmp_path):
    """Replaces the server's studies on the page by a single study."""
    seen = read(path)

    def known(study):
        if study != "abc":
            raise NoSuchStudy
        return seen

    def preset(study, name):
        known(study)
        with StudyReader(path) as reader:
            return make_best_preset(reader, name)

    run_service = SimpleNamespace(
        instance=lambda reference: resolve.resolve(reference, None),
        presets=Presets(tmp_path / "presets", Owners(tmp_path / "owners.sqlite", shared=False)),
    )
    with act_as(HOST):
        yield SimpleNamespace(snapshot=known, run_service=run_service, preset=preset, cores=2)


def form(spec, studies, **changes):
    """The form's values, filled from the address of a study."""
    filled = address.fill(studies, spec, [])
    inputs = filled.pop("given")
    names = [row.children[0].id["name"] for row in tune_setup.rows(inputs["algorithm"], inputs)]
    rows = tune_setup.rows(inputs["algorithm"], inputs)
    values = {
        "names": names,
        "on": [row.children[0].value for row in rows],
        "values": [row.children[2].value for row in rows],
        "tuned": "0",
    }
    return {name: filled.get(name) for name in setup.FIELDS} | values | changes


@pytest.mark.long
def test_form_of_a_tunings_address_makes_the_same_tuning(studies):
    spec = tuning_spec(seeds={"first": 7, "count": 2}, instances=[{"name": "fri26"}, {"name": "gr17"}])
    value = spec.to_json() | {"budget": {"iterations": 9}, "seeds": {"first": 9, "count": 4}}
    spec = StudySpec.from_json(value)
    assert address.parse_spec(address.make_address(spec)) == spec
    assert setup.build_spec(form(spec, studies)) == spec


def test_selected_parameters_vary_over_the_entered_ranges(studies):
    spec = StudySpec.from_json(tuning_json() | {"budget": {"iterations": 9}})
    values = form(spec, studies)
    on = [name == "cooling" for name in values["names"]]
    typed = dict(zip(values["names"], values["values"], strict=True)) | {"cooling": "0.85..0.95"}
    result = setup.build_spec(values | {"on": on, "values": [*typed.values()]})
    assert [(each.name, each.low, each.high) for each in result.tune.vary] == [("cooling", 0.85, 0.95)]
    assert setup.build_spec(values | {"kind": "compare"}).tune is None
    with pytest.raises(InvalidParams, match=r"^Tick at least one parameter to vary\.$"):
        setup.build_spec(values | {"on": [False] * len(on)})
    with pytest.raises(InvalidParams):
        setup.build_spec(values | {"values": ["7..9"] * len(on), "on": [True] * len(on)})


def test_cost_of_a_tuning_includes_trials_and_comparison(studies):
    values = form(StudySpec.from_json(tuning_json() | {"budget": {"iterations": 9}}), studies)
    assert setup.describe_cost(values, 2).startswith(f"{14 * 2 * 2 + 2 * 2 * 3} runs")
    assert setup.describe_cost(values | {"trials": None}, 2) == ""
    assert setup.describe_cost(values | {"on": [False] * len(values["on"])}, 2) == ""
    assert "at most" in setup.describe_cost(values | {"trials": 1000, "train_seeds": 900}, 2)


def test_cost_follows_the_ticks(studies):
    app = Dash("tuning")
    setup.register(app, studies)
    [cost] = [each for each in app._callback_list if study_ids.COST in each["output"]]
    assert cost["inputs"][-1] == {"id": '{"name":["ALL"],"type":"tune-on"}', "property": "value"}
    update = app.callback_map[cost["output"]]["callback"].__wrapped__
    values = form(StudySpec.from_json(tuning_json() | {"budget": {"iterations": 9}}), studies)
    fields = [values[name] for name in setup.FIELDS]
    assert update(*fields, [True])[0].startswith("68 runs")
    assert update(*fields, [False])[0] == ""


def test_rows_belong_to_the_selected_algorithm_and_persist_with_it():
    entries = [
        {"label": "a", "stages": [{"algorithm": "greedy", "params": {}}]},
        {"label": "b", "stages": [{"algorithm": "simulated-annealing", "params": PARAMS}]},
    ]
    view = tune_setup.update("tune", entries, "1", None, [], None)
    assert not view.hidden
    assert {row.children[0].id["name"] for row in view.rows} >= set(VARIED)
    again = tune_setup.update("tune", entries, "1", None, [], view.shown)
    assert again.rows is tune_setup.no_update
    nothing = tune_setup.update("tune", entries[:1], "0", None, [], view.shown)
    assert nothing.rows == []
    assert nothing.note.startswith("No parameter of this algorithm")
    assert tune_setup.update("compare", entries, "1", None, [], None).hidden


def test_form_without_optuna_says_what_to_install(monkeypatch):
    monkeypatch.setattr(packages, "find_spec", lambda name: None)
    entries = [{"label": "b", "stages": [{"algorithm": "simulated-annealing", "params": PARAMS}]}]
    assert tune_setup.update("tune", entries, "0", None, [], None).note == packages.MISSING
    with use_language("de"):
        assert "Optuna" in tune_setup.update("tune", entries, "0", None, [], None).note
        assert tune_setup.update("tune", entries, "0", None, [], None).note != packages.MISSING


@pytest.mark.parametrize("language", ["en", "de"])
def test_sentences_and_tables_describe_the_trials(studies, path, language):
    with use_language(language):
        view = tuning.build_view(studies, SHOWN, "light", "/")
    with StudyReader(path) as reader:
        trials = reader.trials()
        found = find_best(trials, reader.trial_references(trials))
    assert view.style == "studies-tuning"
    lines = view.words.splitlines()
    assert len(lines) == 4
    assert f"{found.number}" in lines[2]
    rows = view.trials["rows"]
    assert [row[0] for row in rows if row[0] == str(found.number)] == [str(found.number)]
    assert len(rows) == 16
    assert len({len(row) for row in rows}) == 1 == len({len(view.trials["heads"]), len(rows[0])})
    complete = [row for row in rows if row[1] in ("complete", "vollständig")]
    gaps = [float(row[2].split("\u202f")[0].replace(",", ".")) for row in complete]
    assert gaps == sorted(gaps)
    assert view.figure["data"][0]["name"] == ("complete" if language == "en" else "vollständig")


def test_ordinary_study_shows_no_trials(studies):
    assert tuning.build_view(studies, None, "light", "/").style == "studies-tuning none"


def test_preset_is_saved_once_under_a_name_and_deleted(studies):
    assert "name" in tuning.save(studies, SHOWN, " ")
    assert tuning.save(studies, SHOWN, "geometric-and-more").startswith("Saved")
    assert tuning.save(studies, SHOWN, "geometric-and-more").startswith("Saved")
    (item,) = tuning.presets(studies, "simulated-annealing", "/base/")
    assert item.children[1].href.startswith("/base/presets/")
    query = dict(parse_qsl(item.children[2].href.partition("?")[2]))
    (saved,) = studies.run_service.presets.list_visible("simulated-annealing")
    assert query["algorithm"] == "simulated-annealing"
    assert query["schedule"] == saved.preset.params["schedule"]
    assert "paper" in tuning.save(studies, SHOWN, "utne-hansen")
    assert item.children[3].id == study_ids.kept_preset("delete", saved.id)
    tuning.delete(studies, saved.id)
    assert tuning.presets(studies, "simulated-annealing", "/") == []
    assert tuning.delete(studies, saved.id) == "There is no such preset."


def test_library_calls_it_a_tuning(path):
    assert read_facts("study", path).name.startswith("Tuning of as set on gr17, burma14")


def test_option_is_enabled_only_with_its_package_and_says_what_to_install(monkeypatch):
    from components.study import exports

    def menu_options():
        options = tune_setup.kinds().children[0].children.options
        return [(option["value"], option.get("disabled", False)) for option in options]

    monkeypatch.setattr(tune_setup, "is_missing", lambda: True)
    monkeypatch.setattr(exports.parquet, "is_missing", lambda: True)
    assert menu_options() == [("compare", False), ("tune", True)]
    assert "optuna" in tune_setup.kinds().children[1].children
    parquet = exports._link("parquet", "/runs.parquet")
    assert "install" in parquet.title or "pipx" in parquet.title
    assert not hasattr(parquet, "href")
    monkeypatch.setattr(tune_setup, "is_missing", lambda: False)
    monkeypatch.setattr(exports.parquet, "is_missing", lambda: False)
    assert menu_options() == [("compare", False), ("tune", False)]
    assert exports._link("parquet", "/runs.parquet").href == "/runs.parquet"


def test_tuning_starts_with_the_first_tunable_entry():
    entries = [{"stages": [{"algorithm": name, "params": {}}], "label": ""} for name in ("greedy", "ant-system")]
    view = tune_setup.update("tune", entries, "0", None, [], None)
    assert [option["disabled"] for option in view.entries] == [True, False]
    assert view.tuned == "1"
    assert view.rows
    alone = tune_setup.update("tune", entries[:1], "0", None, [], None)
    assert alone.note.startswith("No parameter of this algorithm")
