"""Upper bounds: tours by Lin-Kernighan, and tours made from relaxations by rounding. Imports Numba."""

from dataclasses import replace

import numpy as np

from data.distances import distance_matrix, tour_length
from data.instance import Instance
from solvers.algorithms.branch_and_cut.graph import Graph
from solvers.algorithms.lin_kernighan.candidates_cpu import number_cities
from solvers.algorithms.lin_kernighan.cpu import LocalSearch
from solvers.algorithms.lin_kernighan.directed_cpu import MIN_DEPTH, Pairs
from solvers.algorithms.lin_kernighan.params import LinKernighanParams
from solvers.algorithms.lin_kernighan.start_cpu import build_greedy_tour
from solvers.parallel.thread_team import ThreadTeam

_LIMIT = 1 << 40
#: Maximum number of kicks per slice; maximum number of kicks per city, since there are few tours of few cities.
_PIECE, _KICKS_PER_CITY = 1000, 20


class TourFinder:
    """Finds tours by Lin-Kernighan.

    Parameters
    ----------
    instance : Instance
    graph : Graph
        The graph; kernels renumber its nodes if it is not directed.
    seed : int
    """

    def __init__(self, instance: Instance, graph: Graph, seed: int) -> None:
        self._instance, self._graph, self._seed = instance, graph, seed
        self._params = params = LinKernighanParams(kicks=min(_PIECE, _KICKS_PER_CITY * instance.n))
        self._team = ThreadTeam(1)
        self._doubled: Pairs | None = None
        if instance.directed:
            self._params = replace(params, depth=max(MIN_DEPTH, params.depth))
            self._doubled = Pairs(distance_matrix(instance), params, self._team)
            self._cities, self._names = self._doubled.cities, np.arange(graph.n, dtype=np.int32)
        else:
            self._cities, self._names = number_cities(instance, params.neighbours, params.quadrants, self._team)
        self._number = np.empty_like(self._names)
        self._number[self._names] = np.arange(self._names.size, dtype=np.int32)

    def close(self) -> None:
        """Stop the thread."""
        self._team.close()

    def greedy_tour(self) -> np.ndarray:
        """Return the greedy tour, (n,) int32."""
        return self._convert_tour(build_greedy_tour(self._cities, self._team))

    def begin(self, start: np.ndarray) -> None:
        """Start from the given tour, (n,) int32."""
        self._search = self._search_at(start)

    def kick(self) -> np.ndarray:
        """Kick the tour for one slice; return the best one so far, (n,) int32."""
        search = self._search
        if not search.descending and search.complete:
            return self._convert_tour(search.order)
        while not search.round_over:
            search.advance(_LIMIT)
        best = self._convert_tour(search.end_round().order)
        search.start_round()
        return best

    def round_solution(self, ends: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Build a tour from the edges with the greatest values, and improve it to a local optimum.

        Parameters
        ----------
        ends : ndarray, shape (m, 2), int32
        x : ndarray, shape (m,), float64

        Returns
        -------
        ndarray, shape (n,), int32
        """
        ends = np.vstack((self._graph.pairs, ends[np.argsort(-x, kind="stable")]))
        search = self._search_at(self._graph.order(_join(self._graph.n, ends)))
        while search.descending:
            search.advance(_LIMIT)
            if search.round_over and search.descending:
                search.start_round()
        return self._convert_tour(search.order)

    def _convert_tour(self, order: np.ndarray) -> np.ndarray:
        """Convert a kernel's tour of nodes to a tour of the instance."""
        return self._graph.order(self._names[order])

    def _search_at(self, order: np.ndarray) -> LocalSearch:
        """Return a search that starts at a tour of the instance."""
        length, doubled = tour_length(self._instance, order), self._doubled
        if doubled is not None:
            order, length = doubled.pair(order), (length - doubled.offset) // doubled.scale
        return LocalSearch(self._cities, self._number[order], length, self._seed, self._params, None)


def _join(n: int, ends: np.ndarray) -> np.ndarray:
    """Build a tour: add edges in order unless a city gets three or a cycle closes, then join fragments in order."""
    links: list[list[int]] = [[] for _ in range(n)]
    tail = list(range(n))
    for a, b in ends.tolist():
        if len(links[a]) < 2 and len(links[b]) < 2 and tail[a] != b:
            links[a].append(b)
            links[b].append(a)
            first, last = tail[a], tail[b]
            tail[first], tail[last] = last, first
    order, visited = [], [False] * n
    for city in range(n):
        if visited[city] or len(links[city]) == 2:
            continue
        before, current = -1, city
        while not visited[current]:
            visited[current] = True
            order.append(current)
            ahead = [link for link in links[current] if link != before and not visited[link]]
            before, current = current, ahead[0] if ahead else current
    return np.array(order, np.int32)
