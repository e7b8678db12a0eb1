"""What lengths are held against: the optimum, the best known, or only the best of the study; and how far above it."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from studies.stats.table import Table

OPTIMUM, BEST_KNOWN, BEST_HERE, UNKNOWN = "optimum", "best known", "best of this study", "unknown"


@dataclass(frozen=True, slots=True, eq=False)
class References:
    """One length for each instance, and what it is: part of every answer that is made from it.

    Attributes
    ----------
    length : ndarray, shape (i,), int64
        0 where nothing is known, nor has a run found a tour.
    kind : tuple of str
        ``optimum`` (proven), ``best known`` (to the world), ``best of this study`` (nothing is known beside it, and
        0 % is no proof of anything) or ``unknown``.
    """

    length: np.ndarray
    kind: tuple[str, ...]

    @property
    def known(self) -> np.ndarray:
        """Which come from outside of the study, shape (i,), bool."""
        return np.array([kind in (OPTIMUM, BEST_KNOWN) for kind in self.kind], bool)


def references(table: Table) -> References:
    """What each instance's lengths are held against. Take it of the whole study, before any entry is left out."""
    known, proven = table.instances.optimum, table.instances.proven
    lowest = np.full(known.size, np.iinfo(np.int64).max)
    found = table.runs.length > 0
    np.minimum.at(lowest, table.runs.instance[found], table.runs.length[found])
    none = lowest == np.iinfo(np.int64).max
    length = np.where(known > 0, known, np.where(none, 0, lowest))
    kinds = np.where(known > 0, np.where(proven, OPTIMUM, BEST_KNOWN), np.where(none, UNKNOWN, BEST_HERE))
    return References(length, tuple(kinds.tolist()))


def gap_percent(length: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """By how much lengths are above references, in per cent.

    Parameters
    ----------
    length : ndarray, int64
        0 where there is no tour.
    reference : ndarray, int64
        Of a shape that goes with that of `length`; 0 where there is none.

    Returns
    -------
    ndarray, float64
        Infinite where there is no tour, NaN where there is one but no reference. The difference is taken in whole
        numbers, so that a gap is 0 for the reference itself and for nothing else.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        gaps = 100.0 * (length - reference) / reference
    return np.where(length == 0, np.inf, np.where(reference == 0, np.nan, gaps))


def accuracy_percent(length: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """The reference as a share of lengths, in per cent; parameters as above.

    Returns
    -------
    ndarray, float64
        Minus infinity where there is no tour, NaN where there is one but no reference.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = 100.0 * reference / length
    return np.where(length == 0, -np.inf, np.where(reference == 0, np.nan, shares))


def longest_within(reference: int, percent: float) -> int:
    """The longest length that is at most so many per cent above a reference, exactly; 0.1 means a thousandth."""
    return reference + int(reference * Fraction(repr(float(percent))) // 100)
