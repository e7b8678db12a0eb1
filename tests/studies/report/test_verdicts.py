"""The better of two entries: on one instance, over several, and from either side."""

import numpy as np
import pytest

from studies.report.verdicts import OUTCOMES, list_verdicts
from studies.stats.compare import compare
from tests.studies.tables import ends

LOW, HIGH = list(range(1000, 1010)), list(range(1100, 1110))
SOME = [1000, 1002, 1004, 1006]


def verdict_on(samples, pair=(0, 1), instance=None):
    return list_verdicts(compare(ends(samples)), instance)[pair]


def read_counts(verdict):
    return verdict.outcome, verdict.wins, verdict.losses, verdict.instances


def test_better_entry_and_number_of_instances():
    wins = {(i, e): (LOW, HIGH)[e] for i in range(9) for e in range(2)}
    ties = {(i, e): LOW for i in range(9, 12) for e in range(2)}
    verdict = verdict_on(wins | ties)
    assert read_counts(verdict) == ("better", 9, 0, 12)
    assert (verdict.a12, verdict.effect) == (1, "large")  # of those that decided: with the ties it would be less sure
    assert verdict.p < 0.001
    assert read_counts(verdict_on(wins | ties, (1, 0))) == ("worse", 0, 9, 12)
    assert verdict_on(wins | ties, (1, 0)).a12 == 0
    losses = {(i, e): (HIGH, LOW)[e] for i in range(12, 16) for e in range(2)}
    both = verdict_on(wins | ties | losses)
    assert read_counts(both) == ("split", 9, 4, 16)
    assert both.a12 == 1  # the median of all
    assert read_counts(both.swap()) == ("split", 4, 9, 16)


def test_p_is_that_of_the_least_certain_win():
    some = [1000, 1001, 1002, 1003, 1004, 1005]
    apart = {(0, 0): LOW, (0, 1): HIGH, (1, 0): some, (1, 1): [length + 100 for length in some]}
    assert verdict_on(apart).p == pytest.approx(2 / 924)  # by itself, the last of Holm's
    assert verdict_on(apart, instance=0).p == pytest.approx(4 / 184_756)


def test_one_instance_has_its_own_verdict_and_median():
    samples = {(0, 0): HIGH, (0, 1): LOW, (1, 0): LOW, (1, 1): LOW}
    assert read_counts(verdict_on(samples)) == ("worse", 0, 1, 2)
    assert np.isnan(verdict_on(samples).difference)
    first, second = verdict_on(samples, instance=0), verdict_on(samples, instance=1)
    assert (read_counts(first), first.difference) == (("worse", 0, 1, 1), 100)
    assert first.swap().difference == -100
    assert read_counts(second) == ("none", 0, 0, 1)


def test_no_difference_equal_and_unknown_are_distinct():
    none = verdict_on({(0, 0): SOME, (0, 1): [1001, 1003, 1005, 1007]})
    assert (none.outcome, round(none.p, 2), none.effect) == ("none", 0.69, "small")
    assert verdict_on({(i, e): [1000 + i] * 5 for i in range(3) for e in range(2)}).outcome == "alike"
    assert (0, 1) not in list_verdicts(compare(ends({(0, 0): LOW, (1, 1): LOW})))
    assert list_verdicts(compare(ends({(0, 0): LOW}))) == {}


def test_every_pair_is_judged_from_both_sides():
    found = list_verdicts(
        compare(ends({(i, e): [1000 + 7 * e + k for k in range(6)] for i in range(2) for e in range(4)}))
    )
    assert set(found) == {(a, b) for a in range(4) for b in range(4) if a != b}
    for (a, b), verdict in found.items():
        assert verdict.outcome in OUTCOMES
        assert read_counts(verdict.swap()) == read_counts(found[b, a])
