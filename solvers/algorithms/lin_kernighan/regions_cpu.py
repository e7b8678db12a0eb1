"""A large tour, kicked in many regions in parallel. Imports Numba: for use inside `solve()`.

A region's part of the tour is several paths, which are joined to a separate tour. The joining edges stay, because the
ends of paths are never queued and are not candidates. Each region is improved as if the others did not change; if their
results together form cycles instead of a tour, these are joined. The result does not depend on the number of threads.
"""

from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from time import perf_counter

import numpy as np

from solvers.algorithms.genetic.kernels.draws_cpu import stream_key
from solvers.algorithms.genetic.kernels.tour_links_cpu import walk
from solvers.algorithms.lin_kernighan.candidates_cpu import add_distances, merge_lists, nearest, sort_candidates
from solvers.algorithms.lin_kernighan.cpu import EVERYWHERE, LocalSearch, RoundResult, allocate
from solvers.algorithms.lin_kernighan.kernels.chain_cpu import MIN_CITIES, push, reset_chain, run_kicks
from solvers.algorithms.lin_kernighan.kernels.merge_cpu import measure_tour
from solvers.algorithms.lin_kernighan.kernels.regions_cpu import INNER, cut_out, join_cycles, list_far, put_back
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
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import Cities
from solvers.algorithms.lin_kernighan.nearness_cpu import are_clustered, reduce_candidates
from solvers.algorithms.lin_kernighan.params import LinKernighanParams
from solvers.algorithms.lin_kernighan.start_cpu import varied_greedy_tour
from solvers.parallel.thread_team import ThreadTeam
from solvers.reporting.populations import tour_neighbours

#: Target seconds of a slice, and number of exchanges that a thread evaluates between two checks of the clock.
_SLICE_SECONDS, _WORK = 0.08, 100_000
#: Approximate number of cities of a region; minimum share of its cities on either side of a cut.
_REGION, _SHARE = 8000, 0.42
#: Number of rounds that together have as many kicks as cities.
_ROUNDS = 3
#: Number of passes of kicks at long edges before the first round; minimum ratio of such edges to candidates; number of
#: steps to a kick's edges.
_LONG_EDGE_PASSES, _LONG_EDGE_RATIO, _LONG_EDGE_STEPS = 100, 2, 30
#: Minimum ratio of an edge to the mean distance of its ends' candidates for which the ends get other candidates; number
#: of candidates that they keep.
_CONNECTED_RATIO, _OWN_CANDIDATES = 2.0, 5
#: Average number of times that a city is listed as the start of kicks; number of divisions in which a tour descends.
_SHARES, _DESCENTS = 8, 2
#: Maximum number of cities for a second start tour; number of rounds before it, and of its candidates.
_MAX_RESTARTED, _FIRST_ROUNDS, _PRICED_CANDIDATES = 200_000, 3, 5


def divide(points: np.ndarray, regions: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Divide points into `regions` parts, a power of two, by lines along and across a random direction."""
    angle = rng.uniform(0.0, 2.0 * np.pi)
    turned = points @ np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    parts, axis = [np.arange(len(points), dtype=np.int32)], 0
    while len(parts) < regions:
        halves = []
        for part in parts:
            at = int(part.size * rng.uniform(_SHARE, 1.0 - _SHARE))
            split = part[np.argpartition(turned[part, axis], at)]
            halves += [split[:at], split[at:]]
        parts, axis = halves, 1 - axis
    return parts


class Region:
    """One region's part of a tour, and its search.

    Parameters
    ----------
    cities : Cities
    order, position : ndarray, shape (n,), int32
        The whole tour.
    members : ndarray, shape (m,), int32
        Cities of the region.
    index : int
        Number of the region.
    region, local, waits
        See `solvers.algorithms.lin_kernighan.kernels.regions_cpu.cut_out`.
    params : LinKernighanParams
    kicks : float
        Number of kicks per city.
    key : uint64
        Key of the random draws.
    """

    def __init__(
        self, cities: Cities, order: np.ndarray, position: np.ndarray, members: np.ndarray, index: int,
        region: np.ndarray, local: np.ndarray, waits: np.ndarray, params: LinKernighanParams,
        kicks: float, key: np.uint64,
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
        self._cities = Cities(cities.policy, cities.matrix, points[:size], near[:size], far[:size])
        self._tour, self._search, self._chain = allocate(np.arange(size, dtype=np.int32), 0, params.depth, 0, False)
        self._chain.queue[:waiting] = queue[:waiting]
        self._chain.queued[:] = self._ends != 0  # path ends are never queued
        self._chain.queued[queue[:waiting]] = True
        self.state = self._chain.state
        self.state[QUEUED], self.state[HEAD], self.state[TARGET] = waiting, 0, NO_TARGET
        self._kicks = int(kicks * size) if size - np.count_nonzero(self._ends) > 4 * MIN_CITIES else 0
        self._seed, self._steps = key, params.walk
        self._starts = self._choose_starts() if self._kicks else EVERYWHERE

    def _choose_starts(self) -> np.ndarray:
        """Choose where to kick: half of the cities anywhere, half at edges longer than those to near cities."""
        (policy, matrix, points, _, far), m = self._cities, self._ends.size
        after = np.roll(np.arange(m, dtype=np.int32), -1)
        length = add_distances(policy, matrix, points, after[:, None]).near_distance[:, 0]
        excess = np.maximum(0, np.stack([length, np.roll(length, 1)]) - far[:, min(1, far.shape[1] - 1)]).sum(axis=0)
        excess[self._ends != INNER] = 0
        shares = 0.5 + 0.5 * excess / max(1.0, excess.mean())
        draws = np.random.default_rng(int(self._seed)).random(m)
        return np.repeat(np.arange(m, dtype=np.int32), np.floor(_SHARES * shares + draws).astype(np.int64))

    def step(self) -> bool:
        """Work for a few milliseconds; return whether the region is finished."""
        state, search = self.state, (self._cities, self._tour, self._search, self._chain)
        state[RECORDED] = 0
        if state[QUEUED]:
            state[LENGTH] += descend(*search, False, _WORK)
        else:
            run_kicks(*search, self._starts, self._seed, self._kicks, self._steps, 0.0, _WORK)
        return bool(not state[QUEUED] and state[KICKS] >= self._kicks)

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
    restarts : bool, optional
        Whether to begin again after a few rounds, with a greedy tour by prices and candidates by alpha-nearness, if it
        is shorter than the first; a thread makes it meanwhile.
    """

    _restart: Future[tuple[Cities, np.ndarray, int]] | None = None
    _rounds_left, _is_new = _FIRST_ROUNDS, True

    def __init__(
        self, cities: Cities, order: np.ndarray, length: int, seed: int, params: LinKernighanParams,
        target: int | None, team: ThreadTeam, restarts: bool = False,
    ) -> None:  # fmt: skip
        params = replace(params, kicks=params.kicks or max(1, order.size // _ROUNDS))
        super().__init__(cities, order, length, seed, params, target)
        self._team, self._nearest = team, cities
        self._work: Generator[None, None, None] | None = None
        n = order.size
        self._region, self._local = np.empty((2, n), np.int32)
        self._waits, self._begun = np.ones(n, np.bool_), list[Region | None]()
        self._links, self._found = np.empty((n, 2), np.int32), np.zeros((0, 2), np.int64)
        self._descents_left, self._start_length, self._pool = _DESCENTS, length, ThreadPoolExecutor(1)
        if restarts and n <= _MAX_RESTARTED:
            self._restart = self._pool.submit(_make_priced_tour, cities, order.copy(), seed)

    def start_round(self) -> None:
        """Start the next round, now and then from another tour."""
        if self._restart and not self._rounds_left:
            (cities, order, length), self._restart = self._restart.result(), None
            if length < self._start_length:
                self.cities = self._nearest = cities
                self._tour.order[:], self._tour.position[order] = order, np.arange(order.size, dtype=np.int32)
                self._state[LENGTH] = self._state[BEST] = length
                self._waits[:], self._descents_left, self._is_new = True, _DESCENTS, True
                push(self._chain, 0)  # it descends again
        self._rounds_left -= 1
        super().start_round()

    def close(self) -> None:
        """Wait for the search's thread."""
        self._pool.shutdown(cancel_futures=True)

    def _connect_long_edges(self) -> Generator[None, None, None]:
        """Add candidates between the ends of long edges, and improve the tour there; yield after each slice.

        The edges between clusters of a shortest tour are few and long, and rarely among the nearest of their ends.
        """
        (policy, matrix, points, near, far), order, state = self._nearest, self.order, self._state
        after, reach = np.empty_like(order), far.mean(axis=1)
        after[order] = np.roll(order, -1)
        length = add_distances(policy, matrix, points, after[:, None], self._team).near_distance[:, 0]
        is_long = length > _CONNECTED_RATIO * np.minimum(reach, reach[after])
        ends = np.union1d(np.flatnonzero(is_long), after[is_long]).astype(np.int32)
        if ends.size > near.shape[1]:
            others = ends[nearest(np.ascontiguousarray(points[ends]), near.shape[1], 1, self._team)]
            lists, near = merge_lists(near[ends], others, _OWN_CANDIDATES), near.copy()
            near[ends] = lists
            self.cities = sort_candidates(add_distances(policy, matrix, points, near, self._team), ends)
            self._chain.queue[: ends.size], self._chain.queued[ends] = ends, True
            state[QUEUED], state[HEAD] = ends.size, 0
        while state[QUEUED]:
            state[RECORDED] = 0
            state[LENGTH] += descend(self.cities, self._tour, self._search, self._chain, False, _WORK)
            yield

    def _kick_at_long_edges(self) -> Generator[None, None, None]:
        """Kick at edges much longer than candidates, which rarely fit into a region; yield after each kick.

        Some edges of a greedy tour are as long as the whole map, because its last paths have distant ends.
        """
        state, search = self._state, (self._nearest, self._tour, self._search, self._chain)
        ends, key = np.empty(2 * self.order.size, np.int32), np.uint64(stream_key(self._seed, np.uint64(1)))
        for _ in range(_LONG_EDGE_PASSES):
            starts = ends[: list_far(self._nearest, self.order, _LONG_EDGE_RATIO, ends)].copy()
            if not starts.size:
                return
            until = int(state[KICKS]) + starts.size
            while state[KICKS] < until:
                state[RECORDED] = 0
                run_kicks(*search, starts, key, until, _LONG_EDGE_STEPS, 0.0, _WORK)
                yield

    def _begin(self) -> Generator[None, None, None]:
        """Shorten long edges, then improve and kick regions; yield after each slice."""
        first = int(self._state[KICKS])
        if self._is_new and not self._restart:  # the next tour has others
            self._is_new = False
            yield from self._kick_at_long_edges()
        yield from self._connect_long_edges()
        self._state[KICKS] = first
        yield from self._improve(first, (self._until - first) / self.order.size)

    def _improve(self, first: int, kicks: float) -> Generator[None, None, None]:
        """Divide the cities into regions, improve each, and kick it `kicks` times per city."""
        cities, (order, position), n = self.cities, self._tour[:2], self.order.size
        rng = np.random.default_rng((int(self._seed), first, self._descents_left))
        parts = divide(cities.points, 1 << max(0, round(np.log2(n / _REGION))), rng)
        for number, part in enumerate(parts):
            self._region[part] = number
        self._links = tour_neighbours(order[None])[0]
        self._begun = [None] * len(parts)
        states = [np.zeros(2, np.int64) for _ in range(self._team.threads)]
        self._found = np.zeros((len(parts), 2), np.int64)

        def work(worker: int) -> None:
            at = int(states[worker][0])
            region = self._begun[at]
            if region is None:
                key = np.uint64(stream_key(self._seed, np.uint64((first << 20) + at)))
                self._begun[at] = Region(
                    cities, order, position, parts[at], at, self._region, self._local, self._waits, self._params, kicks,
                    key,
                )  # fmt: skip
            elif region.step():
                self._put_back(at)
                states[worker][0] += 1

        yield from self._team.distribute(work, len(parts), 1, states)

    def _put_back(self, at: int) -> None:
        region, self._begun[at] = self._begun[at], None
        assert region is not None
        region.put_back(*self._tour[:2], self._links)
        self._found[at] = region.state[LENGTH], region.state[EVALUATED]

    def _join(self) -> None:
        """Join the results of all regions into one tour."""
        if not self._begun:
            self._work = None
            return
        for at, region in enumerate(self._begun):
            if region is not None:
                self._put_back(at)
        change, evaluated = self._found.sum(axis=0)
        joined, _ = join_cycles(self.cities, self._links, self._local, self._waits)
        walk(self._links, *self._tour[:2])
        self._state[LENGTH] += change + joined
        self._state[BEST] = self._state[LENGTH]
        self._state[EVALUATED] += evaluated
        self._work, self._begun = None, []
        if not self.in_descent:
            self._state[KICKS] = self._until
        elif self._descents_left > 1:
            self._descents_left -= 1
        else:
            reset_chain(self._chain)

    def _descend(self, limit: int) -> None:
        """Descend in all regions for one slice; cities with candidates elsewhere wait for the next round."""
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
        if self._work:
            self._join()
        return RoundResult(self.length, self.order.copy(), None, 0)


def _make_priced_tour(cities: Cities, order: np.ndarray, seed: int) -> tuple[Cities, np.ndarray, int]:
    """Make a greedy tour by prices, which is shorter, above all in clusters; return candidates, tour and length.

    The candidates are those by alpha-nearness, but in clusters all, since few lead to others.
    """
    fewer, prices = reduce_candidates(cities, order, _PRICED_CANDIDATES)
    order = varied_greedy_tour(fewer, seed, prices)
    length = int(measure_tour(cities.policy, cities.matrix, cities.points, order))
    return cities if are_clustered(cities) else fewer, order, length
