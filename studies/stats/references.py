"""Reference lengths of instances (optimum, best known or best of the study), with gaps and accuracies."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from studies.stats.table import Table

OPTIMUM, BEST_KNOWN, BEST_HERE, UNKNOWN = "optimum", "best known", "best of this study", "unknown"


@dataclass(frozen=True, slots=True, eq=False)
class References:
    """Each instance's reference length and its kind, which is shown with every number derived from it.

    Attributes
    ----------
    length : ndarray, shape (i,), int64
        Reference lengths; 0 if none is known and no run has found a tour.
    kind : tuple of str
        ``optimum`` (proven), ``best known`` (published), ``best of this study`` (no other length is known, so a gap of
        0 % proves nothing) or ``unknown``.
    """

    length: np.ndarray
    kind: tuple[str, ...]

    @property
    def known(self) -> np.ndarray:
        """Mask of the instances whose reference is from outside the study, (i,) bool."""
        return np.array([kind in (OPTIMUM, BEST_KNOWN) for kind in self.kind], bool)


def find_references(table: Table) -> References:
    """Find a study's references; `table` must include all entries."""
    optimum, proven = table.instances.optimum, table.instances.proven
    lowest = np.full(optimum.size, np.iinfo(np.int64).max)
    has_tour = table.runs.length > 0
    np.minimum.at(lowest, table.runs.instance[has_tour], table.runs.length[has_tour])
    none = lowest == np.iinfo(np.int64).max
    length = np.where(optimum > 0, optimum, np.where(none, 0, lowest))
    kinds = np.where(optimum > 0, np.where(proven, OPTIMUM, BEST_KNOWN), np.where(none, UNKNOWN, BEST_HERE))
    return References(length, tuple(kinds.tolist()))


def gap_percent(length: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """Return the gaps of lengths to references, in per cent.

    Parameters
    ----------
    length : ndarray, int64
        Lengths; 0 where there is no tour.
    reference : ndarray, int64
        References, broadcastable to `length`; 0 where there is none.

    Returns
    -------
    ndarray, float64
        Infinite where there is no tour, NaN where there is a tour but no reference. The difference is computed in
        integers, so a gap is 0 only for the reference itself.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        gaps = 100.0 * (length - reference) / reference
    return np.where(length == 0, np.inf, np.where(reference == 0, np.nan, gaps))


def accuracy_percent(length: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """Return references divided by lengths, in per cent; parameters as for `gap_percent`.

    Returns
    -------
    ndarray, float64
        Minus infinity where there is no tour, NaN where there is a tour but no reference.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = 100.0 * reference / length
    return np.where(length == 0, -np.inf, np.where(reference == 0, np.nan, shares))


def max_length_within(reference: int, percent: float) -> int:
    """Return the longest length within `percent` per cent of a reference, computed exactly."""
    return reference + int(reference * Fraction(repr(float(percent))) // 100)
