"""Published figures beside ours: how many times as good ours are, and where they fall short."""

from papers.model import Entry
from papers.results import Measured

#: Units of which less is better, and those of which more is.
_LESS, _MORE = ("ms", "s"), ("x", "%", "GB/s", "billion moves/s")
#: Ours are as good as published ones if they are no more than this share worse: two runs of one program differ as much.
TOLERANCE = 0.01


def ratio(column: str, unit: str, published: float | None, ours: float | None) -> float | None:
    """How many times as good as the published figure ours is: above 1, ours is better.

    Parameters
    ----------
    column, unit : str
        Which say whether less or more of it is better.
    published, ours : float or None

    Returns
    -------
    float or None
        None where a figure is missing, or neither less nor more is better, as of a number of cities.
    """
    if not published or not ours:
        return None
    if unit in _LESS or (not unit and "length" in column):
        return published / ours
    return ours / published if unit in _MORE else None


def ratios(entry: Entry, measured: Measured) -> dict[tuple[str, str], float]:
    """The `ratio` of each row and column that has one, in the order of the published figures."""
    if entry.published is None:
        return {}
    found = {}
    for row in entry.published.rows:
        for column, unit in zip(entry.published.columns, entry.published.units, strict=True):
            times = ratio(column, unit, entry.published.figure(row, column), measured.figure(row, column))
            if times is not None:
                found[row, column] = times
    return found


def is_short(times: float) -> bool:
    """Whether a `ratio` falls short of the paper."""
    return times < 1 - TOLERANCE
