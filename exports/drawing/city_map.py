"""Cities' positions on a picture, and lines through them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from data.instance import Instance
from data.paths import open_order
from exports.drawing.date_line import split_at_date_line, split_at_gaps

MARGIN = 0.04
#: Minimum and maximum ratio of an animation map's height to its width.
_MIN_RATIO, _MAX_RATIO = 0.4, 1.1


@dataclass(frozen=True, slots=True, eq=False)
class CityMap:
    """Cities' positions on a picture.

    Attributes
    ----------
    places : ndarray, shape (n, 2), float64
        The cities in pixels, or in the unit of the picture; y downwards.
    size : (int, int)
        Width and height of the picture in pixels.
    date_line : (float, float) or None
        x of 180 degrees west and east on a map of the globe.
    rim : float
        Width in pixels of the margins on the left and right that no line enters.
    open_order : callable or None
        Returns the order of a tour's path, if a path is drawn.
    """

    places: np.ndarray
    size: tuple[int, int]
    date_line: tuple[float, float] | None = None
    rim: float = 0.0
    open_order: Callable[[np.ndarray], np.ndarray] | None = None

    def tour(self, order: np.ndarray) -> list[np.ndarray]:
        """Return a tour as lines, (k, 2) each, closed unless it crosses the date line."""
        if self.open_order is not None:
            return self._lines(self.places[self.open_order(order)])
        lines = self._lines(self.places[np.append(order, order[:1])])
        if len(lines) > 1:
            lines[0] = np.concatenate([lines.pop(), lines[0][1:]])
        return lines

    def edges(self, pairs: np.ndarray | Sequence) -> list[np.ndarray]:
        """Return edges between pairs of cities, (m, 2) int, as lines; one across the date line becomes two."""
        ends = self.places[np.asarray(pairs, np.intp).reshape(-1, 2)]
        gaps = np.full((len(ends), 1, 2), np.nan)
        return self._lines(np.concatenate([ends, gaps], axis=1).reshape(-1, 2))

    def upwards(self) -> "CityMap":
        """Return the map with y upwards."""
        return replace(self, places=np.column_stack([self.places[:, 0], self.size[1] - self.places[:, 1]]))

    def _lines(self, points: np.ndarray) -> list[np.ndarray]:
        if self.date_line is not None:
            points = split_at_date_line(points, self.date_line, (self.rim, self.size[0] - self.rim))
        return split_at_gaps(points)


def fit(instance: Instance, side: float) -> CityMap:
    """Return a map whose longer side has `side` pixels.

    The map's aspect ratio is at most 2 to 1, so that there is space for text even if all cities lie on a line.
    """
    span = _measure_span(instance)
    inner = side * (1 - 2 * MARGIN)
    scale = inner / span.max()
    size = np.maximum(span * scale, inner / 2) + 2 * MARGIN * side
    return _centre_cities(instance, scale, size)


def fit_width(instance: Instance, width: int) -> CityMap:
    """Return a map of this width in pixels, neither very flat nor very tall."""
    span = _measure_span(instance)
    margin = MARGIN * width
    height = float(
        np.clip((width - 2 * margin) * span[1] / span[0] + 2 * margin, _MIN_RATIO * width, _MAX_RATIO * width)
    )
    size = np.array([width, round(height)])
    return _centre_cities(instance, ((size - 2 * margin) / span).min(), size)


def fit_sheet(instance: Instance, sides: tuple[int, int], rim: float) -> CityMap:
    """Return the largest map within a sheet's margin, in portrait or landscape, whichever suits the cities."""
    span = _measure_span(instance)
    sheet = np.array(sorted(sides, reverse=bool(span[0] > span[1])), float)
    return _centre_cities(instance, ((sheet - 2 * rim) / span).min(), sheet, rim / 2)


def _scale_positions(instance: Instance) -> tuple[np.ndarray, float]:
    """Return positions with y upwards and equal scales, and the x length of a unit of `Instance.display`.

    On the globe, longitude is multiplied by the cosine of the mean latitude.
    """
    places = instance.display.astype(np.float64)
    across = float(np.cos(np.radians(places[:, 1].mean()))) if instance.is_on_globe else 1.0
    return places * (across, 1.0), across


def _measure_span(instance: Instance) -> np.ndarray:
    return np.maximum(np.ptp(_scale_positions(instance)[0], axis=0), 1e-9)


def _centre_cities(instance: Instance, scale: float, size: np.ndarray, rim: float = 0.0) -> CityMap:
    """Return the map with its cities centred in the picture."""
    places, across = _scale_positions(instance)
    low = places.min(axis=0)
    corner = (size - _measure_span(instance) * scale) / 2
    at = (places - low) * scale + corner
    at[:, 1] = size[1] - at[:, 1]
    west, east = ((side * across - low[0]) * scale + corner[0] for side in (-180.0, 180.0))
    date_line = (west, east) if instance.is_on_globe else None
    path = partial(open_order, instance) if instance.is_path else None
    return CityMap(at, (round(size[0]), round(size[1])), date_line, rim, path)


def format_path(lines: Sequence[np.ndarray], digits: int) -> str:
    """Format lines as an SVG path's data, closing those that end where they start."""
    return " ".join(_format_piece(line, digits) for line in lines)


def is_closed(line: np.ndarray) -> bool:
    """Return whether a line ends where it starts."""
    return bool((line[0] == line[-1]).all())


def _format_piece(line: np.ndarray, digits: int) -> str:
    closed = is_closed(line)
    points = " ".join(f"{x:.{digits}f},{y:.{digits}f}" for x, y in line[: len(line) - closed].tolist())
    return f"M {points} Z" if closed else f"M {points}"
