"""Greedy tours with randomly lengthened edges: the kernels against simple code."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.collection.resolve import load
from data.distances import check_tour, distance_matrix, tour_length
from data.generators import directed, uniform
from data.paths import with_path
from data.tsplib.normal_form import assemble
from solvers.algorithms.lin_kernighan import start_cpu
from solvers.algorithms.lin_kernighan.candidates_cpu import number_cities
from solvers.algorithms.lin_kernighan.directed_cpu import Pairs
from solvers.algorithms.lin_kernighan.kernels import digits_cpu
from solvers.algorithms.lin_kernighan.kernels.digits_cpu import DIGIT
from solvers.algorithms.lin_kernighan.kernels.start_cpu import single_cities
from solvers.algorithms.lin_kernighan.kernels.varied_cpu import varied_greedy
from solvers.algorithms.lin_kernighan.nearness_cpu import reduce_candidates
from solvers.algorithms.lin_kernighan.params import LinKernighanParams
from solvers.algorithms.lin_kernighan.paths_cpu import ClosedPath, find_round_trip
from solvers.algorithms.lin_kernighan.start_cpu import build_greedy_tour, build_varied_greedy_tour
from solvers.parallel.thread_team import ThreadTeam
from tests.matrices import from_weights
from tests.plain_kernels import interpret
from tests.solver_runs import KINDS
from tests.tables import each_row

pytestmark = pytest.mark.slow


@given(st.lists(st.integers(0, (1 << 44) - 1) | st.integers(0, 5) | st.integers(0, (1 << 11) - 1), max_size=60))
def test_keys_are_sorted_with_ties_by_index(keys):
    order, spare = np.empty((2, len(keys)), np.int32)
    digits = max(1, *(-(-key.bit_length() // DIGIT) for key in [0, *keys]))
    interpret(digits_cpu.sort_by)(np.array(keys, np.int64), digits, order, spare)
    assert order.tolist() == sorted(range(len(keys)), key=lambda at: (keys[at], at))


@each_row("kind", KINDS)
@each_row("count", [1, 8])
def test_each_seed_makes_a_different_tour(kind, count):
    instance = KINDS[kind]()
    cities, names = number_cities(instance, min(count, instance.n - 1), 0, ThreadTeam(1))
    orders = [build_varied_greedy_tour(cities, seed) for seed in (1, 2, 1)]
    for order in orders:
        check_tour(instance.n, names[order])
    assert orders[0].tolist() == orders[2].tolist()
    assert orders[0].tolist() != orders[1].tolist()


@each_row("kind", ["EUC_2D", "EXPLICIT"])
def test_unchanged_lengths_give_the_greedy_tour(kind):
    rng = np.random.default_rng(7)
    points = rng.permutation(1 << 20)[:80].reshape(40, 2).astype(np.float64)
    instance = assemble("few", "EUC_2D", "inline", coordinates=points)
    if kind == "EXPLICIT":
        instance = from_weights(distance_matrix(instance), "few")
    cities, _ = number_cities(instance, 39, 0, ThreadTeam(1))
    order = np.empty(40, np.int32)
    varied_greedy(*cities, np.zeros(40), np.uint64(1), 0.0, *single_cities(40), order)
    assert order.tolist() == build_greedy_tour(cities, ThreadTeam(1)).tolist()


@each_row("kind", ["EUC_2D", "EXPLICIT"])
@each_row("width", [39, 3])
def test_prices_give_the_greedy_tour_of_reduced_lengths(kind, width):
    """By all pairs, or by few candidates and then all pairs of fragment ends: the cheapest edge that closes no fragment
    first."""
    rng = np.random.default_rng(8)
    instance = assemble(
        "few", "EUC_2D", "inline", coordinates=rng.permutation(1 << 20)[:80].reshape(40, 2).astype(np.float64)
    )
    if kind == "EXPLICIT":
        instance = from_weights(distance_matrix(instance), "few")
    cities, names = number_cities(instance, width, 0, ThreadTeam(1))
    matrix, prices = distance_matrix(instance)[np.ix_(names, names)], rng.uniform(-2e5, 2e5, 40)
    order = np.empty(40, np.int32)
    varied_greedy(*cities, prices, np.uint64(1), 0.0, *single_cities(40), order)

    fragment, degree, edges = np.arange(40), np.zeros(40, int), set()
    candidates = {frozenset((a, int(b))) for a in range(40) for b in cities.near[a]}
    while len(edges) < 39:
        for a, b in sorted(map(sorted, candidates), key=lambda e: matrix[e[0], e[1]] + prices[e[0]] + prices[e[1]]):
            if degree[a] < 2 and degree[b] < 2 and fragment[a] != fragment[b]:
                fragment[fragment == fragment[a]] = fragment[b]
                degree[a], degree[b] = degree[a] + 1, degree[b] + 1
                edges.add(frozenset((a, b)))
        ends = np.flatnonzero(degree < 2).tolist()
        candidates = {frozenset((a, b)) for a in ends for b in ends if a != b}
    result = {frozenset(pair) for pair in zip(order.tolist(), np.roll(order, -1).tolist(), strict=True)}
    assert edges < result


def test_tours_by_1_tree_prices_are_shorter_and_distinct():
    instance, team = load("pr1002"), ThreadTeam(1)
    cities, names = number_cities(instance, 8, 1, team)
    few, prices = reduce_candidates(cities, build_greedy_tour(cities, team), 5)
    with_prices = [build_varied_greedy_tour(few, seed, prices) for seed in range(20)]
    without = [build_varied_greedy_tour(few, seed) for seed in range(20)]
    assert len({tour.tobytes() for tour in with_prices}) == 20
    means = [np.mean([tour_length(instance, names[tour]) for tour in tours]) for tours in (with_prices, without)]
    assert means[0] < 0.98 * means[1]


@each_row("kind", ["EUC_2D", "EXPLICIT"])
def test_fragment_ends_are_joined_to_nearby_ones(kind):
    """One candidate per city leaves hundreds of fragments; arbitrary joins would make the tour several times as
    long."""
    instance = uniform(600, 3)
    if kind == "EXPLICIT":
        instance = from_weights(distance_matrix(instance), "many")
    cities, names = number_cities(instance, 1, 0, ThreadTeam(1))
    greedy = tour_length(instance, names[build_greedy_tour(cities, ThreadTeam(1))])
    assert tour_length(instance, names[build_varied_greedy_tour(cities, 1)]) < 1.25 * greedy


@pytest.mark.parametrize("is_directed", [False, True])
def test_fixed_edges_come_first_and_leave_the_others_their_order(is_directed):
    """Increases relative to the length of fixed edges made tours a third longer than the greedy one."""
    team, params = ThreadTeam(1), LinKernighanParams()
    if is_directed:
        pairs = Pairs(distance_matrix(directed(150, 1)), params, team)
    else:
        path = with_path(uniform(300, 1), 0, 1)
        pairs = ClosedPath(path, find_round_trip(path), params, team)
    few, prices = reduce_candidates(pairs.cities, build_greedy_tour(pairs.cities, team), 5)
    orders = [pairs.unpair(build_varied_greedy_tour(few, seed, prices)) for seed in range(8)]
    for order in orders:
        check_tour(pairs.n, order)
    greedy = pairs.length(pairs.unpair(build_greedy_tour(few, team)))
    assert np.mean([pairs.length(order) for order in orders]) < 1.1 * greedy


def test_coincident_cities_and_negative_lengths_make_a_tour():
    alike = assemble("alike", "EUC_2D", "inline", coordinates=np.zeros((150, 2)))
    weights = np.random.default_rng(1).integers(-500, 500, (70, 70))
    negative = from_weights(np.minimum(weights, weights.T) * (1 - np.eye(70, dtype=int)), "negative")
    for instance in (alike, negative):
        cities, names = number_cities(instance, 5, 0, ThreadTeam(1))
        check_tour(instance.n, names[build_varied_greedy_tour(cities, 1)])


@each_row("priced", [False, True])
def test_greedy_tours_in_parts_are_nearly_as_short(monkeypatch, priced):
    instance, prices = uniform(3000, 1), np.linspace(0.0, 9.0, 3000) if priced else None
    cities, names = number_cities(instance, 8, 1, ThreadTeam(1))
    whole = build_varied_greedy_tour(cities, 1, prices, ThreadTeam(1))
    monkeypatch.setattr(start_cpu, "MIN_PARTED", 1000)
    monkeypatch.setattr(start_cpu, "_PIECE", 500)
    orders = [build_varied_greedy_tour(cities, 1, prices, ThreadTeam(threads)) for threads in (1, 3)]
    check_tour(3000, names[orders[0]])
    assert orders[0].tolist() == orders[1].tolist() != whole.tolist()
    assert tour_length(instance, names[orders[0]]) < 1.05 * tour_length(instance, names[whole])
    check_tour(3000, names[build_greedy_tour(cities, ThreadTeam(2))])
