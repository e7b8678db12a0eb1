"""Distances as defined by TSPLIB 95, exact to the integer, and between places in whole kilometres or metres.

The formulas of EUC_2D, CEIL_2D, GEO and ATT come from G. Reinelt, "TSPLIB 95", Universität Heidelberg (1995), section
2. For GEO, degrees are truncated as in TSPLIB's own program (its text says "nearest integer", which does not give the
published optima), and pi is 3.141592. A city's distance to itself is 0 in every kind.

GEO reads degrees.minutes, rounds up to whole kilometres, and its globe is 0.12 % too large. HAVERSINE_KM and
HAVERSINE_M read decimal degrees and round to the nearest kilometre or metre of the great circle on a sphere of the
Earth's mean radius, 6,371.0088 km (H. Moritz, "Geodetic Reference System 1980", Journal of Geodesy 74, 2000). Their
formula loses no digits where places are close (R. W. Sinnott, "Virtues of the haversine", Sky and Telescope 68, 1984).
"""

from collections.abc import Callable
from functools import partial
from itertools import combinations_with_replacement

import numpy as np

from data.errors import InvalidInstance
from data.instance import UNITS, Instance
from data.interruption import check_between
from data.limits import MAX_MATRIX

_GEO_PI = 3.141592
_GEO_RADIUS = 6378.388
_MEAN_RADIUS = 6371.0088
# Upper bounds on distances on the globe, by unit.
_HALF_GLOBE = {"km": 20_039, "m": 20_039_000}
# Number of cities per side of a block. Its temporaries fit into the second-level cache, so it is three times as fast
# per pair as a block of a million pairs.
_SIDE = 1 << 8
# Number of edges of a tour that are measured at a time, for the same reason.
_PIECE = 1 << 13


def _round_root(p: np.ndarray, q: np.ndarray, divisor: float = 1.0) -> np.ndarray:
    dx = p[..., 0] - q[..., 0]
    dy = p[..., 1] - q[..., 1]
    # In place: with a large matrix, most of the time would go into moving temporaries through the caches.
    dx *= dx
    dy *= dy
    dx += dy
    dx /= divisor
    return np.sqrt(dx)


def _geo(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    q1 = np.cos(p[..., 1] - q[..., 1])
    q2 = np.cos(p[..., 0] - q[..., 0])
    q3 = np.cos(p[..., 0] + q[..., 0])
    # Rounding can make the cosine of coincident places slightly larger than 1, for which arccos is NaN.
    cosine = np.clip(0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3), -1.0, 1.0)
    return _GEO_RADIUS * np.arccos(cosine)


def _haversine(p: np.ndarray, q: np.ndarray, radius: float) -> np.ndarray:
    up = np.sin((p[..., 0] - q[..., 0]) / 2.0)
    across = np.sin((p[..., 1] - q[..., 1]) / 2.0)
    square = up * up + np.cos(p[..., 0]) * np.cos(q[..., 0]) * across * across
    return 2.0 * radius * np.arcsin(np.sqrt(np.minimum(square, 1.0)))


def _nearest(exact: np.ndarray) -> np.ndarray:
    # The C cast truncates, and no distance is negative, so floor(x + 0.5) is TSPLIB's nint.
    return np.floor(exact + 0.5)


def _att(exact: np.ndarray) -> np.ndarray:
    rounded = _nearest(exact)
    return rounded + (rounded < exact)


def _geo_up(exact: np.ndarray) -> np.ndarray:
    return np.floor(exact + 1.0)


#: Distance function and rounding of each kind.
_MEASURES: dict[str, tuple[Callable[..., np.ndarray], Callable[[np.ndarray], np.ndarray]]] = {
    "EUC_2D": (_round_root, _nearest),
    "CEIL_2D": (_round_root, np.ceil),
    "ATT": (partial(_round_root, divisor=10.0), _att),
    "GEO": (_geo, _geo_up),
    "HAVERSINE_KM": (partial(_haversine, radius=_MEAN_RADIUS), _nearest),
    "HAVERSINE_M": (partial(_haversine, radius=1000.0 * _MEAN_RADIUS), _nearest),
}


def decimal_degrees(kind: str, coordinates: np.ndarray) -> np.ndarray:
    """Convert coordinates on the globe to latitudes and longitudes in decimal degrees, float64."""
    if kind != "GEO":
        return coordinates
    degrees = np.trunc(coordinates)
    return degrees + 5.0 * (coordinates - degrees) / 3.0


def degrees_minutes(degrees: np.ndarray, decimals: int = 12) -> np.ndarray:
    """Convert decimal degrees to degrees.minutes, rounded to 0.1 µm by default; inverse of `decimal_degrees`."""
    whole_degrees = np.trunc(degrees)
    return np.round(whole_degrees + 0.6 * (degrees - whole_degrees), decimals) + 0.0


def _convert_arguments(kind: str, coordinates: np.ndarray) -> np.ndarray:
    """Return a kind's formula arguments: radians on the globe, otherwise the coordinates."""
    if kind not in UNITS:
        return coordinates
    # For GEO, this follows the order of Reinelt's formula, so that even the last bit agrees.
    return (_GEO_PI if kind == "GEO" else np.pi) * decimal_degrees(kind, coordinates) / 180.0


def exact_lengths(kind: str, p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Return distances before rounding.

    Parameters
    ----------
    kind : str
        One of `data.instance.KINDS` except EXPLICIT.
    p, q : ndarray, shape (..., 2), float64
        Coordinates.

    Returns
    -------
    ndarray, shape (...), float64
    """
    return _MEASURES[kind][0](_convert_arguments(kind, p), _convert_arguments(kind, q))


def distance_matrix(instance: Instance) -> np.ndarray:
    """Return the matrix of all distances.

    Parameters
    ----------
    instance : Instance

    Returns
    -------
    ndarray, shape (n, n), int32
        From row to column, with a zero diagonal; a new array even for EXPLICIT instances.

    Raises
    ------
    InvalidInstance
        ``LIMIT`` above `data.limits.MAX_MATRIX` cities.
    """
    if instance.weights is not None:
        return instance.weights.copy()
    n = instance.n
    if n > MAX_MATRIX:
        raise InvalidInstance(
            "LIMIT", f"A distance matrix is limited to {MAX_MATRIX:,} cities, and the instance has {n:,}."
        )
    assert instance.coordinates is not None
    matrix = coordinate_matrix(instance.kind, instance.coordinates)
    if instance.is_path:
        cities = np.arange(n)
        close_path(instance, matrix, cities[:, None], cities, maximum_distance(instance))
    return matrix


def close_path(instance: Instance, lengths: np.ndarray, a: np.ndarray, b: np.ndarray, far: int) -> None:
    """Overwrite the lengths of edges that enter a path's start or leave its end, in place; see `data.paths`.

    Parameters
    ----------
    instance : Instance
    lengths : ndarray, int
        Distances from the cities `a` to the cities `b`.
    a, b : ndarray of int
        Cities, broadcast to the shape of `lengths`.
    far : int
        Distance that no path contains: longer than all others.
    """
    to_start, from_end = b == instance.start, a == instance.end
    if instance.is_open:
        to_start = to_start | (a == instance.start)
    if instance.start is not None and instance.end is not None:
        lengths[(to_start | from_end) & (a != b)] = far
        lengths[to_start & from_end] = 0
    else:
        lengths[to_start | from_end] = 0


def maximum_distance(instance: Instance) -> int:
    """Return an upper bound on an instance's distances; for a path without a matrix, on those between its cities."""
    if instance.weights is not None:
        return max(0, int(instance.weights.max(initial=0)))
    if instance.is_on_globe:
        return _HALF_GLOBE[instance.unit]
    assert instance.coordinates is not None
    return int(np.hypot(*np.ptp(instance.coordinates, axis=0))) + 2


def coordinate_matrix(kind: str, coordinates: np.ndarray) -> np.ndarray:
    """Return all distances between cities with coordinates.

    Parameters
    ----------
    kind : str
        One of `data.instance.KINDS` except EXPLICIT.
    coordinates : ndarray, shape (n, 2), float64

    Returns
    -------
    ndarray, shape (n, n), int32
        Symmetric with a zero diagonal.
    """
    (measure, rounded), points, n = _MEASURES[kind], _convert_arguments(kind, coordinates), len(coordinates)
    matrix = np.empty((n, n), np.int32)
    parts = [slice(start, start + _SIDE) for start in range(0, n, _SIDE)]
    for rows, columns in check_between(combinations_with_replacement(parts, 2)):
        block = rounded(measure(points[rows, None], points[None, columns]))
        matrix[rows, columns] = block
        matrix[columns, rows] = block.T
    np.fill_diagonal(matrix, 0)
    return matrix


def edge_lengths(instance: Instance, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the distances from cities `a` to cities `b`, pair by pair.

    Parameters
    ----------
    instance : Instance
    a, b : ndarray of int, same shape
        Indices of cities from 0.

    Returns
    -------
    ndarray, same shape, int64
    """
    a, b = np.asarray(a), np.asarray(b)
    if instance.weights is not None:
        lengths = instance.weights[a, b].astype(np.int64)
    else:
        assert instance.coordinates is not None
        # several times as fast as `coordinates[a]`
        p, q = (np.take(instance.coordinates, each, axis=0) for each in (a, b))
        exact = exact_lengths(instance.kind, p, q)
        lengths = _MEASURES[instance.kind][1](exact).astype(np.int64)
        if instance.is_path:
            close_path(instance, lengths, a, b, maximum_distance(instance))
    return np.where(a == b, 0, lengths)


def tour_length(instance: Instance, order: np.ndarray) -> int:
    """Return a closed tour's exact length, summed in 64-bit integers.

    Parameters
    ----------
    instance : Instance
    order : ndarray, shape (n,), int
        Permutation of the cities, as indices from 0.

    Raises
    ------
    InvalidInstance
        ``NOT_A_TOUR``.
    """
    check_tour(instance.n, order)
    ends = np.append(order, order[:1])
    pieces = (ends[at : at + _PIECE + 1] for at in range(0, len(order), _PIECE))
    return sum(int(edge_lengths(instance, piece[:-1], piece[1:]).sum()) for piece in pieces)


def check_tour(n: int, order: np.ndarray) -> None:
    """Raise an error unless `order` is a permutation of the cities 0 to n - 1.

    Raises
    ------
    InvalidInstance
        ``NOT_A_TOUR``.
    """
    order = np.asarray(order)
    if order.ndim != 1 or (order.size and not np.issubdtype(order.dtype, np.integer)):
        raise InvalidInstance("NOT_A_TOUR", "A tour is a plain list of city numbers.")
    if order.size != n:
        raise InvalidInstance("NOT_A_TOUR", f"The tour names {order.size:,} cities and the instance has {n:,}.")
    if n and (order.min() < 0 or order.max() >= n):
        raise InvalidInstance("NOT_A_TOUR", "The tour names a city that the instance lacks.")
    visits = np.bincount(order, minlength=n)
    if n and visits.max() > 1:
        twice = int(visits.argmax()) + 1
        raise InvalidInstance("NOT_A_TOUR", f"The tour visits a city twice: number {twice:,} in the instance's order.")
