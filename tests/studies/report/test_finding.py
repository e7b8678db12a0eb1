"""The finding of a study in a sentence or two, supported by its ranks, gaps and comparisons."""

from dataclasses import replace

import numpy as np

from solvers.core.stop import Budget
from studies.file.reader import StudyReader
from studies.report.finding import describe_study_finding
from studies.report.summary import study_to_json
from studies.report.terminal import format_report
from studies.spec.plan import Plan
from tests.studies.made_up import write_study
from tests.studies.tables import ends
from tests.tables import each_row

#: Ten runs each, of median gap 0.45 %, 10.45 % and 0.55 % where the optimum is 1,000.
LOW, HIGH, NEAR = list(range(1000, 1010)), list(range(1100, 1110)), list(range(1001, 1011))
AHEAD = "A has the shortest tours on {}: median gap 0.45 %, before B with 10.45 %."
RANDOM = (True, True)


def make_finding(samples, random=RANDOM, **about):
    table = ends(samples, **about)
    return describe_study_finding(replace(table, entries=replace(table.entries, random=random)))


@each_row(
    ("samples", "expected"),
    [
        ({(0, 0): LOW, (0, 1): HIGH}, f"{AHEAD.format('i0')} The difference is significant (p < 0.05)."),
        (
            {(i, e): [LOW, HIGH][e] for i in range(3) for e in range(2)},
            f"{AHEAD.format('3 instances')} The difference is significant on 3 of 3 instances.",
        ),
        (
            {(0, 0): LOW, (0, 1): HIGH, (1, 0): LOW, (1, 1): NEAR},
            "A has the shortest tours on 2 instances: median gap 0.45 %, before B with 5.50 %. "
            "The difference is significant on 1 of 2 instances.",
        ),
        (
            {(0, 0): LOW, (0, 1): NEAR},
            "A has the shortest tours on i0: median gap 0.45 %, before B with 0.55 %. "
            "That may be chance: the difference is not significant.",
        ),
        (
            {(0, 0): LOW, (0, 1): HIGH, (1, 0): HIGH, (1, 1): LOW, (2, 0): LOW, (2, 1): HIGH},
            "A ranks best on average on 3 instances: 1.33, before B with 1.67. "
            "Its tours are significantly shorter on 2 of 3 instances, and longer on 1.",
        ),
    ],
)  # fmt: skip
def test_best_entry_is_named_with_its_significance(samples, expected):
    assert make_finding(samples) == expected


def test_difference_on_some_instances_is_reported_with_the_overall_test():
    worst = [length + 100 for length in HIGH]
    rows = [(LOW, HIGH, worst), (LOW, worst, HIGH), (HIGH, LOW, worst)]
    answer = make_finding(
        {(i, e): each for i, row in enumerate(rows) for e, each in enumerate(row)}, random=(True,) * 3
    )
    assert answer.endswith(
        "shorter on 2 of 3 instances, and longer on 1. "
        "Over all instances together, Friedman's test shows no difference (p = 0.26)."
    )


@each_row("runs", [1, 2, 3])
def test_too_few_seeds_show_nothing(runs):
    answer = make_finding({(0, 0): LOW[:runs], (0, 1): HIGH[:runs]})
    assert answer.startswith("A has the shortest tours on i0: median gap ")
    assert answer.endswith(" %. The seeds are too few to show whether that is more than chance.")


def test_equal_entries_are_not_ranked():
    assert make_finding({(0, 0): [1000] * 5, (0, 1): [1000] * 5}) == (
        "All runs of A and B end with tours of the same length on i0."
    )
    assert make_finding({(0, 0): [1000, 1001, 1009], (0, 1): [1000, 1001, 1001]}) == (
        "No entry comes first on i0: A and B share the best average rank."
    )
    third = {(0, 0): [1000] * 5, (0, 1): [1100] * 5, (0, 2): [1000] * 5}
    assert make_finding(third, (True,) * 3) == "All runs of A and C end with tours of the same length on i0."


def test_difference_of_deterministic_entries_is_certain():
    samples = {(0, 0): [1010] * 2, (0, 1): [1020] * 2}
    certain = "before B with 2.00 %. Both are deterministic: chance has no part in it."
    assert make_finding(samples, (False, False)).endswith(certain)
    assert "too few" in make_finding(samples, (True, False))


def test_gaps_name_their_reference_and_never_read_as_equal():
    unknown = make_finding({(0, 0): LOW, (0, 1): HIGH}, optimum=(0,))
    assert "A has the shortest tours on i0: median gap to the best tour of this study 0.45 %, before B" in unknown
    proven = {(0, 0): [10**6] * 9, (0, 1): [10**6 + 1] * 9}
    assert "median gap 0 %, before B with 0.0001 %." in make_finding(proven, optimum=(10**6,))
    close = {(0, 0): [10**6 + 40_000] * 9, (0, 1): [10**6 + 40_001] * 9}
    assert make_finding(close, optimum=(10**6,)).startswith(
        "A has the shortest tours on i0, before B. The difference is"
    )


def test_only_instances_with_runs_of_every_entry_count():
    samples = {(0, 0): LOW, (0, 1): HIGH, (1, 0): LOW}
    assert make_finding(samples).startswith(
        AHEAD.format("i0, the only instance that every entry has runs of").rpartition(":")[0]
    )
    samples |= {(2, 0): LOW, (2, 1): HIGH}
    answer = make_finding(samples)
    assert answer.startswith(
        "A has the shortest tours on the 2 of 3 instances that every entry has runs of: median gap"
    )
    assert answer.endswith("The difference is significant on 2 of 2 instances.")


def test_nothing_is_stated_without_results():
    assert make_finding({(0, 0): LOW}, (True,)) == ""
    assert make_finding({(0, 0): LOW, (1, 1): HIGH}) == ""
    table = ends({(0, 0): LOW, (0, 1): HIGH})
    plan = Plan(np.array([[10, 11]]), np.array([[0, 0]]), Budget(seconds=1))
    assert describe_study_finding(replace(table, plan=plan)) == ""  # a run is to come
    assert describe_study_finding(replace(table, plan=replace(plan, failed=np.array([[0, 1]])))).startswith("A has")
    no_tour = ends({(0, 0): [1000] * 3, (0, 1): [1000] * 3})
    none = replace(
        no_tour,
        runs=replace(no_tour.runs, length=np.zeros(6, np.int64)),
        logs=replace(
            no_tour.logs, offsets=np.zeros(7, np.int64),
            **{axis: getattr(no_tour.logs, axis)[:0] for axis in ("seconds", "evaluations", "iterations", "length")},
        ),
    )  # fmt: skip
    assert describe_study_finding(none) == ""


def test_command_line_report_has_the_finding(tmp_path):
    with StudyReader(write_study(tmp_path / "s.tourstudy", instances=3, improvements=20)) as reader:
        finding = describe_study_finding(reader.table())
        assert finding.startswith("two-opt has the ")
        assert finding in format_report(reader).splitlines()
        assert study_to_json(reader)["finding"] == finding
