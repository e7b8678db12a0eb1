"""Loads the kernels before a run's clock starts. Imports Numba: for use inside `solve()`."""

from collections.abc import Callable, Generator
from dataclasses import replace
from functools import partial

import numpy as np

from data.instance import Instance
from data.tsplib.normal_form import assemble
from solvers.algorithms.genetic.kernels.edge_assembly_cpu import allocate_crossing
from solvers.algorithms.genetic.kernels.tour_links_cpu import walk
from solvers.algorithms.lin_kernighan.candidates_cpu import build_boxes, number_cities
from solvers.algorithms.lin_kernighan.cpu import allocate
from solvers.algorithms.lin_kernighan.directed_cpu import DirectedSearch, Pairs
from solvers.algorithms.lin_kernighan.kernels.apply_cpu import (
    HEADER,
    allow_longer,
    apply_results,
    find_regions,
    rename_cities,
)
from solvers.algorithms.lin_kernighan.kernels.chain_cpu import first_position
from solvers.algorithms.lin_kernighan.kernels.merge_cpu import measure_tour, merge
from solvers.algorithms.lin_kernighan.kernels.path_moves_cpu import find_path_moves
from solvers.algorithms.lin_kernighan.kernels.regions_cpu import (
    SHARES,
    join_cycles,
    list_paths,
    list_starts,
    put_back,
)
from solvers.algorithms.lin_kernighan.kernels.spatial_cpu import find_beside
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import Cities
from solvers.algorithms.lin_kernighan.merged_cpu import MergedSearch, make_cpu_search
from solvers.algorithms.lin_kernighan.nearness_cpu import reduce_candidates
from solvers.algorithms.lin_kernighan.params import LinKernighanParams
from solvers.algorithms.lin_kernighan.paths_cpu import find_round_trip
from solvers.algorithms.lin_kernighan.recorder import InsertionRecorder
from solvers.algorithms.lin_kernighan.recorder import load as load_moves
from solvers.algorithms.lin_kernighan.regions_cpu import RegionSearch
from solvers.algorithms.lin_kernighan.run import SearchKind
from solvers.algorithms.lin_kernighan.schedule import POPULATIONS, REGIONS, Schedule
from solvers.algorithms.lin_kernighan.start_cpu import (
    MIN_PARTED,
    build_greedy_in_parts,
    build_greedy_tour,
    build_varied_greedy_tour,
)
from solvers.core.kernel_distances import GRID_DIAGONAL
from solvers.kernels.distance_rows_cpu import MATRIX
from solvers.parallel.thread_team import ThreadTeam
from solvers.reporting.populations import find_tour_neighbours
from solvers.worker.kernel_loading import load_in_two_parts, load_kernels

#: Number of cities in the instance that is solved to load kernels: so many that
#: `solvers.algorithms.lin_kernighan.start_cpu` does not try all pairs.
_CITIES = 8
#: Number of rounds that together call every kernel of a search that crosses tours: the descent, the first tours, a
#: generation, and tours and a generation again.
_ROUNDS = 6


def load(instance: Instance, params: LinKernighanParams, kind: SearchKind) -> Generator[None, None, None]:
    """Compile or load the kernels by solving an instance of a few cities.

    If some kernels must be compiled, yields once, as soon as those of the start tour are loaded. On the CPU, kernels
    are the same for every kind of distances; on a GPU there is one for each kind, so the small instance has the given
    instance's kind.
    """
    base = find_round_trip(instance)
    calls: list[Callable[[], object]] = []
    if base is not None:
        instance, calls = base, [_load_path_moves]
    if instance.directed:
        _load_directed(instance.n, params)
        return
    kernels = _Calls(instance, params, kind)
    calls, on_gpu = [*kernels.all(), *calls], () if kind is make_cpu_search else (kernels.kick,)
    if base is None:
        yield from load_in_two_parts(calls, kernels.START_CALLS, on_gpu)
    else:  # the start tour of a path is not reported
        load_kernels(calls, on_gpu)


class _Calls:
    """Independent calls that each compile or load some of a search's kernels.

    Parameters
    ----------
    instance, params, kind
        See `load`.

    Attributes
    ----------
    START_CALLS : int
        Number of calls that load the kernels of the start tour.
    """

    START_CALLS = 3

    def __init__(self, instance: Instance, params: LinKernighanParams, kind: SearchKind) -> None:
        self._params, self._kind, self._team = params, kind, ThreadTeam(1)
        self._schedule = Schedule.for_cities(params, instance.n, gpu=kind is not make_cpu_search)
        self._similar = _similar_instance(instance)
        # A matrix needs no kernels for its candidates.
        self._cities, _ = number_cities(_few_distances(), 5, 1, self._team)
        self._order = np.arange(_CITIES, dtype=np.int32)

    def all(self) -> list[Callable[[], object]]:
        """Return the calls in the order in which a run needs them; forks start from the end."""
        schedule, smallest = self._schedule, partial(first_position, np.uint64(1), 1)
        calls: list[Callable[[], object]] = [smallest, partial(self._build, self._cities), self._start, self.kick]
        if schedule.one_by_one or schedule.kind == REGIONS:
            calls.append(self._regions)
        if schedule.one_by_one:
            calls.append(self._results)
        if schedule.kind == POPULATIONS:
            calls.append(self._populations)
        calls.append(partial(load_moves, self._cities))
        calls.append(partial(reduce_candidates, self._cities, self._order, _CITIES // 2))
        calls.append(partial(build_varied_greedy_tour, self._cities, 1))
        if schedule.kind == POPULATIONS:
            calls.append(self._merge)
        return calls + [load_applying] * schedule.gpu

    def _start(self) -> None:
        self._build(self._similar_cities())

    def _build(self, cities: Cities) -> None:
        if self._schedule.n > MIN_PARTED:
            order = build_greedy_in_parts(cities, 1, np.zeros(_CITIES), 0.0, self._team)
        else:
            order = build_greedy_tour(cities, self._team)
        measure_tour(cities.policy, cities.matrix, cities.points, order)

    def _similar_cities(self) -> Cities:
        return number_cities(self._similar, 5, 1, self._team)[0]

    def kick(self) -> None:
        """Load the kernels for the first local optimum and for kicks, on the GPU if the run uses one."""
        params = replace(self._params, kicks=1, tours=0)
        search = self._kind(self._similar_cities(), self._order, 1 << 28, 1, params, None, self._team)
        while search.descending:
            search.advance(1 << 30)
        search.start_round()
        while not search.round_over:
            search.advance(1 << 30)
        search.close()

    def _regions(self) -> None:
        params, cities = replace(self._params, kicks=1), self._similar_cities()
        list_starts(cities, np.zeros(_CITIES, np.int8), np.uint64(1), np.empty((1 + SHARES) * _CITIES, np.int32))
        find_beside(cities.points, *build_boxes(cities.points), 0, 1, 1.0, np.empty(_CITIES, np.int32))
        regions = RegionSearch(cities, self._order, 1 << 28, 1, params, None, self._team)
        for _ in range(_ROUNDS):
            while not regions.round_over:
                regions.advance(1 << 30)
            regions.start_round()

    def _populations(self) -> None:
        few, schedule = replace(self._params, tours=4), self._schedule
        small_schedule = replace(
            Schedule.for_cities(few, _CITIES),
            uses_matrix=schedule.uses_matrix,
            builds_in_one_call=schedule.builds_in_one_call,
        )
        merged = MergedSearch(self._similar_cities(), self._order, 1 << 28, 1, few, None, self._team, small_schedule)
        for _ in range(_ROUNDS):
            while not merged.round_over:
                merged.advance(1 << 30)
            merged.end_round()
            merged.start_round()

    def _merge(self) -> None:
        """Merge two tours, with a matrix of distances, or with distances that are computed when needed."""
        cities, schedule = self._cities, self._schedule
        links = find_tour_neighbours(np.array([self._order, self._order[::-1]]))
        computed = not schedule.uses_matrix or schedule.chained_rounds
        for distances in ([cities.matrix.reshape(-1)] if schedule.uses_matrix else []) + ([cities] if computed else []):
            merge(distances, cities.near, links[0], links[1], allocate_crossing(_CITIES), np.uint64(1))

    def _results(self) -> None:
        """Load the kernels that apply results region by region."""
        cities, order = self._similar_cities(), self._order.copy()
        tour, _, _ = allocate(order, 0, 2, 0, False)
        results, links = np.zeros((1, HEADER + 2), np.int32), find_tour_neighbours(order[None])[0]
        waits = np.zeros(_CITIES, np.bool_)
        (local, names), ends = np.zeros((2, _CITIES), np.int32), np.zeros(_CITIES, np.int8)
        find_regions(results, local, np.empty(1, np.int32))
        list_paths(order, np.arange(_CITIES, dtype=np.int32), local, waits, names, ends)
        rename_cities(results, np.zeros(1, np.int64), local)
        put_back(order, names, ends, *tour[:2], links)
        join_cycles(cities, links, local, waits)
        walk(links, *tour[:2])


def load_applying() -> None:
    """Compile or load the CPU kernels that apply a GPU's results."""
    tour, search, chain = allocate(np.arange(_CITIES, dtype=np.int32), 0, 2, 0, False)
    apply_results(tour, search, chain, np.empty((0, 1), np.int32), np.empty(0, np.int64), 0, 1)
    allow_longer(np.uint64(1), 0, 1, 1.0, np.empty(0, np.int32))


def _load_path_moves() -> None:
    order, points = np.zeros(1, np.int32), np.zeros((1, 2))
    find_path_moves(MATRIX, np.zeros((1, 1), np.int32), points, order, order, 0, 0, np.empty((1, 3), np.int64))


def _load_directed(n: int, params: LinKernighanParams) -> None:
    """Compile or load the kernels for directed instances of n cities, by solving a small instance."""
    matrix = np.random.default_rng(1).integers(1, 99, (_CITIES, _CITIES)).astype(np.int32)
    params, team = replace(params, kicks=1, tours=min(params.tours, 4)), ThreadTeam(1)
    pairs = Pairs(matrix, params, team)
    order = pairs.start[::-1].copy()
    recorder = InsertionRecorder(order, pairs.length(order), pairs.moves_per_step)
    schedule = replace(
        Schedule.for_cities(params, 2 * _CITIES),
        builds_in_one_call=Schedule.for_cities(params, 2 * n).builds_in_one_call,
    )
    search = DirectedSearch(pairs, order, 1, params, None, team, schedule)
    for number in range(_ROUNDS):
        while not search.round_over:
            search.advance(1 << 30)
        result = search.end_round()
        for _ in recorder.round(number, *recorder.rows(result)):
            pass
        search.start_round()
    search.close()


def _similar_instance(instance: Instance) -> Instance:
    """Return an instance of a few cities with the same kind of distances."""
    points = np.random.default_rng(1).integers(0, 99, (_CITIES, 2)).astype(np.float64)
    if instance.coordinates is None or instance.is_on_globe:
        return _few_distances()
    fits = np.array_equal(instance.coordinates, np.rint(instance.coordinates))
    if instance.kind == "EUC_2D" and not (fits and np.hypot(*np.ptp(instance.coordinates, axis=0)) <= GRID_DIAGONAL):
        points += 0.25
    return assemble("load", instance.kind, "inline", coordinates=points)


def _few_distances() -> Instance:
    at = np.random.default_rng(1).integers(0, 99, _CITIES).astype(np.int32)
    return assemble("load", "EXPLICIT", "inline", weights=np.abs(at[:, None] - at))
