"""Greedy tours from candidate lists. Imports Numba: for use inside `solve()`."""

import numpy as np

from solvers.algorithms.lin_kernighan.candidates_cpu import add_distances, nearest
from solvers.algorithms.lin_kernighan.kernels.start_cpu import follow, list_edges, single_cities, take_edges
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import Cities
from solvers.algorithms.lin_kernighan.kernels.varied_cpu import ALL_PAIRS, NEAR_ENDS, take_in_part, varied_greedy
from solvers.core.neighbours import neighbours
from solvers.kernels.distance_rows_cpu import MATRIX
from solvers.parallel.thread_team import ThreadTeam

#: Number of cities whose edges a thread lists or takes at a time; with more cities than `MIN_PARTED`, they are divided
#: into parts.
_PIECE, MIN_PARTED = 1 << 14, 200_000
#: What `maximum_increase` returns without prices, and with prices, which a larger value would outweigh.
_MAX_INCREASE, _MAX_PRICED_INCREASE = 1.0, 0.15


def build_greedy_tour(cities: Cities, team: ThreadTeam) -> np.ndarray:
    """Return the greedy tour: candidate edges are taken first, then the fragments' ends are joined in the same way.

    J. L. Bentley, "Fast Algorithms for Geometric Traveling Salesman Problems" (1992).

    Returns
    -------
    ndarray, shape (n,), int32
    """
    n = len(cities.near)
    if n > MIN_PARTED:
        return build_greedy_in_parts(cities, 0, np.zeros(n), 0.0, team)
    degree, link, tail = single_cities(n)
    names = np.arange(n, dtype=np.int32)
    remaining = n - 1 - _take(cities, names, degree, link, tail, team)
    while remaining:
        names = np.flatnonzero(degree < 2).astype(np.int32)
        remaining -= _take(_restrict(cities, names, team), names, degree, link, tail, team)
    order = np.empty(n, np.int32)
    follow(link, degree, order)
    return order


def build_varied_greedy_tour(
    cities: Cities, seed: int, prices: np.ndarray | None = None, team: ThreadTeam | None = None
) -> np.ndarray:
    """Return a greedy tour with randomly increased edge lengths, which the seed determines.

    Parameters
    ----------
    cities : Cities
    seed : int
    prices : ndarray, shape (n,), float64, optional
        The cities' prices in units of length, as in Held and Karp's minimum 1-tree.
    team : ThreadTeam, optional
        If there are very many cities, this team takes edges within parts in parallel, before edges between parts.

    Returns
    -------
    ndarray, shape (n,), int32
    """
    n = len(cities.near)
    increase, prices = maximum_increase(prices), np.zeros(n) if prices is None else prices
    if team and n > MIN_PARTED:
        return build_greedy_in_parts(cities, seed, prices, increase, team)
    order = np.empty(n, np.int32)
    varied_greedy(*cities, prices, np.uint64(seed), increase, *single_cities(n), order)
    return order


def build_greedy_in_parts(
    cities: Cities, seed: int, prices: np.ndarray, increase: float, team: ThreadTeam
) -> np.ndarray:
    """Build a greedy tour in parallel: edges within each part are taken before edges between parts.

    See `build_varied_greedy_tour`. Cities are numbered along a curve, so those with consecutive numbers are close
    together.
    """
    n = len(cities.near)
    names = np.arange(n, dtype=np.int32)
    fragments, pieces, order = single_cities(n), iter(range(0, n, _PIECE)), np.empty(n, np.int32)
    arguments = prices, np.uint64(seed), increase, *fragments

    def take(_: int) -> None:
        while (first := next(pieces, None)) is not None:
            take_in_part(cities.near, cities.near_distance, *arguments, names, first, min(n, first + _PIECE))

    team.run_all(take, team.threads)
    varied_greedy(*cities, *arguments, order)
    return order


def maximum_increase(prices: np.ndarray | None) -> float:
    """Return the maximum random increase in an edge's length, as a share of that length."""
    return _MAX_INCREASE if prices is None else _MAX_PRICED_INCREASE


def _take(
    cities: Cities, names: np.ndarray, degree: np.ndarray, link: np.ndarray, tail: np.ndarray,
    team: ThreadTeam,
) -> int:  # fmt: skip
    ends, lengths = _list_edges(cities, team)
    return take_edges(ends, sort_by_length(lengths), names, degree, link, tail)


def _list_edges(cities: Cities, team: ThreadTeam) -> tuple[np.ndarray, np.ndarray]:
    """List all candidate edges, (m, 2) int32, and their lengths, (m,) int32, in parallel."""
    n, width = cities.near.shape
    ends, lengths = np.empty((n * width, 2), np.int32), np.empty(n * width, np.int32)
    starts = range(0, n, _PIECE)
    parts, pieces = [(0, 0)] * len(starts), iter(enumerate(starts))

    def work(_: int) -> None:
        while (piece := next(pieces, None)) is not None:
            at, first = piece
            begin = first * width
            size = list_edges(
                cities.near, cities.near_distance, first, min(n, first + _PIECE), ends[begin:], lengths[begin:]
            )
            parts[at] = begin, begin + size

    team.run_all(work, min(team.threads, len(starts)))
    if len(parts) < 2:
        end = parts[0][1] if parts else 0
        return ends[:end], lengths[:end]
    return np.concatenate([ends[a:b] for a, b in parts]), np.concatenate([lengths[a:b] for a, b in parts])


def sort_by_length(lengths: np.ndarray) -> np.ndarray:
    """Return the order by length, ties by index, (m,) int64; NumPy is faster if it sorts 16 bits at a time."""
    if not lengths.size:
        return np.empty(0, np.int64)
    above = (lengths.astype(np.int64) - int(lengths.min())).astype(np.uint32)
    order = np.argsort((above & 0xFFFF).astype(np.uint16), kind="stable")
    if int(above.max()) > 0xFFFF:
        order = order[np.argsort((above >> 16).astype(np.uint16)[order], kind="stable")]
    return order


def _restrict(cities: Cities, names: np.ndarray, team: ThreadTeam) -> Cities:
    """Return a subset of the cities, with candidates within the subset."""
    count = names.size - 1 if names.size <= ALL_PAIRS else NEAR_ENDS
    if cities.policy == MATRIX:
        matrix = np.ascontiguousarray(cities.matrix[np.ix_(names, names)])
        return add_distances(MATRIX, matrix, cities.points, neighbours(matrix, count))
    points = np.ascontiguousarray(cities.points[names])
    return add_distances(cities.policy, cities.matrix, points, nearest(points, count, 0, team), team)
