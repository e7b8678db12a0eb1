"""What is said of a study: what it shows, what it does not, and what it cannot."""

import numpy as np
import pytest

from studies.report.cautions import (
    coverage_in_words,
    devices_in_words,
    grid_in_words,
    references_in_words,
    seeds_in_words,
)
from studies.report.sentences import pair_in_words, ranks_in_words, sentences
from studies.stats.axes import make_grid
from studies.stats.compare import compare, outcomes
from studies.stats.ranks import rank_entries
from studies.stats.references import references_of
from tests.studies.tables import ends, table_of

LOW, HIGH = list(range(1000, 1010)), list(range(1100, 1110))


def said(samples, first=0, second=1):
    table = ends(samples)
    found = compare(table)
    return pair_in_words(table, found, outcomes(found, len(table.entries.labels)), first, second)


def test_who_is_better_on_how_many_instances():
    wins = {(i, e): (LOW, HIGH)[e] for i in range(9) for e in range(2)}
    ties = {(i, e): LOW for i in range(9, 12) for e in range(2)}
    sure = "p < 0.001, effect large (median A12 = 1.00)"
    assert said(wins | ties) == f"A is better than B on 9 of 12 instances, {sure}; on 3 no difference is shown."
    losses = {(i, e): (HIGH, LOW)[e] for i in range(9, 13) for e in range(2)}
    both = said(wins | losses)
    assert both == f"A is better than B on 9 of 13 instances, {sure}, and worse on 4, p < 0.001."
    swapped = {(i, 1 - e): lengths for (i, e), lengths in wins.items()}
    assert said(swapped) == said(swapped, 1, 0) == f"B is better than A on 9 of 9 instances, {sure}."


def test_p_is_that_of_the_least_sure_win():
    some = [1000, 1001, 1002, 1003, 1004, 1005]
    apart = {(0, 0): LOW, (0, 1): HIGH, (1, 0): some, (1, 1): [length + 100 for length in some]}
    told = "A is better than B on 2 of 2 instances, p < 0.01, effect large (median A12 = 1.00)."
    assert said(apart) == told  # p is 2 / 924 by itself, the last of Holm's


def test_one_instance_has_its_name_its_median_and_its_effect():
    told = said({(0, 0): HIGH, (0, 1): LOW})
    assert told == "B is better than A on i0, its median 100 shorter, p < 0.001, effect large (A12 = 1.00)."
    assert "its median 100,000 shorter" in said({(0, 0): LOW, (0, 1): [length + 100_000 for length in LOW]})


def test_no_difference_equal_and_unknown_are_three_things():
    mixed = [1000, 1002, 1004, 1006]
    told = said({(0, 0): mixed, (0, 1): [1001, 1003, 1005, 1007]})
    assert told == "Between A and B no difference is shown on i0 (p = 0.69), which does not prove that there is none."
    several = said({(i, e): mixed for i in range(3) for e in range(2)})
    assert several.startswith("Between A and B no difference is shown on any of 3 instances, ")
    alike = {(i, e): [1000 + i] * 5 for i in range(3) for e in range(2)}
    assert said(alike) == "A and B come to the same length in every run on each of 3 instances."
    assert said({(0, 0): [7], (0, 1): [7]}) == "A and B come to the same length in every run on i0."
    assert said({(0, 0): LOW, (1, 1): LOW}).startswith("A and B have no instance in common")


def seeds(samples):
    table = ends(samples)
    return seeds_in_words(table, compare(table))


def test_too_few_seeds_are_told_with_the_least_p_they_can_give():
    assert seeds({(0, 0): [1], (0, 1): [2]}) == (
        "One seed proves nothing: what differs may be chance alone. It takes 4 seeds at least."
    )
    assert seeds({(0, 0): [1]}).startswith("One seed proves nothing")
    three = seeds({(0, 0): [1, 2, 3], (0, 1): [4, 5, 6]})
    assert three.startswith("3 seeds are too few to show any difference, however large: the least p")
    assert "is 0.1, and less than 0.05 is needed. It takes 4 seeds" in three
    many = seeds({(i, e): [1, 2, 3, 4, 5] for i in range(30) for e in range(2)})
    assert "0.0079, 0.24 when corrected for 30 comparisons, and less than 0.05 is needed. It takes 7 seeds" in many
    assert seeds({(0, 0): [1, 2, 3, 4], (0, 1): [5, 6, 7, 8]}) == ""
    assert seeds({(0, 0): LOW}) == ""


@pytest.mark.parametrize("runs", [4, 5, 7])
def test_what_is_called_enough_can_show_a_difference(runs):
    instances = {4: 1, 5: 6, 7: 30}[runs]
    table = ends({(i, e): list(range(100 * e + 1, 100 * e + 1 + runs)) for i in range(instances) for e in range(2)})
    found = compare(table)
    assert seeds_in_words(table, found) == ""
    assert outcomes(found, 2).wins[0, 1] == instances
    fewer = table.take(table.runs.seed < runs)
    assert f"It takes {runs} seeds at least." in seeds_in_words(fewer, compare(fewer))
    assert outcomes(compare(fewer), 2).wins.sum() == 0


def test_gaps_against_what_is_not_proven_are_told():
    samples = {(i, 0): [1200] for i in range(4)}
    table = ends(samples, optimum=(1000, 1000, 0, 0), proven=[True, False, False, False])
    assert references_in_words(table, references_of(table)) == (
        "Gaps of i1 are measured from the best tour known, which is not proven to be the shortest. "
        "Gaps of i2 and i3 are measured from the best tour of this study, so 0 % means "
        "the best here and proves nothing."
    )
    proven = table.take(table.runs.instance == 0)
    assert references_in_words(proven, references_of(table)) == ""


def test_missing_runs_and_other_devices_are_told():
    table = ends({(0, 0): [1], (1, 0): [1], (0, 1): [1]})
    assert "all 2 instances (B on 1), so curves" in coverage_in_words(table)
    assert coverage_in_words(table.take(table.runs.instance == 0)) == ""
    assert devices_in_words(table) == ""
    table.runs.device[0] = "gpu"
    assert devices_in_words(table).endswith("runs were on cpu and gpu.")


def test_a_thinned_curve_is_told():
    table = table_of([(0, 0, 1, 3000.0, [(float(k), 3000 - k) for k in range(1, 2000)])])
    assert grid_in_words(make_grid(table, "seconds", 100)) == "Drawn at 100 of 2,000 points where it may change."
    assert grid_in_words(make_grid(table, "seconds", 2000)) == ""


def test_ranks_are_told_best_first():
    ordered = ends({(i, e): [1100 - e] for i in range(8) for e in range(3)})
    told = ranks_in_words(ordered, rank_entries(ordered))
    assert told == (
        "Average ranks over 8 instances: C 1.00, B 2.00 and A 3.00. They differ by Friedman's test (p < 0.001), "
        "any two that are 1.17 apart by Nemenyi's."
    )
    turned = ends({(i, e): [1000 + (i + e) % 3] for i in range(3) for e in range(3)})
    assert ranks_in_words(turned, rank_entries(turned)).endswith("Friedman's test shows no difference (p = 1).")
    two = ends({(0, 0): [1], (0, 1): [2]})
    assert ranks_in_words(two, rank_entries(two)).startswith("Average ranks over 1 instance: A 1.00 and B 2.00. Ranks")
    apart = ends({(0, 0): [1], (1, 1): [2]})
    assert ranks_in_words(apart, rank_entries(apart)).startswith("No instance has runs of every entry")


def test_all_that_is_said_of_a_study():
    table = ends({(0, 0): [1, 2], (0, 1): [3, 4], (0, 2): [1, 2]}, optimum=(0,))
    told = sentences(table, references_of(table), compare(table))
    assert [sentence.split(" ", 2)[:2] for sentence in told] == [
        ["2", "seeds"], ["Gaps", "of"], ["Between", "A"], ["Between", "A"], ["Between", "B"]
    ]  # fmt: skip
    everything = ends({(0, 0): LOW, (0, 1): HIGH})
    assert len(sentences(everything, references_of(everything), compare(everything))) == 1
    assert np.isnan(rank_entries(everything).p)
