"""How kernels number the cities, and candidate lists. Imports Numba: for use inside `solve()`."""

import numpy as np

from data.distances import decimal_degrees
from data.instance import Instance
from solvers.algorithms.lin_kernighan.kernels.spatial_cpu import box_levels, fill_boxes, find_candidates, hilbert_keys
from solvers.algorithms.lin_kernighan.kernels.start_cpu import measure_candidates
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import Cities
from solvers.core.kernel_distances import build_measure
from solvers.core.neighbours import neighbours
from solvers.kernels.distance_rows_cpu import EUC_2D, GRID, MATRIX
from solvers.parallel.thread_team import ThreadTeam

#: Numbers of cities for which a thread finds candidates at a time, and for which it measures distances.
_PIECE, _MEASURED = 4096, 1 << 16
#: How many times as many candidates per quadrant are used on the globe as in the plane, because places on the globe are
#: clustered. For the world's 1,000 largest cities, this reduces the gap after 2 s from 1 to 2 % to less than 0.1 %.
_GLOBE_QUADRANTS = 2


def number_cities(instance: Instance, count: int, quadrants: int, team: ThreadTeam) -> tuple[Cities, np.ndarray]:
    """Number the cities along a Hilbert curve, so that nearby cities are close in memory, and find their candidates.

    Cities on the globe, and those without coordinates, keep their numbers; without coordinates, there are no quadrants.

    Parameters
    ----------
    instance : Instance
    count : int
        Number of candidates per city.
    quadrants : int
        Number of candidates that are taken from each quadrant.
    team : ThreadTeam

    Returns
    -------
    cities : Cities
    names : ndarray, shape (n,), int32
        The number that each city has in the instance.

    Raises
    ------
    InstanceTooLarge
        See `solvers.core.kernel_distances.build_measure`.
    """
    measure = build_measure(instance)
    if measure.policy == MATRIX:
        names = np.arange(instance.n, dtype=np.int32)
        points, near = np.empty((0, 2)), neighbours(measure.matrix, count)
        if instance.coordinates is not None and near.size:
            degrees = decimal_degrees(instance.kind, instance.coordinates)
            near = find_globe_candidates(measure.matrix, degrees, near, _GLOBE_QUADRANTS * quadrants)
    else:
        assert instance.coordinates is not None
        keys = np.empty(instance.n, np.int64)
        unsorted = np.ascontiguousarray(instance.coordinates, np.float64)
        hilbert_keys(unsorted, keys)
        names = sort_along(keys, unsorted).astype(np.int32)
        points = np.ascontiguousarray(unsorted[names])
        near = nearest(points, min(count, instance.n - 1), quadrants, team)
    policy = EUC_2D if measure.policy == GRID else measure.policy
    return add_distances(policy, measure.matrix, points, near, team), names


def find_globe_candidates(matrix: np.ndarray, degrees: np.ndarray, near: np.ndarray, quadrants: int) -> np.ndarray:
    """Return candidates for cities on the globe: the nearest of each quadrant, then the nearest of all.

    Without the candidates per quadrant, no candidate would lead from one cluster of cities to another.

    Parameters
    ----------
    matrix : ndarray, shape (n, n), int32
    degrees : ndarray, shape (n, 2), float64
        Latitude and longitude.
    near : ndarray, shape (n, k), int32
        Each city's nearest cities, k < n.
    quadrants : int
        Number of candidates per quadrant. Quadrants are north or south, and east or west by the shorter way around.

    Returns
    -------
    ndarray, shape (n, k), int32
        The candidates by distance; of equally near ones the lower number comes first.
    """
    lists, k = np.empty_like(near), near.shape[1]
    for city, row in enumerate(matrix):
        side = 2 * (degrees[:, 0] >= degrees[city, 0]) + ((degrees[:, 1] - degrees[city, 1]) % 360.0 < 180.0)
        side[city] = -1
        chosen: dict[int, None] = {}
        for quadrant in range(4):
            chosen |= dict.fromkeys(_find_nearest(row, np.flatnonzero(side == quadrant), quadrants))
        chosen = dict.fromkeys([*chosen][:k]) | dict.fromkeys(near[city].tolist())
        cities = np.array([*chosen][:k])
        lists[city] = cities[np.lexsort((cities, row[cities]))]
    return lists


def _find_nearest(row: np.ndarray, cities: np.ndarray, count: int) -> list[int]:
    """Find the `count` nearest out of some cities, by a row of the matrix, nearest first."""
    far = row[cities]
    if cities.size > count > 0:
        cities = cities[far <= np.partition(far, count - 1)[count - 1]]
    return cities[np.argsort(row[cities], kind="stable")][:count].tolist()


def sort_along(keys: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return the order by key, and within a key by x, y and index, (n,) int64; few points have the same key.

    Parameters
    ----------
    keys : ndarray, shape (n,), int64
    points : ndarray, shape (n, 2), float64
    """
    order = np.argsort(keys)
    along = keys[order]
    same = np.flatnonzero(along[1:] == along[:-1])
    if same.size:
        tied = np.union1d(same, same + 1)
        those = order[tied]
        order[tied] = those[np.lexsort((those, points[those, 1], points[those, 0], keys[those]))]
    return order


def add_distances(
    policy: int, matrix: np.ndarray, points: np.ndarray, near: np.ndarray, team: ThreadTeam | None = None
) -> Cities:
    """Return the cities with the distances to their candidates, which are computed in parallel."""
    near_distance = np.empty_like(near)
    pieces = iter(range(0, len(near), _MEASURED))

    def measure(_: int) -> None:
        while (first := next(pieces, None)) is not None:
            measure_candidates(policy, matrix, points, near, first, min(len(near), first + _MEASURED), near_distance)

    if team is None:
        measure(0)
    else:
        team.run_all(measure, min(team.threads, -(-len(near) // _MEASURED)))
    return Cities(policy, matrix, points, near, near_distance)


def nearest(points: np.ndarray, count: int, quadrants: int, team: ThreadTeam) -> np.ndarray:
    """Return the candidates of points sorted along the curve, (n, count) int32."""
    n = len(points)
    near = np.empty((n, count), np.int32)
    if not count:
        return near
    levels, boxes = build_boxes(points)
    pieces = iter(range(0, n, _PIECE))

    def find(_: int) -> None:
        while (first := next(pieces, None)) is not None:
            find_candidates(points, levels, boxes, first, min(n, first + _PIECE), quadrants, near)

    team.run_all(find, team.threads)
    return near


def build_boxes(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the levels and the bounding boxes of points sorted along the curve, for searches among the points."""
    levels = box_levels(len(points))
    boxes = np.empty((levels[-1], 4))
    fill_boxes(points, levels, boxes)
    return levels, boxes


def merge_lists(near: np.ndarray, others: np.ndarray, own: int) -> np.ndarray:
    """Merge candidate lists, each city once: first `own` entries of `near`, then `others`, then the rest of `near`.

    Parameters
    ----------
    near : ndarray, shape (m, k), int32
    others : ndarray, shape (m, j), int32
    own : int

    Returns
    -------
    ndarray, shape (m, k), int32
    """
    lists = np.hstack([near[:, :own], others, near[:, own:]])
    is_repeated = np.tril(lists[:, :, None] == lists[:, None, :], -1).any(axis=2)
    return np.take_along_axis(lists, np.argsort(is_repeated, axis=1, kind="stable"), axis=1)[:, : near.shape[1]]


def sort_candidates(cities: Cities, some: np.ndarray) -> Cities:
    """Sort the candidates of some cities by distance, in place."""
    near, far = cities.near, cities.near_distance
    by_distance = np.argsort(far[some], axis=1, kind="stable")
    near[some] = np.take_along_axis(near[some], by_distance, axis=1)
    far[some] = np.take_along_axis(far[some], by_distance, axis=1)
    return cities
