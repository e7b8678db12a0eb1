"""Average ranks of entries over instances, Friedman's test, and Nemenyi's critical difference."""

from dataclasses import dataclass

import numpy as np

from studies.stats.compare import LEVEL
from studies.stats.table import Table


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """Ranks of entries by median length; 1 is the shortest.

    Attributes
    ----------
    entries : ndarray, shape (k,), int64
        Codes of the entries.
    instances : ndarray, shape (i,), int64
        Codes of the instances on which every entry has a run; others do not count.
    ranks : ndarray, shape (i, k), float64
        Rank of each entry; entries with the same median share the mean of their ranks.
    average : ndarray, shape (k,), float64
        Mean rank over the instances; NaN without instances.
    statistic, p : float
        Friedman's test (1937), corrected for ties; NaN with fewer than three entries or two instances.
    critical_difference : float
        Smallest significant difference of two average ranks at `level`: P. B. Nemenyi (1963), after J. Demšar,
        "Statistical Comparisons of Classifiers over Multiple Data Sets" (Journal of Machine Learning Research 7, 2006),
        section 3.2.2. Meaningful only if p is below the level; NaN if p is NaN.
    level : float
    """

    entries: np.ndarray
    instances: np.ndarray
    ranks: np.ndarray
    average: np.ndarray
    statistic: float
    p: float
    critical_difference: float
    level: float


def rank_entries(table: Table, lengths: np.ndarray | None = None, level: float = LEVEL) -> Ranks:
    """Rank all entries with runs; `lengths` as in `studies.stats.compare.compare`."""
    from scipy.stats import rankdata

    lengths = table.runs.length if lengths is None else lengths
    values = np.where(lengths == 0, np.inf, lengths.astype(np.float64))
    entries, instances = np.unique(table.runs.entry), np.unique(table.runs.instance)
    medians = table.medians(values)[np.ix_(instances, entries)]
    complete = ~np.isnan(medians).any(axis=1)
    ranks = rankdata(medians[complete], axis=1) if complete.any() else np.empty((0, entries.size))
    average = ranks.mean(axis=0) if ranks.size else np.full(entries.size, np.nan)
    statistic, p, critical = _run_tests(ranks, level)
    return Ranks(entries, instances[complete], ranks, average, statistic, p, critical, level)


def _run_tests(ranks: np.ndarray, level: float) -> tuple[float, float, float]:
    """Return Friedman's statistic and p-value, and Nemenyi's critical difference."""
    from scipy.stats import friedmanchisquare, studentized_range

    instances, entries = ranks.shape
    if entries < 3 or instances < 2:
        return np.nan, np.nan, np.nan
    critical = studentized_range.ppf(1 - level, entries, np.inf) / np.sqrt(2)
    critical *= np.sqrt(entries * (entries + 1) / (6 * instances))
    if (ranks == ranks[:, :1]).all():  # all ranks are equal, so the statistic would be 0 / 0
        return 0.0, 1.0, float(critical)
    result = friedmanchisquare(*ranks.T)
    return float(result.statistic), float(result.pvalue), float(critical)
