"""The sentences on missing runs, on runs that ended before their budget, and on identical runs."""

import math
from dataclasses import replace

import numpy as np
import pytest
import scipy  # which imports its statistics, a second of the processor, where a test needs them

from data.collection.resolve import load
from solvers.core.stop import Budget
from solvers.spec import RunSpec
from studies.export.latex import format_latex
from studies.file.reader import StudyReader
from studies.file.writer import StudyFile
from studies.pool.worker import compute_outcome
from studies.report.cautions import describe_seeds
from studies.report.sentences import describe_ranks, list_cautions
from studies.report.shortfalls import describe_missing, describe_repeated, describe_unused
from studies.report.terminal import format_gap, format_report
from studies.report.verdicts import list_verdicts
from studies.spec.matrix import are_random, prepare_entries
from studies.spec.plan import Plan
from studies.stats.compare import compare
from studies.stats.rank_test import sign_test
from studies.stats.ranks import rank_entries
from studies.stats.references import OPTIMUM, find_references
from tests.studies.small_study import tiny_study
from tests.studies.tables import ends, make_table

LOW, HIGH = list(range(1000, 1010)), list(range(1100, 1110))


def planned_study(table, seeds, failed=(), **budget):
    """The table of a study with this many seeds, in which some runs have failed."""
    shape = (len(table.instances.names), len(table.entries.labels))
    broken = np.zeros(shape, np.int64)
    for instance, entry, count in failed:
        broken[instance, entry] = count
    return replace(table, plan=Plan(np.full(shape, seeds), broken, Budget(**budget)))


def test_failed_runs_are_reported_with_entry_and_instance():
    table = planned_study(ends({(0, 0): [1, 2, 3, 4, 5], (0, 1): [6, 7]}), 5, [(0, 1, 3)])
    assert describe_missing(table) == (
        "B has 2 of 5 runs on i0, 3 failed. "
        "Runs that failed have no length, so they are in no median and in no comparison; for targets and "
        "expected running times they count as runs without success that used up their budget."
    )
    assert describe_missing(table) in list_cautions(table, find_references(table), compare(table))
    assert describe_missing(planned_study(ends({(0, 0): LOW}), 10)) == ""


def test_a_study_under_way_says_so():
    table = planned_study(ends({(0, 0): [1, 2], (0, 1): [6]}), 3)
    assert describe_missing(table) == "3 of 6 runs are not done: these results may change."


def test_missing_runs_on_other_instances_are_not_reported_for_one():
    table = planned_study(ends({(0, 0): [1], (0, 1): [2], (1, 0): [3], (2, 1): [4]}), 1, [(1, 1, 1)])
    assert describe_missing(table.take(table.runs.instance == 0)) == ""
    assert describe_missing(table.take(table.runs.instance == 1)).startswith("B has 0 of 1 runs on i1, 1 failed.")


def test_some_of_many_failures_are_named():
    samples = {(i, e): [1] for i in range(9) for e in range(2)}
    answer = describe_missing(planned_study(ends(samples), 2, [(i, 1, 1) for i in range(9)]))
    assert answer.count("failed") == 5 + 2
    assert "4 more have runs that failed" in answer


def end_runs(reasons, took, **budget):
    rows = [(0, 0, seed, total, [(0.01, 1000 + seed)]) for seed, total in enumerate(took, 1)]
    table = make_table(rows)
    return planned_study(replace(table, runs=replace(table.runs, stop_reason=np.array(reasons))), len(rows), **budget)


def test_unused_budgets_are_reported():
    table = end_runs(["completed", "completed", "time"], [0.17, 0.67, 1.0], seconds=1.0)
    answer = describe_unused(table)
    assert answer.startswith("A ended by itself in 2 of 3 runs, after 0.17 to 0.67 of 1 s")
    assert answer in list_cautions(table, find_references(table), compare(table))
    assert describe_unused(end_runs(["time"] * 2, [1.0, 1.0], seconds=1.0)) == ""
    assert describe_unused(end_runs(["completed"] * 2, [1.0, 1.0])) == "", "without a budget nothing is left of it"
    by_count = describe_unused(end_runs(["completed"], [0.5], evaluations=2000))
    assert "in 1 of 1 runs, after 50 of 2,000 evaluations" in by_count
    fixed_table = end_runs(["completed"], [0.1], seconds=1.0)
    assert describe_unused(replace(fixed_table, entries=replace(fixed_table.entries, random=(False,)))) == ""


def test_identical_length_of_every_seed_is_reported_unless_optimal():
    table = ends({(0, 0): [1100] * 3, (0, 1): [1000] * 3, (1, 0): [1200, 1300, 1400]}, optimum=(1000, 0))
    answer = describe_repeated(table, find_references(table))
    assert answer.startswith("Every seed gives the same length for A on i0: if it is deterministic")
    known = replace(table, entries=replace(table.entries, random=(False, True)))
    assert describe_repeated(known, find_references(known)) == ""


def fixed_table(samples, *chances):
    table = ends(samples)
    return replace(table, entries=replace(table.entries, random=chances))


def test_deterministic_entry_counts_as_one_number():
    some = [990, 1010, 1011, 1012, 1013, 1014, 1015, 1016, 1017, 1000]
    found = compare(fixed_table({(0, 0): [1000] * 10, (0, 1): some}, False, True))
    assert found.method.tolist() == ["sign"]
    assert found.p.tolist() == [pytest.approx(scipy.stats.binomtest(8, 9).pvalue)], "ties are dropped"
    assert found.p[0] == compare(fixed_table({(0, 0): some, (0, 1): [1000] * 10}, True, False)).p[0]
    assert compare(ends({(0, 0): [1000] * 10, (0, 1): some})).method.tolist() == ["permutation"]
    assert sign_test(np.array([5.0, 5.0]), 5.0) == 1
    assert sign_test(np.array([6.0, math.inf, 7.0, 8.0]), 5.0) == 2 / 2**4


def test_two_deterministic_entries_differ_certainly():
    found = compare(fixed_table({(0, 0): [1000] * 3, (0, 1): [1001] * 3, (0, 2): [1000] * 3}, False, False, False))
    assert found.method.tolist() == ["certain"] * 3
    assert found.p.tolist() == [0, 1, 0]
    assert list_verdicts(found)[0, 1].outcome == "better"


def test_runs_cut_by_a_clock_are_not_identical():
    found = compare(fixed_table({(0, 0): [1000, 1001, 1001], (0, 1): [1002, 1003, 1004]}, False, True))
    assert found.method.tolist() == ["permutation"]


def test_registry_lists_deterministic_algorithms():
    stages = {
        "greedy": [{"algorithm": "greedy"}],
        "exact": [{"algorithm": "held-karp"}],
        "ants": [{"algorithm": "ant-system"}],
        "both": [{"algorithm": "greedy"}, {"algorithm": "two-opt"}],
    }
    spec = tiny_study(entries=[{"label": label, "stages": each} for label, each in stages.items()])
    assert are_random(prepare_entries(spec)) == (False, False, True, True)
    greedy = [
        RunSpec.from_json({"v": 1, "instance": {"name": "gr17"}, "stages": stages["greedy"], "seed": k}) for k in (1, 2)
    ]
    assert len({compute_outcome(each, load("gr17")).tour for each in greedy}) == 1


def test_seeds_suffice_if_the_sign_test_can_show_something():
    eight = [1000 + k for k in range(1, 9)]
    table = fixed_table({(0, 0): [1000] * 8, (0, 1): eight}, False, True)
    assert describe_seeds(table, compare(table)) == ""
    table = table.take(table.runs.seed <= 5)
    assert compare(table).p[0] == 2 / 2**5
    assert "the lowest p that they can give is 0.062" in describe_seeds(table, compare(table))
    assert "It takes 6 seeds at least." in describe_seeds(table, compare(table))


def test_smallest_sample_is_reported():
    table = ends({(0, 0): LOW, (0, 1): HIGH, (1, 0): LOW, (1, 1): [1100]})
    assert describe_seeds(table, compare(table)).endswith("the fewest are the 1 of B on i1.")


def test_three_wins_each_give_no_winner():
    wins = {(i, e): (LOW, HIGH)[(e + i) % 2] for i in range(6) for e in range(2)}
    table = ends(wins)
    verdict = list_verdicts(compare(table))[0, 1]
    assert (verdict.outcome, verdict.wins, verdict.losses, verdict.a12) == ("split", 3, 3, 0.5)


def test_ranks_name_omitted_instances():
    table = ends({(0, 0): [1], (0, 1): [2], (0, 2): [3], (1, 0): [1], (1, 2): [2]})
    assert "Left out: i1 (no run of B)." in describe_ranks(table, rank_entries(table))


def test_single_entry_is_not_compared():
    table = ends({(0, 0): [1]})
    assert describe_ranks(table, rank_entries(table)) == ""
    assert "differs" not in describe_seeds(table, compare(table))
    assert "It takes" not in describe_seeds(table, compare(table))


def test_only_a_zero_gap_is_written_as_zero():
    assert [format_gap(gap) for gap in (0.0, 0.001, -0.001, 0.005)] == ["0.00", "<0.01", ">-0.01", "0.01"]


def test_medians_of_fewer_runs_are_marked(tmp_path):
    path, climbed = tmp_path / "some.tourstudy", compute_outcome(_climb(), load("burma14"))
    with StudyFile(path, tiny_study(seeds={"count": 5})) as file:
        file.finish(0, climbed, 1.0)
        file.finish(4, climbed, 1.0)
        file.finish(1, climbed, 1.0)
        file.fail(5, "It broke.")
    with StudyReader(path) as reader:
        out, latex = format_report(reader), format_latex(reader)
    row = next(line for line in out.splitlines() if line.startswith("burma14"))
    assert row.count("°") == 2
    assert "° of fewer runs than there are seeds." in out
    assert "random has 1 of 5 runs on burma14, 1 failed." in out
    assert "1 run of random on burma14 failed: It broke." in out
    assert "over 1 to 2 of 5 seeds" in latex


def _climb():
    stages = [{"algorithm": "two-opt", "params": {"climbers": 1}}]
    return RunSpec.from_json({"v": 1, "instance": {"name": "burma14"}, "stages": stages})


def test_proof_makes_the_reference_an_optimum(tmp_path):
    square = [[0, 0], [0, 50], [50, 50], [50, 0], [20, 70]]
    entries = [{"label": "exact", "stages": [{"algorithm": "held-karp"}]}]
    path, spec = tmp_path / "some.tourstudy", tiny_study(instances=[{"cities": square}], entries=entries)
    solved = compute_outcome(_climb(), load("burma14"))
    for proven, kind in ((False, "best of this study"), (True, OPTIMUM)):
        with StudyFile(path, spec) as file:
            file.finish(0, replace(solved, result={**solved.result, "proven": proven}), 1.0)
        with StudyReader(path) as reader:
            references = find_references(reader.table())
        assert (references.kind, references.length.tolist()) == ((kind,), [solved.result["length"]])
