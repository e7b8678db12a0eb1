"""All tables and figures of the papers: each has a recipe and a drawing, and consistent figures."""

import json

import pytest

from papers import cli
from papers.catalogue import PAPERS, NoSuchEntry, find, list_entries, name_entry
from papers.model import DRAWING_ONLY, Likeness
from tests.tables import each_row

EACH = pytest.mark.parametrize(("paper", "entry"), list_entries(), ids=[name_entry(*each) for each in list_entries()])


def test_the_papers_have_52_tables_and_figures_and_three_claims_without_figures():
    counts = {paper.id: len(paper.entries) for paper in PAPERS}
    assert counts == {"utne-hansen": 24, "oneil-burtscher": 9, "uchida": 6, "qin-han": 12, "bitner": 4}
    names = [name_entry(*each) for each in list_entries()]
    assert len(set(names)) == len(names)


@EACH
def test_an_entry_has_a_recipe_that_exists_a_drawing_and_words(paper, entry):
    assert callable(entry.recipe.load())
    assert entry.recipe.devices
    assert set(entry.recipe.devices) <= {"cuda", "cpu"}
    assert entry.drawing.kind in ("table", "lines", "bars", "tour")
    assert set(entry.drawing.log) <= {"x", "y"}
    if entry.drawing.kind in ("lines", "bars"):
        assert entry.drawing.y
    for words in (entry.headline, entry.recipe.summary):
        assert words.endswith(".")


@EACH
def test_entry_states_similarities_and_differences(paper, entry):
    """Each is one clause that is part of a sentence."""
    assert entry.likeness is not None
    for words in (entry.likeness.quantity, entry.likeness.parameters, entry.likeness.instance):
        assert words == words.strip() != ""
        assert not words.endswith(".")


def test_only_the_list_of_instances_is_identical():
    same = [name_entry(*each) for each in list_entries() if each[1].likeness == Likeness()]
    assert same == ["utne-hansen/table-1"]


def test_33_entries_have_published_figures_and_charts_use_the_authors_records():
    assert sum(entry.published is not None for _, entry in list_entries()) == 33
    charts = [entry for _, entry in list_entries() if entry.published and "authors' records" in entry.note]
    assert len(charts) == 14
    rates = find("utne-hansen/figure-21")[1].published
    assert (rates.figure("10,000", "pr439"), rates.figure("1", "swiss42")) == (2772.58, 1.25)
    cores = find("qin-han/figure-1")[1].published
    assert [cores.figure(count, "qin-han-openmp, 20 cities") for count in ("16", "64")] == [15.4, 45.9]
    climbs = find("utne-hansen/figure-7")[1].published
    assert climbs.figure("625", "length") == 1273


@EACH
def test_a_table_has_a_figure_and_a_unit_for_each_column(paper, entry):
    if entry.published is None:
        assert entry.place.startswith(("Figure", "Slide", "Section")), "what a table has is in the text"
        return
    table = entry.published
    assert len(table.units) == len(table.columns)
    for figures in (*table.rows.values(), *table.spread.values()):
        assert len(figures) == len(table.columns)
    assert set(table.spread) <= set(table.rows)


@each_row("name", ["table-ii", "table-iii", "table-iv"])
def test_published_speed_ups_are_those_of_the_published_times(name):
    table = find(f"uchida/{name}")[1].published
    for row, (core, gpu, ratio) in table.rows.items():
        if (name, row) != ("table-iv", "d198"):  # the paper has 7.52, its own times give 7.88
            assert core / gpu == pytest.approx(ratio, rel=0.03)
        if name == "table-iv":  # as the finding says of all seven
            assert ratio < core / gpu


def test_published_accuracies_are_those_of_the_published_lengths():
    for instance, optimum in (("berlin52", 7542), ("kroa100", 21282), ("kroa200", 29368)):
        table = find(f"utne-hansen/accuracy-{instance}")[1].published
        for length, accuracy in table.rows.values():
            assert 100 * optimum / length == pytest.approx(accuracy, abs=0.01)


def test_unknown_entry_is_reported_with_a_suggestion(capsys):
    with pytest.raises(NoSuchEntry, match="uchida/table-ii"):
        find("uchida/table-iij")
    assert cli.main(["show", "nothing"]) == 2
    assert "nothing" in capsys.readouterr().err


def test_json_list_has_the_published_figures(capsys):
    assert cli.main(["list", "--json"]) == 0
    listed = {entry["id"]: entry for entry in json.loads(capsys.readouterr().out)}
    assert len(listed) == 55
    assert listed["uchida/table-i"]["published"]["rows"]["hybrid"] == [86.43]
    assert listed["qin-han/figure-3"]["published"] == DRAWING_ONLY
    assert all(entry["recipe"]["command"].endswith(name) for name, entry in listed.items())
    assert all(entry["recipe"]["summary"] for entry in listed.values())
    for name, entry in listed.items():
        assert entry["published"] == DRAWING_ONLY or entry["published"]["rows"], name


def test_every_entry_has_a_full_committed_result(capsys):
    assert cli.main(["list", "--json"]) == 0
    listed = {entry["id"]: entry["measured"] for entry in json.loads(capsys.readouterr().out)}
    assert [name for name, found in listed.items() if found is None] == []
    for name in listed:
        found, devices = listed[name], find(name)[1].recipe.devices
        assert found["device"] == ("cuda" if "cuda" in devices else "cpu"), name
        assert not found["quick"], name
        assert found["machine"]["date"], name
        assert any(cell for cells in found["measured"]["rows"].values() for cell in cells), name
