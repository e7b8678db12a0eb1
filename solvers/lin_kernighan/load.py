"""Loads the kernels before the run's clock starts. Imports Numba: for use inside `solve()`."""

from dataclasses import replace

import numpy as np

from data.instance import Instance
from data.tsplib.normal_form import assemble
from solvers.genetic.kernels.edge_assembly_cpu import allocate_crossing
from solvers.kernel_distances import GRID_DIAGONAL
from solvers.kernels.distance_rows_cpu import MATRIX
from solvers.lin_kernighan.cities_cpu import number_cities
from solvers.lin_kernighan.cpu import allocate
from solvers.lin_kernighan.directed_cpu import DirectedSearch, Pairs
from solvers.lin_kernighan.kernels.merge_cpu import merge
from solvers.lin_kernighan.merged_cpu import MergedSearch, cpu_search
from solvers.lin_kernighan.nearness_cpu import by_alpha
from solvers.lin_kernighan.params import LinKernighanParams
from solvers.lin_kernighan.pieces_cpu import enqueue, improve_pieces
from solvers.lin_kernighan.recorder import InsertionRecorder
from solvers.lin_kernighan.recorder import load as load_moves
from solvers.lin_kernighan.regions_cpu import RegionSearch
from solvers.lin_kernighan.run import SearchKind
from solvers.lin_kernighan.schedule import POPULATIONS, REGIONS, Schedule
from solvers.lin_kernighan.start_cpu import greedy_tour
from solvers.parallel.thread_team import ThreadTeam
from solvers.reporting.populations import tour_neighbours

#: Number of cities of the instance that is solved to load kernels: more than `solvers.lin_kernighan.start_cpu` tries
#: all pairs of.
_CITIES = 8
#: Number of rounds of crossing that call every kernel: the descent, the first tours, a generation, and again.
_ROUNDS = 6


def load(instance: Instance, params: LinKernighanParams, kind: SearchKind) -> None:
    """Compile or load the kernels, by solving an instance of a few cities.

    On the CPU, kernels are the same for every kind of distances; on a GPU there is one for each, so the small instance
    has the kind of the given one.
    """
    if instance.directed:
        _load_directed(instance.n, params)
        return
    team = ThreadTeam(1)
    cities, _ = number_cities(_similar_instance(instance), 5, 1, team)
    order = greedy_tour(cities, team)
    schedule = Schedule.for_cities(params, instance.n, gpu=kind is not cpu_search)
    if not schedule.gpu or schedule.of_cores:
        by_alpha(cities, order, _CITIES // 2)
    search = kind(cities, order, 1 << 28, 1, replace(params, kicks=1, tours=0), None, team)
    while search.descending:
        search.advance(1 << 30)
    search.start_round()
    search.advance(1 << 30)
    search.close()
    if schedule.way == REGIONS:
        regions = RegionSearch(cities, order, 1 << 28, 1, replace(params, kicks=1), None, team)
        for _ in range(_ROUNDS):
            while not regions.round_over:
                regions.advance(1 << 30)
            regions.start_round()
    if schedule.way == POPULATIONS:
        few = replace(params, tours=4)
        alike = replace(Schedule.for_cities(few, _CITIES), tabled=schedule.tabled, in_one_call=schedule.in_one_call)
        merged = MergedSearch(cities, order, 1 << 28, 1, few, None, team, alike)
        for _ in range(_ROUNDS):
            while not merged.round_over:
                merged.advance(1 << 30)
            merged.end_round()
            merged.start_round()
        if schedule.chain_rounds or schedule.chained_batches:
            links = tour_neighbours(np.array([order, order[::-1]]))
            merge(cities, cities.near, links[0], links[1], allocate_crossing(order.size), np.uint64(1))
    if kind is not cpu_search and cities.policy != MATRIX:
        tour, _, _ = allocate(order, 0, 2, 0, False)
        for _ in improve_pieces(cities, tour, 0, order.size, params.depth, team):
            pass
        enqueue(cities, tour, 0, order.size)
    load_moves(cities)


def _load_directed(n: int, params: LinKernighanParams) -> None:
    """Compile or load the kernels for directed instances of this size by solving one of a few cities."""
    matrix = np.random.default_rng(1).integers(1, 99, (_CITIES, _CITIES)).astype(np.int32)
    params, team = replace(params, kicks=1, tours=min(params.tours, 4)), ThreadTeam(1)
    pairs = Pairs(matrix, params, team)
    order = pairs.start[::-1].copy()
    recorder = InsertionRecorder(order, pairs.length(order))
    schedule = replace(
        Schedule.for_cities(params, 2 * _CITIES), in_one_call=Schedule.for_cities(params, 2 * n).in_one_call
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
    """Make an instance of a few cities with the same kind of distances."""
    points = np.random.default_rng(1).integers(0, 99, (_CITIES, 2)).astype(np.float64)
    if instance.coordinates is None or instance.is_on_globe:
        return assemble("load", "EXPLICIT", "inline", weights=np.abs(points[:, :1] - points[:, 0]).astype(np.int32))
    fits = np.array_equal(instance.coordinates, np.rint(instance.coordinates))
    if instance.kind == "EUC_2D" and not (fits and np.hypot(*np.ptp(instance.coordinates, axis=0)) <= GRID_DIAGONAL):
        points += 0.25
    return assemble("load", instance.kind, "inline", coordinates=points)
