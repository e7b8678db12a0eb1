"""Exports of a study: CSV, Parquet, LaTeX, IOHprofiler; each is read by another program's reader."""

import csv
import io
import json
import re
import sys
from dataclasses import replace

import numpy as np
import pytest

from data.collection.instance_reference import build_inline
from data.collection.resolve import load
from data.distances import tour_length
from studies.errors import InvalidStudy, MissingPackage
from studies.export import csv as export_csv_module
from studies.export import iohprofiler, latex
from studies.export import parquet as export_parquet_module
from studies.file.reader import StudyReader
from studies.file.writer import StudyFile
from studies.pool.run_log import ROW
from studies.pool.worker import compute_outcome
from studies.spec.matrix import Cell, make_run_spec
from tests.studies.export import ioh_check
from tests.studies.small_study import ENTRIES, finish_study, tiny_study
from tests.tables import each_row

SQUARE = [[0, 0], [0, 50], [50, 50], [50, 0], [20, 70], [70, 20]]
LABELS = {"=2-opt & ants_100%": "2-opt", "nearest\\{2}": "nearest", "both": "nearest, 2-opt"}


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Three entries on three instances with three seeds, with names that need escaping."""
    spec = tiny_study(
        instances=[{"name": "gr17"}, {"cities": SQUARE}, {"name": "burma14"}],
        entries=[{"label": label, "stages": ENTRIES[name]} for label, name in LABELS.items()],
        seeds={"first": 4, "count": 3},
        title="Costs: 5 $ & more",
    )
    path = finish_study(tmp_path_factory.mktemp("export") / "some.tourstudy", spec, cores=2)
    with StudyReader(path) as reader:
        yield reader


def test_csv_has_every_run_completely(study):
    rows = list(csv.DictReader(io.StringIO(export_csv_module.format_csv(study))))
    table = study.table()
    assert len(rows) == 27
    assert [int(row["length"]) for row in rows] == table.runs.length.tolist()
    assert [float(row["seconds"]) for row in rows] == table.runs.seconds.tolist(), "numbers read back the same"
    assert [int(row["evaluations"]) for row in rows] == table.runs.evaluations.tolist()
    assert {row["entry"] for row in rows} == {"'=2-opt & ants_100%", "nearest\\{2}", "both"}, "no formulas"
    assert {(row["instance"], row["optimum"], row["proven"]) for row in rows} == {
        ("gr17", "2085", "true"), ("burma14", "3323", "true"), ("6 cities", "", "false"),
    }  # fmt: skip
    first = rows[0]
    assert float(first["gap_percent"]) == 100 * (int(first["length"]) - 2085) / 2085
    assert (first["evaluation_unit"], first["iteration_unit"], first["algorithm"]) == ("move", "climber", "two-opt")
    assert json.loads(first["stages"])[0]["params"] == {"climbers": 5}
    assert "numba" in json.loads(first["versions"])
    assert {row["gap_percent"] for row in rows if row["instance"] == "6 cities"} == {""}, "no optimum, no gap"
    best = min(int(row["length"]) for row in rows if row["instance"] == "6 cities")
    assert {(row["instance"], row["reference"], row["reference_kind"]) for row in rows} == {
        ("gr17", "2085", "optimum"), ("burma14", "3323", "optimum"), ("6 cities", str(best), "best of this study"),
    }  # fmt: skip


def test_csv_counts_edges_shared_with_the_optimal_tour(study):
    rows = list(csv.DictReader(io.StringIO(export_csv_module.format_csv(study))))
    optimal = load("gr17").optimal_tour.tolist()
    edges = {frozenset(pair) for pair in zip(optimal, optimal[1:] + optimal[:1], strict=True)}
    for cell, row in zip(study.cells(), rows, strict=True):
        order = study.tour(cell.cell.number).tolist()
        own = {frozenset(pair) for pair in zip(order, order[1:] + order[:1], strict=True)}
        expected = {"gr17": str(len(own & edges)), "6 cities": ""}
        assert row["shared_edges"] == expected.get(row["instance"], row["shared_edges"])
    assert {row["shared_edges"] for row in rows if row["instance"] == "burma14"} >= {"14"}


def test_failed_run_is_a_row_with_its_reason(study, tmp_path):
    spec = tiny_study(
        entries=[{"label": "all", "stages": [{"algorithm": "held-karp"}]}], instances=[{"name": "pr1002"}]
    )
    with StudyReader(finish_study(tmp_path / "large.tourstudy", spec)) as reader:
        rows = list(csv.DictReader(io.StringIO(export_csv_module.format_csv(reader))))
    assert [(row["state"], row["length"], row["seed"]) for row in rows] == [("failed", "", "1"), ("failed", "", "2")]
    assert "cities" in rows[0]["sentence"]


def test_parquet_has_the_csv_rows_with_types(study, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    export_parquet_module.check()
    export_parquet_module.export(study, tmp_path / "runs.parquet")
    table = parquet.read_table(tmp_path / "runs.parquet")
    rows = list(csv.DictReader(io.StringIO(export_csv_module.format_csv(study))))
    assert table.column("length").to_pylist() == [int(row["length"]) for row in rows]
    assert [str(field.type) for field in table.schema if field.name in ("length", "seconds", "proven", "entry")] == [
        "bool", "string", "int64", "double",
    ]  # fmt: skip
    assert set(table.column("entry").to_pylist()) == set(LABELS), "no quotes here: no spreadsheet reads this"
    assert json.loads(table.schema.metadata[b"tourscope"]) == study.spec.to_json()


def test_parquet_without_pyarrow_is_refused_in_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setattr(export_parquet_module, "find_spec", lambda name: None)
    with pytest.raises(MissingPackage, match="pip install pyarrow"):
        export_parquet_module.check()


def test_latex_table_has_a_row_per_instance(study):
    text = latex.format_latex(study)
    body = text.split(r"\midrule")[1].split(r"\bottomrule")[0]
    rows = [line.strip() for line in body.strip().splitlines()]
    assert [row.split(" & ")[0] for row in rows] == ["gr17", r"6 cities\textsuperscript{\dag}", "burma14"]
    assert r"=2-opt \& ants\_100\%" in text
    assert r"nearest\textbackslash{}\{2\}" in text
    assert r"Costs: 5 \$ \& more" in text
    assert r"\dag}\,above the best tour of this study" in text
    runs, table = study.table().runs, study.table()
    lengths = runs.length[(runs.instance == 0) & (runs.entry == 1)]
    gap = np.median(100 * (lengths - 2085) / 2085)
    assert re.sub(r"\\textbf\{(.*?)\}", r"\1", rows[0]).split(" & ")[2] == f"{gap:.2f}"
    assert table.instances.names[0] == "gr17"
    verdicts = text.split(r"\midrule")[2].split(r"\bottomrule")[0].strip().splitlines()
    assert [len(row.split(" & ")) for row in verdicts] == [4] * 3
    assert verdicts[0].split(" & ")[1].strip() == "" != verdicts[0].split(" & ")[2].strip()
    without = re.sub(r"\\[\\%&$_{}#]", "", text)
    assert without.count("{") == without.count("}")
    assert not re.search(r"[$#]", without), "nothing is left that LaTeX reads in another way"


@pytest.fixture(scope="module")
def folder(study, tmp_path_factory):
    path = tmp_path_factory.mktemp("ioh") / "for-iohanalyzer"
    iohprofiler.export(study, path)
    return path


def test_iohanalyzer_folder_follows_its_format(study, folder):
    found = ioh_check.check(folder)
    assert set(found) == {
        (label, name, n) for label in LABELS for name, n in {"gr17": 17, "6-cities": 6, "burma14": 14}.items()
    }
    table = study.table()
    for (label, function, _), runs in found.items():
        entry = table.entries.labels.index(label)
        instance = [name.replace(" ", "-") for name in table.instances.names].index(function)
        rows = np.flatnonzero((table.runs.entry == entry) & (table.runs.instance == instance))
        assert [meta["seed"] for meta, _ in runs] == table.runs.seed[rows].tolist() == [4, 5, 6]
        assert [meta["best"]["y"] for meta, _ in runs] == table.runs.length[rows].tolist()
        assert [meta["evals"] for meta, _ in runs] == table.runs.evaluations[rows].tolist()
        cities = build_inline(SQUARE) if function == "6-cities" else load(function)
        for meta, lines in runs:
            assert tour_length(cities, np.array(meta["best"]["x"])) == meta["best"]["y"]
            assert min(value for _, value in lines) == meta["best"]["y"]


def test_best_of_several_lengths_at_one_evaluation_is_written(tmp_path):
    """A tour before the first evaluation counts as evaluation 1, and may be improved there."""
    spec, path = tiny_study(instances=[{"name": "gr17"}], seeds={"count": 1}), tmp_path / "made.tourstudy"
    alone = compute_outcome(make_run_spec(spec, Cell(0, 0, 0, 1)), load("gr17"))
    length, total = alone.result["length"], alone.result["evaluations"]
    rows = [(0.0, 0, 0, length + 9), (0.0, 1, 0, length + 5), (0.0, 7, 0, length + 2), (0.0, 7, 0, length)]
    with StudyFile(path, spec) as file:
        file.finish(0, replace(alone, log=np.array(rows, ROW).tobytes()), 1.0)
    with StudyReader(path) as reader:
        iohprofiler.export(reader, tmp_path / "made")
    ((_, lines),) = ioh_check.check(tmp_path / "made")["2-opt", "gr17", 17]
    assert lines == [(1, length + 5), (7, length), (total, length)]


def test_evaluations_are_described(folder):
    text = {json.loads(path.read_text())["algorithm"]["info"] for path in folder.rglob("*.json")}
    assert "two-opt; an evaluation is a move" in text
    assert "nearest-neighbour/two-opt; its stages count differently" in text


@each_row(
    ("pattern", "replacement"),
    [
        (r"^(\d+) (\d+)$", r"\1\t\2"),
        (r"^evaluations raw_y\n", ""),
        (r"^1 ", "0 "),
        (r"^(\d+ \d+)\nevaluations", r"\1\n\1\nevaluations"),
        (r"^\d+ \d+\nevaluations", "evaluations"),
        (r"raw_y", "y"),
    ],
)
def test_checker_finds_errors(folder, pattern, replacement):
    """The reader must reject each of these, or the tests above would prove nothing."""
    path = next(path for path in folder.rglob("*f1_DIM17.dat") if re.search(r"^1 ", path.read_text(), re.M))
    text = path.read_text()
    path.write_text(re.sub(pattern, replacement, text, count=1, flags=re.M))
    try:
        with pytest.raises(ioh_check.BadFormat):
            ioh_check.check(folder)
    finally:
        path.write_text(text)
    ioh_check.check(folder)


def test_existing_folder_is_left_alone(study, folder, tmp_path):
    with pytest.raises(InvalidStudy, match="already"):
        iohprofiler.export(study, folder)
    ioh_check.check(folder)


def test_folder_is_written_completely_or_not_at_all(study, tmp_path, monkeypatch):
    def raise_full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(iohprofiler.Path, "write_text", raise_full)
    with pytest.raises(OSError, match="No space"):
        iohprofiler.export(study, tmp_path / "none")
    assert list(tmp_path.iterdir()) == []
