"""What is said of each result: for every entry, in whole sentences, with figures of committed results alone."""

import re

import pytest

from papers import committed, runs
from papers.catalogue import SHOWN, address, entries
from papers.findings import finding, of_paper
from solvers.run import prepare

EACH = pytest.mark.parametrize(("paper", "entry"), entries(), ids=[address(*each) for each in entries()])
#: A figure of results comes with its card and the date.
CARD = re.compile(r"(H200|EPYC), 2026-\d\d-\d\d")


@EACH
def test_an_entry_has_a_finding_in_sentences(paper, entry):
    words = finding(paper.id, entry.id)
    assert words[0].isupper() or words[0].isdigit()
    assert words.endswith(".")
    assert "  " not in words
    assert "{" not in words
    assert "nan" not in words.split()


def test_no_finding_is_of_an_entry_that_there_is_not():
    for paper in SHOWN:
        assert set(of_paper(paper.id)) == {entry.id for entry in paper.entries}


def test_most_findings_say_what_was_measured_and_on_what():
    without = {address(*each) for each in entries() if not CARD.search(finding(each[0].id, each[1].id))}
    assert without == {
        "utne-hansen/table-1", "utne-hansen/figure-7", "utne-hansen/figure-8", "utne-hansen/accuracy-berlin52",
        "utne-hansen/figure-10", "utne-hansen/table-3", "utne-hansen/figure-13", "utne-hansen/figure-14",
    }  # fmt: skip


def test_a_finding_follows_the_results(monkeypatch):
    before = finding("uchida", "table-iii")
    phase = committed.phase
    monkeypatch.setattr("papers.findings.uchida.phase", lambda *of: 1000 * phase(*of))
    assert finding("uchida", "table-iii") != before


def test_625_moves_are_less_than_a_scan():
    assert 625 < 41 * 40 // 2 == 820
    assert "820 moves" in finding("utne-hansen", "figure-7")


@pytest.mark.parametrize("entry", [entry for _, entry in entries() if entry.run], ids=lambda entry: entry.id)
def test_a_run_is_on_one_core_and_can_be_linked(entry):
    spec = runs.spec(entry.run)
    assert type(spec).from_query(spec.to_query()) == spec
    assert prepare(spec).stages[0][1].variant == "sequential"


def test_the_three_sequential_algorithms_are_runs():
    assert [entry.run for _, entry in entries() if entry.run] == ["two-opt", "ant-system", "simulated-annealing"]
