"""Targets, running times, budgets and accuracy: against plain Python, manual calculations and published tables."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.core.stop import Budget
from studies.spec.plan import Plan
from studies.stats.accuracy import accuracies, powers
from studies.stats.anytime import anytime
from studies.stats.references import OPTIMUM, find_references, max_length_within
from studies.stats.running_time import expected_times
from studies.stats.targets import ecdf
from tests.studies.stats.slow import OPTIMA, slow_length, slow_references, slow_time
from tests.studies.tables import make_table, plain_studies
from tests.tables import each_row


@given(plain_studies())
def test_ecdf_counts_pairs_and_never_falls(rows):
    table, gaps = make_table(rows, OPTIMA), (20.0, 10.0, 1.0, 0.0)
    references = find_references(table)
    found = ecdf(table, references, gaps=gaps)
    assert found.gaps == gaps
    for curve in found.curves:
        mine = [row for row in rows if row[1] == curve.entry]
        assert curve.pairs == 4 * len(mine)
        assert (np.diff(curve.share) >= 0).all()
        for k, at in enumerate(found.grid.x):
            hits = 0
            for row in mine:
                best, length = slow_references(rows)[row[0]], slow_length(row[4], at)
                hits += sum(length > 0 and 100 * (length - best) <= gap * best for gap in gaps)
            assert curve.share[k] == pytest.approx(hits / curve.pairs)


@given(plain_studies(), st.integers(1, 25) | st.just(math.inf))
def test_expected_time_is_total_time_over_successes(rows, budget):
    table = make_table(rows, OPTIMA)
    references = find_references(table)
    for entry in expected_times(table, references, gaps=(10.0, 0.0), budget=budget):
        mine = [row for row in rows if row[:2] == (entry.instance, entry.entry)]
        times = [slow_time(row[4], entry.target) for row in mine]
        times = [at if at <= budget else math.inf for at in times]
        spent = sum(min(at, row[3], budget) for at, row in zip(times, mine, strict=True))
        hits = sum(map(math.isfinite, times))
        assert (entry.runs, entry.successes) == (len(mine), hits)
        assert entry.expected == pytest.approx(spent / hits if hits else math.inf)
        assert entry.kind == references.kind[entry.instance]


@each_row(
    ("budget", "limits", "expected"),
    [
        # two of four runs come there after 2 s and 4 s, one never does in 10 s, one has failed
        (math.inf, {"seconds": 12.0}, (2 + 4 + 10 + 12) / 2),
        (math.inf, {}, (2 + 4 + 10 + 10) / 2),  # no limit: as long as the longest of the others
        (6.0, {"seconds": 12.0}, (2 + 4 + 6 + 6) / 2),
        (3.0, {"seconds": 12.0}, (2 + 3 + 3 + 3) / 1),
    ],
)
def test_failed_runs_count_with_their_budget_in_expected_times(budget, limits, expected):
    rows = [(0, 0, 1, 10.0, [(2.0, 1000)]), (0, 0, 2, 10.0, [(4.0, 1000)]), (0, 0, 3, 10.0, [(1.0, 1500)])]
    failed = np.array([[1, 2]])
    plan = Plan(np.array([[4, 2]]), failed, Budget(**limits))
    table = replace(make_table([*rows, (0, 1, 9, 1.0, [(1.0, 1000)])], OPTIMA[:1]), plan=plan)
    table = table.take(table.runs.entry == 0)  # all runs of the other entry failed
    table = replace(table, plan=plan)
    references = find_references(table)
    mine, other = expected_times(table, references, gaps=(0.0,), budget=budget)
    assert mine.expected == pytest.approx(expected)
    assert (mine.runs, mine.failed) == (4, 1)
    assert (other.entry, other.runs, other.successes, other.expected) == (1, 2, 0, math.inf)


def test_failed_runs_reach_no_target():
    rows = [(0, 0, 1, 10.0, [(2.0, 1000)]), (0, 0, 2, 10.0, [(4.0, 1000)])]
    table = replace(make_table(rows, OPTIMA[:1]), plan=Plan(np.array([[4]]), np.array([[2]]), Budget(seconds=10.0)))
    [curve] = ecdf(table, find_references(table), gaps=(0.0,)).curves
    assert (curve.pairs, curve.share[-1]) == (4, 0.5)
    both = make_table([*rows, (0, 1, 1, 1.0, [(1.0, 1000)])], OPTIMA[:1])
    table = replace(
        both.take(both.runs.entry == 0), plan=Plan(np.array([[2, 3]]), np.array([[0, 3]]), Budget(seconds=10.0))
    )
    mine, other = ecdf(table, find_references(table), gaps=(0.0,)).curves
    assert (mine.pairs, mine.share[-1]) == (2, 1.0)
    assert (other.entry, other.pairs, other.share.max()) == (1, 3, 0.0), "all of its runs failed"


def test_expected_time_by_hand():
    # three runs of 10 s: the target after 2 s, after 4 s, never; (2 + 4 + 10) / 2 = 8 s for a success
    rows = [(0, 0, 1, 10.0, [(2.0, 1010)]), (0, 0, 2, 10.0, [(1.0, 1500), (4.0, 1005)]), (0, 0, 3, 10.0, [(1.0, 1011)])]
    table = make_table(rows)
    one, tenth, optimum = expected_times(table, find_references(table))
    assert (one.target, one.successes, one.expected) == (1010, 2, 8.0)
    assert (tenth.target, tenth.successes, tenth.expected) == (1001, 0, math.inf)
    assert (optimum.target, optimum.gap) == (1000, 0.0)
    (evaluations,) = expected_times(table, find_references(table), "evaluations", gaps=(1.0,))
    assert evaluations.expected == 800
    (early,) = expected_times(table, find_references(table), gaps=(1.0,), budget=3.0)
    assert (early.successes, early.expected) == (1, 2 + 3 + 3)


@given(st.integers(1, 10**12), st.integers(0, 10**6))
def test_targets_are_exact_integers(reference, tenths_of_a_thousandth):
    percent = tenths_of_a_thousandth / 10_000
    longest = max_length_within(reference, percent)
    assert (longest - reference) * 10**6 <= tenths_of_a_thousandth * reference < (longest + 1 - reference) * 10**6


def test_climbers_against_accuracy_as_in_the_paper():
    """Tables of J. Utne and H. N. W. Hansen (2023), 7.4.1 and 7.4.2: lowest cost and accuracy by the number of
    climbers."""
    berlin52 = {1: (8401, 89.7750268), 5: (8118, 92.9046563), 10: (7713, 97.7829638), 20: (7542, 100)}
    kroa100 = {1: (22805, 93.32164), 10: (22236, 95.70966), 100: (21601, 98.5232165), 75_000: (21282, 100)}
    rows = [
        (code, 0, 1, 1e6, [(k / 10, lowest) for k, (lowest, _) in paper.items()])
        for code, paper in enumerate((berlin52, kroa100))
    ]
    table = make_table(rows, optimum=(7542, 21282), units=["climber"])
    references = find_references(table)
    for code, paper in enumerate((berlin52, kroa100)):
        answer = {row.at: row for row in accuracies(table, references, at=tuple(paper)) if row.instance == code}
        assert {k: row.length.median for k, row in answer.items()} == {k: lowest for k, (lowest, _) in paper.items()}
        for k, (_, accuracy) in paper.items():
            assert answer[k].accuracy_percent.median == pytest.approx(accuracy, abs=5e-6)
    assert powers(table, "iterations") == tuple(10.0**k for k in range(8))
    between = {row.at: row.length.median for row in accuracies(table, references) if row.instance == 1}
    assert between == {
        1: 22805,
        10: 22236,
        **dict.fromkeys((100, 1000, 10_000), 21601),
        **dict.fromkeys((1e5, 1e6, 1e7), 21282),
    }


def test_accuracy_covers_runs_that_came_so_far_and_needs_an_optimum():
    rows = [(0, 0, 1, 10.0, [(1.0, 1250), (8.0, 1000)]), (0, 0, 2, 5.0, [(2.0, 1100)]), (1, 0, 1, 10.0, [(1.0, 50)])]
    table = make_table(rows, optimum=(1000, 0))
    references = find_references(table)
    first, second, third, unknown, *_ = accuracies(table, references, "seconds", at=(1.0, 4.0, 9.0))
    assert [(row.runs, row.length.median) for row in (first, second, third)] == [(1, 1250), (2, 1175), (1, 1000)]
    assert (second.accuracy_percent.minimum, second.accuracy_percent.maximum) == pytest.approx((80, 1000 / 11))
    assert unknown.instance == 1
    assert unknown.accuracy_percent is None
    curve = anytime(table, references, measure="accuracy_percent")
    assert curve.kinds == (OPTIMUM,)


def test_powers_of_a_count_start_at_one_and_of_seconds_at_the_first_tour():
    table = make_table([(0, 0, 1, 30.0, [(0.0, 1300), (0.02, 1200)])])
    assert powers(table, "iterations") == (1, 10, 100)
    assert powers(table, "seconds") == pytest.approx((0.1, 1, 10))
    assert powers(make_table([(0, 0, 1, 0.0, [(0.0, 1300)])]), "seconds") == ()
    assert powers(make_table([(0, 0, 1, 0.0, [(0.0, 1300)])]), "iterations") == ()
