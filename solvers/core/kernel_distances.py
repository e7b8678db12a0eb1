"""An instance's distances as arrays for kernels. Imports Numba: for use inside `solve()`."""

import numpy as np

from data.distances import distance_matrix
from data.instance import Instance
from solvers.core.errors import InstanceTooLarge
from solvers.core.variant import matrix_sentence
from solvers.kernels import distance_rows_cpu
from solvers.kernels.distance_rows_cpu import GRID, MATRIX, Measure, Path, lay

_POLICIES = {"EUC_2D": distance_rows_cpu.EUC_2D, "CEIL_2D": distance_rows_cpu.CEIL_2D, "ATT": distance_rows_cpu.ATT}
#: The largest number whose square fits into an int32.
GRID_DIAGONAL = 46_340


def build_measure(instance: Instance) -> Measure:
    """Return the arrays from which kernels read or compute the instance's distances.

    Explicit distances, those of paths and those on the globe use a matrix. All others are computed when needed, which
    from 100 cities on is faster than reading a matrix, and takes no memory.

    Raises
    ------
    InstanceTooLarge
        If a 2-opt move's change in length could overflow 32 bits, or the matrix would be too large.
    """
    if instance.weights is not None or instance.is_on_globe or instance.is_path:
        return _build_matrix_measure(instance)
    assert instance.coordinates is not None
    points = np.array(instance.coordinates.T, np.float64, order="C")
    spans = np.ptp(points, axis=1)
    _check_range(instance, 0, float(np.hypot(*spans)) + 1)
    if instance.kind == "EUC_2D" and np.array_equal(points, np.rint(points)) and np.hypot(*spans) <= GRID_DIAGONAL:
        grid = (points - points.min(axis=1, keepdims=True)).astype(np.int32)
        return Measure(distance_rows_cpu.GRID, np.empty((0, 0), np.int32), np.empty((2, 0)), grid)
    return Measure(_POLICIES[instance.kind], np.empty((0, 0), np.int32), points, np.empty((2, 0), np.int32))


def _build_matrix_measure(instance: Instance) -> Measure:
    if reason := matrix_sentence(instance):
        raise InstanceTooLarge(reason)
    matrix = distance_matrix(instance)
    _check_range(instance, int(matrix.min()), int(matrix.max()))
    return Measure(distance_rows_cpu.MATRIX, matrix, np.empty((2, 0)), np.empty((2, 0), np.int32))


def _check_range(instance: Instance, low: float, high: float) -> None:
    """Raise an error if a move's change, two distances minus two others, could overflow an int32."""
    low, high = min(low, 0), max(high, 0)
    if 2 * (high - low) >= 2**31:
        raise InstanceTooLarge(
            f"{instance.name} has distances from {low:,.0f} to {high:,.0f}; moves are added up in 32 bits, which "
            "hold ranges below 1,073,741,824."
        )


def check_reversals(instance: Instance, matrix: np.ndarray) -> None:
    """Raise an error if the reversal of part of a directed tour could change its length by more than an int32 holds."""
    most = (2**31 - 1) // (instance.n + 1)
    if (spread := int(matrix.max()) - int(matrix.min())) > most:
        raise InstanceTooLarge(
            f"{instance.name} has directed distances that differ by {spread:,}; a record adds up those of a tour in 32 "
            f"bits, which hold differences of {most:,} here: scale the distances down, or use another algorithm."
        )


def new_path(measure: Measure, n: int) -> Path:
    """Return a path of n zeros, with the arrays that the measure needs."""
    points = n + 1 if measure.policy not in (MATRIX, GRID) else 0
    grid = n + 1 if measure.policy == GRID else 0
    city, edge = np.zeros(n + 1, np.int32), np.zeros(n + 1, np.int32)
    return Path(city, np.zeros((2, points)), np.zeros((2, grid), np.int32), edge)


def lay_identity(measure: Measure, path: Path, position: np.ndarray) -> None:
    """Write the tour 0, 1, ..., n - 1 to ``path``, and its positions to ``position`` (n,) int32."""
    position[:] = np.arange(position.size)
    path.city[:-1] = position
    lay(measure, path, 0, position.size)
