"""Quantiles of values that may be infinite, as runs without a tour count as worst, not as missing."""

import numpy as np

QUARTILES = (0.25, 0.5, 0.75)


def compute_quantiles(values: np.ndarray, shares: tuple[float, ...] = QUARTILES) -> np.ndarray:
    """Return quantiles along the first axis, with NumPy's linear interpolation (type 7 of Hyndman and Fan, 1996).

    Leaving out infinite values would give the median of the successful runs only. So infinite values are included, and
    a quantile that would be interpolated with one of them is undefined.

    Parameters
    ----------
    values : ndarray, shape (r, ...), float64
        Values; may be infinite, but not NaN.
    shares : tuple of float

    Returns
    -------
    ndarray, shape (s, ...), float64
        NaN where undefined.
    """
    if values.shape[0] == 0:
        return np.full((len(shares), *values.shape[1:]), np.nan)
    ordered = np.sort(values, axis=0)
    position = np.array(shares) * (values.shape[0] - 1)
    below, above = np.floor(position).astype(int), np.ceil(position).astype(int)
    part = (position - below).reshape(-1, *(1,) * (values.ndim - 1))
    with np.errstate(invalid="ignore"):
        values = ordered[below] + np.where(part > 0, part * (ordered[above] - ordered[below]), 0.0)
    return np.where(np.isfinite(values), values, np.nan)
