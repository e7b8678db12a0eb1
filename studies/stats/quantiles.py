"""Quantiles of numbers some of which are infinite: runs without a tour are worse than all others, not absent."""

import numpy as np

QUARTILES = (0.25, 0.5, 0.75)


def quantiles(values: np.ndarray, shares: tuple[float, ...] = QUARTILES) -> np.ndarray:
    """Quantiles down the first axis, by linear interpolation as NumPy's default (type 7 of Hyndman and Fan, 1996).

    Leaving out what is infinite would make a median of the lucky runs alone. So it takes part, and the quantile is
    undefined where it comes to lie beside it.

    Parameters
    ----------
    values : ndarray, shape (r, ...), float64
        Not NaN; may be infinite.
    shares : tuple of float

    Returns
    -------
    ndarray, shape (s, ...), float64
        NaN where undefined.
    """
    if values.shape[0] == 0:
        return np.full((len(shares), *values.shape[1:]), np.nan)
    ordered = np.sort(values, axis=0)
    place = np.array(shares) * (values.shape[0] - 1)
    below, above = np.floor(place).astype(int), np.ceil(place).astype(int)
    part = (place - below).reshape(-1, *(1,) * (values.ndim - 1))
    with np.errstate(invalid="ignore"):
        found = ordered[below] + np.where(part > 0, part * (ordered[above] - ordered[below]), 0.0)
    return np.where(np.isfinite(found), found, np.nan)
