"""The declarations in the Python interface match the program's."""

from pathlib import Path

from solvers import SOLVERS
from tests.tourscope import generate

PACKAGE = generate.ROOT / "tourscope"
ADVICE = "python tests/tourscope/generate.py writes it anew"


def test_classes_match_the_registry():
    for name, text in (("algorithms.json", generate.declared_algorithms()), ("algorithm_classes.pyi", generate.stub())):
        assert Path(PACKAGE / name).read_text(encoding="utf-8") == text, ADVICE


def test_events_match_the_program():
    from solvers.core import events as declared
    from tourscope import events

    assert events.__file__ == declared.__file__
    assert issubclass(events.Finished, events.Event)
    assert not issubclass(events.Finished, declared.Event), "nothing of the program is imported"


def test_defaults_pass_the_programs_checks():
    from tourscope import algorithms

    for solver in SOLVERS:
        stage = algorithms()[solver.name]().to_json()
        assert solver.params.from_mapping(stage["params"]) == solver.params()
