"""The library page: its routes and callbacks, on a library of synthetic run files."""

import base64
import csv
import io
import json
import re
from types import SimpleNamespace
from urllib.parse import urlencode

import dash
import fastapi
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from components.library import actions, comparison, comparison_chart
from components.library import ids as library_ids
from components.library import page as library_page
from components.library.query import MAX_ROWS, PAGE_ROWS, parse_query
from components.library.routes import add_library_routes
from components.library.rows import describe_settings, entry_to_json
from components.shell import header
from components.shell.assets import FOLDER
from data.collection import resolve
from runs.language import use_language
from runs.library import facts as library_facts
from runs.library.search import ORDERS, Query
from runs.races.service import Race
from runs.races.spec import RaceSpec
from runs.store.run_file import SUFFIX, Entry, RunWriter
from runs.web.instances import degree_aspect
from solvers.core.events import Finished, Progress
from solvers.spec import RunSpec
from solvers.worker.frames import encode, encode_event_frame, encode_instance_frame
from tests.clock import wait_until
from tests.components.dangling import assert_ids, ids_of_module
from tests.runs.library.library_place import Place
from tests.runs.made_up_runs import write_run
from tests.studies.made_up import write_study
from tests.tables import each_row

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda each: st.lists(each, max_size=3) | st.dictionaries(st.text(), each, max_size=3),
    max_leaves=8,
)
HOSTILE = "=1+1 <img src=x onerror=alert(1)>"


def write_steps(path, instance, steps, end, optimum=True):
    """A run whose best length falls by `steps`, (seconds, length) each; without `optimum`, none is known."""
    solved = resolve.load(instance)
    frame = encode_instance_frame(solved)
    if not optimum:
        solved = SimpleNamespace(**{name: getattr(solved, name) for name in solved.__slots__})
        solved.optimum, solved.proven, solved.optimal_tour = None, False, None
        frame = encode_instance_frame(solved)
    spec = RunSpec.from_json({"v": 1, "instance": {"name": instance}, "stages": [{"algorithm": "two-opt"}], "seed": 5})
    writer = RunWriter.create(path, path.stem, 1.7e9, json.dumps(spec.to_json()), frame)
    seconds, best = (np.array(column) for column in zip(*steps, strict=True))
    count = np.arange(1, best.size + 1)
    progress = Progress(count, count, seconds.astype(float), best, best, best.astype(float))
    finished = Finished(
        order=np.arange(solved.n, dtype=np.int32), length=int(best[-1]), iterations=3, evaluations=3, seconds=end,
        seconds_to_best=float(seconds[-1]), compile_seconds=0.0, stop_reason="completed", device="CPU", threads=1,
        versions={},
    )  # fmt: skip
    answer = encode("state", {"state": "finished", "reason": "completed", "at": 1.7e9}, {})
    frames = [
        ("progress", encode_event_frame(progress, 1.7e9)),
        ("finished", encode_event_frame(finished, 1.7e9)),
        ("state", answer),
    ]
    writer.append([Entry(1.7e9, *each) for each in frames], ("finished", "completed"))
    writer.finish()


FILTERS = ("kinds", "algorithms", "instances", "tags", "states")
FIRST, SECOND, THIRD, FOURTH = (letter * 12 for letter in "abcd")


@pytest.fixture
def filled_library(tmp_path):
    """Four runs of three instances, and a study."""
    place = Place(tmp_path)
    place.runs = runs = tmp_path / "runs"
    write_steps(runs / f"{FIRST}{SUFFIX}", "berlin52", [(0.01, 9000), (0.5, 8000), (1.0, 7542)], 2.0)
    write_steps(runs / f"{SECOND}{SUFFIX}", "berlin52", [(0.02, 8500), (0.2, 7600)], 1.0)
    write_run(runs / f"{THIRD}{SUFFIX}", "kroA100", "ant-system", 22000, created=1.6e9)
    write_run(runs / f"{FOURTH}{SUFFIX}", "burma14", "greedy", 3400, state="cancelled")
    write_study(tmp_path / "studies" / "s.tourstudy", instances=2, seeds=2, improvements=5, title="Small")
    wait_until(lambda: not place.library.search().pending)
    yield place
    place.close()


def act(filled_library, do, *ids, **more):
    return actions.do_action(filled_library.library, {"do": do, "keys": [f"run:{each}" for each in ids], **more})


@pytest.fixture
def site(filled_library):
    """The routes of the page, below a path."""
    server = fastapi.FastAPI()
    add_library_routes(server, filled_library.library, filled_library.run_service, filled_library.races, "/below/")
    filled_library.client = TestClient(server, base_url="http://127.0.0.1")
    return filled_library


def rows(site, **query):
    answer = site.client.get(f"/below/library/entries?{urlencode(query, doseq=True)}")
    assert answer.status_code == 200
    return answer.json()


def test_lane_links_to_its_race(site):
    lanes = [{"stages": [{"algorithm": name}]} for name in ("two-opt", "greedy")]
    spec = RaceSpec.from_json({"v": 1, "instance": {"name": "berlin52"}, "lanes": lanes, "budget": {"seconds": 1}})
    race = Race("r" * 12, 1.7e9, spec, (FIRST, SECOND))
    site.races.save(race)
    wait_until(lambda: rows(site, kind="race")["total"] == 1)
    listed = {row["id"]: row["race"] for row in rows(site, lanes=1)["entries"]}
    link = {"title": "2-opt, Greedy edges on berlin52", "href": f"/below/race/?id={race.id}"}
    assert [listed[run] for run in (FIRST, SECOND, THIRD, race.id)] == [link, link, None, None]


@pytest.mark.slow
@settings(max_examples=15)
@given(st.text() | st.dictionaries(st.sampled_from(["from", "limit", "sort", "up", "tag"]), st.text()).map(urlencode))
def test_any_browser_input_is_a_search(value):
    found = parse_query(value)
    assert isinstance(found, Query)
    assert found.order in ORDERS
    assert 1 <= found.limit <= MAX_ROWS
    assert found.offset >= 0
    assert all(isinstance(each, str) for name in FILTERS for each in getattr(found, name))


def test_search_arguments_match_the_query():
    found = parse_query("q=+kro+&kind=run&kind=run&tag=a%26b&sort=gap&lanes=1&limit=x")
    assert (found.text, found.kinds, found.tags) == ("kro", ("run",), ("a&b",))
    assert (found.order, found.descending, found.lanes, found.limit) == ("gap", False, True, PAGE_ROWS)
    assert parse_query("state=over&state=failed").states == ("finished", "failed")
    assert parse_query("sort=gap&up=0").descending
    assert not parse_query("up=1").descending
    assert parse_query("from=1234&limit=7000") == parse_query("")._replace(offset=1000, limit=MAX_ROWS)


def test_rows_have_facts_and_page_addresses(site):
    answer = rows(site, sort="gap", up=1)
    assert (answer["total"], answer["pending"]) == (5, 0)
    by_id = {each["id"]: each for each in answer["entries"]}
    first = by_id[FIRST]
    assert (first["length"], first["gap"], first["seconds"], first["n"]) == (7542, 0.0, 2.0, 52)
    assert first["href"] == f"/below/?run={FIRST}"
    assert [each["id"] for each in answer["entries"] if each["optimal"]] == [FIRST]
    assert first["algorithms"] == [{"name": "two-opt", "title": "2-opt", "colour": "algorithm-two-opt"}]
    study = next(each for each in answer["entries"] if each["kind"] == "study")
    assert (study["name"], study["href"]) == ("Small", f"/below/study/?id={study['id']}")
    gaps = [each["gap"] for each in answer["entries"] if each["gap"] is not None]
    assert gaps == sorted(gaps)


def test_algorithm_titles_are_translated_and_study_labels_unchanged(site):
    entry = site.library.search(Query(kinds=("run",))).entries[0]
    titled = ("Nearest neighbour", "Nearest neighbour, then Farthest insertion, then 2-opt")
    several = entry._replace(algorithms=("nearest-neighbour",) * 2, titles=titled)
    with use_language("de"):
        run, study = (entry_to_json(several._replace(kind=kind), "/")["algorithms"] for kind in ("run", "study"))
    assert [each["title"] for each in study] == [*titled]
    assert [each["title"] for each in run] == [
        "Nächster Nachbar", "Nächster Nachbar, dann Entfernteste Einfügung, dann 2-opt",
    ]  # fmt: skip


def test_list_starts_at_the_requested_offset(site):
    whole, first = (rows(site, **ask)["entries"] for ask in ({}, {"from": 7, "limit": 2}))
    assert first == whole[:2]
    behind = rows(site, **{"from": 500})
    assert (behind["entries"], behind["total"]) == ([], 5)
    selected = actions.do_action(site.library, {"do": "all", "query": "from=500"})
    assert len(selected.keys) == 5


def test_filters_have_counts_and_labels(site):
    answer = rows(site, kind=["run"])["facets"]
    kinds = [{"value": "run", "count": 4, "label": "Run"}, {"value": "study", "count": 1, "label": "Study"}]
    assert answer["kind"] == kinds
    ants = next(each for each in answer["algorithm"] if each["value"] == "ant-system")
    assert (ants["label"], ants["colour"]) == ("Ant System", "algorithm-ant-system")
    counts = [each["count"] for each in answer["instance"]]
    assert counts == sorted(counts, reverse=True)


def test_damaged_file_is_listed_without_a_link(site):
    (site.runs / f"{'e' * 12}{SUFFIX}").write_bytes(b"no run")
    found = []
    wait_until(lambda: found.extend(each for each in rows(site)["entries"] if each["id"] == "e" * 12) or bool(found))
    found = found[0]
    assert (found["state"], found["href"], found["deletable"]) == ("unreadable", "", "")


def test_untrusted_names_and_tags_stay_text(site):
    assert act(site, "rename", FIRST, name=HOSTILE) == actions.ActionResult(keys=(f"run:{FIRST}",))
    assert act(site, "tag", FIRST, SECOND, add=["<b>"]).says == "Tagged 2 runs: <b>."
    found = next(each for each in rows(site)["entries"] if each["id"] == FIRST)
    assert (found["name"], found["title"], found["tags"]) == (HOSTILE, HOSTILE, ["<b>"])
    assert act(site, "tag", FIRST, remove=["<b>"]).says == "Removed the tag from 1 run: <b>."
    assert [each["value"] for each in rows(site)["facets"]["tag"]] == ["<b>"]


def test_impossible_action_is_reported(site):
    for do, status, more in (
        ("rename", 400, {"name": "x" * 121}),
        ("tag", 400, {"add": ["a,b"]}),
        ("undo", 404, {"token": "nothing"}),
        ("sink", 400, {}),
        ("all", 400, {}),
    ):
        answer = site.client.post("/below/library/actions", json={"do": do, "keys": [f"run:{FIRST}"], **more})
        assert answer.status_code == status
        assert answer.json()["sentence"].endswith(".")
    assert site.client.post("/below/library/actions", content=b"{").status_code == 400
    with pytest.raises(actions.InvalidAction):
        act(site, "rename", FIRST, SECOND, name="x")


def test_entry_deleted_by_others_is_named_and_deselected(site):
    act(site, "delete", SECOND)
    for do, more in (("tag", {"add": ["a"]}), ("save", {}), ("rename", {"name": "x"})):
        keys = [f"run:{each}" for each in ([SECOND] if do == "rename" else [FIRST, SECOND])]
        answer = site.client.post("/below/library/actions", json={"do": do, "keys": keys, **more})
        assert answer.status_code == 404
        says = "Nothing was done: 1 run is no longer in the library."
        assert answer.json() == {"sentence": says, "gone": [f"run:{SECOND}"]}
    output = act(site, "delete", FIRST, SECOND)
    assert (output.keys, output.gone) == ((f"run:{FIRST}",), (f"run:{FIRST}", f"run:{SECOND}"))


@given(JSON)
def test_invalid_request_does_nothing(value):
    for asks in (value, {"do": value}, {"do": "sink", "keys": value}, {"do": "all", "query": [value]}):
        with pytest.raises(actions.InvalidAction):
            actions.do_action(None, asks)


def test_deletion_can_be_undone(site):
    act(site, "rename", FIRST, name="Mine")
    gone = act(site, "delete", FIRST, SECOND, "z" * 12)
    assert gone.says.startswith("2 runs deleted. ")
    assert gone.refused
    answer = rows(site)
    assert answer["total"] == 3
    (trash,) = answer["trash"]
    assert trash["token"] == gone.undo
    assert "Mine" in trash["names"]
    assert act(site, "undo", token=gone.undo).says == "2 runs restored."
    assert {each["name"] for each in rows(site)["entries"]} >= {"Mine"}
    act(site, "delete", FIRST)
    act(site, "empty")
    assert rows(site)["trash"] == []


def test_all_search_results_can_be_selected(filled_library):
    found = actions.do_action(filled_library.library, {"do": "all", "query": "q=berlin52&limit=1"})
    assert set(found.keys) == {f"run:{FIRST}", f"run:{SECOND}"}


def test_csv_lines_contain_no_formulas(filled_library):
    act(filled_library, "rename", FIRST, name=HOSTILE)
    file = act(filled_library, "save", FIRST, THIRD).csv
    first, third = csv.DictReader(io.StringIO(file, newline=""))
    assert first["name"] == f"'{HOSTILE}"
    assert (first["length"], first["gap_percent"], first["state"]) == ("7542", "0.0", "finished")
    assert (third["algorithms"], third["begun"]) == ("ant-system", "2020-09-13T12:26:40+00:00")


def numbers(packed):
    """An array as Plotly's script reads it, with NaN for gaps in a line."""
    return np.frombuffer(base64.b64decode(packed["bdata"]), f"<{packed['dtype']}").astype(float)


def lines(visible):
    return [(numbers(each["x"]), numbers(each["y"])) for each in visible.figure["data"]]


def compare(filled_library, *ids, log=True):
    return comparison.show(
        filled_library.library, filled_library.run_service, {"keys": [f"run:{each}" for each in ids]}, log, "light"
    )


def test_comparison_draws_the_gaps_of_the_files(filled_library):
    visible = compare(filled_library, FIRST, SECOND, log=False)
    (seconds, first), (also, second) = lines(visible)
    assert seconds.tolist() == also.tolist() == [0.01, 0.02, 0.2, 0.5, 1.0, 2.0]
    assert first == pytest.approx([100 * (each - 7542) / 7542 for each in (9000, 9000, 9000, 8000, 7542, 7542)])
    assert np.isnan(second[[0, 5]]).all()  # before its first tour, and behind its end
    assert second[4] == pytest.approx(100 * 58 / 7542)
    assert visible.description.startswith("At the end: A optimal, B +0.77\u202f%.")
    table = visible.table["rows"]
    assert [row[:3] for row in table] == [
        ["berlin52", "A 2-opt on berlin52", "7\u202f542"],
        ["berlin52", "B 2-opt on berlin52", "7\u202f600"],
    ]
    assert table[0][-1] == "5"


def test_instances_are_separate_in_the_table_and_joint_in_the_chart(filled_library):
    visible = compare(filled_library, THIRD, SECOND, FOURTH, FIRST)
    assert [row[0] for row in visible.table["rows"]] == ["berlin52", "berlin52", "burma14", "kroA100"]
    assert [row[2] for row in visible.table["rows"]][:2] == ["7\u202f542", "7\u202f600"]
    assert len(lines(visible)) == 4
    assert "drawn at that height" in visible.description


def test_lengths_are_drawn_without_a_known_optimum_and_never_with_gaps(filled_library):
    ids = [letter * 12 for letter in "mno"]
    for each, instance in zip(ids, ("gr17", "gr17", "fri26"), strict=True):
        write_steps(filled_library.runs / f"{each}{SUFFIX}", instance, [(0.1, 3000), (0.2, 2500)], 1.0, optimum=False)
    lengths = compare(filled_library, *ids[:2])
    assert lines(lengths)[0][1][0] == 3000
    assert lengths.figure["layout"]["yaxis"]["title"]["text"] == "length"
    apart = compare(filled_library, *ids)
    assert not lines(apart)
    assert "cannot be compared" in apart.description
    mixed = compare(filled_library, FIRST, ids[0])
    assert len(lines(mixed)) == 1
    assert "Not drawn, because they have no tour or no known optimum: B." in mixed.description
    assert mixed.table["rows"][1][3] == "no optimum known"


def test_missing_runs_are_counted(filled_library):
    visible = compare(filled_library, FIRST, "z" * 12)
    assert visible.description.endswith("1 of 2 runs cannot be read.")
    filled_library.run_service.summary = lambda run: None  # gone since its curve was read
    assert compare(filled_library, FIRST).description.endswith("1 of 1 runs cannot be read.")
    assert compare(filled_library) == comparison.Shown()
    assert (
        comparison.show(filled_library.library, filled_library.run_service, "nonsense", True, None)
        == comparison.Shown()
    )


def test_curve_falls_in_any_order_of_rows():
    at, best = comparison_chart.find_improvements(np.array([3.0, 1.0, 2.0, 4.0]), np.array([7, 9, 9, 5]))
    assert (at.tolist(), best.tolist()) == ([1.0, 3.0, 4.0], [9, 7, 5])
    none = comparison_chart.find_improvements(np.empty(0), np.empty(0, np.int64))
    assert none[0].size == none[1].size == 0


def test_long_curve_is_thinned_with_a_note():
    many = 5000
    seconds, length = np.linspace(0.001, 9, many), np.arange(2 * many, many, -1)
    curve = comparison_chart.RunCurve(seconds, length, 10.0, "x", "s", many, True)
    moments, thinned = comparison_chart.sample_times([curve])
    assert thinned == many
    assert moments.size <= comparison_chart.MAX_MOMENTS + 1
    assert moments[-1] == 10.0
    visible = comparison_chart.sample_at(curve, curve.length, moments)
    assert (np.diff(visible) <= 0).all()
    assert visible[-1] == length[-1]


def test_pictures_are_tours_in_thousandths(site):
    keys = [f"run:{FIRST}", "run:nothing", "study:nothing"]
    found = site.client.get("/below/library/thumbnails", params={"key": keys}).json()
    assert set(found) == set(keys)
    assert found["run:nothing"] is None
    positions = np.array(found[f"run:{FIRST}"]["positions"]).reshape(-1, 2)
    assert found[f"run:{FIRST}"]["date_line"] is None
    berlin = resolve.load("berlin52").display
    assert positions.shape == berlin.shape
    assert positions.min() == 0
    assert positions.max() == 1000
    across = np.ptp(berlin, axis=0)
    assert np.ptp(positions, axis=0) == pytest.approx(1000 * across / across.max(), abs=1)


def test_globe_pictures_have_the_shape_of_the_map(site):
    """burma14 is six degrees wide and ten high, near the equator; 60 degrees north it is twice as high."""
    burma = resolve.load("burma14").display
    assert degree_aspect(burma) == pytest.approx(1.06, abs=0.01)
    assert degree_aspect(np.array([[0.0, 59.0], [1.0, 61.0]])) == pytest.approx(2.0)
    key = f"run:{FOURTH}"
    picture = site.client.get("/below/library/thumbnails", params={"key": [key]}).json()[key]
    positions = np.array(picture["positions"]).reshape(-1, 2)
    west, east = picture["date_line"]
    assert east - west == pytest.approx(360 * np.ptp(positions[:, 0]) / np.ptp(burma[:, 0]), rel=0.01)
    assert west == pytest.approx((-180 - burma[:, 0].min()) / 360 * (east - west), abs=1)
    wide, high = np.ptp(burma, axis=0) * (1, degree_aspect(burma))
    assert np.ptp(positions, axis=0) == pytest.approx([1000 * wide / high, 1000], abs=1)


@pytest.fixture
def app(filled_library):
    application = dash.Dash(
        "tourscope", server=fastapi.FastAPI(), url_base_pathname="/below/library/", assets_folder="assets"
    )
    library_page.build(application, filled_library.library, filled_library.run_service, "/below/")
    return application


def test_every_id_is_on_the_page_once_and_found_by_callbacks(app):
    assert_ids(app.layout(), ids_of_module(library_ids), app)


def test_header_links_to_the_library_from_everywhere(filled_library):
    bar = header.bar(filled_library.run_service.status(), "/below/", "Library", dash.html.Span())
    links = {each.children: each.href for each in bar._traverse() if isinstance(each, dash.html.A)}
    assert links["Library"] == "/below/library/"
    assert not any(getattr(each, "id", None) == "recent" for each in bar._traverse())


def test_faulty_states_have_their_own_sign_and_colour():
    rows = (FOLDER / "library" / "rows.js").read_text()
    faults = re.findall(r'"(\w+)"', re.search(r"const FAILED = \[(.*?)\]", rows)[1])
    sheet = (FOLDER / "library" / "list.css").read_text()
    rule = re.search(r"\.state:is\(([^)]*)\) \{\s*color: var\(--removed\)", sheet)
    assert [each.strip().removeprefix(".state-") for each in rule[1].split(",")] == faults
    assert "failed" in faults


@each_row(
    ("stage", "says"),
    [
        ({"algorithm": "two-opt", "params": {"climbers": 1000}}, "1\u202f000 climbers \u00b7 seed 5"),
        ({"algorithm": "ant-system", "params": {"iterations": 1}}, "1 iteration \u00b7 seed 5"),
        ({"algorithm": "gone", "params": {"climbers": 3}}, "seed 5"),
    ],
)
def test_runs_of_one_algorithm_differ_by_their_settings(stage, says):
    settings = {"seed": 5, "requested": library_facts._find_requested_iterations(stage), "uses": (stage["algorithm"],)}
    assert describe_settings(SimpleNamespace(**settings)) == says
