"""X axes of curves: seconds, or evaluations or iterations if all entries share the unit."""

from dataclasses import dataclass

import numpy as np

from studies.stats.logs import AXES
from studies.stats.table import Table

#: Maximum number of points of a curve, more than a chart has pixels for.
POINTS = 500


class NotComparable(ValueError):
    """The request would compare different quantities; the message is a sentence."""


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """The points of an axis at which curves are computed.

    Attributes
    ----------
    axis, unit : str
        One of `AXES`, and its unit in the singular: "second", "move".
    x : ndarray, shape (g,), float64
        Ascending points.
    distinct : int
        Number of points at which a run found a shorter tour or ended.
    """

    axis: str
    unit: str
    x: np.ndarray
    distinct: int

    @property
    def is_thinned(self) -> bool:
        """Whether curves may change at more points than the grid has."""
        return self.distinct > self.x.size


def find_unit(table: Table, axis: str) -> str:
    """Return an axis's unit, in the singular, for all entries with runs.

    Raises
    ------
    NotComparable
        If the entries have different units.
    ValueError
        If there is no such axis.
    """
    if axis not in AXES:
        raise ValueError(f"There is no axis {axis!r:.40}; there are {', '.join(AXES)}.")
    if axis == "seconds":
        return "second"
    units = getattr(table.entries, f"{axis[:-1]}_units")
    labels_by_unit = {units[entry]: table.entries.labels[entry] for entry in np.unique(table.runs.entry).tolist()}
    if "" in labels_by_unit:
        raise NotComparable(
            f"The stages of {labels_by_unit['']} count different things, so there are only seconds to go by."
        )
    if len(labels_by_unit) > 1:
        units_text = ", ".join(f"{label} counts {name}s" for name, label in sorted(labels_by_unit.items()))
        raise NotComparable(f"The entries count different things as {axis} ({units_text}).")
    return next(iter(labels_by_unit), axis[:-1])


def make_grid(table: Table, axis: str, points: int = POINTS) -> Grid:
    """Return all points where a curve may change, thinned at equal ratios to at most `points`.

    Raises
    ------
    NotComparable, ValueError
        As `find_unit`.
    """
    axis_unit = find_unit(table, axis)
    x = np.concatenate([getattr(table.logs, axis), getattr(table.runs, axis)]).astype(np.float64)
    x = np.unique(x[x > 0])  # 0 has no logarithm; improvements at 0 count from the first point on
    if x.size <= points:
        return Grid(axis, axis_unit, x, x.size)
    return Grid(axis, axis_unit, np.geomspace(x[0], x[-1], points), x.size)
