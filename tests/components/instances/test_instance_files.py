"""Files and library entries as instances: the result of each, and how it is refused."""

import base64
import time

import pytest
from dash import no_update

from components.instances import columns
from components.instances.picker import (
    Chosen,
    choose,
    describe,
    describe_choice,
    fixed_choice,
    instance_option,
    instance_options,
    note_choice,
    path_choice,
    refine_choice,
)
from components.instances.references import parse_reference
from components.instances.uploads import UploadResult, handle_file, handle_table
from components.shell import facts
from components.watch import recent
from components.watch.address import BAR, read_spec
from components.watch.launch import make_address
from data.collection.resolve import load
from data.generators import directed
from data.paths import ANY, with_fixed_edges, with_path
from data.recognition import detect_kind
from runs.language import use_language
from solvers.spec import RunSpec
from tests.clock import is_within_bound
from tests.tables import each_row

HEAD = b"TYPE: TSP\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 0 9\n3 9 9\n4 9 0\nEOF\n"
SQUARE = b"NAME: square\n" + HEAD
TOUR = b"TYPE: TOUR\nDIMENSION: 52\nTOUR_SECTION\n" + b" ".join(b"%d" % city for city in range(1, 53)) + b" -1\nEOF\n"
TABLE = b"place;x;y\nA;1;2\nB;3;4\nC;5,5;6\n"
HOSTILE = ["<img src=x onerror=alert(1)>", "=cmd()|'/c calc'!A1", "<b>bold</b>", "abc\u202egpj.exe"]


@pytest.fixture
def options():
    return instance_options()


def upload_data(raw, filename="some.file"):
    return {"contents": "data:application/octet-stream;base64," + base64.b64encode(raw).decode(), "filename": filename}


@each_row(
    ("raw", "filename", "kind"),
    [
        (SQUARE, "square.tsp", "instance"),
        (SQUARE, "square.csv", "instance"),
        (SQUARE.decode().encode("utf-16"), "square.txt", "instance"),
        (SQUARE.replace(b"\n", b"\r"), "square.txt", "instance"),
        (TOUR, "mine", "tour"),
        (TOUR.replace(b"TYPE: TOUR\n", b""), "best.txt", "tour"),
        (b"\x1f\x8bpacked", "a280.opt.tour.gz", "tour"),
        (b"\x1f\x8bpacked", "a280.tsp.gz", "instance"),
        (TABLE, "places.CSV", "table"),
        (b"dimension,x,y\n1,2,3\n", "sizes.csv", "table"),
        (b"1\t2\n", "pairs.txt", "table"),
        (TABLE, "places", "table"),
        (TABLE.decode().encode("utf-16-le"), "places", "table"),
        (b"4\n0 1 2 3\n", "mine.sol", "tour"),
        (b"4\n0 1 2 3\n", "mine", "tour"),
        (b"Path\n0\n3\n1\n2\n", "submission.csv", "tour"),
        ("\ufeffPath\r\n0\r\n3\r\n1\r\n2\r\n".encode(), "submission.csv", "tour"),
        ("1\r\n4\r\n2\r\n3\r\n".encode("utf-16"), "tour.txt", "tour"),
        (b"4\r\n0 1 2 3\r\n", "mine", "tour"),
        (b"[0, 3, 1, 2]", "tour.txt", "tour"),
        (b"[[0, 3], [1, 2]]", "points.json", "table"),
        (b"0 -> 3 -> 1 -> 2", "answer", "tour"),
        (b"4 4\n0 3 7\n3 1 8\n1 2 7\n2 0 8\n", "linkern.txt", "tour"),
        (b"4\n0 0\n0 9\n9 9\n9 0\n", "points", "table"),
        (b'<?xml version="1.0"?><gpx></gpx>', "places.xml", "instance"),
        (b'{"type": "FeatureCollection", "features": []}', "places.csv", "instance"),
        (b"<html>", "page.html", "instance"),
    ],
)
def test_file_kind_depends_on_content_then_suffix(raw, filename, kind):
    assert detect_kind(raw, filename) == kind


def test_empty_lines_do_not_block_the_server():
    start = time.process_time()
    assert detect_kind(b"\n" * 65_536, "page.tsp") == "instance"
    assert is_within_bound(time.process_time() - start, 1.0)


def test_uploaded_instance_joins_the_menu_once_and_is_selected(run_service, options):
    once = handle_file(run_service, upload_data(SQUARE), "berlin52", options)
    assert once.note == ""
    assert once.options[0]["value"] == once.instance
    assert parse_reference(once.instance) == {"sha256": next(iter(run_service.uploads))}
    assert len(handle_file(run_service, upload_data(SQUARE), "berlin52", once.options).options) == len(once.options)


def test_columns_of_a_table_are_requested_and_make_an_instance(run_service, options):
    asked = handle_file(run_service, upload_data(TABLE, "places.csv"), "berlin52", options).table
    assert [column["name"] for column in asked["columns"]] == ["place", "x", "y"]
    assert (asked["rows"], asked["guess"], asked["filename"]) == (3, [1, 2], "places.csv")
    taken = handle_table(run_service, upload_data(TABLE, "places.csv"), "1", "2", "EUC_2D", options)
    assert taken.table is None
    assert run_service.instance(parse_reference(taken.instance)).coordinates.tolist() == [[1, 2], [3, 4], [5.5, 6]]


@pytest.mark.parametrize(
    ("raw", "filename", "words"),
    [
        (b";A;B\nA;0;7\nB;7;0\n", "roads.csv", "read as distances"),
        (b"<gpx><wpt lat='48.4' lon='10'><name>Ulm</name></wpt></gpx>", "ways.gpx", "1 city"),
    ],
)
def test_distances_and_places_need_no_column_choice(run_service, options, raw, filename, words):
    taken = handle_file(run_service, upload_data(raw, filename), "berlin52", options)
    assert (taken.table, taken.note) == (no_update, "")
    assert run_service.instance(parse_reference(taken.instance)).name == filename.split(".")[0]
    assert words in describe_choice(run_service, taken.instance)


@pytest.mark.parametrize(
    ("x", "y", "kind"),
    [
        ("0", "1", "EUC_2D"),
        (None, "1", "EUC_2D"),
        ("1", "-2", "GEO"),
        ("1", "9", "EUC_2D"),
        ("1", "2", "abacus"),
        ("1", "²", "EUC_2D"),
    ],
)
def test_impossible_columns_are_refused_and_the_dialog_stays(run_service, options, x, y, kind):
    taken = handle_table(run_service, upload_data(TABLE), x, y, kind, options)
    assert taken.note
    assert "\n" not in taken.note
    assert (taken.instance, taken.table) == (no_update, no_update)


@each_row(
    ("language", "labels"), [("en", ("x or latitude", "y or longitude")), ("de", ("x oder Breite", "y oder Länge"))]
)
def test_columns_are_labelled_for_the_plane_and_the_globe(language, labels):
    with use_language(language):
        assert all(f"'{label}'" in repr(columns.dialog()) for label in labels)


def test_uploaded_tour_is_a_run_of_the_chosen_instance(run_service, options):
    taken = handle_file(run_service, upload_data(TOUR), "berlin52", options)
    [run] = run_service.runs
    assert taken.search == f"?run={run}"
    assert taken.note == "Lengths in the file are not read."
    spec = read_spec(run_service.summary(run))
    assert make_address(spec, run) == f"?run={run}", "there is no permalink of a tour"
    assert facts.describe_choices(spec) == ""
    assert recent.MENU.links(run_service, "/")[0].href == f"/?run={run}"
    filled = BAR.read(run_service, taken.search, None, options)
    assert filled["run"] == {"run": run}
    assert filled["instance"] == "berlin52"
    assert not filled.keys() & {"algorithm", "seed", "seconds"}


def test_link_to_a_tour_without_its_run_is_refused(run_service, options):
    assert BAR.read(run_service, "?instance=berlin52&algorithm=given", None, options)["note"].startswith(
        "This link cannot be used"
    )


@pytest.mark.parametrize("file", [None, {}, {"contents": 5}, {"contents": "data:,x"}, upload_data(b""),
                                  upload_data(b"\x00"),
                                  {"contents": "data:a;base64,***"}, upload_data(b"x,y\n1\n", "a.csv"),
                                  upload_data(TOUR.replace(b"52 -1", b"51 -1"))], ids=str)  # fmt: skip
def test_unusable_upload_gives_one_sentence_in_both_places(run_service, options, file):
    taken = handle_file(run_service, file, "berlin52", options)
    assert taken.note == taken.dialog_note != ""
    assert taken == UploadResult(note=taken.note, dialog_note=taken.note)
    assert "\n" not in taken.note


def test_fault_of_a_file_is_reported_with_its_name_and_formatted_numbers(run_service, options):
    rows = b"a,b\n" + b"1,2\n" * 200_001
    taken = handle_file(run_service, upload_data(rows, "towns.csv"), "berlin52", options)
    assert taken.note.startswith("towns.csv: ")
    assert "200\u202f000 cities" in taken.note
    assert (
        handle_file(run_service, {"contents": 5}, "berlin52", options).note
        == "The file did not arrive: choose it again."
    )


def test_tour_without_an_instance_is_refused(run_service, options):
    assert handle_file(run_service, upload_data(TOUR), "nowhere", options).note
    assert run_service.runs == {}


def test_listed_choice_is_selected_and_any_other_joins_the_menu(run_service, options):
    assert choose(run_service, {"value": "eil51"}, options) == Chosen(instance="eil51")
    value = '{"generate":"uniform","n":40,"seed":3}'
    chosen = choose(run_service, {"value": value}, options)
    assert chosen.instance == value
    assert len(chosen.options) == len(options) + 1


@pytest.mark.parametrize(
    ("raw", "filename", "offered", "name", "kind"),
    [
        (SQUARE.replace(b"9", b"0.9"), "unit.tsp", "Scale by 1,000", "square x 1000", "EUC_2D"),
        (SQUARE.replace(b"9", b"9.9").replace(b"EUC_2D", b"GEO"), "degrees.tsp", "Read as decimal degrees",
         "square (degrees)", "HAVERSINE_KM"),
        (SQUARE.replace(b"9", b"0.01").replace(b"EUC_2D", b"GEO"), "town.tsp", "Measure in metres", "square (m)",
         "HAVERSINE_M"),
    ],
)  # fmt: skip
def test_coarse_distances_are_refined_on_request(run_service, options, raw, filename, offered, name, kind):
    taken = handle_file(run_service, upload_data(raw, filename), "berlin52", options)
    note, button = note_choice(run_service, taken.instance)
    assert (button, any(words in note for words in ("coarse", "decimal degrees"))) == (offered, True)
    finer = refine_choice(run_service, taken.instance, options)
    instance = run_service.instance(parse_reference(finer.instance))
    assert (instance.name, instance.kind, instance.warnings) == (name, kind, ())
    assert note_choice(run_service, finer.instance)[1] == ""
    assert finer.instance in {option["value"] for option in finer.options}


def test_path_is_a_separate_instance(run_service, options):
    result = path_choice(run_service, "berlin52", options, " 7", None)
    path = run_service.instance(parse_reference(result.instance))
    assert (path.name, path.start, path.end) == ("berlin52 (7 → …)", 6, None)
    assert result.instance in {option["value"] for option in result.options}
    assert "path, not a round trip" in note_choice(run_service, result.instance)[0]
    anywhere = path_choice(run_service, "berlin52", options, "", " ")
    assert any(option["title"].startswith("berlin52 (… → …): 52 cities") for option in anywhere.options)
    assert describe_choice(run_service, anywhere.instance).startswith("52 locations in Berlin")
    assert path_choice(run_service, "berlin52", options, None, "53").note.startswith("Unknown city")
    assert "path already" in path_choice(run_service, result.instance, result.options, "1", "2").note


def test_only_problems_of_a_directed_table_are_called_directed():
    def says_directed(instance):
        (directed,) = {"directed" in label for label in (describe(instance), instance_option({}, instance)["title"])}
        return directed

    for ends in ((1, None), (None, 2), (1, 2), (ANY, ANY), (None, None)):
        for changed in (with_path, lambda *path: with_path(with_fixed_edges(path[0], [(3, 4)]), *path[1:])):
            assert says_directed(changed(directed(8, 1), *ends))
            assert not says_directed(changed(load("gr17"), *ends))
            assert not says_directed(changed(load("berlin52"), *ends))


def test_fixed_edges_make_a_separate_instance(run_service, options):
    result = fixed_choice(run_service, "berlin52", options, "7, 9; 3,4")
    instance = run_service.instance(parse_reference(result.instance))
    assert instance.fixed == ((2, 3), (3, 2), (6, 8), (8, 6))
    assert "fixed edges: 2" in note_choice(run_service, result.instance)[0]
    path = path_choice(run_service, result.instance, result.options, "1", "")
    assert run_service.instance(parse_reference(path.instance)).fixed == instance.fixed
    assert "already" in fixed_choice(run_service, path.instance, path.options, "1, 2").note
    assert "pairs of cities" in fixed_choice(run_service, "berlin52", options, "7").note
    assert fixed_choice(run_service, "berlin52", options, "7, 53").note.startswith("Unknown city")


def test_fine_distances_are_not_refined(run_service, options):
    assert note_choice(run_service, "ali535")[1] == note_choice(run_service, "bays29")[1] == ""
    assert "distances alone" in refine_choice(run_service, "bays29", options).note
    assert refine_choice(run_service, "nowhere", options).note == note_choice(run_service, "nowhere")[0] != ""


def test_degrees_of_a_table_are_proposed_in_metres(run_service, options):
    table = "Stopp;Breitengrad;L\u00e4nge\nA;48,1371;11,5754\nB;48,1352;11,582\nC;48,14;11,577\n".encode()
    asked = handle_file(run_service, upload_data(table, "stops.csv"), "berlin52", options).table
    assert (asked["guess"], asked["kind"]) == ([1, 2], "HAVERSINE_M")
    taken = handle_table(run_service, upload_data(table, "stops.csv"), "1", "2", asked["kind"], options)
    instance = run_service.instance(parse_reference(taken.instance))
    assert (instance.unit, instance.names) == ("m", ("A", "B", "C"))
    assert facts.MEASURES()["HAVERSINE_M"] in describe_choice(run_service, taken.instance)


@pytest.mark.parametrize("asked", [None, {}, {"value": 5}, {"value": "nowhere"}, {"value": "{"},
                                   {"value": '{"generate":"uniform","n":0,"seed":3}'}], ids=str)  # fmt: skip
def test_impossible_choice_gives_one_sentence(run_service, options, asked):
    chosen = choose(run_service, asked, options)
    assert chosen == Chosen(note=chosen.note)
    assert chosen.note


@pytest.mark.parametrize("name", HOSTILE)
def test_file_names_are_plain_text(run_service, options, name):
    """A component's text is never HTML; characters that reverse the writing direction are removed."""
    taken = handle_file(run_service, upload_data(b"NAME: " + name.encode() + b"\n" + HEAD), "berlin52", options)
    [joined] = [option for option in taken.options if option["value"] == taken.instance]
    visible = joined["label"].children[0].children
    assert visible == name.replace("\u202e", " ")
    assert joined["title"].startswith(visible)
    assert describe_choice(run_service, taken.instance)
    spec = RunSpec.from_json({"v": 1, "instance": parse_reference(taken.instance), "stages": [{"algorithm": "greedy"}]})
    assert name not in make_address(spec)
    asked = handle_file(run_service, upload_data(TABLE, name + ".csv"), "berlin52", options).table
    assert asked["filename"] == name.replace("\u202e", " ") + ".csv"


def test_instance_of_a_file_joins_those_of_a_study(run_service, options):
    taken = handle_file(run_service, upload_data(SQUARE), ["berlin52", "kroA100"], options, tours=False)
    *others, value = taken.instance
    assert others == ["berlin52", "kroA100"]
    assert run_service.instance(parse_reference(value)).n == 4
    file = upload_data(TABLE, "places.csv")
    table = handle_table(run_service, file, "1", "2", "EUC_2D", taken.options, taken.instance)
    assert table.instance[:3] == taken.instance
    assert len(table.instance) == 4
    again = handle_file(run_service, upload_data(SQUARE), table.instance, table.options)
    assert again.instance == table.instance
