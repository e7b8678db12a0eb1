"""Nearest cities for annealing, for instances of any size. Imports Numba: for use inside `solve()`."""

import numpy as np

from data.instance import Instance
from solvers.algorithms.annealing.kernels.neighbours_cpu import nearest_cities
from solvers.core.neighbours import neighbours
from solvers.kernels.distance_rows_cpu import MATRIX, Measure

#: Number of cities to check in one call, after which the thread can be stopped.
_WORK = 5_000_000


def find_nearest(instance: Instance, measure: Measure, count: int) -> np.ndarray:
    """Return each city's nearest cities; on ties the lower index comes first.

    Distances are unrounded in the plane, and otherwise those of the matrix.

    Parameters
    ----------
    instance : Instance
    measure : Measure
        The measure of the same instance.
    count : int

    Returns
    -------
    ndarray, shape (n, min(count, n - 1)), int32
    """
    if measure.policy == MATRIX:
        return neighbours(measure.matrix, count)
    assert instance.coordinates is not None
    points = np.array(instance.coordinates.T, np.float64, order="C")
    by_x = np.argsort(points[0], kind="stable").astype(np.int32)
    near = np.empty((instance.n, min(count, instance.n - 1)), np.int32)
    first = 0
    while near.size and first < instance.n:
        first = nearest_cities(points, by_x, near, first, _WORK)
    return near
