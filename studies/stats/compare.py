"""Compares all pairs of entries on each instance, with p-values corrected for the number of comparisons."""

from dataclasses import dataclass, fields
from typing import Self

import numpy as np

from studies.stats.rank_test import correct_by_holm, effect_name, mann_whitney, sign_test
from studies.stats.table import Table

#: Corrected p-value below which a difference counts.
LEVEL = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class Comparisons:
    """Comparisons as columns, with a row for each instance and each pair of entries that have runs on it.

    Attributes
    ----------
    instance, first, second : ndarray, shape (c,), int64
        Codes, with `first` < `second`.
    runs_first, runs_second : ndarray, shape (c,), int64
    u : ndarray, shape (c,), float64
        Mann-Whitney statistic: number of pairs of runs in which the first is longer; a tie counts half.
    p, corrected : ndarray, shape (c,), float64
        Two-sided p-values, uncorrected and after Holm's correction for all rows.
    method : ndarray, shape (c,), str
        Method of p, see `studies.stats.rank_test.mann_whitney`; ``sign`` if one entry is deterministic, so that all its
        runs count as one number (`studies.stats.rank_test.sign_test`); ``certain`` if both are deterministic: then p is
        0, or 1 if their lengths are equal.
    a12 : ndarray, shape (c,), float64
        Probability that a run of the first entry ends shorter than one of the second; a tie counts half, and 0.5 means
        no difference (A. Vargha and H. D. Delaney, 2000).
    difference : ndarray, shape (c,), float64
        Median length of the first minus that of the second; NaN if a median run has no tour.
    all_equal : ndarray, shape (c,), bool
        Whether all runs of both entries have the same length.
    """

    instance: np.ndarray
    first: np.ndarray
    second: np.ndarray
    runs_first: np.ndarray
    runs_second: np.ndarray
    u: np.ndarray
    p: np.ndarray
    corrected: np.ndarray
    method: np.ndarray
    a12: np.ndarray
    difference: np.ndarray
    all_equal: np.ndarray

    def effect(self, row: int) -> str:
        """Return the name of a row's effect size; see `studies.stats.rank_test.effect_name`."""
        return effect_name(float(self.a12[row]))

    def take(self, rows: np.ndarray) -> Self:
        """Select comparisons by mask or indices; the p-values stay corrected for all comparisons."""
        return type(self)(**{column.name: getattr(self, column.name)[rows] for column in fields(self)})


def compare(table: Table, lengths: np.ndarray | None = None) -> Comparisons:
    """Compare the lengths of entries' runs on each instance.

    Parameters
    ----------
    table : Table
    lengths : ndarray, shape (r,), int64, optional
        Length of each run, 0 without a tour: `studies.stats.step_functions.lengths_at_budget` for a smaller budget; by
        default the lengths at the runs' ends.
    """
    lengths = table.runs.length if lengths is None else lengths
    values = np.where(lengths == 0, np.inf, lengths.astype(np.float64))
    samples = [(instance, entry, values[rows]) for instance, entry, rows in table.groups()]
    pairs = _list_pairs(samples)
    instance, entry, size = np.array([(i, e, sample.size) for i, e, sample in samples], np.int64).reshape(-1, 3).T
    fixed = np.array([_is_fixed(table, entry, sample) for _, entry, sample in samples], bool)
    u, p, method = _run_tests([sample for *_, sample in samples], fixed, pairs)
    lowest, median, greatest = np.array([(s.min(), np.median(s), s.max()) for *_, s in samples]).reshape(-1, 3).T
    a, b = pairs.T
    with np.errstate(invalid="ignore"):
        difference = median[a] - median[b]
    return Comparisons(
        instance=instance[a],
        first=entry[a],
        second=entry[b],
        runs_first=size[a],
        runs_second=size[b],
        u=u,
        p=p,
        corrected=correct_by_holm(p),
        method=method,
        a12=1.0 - u / (size[a] * size[b]),
        difference=np.where(np.isfinite(difference), difference, np.nan),
        all_equal=(lowest[a] == greatest[a]) & (lowest[a] == lowest[b]) & (lowest[b] == greatest[b]),
    )


def _list_pairs(samples: list[tuple[int, int, np.ndarray]]) -> np.ndarray:
    """Return indices of all pairs of samples on the same instance, (c, 2)."""
    instance = np.array([code for code, _, _ in samples], np.int64)
    first, second = np.triu_indices(instance.size, 1)
    same_instance = instance[first] == instance[second]
    return np.stack([first[same_instance], second[same_instance]], axis=1)


def _is_fixed(table: Table, entry: int, sample: np.ndarray) -> bool:
    """Return whether an entry's runs on an instance are all equal: deterministic, and not stopped by the clock."""
    random = table.entries.random
    return bool(random) and not random[entry] and bool((sample == sample[0]).all())


def _run_tests(
    samples: list[np.ndarray], fixed: np.ndarray, pairs: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return u, p and the method for each pair.

    Pairs of equal sizes are tested together, a fixed sample as one number.
    """
    u, p, method = np.empty(len(pairs)), np.empty(len(pairs)), np.empty(len(pairs), "<U16")
    sizes = np.array([sample.size for sample in samples], np.int64)
    for rows_first, rows_second in np.unique(sizes[pairs], axis=0).tolist():
        rows = np.flatnonzero((sizes[pairs] == (rows_first, rows_second)).all(axis=1))
        first, second = (np.stack([samples[place] for place in pairs[rows, side]]) for side in (0, 1))
        u[rows], p[rows], method[rows] = mann_whitney(first, second)
    for row in np.flatnonzero(fixed[pairs].any(axis=1)):
        a, b = pairs[row]
        if fixed[a] and fixed[b]:
            p[row], method[row] = float(samples[a][0] == samples[b][0]), "certain"
        else:
            sample, other = (samples[b], samples[a]) if fixed[a] else (samples[a], samples[b])
            p[row], method[row] = sign_test(sample, float(other[0])), "sign"
    return u, p, method
