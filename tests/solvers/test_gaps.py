"""Gaps are percentages of a positive reference; relative to an optimum of 0 or less they are lengths."""

from dataclasses import replace

import numpy as np

from commands.bound import _format_outcome as bound_sentences
from commands.report import format_run_result
from components.library.comparison_chart import RunCurve, format_result
from components.shell.numbers import THIN, format_gap
from data.gaps import gap_percent, gap_text
from exports.drawing.captions import describe_gap
from solvers import find
from tests.matrices import from_weights
from tests.tables import each_row


@each_row(
    ("length", "reference", "percent", "words", "signed"),
    [
        (110, 100, 10.0, "10.00 %", f"+10.0{THIN}%"),
        (99, 100, -1.0, "-1.00 %", f"\u22121.00{THIN}%"),
        (0, 0, 0.0, "0.00 %", f"+0.00{THIN}%"),
        (-3925, -3925, 0.0, "0.00 %", f"+0.00{THIN}%"),
        (12, 0, None, "12", "+12"),
        (-1795, -3925, None, "2,130", f"+2{THIN}130"),
        (-3926, -3925, None, "-1", "\u22121"),
    ],
)
def test_a_gap(length, reference, percent, words, signed):
    assert gap_percent(length, reference) == percent
    assert gap_percent(length, None) is None
    assert gap_text(length, reference) == words
    assert format_gap(length, reference) == signed


def negative_instance(optimum: int):
    weights = np.array([[0, -5, 9, 2], [-5, 0, 1, 7], [9, 1, 0, -8], [2, 7, -8, 0]], np.int32)
    instance = from_weights(weights, "signs")
    return replace(instance, optimum=optimum, proven=True)


def outcome(**more) -> dict:
    """The command line's output about a run or a bound."""
    run = {"evaluations_per_second": None, "evaluations": 1, "seconds": 1.0, "device": "a CPU", "seed": 1}
    return {"instance": "signs", "n": 4, "stop_reason": "completed", "iterations": 1, "proven": False, **run, **more}


def test_command_line_reports_the_difference():
    solver = find("two-opt")
    answer = format_run_result(outcome(length=-4, optimum=-10, gap_percent=None), solver, negative_instance(-10))
    assert "length -4 (6 above the optimum, -10)" in answer
    answer = format_run_result(outcome(length=0, optimum=0, gap_percent=0.0), solver, negative_instance(0))
    assert "length 0 (0.00 % above the optimum, 0)" in answer
    answer = format_run_result(
        outcome(length=0, optimum=None, gap_percent=None), solver, replace(negative_instance(0), optimum=None)
    )
    assert "(no optimum known)" in answer
    assert "the optimum, -10, is 2 above it" in bound_sentences(
        outcome(bound=-12, optimum=-10, gap_percent=None), negative_instance(-10)
    )
    assert "the optimum, 0 is as long" in bound_sentences(
        outcome(bound=0, optimum=0, gap_percent=0.0), negative_instance(0)
    )


def test_pictures_show_the_difference():
    assert describe_gap(-4, negative_instance(-10)) == "6 above optimal"
    assert describe_gap(-10, negative_instance(-10)) == describe_gap(0, negative_instance(0)) == "optimal"
    assert describe_gap(2, negative_instance(0)) == "2 above optimal"
    assert describe_gap(2, replace(negative_instance(0), optimum=None)) == ""


def test_comparison_of_runs_shows_the_difference():
    curve = RunCurve(np.zeros(1), np.array([-4]), 1.0, "signs", "", -10, True)
    assert not curve.gaps
    assert np.isnan(curve.gap()).all()
    assert format_result(curve, True) == "+6"
    assert format_result(curve._replace(optimum=-4), True) == "optimal"
    assert format_result(curve, False) == "\u22124"
