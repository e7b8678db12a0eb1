"""Directed instances as symmetric ones with twice the cities, and their search. Imports Numba.

R. Jonker and T. Volgenant, "Transforming asymmetric into symmetric traveling salesman problems" (1983): each city
becomes two, one to enter and one to leave, which a fixed edge joins. Distances are reduced by the prices of the
assignment problem, and then by those of minimum 1-trees; prices change all tours by the same amount. Candidates are the
nearest cities by alpha (K. Helsgaun, "An Effective Implementation of the Lin-Kernighan Traveling Salesman Heuristic",
2000).
"""

from dataclasses import replace

import numpy as np

from solvers.algorithms.annealing.kernels.insertion_cpu import REVERSALS
from solvers.algorithms.genetic.kernels.distances_cpu import FIXED
from solvers.algorithms.lin_kernighan.candidates_cpu import add_distances
from solvers.algorithms.lin_kernighan.cpu import LocalSearch, RoundResult
from solvers.algorithms.lin_kernighan.kernels.assignment_cpu import assign
from solvers.algorithms.lin_kernighan.kernels.insertions_cpu import find_insertions
from solvers.algorithms.lin_kernighan.kernels.merge_cpu import measure_tour
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import Cities
from solvers.algorithms.lin_kernighan.merged_cpu import MergedSearch
from solvers.algorithms.lin_kernighan.nearness_cpu import reduce_candidates
from solvers.algorithms.lin_kernighan.params import LinKernighanParams
from solvers.algorithms.lin_kernighan.paths_cpu import ClosedPath
from solvers.algorithms.lin_kernighan.schedule import Schedule
from solvers.algorithms.lin_kernighan.start_cpu import build_greedy_tour
from solvers.core.doubled_cities import pair, unpair, write_doubled
from solvers.core.neighbours import neighbours
from solvers.kernels.distance_rows_cpu import MATRIX
from solvers.parallel.thread_team import ThreadTeam

#: Maximum reduced distance, such that no exchange of `MAX_EDGES` edges gains by removing a fixed edge. If there are
#: longer distances, all are scaled down.
_MAX_DISTANCE = -FIXED // 8
#: How much shorter fixed edges are than other edges in the ascent, and number of minimum 1-trees in the ascent.
_FIXED_DISCOUNT, _TREES = 2**28, 60
#: Ties between candidates are broken up to this mean distance and this maximum reduced distance, by this many fractions
#: of a unit.
_MAX_TIED, _FRACTIONS = 2**18, 64
#: Minimum number of edges that a directed exchange replaces: it swaps two paths.
MIN_DEPTH = 3
#: Minimum number of cities for a double bridge to give another tour, and for tours to be crossed.
_MIN_CITIES, _MIN_CROSSED = 4, 5


class Pairs:
    """The doubled cities of a directed instance: city c is entered at c and left at n + c.

    Parameters
    ----------
    matrix : ndarray, shape (n, n), int32
        Distances from row to column.
    params : LinKernighanParams
    team : ThreadTeam

    Attributes
    ----------
    cities : Cities
        All 2 n cities. The lengths of all edges but the fixed ones are reduced by the prices of their ends.
    scale, offset : int
        The length of a directed tour is that of the tour of `cities`, times `scale`, plus `offset`; this is exact only
        if `scale` is 1.
    start : ndarray, shape (n,), int32
        The greedy directed tour by reduced distances.
    moves_per_step : int
        Number of recorded moves per step from one tour to another.
    """

    moves_per_step = REVERSALS

    def __init__(self, matrix: np.ndarray, params: LinKernighanParams, team: ThreadTeam) -> None:
        n = self.n = len(matrix)
        (leave, enter), self.matrix = np.zeros((2, n), np.int64), matrix
        if n > 1:
            assign(matrix, leave, enter)
        bound = int(leave.sum() + enter.sum())
        reduced = matrix - leave[:, None] - enter
        np.fill_diagonal(reduced, 0)
        self.scale = 1 + int(reduced.max()) // _MAX_DISTANCE
        reduced //= self.scale
        self.offset = bound - n * FIXED * self.scale
        matrix, (untied, finer) = np.empty((2 * n, 2 * n), np.int32), _break_ties(reduced, bound // n)
        cities = _double_cities(matrix, untied, FIXED, params.neighbours + 1)
        self.start, near = self.unpair(build_greedy_tour(cities, team)), cities.near
        if n >= _MIN_CITIES and 0 < params.alpha < params.neighbours:
            # For the ascent, prices are shifted so that their sum equals the sum of the distances.
            shifted = _double_cities(
                matrix, untied + _FIXED_DISCOUNT + max(1, finer * bound // (n * self.scale)), -_FIXED_DISCOUNT,
                params.neighbours + 1,
            )  # fmt: skip
            shifted, prices = reduce_candidates(shifted, self.pair(self.start), params.alpha + 1, _TREES)
            enter, leave = np.rint(prices / finer).astype(np.int64).reshape(2, n)
            reduced, near = np.minimum(reduced + leave[:, None] + enter, _MAX_DISTANCE), shifted.near
            self.offset -= int(leave.sum() + enter.sum()) * self.scale
        self.cities = _double_cities(matrix, reduced, FIXED, near)

    def pair(self, order: np.ndarray) -> np.ndarray:
        """Convert a directed tour to a tour of the doubled cities."""
        return pair(order)

    def schedule(self, params: LinKernighanParams) -> Schedule:
        """Return the schedule of a search."""
        return Schedule.for_cities(params, 2 * self.n, doubled=True)

    @staticmethod
    def anchor(order: np.ndarray) -> int:
        """Return the city at which a recorded tour starts."""
        return int(order[0])

    @staticmethod
    def unpair(paired: np.ndarray) -> np.ndarray:
        """Convert a tour of the doubled cities to a directed one."""
        return unpair(paired)

    def length(self, order: np.ndarray) -> int:
        """Return the length of a directed tour."""
        return int(measure_tour(MATRIX, self.matrix, self.cities.points, order))

    def moves(self, order: np.ndarray, target: np.ndarray) -> np.ndarray:
        """Return the moves that lead from one tour to another; see `find_insertions`."""
        moves = np.empty((3 * self.n, 3), np.int64)
        return moves[: find_insertions(self.matrix, order.copy(), target, moves)].copy()


def _break_ties(reduced: np.ndarray, mean: int) -> tuple[np.ndarray, int]:
    """Return distances with random fractions, for choosing candidates, and the number of fractions in a unit.

    If ties are rare, the distances are unchanged. Otherwise cities with equal distances would all have the same few
    candidates, those with the lowest numbers.
    """
    if max(mean, int(reduced.max())) > _MAX_TIED:
        return reduced, 1
    untied = reduced * _FRACTIONS + np.random.default_rng(len(reduced)).integers(0, _FRACTIONS, reduced.shape)
    np.fill_diagonal(untied, 0)
    return untied, _FRACTIONS


def _double_cities(matrix: np.ndarray, reduced: np.ndarray, fixed: int, near: int | np.ndarray) -> Cities:
    """Double each city, with an edge of length `fixed` between its copies; `near` gives candidates or their number.

    Writes the distances to `matrix`, (2 n, 2 n) int32, which takes most of the time if there are many cities.
    """
    write_doubled(reduced, fixed, -FIXED, matrix)
    if not isinstance(near, np.ndarray):
        return add_distances(MATRIX, matrix, np.empty((0, 2)), neighbours(matrix, near))
    nearest_first = np.argsort(np.take_along_axis(matrix, near, axis=1), axis=1, kind="stable")
    return add_distances(MATRIX, matrix, np.empty((0, 2)), np.take_along_axis(near, nearest_first, axis=1))


class DirectedSearch:
    """A search for a directed tour on doubled cities; its rounds are recorded as insertions.

    Parameters
    ----------
    pairs : Pairs or ClosedPath
    order : ndarray, shape (n,), int32
        The directed tour to start from; its first city is the anchor.
    seed, params, target, team
        See `solvers.algorithms.lin_kernighan.merged_cpu.MergedSearch`.
    schedule : Schedule, optional
        By default, the schedule for this number of cities.
    """

    def __init__(
        self, pairs: Pairs | ClosedPath, order: np.ndarray, seed: int, params: LinKernighanParams, target: int | None,
        team: ThreadTeam, schedule: Schedule | None = None,
    ) -> None:  # fmt: skip
        self._pairs, self.order = pairs, order
        paired, length = pairs.pair(order), (pairs.length(order) - pairs.offset) // pairs.scale
        # Temperatures are shares of the mean edge length, which fixed edges distort.
        mean, distorted = abs(pairs.length(order)) / pairs.scale / pairs.n, abs(length) / paired.size
        heat = params.temperature * mean / max(distorted, 1.0)
        params = replace(params, depth=max(MIN_DEPTH, params.depth), temperature=min(heat, 10.0))
        goal = None if target is None else (target - pairs.offset) // pairs.scale
        arguments = pairs.cities, paired, length, seed, params, goal
        self._search: LocalSearch | MergedSearch
        if params.tours > 1 and pairs.n >= _MIN_CROSSED:
            self._search = MergedSearch(*arguments, team, schedule or pairs.schedule(params))
        else:
            self._search = LocalSearch(*arguments)

    @property
    def length(self) -> int:
        """Length of the tour."""
        return self._search.length * self._pairs.scale + self._pairs.offset

    @property
    def evaluated(self) -> int:
        """See `LocalSearch.evaluated`."""
        return self._search.evaluated

    @property
    def descending(self) -> bool:
        """See `LocalSearch.descending`."""
        return self._search.descending

    @property
    def complete(self) -> bool:
        """See `LocalSearch.complete`."""
        return not self.descending and self._pairs.n < _MIN_CITIES

    @property
    def round_over(self) -> bool:
        """See `LocalSearch.round_over`."""
        return self._search.round_over

    def start_round(self) -> None:
        """Start the next round."""
        self._search.start_round()

    def advance(self, limit: int) -> None:
        """Work for one slice of at most `limit` exchanges."""
        self._search.advance(limit)

    def close(self) -> None:
        """See `LocalSearch.close`."""
        self._search.close()

    def end_round(self) -> RoundResult:
        """Return the result of the round; its record contains i, j and delta of 2-opt moves."""
        order = self._pairs.unpair(self._search.end_round().order)
        target = rotate_to(order, int(self.order[0]))
        moves, self.order = self._pairs.moves(self.order, target), target
        return RoundResult(self._pairs.length(target), target.copy(), moves, len(moves))


def rotate_to(order: np.ndarray, city: int) -> np.ndarray:
    """Return a tour, rotated so that it starts at a city."""
    return np.roll(order, -int(np.flatnonzero(order == city)[0]))
