"""Compares published figures with ours: ratios, and where ours fall short."""

from papers.model import Entry
from papers.results import MeasuredTable

#: Units for which less is better, and units for which more is better.
_LESS, _MORE = ("ms", "s"), ("x", "%", "GB/s", "billion moves/s")
#: Our figure counts as equal if it is worse by at most this share, since two runs of one program may differ as much.
TOLERANCE = 0.01


def compute_ratio(column: str, unit: str, published: float | None, ours: float | None) -> float | None:
    """Return the ratio by which our figure is better than the published one; above 1, ours is better.

    Parameters
    ----------
    column, unit : str
        Name and unit, which decide whether less or more is better.
    published, ours : float or None

    Returns
    -------
    float or None
        None if a figure is missing, or neither less nor more is better, as for a number of cities.
    """
    if not published or not ours:
        return None
    if unit in _LESS or (not unit and "length" in column):
        return published / ours
    return ours / published if unit in _MORE else None


def compute_ratios(entry: Entry, measured: MeasuredTable) -> dict[tuple[str, str], float]:
    """Return the ratio of each row and column that has one, in the order of the published figures."""
    if entry.published is None:
        return {}
    result = {}
    for row in entry.published.rows:
        for column, unit in zip(entry.published.columns, entry.published.units, strict=True):
            times = compute_ratio(column, unit, entry.published.figure(row, column), measured.figure(row, column))
            if times is not None:
                result[row, column] = times
    return result


def falls_short(times: float) -> bool:
    """Return whether a ratio falls short of the paper."""
    return times < 1 - TOLERANCE
