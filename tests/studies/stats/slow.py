"""Slow and obvious oracles: plain Python that walks a log point by point."""

import math
from fractions import Fraction

#: Of the instances of `tests.studies.tables.plain_studies`; of the second nothing is known.
OPTIMA = (1000, 0, 1100)


def slow_length(improvements, x):
    """The length at x: that of the last improvement at or before it; 0 before the first."""
    found = 0
    for at, length in improvements:
        if at <= x:
            found = length
    return found


def slow_time(improvements, target):
    """The time when a run first reached a target."""
    for at, length in improvements:
        if length <= target:
            return at
    return math.inf


def slow_references(rows):
    lowest = {}
    for instance, *_, improvements in rows:
        for _, length in improvements:
            lowest[instance] = min(length, lowest.get(instance, length))
    return [optimum or lowest.get(instance, 0) for instance, optimum in enumerate(OPTIMA)]


def slow_quantile(ordered, share):
    place = Fraction(share) * (len(ordered) - 1)
    low, part = ordered[int(place)], place - int(place)
    high = ordered[int(place) + 1] if part else low
    return low + float(part) * (high - low) if math.isfinite(high) else math.nan
