"""Comparisons against SciPy, against all permutations one by one, and against published examples."""

import itertools
import math

import numpy as np
import pytest
import scipy
from hypothesis import assume, given
from hypothesis import strategies as st

from studies.report.verdicts import list_verdicts
from studies.stats.compare import compare
from studies.stats.rank_test import RankSumDistribution, correct_by_holm, effect_name, mann_whitney, min_p
from studies.stats.ranks import rank_entries
from tests.clock import is_within_bound, thread_seconds
from tests.studies.tables import ends
from tests.tables import each_row

few = st.lists(st.integers(1000, 1006), min_size=1, max_size=5)
chances = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def one(first, second):
    """U, p and method of one pair of samples."""
    u, p, method = mann_whitney(np.array([first], float), np.array([second], float))
    return float(u[0]), float(p[0]), str(method[0])


def slow_u(first, second):
    return sum((a > b) + 0.5 * (a == b) for a in first for b in second)


def slow_p(first, second):
    """Twice the share of all partitions of the values with U at least as extreme, on the nearer side."""
    values, places = [*first, *second], range(len(first) + len(second))
    seen = slow_u(first, second)
    ways = [
        slow_u([values[k] for k in chosen], [values[k] for k in places if k not in chosen])
        for chosen in itertools.combinations(places, len(first))
    ]
    return min(1.0, 2 * min(sum(u <= seen for u in ways), sum(u >= seen for u in ways)) / len(ways))


@pytest.mark.slow
@given(few, few)
def test_few_runs_are_tested_by_all_their_permutations(first, second):
    u, p, method = one(first, second)
    assert u == slow_u(first, second)
    assert p == pytest.approx(slow_p(first, second))
    tied = len({*first, *second}) < len(first) + len(second)
    assert method == ("permutation" if tied else "exact")


@given(few, few)
@pytest.mark.long
def test_p_keeps_its_level(first, second):
    assume(len(first) + len(second) <= 7)
    values, places = [*first, *second], range(len(first) + len(second))
    parted = [
        ([values[k] for k in chosen], [values[k] for k in places if k not in chosen])
        for chosen in itertools.combinations(places, len(first))
    ]
    found = np.sort([one(*each)[1] for each in parted])
    for level in (0.05, 0.1, 0.3):
        assert (found <= level).mean() <= level


def test_p_matches_scipy():
    rng = np.random.default_rng(5)
    for sizes, high, method in (
        ((10, 10), 10**9, "exact"),
        ((25, 7), 10**9, "exact"),
        ((26, 10), 10**9, "exact"),
        ((100, 3), 10**9, "exact"),
        ((60, 60), 10**9, "exact"),
        ((80, 80), 10**9, "asymptotic"),
        ((150, 150), 60, "asymptotic"),
        ((4, 5), 5, "permutation"),
    ):
        first, second = (rng.integers(0, high, (6, size)) for size in sizes)
        u, p, methods = mann_whitney(first.astype(float), second.astype(float))
        by = scipy.stats.PermutationMethod(n_resamples=10**6) if method == "permutation" else method
        for row in range(6):
            wanted = scipy.stats.mannwhitneyu(first[row], second[row], alternative="two-sided", method=by)
            assert (u[row], p[row]) == pytest.approx((wanted.statistic, wanted.pvalue))
        assert set(methods.tolist()) == {method}


def test_many_ties_are_tested_exactly_for_any_number_of_runs():
    """30 of 30 runs at the optimum against 26 of 30: the normal distribution finds a difference that is none.

    All 60 runs are shared out so that the four worse ones are on one side: 2 C(30, 4) / C(60, 4).
    """
    first, second = [1000] * 30, [1000] * 26 + [1001, 1002, 1003, 1004]
    assert one(first, second)[1:] == (pytest.approx(2 * math.comb(30, 4) / math.comb(60, 4)), "permutation")
    assert one(second, first)[1] == one(first, second)[1] == pytest.approx(0.112, abs=5e-4)
    assert scipy.stats.mannwhitneyu(first, second).pvalue < 0.05
    many = one([1000] * 490 + [1001] * 10, [1000] * 500)
    assert many[1:] == (pytest.approx(2 * math.comb(500, 10) / math.comb(1000, 10)), "permutation")


@given(
    st.integers(1, 6).flatmap(lambda high: st.tuples(*[st.lists(st.integers(1, high), min_size=1, max_size=40)] * 2))
)
def test_number_of_divisions_matches_a_plain_count(samples):
    """The distribution of twice the rank sum, rank by rank in integers without any shortcut."""
    first, second = samples
    ranks = [int(2 * rank) for rank in scipy.stats.rankdata([*first, *second])]
    ways = {(0, 0): 1}
    for rank in ranks:
        for (size, total), count in list(ways.items()):
            ways[size + 1, total + rank] = ways.get((size + 1, total + rank), 0) + count if size < len(first) else 0
    seen = sum(ranks[: len(first)])
    counts = {total: count for (size, total), count in ways.items() if size == len(first)}
    tails = (sum(n for t, n in counts.items() if t <= seen), sum(n for t, n in counts.items() if t >= seen))
    shares = RankSumDistribution(np.array(first, float), np.array(second, float))
    assert shares.feasible
    assert shares.p() == pytest.approx(min(1.0, 2 * min(tails) / math.comb(len(ranks), len(first))), rel=1e-9)


def test_exact_test_takes_bounded_time():
    rng = np.random.default_rng(3)
    took = []
    for size, most in ((50, 150), (100, 30), (500, 3)):
        first, second = rng.integers(0, most, (2, size)).astype(float)
        if RankSumDistribution(first, second).feasible:
            took.append(min(thread_seconds(RankSumDistribution(first, second).p) for _ in range(3)))
    assert took
    assert is_within_bound(max(took), 0.2), took  # 0.014 s
    assert not RankSumDistribution(*rng.integers(0, 3000, (2, 400)).astype(float)).feasible
    assert not RankSumDistribution(*rng.integers(0, 2, (2, 1000)).astype(float)).feasible


def test_table_of_mann_and_whitney():
    """H. B. Mann and D. R. Whitney (1947), table I: probability of a U as small, of three and of four against as
    many."""
    for size, chance in ((3, (0.05, 0.1, 0.2, 0.35)), (4, (0.014, 0.029, 0.057, 0.1, 0.171))):
        for u, one_sided in enumerate(chance):
            first, second = next(
                (chosen, rest)
                for chosen in itertools.combinations(range(2 * size), size)
                for rest in [[k for k in range(2 * size) if k not in chosen]]
                if slow_u(chosen, rest) == u
            )
            assert one(first, second)[:2] == (u, pytest.approx(2 * one_sided, abs=1.01e-3))


def test_an_example_of_hollander_and_wolfe():
    """M. Hollander and D. A. Wolfe (1973), p. 69: permeability of membranes at term and in early pregnancy.

    They find W = 30 for the second sample, so U = 50 - (30 - 15) = 35 for the first, and 0.1272 for one side.
    """
    term = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
    early = [1.15, 0.88, 0.90, 0.74, 1.21]
    assert one(term, early) == (35, pytest.approx(2 * 0.1272, abs=1e-4), "exact")
    lengths = [[round(100 * value) for value in sample] for sample in (term, early)]
    found = compare(ends({(0, 0): lengths[0], (0, 1): lengths[1]}))
    assert found.a12.tolist() == [pytest.approx(0.3)]
    assert found.effect(0) == "medium"
    assert found.difference.tolist() == [pytest.approx((138 + 145) / 2 - 90)]


def test_holm_by_an_example_of_demsar():
    """J. Demšar (2006), section 3.2.2: p of 0.016, 0.019 and 0.607; at 0.05 Holm rejects the first two."""
    assert correct_by_holm(np.array([0.607, 0.016, 0.019])).tolist() == pytest.approx([0.607, 0.048, 0.048])
    assert correct_by_holm(np.array([0.01, 0.04, 0.03, 0.005])).tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert correct_by_holm(np.empty(0)).size == 0


@given(chances)
def test_holm_never_lowers_p_nor_changes_the_order(chances):
    raw = np.array(chances)
    corrected = correct_by_holm(raw)
    assert ((raw <= corrected) & (corrected <= np.minimum(1.0, raw * raw.size))).all()
    assert (np.diff(corrected[np.argsort(raw)]) >= 0).all()
    for level in (0.01, 0.05, 0.2):  # by the words of the procedure: stop at the first that is too large
        rejected = 0
        while rejected < raw.size and np.sort(raw)[rejected] * (raw.size - rejected) < level:
            rejected += 1
        assert (corrected < level).sum() == rejected


@given(few, few)
def test_a12_is_the_probability_to_end_shorter(first, second):
    there = compare(ends({(0, 0): first, (0, 1): second}))
    back = compare(ends({(0, 0): second, (0, 1): first}))
    shorter = sum((a < b) + 0.5 * (a == b) for a in first for b in second)
    assert there.a12[0] == pytest.approx(shorter / (len(first) * len(second)))
    assert there.a12[0] + back.a12[0] == pytest.approx(1)
    assert there.p[0] == pytest.approx(back.p[0])
    assert there.difference[0] == -back.difference[0] == np.median(first) - np.median(second)
    assert there.all_equal[0] == (len({*first, *second}) == 1)


def test_effect_sizes_are_named_after_vargha_and_delaney():
    for a12, word in ((0.5, "negligible"), (0.55, "negligible"), (0.56, "small"), (0.64, "medium"), (0.71, "large")):
        assert effect_name(a12) == effect_name(1 - a12) == word
    assert effect_name(0.7099) == "medium"
    assert effect_name(1.0) == "large"


def test_all_pairs_of_a_study_are_corrected_together():
    rng = np.random.default_rng(2)
    samples = {(i, e): (1100 + 20 * e + rng.integers(0, 60, 4 + e)).tolist() for i in range(4) for e in range(3)}
    del samples[2, 1]
    found = compare(ends(samples))
    codes = list(zip(found.instance.tolist(), found.first.tolist(), found.second.tolist(), strict=True))
    assert codes == [(i, a, b) for i in range(4) for a, b in ((0, 1), (0, 2), (1, 2)) if i != 2 or (a, b) == (0, 2)]
    for row, (instance, a, b) in enumerate(codes):
        first, second = samples[instance, a], samples[instance, b]
        assert (found.runs_first[row], found.runs_second[row]) == (len(first), len(second))
        assert (found.u[row], found.p[row], found.method[row]) == one(first, second)
    assert found.corrected.tolist() == correct_by_holm(found.p).tolist()


def test_wins_ties_and_losses():
    low, high = list(range(1000, 1010)), list(range(1100, 1110))
    found = compare(ends({(0, 0): low, (0, 1): high, (1, 0): low, (1, 1): high, (2, 0): high, (2, 1): low,
                          (3, 0): low, (3, 1): low, (3, 2): high}))  # fmt: skip
    answer = list_verdicts(found)
    counted = {pair: (each.wins, each.losses, each.instances) for pair, each in answer.items() if pair[0] < pair[1]}
    assert counted == {(0, 1): (2, 1, 4), (0, 2): (1, 0, 1), (1, 2): (1, 0, 1)}
    assert {each.outcome for each in list_verdicts(found, level=1e-9).values()} == {"none"}


def test_a_run_without_a_tour_is_worse_than_any():
    table = ends({(0, 0): [1000] * 6, (0, 1): [1000] * 6})
    lengths = np.where(table.runs.entry == 1, 0, 1000)
    found = compare(table, lengths)
    assert found.a12.tolist() == [1]
    assert found.p.tolist() == [pytest.approx(2 / math.comb(12, 6))]
    assert np.isnan(found.difference).all()
    assert rank_entries(table, lengths).average.tolist() == [1, 2]


def test_smallest_p_belongs_to_separate_samples():
    assert min_p(1, 1) == 1
    assert min_p(3, 3) == pytest.approx(0.1)
    assert min_p(10, 10) == pytest.approx(2 / math.comb(20, 10))


#: J. Demšar (2006), table 6: ranks of four classifiers on 14 data sets, by the area under the curve.
DEMSAR = np.array(
    [
        [4, 3, 2, 1], [1, 2, 3, 4], [4, 1, 2, 3], [4, 1, 3, 2], [4, 2, 3, 1], [1, 2.5, 4, 2.5], [3, 2, 4, 1],
        [2.5, 2.5, 4, 1], [4, 3, 2, 1], [2.5, 2.5, 2.5, 2.5], [4, 2.5, 1, 2.5], [3, 2, 4, 1], [4, 1, 2, 3],
        [3, 1, 4, 2],
    ]
)  # fmt: skip


def demsar_study():
    return ends({(i, e): [int(1000 + 2 * rank)] for i, row in enumerate(DEMSAR) for e, rank in enumerate(row)})


def test_ranks_by_an_example_of_demsar():
    """He finds average ranks of 3.143, 2.000, 2.893 and 1.964, a statistic of 9.28 and a difference of 1.25.

    His statistic does without Friedman's correction for ties, 1 - 78 / 840 here: one row of four alike (60), three of
    two alike (6 each), of 14 * 4 * (4**2 - 1).
    """
    found = rank_entries(demsar_study())
    assert found.ranks.tolist() == DEMSAR.tolist()
    assert found.average == pytest.approx([3.143, 2.0, 2.893, 1.964], abs=5e-4)
    assert found.statistic * (1 - 78 / 840) == pytest.approx(9.28, abs=5e-3)
    assert found.critical_difference == pytest.approx(1.25, abs=5e-3)
    assert (found.statistic, found.p) == pytest.approx(tuple(scipy.stats.friedmanchisquare(*DEMSAR.T)))
    assert found.instances.tolist() == list(range(14))


@each_row(
    ("level", "critical"),
    [(0.05, [2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]),
     (0.10, [2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920])],
)  # fmt: skip
def test_critical_differences_match_demsars_table(level, critical):
    """J. Demšar (2006), table 5a, three to ten entries: q, so that the difference is q * sqrt(k (k + 1) / 6 n)."""
    for entries, q in enumerate(critical, 3):
        table = ends({(i, e): [1000 + e] for i in range(2) for e in range(entries)})
        found = rank_entries(table, level=level)
        assert found.critical_difference / math.sqrt(entries * (entries + 1) / 12) == pytest.approx(q, abs=1.1e-3)


def test_ranks_use_medians_on_instances_with_runs_of_every_entry():
    found = rank_entries(ends({(0, 0): [1, 9, 2], (0, 1): [3], (0, 3): [2, 2], (1, 0): [5], (1, 1): [5], (2, 3): [1]}))
    assert found.entries.tolist() == [0, 1, 3]
    assert found.instances.tolist() == [0]
    assert found.ranks.tolist() == [[1.5, 3, 1.5]]
    assert math.isnan(found.p)
    assert math.isnan(found.critical_difference)
    nobody = rank_entries(ends({(i, e): [1000] for i in range(3) for e in range(3)}))
    assert (nobody.statistic, nobody.p, nobody.average.tolist()) == (0, 1, [2, 2, 2])
    assert np.isnan(rank_entries(ends({(0, 0): [1], (1, 1): [1]})).average).all()
