"""Parallel tours and their crossover: the kernels against simple code, and whole runs."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.collection.resolve import load
from data.distances import check_tour, distance_matrix, tour_length
from data.generators import clustered, uniform
from data.tsplib.normal_form import assemble
from solvers.algorithms.genetic.kernels.edge_assembly_cpu import allocate_crossing
from solvers.algorithms.genetic.kernels.tour_links_cpu import walk
from solvers.algorithms.lin_kernighan import merged_cpu
from solvers.algorithms.lin_kernighan.candidates_cpu import number_cities
from solvers.algorithms.lin_kernighan.kernels.merge_cpu import fill_distances, find_reversals, measure_tour, merge
from solvers.algorithms.lin_kernighan.kernels.moves_cpu import make_moves
from solvers.algorithms.lin_kernighan.kernels.search_cpu import KICKS
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import ROW
from solvers.algorithms.lin_kernighan.load import _Calls
from solvers.algorithms.lin_kernighan.merged_cpu import MergedSearch, OneCallTourMaker, TourMaker, divide_pairs
from solvers.algorithms.lin_kernighan.params import LinKernighanParams
from solvers.algorithms.lin_kernighan.schedule import ALONE, LARGE, POPULATIONS, REGIONS, Schedule
from solvers.algorithms.lin_kernighan.start_cpu import build_greedy_tour, build_varied_greedy_tour
from solvers.core.events import Progress, Rows, Started, Tour
from solvers.kernels.compiling import progress
from solvers.parallel.thread_team import ThreadTeam
from solvers.reporting.populations import find_tour_neighbours
from solvers.spec import RunSpec
from solvers.worker.fork_server_main import SHARES
from tests.matrices import from_weights
from tests.naive import tour_edges
from tests.solver_runs import KINDS, collect_climbs, collect_events, make_spec, replay_events, story
from tests.tables import each_row

pytestmark = pytest.mark.slow

NAME = "lin-kernighan"


def tour_positions(order):
    place = np.empty(order.size, np.int32)
    place[order] = np.arange(order.size)
    return place


def naive_length(matrix, order):
    return sum(matrix[a][b] for a, b in zip(order.tolist(), np.roll(order, -1).tolist(), strict=True))


@each_row("kind", KINDS)
def test_distances_and_lengths_match_the_instance(kind):
    instance = KINDS[kind]()
    cities, names = number_cities(instance, min(8, instance.n - 1), 1, ThreadTeam(1))
    wanted = distance_matrix(instance)[np.ix_(names, names)]
    table = np.zeros((instance.n, instance.n), np.int32)
    half = instance.n // 2
    for first, last in ((half, instance.n), (0, half)):
        fill_distances(cities.policy, cities.matrix, cities.points, first, last, table)
    assert table.tolist() == wanted.tolist()
    order = np.random.default_rng(1).permutation(instance.n).astype(np.int32)
    measured = measure_tour(cities.policy, cities.matrix, cities.points, order)
    assert measured == tour_length(instance, names[order])


@each_row("kind", KINDS)
def test_merging_needs_no_table(kind):
    instance, team = KINDS[kind](), ThreadTeam(1)
    cities, _ = number_cities(instance, min(8, instance.n - 1), 1, team)
    table, ends = np.zeros((instance.n, instance.n), np.int32), []
    fill_distances(cities.policy, cities.matrix, cities.points, 0, instance.n, table)
    tours = [build_varied_greedy_tour(cities, seed) for seed in (1, 2)]
    for distance in (table.reshape(-1), cities):
        mine, other = find_tour_neighbours(np.array(tours))
        change, children = merge(distance, cities.near, mine, other, allocate_crossing(instance.n), np.uint64(3))
        ends.append((int(change), int(children), mine.tolist()))
    assert ends[0] == ends[1]
    assert ends[0][1] > 0


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_reversals_lead_from_one_tour_to_another(data):
    n = data.draw(st.integers(5, 25))
    start = np.array([0, *data.draw(st.permutations(range(1, n)))], np.int32)
    target = np.array([0, *data.draw(st.permutations(range(1, n)))], np.int32)
    order, place, record = start.copy(), tour_positions(start), np.zeros((2 * n, ROW), np.int32)
    rows = find_reversals(order, place, target, record)
    assert order.tolist() == target.tolist()
    assert place.tolist() == tour_positions(target).tolist()
    points = np.random.default_rng(n).uniform(0, 1000, (n, 2))
    matrix = distance_matrix(assemble("few", "EUC_2D", "inline", coordinates=points.copy())).tolist()
    result, made_place, (i, j, delta) = start.copy(), tour_positions(start), np.empty((3, 200), np.int32)
    at, moves = make_moves(1, np.empty((0, 0), np.int32), points, record[:rows], 0, result, made_place, i, j, delta)
    assert at == rows
    assert tour_edges(result) == tour_edges(target)
    assert naive_length(matrix, start) + int(delta[:moves].sum()) == naive_length(matrix, target)


def test_moved_segment_takes_few_reversals():
    start = np.arange(1000, dtype=np.int32)
    target = np.concatenate([start[:100], start[500:700], start[100:500], start[700:]])
    record = np.zeros((2000, ROW), np.int32)
    assert find_reversals(start, tour_positions(start), target, record) <= 4


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(8, 60), st.booleans())
def test_merged_tour_is_shorter_by_the_stated_amount(seed, n, alike):
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 1000, (n, 2)).astype(float)
    instance = assemble("few", "EUC_2D", "inline", coordinates=points)
    matrix = distance_matrix(instance)
    near = np.argsort(matrix + np.diag([10**6] * n), axis=1, kind="stable")[:, : min(8, n - 1)].astype(np.int32)
    one = rng.permutation(n).astype(np.int32)
    other = one.copy() if alike else rng.permutation(n).astype(np.int32)
    if alike:  # two reversed parts, as the tours of a run differ
        for first in rng.integers(0, n - 4, 2):
            other[first : first + 4] = other[first : first + 4][::-1].copy()
    links, theirs = find_tour_neighbours(one[None])[0], find_tour_neighbours(other[None])[0]
    change, children = merge(
        matrix.astype(np.int32).reshape(-1), near, links, theirs, allocate_crossing(n), np.uint64(seed)
    )
    merged, place = np.empty((2, n), np.int32)
    walk(links, merged, place)
    check_tour(n, merged)
    assert naive_length(matrix, merged) == naive_length(matrix, one) + change
    assert change <= 0 <= children
    degree = Counter(city for edge in tour_edges(merged) for city in edge)
    assert set(degree.values()) == {2}
    assert theirs.tolist() == find_tour_neighbours(other[None])[0].tolist()


def test_merging_takes_the_shorter_parts_of_two_tours():
    """Two tours with one bad part each: the merged tour has neither."""
    n = 40
    angles = np.arange(n) * 2 * np.pi / n
    points = np.stack((1000 * np.cos(angles), 1000 * np.sin(angles)), axis=1)
    matrix = distance_matrix(assemble("ring", "EUC_2D", "inline", coordinates=points))
    near = np.argsort(matrix + np.diag([10**6] * n), axis=1, kind="stable")[:, :8].astype(np.int32)
    one, other = np.arange(n, dtype=np.int32), np.arange(n, dtype=np.int32)
    one[5:9], other[25:29] = one[5:9][::-1].copy(), other[25:29][::-1].copy()
    links = find_tour_neighbours(one[None])[0]
    table = matrix.astype(np.int32).reshape(-1)
    merge(table, near, links, find_tour_neighbours(other[None])[0], allocate_crossing(n), np.uint64(1))
    merged, place = np.empty((2, n), np.int32)
    walk(links, merged, place)
    assert tour_edges(merged) == tour_edges(np.arange(n))


def make_search(instance, threads, seed=1, target=None, kind=MergedSearch, **params):
    chosen, team = LinKernighanParams(**params), ThreadTeam(threads)
    schedule = Schedule.for_cities(chosen, instance.n)
    cities, names = number_cities(instance, chosen.neighbours, chosen.quadrants, team)
    order = build_greedy_tour(cities, team)
    length = tour_length(instance, names[order])
    return kind(cities, order, length, seed, chosen, target, team, schedule), names


def run_rounds(search, names, instance, count):
    """Run rounds; return their lengths, tours and exchanges, after measuring each tour again."""
    found = []
    for number in range(count):
        if number:
            search.start_round()
        while not search.round_over:
            search.advance(1 << 40)
        result = search.end_round()
        order = names[result.order]
        check_tour(instance.n, order)
        assert result.length == tour_length(instance, order)
        found.append((result.length, order.tolist(), result.best_count, search.evaluated))
    return found


@each_row("make", [uniform, clustered])
def test_threads_change_no_round(make):
    instance = make(160, 3)
    one, three = (run_rounds(*make_search(instance, threads, tours=20), instance, 12) for threads in (1, 3))
    assert one == three
    assert len({length for length, *_ in one}) > 1
    assert run_rounds(*make_search(instance, 1, seed=2, tours=20), instance, 12) != one


def test_first_tour_is_passed_on_at_its_best():
    """At this temperature the first kicked tour ends longer than the local optimum where it started."""
    instance = uniform(200, 5)
    search, names = make_search(instance, 2, temperature=10.0)
    lengths = []
    while search._in_first:
        while not search.round_over:
            search.advance(1 << 40)
        lengths.append(search.end_round().length)
        first = search._first
        search.start_round()
    order, length = first.best
    assert first.length > length == min(lengths) == search.length == tour_length(instance, names[order])


def test_first_tour_is_kicked_while_candidates_are_computed():
    instance = uniform(1000, 3)
    kicked, plain = (
        run_rounds(*make_search(instance, 2, alpha=alpha, neighbours=8, temperature=0.0), instance, 3)
        for alpha in (5, 0)
    )
    assert kicked[1][0] < plain[0][0]
    assert kicked[1][3] - kicked[0][3] < plain[1][3] - plain[0][3], "a few kicks, and not a round of other tours"


def negative_cities(n):
    """Cities whose tours have negative lengths."""
    weights = np.random.default_rng(1).integers(-500, 100, (n, n))
    weights = np.minimum(weights, weights.T) * (1 - np.eye(n, dtype=int))
    return from_weights(weights, "negative")


@each_row("kind", [*KINDS, "negative"])
@each_row("temperature", [0.0, 0.5])
@each_row("priced", [False, True])
def test_one_call_makes_the_same_tour_as_slices(kind, temperature, priced):
    instance = negative_cities(40) if kind == "negative" else KINDS[kind]()
    cities, names = number_cities(instance, min(6, instance.n - 1), 0, ThreadTeam(1))
    prices = np.random.default_rng(3).uniform(-9, 9, instance.n) if priced else None
    for kicks in (1, 300):
        params = LinKernighanParams(kicks=kicks, temperature=temperature, walk=5)
        sliced, whole = (of(cities, params, (1, 2, 3), prices=prices) for of in (TourMaker, OneCallTourMaker))
        assert whole.tour() is None
        while not sliced.step():
            pass
        assert whole.step()
        (order, length), (wanted, shortest) = whole.tour(), sliced.tour()
        assert length == shortest == tour_length(instance, names[order])
        assert order.tolist() == wanted.tolist()
        assert whole.evaluated() == sliced.evaluated() > 0
        assert sliced.search._state[KICKS] == kicks
    assert sliced.evaluated() == 0


@each_row("threads", [1, 2, 16])
@each_row("n", [200, 1000, 1999, 2000, 20_000])
def test_threads_share_the_pairs_of_a_generation(n, threads):
    """With many cities one pair at a time; with few cities several pairs, without a thread waiting for long."""
    for m in (2, 9, 24, 40, 768):
        workers, few = divide_pairs(m, n, threads)
        assert 1 <= workers <= min(threads, m)
        assert few <= max(8, -(-m // workers))
        assert (workers - 1) * few < m, "each thread gets some"
        assert n < 2000 or few == 1
    assert divide_pairs(40, 1000, 16) == (10, 4)
    assert divide_pairs(24, 1000, 2) == (2, 3)
    assert divide_pairs(2, 200, threads) == (1, 2)


@each_row("n", [160, 2000])
def test_the_tours_of_a_round_are_merged(n, monkeypatch):
    search, _ = make_search(uniform(n, 3), 1, tours=24)
    merged, merge_one = [], MergedSearch._merge
    monkeypatch.setattr(MergedSearch, "_merge", lambda self, *tour: merged.append(tour[1]) or merge_one(self, *tour))
    created_items, work = [], search._make
    search._make = lambda makers: created_items.append(len(makers)) or work(makers)
    while not created_items or not merged:
        search.advance(1 << 40)
        if search.round_over:
            search.end_round()
            search.start_round()
    assert created_items == [24]
    assert len(merged) == 8
    search.close()


@each_row(("alpha", "n"), [(4, 160), (0, 160), (4, 4000)])
def test_tours_start_with_the_prices_of_fewer_candidates(alpha, n, monkeypatch):
    """The values for populations and, for 4,000 cities and more, those after kicks."""
    values = []

    def begun(cities, seed, prices):
        values.append(prices)
        return build_varied_greedy_tour(cities, seed, prices)

    class Beginning(OneCallTourMaker):
        def __init__(self, cities, params, key, prices):
            values.append(prices)
            super().__init__(cities, params, key, prices)

    monkeypatch.setattr(merged_cpu, "build_varied_greedy_tour", begun)
    monkeypatch.setattr(merged_cpu, "OneCallTourMaker", Beginning)
    search, _ = make_search(uniform(n, 3), 2, alpha=alpha)
    while not values:
        search.advance(1 << 40)
        if search.round_over:
            search.end_round()
            search.start_round()
    assert [prices is None for prices in values] == [not alpha] * len(values)
    assert not alpha or values[0] is search._prices
    search.close()


@each_row("threads", [1, 2])
def test_populations_search_among_fewer_candidates(threads):
    instance = uniform(160, 3)
    search, _ = make_search(instance, threads, alpha=4)
    assert search.cities.near.shape[1] == 8
    while search._in_first:
        while not search.round_over:
            search.advance(1 << 40)
        search.end_round()
        search.start_round()
    while not search.round_over:
        search.advance(1 << 40)
    assert search.cities.near.shape[1] == 4
    search.end_round()


def test_slices_change_no_round(monkeypatch):
    instance = uniform(170, 5)
    whole = run_rounds(*make_search(instance, 2, tours=18), instance, 10)
    monkeypatch.setattr(merged_cpu, "_SLICE_SECONDS", 0.0)
    monkeypatch.setattr(merged_cpu, "_PIECE_SECONDS", 0.0)
    monkeypatch.setattr(merged_cpu, "_WORK", 1)
    assert run_rounds(*make_search(instance, 2, tours=18), instance, 10) == whole


def test_interrupted_round_has_a_tour():
    instance = uniform(400, 5)
    search, names = make_search(instance, 2)
    while search.descending:
        search.advance(1 << 40)
        if search.round_over:
            search.end_round()
            search.start_round()
    before = search.length
    for _ in range(8):
        search.advance(1 << 40)
    result = search.end_round()
    check_tour(instance.n, names[result.order])
    assert result.length == tour_length(instance, names[result.order]) <= before


def test_recorded_rounds_lead_to_the_tours_and_are_replayable():
    instance, spec = uniform(155, 2), make_spec(NAME, rounds=12, tours=6)
    events = collect_events(instance, spec)
    climbs = collect_climbs(events)
    lengths = [length for event in events if isinstance(event, Rows) for length in event.length.tolist()]
    assert len(climbs) == len(lengths) == 12
    for climber, climb in climbs.items():
        tour, length = climb.start, climb.length
        assert length == tour_length(instance, np.array(tour))
        for i, j, delta in climb.moves:
            tour, length = [*tour[: i + 1], *tour[i + 1 : j + 1][::-1], *tour[j + 1 :]], length + delta
        assert length == tour_length(instance, np.array(tour)) == lengths[climber]
    for climber in (0, 3, 11):
        assert collect_climbs(replay_events(instance, spec, climber)) == {climber: climbs[climber]}
    assert story(collect_events(instance, spec)) == story(events)


def test_a_target_ends_the_run():
    events = collect_events(load("kroA200"), make_spec(NAME, budget={"target": 29_368}, rounds=100_000))
    assert events[-1].stop_reason == "target"
    assert [event.length for event in events if isinstance(event, Tour)][-1] == 29_368


def test_instances_with_crossover():
    on_cores, beside_gpu = (
        [make_schedule(n, gpu).kind for n in (149, 150, 20_000, 20_001, 200_000, 200_001)] for gpu in (False, True)
    )
    assert on_cores == [ALONE, POPULATIONS, POPULATIONS, REGIONS, REGIONS, REGIONS]
    assert [make_schedule(n, True).one_by_one for n in (50_000, 50_001)] == [False, True]
    assert beside_gpu == [ALONE, *[POPULATIONS] * 4, REGIONS]
    assert [make_schedule(n).uses_matrix for n in (8000, 8001)] == [True, False]
    assert Schedule.for_cities(LinKernighanParams(tours=0), 1000).kind == ALONE


def make_schedule(n, gpu=False):
    return Schedule.for_cities(LinKernighanParams(), n, gpu)


def test_older_form_continues_with_a_single_tour():
    older = {each.name: each.default for each in LinKernighanParams.schema() if each.name != "gpus"}
    stored = {name: value for name, value in older.items() if name != "tours"}
    assert LinKernighanParams.from_mapping(stored).tours == 0
    assert LinKernighanParams.from_mapping({**stored, "tours": 5}).tours == 5
    for few in ({}, {"kicks": 100}):
        assert LinKernighanParams.from_mapping(few).tours == LinKernighanParams().tours
    without = {name: value for name, value in older.items() if name != "alpha"}
    assert LinKernighanParams.from_mapping(without).alpha == 0
    assert LinKernighanParams.from_mapping(without).tours == LinKernighanParams().tours
    assert LinKernighanParams.from_mapping({}).alpha == LinKernighanParams().alpha > 0
    stage = {"algorithm": NAME, "params": stored}
    spec = {"v": 2, "instance": {"name": "berlin52"}, "stages": [stage], "seed": 1, "budget": {}, "device": "auto"}
    assert RunSpec.from_json(spec).stages[0].params["tours"] == 0


def test_populations_grow_and_stay_bounded():
    sizes = [make_schedule(1000).population(number).size for number in range(1, 20)]
    assert sizes[:7] == [24, 24, 48, 48, 96, 96, 192]
    assert max(sizes) == 24 * 32
    assert [make_schedule(8000).population(number) for number in (2, 3)] == [(24, 0.05, False), (48, 0.05, False)]
    assert [make_schedule(18_512).population(number) for number in (1, 9)] == 2 * [(14, 0.2, False)]
    assert [make_schedule(n).groups(1) for n in (1000, 8000, 18_512)] == [(1000, 6), (8000, 6), (4, 30)]
    doubled = [Schedule.for_cities(LinKernighanParams(), n, doubled=True).groups(1) for n in (2000, 2002, 10_000)]
    assert doubled == [(2000, 6), (2002, 30), (8000, 30)]
    assert [make_schedule(n).first_kicks for n in (8000, 18_512)] == [400, 3702]


def test_a_gpu_kicks_every_second_population():
    for n in (1000, 3000, 18_512, 31_000):
        alone, both = make_schedule(n), make_schedule(n, gpu=True)
        if n <= LARGE:
            assert [both.population(number) for number in (1, 3, 5)] == [
                alone.population(number) for number in (1, 2, 3)
            ]
        assert [both.groups(number) for number in (1, 3)] == [alone.groups(1)] * 2
    assert [make_schedule(n, gpu=True).groups(2) for n in (1999, 2000, 20_001)] == [(1999, 6), (1, 30), (1, 30)]
    populations = [make_schedule(3000, gpu=True).population(number) for number in (2, 4, 6)]
    assert populations == [(24, 1.0, True), (24, 1.0, True), (48, 1.0, True)]
    large = make_schedule(18_512, gpu=True)
    assert [large.population(number).size for number in range(1, 9)] == [14, 10, 28, 20, 56, 40, 56, 40]
    assert large.population(2) == (10, 25.0, True)
    assert make_schedule(60_000, gpu=True).population(5) == (10, 12.0, True), "kicked one by one"
    assert [make_schedule(n, gpu=True).chained_rounds for n in (8000, 9000, 18_512)] == [0, 10, 20]


def test_run_reports_its_start_tour_before_compiling_other_kernels(monkeypatch):
    """The other events are the same as in a run that compiles nothing."""
    instance, spec = uniform(200, 1), make_spec(NAME, rounds=3, tours=2, kicks=9)
    warm, load_start = collect_events(instance, spec), _Calls._start

    def compile_start(calls):
        progress.begin()
        load_start(calls)

    monkeypatch.setenv(SHARES, "1")  # without a fork
    monkeypatch.setattr(_Calls, "_start", compile_start)
    cold = collect_events(instance, spec)
    names = [type(event).__name__ for event in cold if not isinstance(event, Progress)]
    assert names[:5] == ["Compiling", "Started", "Tour", "Compiling", "Started"]
    assert [type(event) for event in warm].count(Started) == 1
    assert story(cold) == story(warm)
