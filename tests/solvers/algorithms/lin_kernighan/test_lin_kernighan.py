"""The parts of Lin-Kernighan against simple code, and runs against the same ones in other slices and threads."""

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.collection.resolve import load
from data.distances import check_tour, decimal_degrees, distance_matrix, edge_lengths, tour_length
from data.generators import uniform
from data.places.largest import largest
from data.tsplib.normal_form import assemble
from solvers.algorithms.lin_kernighan import cpu
from solvers.algorithms.lin_kernighan.candidates_cpu import nearest, number_cities, sort_along
from solvers.algorithms.lin_kernighan.cpu import LocalSearch
from solvers.algorithms.lin_kernighan.kernels import tour_cpu
from solvers.algorithms.lin_kernighan.kernels.moves_cpu import make_moves
from solvers.algorithms.lin_kernighan.kernels.search_cpu import SHAPES, next_code, shapes
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import (
    CUT,
    ENTRIES,
    EVEN,
    MARKS,
    PLAN,
    ROW,
    SIDES,
    allow_last,
)
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import (
    Tour as KernelTour,
)
from solvers.algorithms.lin_kernighan.params import LinKernighanParams
from solvers.algorithms.lin_kernighan.start_cpu import build_greedy_tour, sort_by_length
from solvers.core.events import Rows, Tour
from solvers.parallel.thread_team import ThreadTeam
from tests.naive import tour_edges
from tests.plain_kernels import interpret
from tests.solver_runs import KINDS, collect_events, make_spec, story
from tests.tables import each_row

NAME = "lin-kernighan"
exchange, undo, walk = map(interpret, (tour_cpu.exchange, tour_cpu.undo, tour_cpu.walk))


def make_search(instance, seed=1, team=None, **params):
    """A search from the greedy tour, and the instance's numbers of its cities."""
    chosen = LinKernighanParams(**params)
    team = team or ThreadTeam(1)
    cities, names = number_cities(instance, chosen.neighbours, chosen.quadrants, team)
    order = build_greedy_tour(cities, team)
    return LocalSearch(cities, order, tour_length(instance, names[order]), seed, chosen, None), names


def kernel_tour(order, room=50):
    n = order.size
    place = np.empty(n, np.int32)
    place[order] = np.arange(n)
    return KernelTour(
        order.astype(np.int32),
        place,
        np.zeros((room, ROW), np.int32),
        np.empty(room * n, np.int32),
        np.zeros(MARKS, int),
    )


def naive_candidates(points, count, quadrants):
    """The nearest city in each quadrant, and the nearest ones overall, by distance."""
    found = []
    for here in range(len(points)):
        dx, dy = (points - points[here]).T
        squared = dx * dx + dy * dy
        others = sorted((city for city in range(len(points)) if city != here), key=lambda city: (squared[city], city))
        inside = [(dx > 0) & (dy >= 0), (dx <= 0) & (dy > 0), (dx < 0) & (dy <= 0), (dx >= 0) & (dy < 0)]
        far = [
            c for mask in inside for c in [city for city in others if mask[city]][:quadrants] if c not in others[:count]
        ]
        chosen = far[:count] + others[: count - len(far[:count])]
        found.append(sorted(chosen, key=lambda city: (squared[city], city)))
    return found


@each_row("quadrants", [0, 1, 2])
@each_row(("n", "side"), [(2, 9), (7, 50), (90, 1000), (150, 6)])
def test_candidates_are_the_nearest_overall_and_by_quadrant(n, side, quadrants):
    points = np.random.default_rng(n).integers(0, side, (n, 2)).astype(float)
    count = min(8, n - 1)
    assert nearest(points, count, quadrants, ThreadTeam(1)).tolist() == naive_candidates(points, count, quadrants)


@each_row("quadrants", [0, 1, 2])
@each_row("name", ["ulysses16", "world"])
def test_candidates_on_the_globe_include_each_quadrant(name, quadrants):
    instance = largest("world", 120) if name == "world" else load(name)
    matrix, degrees = (
        distance_matrix(instance).tolist(),
        decimal_degrees(instance.kind, instance.coordinates).tolist(),
    )
    found = number_cities(instance, min(17, instance.n - 1), quadrants, ThreadTeam(1))[0].near.tolist()
    for here, (latitude, longitude) in enumerate(degrees):
        others = sorted(
            (city for city in range(instance.n) if city != here), key=lambda city: (matrix[here][city], city)
        )
        sides = {city: (degrees[city][0] >= latitude, (degrees[city][1] - longitude) % 360 < 180) for city in others}
        wanted = {
            city
            for side in set(sides.values())
            for city in [each for each in others if sides[each] == side][: 2 * quadrants]
        }
        rest = [city for city in others if city not in wanted][: max(0, 17 - len(wanted))]
        nearest_first = sorted(wanted | {*rest}, key=lambda city: (matrix[here][city], city))
        assert found[here] == nearest_first


def test_clusters_on_the_globe_are_joined_like_the_shortest_tour():
    """Branch-and-cut has proven 94,778 for these cities; with the nearest cities as only candidates it was 97,590."""
    assert collect_events(largest("world", 100), make_spec(NAME, rounds=5))[-1].length == 94_778


def naive_greedy(matrix):
    """Edges of the greedy tour by trying all pairs; ties are broken by city."""
    n = len(matrix)
    part, degree, edges = list(range(n)), [0] * n, set()
    pairs = sorted((matrix[a][b], a, b) for a, b in combinations(range(n), 2))
    for _, a, b in pairs:
        if degree[a] < 2 and degree[b] < 2 and part[a] != part[b]:
            old, new = part[a], part[b]
            part = [new if label == old else label for label in part]
            degree[a], degree[b] = degree[a] + 1, degree[b] + 1
            edges.add(frozenset((a, b)))
    return edges


def test_start_tour_is_greedy():
    instance = uniform(25, 4)
    team = ThreadTeam(1)
    cities, names = number_cities(instance, 24, 0, team)
    matrix = distance_matrix(instance)[np.ix_(names, names)].tolist()
    assert len({d for row in matrix for d in row}) == 25 * 24 // 2 + 1, "no ties"
    order = build_greedy_tour(cities, team)
    assert naive_greedy(matrix) <= tour_edges(order)


@each_row("count", [1, 3])
def test_few_candidates_still_make_a_tour(count):
    for kind in KINDS:
        instance, team = KINDS[kind](), ThreadTeam(1)
        cities, names = number_cities(instance, count, 0, team)
        check_tour(instance.n, names[build_greedy_tour(cities, team)])


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_exchange_matches_its_edges(data):
    n = data.draw(st.integers(5, 30))
    k = data.draw(st.integers(2, min(6, n)))
    order = np.array(data.draw(st.permutations(range(n))))
    tour, plan = kernel_tour(order), np.zeros((PLAN, 16), np.int64)
    created_items = []
    for _ in range(data.draw(st.integers(1, 3))):
        before = tour.order.copy()
        plan[CUT, :k] = data.draw(st.lists(st.integers(0, n - 1), min_size=k, max_size=k, unique=True))
        plan[EVEN, :k] = data.draw(st.lists(st.integers(0, 1), min_size=k, max_size=k))
        ends = [(before[cut], before[(cut + 1) % n]) for cut in plan[CUT, :k]]
        ends = [pair if even else pair[::-1] for pair, even in zip(ends, plan[EVEN, :k], strict=True)]
        wanted = sorted([sorted(pair) for pair in zip(before.tolist(), np.roll(before, -1).tolist(), strict=True)])
        for pair in ends:
            wanted.remove(sorted(map(int, pair)))
        wanted += [sorted((int(ends[i][1]), int(ends[(i + 1) % k][0]))) for i in range(k)]
        if not walk(k, plan):
            assert not is_one_cycle(n, wanted)
            continue
        created_items.append(before)
        exchange(tour, k, plan)
        got = sorted(sorted(pair) for pair in zip(tour.order.tolist(), np.roll(tour.order, -1).tolist(), strict=True))
        assert got == sorted(wanted)
        assert tour.position[tour.order].tolist() == list(range(n))
    if created_items:
        assert_moves_lead_to(tour, order)
        undo(tour)
        assert tour.order.tolist() == order.tolist()
        assert tour.position[tour.order].tolist() == list(range(n))


@pytest.mark.long
@settings(max_examples=300, deadline=None)
@given(st.data())
def test_evaluating_an_exchange_by_code_matches_following_it(data):
    k = data.draw(st.integers(1, 6))
    cuts = data.draw(st.lists(st.integers(0, 50), min_size=k, max_size=k, unique=True))
    evens, plan, code = data.draw(st.lists(st.integers(0, 1), min_size=k, max_size=k)), np.zeros((PLAN, 16), int), 0
    for i in range(k):
        code = next_code(code, i, sum(cut < cuts[i] for cut in cuts[:i]), 1 - evens[i])
    plan[CUT, :k], plan[EVEN, :k] = cuts, evens
    entry = int(shapes()[SHAPES[k] + code])
    assert entry & 1 == (k > 1 and walk(k, plan))
    if k < 6:
        sides = [0] * k
        if allow_last(k, plan):
            sides = plan[SIDES, :k].tolist()
        assert [(entry >> (1 + 2 * r)) & 3 for r in range(k)] == sides


def is_one_cycle(n, edges):
    """Whether edges, some possibly repeated, form one cycle through all cities."""
    may_fork = {city: [] for city in range(n)}
    for a, b in edges:
        may_fork[a].append(b)
        may_fork[b].append(a)
    if any(len(cities) != 2 for cities in may_fork.values()):
        return False
    before, here, seen = None, 0, 0
    while seen == 0 or here != 0:
        one, other = may_fork[here]
        before, here = here, other if one == before else one
        seen += 1
        if seen > n:
            return False
    return seen == n and n > 2


def assert_moves_lead_to(tour, start):
    """Assert that the logged exchanges as 2-opt moves give the same edges, with the recorded changes."""
    n = start.size
    points = np.random.default_rng(n).uniform(0, 1000, (n, 2))
    order, place = start.astype(np.int32), np.empty(n, np.int32)
    place[order] = np.arange(n)
    i, j, delta = np.empty((3, 100), np.int32)
    record = tour.log[: tour.marks[ENTRIES]]
    at, result = make_moves(1, np.empty((0, 0), np.int32), points, record, 0, order, place, i, j, delta)
    assert at == len(record)
    assert tour_edges(order) == tour_edges(tour.order)
    assert np.all(i[:result] < j[:result])
    assert place[order].tolist() == list(range(n))

    def measured(cities):
        between = points[cities] - points[np.roll(cities, -1)]
        return int((np.sqrt((between**2).sum(axis=1)) + 0.5).astype(np.int64).sum())

    assert measured(start) + int(delta[:result].sum()) == measured(tour.order)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(5, 8))
def test_few_cities_reach_the_optimum(seed, n):
    points = np.random.default_rng(seed).integers(0, 1000, (n, 2)).astype(float)
    instance = assemble("few", "EUC_2D", "inline", coordinates=points)
    matrix = distance_matrix(instance).tolist()
    search, names = make_search(instance, kicks=300)
    while search.descending:
        search.advance(1 << 40)
        search.start_round()
    while not search.round_over:
        search.advance(1 << 40)
    tours = ((0, *rest) for rest in permutations(range(1, n)))
    best = min(sum(matrix[a][b] for a, b in zip(tour, (*tour[1:], 0), strict=True)) for tour in tours)
    assert search.length == best == tour_length(instance, names[search.order])


@each_row("depth", [2, 5])
def test_no_two_opt_move_among_candidates_remains(depth):
    instance = uniform(31, 3)
    search, names = make_search(instance, depth=depth, neighbours=30, quadrants=0)
    before = None
    while search.length != before:  # a city from which nothing was found does not wait for what changes elsewhere
        before, cities = search.length, search.cities
        search = LocalSearch(cities, search.order, before, 1, LinKernighanParams(depth=depth), None)
        while search.descending:
            search.advance(1 << 40)
            search.start_round()
    order = names[search.order]
    d = distance_matrix(instance)[np.ix_(order, order)]
    n = len(order)
    for i in range(n - 2):
        for j in range(i + 2, n if i else n - 1):
            assert d[i, j] + d[i + 1, (j + 1) % n] >= d[i, i + 1] + d[j, (j + 1) % n]


@each_row("kind", KINDS)
def test_slices_change_nothing(kind, monkeypatch):
    instance = KINDS[kind]()
    spec = make_spec(NAME, rounds=6, kicks=40)
    whole = story(collect_events(instance, spec))
    monkeypatch.setattr(cpu, "_SLICE_SECONDS", 0.0)
    assert story(collect_events(instance, spec)) == whole


def test_threads_change_nothing():
    instance = uniform(9000, 2)
    (one, names), (three, again) = (make_search(instance, team=ThreadTeam(threads)) for threads in (1, 3))
    assert names.tolist() == again.tolist()
    assert one.order.tolist() == three.order.tolist()


@each_row("kind", KINDS)
def test_lengths_are_exact_for_every_distance_type(kind):
    instance = KINDS[kind]()
    search, names = make_search(instance, kicks=200)
    while not search.round_over or search.descending:
        search.advance(1 << 40)
    search.start_round()
    for _ in range(50):
        search.advance(20_000)
        order = names[search.order]
        check_tour(instance.n, order)
        assert search.length == int(edge_lengths(instance, order, np.roll(order, -1)).sum(dtype=np.int64))


def test_limit_of_exchanges_cuts_at_the_same_place(monkeypatch):
    instance = load("kroA100")
    ends = []
    for seconds in (0.02, 0.0):
        monkeypatch.setattr(cpu, "_SLICE_SECONDS", seconds)
        ends.append(collect_events(instance, make_spec(NAME, budget={"evaluations": 200_000}))[-1])
    assert ends[0].stop_reason == "evaluations"
    assert (ends[0].length, ends[0].evaluations) == (ends[1].length, ends[1].evaluations)


def test_the_optimum_of_kroa100_is_found():
    events = collect_events(load("kroA100"), make_spec(NAME, budget={"target": 21282}, rounds=100))
    assert events[-1].stop_reason == "target"
    assert [event.length for event in events if isinstance(event, Tour)][-1] == 21282


def test_longer_tours_are_accepted_only_with_a_temperature():
    for temperature in (0.0, 1.0):
        events = collect_events(load("kroA100"), make_spec(NAME, rounds=40, kicks=20, temperature=temperature))
        lengths = [length for event in events if isinstance(event, Rows) for length in event.length.tolist()]
        assert (lengths == sorted(lengths, reverse=True)) == (temperature == 0)


@given(st.lists(st.integers(-5, 1 << 20) | st.integers(0, 300), max_size=60))
def test_edges_are_sorted_by_length_and_index(lengths):
    array = np.array(lengths, np.int32)
    assert sort_by_length(array).tolist() == sorted(range(len(lengths)), key=lambda at: (lengths[at], at))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=40))
def test_cities_with_equal_keys_are_sorted_by_position(rows):
    keys, points = np.array([row[0] for row in rows]), np.array([row[1:] for row in rows], np.float64)
    assert sort_along(keys, points).tolist() == sorted(range(len(rows)), key=lambda at: (rows[at], at))
