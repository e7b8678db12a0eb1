"""Computes where cities are drawn."""

import numpy as np

from data.distances import decimal_degrees
from data.instance import UNITS

#: Number of cities above which only the needed eigenvectors are computed, and missing edges get the length of the
#: longest edge.
_MANY = 1_500
#: Note for an instance that has only a matrix.
MDS_NOTE = "The instance has no coordinates: the map is drawn by classical multidimensional scaling of its distances."
#: Instances whose x is the latitude and whose y is the longitude to the west; unchanged, the country would lie on its
#: side.
_SIDEWAYS = frozenset({"usa13509"})


def place_by_coordinates(kind: str, coordinates: np.ndarray, name: str = "") -> np.ndarray:
    """Return drawing positions for an instance with coordinates.

    Parameters
    ----------
    kind : str
        One of `data.instance.KINDS` except EXPLICIT.
    coordinates : ndarray, shape (n, 2), float64
    name : str
        Name of the instance.

    Returns
    -------
    ndarray, shape (n, 2), float64
        x and y as given, north upwards; on the globe longitude and latitude in decimal degrees.
    """
    if name in _SIDEWAYS:
        return np.column_stack((-coordinates[:, 1], coordinates[:, 0]))
    if kind in UNITS:
        return np.array(decimal_degrees(kind, coordinates)[:, ::-1], order="C")
    return coordinates.copy()


def place_by_weights(weights: np.ndarray, missing_weight: int = 0) -> np.ndarray:
    """Return positions in the plane whose distances approximate the weights.

    For a directed matrix, the mean of both directions is approximated. The distance between two cities without an edge
    is the length of the shortest path between them (J. B. Tenenbaum, V. de Silva and J. C. Langford, "A global
    geometric framework for nonlinear dimensionality reduction", Science 290, 2000).

    The positions come from classical multidimensional scaling (W. S. Torgerson, "Multidimensional scaling: I. Theory
    and method", Psychometrika 17, 1952): the two leading eigenvectors of the doubly centred squared distances, scaled
    by the roots of their eigenvalues. The sign of each axis is fixed so that its largest entry is positive.

    Parameters
    ----------
    weights : ndarray, shape (n, n), int32
    missing_weight : int
        Length of a missing edge; 0 if there are none.

    Returns
    -------
    ndarray, shape (n, 2), float64
    """
    n = len(weights)
    lengths = weights.astype(np.float64)
    if missing_weight and n > _MANY:
        lengths[weights == missing_weight] = lengths[weights != missing_weight].max()
    elif missing_weight:
        # Imported here, since the import is slow and rarely needed.
        from scipy.sparse.csgraph import floyd_warshall

        # SciPy reads 0 as no edge.
        lengths = floyd_warshall(np.maximum(lengths, 1e-6))
    if not np.array_equal(weights, weights.T):
        lengths = (lengths + lengths.T) / 2
    centred = lengths**2
    centred -= centred.mean(axis=0)
    centred -= centred.mean(axis=1, keepdims=True)
    if n > _MANY:
        from scipy.sparse.linalg import eigsh

        values, vectors = eigsh(-0.5 * centred, 2, which="LA", v0=np.ones(n) + np.arange(n) / n)
    else:
        values, vectors = np.linalg.eigh(-0.5 * centred)
    positions = np.zeros((n, 2))
    for axis in range(min(2, n)):
        vector = vectors[:, -1 - axis]
        sign = 1.0 if vector[np.abs(vector).argmax()] >= 0.0 else -1.0
        positions[:, axis] = sign * vector * np.sqrt(max(values[-1 - axis], 0.0))
    return positions
