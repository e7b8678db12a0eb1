"""Lengths that must not change unnoticed, for every solver."""

import json
from pathlib import Path

import pytest

from data.collection.resolve import load
from solvers import SOLVERS
from solvers.core.solver import is_exact
from tests.shortened import shorten
from tests.solver_runs import collect_events, make_spec

_SMALL = ("burma14", "ulysses16", "gr17", "gr21")
#: Of all kinds of distances, what `make test` asks each algorithm for.
_SHORT = ("berlin52", "ulysses16", "burma14", "gr17")
_SIZES = ("berlin52", "kroA100", "swiss42", "ulysses16", "att532")
GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text(encoding="ascii"))


@pytest.mark.parametrize(
    "entry",
    shorten(GOLDEN, lambda entry: entry["instance"] in _SHORT),
    ids=lambda entry: f"{entry['algorithm']}-{entry['instance']}",
)
def test_length_matches_the_golden_one(entry):
    spec = make_spec(entry["algorithm"], entry["seed"], **entry["params"])
    end = collect_events(load(entry["instance"]), spec)[-1]
    assert (end.length, end.evaluations) == (entry["length"], entry["evaluations"])


def test_every_solver_has_golden_lengths():
    answer = {(entry["algorithm"], entry["instance"]) for entry in GOLDEN}
    for solver in (solver for solver in SOLVERS if solver.family != "reference"):  # their time limits decide
        for instance in _SMALL if is_exact(solver) else _SIZES:
            assert (solver.name, instance) in answer


def test_order_of_the_file_has_the_tsplib_length():
    # Reinelt, "TSPLIB 95", section 2: lengths of the tours 1, 2, ..., n by which a reader can check its distances
    assert next(e["length"] for e in GOLDEN if (e["algorithm"], e["instance"]) == ("given", "att532")) == 309636


@pytest.mark.long
def test_two_opt_matches_its_papers():
    optimum = load("kroA100").optimum
    lengths = [
        collect_events(load("kroA100"), make_spec("two-opt", seed, climbers=1000))[-1].length for seed in range(1, 6)
    ]
    assert sum(lengths) / len(lengths) <= 1.015 * optimum
    assert min(lengths) >= optimum
