"""The test of Mann and Whitney, and the effect size of Vargha and Delaney, for many pairs of samples at once."""

from math import comb

import numpy as np

from studies.stats.permutations import MOST_WORK, RankSumDistribution

#: How far A12 is from 0.5 at least, and what that is called.
_SIZES = ((0.21, "large"), (0.14, "medium"), (0.06, "small"), (0.0, "negligible"))


def mann_whitney(first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two-sided test of H. B. Mann and D. R. Whitney (1947), a pair of samples a row.

    Exactly wherever that is feasible: by SciPy without ties, and with ties, for which SciPy has no exact formula, by
    all ways to share the ranks out (`studies.stats.permutations`). The normal distribution is for the rest, large
    samples without heavy ties: it would find p < 0.05 in three runs against three, which no three runs can show, and p
    = 0.042 where 30 of 30 runs against 26 of 30 are at the optimum, which is p = 0.11.

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
    few = _few(first.shape[1], second.shape[1])
    method = np.where(tied, "permutation", "exact" if few else "asymptotic")
    u, p = np.empty(tied.size), np.empty(tied.size)
    for row in np.flatnonzero(tied):
        shares = RankSumDistribution(first[row], second[row])
        if shares.feasible:
            p[row] = shares.p()
        else:
            method[row] = "asymptotic"
    for name in np.unique(method):
        rows = method == name
        by_scipy = "exact" if name == "exact" else "asymptotic"
        found = mannwhitneyu(first[rows], second[rows], axis=1, method=by_scipy)
        u[rows] = found.statistic
        if name != "permutation":
            p[rows] = found.pvalue
    return u, p, method


def sign_test(sample: np.ndarray, value: float) -> float:
    """Two-sided p of so many runs being above one number and so many below; those that equal it are left out.

    For a sample against an algorithm without chance, whose runs are all one number: ten of them prove no more than one.
    W. J. Dixon and A. M. Mood, "The Statistical Sign Test" (Journal of the American Statistical Association 41, 1946).
    """
    from scipy.stats import binomtest

    above, below = int((sample > value).sum()), int((sample < value).sum())
    return float(binomtest(above, above + below).pvalue) if above + below else 1.0


def least_p(first: int, second: int) -> float:
    """The least p that samples of such sizes can give: that of samples which do not overlap."""
    return 2 / comb(first + second, first) if first + second > 2 else 1.0


def least_sign_p(runs: int) -> float:
    """The least p that so many runs against one number can give."""
    return min(1.0, 2.0 ** (1 - runs))


def _few(first: int, second: int) -> bool:
    """Whether an exact test of samples without ties takes no longer than a test may."""
    return (first + second) * (min(first, second) + 1) * first * second // 2 <= MOST_WORK


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
