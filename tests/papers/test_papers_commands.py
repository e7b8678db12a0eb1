"""``python -m papers measure`` for several entries: one file each, and an entry that the machine cannot measure."""

import json

import pytest

from papers import cli
from papers.recipes import two_opt
from papers.results import MeasuredTable, Result, load
from solvers.core.errors import DeviceUnavailable


@pytest.fixture
def requested_entries(monkeypatch):
    """Replaces the measurement: refuses entries for GPUs only, and records the requested entries."""
    asked = []

    def measure(name, device, quick, repeats, known):
        asked.append(name)
        if name.startswith("oneil"):
            raise DeviceUnavailable(f"{name} needs a GPU.")
        figures = MeasuredTable("Row", ("column",), ("ms",), {"row": ([1.0] * repeats,)})
        return Result(name, figures, device or "cpu", quick, 0.1, {})

    monkeypatch.setattr(cli, "measure", measure)
    return asked


def test_several_entries_are_written_to_separate_files(requested_entries, tmp_path, capsys):
    assert cli.main(["measure", "uchida/table-ii", "bitner/table-1", "--repeats", "2", "--folder", str(tmp_path)]) == 0
    assert requested_entries == ["uchida/table-ii", "bitner/table-1"]
    assert load("bitner/table-1", tmp_path)["cpu"].measured.figure("row", "column") == 1.0
    assert len(list(tmp_path.iterdir())) == 2
    assert "uchida/table-ii, cpu, 0.1 s" in capsys.readouterr().out


def test_all_continues_after_an_unmeasurable_entry(requested_entries, tmp_path, capsys):
    assert cli.main(["measure", "all", "--folder", str(tmp_path)]) == 1
    assert requested_entries[-1] == "speed/roofline"
    assert len(requested_entries) == 60
    refused = sum(name.startswith("oneil") for name in requested_entries)
    assert len(list(tmp_path.iterdir())) == len(requested_entries) - refused
    assert "oneil-burtscher/tile needs a GPU." in capsys.readouterr().err


def test_unmeasurable_entry_is_refused(requested_entries, capsys):
    assert cli.main(["measure", "oneil-burtscher/tile"]) == 2
    assert capsys.readouterr().err == "oneil-burtscher/tile needs a GPU.\n"


def test_one_file_takes_one_entry(requested_entries, tmp_path, capsys):
    file = tmp_path / "result.json"
    assert cli.main(["measure", "uchida/table-ii", "--json", str(file)]) == 0
    assert json.loads(file.read_text())["entry"] == "uchida/table-ii"
    assert cli.main(["measure", "uchida/table-ii", "uchida/table-i", "--json", str(file)]) == 2
    assert "--folder" in capsys.readouterr().err
    assert len(requested_entries) == 1


def test_shared_runs_are_measured_once(monkeypatch, tmp_path):
    created_items = []
    bests = two_opt._measure_best_lengths
    monkeypatch.setattr(two_opt, "_measure_best_lengths", lambda *of: created_items.append(of) or bests(*of))
    names = ["utne-hansen/accuracy-berlin52", "utne-hansen/figure-10"]
    arguments = ["--device", "cpu", "--quick", "--repeats", "2", "--folder", str(tmp_path)]
    assert cli.main(["measure", *names, *arguments]) == 0
    assert [seed for _, _, seed, _ in created_items] == [1, 2]
    table, figure = (load(name, tmp_path)["cpu"].measured for name in names)
    assert table.rows == figure.rows
    assert cli.main(["measure", names[0], *arguments]) == 0
    assert len(created_items) == 4  # a command of its own measures anew


def test_shipped_figures_are_headed_by_their_hardware(capsys):
    assert cli.main(["show", "uchida/table-i"]) == 0
    assert cli.main(["show", "qin-han/figure-2"]) == 0
    output = capsys.readouterr().out
    assert "GPU, published  GPU, H" in output
    assert "threads, 128 cities, CPU" in output
    assert ", here" not in output
