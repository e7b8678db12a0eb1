"""The test of Mann and Whitney, and the effect size of Vargha and Delaney, for many pairs of samples at once."""

import numpy as np

#: With at most so many runs on either side the test is exact.
EXACT = 25
#: How far A12 is from 0.5 at least, and what that is called.
_SIZES = ((0.21, "large"), (0.14, "medium"), (0.06, "small"), (0.0, "negligible"))


def mann_whitney(first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two-sided test of H. B. Mann and D. R. Whitney (1947), a pair of samples a row.

    By SciPy, exactly or by the normal distribution with corrections for ties and continuity; where few runs tie, for
    which SciPy has no exact formula, by all ways to share the ranks out (`_permutations`). The normal distribution
    would find p < 0.05 in three runs against three, which no three runs can show.

    Parameters
    ----------
    first : ndarray, shape (c, n), float64
        May be infinite, not NaN.
    second : ndarray, shape (c, m), float64

    Returns
    -------
    u : ndarray, shape (c,), float64
        Of the first sample: in how many pairs it is the greater, a tie counting half.
    p : ndarray, shape (c,), float64
    method : ndarray, shape (c,), str
        ``exact``, ``permutation`` or ``asymptotic``.
    """
    from scipy.stats import mannwhitneyu

    together = np.sort(np.concatenate([first, second], axis=1), axis=1)
    tied = (together[:, 1:] == together[:, :-1]).any(axis=1)
    few = max(first.shape[1], second.shape[1]) <= EXACT
    method = np.where(tied, "permutation", "exact") if few else np.full(tied.size, "asymptotic")
    u, p = np.empty(tied.size), np.empty(tied.size)
    for name in np.unique(method):
        rows = method == name
        by_scipy = "exact" if name == "exact" else "asymptotic"
        found = mannwhitneyu(first[rows], second[rows], axis=1, method=by_scipy)
        u[rows], p[rows] = found.statistic, found.pvalue
    for row in np.flatnonzero(method == "permutation"):
        p[row] = _permutations(first[row], second[row])
    return u, p, method


def _permutations(first: np.ndarray, second: np.ndarray) -> float:
    """Two-sided p of the rank sum among all ways to share out the ranks that there are, ties and all.

    The distribution is built rank by rank, as B. Streitberg and J. Röhmel (1986) do: after k ranks, ``ways[s, t]``
    is how many sets of s of them have the sum t. Ranks of ties are means, so twice a rank is whole. Counts stay below
    2**53, so float64 holds them exactly.
    """
    from scipy.stats import rankdata

    values = np.concatenate([first, second]) if first.size <= second.size else np.concatenate([second, first])
    size = min(first.size, second.size)
    ranks = (2 * rankdata(values)).astype(np.int64)
    ranks -= ranks.min()
    ways = np.zeros((size + 1, int(np.sort(ranks)[-size:].sum()) + 1))
    ways[0, 0] = 1
    for rank in ranks.tolist():
        ways[1:, rank:] = ways[1:, rank:] + ways[:-1, : ways.shape[1] - rank]
    counts, observed = ways[size], int(ranks[:size].sum())
    tail = min(counts[: observed + 1].sum(), counts[observed:].sum())
    return min(1.0, 2.0 * float(tail / counts.sum()))


def least_p(first: int, second: int) -> float:
    """The least p that samples of such sizes can give: that of samples which do not overlap."""
    _, p, _ = mann_whitney(np.arange(first)[None, :] * 1.0, np.arange(first, first + second)[None, :] * 1.0)
    return float(p[0])


def size_in_words(a12: float) -> str:
    """What an A12 is called, by A. Vargha and H. D. Delaney (2000, p. 106): 0.56, 0.64 and 0.71, or as far below 0.5.

    Returns
    -------
    str
        ``negligible``, ``small``, ``medium`` or ``large``.
    """
    away = round(abs(a12 - 0.5), 12)  # 0.71 - 0.5 is a little less than 0.21 in binary
    return next(word for least, word in _SIZES if away >= least)


def holm(p: np.ndarray) -> np.ndarray:
    """p corrected for the number of tests, step down: S. Holm (1979).

    With m tests, the k-th least p (k from 0) is multiplied by m - k, and is at least the one before it, at most 1.

    Parameters
    ----------
    p : ndarray, shape (m,), float64

    Returns
    -------
    ndarray, shape (m,), float64
        In the order of `p`. The chance that any of those below a level is there by chance alone is at most that level.
    """
    order = np.argsort(p, kind="stable")
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1)))
    return corrected
