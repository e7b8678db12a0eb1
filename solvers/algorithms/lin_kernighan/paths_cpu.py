"""Paths as round trips through an extra city that joins their ends. Imports Numba.

An edge so short that every shortest round trip has it joins the extra city to a given end of the path; edges of one
length join it to all cities that may be the other end. So a path takes no more work than a round trip of the same
cities, and needs no matrix where distances are computed from coordinates.
"""

from dataclasses import replace

import numpy as np

from data.distances import distance_matrix, maximum_distance
from data.instance import Instance
from data.paths import order_with_added
from solvers.algorithms.lin_kernighan.candidates_cpu import add_distances, number_cities
from solvers.algorithms.lin_kernighan.kernels.merge_cpu import measure_tour
from solvers.algorithms.lin_kernighan.kernels.path_moves_cpu import find_path_moves
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import OPEN, Cities
from solvers.algorithms.lin_kernighan.params import LinKernighanParams
from solvers.algorithms.lin_kernighan.schedule import Schedule
from solvers.algorithms.lin_kernighan.start_cpu import build_greedy_tour
from solvers.kernels.distance_rows_cpu import EUC_2D, MATRIX
from solvers.parallel.thread_team import ThreadTeam

#: Minimum number of cities in a round trip from `find_round_trip`.
_MIN_CITIES = 8
#: Maximum distance for which the lengths of the added edges fit into 32 bits.
_MAX_DISTANCE = 2**28
#: Length of the edges to all cities that may be an end, as a multiple of the mean distance to the nearest city. Any
#: length gives the same shortest paths, but if these edges were short, most exchanges would try them.
_ADDED = 8


def find_round_trip(instance: Instance) -> Instance | None:
    """Return the cities of a path as a symmetric instance; None for other instances, or if directions matter."""
    n = instance.n - instance.is_open
    if not instance.is_path or instance.fixed or n < _MIN_CITIES:
        return None
    base = replace(
        instance, n=n, added=0, start=None, end=None, directed=False, missing=0, missing_weight=0,
        display=instance.display[:n],
    )  # fmt: skip
    if instance.coordinates is not None:
        return replace(base, weights=None, coordinates=instance.coordinates[:n])
    assert instance.weights is not None
    weights = instance.weights[:n, :n].copy()
    if instance.start is not None and not instance.is_open:
        weights[:, instance.start] = weights[instance.start]
    if instance.end is not None:
        weights[instance.end] = weights[:, instance.end]
    if not np.array_equal(weights, weights.T) or weights.max() >= _MAX_DISTANCE or weights.min() <= -_MAX_DISTANCE:
        return None
    return replace(base, weights=weights)


class ClosedPath:
    """A path as a round trip with an extra city; the interface is that of `directed_cpu.Pairs`.

    Parameters
    ----------
    instance : Instance
        A path.
    base : Instance
        The result of `find_round_trip`.
    params : LinKernighanParams
    team : ThreadTeam

    Attributes
    ----------
    n : int
        Number of cities in the instance.
    cities : Cities
        The cities of `base` in the kernels' numbering, and then the extra city.
    scale, offset : int
        The length of a path is the length of its round trip plus `offset`.
    start : ndarray, shape (n,), int32
        The greedy path.
    moves_per_step : int
        See `directed_cpu.Pairs`.
    """

    scale = moves_per_step = 1

    def __init__(self, instance: Instance, base: Instance, params: LinKernighanParams, team: ThreadTeam) -> None:
        self._instance, self.n = instance, instance.n
        cities, names = number_cities(base, params.neighbours, params.quadrants, team)
        self._number = np.empty(base.n + 1, np.int32)
        self._number[names] = np.arange(base.n, dtype=np.int32)
        self._number[-1] = base.n
        self._names = np.append(names, np.int32(base.n))
        length = min(maximum_distance(base), _ADDED * int(cities.near_distance[:, 0].mean()))
        row, self.offset = self._added_lengths(base, max(1, length))
        self.cities = _with_city(base, cities, names, row[names])
        self.start = self.unpair(build_greedy_tour(self.cities, team))

    def _added_lengths(self, base: Instance, length: int) -> tuple[np.ndarray, int]:
        """Return the lengths of the extra city's edges, (n,) int64, and `offset`; edges to an end are shortest."""
        instance, far = self._instance, 2 * maximum_distance(base) + 2
        ends = [city for city in (instance.start, instance.end) if city is not None and not instance.is_open]
        row = np.full(base.n, far if len(ends) > 1 else length, np.int64)
        row[ends] -= 2 * far if len(ends) > 1 else far
        return row, -(int(row[ends].sum()) + (2 - len(ends)) * length)

    def schedule(self, params: LinKernighanParams) -> Schedule:
        """Return the schedule of a search."""
        return Schedule.for_cities(params, self.n)

    def anchor(self, order: np.ndarray) -> int:
        """Return the city at which a recorded path starts."""
        start, end = self._instance.start, self._instance.end
        city = end if start is None else start
        assert city is not None
        return city

    def pair(self, order: np.ndarray) -> np.ndarray:
        """Convert a path to a round trip."""
        path = self._number[order_with_added(self._instance, order)]
        return path if self._instance.is_open else np.append(path, self._number[-1])

    def unpair(self, paired: np.ndarray) -> np.ndarray:
        """Convert a round trip to a path."""
        path = self._names[np.roll(paired, -int(np.flatnonzero(paired == self._number[-1])[0]))]
        start, end = self._instance.start, self._instance.end
        if path[-1] == start or path[1] == end:
            path[1:] = path[:0:-1]
        return path if self._instance.is_open else path[1:]

    def length(self, order: np.ndarray) -> int:
        """Return the length of a path."""
        cities = self.cities
        return int(measure_tour(cities.policy, cities.matrix, cities.points, self.pair(order))) + self.offset

    def moves(self, order: np.ndarray, target: np.ndarray) -> np.ndarray:
        """Return the moves that lead from one path to another from the same city; see `find_path_moves`."""
        instance, cities, added = self._instance, self.cities, self._number[-1]
        one, other, moves = self._number[order], self._number[target], np.empty((self.n, 3), np.int64)
        left = one[0] if instance.start is not None else added
        right = added if instance.start is not None and not instance.is_open else one[0]
        measure = cities.policy, cities.matrix, cities.points
        return moves[: find_path_moves(*measure, one, other, int(left), int(right), moves)].copy()


def _with_city(base: Instance, cities: Cities, names: np.ndarray, row: np.ndarray) -> Cities:
    """Return the cities with an extra one at given distances, which is a candidate of every city that it may join."""
    n, allowed = len(row), row < 2 * maximum_distance(base)
    if allowed.all():
        lists = np.column_stack([cities.near, np.full(n, n)])
    else:
        lists = cities.near.copy()
        lists[allowed, -1] = n
    # The extra city's candidates are the given ends, and cities all along the curve.
    spread = np.r_[np.flatnonzero(row < 0), np.linspace(0, n - 1, lists.shape[1]).astype(np.int64)]
    own = spread[np.sort(np.unique(spread, return_index=True)[1])][: lists.shape[1]]
    lists = np.vstack([lists, own]).astype(np.int32)
    if cities.policy == EUC_2D:
        policy, matrix = OPEN, np.append(row, 0).astype(np.int32)[None]
        points = np.vstack([cities.points, cities.points.mean(axis=0)])
    else:
        policy, points, matrix = MATRIX, np.empty((0, 2)), np.zeros((n + 1, n + 1), np.int32)
        matrix[:n, :n] = cities.matrix if cities.policy == MATRIX else distance_matrix(base)[np.ix_(names, names)]
        matrix[n, :n] = matrix[:n, n] = row
    measured = add_distances(policy, matrix, points, lists)
    nearest_first = np.argsort(measured.near_distance, axis=1, kind="stable")
    return measured._replace(
        near=np.take_along_axis(lists, nearest_first, axis=1),
        near_distance=np.take_along_axis(measured.near_distance, nearest_first, axis=1),
    )
