"""The greedy tour from candidate lists. Imports Numba: for use inside `solve()`."""

import numpy as np

from solvers.kernels.distance_rows_cpu import MATRIX
from solvers.lin_kernighan.cities_cpu import measured, nearest
from solvers.lin_kernighan.kernels.start_cpu import follow, list_edges, take_edges
from solvers.lin_kernighan.kernels.tour_cpu import Cities
from solvers.neighbours import neighbours
from solvers.parallel.thread_team import ThreadTeam

#: Candidates of the ends of fragments, and up to how many ends all pairs are tried.
_NEAR_ENDS, _ALL_PAIRS = 8, 64
#: By how much of its length an edge counts as longer at most, where tours are to differ.
_LONGER = 1.0


def greedy_tour(cities: Cities, team: ThreadTeam, rng: np.random.Generator | None = None) -> np.ndarray:
    """Return a tour of shortest edges first, among candidates; then the ends of fragments are joined the same way.

    J. L. Bentley, "Fast Algorithms for Geometric Traveling Salesman Problems" (1992). With `rng` each candidate edge
    counts as up to `_LONGER` times longer, at random.

    Returns
    -------
    ndarray, shape (n,), int32
    """
    n = len(cities.near)
    degree, link, tail = np.zeros(n, np.int32), np.full((n, 2), -1, np.int32), np.arange(n, dtype=np.int32)
    names = np.arange(n, dtype=np.int32)
    left = n - 1 - _take(cities, names, degree, link, tail, rng)
    while left:
        names = np.flatnonzero(degree < 2).astype(np.int32)
        left -= _take(_among(cities, names, team), names, degree, link, tail, rng)
    order = np.empty(n, np.int32)
    follow(link, degree, order)
    return order


def _take(
    cities: Cities, names: np.ndarray, degree: np.ndarray, link: np.ndarray, tail: np.ndarray,
    rng: np.random.Generator | None,
) -> int:  # fmt: skip
    ends, lengths = np.empty((cities.near.size, 2), np.int32), np.empty(cities.near.size, np.int32)
    size = list_edges(cities.near, cities.near_distance, ends, lengths)
    taken = lengths[:size] if rng is None else lengths[:size] * (1 + _LONGER * rng.random(size))
    by_length = np.argsort(taken, kind="stable")
    return take_edges(ends, by_length, names, degree, link, tail)


def _among(cities: Cities, names: np.ndarray, team: ThreadTeam) -> Cities:
    """Some of the cities, with candidates among themselves."""
    count = names.size - 1 if names.size <= _ALL_PAIRS else _NEAR_ENDS
    if cities.policy == MATRIX:
        matrix = np.ascontiguousarray(cities.matrix[np.ix_(names, names)])
        return measured(MATRIX, matrix, cities.points, neighbours(matrix, count))
    points = np.ascontiguousarray(cities.points[names])
    return measured(cities.policy, cities.matrix, points, nearest(points, count, 0, team))
