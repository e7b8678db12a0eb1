"""Recipes in their short form on a few cities, their notes on missing figures, and stored results."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from papers import cli, results
from papers.recipes import acs, ants, held_karp, workers
from papers.recipes.plan import Plan
from papers.results import SHIPPED, MeasuredTable, Result
from papers.table_text import format_table
from solvers.algorithms.ants.acs.solver import AntColonySystem
from solvers.algorithms.ants.ant_system.solver import AntSystem
from solvers.mpi import launcher
from tests.papers.small import check, names, shrink
from tests.shortened import shorten
from tests.solvers.simulated import run_cases
from tests.tables import each_row

pytestmark = pytest.mark.slow

#: What start processes by MPI.
BY_MPI = ("qin-han/figure-1", "qin-han/figure-2")
#: What takes seconds even on a few cities.
LONG = ("speed/roofline", "utne-hansen/figure-8")
NO_MPI = "There is no MPI."
RESULT = Result(
    "uchida/table-i", MeasuredTable("Selection", ("GPU",), ("ms",), {"hybrid": ([2.0, 1.0, 4.0],)}), "cuda", False, 1.5,
    {"cpu": "any"},
)  # fmt: skip


@pytest.fixture
def small_machine(monkeypatch):
    """Recipes on a few cities, on a machine with four cores."""
    shrink(monkeypatch)
    monkeypatch.setattr(workers, "cpu_threads", lambda: 4)


@pytest.mark.parametrize(
    "name", shorten([name for name in names("cpu") if name not in BY_MPI], lambda name: name not in LONG)
)
def test_recipe_measures_the_papers_figures_on_cores(small_machine, name):
    check(name, "cpu")


@pytest.mark.long
@pytest.mark.timeout(600)
def test_recipes_run_in_the_cuda_simulator():
    passed = run_cases(Path(__file__).parent / "recipes_cuda_cases.py", simulated=True)
    assert passed.count("PASSED") == len(names("cuda"))


@pytest.mark.parametrize("name", BY_MPI)
def test_workers_are_compared_with_one_and_oversubscription_is_reported(small_machine, monkeypatch, name):
    monkeypatch.setattr(launcher, "unavailable_reason", lambda: NO_MPI)
    result = check(name, "cpu")
    assert result.measured.notes["8"] == "8 workers take turns on 4 cores."
    assert set(result.measured.refused.values()) == {NO_MPI}
    for row, cells in result.measured.rows.items():
        for column, samples in zip(result.measured.columns, cells, strict=True):
            missing = any(f"{row}, {column}" == cell for cell in result.measured.refused)
            assert bool(samples) != missing, "a figure, or why there is none"
            assert samples == [1.0] or row != "1" or missing
    answer = format_table(cli.find(name)[1], [result])
    assert "8: 8 workers take turns on 4 cores." in answer
    assert NO_MPI in answer


@pytest.mark.long
@pytest.mark.parametrize("name", BY_MPI)
def test_mpi_workers_are_compared_with_one(small_machine, monkeypatch, name):
    if launcher.unavailable_reason():
        pytest.skip(launcher.unavailable_reason())
    monkeypatch.setattr(workers, "WORKERS", (1, 2))
    result = check(name, "cpu")
    assert not result.measured.refused
    assert all(samples for cells in result.measured.rows.values() for samples in cells)


def test_refused_variant_gets_no_more_cities(monkeypatch):
    asked = []

    def fake_samples(plan, n, variants):
        asked.append((n, [variant.row for variant in variants]))
        refused = {"qin-han-openmp": "It needs 9 GB.", "cpu": ""}
        return [{"milliseconds": [] if n > 10 and refused[variant.row] else [1.0],
                 "refused": refused[variant.row] if n > 10 else ""} for variant in variants]  # fmt: skip

    monkeypatch.setattr(held_karp, "_time_in_turns", fake_samples)
    found = held_karp.measure_over_cities(Plan("cpu", quick=True))
    assert asked == [(10, ["qin-han-openmp", "cpu"]), (12, ["qin-han-openmp", "cpu"]), (14, ["cpu"])]
    assert found.rows == {"10": ([1.0], [1.0]), "12": ([], [1.0]), "14": ([], [1.0])}
    assert found.refused == dict.fromkeys(("12, qin-han-openmp", "14, qin-han-openmp"), "It needs 9 GB.")


def test_tour_has_the_requested_samples_or_as_many_as_time_allows(small_machine, monkeypatch):
    found = held_karp.measure_tour(Plan("cpu", 3))
    assert [len(samples) for cells in found.rows.values() for samples in cells] == [3] * 4
    monkeypatch.setattr(acs, "PATIENCE", 1e-9)
    found = held_karp.measure_tour(Plan("cpu", 3))
    assert [len(samples) for cells in found.rows.values() for samples in cells] == [1] * 4


def test_slow_run_is_cut_off_and_no_larger_one_starts(small_machine, monkeypatch):
    monkeypatch.setattr(acs, "PATIENCE", 0.05)
    monkeypatch.setattr(acs, "ITERATIONS", 1_000_000)
    found = acs.measure_over_cities(Plan("cpu", 1, quick=True))
    assert not any(samples for cells in found.rows.values() for samples in cells)
    assert set(found.refused) == {f"{n}, {name}" for n in acs.QUICK for name in ("qin-han", "ours")}
    assert all(why.endswith(" of 1,000,000 iterations took 0.05 s.") for why in found.refused.values())


def test_best_length_of_a_run_follows_its_last_2_opt(small_machine):
    runs = acs._run_seeds(Plan("cpu", 2), acs.load_qin_han_cities(7), acs.make_own_colony("cpu", "last"))
    assert [best[-1] for best in runs.best] == [end.length for end in runs.ends]
    assert [best.size for best in runs.best] == [3, 3]


def test_recipes_use_the_presets_of_their_papers(monkeypatch):
    presets = {each.name: each.params for each in AntSystem.presets}
    assert ants._BITNER.items() <= presets["bitner-scaled"].items()
    assert ants._UCHIDA.items() <= presets["uchida"].items()
    monkeypatch.setattr(ants, "create_ant_system", lambda *which, **params: params)
    assert ants._run_bitner(None, None, 1) == ants._BITNER
    presets = {each.name: each.params for each in AntColonySystem.presets}
    for strategy in ("none", "last", "every"):
        assert acs.make_paper_colony("cuda", strategy).params == presets[f"qin-han-{strategy}"]
    for variant, preset in (("qin-han-openmp", "openmp"), ("qin-han-mpi", "mpi")):
        assert acs.make_paper_colony("cpu", variant=variant).params == presets[f"qin-han-{preset}"]


def test_result_replaces_the_previous_one(tmp_path):
    first = results.save(RESULT, tmp_path)
    second = results.save(replace(RESULT, seconds=3.0), tmp_path)
    other = replace(RESULT, device="cpu")
    results.save(other, tmp_path)
    assert first == second
    assert len(list(tmp_path.iterdir())) == 2
    assert results.load(RESULT.entry, tmp_path) == {"cuda": replace(RESULT, seconds=3.0), "cpu": other}
    assert RESULT.measured.figure("hybrid", "GPU") == 2.0


@each_row("text", ["", "{", "[]", "{}", '{"measured": 3}', json.dumps({"measured": {"rows": {}}})])
def test_invalid_result_file_is_omitted(tmp_path, text):
    results.save(RESULT, tmp_path).write_text(text)
    assert results.load(RESULT.entry, tmp_path) == {}


def test_shipped_results_are_readable():
    for path in SHIPPED.glob("*.json"):
        entry, _, device = path.stem.rpartition("--")
        assert results.load(entry.replace("--", "/"), SHIPPED)[device].device == device


def test_measuring_prints_the_table_and_writes_the_samples(small_machine, tmp_path, capsys):
    file = tmp_path / "result.json"
    assert cli.main(["measure", "utne-hansen/table-1", "--device", "cpu", "--json", str(file)]) == 0
    measured = Result.from_json(json.loads(file.read_text()))
    assert measured.measured.figure("pr439", "optimum") == 107_217
    assert "107,217" in capsys.readouterr().out


def test_figure_missing_on_a_device_says_where_it_exists(capsys):
    assert cli.main(["measure", "qin-han/figure-1", "--device", "cuda"]) == 2
    assert "not measured on cuda, but on cpu" in capsys.readouterr().err


def test_best_length_of_a_run_is_the_minimum_so_far():
    for name in ("utne-hansen/figure-8", "utne-hansen/figure-9"):
        rows = results.load(name, SHIPPED)["cpu"].measured.rows.values()
        now, best = ([cells[column][0] for cells in rows] for column in (0, 1))
        assert all(a <= b for a, b in zip(best, now, strict=True)), name
        assert best == sorted(best, reverse=True), name
