"""The number of seeds that a study needs: the least p of its runs after correcting for all comparisons."""

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

import numpy as np

from studies.stats.compare import LEVEL, Comparisons
from studies.stats.rank_test import least_p, least_sign_p
from studies.stats.table import Table

#: More seeds than any study needs: their least p rounds to 0.
_MOST = 200


class Pairs(NamedTuple):
    """Numbers of pairs of entries: both with random seeds, and one random against one deterministic.

    Two deterministic entries differ for certain or not at all: these are the first that Holm's method decides, and
    need no seeds.
    """

    random: int
    mixed: int

    @classmethod
    def count_pairs(cls, random: Sequence[bool], instances: int) -> "Pairs":
        """Those of a study, given for each entry whether it is random."""
        count = sum(random)
        return cls(instances * comb(count, 2), instances * count * (len(random) - count))

    @classmethod
    def of_study(cls, table: Table, comparisons: Comparisons) -> "Pairs":
        """Those of a study's runs so far, and those that its plan has still to come: as many as at its end."""
        mixed, certain = (int((comparisons.method == name).sum()) for name in ("sign", "certain"))
        whole = cls(comparisons.p.size - mixed - certain, mixed)
        if table.plan is None:
            return whole
        is_random = np.array(table.entries.random or [True] * len(table.entries.labels), bool)
        done = table.counts(table.runs) > 0
        for before, after in zip(done, done | (table.plan.planned > table.plan.failed), strict=True):
            now, then = (cls.count_pairs(is_random[rows].tolist(), 1) for rows in (before, after))
            whole = cls(whole.random + then.random - now.random, whole.mixed + then.mixed - now.mixed)
        return whole


def least_corrected(pairs: Pairs, seeds: int) -> tuple[float, ...]:
    """The least p, corrected by Holm's method, that this many seeds can give for each kind of comparison.

    All comparisons of a kind have the same least p, that of two random entries is the lower: so Holm's factor is the
    number of all for these, and the number of the others for the others.
    """
    corrected = []
    if pairs.random:
        corrected.append(min(1.0, least_p(seeds, seeds) * sum(pairs)))
    if pairs.mixed:
        corrected.append(min(1.0, max(*corrected, least_sign_p(seeds) * pairs.mixed, 0.0)))
    return tuple(corrected)


def fewest_seeds(pairs: Pairs, level: float = LEVEL) -> int:
    """The fewest seeds with which every comparison could show a difference; 1 if there is nothing to compare."""
    return next(seeds for seeds in range(1, _MOST) if max(least_corrected(pairs, seeds), default=0.0) < level)
