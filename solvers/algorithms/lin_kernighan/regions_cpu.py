"""A large tour that is kicked in many regions in parallel. Imports Numba: for use inside `solve()`.

A region's part of the tour consists of several paths, which are joined to a separate tour. The joining edges stay,
because ends of paths are never queued and never candidates. Each region is improved as if the others did not change; if
their results together form cycles instead of a tour, these are joined. The tour does not depend on the number of
threads. No region has the extra city of `OPEN` distances, so the cities beside it are ends of paths.
"""

from collections.abc import Generator
from dataclasses import replace
from time import perf_counter

import numpy as np

from solvers.algorithms.genetic.kernels.draws_cpu import stream_key
from solvers.algorithms.genetic.kernels.tour_links_cpu import walk
from solvers.algorithms.lin_kernighan.candidates_cpu import (
    add_distances,
    build_boxes,
    merge_lists,
    nearest,
    sort_candidates,
)
from solvers.algorithms.lin_kernighan.cpu import EVERYWHERE, LocalSearch, RoundResult, allocate
from solvers.algorithms.lin_kernighan.kernels.chain_cpu import MIN_CITIES, reset_chain, run_kicks
from solvers.algorithms.lin_kernighan.kernels.merge_cpu import measure_tour
from solvers.algorithms.lin_kernighan.kernels.regions_cpu import (
    MIN_PATH_CITIES,
    SHARES,
    cut_out,
    join_cycles,
    list_far,
    list_starts,
    put_back,
)
from solvers.algorithms.lin_kernighan.kernels.search_cpu import (
    BEST,
    EVALUATED,
    HEAD,
    KICKS,
    LENGTH,
    NO_TARGET,
    QUEUED,
    RECORDED,
    TARGET,
    descend,
)
from solvers.algorithms.lin_kernighan.kernels.spatial_cpu import find_beside
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import OPEN, Cities
from solvers.algorithms.lin_kernighan.nearness_cpu import are_clustered, reduce_in_parts
from solvers.algorithms.lin_kernighan.params import LinKernighanParams
from solvers.algorithms.lin_kernighan.schedule import MANY
from solvers.algorithms.lin_kernighan.start_cpu import build_varied_greedy_tour
from solvers.kernels.distance_rows_cpu import EUC_2D
from solvers.parallel.thread_team import ThreadTeam
from solvers.reporting.populations import find_tour_neighbours

#: Target seconds per slice, and number of exchanges that a thread evaluates between two checks of the clock.
_SLICE_SECONDS, _WORK = 0.08, 250_000
#: `_REGION`: approximate number of cities per region. `_MIN_REGIONS`, `_SMALL_REGION`: minimum number of regions, and
#: minimum number of cities in each if there are so few. `_SHARE`: minimum share of a part's cities on either side of a
#: cut.
_REGION, _MIN_REGIONS, _SMALL_REGION, _SHARE = 8000, 16, 1000, 0.42
#: Number of rounds that together have as many kicks as cities.
_ROUNDS = 3
#: `_FIRST_DIVISIONS`, `_DIVISIONS`: maximum number of divisions in which kicks begin at long edges, before the first
#: round and before other rounds. `_MIN_GAIN`: before the first round, another such division follows only if the last
#: one saved this share of the tour's length. `_LONG_EDGE_PASSES`: number of kicks at each end of a long edge.
#: `_LONG_EDGE_RATIO`: minimum length of a long edge, in distances from its ends to their candidates.
_FIRST_DIVISIONS, _DIVISIONS, _MIN_GAIN, _LONG_EDGE_PASSES, _LONG_EDGE_RATIO = 12, 4, 3e-4, 10, 2
#: Index of the division in which tours of more than `MANY` cities are improved at the ends of long edges. Smaller tours
#: are improved as a whole; the more cities moves reverse, the longer they take.
_CONNECTED = 100
#: Half the width of the corridor along a long edge that belongs to one region, as a multiple of the distance to the
#: farthest candidate of the edge's ends; minimum number of divisions for such edges in the first round.
_CORRIDOR, _MIN_DIVISIONS = 3, 2
_NO_EDGES = np.empty((0, 2), np.int32)
#: An edge's ends get other candidates from this ratio of its length to the mean distance of their candidates on; number
#: of candidates that they keep.
_CONNECTED_RATIO, _OWN_CANDIDATES = 2.0, 5
#: Number of divisions in which a tour descends.
_DESCENTS = 2


def count_regions(n: int) -> int:
    """Return the number of regions for n cities, a power of two."""
    return 1 << max(0, round(np.log2(max(n / _REGION, min(_MIN_REGIONS, n / _SMALL_REGION)))))


def divide(points: np.ndarray, regions: int, rng: np.random.Generator, team: ThreadTeam) -> list[np.ndarray]:
    """Divide points into `regions` parts, a power of two, by lines along and across a random direction."""
    angle, (x, y) = rng.uniform(0.0, 2.0 * np.pi), points.T
    turned = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    parts, axis = [np.arange(len(points), dtype=np.int32)], 0
    while len(parts) < regions:
        shares = rng.uniform(_SHARE, 1.0 - _SHARE, len(parts))
        parts, axis = _halve(parts, shares, turned[axis], team), 1 - axis
    return parts


def _halve(parts: list[np.ndarray], shares: np.ndarray, along: np.ndarray, team: ThreadTeam) -> list[np.ndarray]:
    """Cut each part in two, in parallel; the first gets a share of the points, those that come first in `along`."""
    halves, pieces = 2 * parts, iter(range(len(parts)))

    def cut(_: int) -> None:
        while (k := next(pieces, None)) is not None:
            at = int(parts[k].size * shares[k])
            sorted_part = parts[k][np.argpartition(along[parts[k]], at)]
            halves[2 * k : 2 * k + 2] = sorted_part[:at], sorted_part[at:]

    team.run_all(cut, min(team.threads, len(parts)))
    return halves


class Region:
    """One region's part of a tour, and its search.

    Parameters
    ----------
    cities : Cities
    order, position : ndarray, shape (n,), int32
        The whole tour.
    members : ndarray, shape (m,), int32
        The region's cities.
    index : int
        Index of the region.
    region, local, waits
        See `solvers.algorithms.lin_kernighan.kernels.regions_cpu.cut_out`.
    params : LinKernighanParams
    kicks : float
        Number of kicks per city; 0 to kick only at edges that are much longer than candidates.
    passes : int
        Number of kicks at each end of such an edge.
    key : uint64
        Key of the random draws.
    """

    def __init__(
        self, cities: Cities, order: np.ndarray, position: np.ndarray, members: np.ndarray, index: int,
        region: np.ndarray, local: np.ndarray, waits: np.ndarray, params: LinKernighanParams,
        kicks: float, passes: int, key: np.uint64,
    ) -> None:  # fmt: skip
        m, width = members.size, cities.near.shape[1]
        names, ends, points, queue = (
            np.empty(m, np.int32),
            np.empty(m, np.int8),
            np.empty((m, 2)),
            np.empty(m, np.int32),
        )
        near, far = np.empty((2, m, width), np.int32)
        positions = np.sort(position[members])
        size, waiting = cut_out(
            cities, order, positions, index, region, local, waits, names, ends, points, near, far, queue
        )
        self._names, self._ends = names[:size], ends[:size]
        policy = EUC_2D if cities.policy == OPEN else cities.policy
        self._cities = Cities(policy, cities.matrix, points[:size], near[:size], far[:size])
        self._tour, self._search, self._chain = allocate(np.arange(size, dtype=np.int32), 0, params.depth, 0, False)
        self._chain.queue[:waiting] = queue[:waiting]
        self._chain.queued[:] = self._ends != 0  # path ends are never queued
        self._chain.queued[queue[:waiting]] = True
        self.state = self._chain.state
        self.state[QUEUED], self.state[HEAD], self.state[TARGET] = waiting, 0, NO_TARGET
        if size - np.count_nonzero(self._ends) <= 4 * MIN_CITIES:
            kicks, passes = 0.0, 0
        self._kicks, self._passes = int(kicks * size), passes
        self._seed, self._steps = key, params.walk
        self._starts = EVERYWHERE
        if self._kicks:
            starts = np.empty((1 + SHARES) * size, np.int32)
            self._starts = starts[: list_starts(self._cities, self._ends, key, starts)]

    def step(self) -> bool:
        """Work for a few milliseconds; return whether the region is finished."""
        state, search = self.state, (self._cities, self._tour, self._search, self._chain)
        state[RECORDED] = 0
        if state[QUEUED]:
            state[LENGTH] += descend(*search, False, _WORK)
        elif state[KICKS] < self._kicks:
            run_kicks(*search, self._starts, self._seed, self._kicks, self._steps, 0.0, _WORK)
        elif self._passes:
            self._start_pass()
        return bool(not state[QUEUED] and state[KICKS] >= self._kicks and not self._passes)

    def _start_pass(self) -> None:
        """Let the next steps kick at edges that are much longer than candidates."""
        starts = np.empty(2 * self._ends.size, np.int32)
        self._starts = starts[: list_far(self._cities, self._tour.order, self._ends, _LONG_EDGE_RATIO, starts)]
        self._kicks += self._starts.size
        self._passes = self._passes - 1 if self._starts.size else 0

    def put_back(self, order: np.ndarray, position: np.ndarray, links: np.ndarray) -> None:
        """Write the neighbours of the region's cities."""
        put_back(self._tour.order, self._names, self._ends, order, position, links)


class RegionSearch(LocalSearch):
    """An iterated local search that descends and kicks in many regions in parallel, in slices.

    Parameters
    ----------
    cities, order, length, seed, params, target
        See `solvers.algorithms.lin_kernighan.cpu.LocalSearch`.
    team : ThreadTeam
    begins_by_prices : bool, optional
        Whether to begin with candidates by alpha-nearness (in clusters with all candidates, since few lead to other
        clusters), and with a greedy tour by prices if that is shorter, as it mostly is in clusters.

    Attributes
    ----------
    is_connected : bool
        Whether `cities` has additional candidates between the ends of long edges, which it keeps until the next round.
    """

    is_connected, _is_new = False, True
    _boxes: tuple[np.ndarray, np.ndarray] | None = None  # the same for all divisions

    def __init__(
        self, cities: Cities, order: np.ndarray, length: int, seed: int, params: LinKernighanParams,
        target: int | None, team: ThreadTeam, begins_by_prices: bool = False,
    ) -> None:  # fmt: skip
        # At temperature 0, which regions have, the current tour is the best one.
        params = replace(params, kicks=params.kicks or max(1, order.size // _ROUNDS), temperature=0.0)
        super().__init__(cities, order, length, seed, params, target)
        self._team, self._nearest = team, cities
        self._work: Generator[None, None, None] | None = None
        n = order.size
        self._region, self._local = np.full((2, n), -1, np.int32)
        self._waits, self._begun = np.ones(n, np.bool_), list[Region | None]()
        self._links, self._found = np.empty((n, 2), np.int32), np.zeros((0, 2), np.int64)
        self._descents_left, self._few, self.candidates = _DESCENTS, cities, (cities, None)
        if begins_by_prices:
            self._work = self._begin_by_prices()

    @property
    def round_over(self) -> bool:
        """Whether the round has ended; kicks at long edges do not count towards it."""
        return super().round_over and (self._work is None or self.length <= self._state[TARGET])

    @property
    def _all_candidates(self) -> Cities:
        """The cities with all candidates, possibly including additional ones between the ends of long edges."""
        return self._nearest if self._few is not self._nearest else self.cities

    def _begin_by_prices(self) -> Generator[None, None, None]:
        """Find candidates and prices, and then begin again with a greedy tour; yield after each slice."""
        cities, state = self._nearest, self._state
        fewer, prices = yield from reduce_in_parts(cities, self.order, self._params.alpha, self._team)
        self.candidates = fewer, prices
        order = build_varied_greedy_tour(fewer, int(self._seed), prices, self._team)
        length = int(measure_tour(cities.policy, cities.matrix, cities.points, order))
        if not are_clustered(cities):
            self.cities = self._few = fewer
        if length < self.length:
            self._tour.order[:], self._tour.position[order] = order, np.arange(order.size, dtype=np.int32)
            state[LENGTH] = state[BEST] = length

    def _connect_long_edges(self) -> np.ndarray:
        """Add candidates between the ends of long edges; return the ends, where the tour can be improved, (m,) int32.

        In a shortest tour, the edges between clusters are few and long, and rarely lead to one of the nearest cities.
        """
        (policy, matrix, points, near, _), order = self._few, self.order
        after, reach = np.empty_like(order), self._nearest.near_distance.mean(axis=1)
        after[order] = np.roll(order, -1)
        length = add_distances(policy, matrix, points, after[:, None], self._team).near_distance[:, 0]
        is_long = length > _CONNECTED_RATIO * np.minimum(reach, reach[after])
        ends = np.union1d(np.flatnonzero(is_long), after[is_long]).astype(np.int32)
        if ends.size <= near.shape[1]:
            return ends[:0]
        others = ends[nearest(np.ascontiguousarray(points[ends]), near.shape[1], 1, self._team)]
        lists, near = merge_lists(near[ends], others, _OWN_CANDIDATES), near.copy()
        near[ends] = lists
        self.cities = sort_candidates(add_distances(policy, matrix, points, near, self._team), ends)
        return ends

    def _descend_at(self, cities: np.ndarray) -> Generator[None, None, None]:
        """Improve the whole tour at some cities, with all candidates, since only a few hardly shorten long edges."""
        state = self._state
        self._chain.queue[: cities.size], self._chain.queued[cities] = cities, True
        state[QUEUED], state[HEAD] = cities.size, 0
        while state[QUEUED]:
            state[RECORDED] = 0
            state[LENGTH] += descend(self._all_candidates, self._tour, self._search, self._chain, False, _WORK)
            yield

    def _begin(self) -> Generator[None, None, None]:
        """Shorten long edges, and then improve and kick regions; yield after each slice.

        The first round shortens long edges at least twice, which also improves cities beside the regions' borders.
        """
        first = int(self._state[KICKS])
        ends = self._connect_long_edges()
        self.is_connected = True
        if ends.size > 0 and self.order.size > MANY:
            self._waits[ends] = True
            yield from self._improve(first, 0.0, _CONNECTED)
            self._join_regions()
        elif ends.size > 0:
            yield from self._descend_at(ends)
        for division in range(_FIRST_DIVISIONS if self._is_new else _DIVISIONS):
            before, edges = self.length, self._list_long_edges()
            is_needed = self._is_new and division < _MIN_DIVISIONS
            if edges.size or is_needed:
                yield from self._improve(first, 0.0, division, edges)
                self._join_regions()
            if not is_needed and (not edges.size or (self._is_new and before - self.length < _MIN_GAIN * before)):
                break
        self._is_new = False
        yield from self._improve(first, (self._until - first) / self.order.size)

    def _improve(
        self, first: int, kicks: float, division: int | None = None, long_edges: np.ndarray = _NO_EDGES
    ) -> Generator[None, None, None]:
        """Divide the cities into regions, improve each region, and kick it `kicks` times per city.

        A numbered division is for long edges: it uses all candidates, since only a few hardly shorten such edges, and
        kicks only at these edges.
        """
        cities = self.cities if division is None else self._all_candidates
        (order, position), n = self._tour[:2], self.order.size
        key = (int(self._seed), first, self._descents_left) + (() if division is None else (division,))
        points = cities.points[: n - (cities.policy == OPEN)]
        parts = divide(points, count_regions(n), np.random.default_rng(key), self._team)
        for number, part in enumerate(parts):
            self._region[part] = number
        passes = _LONG_EDGE_PASSES if long_edges.size else 0
        if passes:
            self._unite_long_edges(parts, points, long_edges, division or 0)
        self._links = find_tour_neighbours(order[None])[0]
        self._begun = [None] * len(parts)
        states = [np.zeros(2, np.int64) for _ in range(self._team.threads)]
        self._found = np.zeros((len(parts), 2), np.int64)

        def work(worker: int) -> None:
            at = int(states[worker][0])
            region = self._begun[at]
            if region is None:
                key = np.uint64(stream_key(self._seed, np.uint64((first << 20) + ((division or 0) << 16) + at)))
                self._begun[at] = Region(
                    cities, order, position, parts[at], at, self._region, self._local, self._waits, self._params, kicks,
                    passes, key,
                )  # fmt: skip
            elif region.step():
                self._put_back(at)
                states[worker][0] += 1

        yield from self._team.distribute(work, len(parts), 1, states)

    def _list_long_edges(self) -> np.ndarray:
        """Return the tour's edges much longer than candidates, (m, 2) int32; shortest tours have few such edges."""
        no_ends, cities = np.zeros(self.order.size, np.int8), np.empty(2 * self.order.size, np.int32)
        count = list_far(self._nearest, self.order, no_ends, _LONG_EDGE_RATIO, cities)
        return cities[:count].reshape(-1, 2)

    def _unite_long_edges(self, parts: list[np.ndarray], points: np.ndarray, edges: np.ndarray, division: int) -> None:
        """Assign each long edge to one region, with the cities beside it, along which exchanges move its ends.

        The tour's next cities move to the region together with an end of the edge, since short paths are not improved.
        """
        (order, position), region, reach = self._tour[:2], self._region, self._nearest.near_distance[:, -1]
        direction, beside = 1 - 2 * (division % 2), np.empty(len(points), np.int32)
        self._boxes = self._boxes or build_boxes(points)
        is_moved = np.zeros(order.size, np.bool_)
        edges = edges[(edges < len(points)).all(axis=1)]
        by_length = np.argsort(-np.hypot(*(points[edges[:, 0]] - points[edges[:, 1]]).T), kind="stable")
        for stays, moves in edges[by_length, ::direction].tolist():
            width = float(_CORRIDOR * max(reach[stays], reach[moves]))
            count = find_beside(points, *self._boxes, stays, moves, width, beside)
            at = int(position[moves]) + direction * np.arange(MIN_PATH_CITIES)
            cities = np.concatenate([beside[:count], order[at % order.size]])
            cities = cities[~is_moved[cities] & (region[cities] >= 0)]
            region[cities], is_moved[cities] = region[moves if is_moved[moves] else stays], True
        self._waits[edges] = True
        cities = np.flatnonzero(is_moved).astype(np.int32)
        by_region = cities[np.argsort(region[cities], kind="stable")]
        bounds = np.searchsorted(region[by_region], np.arange(len(parts) + 1))
        for number, part in enumerate(parts):
            parts[number] = np.concatenate([part[~is_moved[part]], by_region[bounds[number] : bounds[number + 1]]])

    def _put_back(self, at: int) -> None:
        region, self._begun[at] = self._begun[at], None
        assert region is not None
        region.put_back(*self._tour[:2], self._links)
        self._found[at] = region.state[LENGTH], region.state[EVALUATED]

    def _join_regions(self) -> None:
        """Join the results of all regions into one tour."""
        for at, region in enumerate(self._begun):
            if region is not None:
                self._put_back(at)
        change, evaluated = self._found.sum(axis=0)
        joined, _ = join_cycles(self.cities, self._links, self._local, self._waits)
        walk(self._links, *self._tour[:2])
        self._state[LENGTH] += change + joined
        self._state[BEST] = self._state[LENGTH]
        self._state[EVALUATED] += evaluated
        self._begun = []

    def _join(self) -> None:
        """End the work of a round or a descent: if the cities are divided, join the regions."""
        self._work = None
        if not self._begun:
            return
        self._join_regions()
        if not self.in_descent:
            self._state[KICKS] = self._until
        elif self._descents_left > 1:
            self._descents_left -= 1
        else:
            reset_chain(self._chain)

    def _descend(self, limit: int) -> None:
        """Descend in all regions for one slice; cities with candidates in other regions wait for the next round."""
        self._continue(self._work or self._improve(0, 0.0))

    def _kick(self, limit: int) -> None:
        """Kick for one slice."""
        self._continue(self._work or self._begin())

    def _continue(self, work: Generator[None, None, None]) -> None:
        self._work, self._team.deadline = work, perf_counter() + _SLICE_SECONDS
        if next(work, self) is self:
            self._join()

    def end_round(self) -> RoundResult:
        """See `LocalSearch`; a round's exchanges are unknown."""
        if self._begun:
            self._join()
        return RoundResult(self.length, self.order.copy(), None, 0)
