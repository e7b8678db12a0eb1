"""The papers page: its layout, entries, charts, files, and the routes of its scripts."""

import csv
import io
import json

import dash
import fastapi
import pytest
from fastapi.testclient import TestClient

from components.figures.canvas import choose_log_ticks
from components.figures.papers import entry_figure
from components.papers import cards, export, ids, page
from components.papers.entry import entry_to_json, paper_to_json
from components.papers.routes import add_papers_routes
from components.papers.sources import list_sources
from components.papers.table import format_measured, format_published, format_ratio
from components.shell.facts import thin_commas
from papers import committed, results
from papers.catalogue import ALL_PAPERS, PAPERS, NoSuchEntry, find, list_entries, name_entry
from papers.results import MeasuredTable, Result
from runs.language import use_language
from runs.paper_jobs.service import JobStatus, PaperJobs
from tests.components.dangling import assert_ids, ids_of_module
from tests.tables import each_row

EACH = pytest.mark.parametrize(("paper", "entry"), list_entries(), ids=[name_entry(*each) for each in list_entries()])
HERE = {"cpu": "Some CPU", "threads": 2, "date": "2026-11-23"}
H200 = HERE | {"device": {"name": "NVIDIA H200", "driver": "570.1"}}
TABLE = "uchida/table-ii"
THIN = "\u202f"


class NoStudies:
    """A study service that does nothing."""

    busy = False


class IdleJobs(PaperJobs):
    """A queue that never measures."""

    def __init__(self, machine, folder):
        super().__init__(machine, NoStudies(), folder)
        self.told = []

    def add(self, name, quick, owner):
        find(name)
        self.device(find(name)[1])
        self.told.append((name, quick))

    def cancel(self, name):
        self.told.append((name, None))

    def jobs(self):
        return {TABLE: JobStatus("measuring", quick=True, seconds=3.5)} if self.told else {}


def make_result(name, times, device="cuda", quick=False, machine=None):
    """Results that are a multiple of the published figures."""
    table = find(name)[1].published
    rows = {row: tuple([] if each is None else [each * times] for each in table.rows[row]) for row in table.rows}
    measured = MeasuredTable(table.head, table.columns, table.units, rows, {"d198, CPU": "Slow.", "a280, CPU": "Slow."})
    return Result(name, measured, device, quick, 2.5, machine or HERE)


@pytest.fixture
def jobs(run_service, tmp_path):
    return IdleJobs(run_service, tmp_path / "papers")


@pytest.fixture
def shipped_folder(monkeypatch, tmp_path):
    """Folder of the bundled results."""
    monkeypatch.setattr(results, "SHIPPED", tmp_path / "shipped")
    return tmp_path / "shipped"


@pytest.fixture
def client(jobs):
    server = fastapi.FastAPI()
    add_papers_routes(server, jobs, "/below/")
    return TestClient(server)


def cell(view, row, source, column):
    lines = next(each["lines"] for each in view["table"]["rows"] if each["name"] == row)
    names = [each["name"] for each in view["table"]["columns"]]
    return next(line["cells"] for line in lines if line["source"] == source)[names.index(column)]


def test_page_has_its_elements_once_and_callbacks_find_them(run_service):
    result = page.layout(run_service.status(), "/below/")
    app = dash.Dash("papers", server=fastapi.FastAPI(), url_base_pathname="/below/papers/")
    page.build(app, run_service, "/below/")
    assert_ids(result, ids_of_module(ids), app)


def test_card_gives_authors_year_and_number_of_entries():
    visible = {card.href: str(card) for card in cards.panel().children}
    assert list(visible) == [f"?paper={paper.id}" for paper in ALL_PAPERS]
    for paper in ALL_PAPERS:
        for words in (paper.venue, thin_commas(paper.claim), paper.machine, str(paper.year)):
            assert words in visible[f"?paper={paper.id}"].replace('\\"', '"').replace("\\u202f", THIN)
    assert "4 tables, 2 figures" in visible["?paper=uchida"]
    assert "Uchida, Ito, Nakano" in visible["?paper=uchida"]
    assert "9 slides" in visible["?paper=oneil-burtscher"]


@EACH
def test_entry_shows_published_figures_or_says_that_there_are_none(paper, entry, jobs, shipped_folder):
    view = entry_to_json(jobs, paper, entry)
    json.dumps(view, allow_nan=False)
    assert bool(view["table"]) == bool(entry.published or entry.authors_code)
    none = "The paper shows this only as a drawing; our source gives no numbers."
    assert view["drawing"] == ("" if entry.published else none)
    drawn = entry.drawing.kind in ("lines", "bars")
    assert bool(view["figure"]) == bool((entry.published or entry.authors_code) and drawn)
    assert view["command"] == f"python -m papers measure {name_entry(paper, entry)}"
    assert bool(view["here"]["reason"]) == ("cpu" not in entry.recipe.devices)
    assert not view["here"]["measured"]
    if entry.published:
        assert view["table"]["sources"] == bool(entry.authors_code)
        figures = [
            each for row in view["table"]["rows"] for each in row["lines"][0]["cells"] if each["text"] != "\u2013"
        ]
        assert len(figures) == sum(each is not None for row in entry.published.rows.values() for each in row)
    if view["figure"]:
        assert any(y is not None for trace in view["figure"]["data"] for y in trace["y"])


def test_own_figures_appear_below_the_papers_with_their_ratio(jobs, shipped_folder):
    results.save(make_result(TABLE, 0.5, machine=H200), shipped_folder)
    results.save(make_result(TABLE, 2.0, "cpu", quick=True), jobs._folder)
    view = entry_to_json(jobs, *find(TABLE))
    assert cell(view, "d198", "Paper", "CPU") == {"text": "19.84"}
    by_cores = {"text": "9.920", "cores": "Some", "ratio": f"2.00{THIN}×", "short": False}
    assert cell(view, "d198", "H200", "CPU") == by_cores
    assert cell(view, "d198", "H200", "speed-up") == {"text": "3.845", "ratio": f"0.50{THIN}×", "short": True}
    assert cell(view, "d198", "Here, quick", "CPU")["short"]
    behind = f"More than 1{THIN}% behind the paper in 7 of 21 numbers, set in bold"
    assert view["short"] == f"{behind}; the lowest ratio is 0.50{THIN}×."
    assert view["sources"] == [
        f"H200: NVIDIA H200, driver 570.1; cores: Some CPU, 2 threads, 2026-11-23; medians, measured in 2.50{THIN}s.",
        "Here, quick: Some CPU, 2 threads, 2026-11-23; short form, small instances and few samples, "
        f"measured in 2.50{THIN}s. Too coarse to quote.",
    ]
    assert view["remarks"][0] == "CPU (d198, a280): Slow."
    assert view["here"] == {"measured": True, "full": False, "reason": ""}
    assert {trace["name"] for trace in view["figure"]["data"]} == {
        *(f"{column}, {source}" for column in ("CPU", "GPU") for source in ("Paper", "Here, quick")),
        "CPU, Some",
        "GPU, H200",
    }


def test_own_figures_have_a_deviation_if_the_papers_do(jobs, shipped_folder):
    name = "bitner/table-1"
    table = find(name)[1].published
    rows = {row: tuple([1.0, 2.0, 6.0] for _ in table.columns) for row in table.rows}
    rows["queen"] = tuple([1.0] for _ in table.columns)
    measured = MeasuredTable(table.head, table.columns, table.units, rows, {})
    results.save(Result(name, measured, "cuda", False, 1.0, H200), shipped_folder)
    view = entry_to_json(jobs, *find(name))
    assert cell(view, "worker", "Paper", "d198") == {"text": "2.36", "spread": "0.69"}
    assert cell(view, "worker", "H200", "d198")["spread"] == "2.646", "of three samples"
    assert "spread" not in cell(view, "queen", "H200", "d198"), "of one there is none"
    results.save(make_result(TABLE, 0.5, machine=H200), shipped_folder)
    assert "spread" not in cell(entry_to_json(jobs, *find(TABLE)), "d198", "H200", "CPU")


def test_current_results_of_the_authors_code_appear_between_paper_and_own(jobs, shipped_folder):
    name = "utne-hansen/table-2"
    results.save(make_result(name, 0.5, machine=H200), shipped_folder)
    paper, entry = find(name)
    view = entry_to_json(jobs, paper, entry)
    assert [line["source"] for line in view["table"]["rows"][0]["lines"]] == ["Paper", "Authors' code", "H200"]
    assert cell(view, "calculated", "Authors' code", f"1{THIN}000") == {"text": "2.7"}
    assert view["sources"][0].startswith("Authors' code: their three kernels, and TSP_GPU 1.1 of O'Neil et al., built")
    assert "NVIDIA H200, 2026-11-20" in view["sources"][0]
    sources = list_sources(entry, results.load(name, shipped_folder), {})
    rows = list(csv.DictReader(io.StringIO(export.format_csv(entry, sources))))
    theirs = {(row["row"], row["column"]): row for row in rows if row["source"] == "Authors' code"}
    assert theirs["original", "1,000"]["figure"] == "2.9"
    assert {(row["machine"], row["date"], row["ratio"]) for row in theirs.values()} == {
        ("NVIDIA H200", "2026-11-20", "")
    }


def test_authors_held_karp_figures_match_the_measurements():
    known = committed.load(committed.VARIANTS)["held_karp_kernel"]
    figures = find("qin-han/figure-3")[1].authors_code.figures
    assert {n: figures.figure(n, "qin-han") for n in figures.rows} == {
        n: of["their_code_ms"] for n, of in known.items()
    }


def test_entries_have_the_papers_order_and_shortfalls_their_worst_ratio(jobs, shipped_folder):
    order = [entry.id for entry in PAPERS[2].entries]
    answer = paper_to_json(jobs, "uchida")
    assert [view["id"] for view in answer["entries"]] == order
    assert answer["order"] == ""
    results.save(make_result(TABLE, 2.0), shipped_folder)
    results.save(make_result("uchida/table-iv", 1.5, "cpu"), jobs._folder)
    results.save(make_result("uchida/table-i", 9.0, "cpu", quick=True), jobs._folder)  # too coarse to tell
    answer = paper_to_json(jobs, "uchida")
    assert [view["id"] for view in answer["entries"]] == order
    worst = {view["id"]: view["worst"] for view in answer["entries"] if view["worst"]}
    assert worst == {"table-ii": f"0.50{THIN}×", "table-iv": f"0.67{THIN}×"}
    assert answer["order"] == "We fall short of the paper in 2 of 6 tables and figures, as marked here."


def test_default_is_the_first_paper(jobs):
    assert paper_to_json(jobs, "")["id"] == PAPERS[0].id
    with pytest.raises(NoSuchEntry):
        paper_to_json(jobs, "nobody")


@each_row(
    ("value", "digits", "written"),
    [(19.84, 0, "19.84"), (9.5, 2, "9.50"), (58452.2, 2, f"58{THIN}452.20"), (42.0, 0, "42"), (-0.5, 0, "\u22120.5")],
)
def test_published_figures_keep_the_papers_digits(value, digits, written):
    assert format_published(value, digits) == written


@each_row(
    ("value", "written"),
    [
        (7.1624, "7.162"),
        (0.012345, "0.01235"),
        (123456.7, f"123{THIN}457"),
        (42.0, "42"),
        (0.0, "0"),
        (999.96, "1000.0"),
    ],
)
def test_own_figures_have_four_digits(value, written):
    assert format_measured(value) == written


@each_row(("times", "written"), [(0.9876, "0.99"), (12.34, "12.3"), (456.7, "457"), (0.0123, "0.012"), (1.0, "1.00")])
def test_ratios_have_three_digits(times, written):
    assert format_ratio(times) == f"{written}{THIN}×"


def draw_figure(name, *more):
    _, entry = find(name)
    return entry_figure(entry, [*list_sources(entry, {}, {}), *more])


def test_lines_use_numbers_in_rows_columns_or_figures():
    [core, gpu] = draw_figure(TABLE)["data"]
    assert (core["x"], core["y"][0]) == ([198, 280, 318, 442, 783, 1002, 2392], 19.84)
    assert gpu["name"] == "GPU, Paper"
    [accuracy] = draw_figure("utne-hansen/figure-11")["data"]
    assert accuracy["x"][:4] == [1, 10, 100, 1000]
    assert accuracy["y"][-1] == 100
    codes = draw_figure("bitner/table-1")["data"]
    assert [each["name"] for each in codes] == [
        f"{row}, Paper" for row in ("worker", "worker, graph", "queen", "queen, graph")
    ]
    assert codes[0]["x"][0] == 198
    _, entry = find("utne-hansen/figure-22")
    scans = MeasuredTable("Instance", ("scans a climb", "throughput"), ("", "GB/s"), {"kroA100": ([90.0], [7.0]),
                     "swiss42": ([30.0], [9.0])})  # fmt: skip
    ours = {"cuda": Result("", scans, "cuda", False, 1.0, H200)}
    [paper, line] = entry_figure(entry, list_sources(entry, {}, ours))["data"]
    assert (paper["x"][-1], paper["y"][-1]) == (264, 2521.72)
    assert (line["x"], line["y"]) == ([30.0, 90.0], [9.0, 7.0])


def test_axes_are_logarithmic_as_declared():
    layout = draw_figure(TABLE)["layout"]
    assert (layout["xaxis"]["type"], layout["yaxis"]["type"]) == ("log", "log")
    assert layout["yaxis"]["title"]["text"] == "construction (ms)"
    throughput = draw_figure("oneil-burtscher/tuned")["layout"]
    assert (throughput["xaxis"]["type"], throughput["yaxis"]["rangemode"]) == ("log", "tozero")
    assert "rangemode" not in draw_figure("utne-hansen/figure-11")["layout"]["yaxis"]
    bars = draw_figure("uchida/table-i")
    assert {trace["type"] for trace in bars["data"]} == {"bar"}
    assert "type" not in bars["layout"]["xaxis"]
    assert [each for each in choose_log_ticks([198, 2392]) if 198 <= each <= 2392] == [200, 500, 1000, 2000]
    assert [each for each in choose_log_ticks([1, 9e6]) if each >= 1][:3] == [1, 10, 100]


def test_numeric_rows_are_sorted_by_size(jobs, shipped_folder):
    trials = ["1", "2", "3", "5", "32", "33"]
    measured = MeasuredTable("Trials", ("cities decided",), ("%",), {row: ([50.0],) for row in trials})
    results.save(Result("uchida/figure-8", measured, "cuda", False, 2.5, H200), shipped_folder)
    view = entry_to_json(jobs, *find("uchida/figure-8"))
    assert [row["name"] for row in view["table"]["rows"]] == trials  # of which the paper has 1, 5 and 32


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("NVIDIA H200", "H200"), ("NVIDIA H100 80GB HBM3", "H100"), ("NVIDIA GeForce RTX 4090", "RTX 4090"),
        ("Tesla K40c", "Tesla K40c"),
    ],
)  # fmt: skip
def test_gpu_is_named_by_its_model(jobs, shipped_folder, name, label):
    machine = HERE | {"device": {"name": name, "driver": "570.1"}}
    results.save(make_result(TABLE, 1.0, machine=machine), shipped_folder)
    view = entry_to_json(jobs, *find(TABLE))
    assert {line["source"] for row in view["table"]["rows"] for line in row["lines"]} == {"Paper", label}
    assert f"{label}: {name}, driver 570.1" in view["sources"][0]


def test_cpu_series_is_named_by_its_cpu(jobs, shipped_folder):
    machine = H200 | {"cpu": "Intel(R) Xeon(R) Processor @ 2.60GHz", "threads": 16}
    results.save(make_result(TABLE, 1.0, machine=machine), shipped_folder)
    results.save(make_result(TABLE, 1.0, device="cpu", machine=HERE), jobs._folder)
    view = entry_to_json(jobs, *find(TABLE))
    names = [trace["name"] for trace in view["figure"]["data"]]
    assert names == ["CPU, Paper", "GPU, Paper", "CPU, Intel Xeon", "GPU, H200", "CPU, Here", "GPU, Here"]
    assert "driver 570.1; cores: Intel(R) Xeon(R) Processor @ 2.60GHz, 16 threads, 2026" in view["sources"][0]
    assert results.shorten_cpu_name("AMD EPYC 7742 64-Core Processor") == "AMD EPYC 7742"
    assert not results.is_cpu_result("speed-up")


def test_own_paper_and_roofline_are_in_the_language_of_the_page(jobs):
    with use_language("de"):
        answer = paper_to_json(jobs, "speed")
        card = str(cards.panel().children[-1])
    assert answer["title"] == "Zeit, Durchsatz und Grenzen"
    assert "Von diesem Programm gemessen" in answer["about"]
    assert "Von diesem Programm gemessen" in card
    figure = next(each["figure"] for each in answer["entries"] if each["id"] == "roofline")
    [points] = [trace for trace in figure["data"] if trace.get("meta")]
    assert "matr_s, zwei Zeilen" in points["text"]
    assert not [name for name in points["text"] if "rows" in name]


def test_a_tour_is_drawn_closed():
    tour = {"x": [0, 1, 1], "y": [0, 0, 1], "order": [2, 0, 1], "length": 3}
    measured = MeasuredTable("Tour", ("length",), ("",), {"3 cities": ([3.0],)}, tour=tour)
    _, entry = find("qin-han/figure-4")
    [line] = entry_figure(entry, list_sources(entry, {}, {"cpu": Result("", measured, "cpu", False, 1.0, HERE)}))[
        "data"
    ]
    assert (line["x"], line["y"]) == ([1, 0, 1, 1], [1, 0, 0, 1])
    assert draw_figure("qin-han/figure-4") is None


def test_files_contain_every_figure():
    paper, entry = find(TABLE)
    sources = list_sources(entry, {"cuda": make_result(TABLE, 0.5, machine=H200)}, {})
    rows = list(csv.DictReader(io.StringIO(export.format_csv(entry, sources))))
    assert len(rows) == 2 * 7 * 3
    ours = next(row for row in rows if row["source"] == "H200")
    assert (ours["row"], ours["column"], ours["figure"], ours["ratio"]) == ("d198", "CPU", "9.92", "2")
    assert (ours["machine"], ours["samples"]) == ("NVIDIA H200, driver 570.1", "9.92")
    answer = export.format_latex(paper, entry, sources)
    assert r"d198 & Paper & 19.84 & 2.58 & 7.69 \\" in answer
    assert r"d198 & H200 & 9.92 & 1.29 & 3.845 \\" in answer
    assert answer.count("{") == answer.count("}")


def test_routes_answer_the_scripts(client, jobs, shipped_folder):
    at = "/below/papers"
    assert client.get(f"{at}/paper", params={"name": "uchida"}).json()["id"] == "uchida"
    assert client.get(f"{at}/paper").json()["id"] == PAPERS[0].id
    assert client.get(f"{at}/entries/{TABLE}").json()["name"] == TABLE
    assert client.get(f"{at}/entries/{TABLE}.csv").headers["content-disposition"].endswith('"uchida-table-ii.csv"')
    assert client.get(f"{at}/entries/{TABLE}.tex").text.startswith("% \\usepackage{booktabs}")
    assert client.get(f"{at}/jobs").json() == {}
    answer = client.post(f"{at}/jobs", json={"entry": TABLE, "do": "quick"}).json()
    assert answer[TABLE] == {
        "state": "measuring",
        "quick": True,
        "seconds": 3.5,
        "before": 0,
        "sentence": "",
        "own": True,
    }
    client.post(f"{at}/jobs", json={"entry": TABLE, "do": "cancel"})
    assert jobs.told == [(TABLE, True), (TABLE, None)]


@pytest.mark.parametrize(
    "path",
    ["paper?name=nobody", "entries/uchida/x", "entries/uchida/table-ii.pdf", "entries/qin-han/figure-6.csv",
     "entries/uchida/..csv"],
)  # fmt: skip
def test_missing_entry_gives_one_sentence(client, shipped_folder, path):
    answer = client.get(f"/below/papers/{path}")
    assert answer.status_code == 400
    assert answer.json()["sentence"]


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b'{"entry": 5, "do": "measure"}', b'{"entry": "uchida/table-ii"}', b'{"entry": [], "do": {}}',
     b'{"entry": "uchida/table-ii", "do": "erase"}', b'{"entry": "uchida/table-x", "do": "cancel"}',
     b'{"entry": "uchida/figure-8", "do": "measure"}'],
)  # fmt: skip
def test_impossible_measurement_is_refused_with_one_sentence(client, jobs, body):
    answer = client.post("/below/papers/jobs", content=body)
    assert answer.status_code == 400
    assert answer.json()["sentence"]
    assert jobs.told == []
