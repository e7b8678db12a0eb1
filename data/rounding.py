"""Decides whether rounding can change which tour is shortest, and which unit is fine enough.

Rounding to the nearest whole number changes the length of a tour of n cities by at most n / 2. So does rounding up,
apart from half a unit per edge on average, which all tours gain alike. Neighbours on a good tour are about the
instance's spacing s apart, so its length is about n s, and rounding changes it by at most 1 / (2 s). `warn_if_coarse`
warns if that is more than an eighth, which means a spacing below four. The finest bundled instance, eil101, has a
spacing of 7.3, and TSPLIB's optimum still holds. A grid with step 1 has spacing 1; cities in the unit square have less.
"""

import numpy as np

from data.distances import exact_lengths
from data.instance import UNITS

#: Spacing below which rounding matters.
_COARSE = 4.0
#: Spacing in kilometres from which whole kilometres are fine enough, with an error of at most half a per cent.
_KILOMETRES = 100.0
#: Number of cities whose mutual distances are checked for fractions.
_SAMPLE = 200
#: Largest coordinate on the curve's grid, and the steps that insert a 0 before each of a number's 16 bits.
_CELLS = 65_535
_SPREAD = ((8, 0x00FF00FF), (4, 0x0F0F0F0F), (2, 0x33333333), (1, 0x55555555))


def measure_spacing(kind: str, coordinates: np.ndarray) -> float:
    """Return the median distance of cities next to each other on a space-filling curve; 0 if all coincide.

    The curve is G. M. Morton's (1966). A few long edges do not change a median: stops in two distant towns are as close
    as stops in one town. Coincident cities are ignored.

    Parameters
    ----------
    kind : str
        One of `data.instance.KINDS` except EXPLICIT.
    coordinates : ndarray, shape (n, 2), float64
    """
    if len(coordinates) < 2 or not (extent := float(np.ptp(coordinates, axis=0).max())):
        return 0.0
    low = coordinates.min(axis=0)
    keys = ((coordinates - low) * (_CELLS / extent)).astype(np.uint32)
    for shift, mask in _SPREAD:
        keys = (keys | keys << shift) & mask
    keys = keys[:, 0] | keys[:, 1] << 1
    ordered = coordinates[np.argsort(keys, kind="stable")]
    steps = exact_lengths(kind, ordered[:-1], ordered[1:])
    return float(np.median(steps[steps > 0.0])) if steps.any() else 0.0


def choose_degrees_kind(degrees: np.ndarray, share: float = 1.0) -> str:
    """Return the unit for places: whole kilometres if they are far apart, otherwise metres.

    Parameters
    ----------
    degrees : ndarray, shape (n, 2), float64
        Latitudes and longitudes in decimal degrees.
    share : float
        The share of all places that is given; with all of them, neighbours would be closer.
    """
    is_coarse = measure_spacing("HAVERSINE_KM", degrees) * share**0.5 >= _KILOMETRES
    return "HAVERSINE_KM" if is_coarse else "HAVERSINE_M"


def warn_if_coarse(kind: str, coordinates: np.ndarray) -> str:
    """Return a warning if rounding can change which tour is shortest; otherwise empty.

    Parameters
    ----------
    kind : str
        One of `data.instance.KINDS` except EXPLICIT.
    coordinates : ndarray, shape (n, 2), float64
    """
    apart = measure_spacing(kind, coordinates)
    if not 0.0 < apart < _COARSE or _are_whole(kind, coordinates):
        return ""
    matters = f"neighbours are about {apart:.2g} apart, so that rounding can decide which tour is best"
    if UNITS.get(kind) == "m":
        return f"Whole metres are coarse here: {matters}."
    if UNITS.get(kind) == "km":
        return f"Whole kilometres are coarse here: {matters}; scale by 1000 for metres."
    return f"Whole numbers are coarse here: {matters}; scale by 1000."


def _are_whole(kind: str, coordinates: np.ndarray) -> bool:
    """Return whether distances need no rounding, as for cities along a line."""
    some = coordinates[:: -(-len(coordinates) // _SAMPLE)]
    exact = exact_lengths(kind, some[:, None], some[None])
    return bool((np.abs(exact - np.rint(exact)) < 1e-9).all())
