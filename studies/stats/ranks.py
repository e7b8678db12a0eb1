"""Average ranks of entries over instances, with the test of Friedman and the critical difference of Nemenyi."""

from dataclasses import dataclass

import numpy as np

from studies.stats.compare import LEVEL
from studies.stats.table import Table


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """How entries rank by their median lengths; 1 is the shortest.

    Attributes
    ----------
    entries : ndarray, shape (k,), int64
        Codes.
    instances : ndarray, shape (i,), int64
        Those that count: where every entry has a run.
    ranks : ndarray, shape (i, k), float64
        Entries with the same median share the mean of their ranks.
    average : ndarray, shape (k,), float64
        Over the instances; NaN where there are none.
    statistic, p : float
        Of the test of M. Friedman (1937), corrected for ties; NaN with less than three entries or two instances.
    critical_difference : float
        Two average ranks that are so far apart differ at `level`: P. B. Nemenyi (1963), as J. Demšar, "Statistical
        Comparisons of Classifiers over Multiple Data Sets" (Journal of Machine Learning Research 7, 2006), section
        3.2.2, has it. To be looked at only where p is below the level. NaN as p.
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
    """Rank all entries that have runs; `lengths` as in `studies.stats.compare.compare`."""
    from scipy.stats import rankdata

    whole = table.runs.length if lengths is None else lengths
    values = np.where(whole == 0, np.inf, whole.astype(np.float64))
    entries, instances = np.unique(table.runs.entry), np.unique(table.runs.instance)
    medians = np.full((instances.size, entries.size), np.nan)
    for instance, entry, rows in table.groups():
        medians[np.searchsorted(instances, instance), np.searchsorted(entries, entry)] = np.median(values[rows])
    whole_rows = ~np.isnan(medians).any(axis=1)
    ranks = rankdata(medians[whole_rows], axis=1) if whole_rows.any() else np.empty((0, entries.size))
    average = ranks.mean(axis=0) if ranks.size else np.full(entries.size, np.nan)
    statistic, p, critical = _tests(ranks, level)
    return Ranks(entries, instances[whole_rows], ranks, average, statistic, p, critical, level)


def _tests(ranks: np.ndarray, level: float) -> tuple[float, float, float]:
    """Friedman's statistic and p, and Nemenyi's critical difference."""
    from scipy.stats import friedmanchisquare, studentized_range

    instances, entries = ranks.shape
    if entries < 3 or instances < 2:
        return np.nan, np.nan, np.nan
    critical = studentized_range.ppf(1 - level, entries, np.inf) / np.sqrt(2)
    critical *= np.sqrt(entries * (entries + 1) / (6 * instances))
    if (ranks == ranks[:, :1]).all():  # nobody is ahead anywhere: the statistic would be 0 / 0
        return 0.0, 1.0, float(critical)
    found = friedmanchisquare(*ranks.T)
    return float(found.statistic), float(found.pvalue), float(critical)
