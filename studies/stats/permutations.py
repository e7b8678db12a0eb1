"""The exact distribution of a rank sum among all ways to share the ranks out, ties and all."""

import numpy as np
from numpy.typing import NDArray

#: Additions that an exact test may take: some 14 ms on a core of an AMD EPYC.
MOST_WORK = 25_000_000
#: Ranks of which no number of ways is too large for float64.
_MOST_RANKS = 1000


class RankSumDistribution:
    """All ways to share the ranks of two samples out, by their sum: B. Streitberg and J. Röhmel (1986).

    They are added up rank by rank: after k ranks, ``ways[s, t]`` is how many sets of s of them have the sum t. Here
    those of the largest group of ties are not added one by one: a set of n has as many of them as it lacks, in as many
    ways as there are to choose them. Sums are counted from the nearer end, and no further than the one observed. Ranks
    of ties are means, so twice a rank is whole; what these all have in common is divided out.

    Parameters
    ----------
    first, second : ndarray, shape (n,) and (m,), float64
        May be infinite, not NaN.
    """

    def __init__(self, first: NDArray[np.float64], second: NDArray[np.float64]) -> None:
        small, large = (first, second) if first.size <= second.size else (second, first)
        _, group, ties = np.unique(np.concatenate([small, large]), return_inverse=True, return_counts=True)
        ranks = 2 * np.cumsum(ties) - ties
        ranks = (ranks - ranks[0]) // max(1, np.gcd.reduce(ranks - ranks[0]))
        self._size, seen = small.size, np.bincount(group[: small.size], minlength=ties.size)
        limit = int(seen @ ranks)
        other = int(seen @ (ranks[-1] - ranks))
        self._limit, self._ranks = (limit, ranks) if limit <= other else (other, ranks[-1] - ranks)
        self._ties, self._largest = ties, int(np.argmax(ties))

    @property
    def feasible(self) -> bool:
        """Whether `p` takes no longer than a test may."""
        count = int(self._ties.sum())
        added = count - int(self._ties[self._largest])
        return count <= _MOST_RANKS and added * (min(self._size, added) + 1) * (self._limit + 1) <= MOST_WORK

    def p(self) -> float:
        """Two-sided: twice the share of all ways that are as far out as the one observed, on the nearer side."""
        counts = self._counts()
        total = float(_choose(int(self._ties.sum()), self._size))
        tail = float(counts.sum()) / total
        beyond = 1.0 - tail + float(counts[-1]) / total  # from the one observed to the other end
        return min(1.0, 2.0 * min(tail, beyond))

    def _counts(self) -> NDArray[np.float64]:
        """Ways by their sum, up to the one observed; float64 holds them to 12 digits and more."""
        added = np.delete(np.repeat(np.arange(self._ties.size), self._ties), self._of_the_largest())
        ways = np.zeros((min(self._size, added.size) + 1, self._limit + 1))
        ways[0, 0] = 1
        for rank in np.sort(self._ranks[added]).tolist():
            if rank <= self._limit:
                ways[1:, rank:] = ways[1:, rank:] + ways[:-1, : ways.shape[1] - rank]
        counts, tied, rank = np.zeros(self._limit + 1), int(self._ties[self._largest]), int(self._ranks[self._largest])
        for chosen in range(ways.shape[0]):
            lacking = self._size - chosen
            if lacking <= tied and lacking * rank <= self._limit:
                counts[lacking * rank :] += _choose(tied, lacking) * ways[chosen, : self._limit + 1 - lacking * rank]
        return counts

    def _of_the_largest(self) -> slice:
        start = int(self._ties[: self._largest].sum())
        return slice(start, start + int(self._ties[self._largest]))


def _choose(count: int, chosen: int) -> float:
    """How many ways there are to choose some of so many."""
    from scipy.special import comb

    return float(comb(count, chosen, exact=True))
