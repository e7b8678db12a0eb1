"""The recommended algorithm, and the table behind it."""

import json

import pytest

from solvers import find
from solvers.solver import is_exact
from studies.file.reader import StudyReader
from studies.recommendation import ALIKE, TABLE, read_table, recommend
from studies.recommendation.table import build_table
from studies.spec.matrix import prepare_entries
from studies.spec.spec import StudySpec
from tests.studies.made_up import made_up

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


@pytest.mark.parametrize(
    ("n", "directed", "seconds", "algorithm", "gap", "instances"),
    [
        (100, False, 1, "two-opt", 4.5, 2),  # greedy has 8, and tabu search was measured on one of them only
        (120, False, 0.1, "two-opt", 4.5, 2),
        (100, False, 7, "two-opt", 2.0, 1),
        (10**6, False, 1, "greedy", 8.0, 1),
        (2, True, 60, "greedy", 3.0, 1),
    ],
)
def test_the_least_median_of_the_most_similar_instances_counts(n, directed, seconds, algorithm, gap, instances):
    found = recommend(n, directed, seconds, proof=False, table=MADE)
    assert (found.algorithm, found.gap, found.instances, found.proves) == (algorithm, gap, instances, False)


def test_a_proof_is_the_fastest_of_instances_with_at_least_as_many_cities():
    assert recommend(9, False, 1, proof=True, table=MADE).algorithm == "held-karp"
    found = recommend(11, False, 5, proof=True, table=MADE)
    assert (found.algorithm, found.n, found.seconds, found.instances) == ("branch-and-cut", 50, 5.0, 2)
    assert not recommend(11, False, 4, proof=True, table=MADE).proves, "one of both took longer"
    assert not recommend(51, False, 99, proof=True, table=MADE).proves
    assert not recommend(9, True, 99, proof=True, table=MADE).proves


def test_the_shipped_table_has_all_that_is_recommended():
    table = read_table()
    for row in table["runs"]:
        assert all(find(name).listed for name in row["gaps"])
        found = recommend(row["n"], row["directed"], row["seconds"], proof=False)
        assert abs(found.n / row["n"] - 1) < 2 * ALIKE
        assert found.second
    assert {name for row in table["proofs"] for name in row["seconds"]} == {"held-karp", "branch-and-cut"}
    assert {row["seconds"] for row in table["runs"]} == {1, 5}


@pytest.mark.parametrize("name", ["one-second", "five-seconds", "proofs"])
def test_the_studies_behind_the_table_can_be_run(name):
    spec = StudySpec.from_json(json.loads((TABLE.parent / f"{name}.json").read_text()))
    assert prepare_entries(spec)
    assert all(is_exact(find(entry.stages[0].algorithm)) for entry in spec.entries) == (name == "proofs")


def test_the_table_of_a_study_has_gaps_to_the_shortest_tour_of_all(tmp_path):
    path = made_up(tmp_path / "study.tourstudy", instances=2, seeds=1)
    with StudyReader(path) as study:
        lengths = [result["length"] for _, result in study.results()]
    table = build_table([path])
    assert table["proofs"] == []
    first, second = table["runs"]
    assert {name: first[name] for name in ("directed", "n", "seconds")} == {"directed": False, "n": 50, "seconds": 1}
    assert min(first["gaps"].values()) == min(second["gaps"].values()) == 0
    assert max(first["gaps"].values()) == pytest.approx(100 * (max(lengths[:5]) / min(lengths[:5]) - 1), abs=1e-4)
