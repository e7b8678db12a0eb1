"""The study page's callbacks, called directly: the setup, its address, texts and charts."""

import base64
import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import parse_qsl

import dash
import fastapi
import numpy as np
import pytest
from fastapi.testclient import TestClient
from plotly.utils import PlotlyJSONEncoder

from components.figures import studies as figures
from components.instances.picker import instance_options
from components.shell.numbers import format_value
from components.study import (
    address,
    curves,
    distribution,
    entries,
    entry_dialog,
    first_view,
    ids,
    matrix,
    rates,
    recent,
    setup,
    tables,
    tests,
)
from components.study import page as study_page
from components.study import status as study_status
from data.collection import resolve
from runs.language import use_language
from runs.study_jobs.errors import NoSuchStudy
from runs.study_jobs.service import StudyStatus
from runs.study_jobs.snapshots import TuningState, read
from solvers.core.errors import InvalidParams
from studies.errors import InvalidStudy
from studies.spec.spec import StudySpec
from studies.stats.anytime import compute_anytime
from studies.stats.references import find_references
from tests.components.dangling import assert_ids, ids_of_module
from tests.studies.made_up import write_study
from tests.studies.small_study import finish_study, tiny_study
from tests.studies.tables import ends
from tests.tables import each_row

ROOT = Path(__file__).parents[3]
SHOWN = {"study": "abc", "version": "1"}


class FakeRunService:
    def instance(self, reference):
        return resolve.resolve(reference, None)

    def status(self):
        return {"devices": None, "spare": "starting"}


def unpack_numbers(packed):
    """The numbers that Plotly's script receives as bytes."""
    return np.frombuffer(base64.b64decode(packed["bdata"]), {"f8": "<f8", "f4": "<f4"}[packed["dtype"]])


@pytest.fixture(scope="module")
def made_up_study(tmp_path_factory):
    return read(write_study(tmp_path_factory.mktemp("study") / "s.tourstudy", instances=3, seeds=4, improvements=20))


@pytest.fixture
def studies(made_up_study, tmp_path):
    """Replaces the server's studies on the page by a single study."""
    asked = []

    def known(study):
        if study != "abc":
            raise NoSuchStudy
        return made_up_study

    def start(spec, owner):
        asked.append(spec)
        return "abc"

    status = StudyStatus(
        "abc", tmp_path / "s.tourstudy", made_up_study.spec.title, made_up_study.created, "finished", 60, 60, 0
    )
    return SimpleNamespace(
        run_service=FakeRunService(), cores=4, asked=asked, snapshot=known, start=start,
        recent=lambda limit: [status], status=lambda study: status, cancel=asked.append, resume=asked.append,
        may_change=lambda study: True,
    )  # fmt: skip


@pytest.fixture
def form():
    return dict(recent.EXAMPLES()[ids.EXAMPLE])


def test_every_id_is_on_the_page_once_and_found_by_callbacks(studies):
    app = dash.Dash("tourscope", server=fastapi.FastAPI(), url_base_pathname="/study/", assets_folder="assets")
    study_page.build(app, studies, "/")
    page = study_page.layout(studies.run_service.status(), "/")
    assert_ids(page, ids_of_module(ids), app)


def test_first_visit_shows_an_example_and_where_to_add_instances(studies):
    page = json.dumps(
        study_page.layout(studies.run_service.status(), "/below/").to_plotly_json(), cls=PlotlyJSONEncoder
    )
    assert re.search(r'"src": "/below/[^"]*/study/example.svg"', page)
    assert '"href": "/below/"' in page
    chart = (ROOT / "assets" / "study" / "example.svg").read_text()
    assert re.findall(r">([A-Z])</text>", chart) == ["A", "B", "C"][: len(recent.EXAMPLES()[ids.EXAMPLE]["entries"])]


def test_form_makes_a_study_with_its_cost(form):
    spec = setup.build_spec(form)
    assert (len(spec.instances), len(spec.entries), spec.seeds.count, spec.budget.seconds) == (3, 3, 6, 0.5)
    assert setup.describe_cost(form, 2) == "54 runs, 2 at a time: at most 13.5\u202fs."
    assert "too many" in setup.describe_cost({**form, "seeds": 100_000}, 2)
    assert "after the first runs" in setup.describe_cost({**form, "limit": "iterations", "amount": 10}, 2)
    with pytest.raises(InvalidParams, match="seconds"):
        setup.build_spec({**form, "limit": ["seconds"], "amount": 10})
    assert setup.describe_cost({**form, "seeds": None}, 2) == ""


def test_form_says_whether_its_seeds_suffice(form):
    """The example has enough seeds for its purpose; one seed fewer would not suffice: 9 times 2 / 252 is 0.0714."""
    assert setup.describe_seeds(form) == "Enough: it takes at least 6 seeds to show a difference."
    assert setup.describe_seeds({**form, "seeds": 5}) == (
        "Too few to show any difference: after Holm\u2019s correction for 9 comparisons, the lowest p that 5 seeds can "
        "give is 0.0714, and it must be below 0.05. Take 6 or more."
    )
    assert setup.describe_seeds({**form, "seeds": 1}) == "One seed proves nothing: use 6 or more."
    two = {**form, "instances": form["instances"][:1], "entries": form["entries"][:2]}
    assert setup.describe_seeds({**two, "seeds": 3}) == (
        "Too few to show any difference: the lowest p that 3 seeds can give is 0.1, and it must be below 0.05. "
        "Take 4 or more."
    )
    greedy = {"label": "Greedy", "stages": [{"algorithm": "greedy", "params": {}}]}
    mixed = {**form, "entries": [*form["entries"], greedy], "seeds": 8}
    assert setup.describe_seeds(mixed) == (
        "Too few to show a difference from a deterministic algorithm: after Holm\u2019s correction, the lowest p that "
        "8 seeds can give is 0.0703, and it must be below 0.05. Take 9 or more."
    )
    alone = {**form, "entries": form["entries"][:1]}
    assert setup.describe_seeds({**alone, "seeds": 1}) == "One seed proves nothing: use 10 or more."
    assert [setup.describe_seeds({**each, "seeds": 2}) for each in (alone, {**form, "entries": [greedy]})] == ["", ""]
    for broken in ({"seeds": None}, {"seeds": "x"}, {"seeds": 0}, {"instances": None}, {"entries": [7]}):
        assert setup.describe_seeds({**form, **broken}) == ""


def test_example_compares_lin_kernighan_with_2_opt_and_ants(studies):
    """It has as many runs as the first example, on instances that half a second distinguishes; six seeds suffice."""
    first, second = recent.EXAMPLES().values()
    launched = setup.launch(studies, second)
    assert (launched.note, launched.open) == ("", {"study": "abc"})
    spec = studies.asked[0]
    assert [each.stages[0].algorithm for each in spec.entries] == ["lin-kernighan", "two-opt", "max-min-ant-system"]
    assert [each["name"] for each in spec.to_json()["instances"]] == ["lin318", "pcb442", "pr1002"]
    assert (
        setup.describe_cost(second, 1) == setup.describe_cost(first, 1) == "54 runs, 1 at a time: at most 27.0\u202fs."
    )
    assert setup.describe_seeds(second).startswith("Enough: it takes at least")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"instances": []}, "Instances"),
        ({"seeds": 0}, "Seeds"),
        ({"amount": -1}, "Limit per run"),
        ({"amount": None}, "Limit per run"),
        ({"threads": "x"}, "Threads"),
        ({"instances": ["{broken"]}, "reference"),
        ({"entries": [{"label": "A", "stages": 7}]}, ""),
    ],
)
def test_invalid_form_is_refused_with_a_message(studies, form, changes, field):
    answer = setup.launch(studies, {**form, **changes})
    assert field in answer.note
    assert answer.note
    assert studies.asked == []


def test_address_restores_the_form(studies, form):
    launched = setup.launch(studies, form)
    assert launched.open == {"study": "abc"}
    spelt = json.loads(dict(parse_qsl(launched.search[1:]))["study"])
    assert spelt == studies.asked[0].to_json()
    without_id = launched.search.removesuffix("&id=abc")
    filled = address.BAR.read(studies, without_id, None, instance_options())
    names = ("instances", "entries", "seeds", "first", "limit", "amount", "device", "threads", "title")
    assert setup.build_spec({name: filled[name] for name in names}) == studies.asked[0]


def test_addresses_open_studies_or_say_why_not(studies):
    filled = address.BAR.read(studies, "?id=abc", None, [])
    assert (filled["open"], len(filled["instances"])) == ({"study": "abc"}, 3)
    assert address.BAR.read(studies, "?id=abc", {"study": "abc"}, []) == {}
    for wrong in ("?id=nothere", "?study=%7B", "?study=[]", "?study=" + 9000 * "[", "?x=1"):
        assert address.BAR.read(studies, wrong, None, [])["note"].startswith("This link cannot be used")
    assert address.BAR.read(studies, "", {"study": "abc"}, [])["open"] is None


def test_sweep_of_one_parameter_and_duplicate_names():
    many = entry_dialog.build_entries("ant-system", {"beta": 2}, "", "", "beta", "1, 2,5")
    assert [entry["stages"][0]["params"]["beta"] for entry in many] == [1, 2, 5]
    assert len({entry["label"] for entry in many}) == 3
    assert entry_dialog.apply_form(entries.DEFAULT, None, many)[3:] == many
    edited = {"entry": 1, "insert": False}
    assert entry_dialog.apply_form(entries.DEFAULT, edited, many)[1:4] == many
    with pytest.raises(InvalidParams):
        entry_dialog.apply_form(many, None, many)
    for values in ("", "1,1", "-5"):
        with pytest.raises(InvalidParams):
            entry_dialog.build_entries("ant-system", {}, "", "", "beta", values)


@each_row("damage", [None, 7, "x", [], [{}], [{"label": "A", "stages": [{"algorithm": "none"}]}]])
def test_invalid_entries_of_a_page(damage):
    assert not entries.is_valid(damage)


def test_matrix_shows_medians_and_marks_the_smallest(made_up_study):
    view, note = matrix.build_matrix(made_up_study)
    median, runs = made_up_study.medians
    assert runs.tolist() == [[4] * 5] * 3
    for row, gaps in zip(view["rows"], median, strict=True):
        assert [cell["text"] for cell in row["cells"]] == [matrix.format_gap(gap) for gap in gaps]
        assert [cell["least"] for cell in row["cells"]] == (gaps == gaps.min()).tolist()
        assert row["mark"] == "\u2020"
    assert note.endswith("the best tour of this study: 0\u202f% means the best here, and proves nothing.")


def test_curves_match_the_statistics(studies, made_up_study):
    drawn = curves.draw(studies, SHOWN, "1", "seconds", "gap_percent", True, "all", "light")
    found = compute_anytime(
        made_up_study.table.take(made_up_study.table.runs.instance == 1), made_up_study.references, points=240
    )
    lines = [trace for trace in drawn.anytime["data"] if "hovertemplate" in trace]
    assert len(lines) == 5
    for line, band in zip(lines, found.bands, strict=True):
        np.testing.assert_array_equal(unpack_numbers(line["customdata"]), band.median)
        np.testing.assert_array_equal(unpack_numbers(line["x"]), found.grid.x)
    assert "Medians at the end: A " in drawn.anytime_description
    assert [option["disabled"] for option in drawn.axes] == [False, True, True]
    odd = curves.draw(studies, SHOWN, "1", ["seconds"], {}, True, ["all"], "light")
    assert (odd.anytime, odd.ecdf) == (drawn.anytime, drawn.ecdf)


def test_missing_or_changing_file_is_reported_in_one_sentence(studies):
    def broken(study):
        raise InvalidStudy("s.tourstudy cannot be read: disk I/O error.")

    studies.snapshot = studies.status = broken
    sentence = "s.tourstudy cannot be read: disk I/O error."
    drawn = curves.draw(studies, SHOWN, "all", "seconds", "gap_percent", True, "all", "light")
    assert (drawn.anytime_description, drawn.anytime["data"]) == (sentence, [])
    assert distribution.draw_spread(studies, SHOWN, "all", "seconds", 200, True, "light").description == sentence
    assert tables.build_times(studies, SHOWN, "all", "seconds", 200)["note"] == sentence
    assert tables.draw_accuracy(studies, SHOWN, "all", "iterations", "light").description == sentence
    assert tests.build_view(studies, SHOWN, "all").words == sentence
    view = study_status.build_view(studies, SHOWN, SHOWN)
    assert (view.state, view.shown, view.poll_disabled) == (
        sentence,
        None,
        False,
    )  # it may be readable again in a moment
    assert study_status.build_view(studies, SHOWN, None).shown is dash.no_update
    assert first_view.make_first_view(studies, "abc")["state"] == sentence
    assert address.BAR.read(studies, "?id=abc", None, [])["open"] == {"study": "abc"}
    assert study_status.send_command(studies, SHOWN, ids.CANCEL) == ""  # a broken study can be cancelled all the same


def test_first_view_matches_the_callbacks(studies, made_up_study):
    app = fastapi.FastAPI()
    first_view.add_first_view_route(app, studies, "/study/")
    view = TestClient(app).get("/study/first/abc").json()
    rows, note = matrix.build_matrix(made_up_study)
    assert view == {
        "heading": "Made up", "state": "All 60 runs are done.", "style": "panel studies-results",
        "matrix": json.loads(json.dumps(rows)), "matrix_note": note,
    }  # fmt: skip
    assert TestClient(app).get("/study/first/gone").json()["state"] == "There is no such study."


def test_plotly_is_fetched_early_and_run_late(studies):
    app = dash.Dash("tourscope", server=fastapi.FastAPI(), url_base_pathname="/study/", assets_folder="assets")
    study_page.build(app, studies, "/")
    document = app.index_string
    assert re.search(r'<link rel="prefetch" as="script" href="[^"]*plotly[^"]*" data-plotly>', document)
    assert not re.search(r'<script [^>]*src="[^"]*plotly', document)
    assert document.index("early/theme.js") < document.index("data-plotly") < document.index("early/study.js")


def test_shared_work_on_a_study_is_done_once(made_up_study):
    asked = []

    def work():
        asked.append(1)
        return len(asked)

    assert [made_up_study.once("x", work), made_up_study.once("x", work)] == [1, 1]
    for other in range(30):
        made_up_study.once(other, lambda: 0)
    assert made_up_study.once("x", work) == 2


def test_command_line_labels_get_algorithm_titles():
    ants, both = [{"algorithm": "max-min-ant-system", "params": {}}], entries.DEFAULT[2]["stages"]
    shown = {
        "max-min-ant-system": "MAX-MIN Ant System",
        "max-min-ant-system ants=50": "MAX-MIN Ant System ants=50",
        "max-min-ant-system-b": "max-min-ant-system-b",
        "mine": "mine",
    }
    assert {stored: entries.display_label(stored, ants) for stored in shown} == shown
    assert entries.display_label("nearest-neighbour/two-opt", both) == "Nearest neighbour, then 2-opt"


def test_points_are_thinned_with_a_note_but_complete_in_the_csv(studies, monkeypatch):
    monkeypatch.setattr(distribution, "POINTS", 20)
    monkeypatch.setattr(figures, "POINTS", 20)
    view = distribution.draw_spread(studies, SHOWN, "all", "seconds", 200, True, "light")
    strips = [trace for trace in view.figure["data"] if "customdata" in trace]
    assert [len(trace["x"]) for trace in strips] == [4] * 5
    assert [unpack_numbers(trace["customdata"]).size for trace in strips] == [12] * 5
    assert "at most 4 of 12 runs per entry" in view.description


@pytest.mark.parametrize("position", ["60", 200])
def test_slider_has_its_place_on_the_axis(studies, made_up_study, position):
    view = distribution.draw_spread(studies, SHOWN, "all", "seconds", position, True, "light")
    budget = curves.compute_slider_budget(made_up_study.table, "seconds", position)
    assert view.mark == (None if position == 200 else budget)
    assert view.sweep_class.endswith("none")  # five algorithms are no parameter


def test_impossible_axes_and_measures_are_reported(studies):
    drawn = curves.draw(studies, SHOWN, "all", "iterations", "length", True, "1", "dark")
    assert "as evaluations (" in drawn.axis_note
    assert curves.draw(studies, SHOWN, "all", "seconds", "gap_percent", True, "1", "dark").axis_note == drawn.axis_note
    assert "no common median" in drawn.anytime_description
    assert curves.draw(studies, None, "all", "seconds", "gap_percent", True, "all", "dark") == (curves.CurveCharts())


@pytest.mark.parametrize("position", [0, "60", 199, 200, "200", None, "x", float("nan")])
def test_distributions_at_any_slider_position(studies, made_up_study, position):
    view = distribution.draw_spread(studies, SHOWN, "0", "seconds", position, True, "light")
    at_ends = position in (200, "200", None, "x") or position != position
    assert (view.budget == "the end of each run") is at_ends
    if at_ends:
        assert f"A {matrix.format_gap(made_up_study.medians[0][0, 0])}" in view.description
    table = tables.build_times(studies, SHOWN, "0", "seconds", position)
    assert len(table["rows"]) == 5


def test_accuracy_requires_a_known_optimum(studies, tmp_path):
    assert "no accuracy" in tables.draw_accuracy(studies, SHOWN, "all", "iterations", "light").description
    studies.snapshot = lambda study: read(finish_study(tmp_path / "t.tourstudy", tiny_study()))
    every = tables.draw_accuracy(studies, SHOWN, "all", "seconds", "light")
    assert every.title == "Seconds against accuracy"
    assert every.description.startswith("All 2 instances together. Medians at the end: A ")
    assert (every.table["heads"][:3], {row[0] for row in every.table["rows"]}) == (
        ["Instance", "Entry", "seconds"], {"burma14", "gr17"},
    )  # fmt: skip
    view = tables.draw_accuracy(studies, SHOWN, "1", "seconds", "light")
    assert re.fullmatch(
        r"gr17 alone\. Medians at the end: A \d+\.\d{3}\u202f%, B \d+\.\d{3}\u202f%\. The entries count .*",
        view.description,
    )
    assert view.table["rows"]
    assert view.figure["data"]


def test_accuracy_menu_matches_its_axis(studies, tmp_path):
    """If entries count different units, only seconds are offered, in the menu and on the axis."""
    view = tables.draw_accuracy(studies, SHOWN, "all", "iterations", "light")
    assert view.quantity == "seconds"
    assert [option["disabled"] for option in view.quantities] == [False, True, True]
    spec = tiny_study(entries=[{"label": "A", "stages": [{"algorithm": "two-opt", "params": {"climbers": 3}}]}])
    studies.snapshot = lambda study: read(finish_study(tmp_path / "t.tourstudy", spec))
    view = tables.draw_accuracy(studies, SHOWN, "all", "iterations", "light")
    assert view.quantity is dash.no_update
    assert {option["value"]: option["label"] for option in view.quantities}["iterations"] == "Climbers"
    assert view.figure["layout"]["xaxis"]["title"]["text"] == "climbers"
    assert view.table["heads"][2] == "climbers"


def test_verdicts_form_a_matrix_with_details(studies, made_up_study):
    view = tests.build_view(studies, SHOWN, "all")
    answer, cells = view.verdicts, view.verdicts["cells"]
    assert answer["title"] == "Verdicts"
    assert [len(row) for row in cells] == [5] * 5
    for k, row in enumerate(cells):
        assert [at for at, cell in enumerate(row) if cell is None] == [k]
        for at, cell in enumerate(row):
            if at != k:
                assert re.fullmatch(r"[\w ]+", cell["text"])
                assert cell["sign"], "colour is not the only sign"
                effect = ", (negligible|small|medium|large)" if cell["outcome"] in ("better", "worse") else ""
                assert re.match(rf"A12 [01]\.\d\d{effect}; p ", cell["detail"])
                assert (cell["text"] == "no difference shown") == (cell["outcome"] == "none")
                other = cells[at][k]["outcome"]
                assert {cell["outcome"], other} in ({"better", "worse"}, {"none"}, {"split"}, {"alike"})
    one = tests.build_view(studies, SHOWN, "2").verdicts
    assert one["title"] == f"Verdicts on {made_up_study.instances[2].name}"
    assert one["cells"] != cells
    assert "better than" not in view.words, "a sentence for each pair is too many"


def test_finding_is_stated_in_a_sentence(studies, made_up_study):
    """Four seeds are too few for thirty comparisons: the entries are ranked as expected, but nothing is proven."""
    sentence = tests.build_view(studies, SHOWN, "2").finding
    assert sentence == tests.build_view(studies, SHOWN, "all").finding, "it is of the whole study"
    assert re.fullmatch(
        r"2-opt (has the shortest tours|ranks best on average) on 3 instances[:,] .*\. "
        r"The seeds are too few to show whether that is more than chance\.",
        sentence,
    )
    tuned = replace(made_up_study, tuning=TuningState((), made_up_study.references, (), {}, 0))
    assert tests.make_finding(tuned) == ""


@each_row(
    ("lengths", "german"),
    [
        (
            {(i, e): range(1000 + 100 * e, 1010 + 100 * e) for i in range(3) for e in range(2)},
            "A hat auf 3 Instanzen die kürzesten Touren: Median des Abstands 0,45 %, vor B mit 10,45 %. "
            "Der Unterschied ist auf 3 von 3 Instanzen signifikant.",
        ),
        (
            {(0, 0): range(1000, 1010), (0, 1): range(1100, 1110), (1, 0): range(1000, 1010)},
            "A hat auf i0, der einzigen Instanz, von der jeder Eintrag Läufe hat, die kürzesten Touren: "
            "Median des Abstands 0,45 %, vor B mit 10,45 %. Der Unterschied ist signifikant (p < 0,05).",
        ),
        ({(0, 0): [1000] * 5, (0, 1): [1000] * 5}, "Alle Läufe von A und B enden auf i0 mit gleich langen Touren."),
    ],
)
def test_finding_in_german(made_up_study, lengths, german):
    table = ends(lengths)
    with use_language("de"):
        assert tests.make_finding(replace(made_up_study, table=table, references=find_references(table))) == german


def test_matrix_of_very_many_entries_is_cut_with_a_note(studies, monkeypatch):
    monkeypatch.setattr(tests, "_MAX_ENTRIES", 3)
    answer = tests.build_view(studies, SHOWN, "all").verdicts
    assert ([len(row) for row in answer["cells"]], len(answer["entries"])) == ([3] * 3, 3)
    assert "The first 3 of 5 entries are shown" in answer["note"]


def test_words_come_from_the_comparisons(studies, made_up_study):
    view = tests.build_view(studies, SHOWN, "all")
    assert "too few" in view.words  # four seeds, thirty comparisons
    assert len(view.compared["rows"]) == 30
    assert view.ranks["rows"][0][0] == "A"
    assert len(tests.build_view(studies, SHOWN, "2").compared["rows"]) == 10


@each_row(
    ("state", "finished", "expected", "can"),
    [
        ("finished", 60, "All 60 runs are done.", ""),
        ("stopped", 7, "Stopped: 7 of 60 runs done. Resume continues where it stopped.", "can-resume"),
        ("queued", 0, "Waiting for 2 other studies; 0 of 60 runs done.", "can-cancel"),
        ("elsewhere", 9, "Another process is working on it: 9 of 60 runs done.", ""),
    ],
)
def test_state_in_words(tmp_path, state, finished, expected, can):
    status = StudyStatus("abc", tmp_path, "", 0.0, state, 60, finished, 0, before=2)
    assert study_status.describe_progress(status) == expected
    assert study_status.style(status).split()[2:] == ([can] if can else [])


@each_row(
    ("running", "left", "expected"),
    [
        ((1, 2), None, "7 of 60 runs done, 2 of them failed, 2 in progress."),
        ((1,), 125.0, "7 of 60 runs done, 2 of them failed, 1 in progress, about 2\u202fmin 05\u202fs left."),
    ],
)
def test_running_study_reports_the_time_left(tmp_path, running, left, expected):
    progress = SimpleNamespace(state="running", running=running, seconds_left=left)
    assert (
        study_status.describe_progress(StudyStatus("abc", tmp_path, "", 0.0, "running", 60, 5, 2, progress)) == expected
    )


def test_every_state_has_a_word_in_the_list_of_studies(studies, tmp_path):
    for state in ("queued", "starting", "running", "elsewhere", "finished", "stopped", "broken"):
        lines = recent.MENU.make_entry(studies, StudyStatus("abc", tmp_path, "", 0.0, state, 60, 7, 0)).lines
        assert "7 of 60 runs" in lines[1].children


def test_link_with_settings_outside_the_form_says_so(studies):
    spec = dict(
        studies.snapshot("abc").spec.to_json(), budget={"seconds": 1, "evaluations": 5, "without_improvement": 9}
    )
    note = address.fill(studies, StudySpec.from_json(spec), [])["note"]
    assert note == "The setup has no fields for these limits of the study: evaluations, without improvement."


def test_parameter_values_are_written_in_full():
    assert [format_value(value) for value in (0.9995, 100_000.0, 2)] == ["0.9995", "100\u202f000", "2"]


def test_state_and_commands_of_the_open_study(studies):
    view = study_status.build_view(studies, {"study": "abc"}, None)
    assert (view.shown["study"], view.poll_disabled, view.total_text) == ("abc", True, "60")
    assert study_status.build_view(studies, {"study": "abc"}, view.shown).shown is dash.no_update
    assert study_status.build_view(studies, {"study": "abc"}, {"study": "abc", "version": ""}).shown is dash.no_update
    assert study_status.build_view(studies, None, view.shown).style.endswith(" none")
    assert study_status.send_command(studies, {"study": "abc"}, ids.CANCEL) == ""
    assert study_status.send_command(studies, {"study": "abc"}, {"type": ids.CANCEL}) == ""
    assert studies.asked == ["abc"]
    studies.status = studies.snapshot
    assert study_status.build_view(studies, {"study": "gone"}, None).state == "There is no such study."


@pytest.mark.parametrize(("state", "finished", "is_polled"), [("running", 60, True), ("finished", 60, False),
                                                             ("finished", 61, True)])  # fmt: skip
def test_study_is_polled_until_all_its_runs_are_shown(studies, tmp_path, state, finished, is_polled):
    progress = SimpleNamespace(state="running", running=(), seconds_left=None)
    status = StudyStatus("abc", tmp_path, "", 0.0, state, 61, finished, 0, progress)
    studies.status = lambda study: status  # 60 runs are in the snapshot
    assert study_status.build_view(studies, {"study": "abc"}, None).poll_disabled != is_polled


def test_short_link_uses_the_setups_defaults(studies):
    options = instance_options()
    filled = address.BAR.read(studies, "?instances=kroA200,eil51&algorithms=greedy/two-opt,ant-system", None, options)
    assert (filled["instances"], filled["seeds"], filled["limit"], filled["amount"]) == (
        ["kroA200", "eil51"], 10, "seconds", 1.0,
    )  # fmt: skip
    assert [each["label"] for each in filled["entries"]] == ["Greedy edges, then 2-opt", "Ant System"]
    filled = address.BAR.read(studies, "?instance=kroA200&seeds=4&seconds=3", None, options)
    assert (filled["instances"], filled["seeds"], filled["amount"]) == (["kroA200"], 4, 3.0)
    assert filled["entries"] == entries.DEFAULT


@pytest.mark.parametrize(
    ("search", "expected"),
    [
        ("?algorithms=greedy,twoopt", 'Unknown algorithm "twoopt"; did you mean two-opt?'),
        ("?instance=berlin51", 'Unknown instance "berlin51"; did you mean berlin52?'),
        ("?instnaces=berlin52", 'Unknown field "instnaces"; did you mean instances?'),
        ("?seeds=many", "seeds is 'many'"),
    ],
)
def test_malformed_short_link_suggests_a_name(studies, search, expected):
    assert address.BAR.read(studies, search, None, [])["note"].startswith(f"This link cannot be used: {expected}")


def test_time_and_throughput_are_drawn_over_the_selected_axis(studies):
    drawn = rates.draw(studies, SHOWN, "all", "seconds", "cities", "0", True, True, "light")
    lines = [trace for trace in drawn.figure["data"] if trace["mode"] == "lines+markers+text"]
    assert [trace["name"][0] for trace in lines] == ["A", "B", "C", "D", "E"]
    assert all(
        unpack_numbers(trace["x"]).tolist() == [50] and unpack_numbers(trace["y"]).tolist() == [1] for trace in lines
    )
    assert drawn.figure["layout"]["yaxis"]["type"] == "log"
    assert drawn.figure["layout"]["yaxis"]["title"]["text"] == "seconds per run"
    assert "A 50: 1" in drawn.description
    assert [each["value"] for each in drawn.over] == ["cities"]
    assert len(drawn.against) == 5
    linear = rates.draw(studies, SHOWN, "0", "seconds", "nothing", "x", False, False, "dark")
    assert linear.figure["layout"]["yaxis"]["type"] == "linear"


@pytest.mark.parametrize(
    ("quantity", "why"),
    [("rate", "count different things"), ("speed-up", "count different things"), ("bandwidth", "distance matrix"),
     ("share", "distance matrix"), ("joules", "drivers report it")],
)  # fmt: skip
def test_empty_chart_says_why(studies, quantity, why):
    drawn = rates.draw(studies, SHOWN, "all", quantity, "cities", "0", True, True, "light")
    assert drawn.figure["data"] == []
    assert why in drawn.description
