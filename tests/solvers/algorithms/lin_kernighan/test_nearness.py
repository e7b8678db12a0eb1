"""Candidates by alpha-nearness, and crossover in groups: against simple code, and against each other."""

from contextlib import closing

import numpy as np
from scipy.sparse.csgraph import minimum_spanning_tree

from data.collection.resolve import load
from data.distances import check_tour, distance_matrix, tour_length
from data.generators import uniform
from data.tsplib.normal_form import assemble
from solvers.algorithms.genetic.kernels.edge_assembly_cpu import SINGLE, Breeding, allocate_crossing, cross_pairs
from solvers.algorithms.genetic.kernels.edge_frequency_cpu import allocate_frequencies, count_frequencies, entropy_terms
from solvers.algorithms.genetic.kernels.pairs import LAST
from solvers.algorithms.genetic.kernels.tour_links_cpu import walk
from solvers.algorithms.lin_kernighan import nearness_cpu
from solvers.algorithms.lin_kernighan.candidates_cpu import add_distances, number_cities
from solvers.algorithms.lin_kernighan.kernels.cross_cpu import cross_in_groups
from solvers.algorithms.lin_kernighan.kernels.nearness_cpu import choose_by_alpha, list_candidates, list_graph
from solvers.algorithms.lin_kernighan.kernels.prices_cpu import ascend, one_tree
from solvers.algorithms.lin_kernighan.nearness_cpu import are_clustered, reduce_candidates, reduce_in_parts
from solvers.algorithms.lin_kernighan.start_cpu import build_greedy_tour, build_varied_greedy_tour
from solvers.bounds.kernels.sparse_tree_cpu import Graph
from solvers.parallel.thread_team import ThreadTeam
from solvers.reporting.populations import find_tour_neighbours
from tests.solver_runs import KINDS, return_value
from tests.tables import each_row


@each_row("width", [1, 3, 6])
def test_edges_of_smallest_alpha_are_chosen(width):
    rng = np.random.default_rng(width)
    n, start, city = 40, [0], []
    for a in range(n):
        city += sorted(rng.choice([b for b in range(n) if b != a], rng.integers(2, 9), replace=False).tolist())
        start.append(len(city))
    graph = Graph(np.array(start), np.array(city, np.int32), 4 * rng.integers(1, 30, len(city)))
    prices, values = rng.integers(-9, 9, n), rng.integers(0, 3, len(city))
    near, distance = np.empty((2, n, width), np.int32)
    choose_by_alpha(graph, prices, values, 4, near, distance)
    for a in range(n):
        edges = range(start[a], start[a + 1])
        best = sorted(edges, key=lambda e: (values[e], graph.length[e] + prices[city[e]]))[:width]
        wanted = sorted(int(graph.length[e]) // 4 for e in best)
        assert distance[a].tolist() == wanted + wanted[-1:] * (width - len(wanted))
        assert {*near[a].tolist()} == {city[e] for e in best}


@each_row("kind", KINDS)
def test_graph_has_every_candidate_and_tour_edge_once_at_both_cities(kind):
    instance = KINDS[kind]()
    cities, names = number_cities(instance, min(3, instance.n - 1), 0, ThreadTeam(1))
    matrix, order = distance_matrix(instance)[np.ix_(names, names)], np.random.default_rng(2).permutation(instance.n)
    ends, once = list_candidates(*cities, order.astype(np.int32), 64)
    start, city, length = list_graph(instance.n, ends, once)
    wanted = {frozenset((a, int(b))) for a in range(instance.n) for b in cities.near[a]}
    wanted |= {frozenset(pair) for pair in zip(order.tolist(), np.roll(order, -1).tolist(), strict=True)}
    for a in range(instance.n):
        others = city[start[a] : start[a + 1]]
        assert others.tolist() == sorted(b for pair in wanted if a in pair for b in pair if b != a)
        assert length[start[a] : start[a + 1]].tolist() == (64 * matrix[a][others]).tolist()
    assert start[-1] == city.size == length.size == 2 * len(wanted)


def naive_one_tree(n, ends, lengths):
    """The length of a 1-tree: SciPy's minimum spanning tree plus the longest second-nearest edge of a leaf."""
    matrix = np.full((n, n), np.inf)
    for (a, b), length in zip(ends.tolist(), lengths.tolist(), strict=True):
        matrix[a, b] = matrix[b, a] = length + 1e7  # zeros would be no edges
    tree = minimum_spanning_tree(np.where(np.isinf(matrix), 0, matrix)).toarray()
    joined = (tree + tree.T) > 0
    seconds = [np.where(joined[a], np.inf, matrix[a]).min() for a in range(n) if joined[a].sum() == 1]
    return tree.sum() - (n - 1) * 1e7 + max(each for each in seconds if each < np.inf) - 1e7


@each_row("seed", range(6))
def test_one_tree_is_minimal_and_has_the_degrees_of_its_edges(seed):
    rng, n = np.random.default_rng(seed), 40
    pairs = {frozenset(pair) for pair in zip(range(n), [*range(1, n), 0], strict=True)}
    pairs |= {frozenset(rng.choice(n, 2, replace=False).tolist()) for _ in range(80)}
    ends = np.array([sorted(pair) for pair in sorted(pairs, key=sorted)], np.int32)
    # Lengths that all differ, so that there is one minimum spanning tree.
    keys = rng.permutation(100_000)[: len(ends)].astype(np.int64)
    parent, degree, may_fork = np.empty((3, n), np.int32)
    total = one_tree(ends, np.argsort(keys).astype(np.int32), keys, parent, degree, may_fork)
    assert total == naive_one_tree(n, ends, keys)
    assert degree.sum() == 2 * n
    assert degree.min() >= 1


@each_row(("name", "below"), [("kroA200", 2.0), ("rat783", 1.2), ("pr1002", 2.0), ("att532", 2.0)])
def test_prices_belong_to_a_bound_just_below_the_optimum(name, below):
    instance, team = load(name), ThreadTeam(1)
    cities, _ = number_cities(instance, 8, 1, team)
    ends, lengths = list_candidates(*cities, build_greedy_tour(cities, team), 64)
    prices = np.empty(instance.n, np.int64)
    bound = ascend(ends, lengths, 25, prices)
    assert instance.optimum * (1 - below / 100) < bound / 64 <= instance.optimum
    assert bound == round(naive_one_tree(instance.n, ends, lengths + prices[ends].sum(axis=1))) - 2 * prices.sum()
    assert ascend(ends, lengths, 1, prices) < bound
    assert not prices.any()


def test_ring_of_cities_is_a_tour_at_once_and_coincident_cities_have_no_prices():
    angles = np.arange(60) * (2 * np.pi / 60)
    ring = assemble("ring", "EUC_2D", "inline", coordinates=1000 * np.column_stack((np.cos(angles), np.sin(angles))))
    alike = assemble("alike", "EUC_2D", "inline", coordinates=np.zeros((60, 2)))
    for instance in (ring, alike):
        cities, _ = number_cities(instance, 4, 0, ThreadTeam(1))
        prices = np.empty(60, np.int64)
        ends, lengths = list_candidates(*cities, build_greedy_tour(cities, ThreadTeam(1)), 64)
        bound = ascend(ends, lengths, 25, prices)
        assert bound == (64 * tour_length(instance, np.arange(60)) if instance is ring else 0)
        assert not prices.any()


@each_row("kind", KINDS)
def test_alpha_candidates_are_a_subset_with_their_distances(kind):
    instance, team = KINDS[kind](), ThreadTeam(1)
    cities, names = number_cities(instance, min(8, instance.n - 1), 1, team)
    order = build_greedy_tour(cities, team)
    found, prices = reduce_candidates(cities, order, 4)
    assert prices.shape == (instance.n,)
    matrix = distance_matrix(instance)[np.ix_(names, names)]
    may_fork = find_tour_neighbours(order[None])[0]
    for a in range(instance.n):
        assert {*found.near[a]} <= {*cities.near[a], *may_fork[a], *np.flatnonzero((cities.near == a).any(axis=1))}
        assert found.near_distance[a].tolist() == matrix[a][found.near[a]].tolist() == sorted(found.near_distance[a])


def test_parts_have_nearly_the_candidates_of_all_cities_together(monkeypatch):
    instance, team = load("pr1002"), ThreadTeam(1)
    cities, _ = number_cities(instance, 8, 1, team)
    order = build_greedy_tour(cities, team)
    whole, prices = reduce_candidates(cities, order, 5)
    same, same_prices = reduce_together(cities, order, 1)
    assert np.array_equal(same.near, whole.near)
    assert np.array_equal(same_prices, prices)
    monkeypatch.setattr(nearness_cpu, "_PART", 150)
    parts, part_prices = reduce_together(cities, order, 1)
    others, _ = reduce_together(cities, order, 3)
    assert np.array_equal(parts.near, others.near)
    assert np.array_equal(parts.near_distance, others.near_distance)
    alike = [len({*a} & {*b}) for a, b in zip(parts.near.tolist(), whole.near.tolist(), strict=True)]
    assert 4.5 < np.mean(alike) < 5
    assert np.corrcoef(part_prices, prices)[0, 1] > 0.8
    expected = add_distances(cities.policy, cities.matrix, cities.points, parts.near).near_distance
    assert np.array_equal(parts.near_distance, expected)


def reduce_together(cities, order, threads):
    team = ThreadTeam(threads)
    team.deadline = np.inf
    with closing(team):
        return return_value(reduce_in_parts(cities, order, 5, team))


@each_row("name", ["lin318", "att532", "pr1002"])
def test_five_alpha_candidates_contain_more_of_an_optimal_tour_than_five_nearest(name):
    instance, team = load(name), ThreadTeam(1)
    tour = instance.optimal_tour
    best = {frozenset(pair) for pair in zip(tour.tolist(), np.roll(tour, -1).tolist(), strict=True)}
    shares = []
    for by_nearness in (False, True):
        cities, names = number_cities(instance, 8 if by_nearness else 5, 1 if by_nearness else 0, team)
        if by_nearness:
            cities, _ = reduce_candidates(cities, build_greedy_tour(cities, team), 5)
        edges = {frozenset((int(names[a]), int(names[b]))) for a in range(instance.n) for b in cities.near[a]}
        shares.append(len(best & edges) / instance.n)
    assert shares[1] > shares[0]
    assert shares[1] > 0.99


def cross_tours(groups, budget, kernel=None):
    """A generation of eight greedy tours of 300 cities: tours, lengths and children."""
    n, m = 300, 8
    instance, team = uniform(n, 5), ThreadTeam(1)
    cities, names = number_cities(instance, 8, 1, team)
    table = distance_matrix(instance)[np.ix_(names, names)].astype(np.int32)
    orders = np.array([build_varied_greedy_tour(cities, at) for at in range(m)])
    links, frequencies = find_tour_neighbours(orders), allocate_frequencies(m, n)
    count_frequencies(links, 0, n, frequencies)
    breeding = Breeding(table.reshape(-1), cities.near, 5, SINGLE, frequencies, entropy_terms(m), np.uint64(1))
    lengths = np.array([table[order, np.roll(order, -1)].sum() for order in orders]).astype(np.int64)
    new, new_lengths, result = np.zeros_like(links), lengths.copy(), np.zeros(m, np.int64)
    crossing = allocate_crossing(n)
    crossing.span[LAST] = m
    values = links, lengths, np.arange(m, dtype=np.int32), 0, new, new_lengths, result, crossing, budget
    while crossing.span[0] < m:
        if kernel is None:
            cross_in_groups(breeding, groups, *values)
        else:
            kernel(breeding, *values)
    order, place = np.empty((2, n), np.int32)
    for child, length in zip(new, new_lengths, strict=True):
        walk(child, order, place)
        check_tour(n, order)
        assert table[order, np.roll(order, -1)].sum() == length
    assert (new_lengths <= lengths).all()
    return new.tolist(), new_lengths.tolist(), result.tolist()


def test_one_group_makes_the_genetic_algorithms_child():
    assert cross_tours(1, 10**9) == cross_tours(1, 10**9, cross_pairs)


def test_slices_change_no_child_and_more_groups_shorten_it():
    whole = cross_tours(6, 10**9)
    assert cross_tours(6, 1) == whole
    assert sum(whole[1]) < sum(cross_tours(1, 10**9)[1])
    assert max(whole[2]) <= 30


@each_row("spread", [1.0, 0.01])
def test_clusters_are_distinguished_from_uniform_cities(spread):
    rng = np.random.default_rng(1)
    points = rng.integers(0, 100_000, (40, 1, 2)) + rng.normal(0, 100_000 * spread, (40, 25, 2))
    instance = assemble("points", "EUC_2D", "inline", coordinates=np.rint(points.reshape(-1, 2)))
    cities, _ = number_cities(instance, 8, 1, ThreadTeam(1))
    assert are_clustered(cities) == (spread < 0.1)
