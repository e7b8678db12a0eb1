"""The sentences on a study's results and their limits."""

from dataclasses import replace

import numpy as np

from solvers.core.stop import Budget
from studies.report.cautions import (
    describe_coverage,
    describe_devices,
    describe_grid,
    describe_references,
    describe_seeds,
)
from studies.report.sentences import describe_ranks, list_cautions
from studies.report.verdicts import list_verdicts
from studies.spec.plan import Plan
from studies.stats.axes import make_grid
from studies.stats.compare import compare
from studies.stats.ranks import rank_entries
from studies.stats.references import find_references
from tests.studies.tables import ends, make_table
from tests.tables import each_row

LOW, HIGH = list(range(1000, 1010)), list(range(1100, 1110))


def seeds(samples):
    table = ends(samples)
    return describe_seeds(table, compare(table))


def test_too_few_seeds_are_reported_with_their_smallest_p():
    assert seeds({(0, 0): [1], (0, 1): [2]}) == (
        "One seed proves nothing: what differs may be chance alone. It takes 4 seeds at least."
    )
    assert seeds({(0, 0): [1]}).startswith("One seed proves nothing")
    three = seeds({(0, 0): [1, 2, 3], (0, 1): [4, 5, 6]})
    assert three.startswith("3 seeds are too few to show any difference, however large: the lowest p")
    assert "is 0.1, and less than 0.05 is needed. It takes 4 seeds" in three
    many = seeds({(i, e): [1, 2, 3, 4, 5] for i in range(30) for e in range(2)})
    assert "0.0079, 0.24 when corrected for 30 comparisons, and less than 0.05 is needed. It takes 7 seeds" in many
    assert seeds({(0, 0): [1, 2, 3, 4], (0, 1): [5, 6, 7, 8]}) == ""
    assert seeds({(0, 0): LOW}) == ""


@each_row("runs", [4, 5, 7])
def test_sufficient_seeds_can_show_a_difference(runs):
    instances = {4: 1, 5: 6, 7: 30}[runs]
    table = ends({(i, e): list(range(100 * e + 1, 100 * e + 1 + runs)) for i in range(instances) for e in range(2)})
    found = compare(table)
    assert describe_seeds(table, found) == ""
    assert list_verdicts(found)[0, 1].wins == instances
    fewer = table.take(table.runs.seed < runs)
    assert f"It takes {runs} seeds at least." in describe_seeds(fewer, compare(fewer))
    assert list_verdicts(compare(fewer))[0, 1].outcome == "none"


def test_running_study_reports_the_seeds_for_all_comparisons():
    table = ends({(i, e): [1 + e] for i in range(3) for e in range(2)} | {(0, 2): [3]})
    assert describe_seeds(table, compare(table)).endswith("It takes 5 seeds at least.")
    planned = replace(table, plan=Plan(np.full((3, 3), 3), np.zeros((3, 3), int), Budget(seconds=1)))
    assert describe_seeds(planned, compare(planned)).endswith("It takes 6 seeds at least.")
    failed = replace(table, plan=replace(planned.plan, failed=np.array([[0] * 3, [0, 0, 3], [0, 0, 3]])))
    assert describe_seeds(failed, compare(failed)).endswith("It takes 5 seeds at least.")


def test_gaps_against_unproven_references_are_reported():
    samples = {(i, 0): [1200] for i in range(4)}
    table = ends(samples, optimum=(1000, 1000, 0, 0), proven=[True, False, False, False])
    assert describe_references(table, find_references(table)) == (
        "Gaps of i1 are measured from the best tour known, which is not proven to be the shortest. "
        "Gaps of i2 and i3 are measured from the best tour of this study, so 0 % means "
        "the best here and proves nothing."
    )
    proven = table.take(table.runs.instance == 0)
    assert describe_references(proven, find_references(table)) == ""


def test_missing_runs_and_other_devices_are_reported():
    table = ends({(0, 0): [1], (1, 0): [1], (0, 1): [1]})
    assert "all 2 instances (B on 1), so curves" in describe_coverage(table)
    assert describe_coverage(table.take(table.runs.instance == 0)) == ""
    assert describe_devices(table) == ""
    table.runs.device[0] = "gpu"
    assert describe_devices(table).endswith("runs were on cpu and gpu.")


def test_thinned_curve_is_reported():
    table = make_table([(0, 0, 1, 3000.0, [(float(k), 3000 - k) for k in range(1, 2000)])])
    assert describe_grid(make_grid(table, "seconds", 100)) == "Drawn at 100 of 2,000 points where it may change."
    assert describe_grid(make_grid(table, "seconds", 2000)) == ""


def test_ranks_are_reported_best_first():
    ordered = ends({(i, e): [1100 - e] for i in range(8) for e in range(3)})
    answer = describe_ranks(ordered, rank_entries(ordered))
    assert answer == (
        "Average ranks over 8 instances: C 1.00, B 2.00 and A 3.00. They differ by Friedman's test (p < 0.001), "
        "any two that are 1.17 apart by Nemenyi's."
    )
    turned = ends({(i, e): [1000 + (i + e) % 3] for i in range(3) for e in range(3)})
    assert describe_ranks(turned, rank_entries(turned)).endswith("Friedman's test shows no difference (p = 1).")
    two = ends({(0, 0): [1], (0, 1): [2]})
    assert describe_ranks(two, rank_entries(two)).startswith("Average ranks over 1 instance: A 1.00 and B 2.00. Ranks")
    apart = ends({(0, 0): [1], (1, 1): [2]})
    assert describe_ranks(apart, rank_entries(apart)).startswith("No instance has runs of every entry")


def test_few_seeds_against_a_deterministic_algorithm_are_reported():
    """Seven seeds suffice for two random entries on three instances, but not for the sign test."""
    some = [list(range(1000 + 100 * entry, 1007 + 100 * entry)) for entry in range(2)]
    table = ends({(i, e): [*some, [1300] * 7][e] for i in range(3) for e in range(3)})
    table = replace(table, entries=replace(table.entries, random=(True, True, False)))
    found = list_verdicts(compare(table))
    assert (found[0, 1].outcome, found[0, 2].outcome) == ("better", "none")
    assert describe_seeds(table, compare(table)) == (
        "7 seeds are too few to show a difference from a deterministic algorithm, however large. It takes 8 seeds "
        "at least."
    )


def test_cautions_of_a_study():
    table = ends({(0, 0): [1, 2], (0, 1): [3, 4], (0, 2): [1, 2]}, optimum=(0,))
    answer = list_cautions(table, find_references(table), compare(table))
    assert [sentence.split(" ", 2)[:2] for sentence in answer] == [["2", "seeds"], ["Gaps", "of"]]
    everything = ends({(0, 0): LOW, (0, 1): HIGH})
    assert list_cautions(everything, find_references(everything), compare(everything)) == []
    assert np.isnan(rank_entries(everything).p)
