"""The recommended algorithm on the Watch page."""

import re

import pytest

from components.algorithm import recommending
from components.instances.references import menu_value

RANDOM = {"generate": "uniform", "n": 60, "seed": 5}


def ask(run_service, chosen="two-opt", proof=False, seconds=10.0, instance=None):
    question = {"instance": menu_value(instance or RANDOM), "seconds": seconds, "proof": proof}
    parts, algorithm, is_chosen = recommending.recommend_algorithm(run_service, question, chosen)
    return [getattr(part.children, "children", part.children) for part in parts], algorithm, is_chosen


def test_recommendation_names_an_algorithm_and_the_button_selects_it(run_service):
    (title, reason), algorithm, is_chosen = ask(run_service)
    assert title == "Lin-Kernighan with kicks"
    assert re.fullmatch(
        r"(Median gap|Gap) after 5\u202fs: \d\.\d\d\u202f% \(.* with 5\d cities\)\. Next: .*, .*%\.", reason
    )
    assert (algorithm, is_chosen) == ("lin-kernighan", False)
    assert ask(run_service, chosen="lin-kernighan")[2], "what is chosen needs no button"


def test_proof_is_recommended_by_a_proving_algorithm(run_service):
    (_, reason), algorithm, _ = ask(run_service, proof=True)
    assert algorithm == "branch-and-cut"
    assert reason.startswith("Proved tours optimal on instances with ")


def test_missing_proof_within_the_time_is_stated(run_service):
    (no, _, _), algorithm, _ = ask(run_service, proof=True, instance={"generate": "uniform", "n": 5000, "seed": 1})
    assert no == "As far as measured, no algorithm proved a tour of this many cities optimal in 10\u202fs."
    assert algorithm == "lin-kernighan"


@pytest.mark.parametrize("seconds", [None, "soon", 0])
def test_any_time_budget_gets_an_answer(run_service, seconds):
    assert ask(run_service, seconds=seconds)[1] == "lin-kernighan"


def test_missing_instance_has_no_recommendation(run_service):
    question = {"instance": menu_value({"name": "nowhere"}), "seconds": 1, "proof": False}
    assert recommending.recommend_algorithm(run_service, question, "two-opt") == ([], None, True)
