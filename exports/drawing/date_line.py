"""Lines across the date line, which leave the map on one side and return on the other."""

import numpy as np


def split_at_date_line(
    points: np.ndarray,
    date_line: tuple[float, float] = (-180.0, 180.0),
    border: tuple[float, float] = (-np.inf, np.inf),
) -> np.ndarray:
    """Split each edge that spans more than half the globe, as in `assets/common/map/date_line.js`.

    Parameters
    ----------
    points : ndarray, shape (k, 2), float64
        Points of the line; NaN at a gap.
    date_line : (float, float)
        x of 180 degrees west and east.
    border : (float, float)
        Smallest and largest x of the picture, where the parts of an edge end if the date line is farther out.

    Returns
    -------
    ndarray, shape (k + 3 * edges that are split, 2), float64
        A split edge has three more points: the end of its first part, a gap, the beginning of its second part.
    """
    west, east = date_line
    globe = east - west
    x = points[:, 0]
    at = np.flatnonzero(np.abs(np.diff(x)) > globe / 2)  # never beside a gap
    if not at.size:
        return points
    start, end = points[at], points[at + 1]
    eastwards = start[:, 0] > end[:, 0]
    shift = np.where(eastwards, globe, -globe)
    sides = max(west, border[0]), min(east, border[1])
    leaves, returns = np.where(eastwards, sides[1], sides[0]), np.where(eastwards, sides[0], sides[1])
    direction = end - start
    direction[:, 0] += shift
    width = np.where(direction[:, 0] == 0.0, 1.0, direction[:, 0])
    parts = np.full((at.size, 3, 2), np.nan)
    for part, side, passed in ((0, leaves, leaves), (2, returns, returns + shift)):
        parts[:, part, 0] = side
        parts[:, part, 1] = start[:, 1] + (passed - start[:, 0]) / width * direction[:, 1]
    return np.insert(points, np.repeat(at + 1, 3), parts.reshape(-1, 2), axis=0)


def split_at_gaps(points: np.ndarray) -> list[np.ndarray]:
    """Return the lines between a line's gaps."""
    gap = np.isnan(points[:, 0])
    lines = (part[~np.isnan(part[:, 0])] for part in np.split(points, np.flatnonzero(gap)))
    return [line for line in lines if len(line)]
