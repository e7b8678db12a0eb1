"""The message about an unknown name: one sentence with the likely name and the available ones."""

from data.collection.listing import bundled_files
from data.suggest import describe_unknown, find_similar, join_names
from solvers import SOLVERS
from tests.tables import each_row

ALGORITHMS = [solver.name for solver in SOLVERS if solver.listed]


@each_row(
    ("typed", "meant"),
    [
        ("twoopt", ["two-opt"]), ("2-opt", ["two-opt"]), ("TWO-OPT", ["two-opt"]), ("heldkarp", ["held-karp"]),
        ("max-min", ["max-min-ant-system"]), ("neighbour", ["nearest-neighbour"]), ("xyz", []), ("", []), (None, []),
    ],
)  # fmt: skip
def test_suggested_algorithm(typed, meant):
    assert find_similar(typed, ALGORITHMS) == meant


def test_suggested_instance():
    assert find_similar("KROA200", bundled_files()) == ["kroA200"]
    assert find_similar("berlin51", bundled_files()) == ["berlin52"]
    assert len(find_similar("kro100", bundled_files())) == 3
    assert find_similar("gpu", ["auto", "cpu", "cuda"]) == []  # two letters of three prove nothing


def test_sentence_of_a_suggestion():
    assert describe_unknown("algorithm", "twoopt", ["two-opt", "greedy"]) == (
        'Unknown algorithm "twoopt"; did you mean two-opt? The algorithms are two-opt and greedy.'
    )
    devices = 'Unknown device "gpu"; the devices are auto, cpu and cuda.'
    assert describe_unknown("device", "gpu", ["auto", "cpu", "cuda"]) == devices
    assert describe_unknown("city", "Depo", ["Depot", "Mill"]).endswith(
        "did you mean Depot? The cities are Depot and Mill."
    )
    assert describe_unknown("key", "x", ["a", "b"]).endswith("the keys are a and b.")
    assert describe_unknown("option", "--sed", ["--ants"], ["--seed"]) == 'Unknown option "--sed"; did you mean --seed?'
    many = [f"name{k}" for k in range(100)]
    assert describe_unknown("instance", "other", many) == 'Unknown instance "other".'
    assert describe_unknown("instance", "a\n\u202eb", []) == 'Unknown instance "a\\n\\u202eb".'
    assert len(describe_unknown("field", "x" * 1000, [])) < 110
    assert join_names(["a", "b", "c"], "or") == "a, b or c"
