"""The page of reference solvers shows the measured values, and adapters refuse inputs that a package got wrong."""

import json
from pathlib import Path

from benchmarks.packages import reference
from benchmarks.packages.contracts import PACKAGES
from solvers import SOLVERS
from tests.tables import each_row

ROOT = Path(__file__).resolve().parents[2]
RESULTS = json.loads((ROOT / "benchmarks" / "results" / "reference_solvers.json").read_text("utf-8"))
PAGE = ROOT / "docs" / "reference-solvers.md"
ADAPTERS = {solver.package.distribution: solver for solver in SOLVERS if solver.family == "reference"}


def test_page_shows_the_measured_results():
    assert list(RESULTS["packages"]) == list(PACKAGES)
    assert len(reference.ROWS) >= 8
    assert PAGE.read_text("utf-8") == reference.format_page(RESULTS), "python -m benchmarks reference --markdown"
    for measured in RESULTS["packages"].values():
        timed = {f"time {n} {limit}" for n, limit in reference.TIMED}
        assert set(measured["answers"]) == timed | set(reference.ASKED)


@each_row("name", [name for name, (package, *_) in PACKAGES.items() if package in ADAPTERS])
def test_adapter_refuses_instances_that_its_package_solves_wrongly(name):
    answers, solver = RESULTS["packages"][name]["answers"], ADAPTERS[PACKAGES[name][0]]
    right = {question for question in reference.ASKED if answers[question].get("tour") == "optimal"}
    assert solver.package.negative == ("negative" in right)
    assert any(variant.directed for variant in solver.variants) == ("directed" in right)
    powers = [power for power in reference.POWERS if 10**power <= solver.package.largest]
    assert {f"largest {power}" for power in powers} <= right
    assert {"few 3", "equal 0", "equal 7", "duplicates"} <= right


GOOD = {"tour": "optimal"}


@each_row(
    ("row", "answers", "cell"),
    [
        ("negative distances", {"negative": GOOD}, "right"),
        ("negative distances", {"negative": {"tour": "worse"}}, "worse"),
        ("negative distances", {"negative": {"tour": "no tour"}}, "no tour"),
        ("negative distances", {"negative": {"error": "ValueError: x"}}, "refused"),
        ("negative distances", {"negative": {"error": "its process ended"}}, "its process ended"),
        ("all distances 0, or 7", {"equal 0": GOOD, "equal 7": {"tour": "worse"}}, "right, worse"),
        ("fractional distances", {"fractions": {"fractions": "cut"}}, "cut"),
        ("fractional distances", {"fractions": {"error": "TypeError: x"}}, "refused"),
        ("time taken: limit 1 s, 10 cities", {"time 10 1": [{"seconds": 1}, {"seconds": 9}, {"seconds": 1.04}]}, "1 s"),
        ("time taken: limit 1 s, 10 cities", {"time 10 1": [{"error": "no answer in 9 s"}]}, "no answer in 9 s"),
    ],
)
def test_cell_describes_an_answer(row, answers, cell):
    assert reference.ROWS[row]("PyVRP", answers) == cell


def test_largest_distance_is_the_last_before_a_fault():
    answers = {f"largest {power}": GOOD for power in reference.POWERS}
    row = reference.ROWS["largest distance"]
    assert row("PyVRP", answers) == "10^18"
    assert row("PyVRP", {**answers, "largest 7": {"tour": "worse"}}) == "10^6, then worse"
