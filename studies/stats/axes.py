"""What a curve goes along: seconds, or evaluations or iterations where all entries count the same thing."""

from dataclasses import dataclass

import numpy as np

from studies.stats.logs import AXES
from studies.stats.table import Table

#: Places along a curve, at most: more than a chart has pixels to show.
POINTS = 500


class NotComparable(ValueError):
    """What was asked for would put things side by side that are not the same; one sentence."""


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Places along an axis, at which curves are told.

    Attributes
    ----------
    axis, unit : str
        One of `AXES`, and what it counts, singular: "second", "move".
    x : ndarray, shape (g,), float64
        Rising.
    distinct : int
        At how many places some run's tour got shorter, or some run ended.
    """

    axis: str
    unit: str
    x: np.ndarray
    distinct: int

    @property
    def thinned(self) -> bool:
        """Whether the curves change at more places than are told, so that they are drawn at a part of them."""
        return self.distinct > self.x.size


def unit(table: Table, axis: str) -> str:
    """What an axis counts in all entries that have runs, singular.

    Raises
    ------
    NotComparable
        If they count different things.
    ValueError
        If there is no such axis.
    """
    if axis not in AXES:
        raise ValueError(f"There is no axis {axis!r:.40}; there are {', '.join(AXES)}.")
    if axis == "seconds":
        return "second"
    units = getattr(table.entries, f"{axis[:-1]}_units")
    counted = {units[entry]: table.entries.labels[entry] for entry in np.unique(table.runs.entry).tolist()}
    if "" in counted:
        raise NotComparable(f"The stages of {counted['']} count different things, so there are only seconds to go by.")
    if len(counted) > 1:
        told = ", ".join(f"{label} counts {name}s" for name, label in sorted(counted.items()))
        raise NotComparable(f"The entries count different things as {axis} ({told}), so there are only seconds.")
    return next(iter(counted), axis[:-1])


def grid(table: Table, axis: str, points: int = POINTS) -> Grid:
    """Every place where a curve may change, or `points` of them at equal ratios where there are more.

    Raises
    ------
    NotComparable, ValueError
        As `unit`.
    """
    counted = unit(table, axis)
    places = np.concatenate([getattr(table.logs, axis), getattr(table.runs, axis)]).astype(np.float64)
    places = np.unique(places[places > 0])  # what was found at 0 counts from the first place on: 0 has no logarithm
    if places.size <= points:
        return Grid(axis, counted, places, places.size)
    return Grid(axis, counted, np.geomspace(places[0], places[-1], points), places.size)
