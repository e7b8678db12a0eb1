"""Nearest cities for annealing, for instances of any size. Imports Numba: for use inside `solve()`."""

import numpy as np

from data.instance import Instance
from solvers.algorithms.annealing.kernels.neighbours_cpu import nearest_cities
from solvers.core.neighbours import neighbours
from solvers.kernels.distance_rows_cpu import MATRIX, Measure

#: Number of cities to check between two points at which the thread can be stopped.
_WORK = 5_000_000


def find_nearest(instance: Instance, measure: Measure, count: int) -> np.ndarray:
    """Return the nearest cities of each city by unrounded distance, or by the matrix outside the plane; ties by index.

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
    at = 0
    while near.size and at < instance.n:
        at = nearest_cities(points, by_x, near, at, _WORK)
    return near
