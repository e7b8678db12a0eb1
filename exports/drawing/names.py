"""Places cities' names on a saved picture, as `assets/common/map/names.js` does on the page.

A name never covers a city or another name, and covers as few of the tour's edges as possible. Names that do not fit are
left out, those of the last cities first.
"""

import numpy as np

from data.instance import Instance
from exports.drawing.canvas import LETTERS, NamePlace, load_typeface
from exports.drawing.city_map import CityMap

#: Maximum number of cities for names; with more cities, few names would have space.
MAX_CITIES = 1000
#: Distances in pixels between a city and its name: the usual one, and one for where space is short; for a width of
#: 1,600.
_GAPS = (7.0, 27.0)
#: Height of a name relative to its letters; number of directions for a name, starting at the upper right.
_LINE, _DIRECTIONS = 1.2, 8
#: Cost of a name per edge that it covers, and of the larger distance.
_CROSSING_COST, _DISTANCE_COST = 4, 3


def place_names(instance: Instance, cities: CityMap, order: np.ndarray, radius: float) -> list[NamePlace]:
    """Return positions for the names that fit into the picture.

    Parameters
    ----------
    instance : Instance
    cities : CityMap
    order : ndarray, shape (n,), int32
        The tour, whose edges the names cover as little as possible.
    radius : float
        Radius of a city in pixels.
    """
    if not instance.names or instance.n > MAX_CITIES:
        return []
    places, reach = cities.places, radius + 1
    occupied = [np.hstack([places - reach, places + reach])]
    edges = np.concatenate([np.hstack([line[:-1], line[1:]]) for line in cities.tour(order)])
    placed = []
    for city, text in enumerate(instance.names):
        if not text:
            continue
        width = float(load_typeface(LETTERS).getlength(text))
        boxes, costs = _make_boxes(places[city], width, radius)
        free = (boxes[:, :2] >= 0).all(axis=1) & (boxes[:, 2:] <= cities.size).all(axis=1)
        free &= ~_find_overlaps(boxes, np.concatenate(occupied)).any(axis=1)
        if not free.any():
            continue
        boxes, costs = boxes[free], costs[free]
        best = boxes[np.argmin(costs + _CROSSING_COST * _find_crossings(boxes, edges).sum(axis=1))]
        occupied.append(best[None])
        placed.append(NamePlace(text, float(best[0]), float(best[1] + best[3]) / 2, width))
    return placed


def _make_boxes(point: np.ndarray, width: float, radius: float) -> tuple[np.ndarray, np.ndarray]:
    """Return candidate boxes for a city's name, (k, 4) with columns left, top, right, bottom, and the cost of each."""
    angles = 2 * np.pi * np.arange(_DIRECTIONS) / _DIRECTIONS - np.pi / 4
    ways = np.column_stack([np.cos(angles), np.sin(angles)])
    half = np.array([width, _LINE * LETTERS]) / 2
    middles = np.concatenate([point + ways * (radius + gap) + np.round(ways) * half for gap in _GAPS])
    return np.hstack([middles - half, middles + half]), np.repeat([0, _DISTANCE_COST], _DIRECTIONS)


def _find_overlaps(boxes: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return whether each of k boxes overlaps each of m others, (k, m) bool."""
    low, high = boxes[:, None, :2], boxes[:, None, 2:]
    return np.all((low < others[None, :, 2:]) & (others[None, :, :2] < high), axis=2)


def _find_crossings(boxes: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Return whether each of m segments (m, 4) crosses each of k boxes, (k, m) bool; after Liang and Barsky."""
    start, direction = edges[None, :, :2], edges[None, :, 2:] - edges[None, :, :2]
    direction = np.where(direction == 0, 1e-12, direction)
    one, other = (boxes[:, None, :2] - start) / direction, (boxes[:, None, 2:] - start) / direction
    enters = np.maximum(np.minimum(one, other).max(axis=2), 0.0)
    return enters <= np.minimum(np.maximum(one, other).min(axis=2), 1.0)
