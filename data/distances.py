"""Distances after TSPLIB 95, exact to the integer.

The formulas of EUC_2D, CEIL_2D, GEO and ATT are those of G. Reinelt, "TSPLIB 95", Universität Heidelberg (1995),
section 2. For GEO, degrees are truncated as in TSPLIB's own program (its text says "nearest integer", which does not
give the published optima), and pi is 3.141592. A city's distance to itself is 0 in every kind.
"""

from itertools import combinations_with_replacement

import numpy as np

from data.errors import InvalidInstance
from data.instance import Instance
from data.interruption import check_between
from data.limits import MAX_MATRIX

_GEO_PI = 3.141592
_GEO_RADIUS = 6378.388
# Cities along a block: the temporaries fit the second-level cache, three times as fast as blocks of a million pairs.
_SIDE = 1 << 8


def _root(p: np.ndarray, q: np.ndarray, divisor: float = 1.0) -> np.ndarray:
    dx = p[..., 0] - q[..., 0]
    dy = p[..., 1] - q[..., 1]
    # In place: a large matrix takes most of its time to move temporaries through the caches.
    dx *= dx
    dy *= dy
    dx += dy
    dx /= divisor
    return np.sqrt(dx)


def _euc_2d(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    # The C cast truncates, and the root is never negative: floor(x + 0.5) is TSPLIB's nint.
    return np.floor(_root(p, q) + 0.5)


def _ceil_2d(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    return np.ceil(_root(p, q))


def _att(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    exact = _root(p, q, 10.0)
    rounded = np.floor(exact + 0.5)
    return rounded + (rounded < exact)


def _geo(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    q1 = np.cos(p[..., 1] - q[..., 1])
    q2 = np.cos(p[..., 0] - q[..., 0])
    q3 = np.cos(p[..., 0] + q[..., 0])
    # Rounding can make the cosine of coincident places slightly larger than 1, of which arccos is NaN.
    cosine = np.clip(0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3), -1.0, 1.0)
    return np.floor(_GEO_RADIUS * np.arccos(cosine) + 1.0)


_MEASURES = {"EUC_2D": _euc_2d, "CEIL_2D": _ceil_2d, "ATT": _att, "GEO": _geo}


def geo_degrees(coordinates: np.ndarray) -> np.ndarray:
    """Decimal degrees of TSPLIB's degrees.minutes, float64, same shape."""
    degrees = np.trunc(coordinates)
    return degrees + 5.0 * (coordinates - degrees) / 3.0


def _points(instance: Instance) -> np.ndarray:
    """The arguments of the instance's distance formula: radians for GEO, else the coordinates."""
    assert instance.coordinates is not None
    return _arguments(instance.kind, instance.coordinates)


def _arguments(kind: str, coordinates: np.ndarray) -> np.ndarray:
    if kind != "GEO":
        return coordinates
    # In the order of Reinelt's formula, so that the last bit agrees.
    return _GEO_PI * geo_degrees(coordinates) / 180.0


def distance_matrix(instance: Instance) -> np.ndarray:
    """All distances.

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
    return coordinate_matrix(instance.kind, instance.coordinates)


def coordinate_matrix(kind: str, coordinates: np.ndarray) -> np.ndarray:
    """All distances of cities with coordinates.

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
    measure, points, n = _MEASURES[kind], _arguments(kind, coordinates), len(coordinates)
    matrix = np.empty((n, n), np.int32)
    parts = [slice(start, start + _SIDE) for start in range(0, n, _SIDE)]
    for rows, columns in check_between(combinations_with_replacement(parts, 2)):
        block = measure(points[rows, None], points[None, columns])
        matrix[rows, columns] = block
        matrix[columns, rows] = block.T
    np.fill_diagonal(matrix, 0)
    return matrix


def edge_lengths(instance: Instance, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Distances from the cities `a` to the cities `b`, pair by pair.

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
        points = _points(instance)
        lengths = _MEASURES[instance.kind](points[a], points[b]).astype(np.int64)
    return np.where(a == b, 0, lengths)


def tour_length(instance: Instance, order: np.ndarray) -> int:
    """Exact length of a closed tour in its order, summed in 64-bit integers.

    Parameters
    ----------
    instance : Instance
    order : ndarray, shape (n,), int
        Each city once, as indices from 0.

    Raises
    ------
    InvalidInstance
        ``NOT_A_TOUR``.
    """
    check_tour(instance.n, order)
    order = np.asarray(order)
    return int(edge_lengths(instance, order, np.roll(order, -1)).sum())


def check_tour(n: int, order: np.ndarray) -> None:
    """Raise an error unless `order` has each of the cities 0 to n - 1 exactly once.

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
