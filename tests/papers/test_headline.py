"""The headline figures of ``docs/gpu.md`` are those of the committed results."""

import re
from pathlib import Path
from statistics import median

import pytest

from papers import cli, committed, headline

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "gpu.md"


def test_the_document_has_the_figures_of_the_committed_results():
    text = DOCUMENT.read_text()
    assert headline.replace_table(text) == text, "python -m papers headline --write docs/gpu.md"


@pytest.fixture
def clear_caches():
    """Clear the caches of results before and after the test."""
    committed.load.cache_clear()
    yield
    committed.load.cache_clear()


def test_other_results_change_the_table(clear_caches, monkeypatch, tmp_path, capsys):
    results = tmp_path / "results"
    results.mkdir()
    for file in committed.RESULTS.glob("*_h200.json"):
        results.joinpath(file.name).write_text(file.read_text().replace("NVIDIA H200", "NVIDIA H999"))
    monkeypatch.setattr(committed, "RESULTS", results)
    copy = tmp_path / "gpu.md"
    copy.write_text(DOCUMENT.read_text())
    assert cli.main(["headline", "--write", str(copy)]) == 0
    assert copy.read_text() != DOCUMENT.read_text()
    assert copy.read_text().count("H999") == len([*headline.build_rows()])
    assert cli.main(["headline"]) == 0
    assert "kroA100" in capsys.readouterr().out


def test_a_time_is_the_median_of_its_samples():
    (row,) = (row for row in headline.build_rows() if row.work.endswith("bayg29"))
    found = committed.find_entry(committed.HELD_KARP, "optima", way="cuda", instance="bayg29", item=2)
    assert float(row.ours.split()[0]) == pytest.approx(median(found["milliseconds"]), abs=0.005)


def test_text_without_its_marks_is_refused():
    with pytest.raises(ValueError, match="lacks"):
        headline.replace_table("# Nothing")


def test_figures_are_drawn_from_every_paper_with_figures(capsys):
    assert cli.main(["pick", "--count", "25", "--seed", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) >= 25
    assert {line.partition("/")[0] for line in lines} == {"utne-hansen", "uchida", "qin-han", "bitner"}
    assert len(set(lines)) == len(lines)
    assert all(re.search(r" = [\d,.]+( \S+)?$", line) for line in lines)
    assert cli.draw_figures(25, 3) == lines
    assert cli.draw_figures(25, 4) != lines
