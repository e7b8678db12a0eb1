"""Distances for the bound's 1-trees, in scaled integers. Imports Numba: for use inside `solve()`."""

from dataclasses import dataclass

import numpy as np

from data.distances import distance_matrix
from data.instance import Instance
from data.limits import MAX_MATRIX
from solvers.core.errors import InstanceTooLarge
from solvers.kernels import distance_rows_cpu

_POLICIES = {
    "EUC_2D": distance_rows_cpu.EUC_2D,
    "CEIL_2D": distance_rows_cpu.CEIL_2D,
    "ATT": distance_rows_cpu.ATT,
}
#: Maximum number of price units per unit of length: a power of two.
_MAX_SCALE = 1024
#: Limit on sums of a tree's reduced lengths.
_SUM_LIMIT = 2**61
#: The highest price, as a multiple of the longest distance.
PRICES = 2
#: Maximum distance of a directed instance; four times this distance still fits into 32 bits.
_DIRECTED = 2**29


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """Cities with symmetric distances.

    Attributes
    ----------
    instance : Instance
    n : int
        Number of cities, which is doubled if the instance is directed.
    policy : int
        See `solvers.kernels.distance_rows_cpu.Measure`.
    matrix : ndarray, shape (n, n), int32
        The distances; of size 0 if they are computed from `points`.
    points : ndarray, shape (2, n), float64
        The coordinates; of size 0 if distances are a matrix.
    scale : int
        Number of price units per unit of length.
    limit : int
        Maximum absolute value of a price, such that no sum overflows 64 bits.
    offset : int
        How much longer a tour of the instance is than the same tour of the problem; to be added to a bound.
    """

    instance: Instance
    n: int
    policy: int
    matrix: np.ndarray
    points: np.ndarray
    scale: int
    limit: int
    offset: int = 0


def build_problem(instance: Instance) -> Problem:
    """Return the problem with the same tours as the instance.

    A directed instance of n cities becomes a symmetric one of 2 n. Each city becomes two, one to enter and one to
    leave, which an edge of large negative length joins (R. Jonker and T. Volgenant, "Transforming asymmetric into
    symmetric traveling salesman problems", 1983). Every directed tour corresponds to a symmetric tour, so a bound on
    symmetric tours is also one on directed tours.

    Raises
    ------
    InstanceTooLarge
        If the distances need a matrix that is too large, or if the distances themselves are too large.
    """
    nodes = 2 * instance.n if instance.directed else instance.n
    if nodes > MAX_MATRIX and (instance.directed or instance.kind not in _POLICIES):
        raise InstanceTooLarge(
            f"The bound of {instance.name} needs a matrix of {nodes:,} cities; with {instance.kind} distances at most "
            f"{MAX_MATRIX:,} have one."
        )
    if instance.directed:
        return _double_cities(instance)
    nothing = np.empty((0, 0), np.int32)
    if instance.kind in _POLICIES:
        assert instance.coordinates is not None
        points = np.array(instance.coordinates.T, np.float64, order="C")
        longest = int(np.hypot(*np.ptp(points, axis=1))) + 1
        return _scale(instance, instance.n, _POLICIES[instance.kind], nothing, points, longest)
    return _build_from_matrix(instance, distance_matrix(instance))


def _build_from_matrix(instance: Instance, matrix: np.ndarray, offset: int = 0) -> Problem:
    longest = max(1, int(matrix.max()), -int(matrix.min()))
    return _scale(instance, len(matrix), distance_rows_cpu.MATRIX, matrix, np.empty((2, 0)), longest, offset)


def _scale(
    instance: Instance, n: int, policy: int, matrix: np.ndarray, points: np.ndarray, longest: int, offset: int = 0
) -> Problem:
    # A reduced length is below 1 + 2 PRICES scaled distances; a tree has n edges, and its prices count twice.
    sums = n * longest * (1 + 4 * PRICES)
    scale = _MAX_SCALE
    while scale > 1 and sums * scale >= _SUM_LIMIT:
        scale //= 2
    return Problem(instance, n, policy, matrix, points, scale, PRICES * longest * scale, offset)


def _double_cities(instance: Instance) -> Problem:
    weights = distance_matrix(instance).astype(np.int64)
    n, greatest = instance.n, max(1, int(np.abs(weights).max()))
    if greatest >= _DIRECTED:
        raise InstanceTooLarge(
            f"{instance.name} has distances up to {greatest:,}; the bound of a directed instance needs them below "
            f"{_DIRECTED:,}."
        )
    bound = 3 * greatest
    matrix = np.full((2 * n, 2 * n), bound, np.int32)
    matrix[n:, :n], matrix[:n, n:] = weights, weights.T
    entered = np.arange(n)
    matrix[entered, entered + n] = matrix[entered + n, entered] = -bound
    np.fill_diagonal(matrix, 0)
    return _build_from_matrix(instance, matrix, n * bound)
