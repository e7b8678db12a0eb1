"""The cities as kernels number them, with their candidates. Imports Numba: for use inside `solve()`."""

import numpy as np

from data.instance import Instance
from solvers.kernel_distances import measure_of
from solvers.kernels.distance_rows_cpu import EUC_2D, GRID, MATRIX
from solvers.lin_kernighan.kernels.spatial_cpu import box_levels, candidates, fill_boxes, hilbert_keys
from solvers.lin_kernighan.kernels.start_cpu import measure_candidates
from solvers.lin_kernighan.kernels.tour_cpu import Cities
from solvers.neighbours import neighbours
from solvers.parallel.thread_team import ThreadTeam

#: Cities whose candidates a thread finds at a time.
_PIECE = 4096


def numbered(instance: Instance, count: int, quadrants: int, team: ThreadTeam) -> tuple[Cities, np.ndarray]:
    """Number the cities along a Hilbert curve, so that near ones are near in memory, and find their candidates.

    Instances without coordinates keep their numbers, and have no quadrants.

    Parameters
    ----------
    instance : Instance
    count : int
        Candidates of each city.
    quadrants : int
        How many of them are the nearest of each quadrant.
    team : ThreadTeam

    Returns
    -------
    cities : Cities
    names : ndarray, shape (n,), int32
        The instance's number of each city.

    Raises
    ------
    InstanceTooLarge
        See `solvers.kernel_distances.measure_of`.
    """
    measure = measure_of(instance)
    if measure.policy == MATRIX:
        names = np.arange(instance.n, dtype=np.int32)
        points, near = np.empty((0, 2)), neighbours(measure.matrix, count)
    else:
        assert instance.coordinates is not None
        keys = np.empty(instance.n, np.int64)
        unsorted = np.ascontiguousarray(instance.coordinates, np.float64)
        hilbert_keys(unsorted, keys)
        names = np.lexsort((unsorted[:, 1], unsorted[:, 0], keys)).astype(np.int32)
        points = np.ascontiguousarray(unsorted[names])
        near = nearest(points, min(count, instance.n - 1), quadrants, team)
    policy = EUC_2D if measure.policy == GRID else measure.policy
    return measured(policy, measure.matrix, points, near), names


def measured(policy: int, matrix: np.ndarray, points: np.ndarray, near: np.ndarray) -> Cities:
    """Return cities with the distances of their candidates."""
    near_distance = np.empty_like(near)
    measure_candidates(policy, matrix, points, near, 0, len(near), near_distance)
    return Cities(policy, matrix, points, near, near_distance)


def nearest(points: np.ndarray, count: int, quadrants: int, team: ThreadTeam) -> np.ndarray:
    """Return the candidates of points that are in the order of the curve, shape (n, count), int32."""
    n = len(points)
    near, levels = np.empty((n, count), np.int32), box_levels(n)
    if not count:
        return near
    boxes = np.empty((levels[-1], 4))
    fill_boxes(points, levels, boxes)
    pieces = iter(range(0, n, _PIECE))

    def find(_: int) -> None:
        while (first := next(pieces, None)) is not None:
            candidates(points, levels, boxes, first, min(n, first + _PIECE), quadrants, near)

    team.run_all(find, team.threads)
    return near
