"""The Mann-Whitney test and Vargha and Delaney's effect size, for many pairs of samples at once."""

from math import comb

import numpy as np
from numpy.typing import NDArray

#: Minimum distance of A12 from 0.5 for each effect size.
_SIZES = ((0.21, "large"), (0.14, "medium"), (0.06, "small"), (0.0, "negligible"))


def mann_whitney(first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Run the two-sided test of H. B. Mann and D. R. Whitney (1947) on one pair of samples per row.

    The p-value is exact if feasible: from SciPy without ties, and from `RankSumDistribution` with ties, for which SciPy
    has no exact formula. For large samples without heavy ties, it comes from the normal approximation. That would be
    wrong for small or tied samples: it gives p < 0.05 for three runs against three, which are too few for that, and p =
    0.042 instead of 0.11 if 30 of 30 runs against 26 of 30 reach the optimum.

    Parameters
    ----------
    first : ndarray, shape (c, n), float64
        May be infinite, but not NaN.
    second : ndarray, shape (c, m), float64

    Returns
    -------
    u : ndarray, shape (c,), float64
        Number of pairs in which the first sample is greater; a tie counts half.
    p : ndarray, shape (c,), float64
    method : ndarray, shape (c,), str
        ``exact``, ``permutation`` or ``asymptotic``.
    """
    from scipy.stats import mannwhitneyu

    combined = np.sort(np.concatenate([first, second], axis=1), axis=1)
    tied = (combined[:, 1:] == combined[:, :-1]).any(axis=1)
    exact = _is_exact_feasible(first.shape[1], second.shape[1])
    method = np.where(tied, "permutation", "exact" if exact else "asymptotic")
    u, p = np.empty(tied.size), np.empty(tied.size)
    for row in np.flatnonzero(tied):
        distribution = RankSumDistribution(first[row], second[row])
        if distribution.feasible:
            p[row] = distribution.p()
        else:
            method[row] = "asymptotic"
    for name in np.unique(method):
        rows = method == name
        scipy_method = "exact" if name == "exact" else "asymptotic"
        result = mannwhitneyu(first[rows], second[rows], axis=1, method=scipy_method)
        u[rows] = result.statistic
        if name != "permutation":
            p[rows] = result.pvalue
    return u, p, method


def sign_test(sample: np.ndarray, value: float) -> float:
    """Return the two-sided p-value of a sign test against a number, leaving out equal runs.

    This compares a sample with a deterministic algorithm: ten runs of it, all the same, prove no more than one. W. J.
    Dixon and A. M. Mood, "The Statistical Sign Test" (Journal of the American Statistical Association 41, 1946).
    """
    from scipy.stats import binomtest

    above, below = int((sample > value).sum()), int((sample < value).sum())
    return float(binomtest(above, above + below).pvalue) if above + below else 1.0


def min_p(first: int, second: int) -> float:
    """Return the smallest p-value for samples of these sizes, which they reach if they do not overlap."""
    return 2 / comb(first + second, first) if first + second > 2 else 1.0


def min_sign_p(runs: int) -> float:
    """Return the smallest p-value of a sign test of this many runs."""
    return min(1.0, 2.0 ** (1 - runs))


def _is_exact_feasible(first: int, second: int) -> bool:
    """Return whether an exact test of untied samples is feasible."""
    return (first + second) * (min(first, second) + 1) * first * second // 2 <= MAX_WORK


def effect_name(a12: float) -> str:
    """Return the name of an effect size by A. Vargha and H. D. Delaney's limits (2000, p. 106): 0.56, 0.64, 0.71.

    Returns
    -------
    str
        ``negligible``, ``small``, ``medium`` or ``large``.
    """
    distance = round(abs(a12 - 0.5), 12)  # 0.71 - 0.5 is slightly less than 0.21 in binary
    return next(word for limit, word in _SIZES if distance >= limit)


def correct_by_holm(p: np.ndarray) -> np.ndarray:
    """Correct p-values for multiple tests by S. Holm's step-down method (1979).

    With m tests, the k-th smallest p (k from 0) is multiplied by m - k, and is at least the one before it, at most 1.

    Parameters
    ----------
    p : ndarray, shape (m,), float64

    Returns
    -------
    ndarray, shape (m,), float64
        Corrected values in the order of `p`. Rejecting those below a level has a family-wise error rate of at most that
        level.
    """
    order = np.argsort(p, kind="stable")
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1)))
    return corrected


#: Maximum number of additions of an exact test: about 14 ms on a core of an AMD EPYC.
MAX_WORK = 25_000_000
#: Maximum number of ranks for which every count fits into a float64.
_MAX_RANKS = 1000


class RankSumDistribution:
    """Counts the divisions of the ranks into two samples by their rank sum (B. Streitberg and J. Röhmel, 1986).

    The ranks are added one by one: after k ranks, ``ways[s, t]`` is the number of sets of s of them with the sum t. The
    largest group of ties is not added one by one: it supplies the ranks that a set still lacks, and the binomial
    coefficient counts the choices. Sums are counted from the nearer end up to the observed one. Tied ranks are means,
    so twice a rank is an integer; the greatest common divisor is divided out.

    Parameters
    ----------
    first, second : ndarray, shape (n,) and (m,), float64
        Samples; may be infinite, but not NaN.
    """

    def __init__(self, first: NDArray[np.float64], second: NDArray[np.float64]) -> None:
        small, large = (first, second) if first.size <= second.size else (second, first)
        _, group, ties = np.unique(np.concatenate([small, large]), return_inverse=True, return_counts=True)
        ranks = 2 * np.cumsum(ties) - ties
        ranks = (ranks - ranks[0]) // max(1, np.gcd.reduce(ranks - ranks[0]))
        self._size, in_small = small.size, np.bincount(group[: small.size], minlength=ties.size)
        limit = int(in_small @ ranks)
        other = int(in_small @ (ranks[-1] - ranks))
        self._limit, self._ranks = (limit, ranks) if limit <= other else (other, ranks[-1] - ranks)
        self._ties, self._largest = ties, int(np.argmax(ties))

    @property
    def feasible(self) -> bool:
        """Whether computing `p` takes at most `MAX_WORK` additions."""
        count = int(self._ties.sum())
        added = count - int(self._ties[self._largest])
        return count <= _MAX_RANKS and added * (min(self._size, added) + 1) * (self._limit + 1) <= MAX_WORK

    def p(self) -> float:
        """Return the two-sided p-value: twice the share of divisions at least as extreme, on the nearer side."""
        counts = self._count_divisions()
        total = float(_compute_binomial(int(self._ties.sum()), self._size))
        tail = float(counts.sum()) / total
        beyond = 1.0 - tail + float(counts[-1]) / total  # from the observed sum to the other end
        return min(1.0, 2.0 * min(tail, beyond))

    def _count_divisions(self) -> NDArray[np.float64]:
        """Return the number of divisions by rank sum, up to the observed one; exact to 12 digits or more."""
        added = np.delete(np.repeat(np.arange(self._ties.size), self._ties), self._find_largest_group())
        ways = np.zeros((min(self._size, added.size) + 1, self._limit + 1))
        ways[0, 0] = 1
        for rank in np.sort(self._ranks[added]).tolist():
            if rank <= self._limit:
                ways[1:, rank:] = ways[1:, rank:] + ways[:-1, : ways.shape[1] - rank]
        counts, tied, rank = np.zeros(self._limit + 1), int(self._ties[self._largest]), int(self._ranks[self._largest])
        for chosen in range(ways.shape[0]):
            lacking = self._size - chosen
            if lacking <= tied and lacking * rank <= self._limit:
                counts[lacking * rank :] += (
                    _compute_binomial(tied, lacking) * ways[chosen, : self._limit + 1 - lacking * rank]
                )
        return counts

    def _find_largest_group(self) -> slice:
        start = int(self._ties[: self._largest].sum())
        return slice(start, start + int(self._ties[self._largest]))


def _compute_binomial(count: int, chosen: int) -> float:
    """Return the binomial coefficient."""
    from scipy.special import comb

    return float(comb(count, chosen, exact=True))
