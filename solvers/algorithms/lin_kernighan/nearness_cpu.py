"""Reduces candidate lists by alpha-nearness. Imports Numba: for use inside `solve()`."""

from collections.abc import Generator

import numpy as np

from solvers.algorithms.lin_kernighan.kernels.nearness_cpu import choose_by_alpha, list_candidates, list_graph
from solvers.algorithms.lin_kernighan.kernels.prices_cpu import ascend
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import Cities
from solvers.algorithms.lin_kernighan.schedule import MANY
from solvers.bounds.alpha import alpha_nearness
from solvers.bounds.kernels.sparse_tree_cpu import Graph
from solvers.parallel.thread_team import ThreadTeam

#: Number of minimum 1-trees in a short ascent; the same for more than `MANY` cities, where ten more trees take as long
#: as the kicks that shorten the tour as much; number of price units per unit of length.
_TREES, _FEW_TREES, _SCALE = 25, 15, 64
#: Number of cities in a part, and number of times that the candidates of a part's cities are added to the part.
_PART, _RINGS = 8000, 2
#: Cities count as clustered from this ratio of the mean to the median distance of farthest candidates on. It is 1.1 for
#: uniform cities, at most 1.8 for drilled boards and countries, and 2.9 for the clusters of the DIMACS challenge.
_CLUSTERED_RATIO = 2.0


def are_clustered(cities: Cities) -> bool:
    """Return whether the cities are clustered: some have candidates much farther away than most."""
    far = cities.near_distance.max(axis=1)
    return bool(far.mean() > _CLUSTERED_RATIO * np.median(far))


def reduce_candidates(cities: Cities, order: np.ndarray, count: int, trees: int = _TREES) -> tuple[Cities, np.ndarray]:
    """Keep only the candidates that are nearest by alpha, after a short ascent of prices.

    K. Helsgaun, "An Effective Implementation of the Lin-Kernighan Traveling Salesman Heuristic" (2000), section 4.1.

    Parameters
    ----------
    cities : Cities
    order : ndarray, shape (n,), int32
        A tour, whose edges are candidates too, so that candidates connect all cities.
    count : int
        Number of candidates per city.
    trees : int
        Number of minimum 1-trees in the ascent.

    Returns
    -------
    cities : Cities
    prices : ndarray, shape (n,), float64
        Each city's price, in units of length.
    """
    n = order.size
    ends, length = list_candidates(*cities, order, _SCALE)
    is_edge = ends[:, 0] != ends[:, 1]
    ends, length = ends[is_edge], length[is_edge]
    prices, (near, far) = np.empty(n, np.int64), np.empty((2, n, count), np.int32)
    ascend(ends, length, trees, prices)
    graph = Graph(*list_graph(n, ends, length))
    choose_by_alpha(graph, prices, alpha_nearness(graph, prices), _SCALE, near, far)
    return Cities(cities.policy, cities.matrix, cities.points, near, far), prices / _SCALE


def reduce_in_parts(
    cities: Cities, order: np.ndarray, count: int, team: ThreadTeam
) -> Generator[None, None, tuple[Cities, np.ndarray]]:
    """Reduce the candidates of many cities in the plane, in parallel and part by part; yield after each slice.

    A part and the cities around it have a tree of their own. Cities are numbered along a curve, so cities with
    consecutive numbers lie together.
    """
    n = order.size
    prices, (near, far), position = np.empty(n), np.empty((2, n, count), np.int32), np.empty(n, np.int32)
    position[order] = np.arange(n, dtype=np.int32)

    def reduce_part(first: int, last: int) -> None:
        members = _surround(cities.near, first, last)
        own = np.full(n, -1, np.int32)
        own[members] = np.arange(members.size)
        nearby = own[cities.near[members]]
        outside = nearby < 0
        nearby[outside] = np.nonzero(outside)[0]  # the city itself, to which no edge leads
        around = Cities(cities.policy, cities.matrix, cities.points[members], nearby, cities.near_distance[members])
        trees = _FEW_TREES if n > MANY else _TREES
        fewer, found = reduce_candidates(around, np.argsort(position[members]).astype(np.int32), count, trees)
        inner = own[first:last]
        near[first:last], far[first:last] = members[fewer.near[inner]], fewer.near_distance[inner]
        prices[first:last] = found[inner]

    yield from team.share(reduce_part, n, _PART, team.threads)
    return Cities(cities.policy, cities.matrix, cities.points, near, far), prices


def _surround(near: np.ndarray, first: int, last: int) -> np.ndarray:
    """Return the cities from `first` to `last` - 1 and those around them, (m,) int32, in ascending order."""
    is_member = np.zeros(len(near), np.bool_)
    is_member[first:last] = True
    for _ in range(_RINGS):
        is_member[near[is_member]] = True
    return np.flatnonzero(is_member).astype(np.int32)
