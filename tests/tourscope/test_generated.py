"""The modules that say again what the program declares say what it declares today."""

from pathlib import Path

from solvers import SOLVERS
from tests.tourscope import generate

PACKAGE = generate.ROOT / "tourscope"
ADVICE = "python tests/tourscope/generate.py writes it anew"


def test_the_classes_are_those_of_the_registry():
    assert Path(PACKAGE / "algorithm_classes.py").read_text(encoding="utf-8") == generate.algorithms(), ADVICE


def test_the_events_are_those_of_the_program():
    assert Path(PACKAGE / "events.py").read_text(encoding="utf-8") == generate.events(), ADVICE


def test_the_defaults_pass_the_checks_of_the_program():
    from tourscope import algorithms

    for solver in SOLVERS:
        stage = algorithms()[solver.name]().to_json()
        assert solver.params.from_mapping(stage["params"]) == solver.params()
