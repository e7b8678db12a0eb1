"""How many seeds a study needs, from the smallest p-value possible after correction."""

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

import numpy as np

from studies.stats.compare import LEVEL, Comparisons
from studies.stats.rank_test import min_p, min_sign_p
from studies.stats.table import Table

#: More seeds than any study needs, since their smallest p-value rounds to 0.
_MAX_SEEDS = 200


class Pairs(NamedTuple):
    """Numbers of pairs of two random entries, and of pairs of a random and a deterministic entry.

    Whether two deterministic entries differ is certain, so Holm's method settles these pairs first, and they need no
    seeds.
    """

    random: int
    mixed: int

    @classmethod
    def count_pairs(cls, is_random: Sequence[bool], instances: int) -> "Pairs":
        """Count the pairs with at least one random entry over all instances; `is_random` has a mark per entry."""
        count = sum(is_random)
        return cls(instances * comb(count, 2), instances * count * (len(is_random) - count))

    @classmethod
    def count_study_pairs(cls, table: Table, comparisons: Comparisons) -> "Pairs":
        """Count the pairs of entries in a study's runs, including planned ones."""
        mixed, certain = (int((comparisons.method == name).sum()) for name in ("sign", "certain"))
        pattern = cls(comparisons.p.size - mixed - certain, mixed)
        if table.plan is None:
            return pattern
        is_random = np.array(table.entries.random or [True] * len(table.entries.labels), bool)
        done = table.counts(table.runs) > 0
        for before, after in zip(done, done | (table.plan.planned > table.plan.failed), strict=True):
            finished, with_planned = (cls.count_pairs(is_random[rows].tolist(), 1) for rows in (before, after))
            pattern = cls(
                pattern.random + with_planned.random - finished.random,
                pattern.mixed + with_planned.mixed - finished.mixed,
            )
        return pattern


def min_corrected_p(pairs: Pairs, seeds: int) -> tuple[float, ...]:
    """Return the smallest p-value, by Holm's method, that this many seeds can give in each kind of comparison.

    All comparisons of a kind have the same smallest p-value, and that of two random entries is the smaller one. So
    Holm's factor is the number of all comparisons for two random entries, and the number of mixed comparisons for the
    mixed ones.
    """
    corrected = []
    if pairs.random:
        corrected.append(min(1.0, min_p(seeds, seeds) * sum(pairs)))
    if pairs.mixed:
        corrected.append(min(1.0, max(*corrected, min_sign_p(seeds) * pairs.mixed, 0.0)))
    return tuple(corrected)


def min_seeds(pairs: Pairs, level: float = LEVEL) -> int:
    """Return the fewest seeds with which every comparison could show a difference; 1 without comparisons."""
    return next(seeds for seeds in range(1, _MAX_SEEDS) if max(min_corrected_p(pairs, seeds), default=0.0) < level)
