"""The recommended algorithm, and the table behind it."""

from types import SimpleNamespace

import pytest

from solvers import find
from studies.cli.main import main
from studies.recommendation import ALIKE, measuring, read_table, recommend
from tests.tables import each_row

MADE = {
    "runs": [
        {"directed": False, "n": 100, "seconds": 1, "gaps": {"greedy": 9.0, "two-opt": 4.0}},
        {"directed": False, "n": 105, "seconds": 1, "gaps": {"greedy": 7.0, "two-opt": 5.0, "tabu-search": 0.0}},
        {"directed": False, "n": 100, "seconds": 5, "gaps": {"greedy": 9.0, "two-opt": 2.0}},
        {"directed": False, "n": 9000, "seconds": 1, "gaps": {"greedy": 8.0, "two-opt": 11.0}},
        {"directed": True, "n": 100, "seconds": 1, "gaps": {"greedy": 3.0}},
    ],
    "proofs": [
        {"directed": False, "n": 10, "seconds": {"held-karp": 0.1, "branch-and-cut": 0.2}},
        {"directed": False, "n": 50, "seconds": {"branch-and-cut": 3.0}},
        {"directed": False, "n": 50, "seconds": {"branch-and-cut": 5.0}},
    ],
}


@each_row(
    ("n", "directed", "seconds", "algorithm", "gap", "instances"),
    [
        (100, False, 1, "two-opt", 4.5, 2),  # greedy has 8, and tabu search was measured on one of them only
        (120, False, 0.1, "two-opt", 4.5, 2),
        (100, False, 7, "two-opt", 2.0, 1),
        (10**6, False, 1, "greedy", 8.0, 1),
        (2, True, 60, "greedy", 3.0, 1),
    ],
)
def test_smallest_median_of_the_most_similar_instances_decides(n, directed, seconds, algorithm, gap, instances):
    found = recommend(n, directed, seconds, proof=False, table=MADE)
    assert (found.algorithm, found.gap, found.instances, found.proves) == (algorithm, gap, instances, False)


def test_proof_is_the_fastest_on_instances_with_at_least_as_many_cities():
    assert recommend(9, False, 1, proof=True, table=MADE).algorithm == "held-karp"
    found = recommend(11, False, 5, proof=True, table=MADE)
    assert (found.algorithm, found.n, found.seconds, found.instances) == ("branch-and-cut", 50, 5.0, 2)
    assert not recommend(11, False, 4, proof=True, table=MADE).proves, "one of both took longer"
    assert not recommend(51, False, 99, proof=True, table=MADE).proves
    assert not recommend(9, True, 99, proof=True, table=MADE).proves


def test_shipped_table_covers_all_recommendations():
    table = read_table()
    for row in table["runs"]:
        assert all(find(name).listed for name in row["gaps"])
        found = recommend(row["n"], row["directed"], row["seconds"], proof=False)
        assert abs(found.n / row["n"] - 1) < 2 * ALIKE
        assert found.second
    assert {name for row in table["proofs"] for name in row["seconds"]} == {"held-karp", "branch-and-cut"}
    assert {row["seconds"] for row in table["runs"]} == {1, 5}


def test_each_instance_is_measured_with_supporting_algorithms():
    solvers = [find(name) for name in ("greedy", "two-opt", "held-karp")]
    assert measuring._find_accepting_solvers({"name": "burma14"}, solvers) == ("greedy", "two-opt", "held-karp")
    assert measuring._find_accepting_solvers({"generate": "directed", "n": 60, "seed": 1}, solvers) == (
        "greedy",
        "two-opt",
    )


@pytest.mark.slow
def test_row_has_the_lengths_of_all_and_the_seconds_of_proofs(work_here, monkeypatch):
    monkeypatch.setattr(measuring, "subprocess", SimpleNamespace(run=lambda words, check: main(map(str, words[3:]))))
    [row] = measuring.measure([{"name": "burma14"}], [find("greedy"), find("held-karp")], 5)
    assert (row["n"], row["directed"], row["optimum"], row["limit"]) == (14, False, 3323, 5)
    assert row["lengths"]["held-karp"] == 3323 <= row["lengths"]["greedy"]
    assert set(row["proofs"]) == {"held-karp"}


def test_gaps_refer_to_the_shortest_tour_of_all_limits(monkeypatch):
    def measure(references, solvers, seconds):
        lengths = {"greedy": 120, "two-opt": 110 if seconds < 5 else 100}
        about = {"instance": {"name": "x"}, "n": 9, "directed": False, "optimum": None, "limit": seconds}
        return [{**about, "lengths": lengths, "proofs": {"held-karp": 0.5}}]

    monkeypatch.setattr(measuring, "measure", measure)
    table = measuring.measure_table()
    assert [row["gaps"] for row in table["runs"]] == [
        {"greedy": 20.0, "two-opt": 10.0},
        {"greedy": 20.0, "two-opt": 0.0},
    ]
    assert table["proofs"] == [{"directed": False, "n": 9, "seconds": {"held-karp": 0.5}}]
