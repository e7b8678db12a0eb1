"""Each file in the table of dialects is read or refused as listed; the page shows the table."""

import numpy as np
import pytest
import tsplib95

from benchmarks.packages.dialects import EXPORTS, find_shortest, load_instance
from data import recognition
from data.__main__ import main
from data.distances import distance_matrix
from data.errors import InvalidInstance
from data.tables import plain_tour
from data.tsplib.exchange import format_exchange, format_route
from data.tsplib.instances import format_tour, read_tour
from data.tsplib.normal_form import assemble
from tests.data.dialects import table
from tests.tables import each_row

ROWS = {row["file"]: row for row in table.ROWS}


def read_row(row) -> tuple[dict, list[str]]:
    """TourScope's answer to a file, in the form of other packages' answers, and its warnings."""
    raw = (table.FOLDER / row["file"]).read_bytes()
    if "tour_of" in row:
        warnings: list[str] = []
        instance = recognition.read((table.FOLDER / row["tour_of"]).read_bytes(), row["tour_of"])
        return {"tours": [(plain_tour.read(raw, instance, warnings) + 1).tolist()]}, warnings
    instance = recognition.read(raw, row["file"])
    n = instance.city_count
    nodes = range(1, n + 1) if instance.node_ids is None else instance.node_ids.tolist()
    return find_shortest(nodes, distance_matrix(instance)[:n, :n].tolist()), list(instance.warnings)


@each_row("row", ROWS.values())
def test_file_is_read_as_the_table_says(row):
    said = row.get("tourscope", table.READ)
    if said.startswith("refuses: "):
        with pytest.raises(InvalidInstance) as refusal:
            read_row(row)
        assert said == f"refuses: {refusal.value.sentence}"
        return
    answer, warnings = read_row(row)
    assert said == ": ".join(filter(None, [table.verdict(row, answer), " ".join(warnings)]))


def test_the_page_has_the_table():
    assert table.PAGE.read_text("utf-8") == table.page(), "python -m tests.data.dialects.table"


def test_every_file_has_a_row_and_every_row_was_measured():
    files = {path.name for path in table.FOLDER.iterdir() if path.is_file()} - {
        "rows.json",
        *(f"{name}.py" for name in CODE),
    }
    assert files == set(ROWS) == set(table.MEASURED["files"])
    assert len(ROWS) >= 60
    assert all(set(answers) == set(table.MEASURED["versions"]) for answers in table.MEASURED["files"].values())


CODE = ("table", "test_dialects")
SIX = {"n": 3, "length": 12, "tour": [1, 2, 3]}


@each_row(
    ("answer", "said"),
    [
        ({"n": 3, "length": 12.0, "tour": [3, 2, 1]}, "reads"),
        ({"n": 3, "length": 12.0, "tour": [0, 1, 2]}, "numbers"),
        ({"n": 3, "length": 12.5, "tour": [1, 2, 3]}, "length 12.5"),
        ({"n": 4, "length": 12.0, "tour": [1, 2, 3, 4]}, "4 cities"),
        ({"n": 3, "length": None, "tour": None}, "no matrix"),
        ({"n": 0, "length": None, "tour": None}, "nothing"),
        ({"error": "no answer"}, "no answer"),
        ({"error": "KeyError: x"}, "refuses"),
    ],
)
def test_verdict_covers_cities_distances_and_numbers(answer, said):
    assert table.verdict(SIX, answer) == said


@each_row("name", EXPORTS)
def test_written_files_are_read_by_tsplib95_with_their_numbers(name):
    instance = load_instance(name)
    text = format_exchange(instance)
    problem = tsplib95.parse(text)
    nodes = list(problem.get_nodes())
    assert nodes == list(range(1, instance.n + 1))
    rows = range(0, instance.n, 7)
    read = [[problem.get_weight(a + 1, b) for b in nodes] for a in rows]
    assert np.array_equal(read, distance_matrix(instance)[::7])
    # What the other packages want besides: docs/dialects.md.
    lines = text.split("\n")
    assert lines[-2:] == ["EOF", ""]
    sections = [line for line in lines if line.endswith("_SECTION")]
    assert not any(":" in line for line in lines[lines.index(sections[0]) :])
    assert ("EDGE_WEIGHT_FORMAT: FULL_MATRIX" in lines) == ("EDGE_WEIGHT_SECTION" in sections)
    assert text.isascii()
    order = np.random.default_rng(1).permutation(instance.n)
    again = recognition.read(text.encode(), "again.tsp")
    assert np.array_equal(distance_matrix(again), distance_matrix(instance))
    assert tsplib95.parse(format_tour(again, order, 1)).tours == [(order + 1).tolist()]
    assert (
        plain_tour.read(format_route(again, order, 1).encode(), again, []).tolist()
        == np.roll(order, -int(order.argmin())).tolist()
    )


def test_names_with_keywords_break_no_other_reader():
    points = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 4.0]])
    instance = assemble("GEOF: a DIMENSION\u00e4", "EUC_2D", "inline", coordinates=points, comment="EOF: DIMENSION: 9")
    problem = tsplib95.parse(format_exchange(instance))
    assert (problem.name, problem.dimension, len(problem.node_coords)) == ("geof-a-dimension-", 3, 3)
    tour = format_tour(instance, np.arange(3), 12)
    assert tsplib95.parse(tour).tours == [[1, 2, 3]]
    assert read_tour(tour.encode(), instance).tolist() == [0, 1, 2]


def test_too_large_matrix_is_not_written():
    points = np.random.default_rng(1).uniform(10, 20, (5_001, 2))
    with pytest.raises(InvalidInstance, match="at most 5,000 cities"):
        format_exchange(assemble("many", "GEO", "inline", coordinates=points))


def test_the_command_writes_named_instances_and_files(tmp_path, capsys):
    out = tmp_path / "out.tsp"
    for name in ("gr17", str(table.FOLDER / "osm.osm")):
        assert main(["export", name, str(out)]) == 0
        assert "EDGE_WEIGHT_FORMAT: FULL_MATRIX" in out.read_text()
    assert "6 cities" in capsys.readouterr().out
    assert main(["export", "no-such-instance", str(out)]) == 2
