"""The seeds needed by a study: the computed p values are exactly those that the comparisons can reach."""

from dataclasses import replace

import numpy as np
import pytest

from studies.stats.compare import LEVEL, compare
from studies.stats.rank_test import correct_by_holm, min_p, min_sign_p
from studies.stats.seeds import Pairs, min_corrected_p, min_seeds
from tests.studies.tables import ends
from tests.tables import each_row

STUDIES = [((True, True), 1), ((True, True, True), 3), ((True, False), 2), ((True, True, False), 3),
           ((True, True, False, False), 1), ((True,) * 5, 12)]  # fmt: skip


def separated_study(random, instances, seeds):
    """A study in which every run of an entry is shorter than all runs of the next."""
    lengths = {e: [1000 + 100 * e + (k if random[e] else 0) for k in range(seeds)] for e in range(len(random))}
    table = ends({(i, e): lengths[e] for i in range(instances) for e in lengths})
    return compare(replace(table, entries=replace(table.entries, random=random)))


@each_row(("random", "instances"), STUDIES)
def test_this_many_seeds_show_every_difference_and_one_fewer_does_not(random, instances):
    needed = min_seeds(Pairs.count_pairs(random, instances))
    assert (separated_study(random, instances, needed).corrected < LEVEL).all()
    assert not (separated_study(random, instances, needed - 1).corrected < LEVEL).all()


@each_row(("random", "instances"), STUDIES)
@each_row("seeds", [1, 2, 3, 5, 10])
def test_smallest_p_follows_holms_method(random, instances, seeds):
    pairs = Pairs.count_pairs(random, instances)
    certain = instances * len(random) * (len(random) - 1) // 2 - sum(pairs)
    kinds = np.repeat([0, 1, 2], [*pairs, certain])
    corrected = correct_by_holm(np.array([min_p(seeds, seeds), min_sign_p(seeds), 0.0])[kinds])
    expected = [corrected[kinds == kind].max() for kind in (0, 1) if pairs[kind]]
    assert min_corrected_p(pairs, seeds) == pytest.approx(expected)


def test_known_numbers():
    assert Pairs.count_pairs((True, True, True), 3) == (9, 0)
    assert min_seeds(Pairs.count_pairs((True, True, True), 3)) == 6
    assert min_seeds(Pairs.count_pairs((True, True), 1)) == 4
    assert min_seeds(Pairs.count_pairs((True, False), 1)) == 6  # 2 / 2**6 is the first below 0.05
    assert min_seeds(Pairs.count_pairs((False, False), 5)) == 1
    assert min_corrected_p(Pairs(0, 0), 5) == ()
