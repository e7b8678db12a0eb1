"""Greedy tours by lengths that chance makes longer: the kernels against what anybody would write."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.distances import check_tour, distance_matrix, tour_length
from data.generators import uniform
from data.tsplib.normal_form import assemble
from solvers.lin_kernighan.cities_cpu import numbered
from solvers.lin_kernighan.kernels.varied_cpu import sort_by, varied_greedy
from solvers.lin_kernighan.start_cpu import greedy_tour, varied_greedy_tour
from solvers.parallel.thread_team import ThreadTeam
from tests.solver_runs import KINDS


@given(st.lists(st.integers(0, (1 << 32) - 1) | st.integers(0, 5), max_size=60))
def test_keys_are_sorted_with_ties_by_index(keys):
    order, spare = np.empty((2, len(keys)), np.int32)
    sort_by(np.array(keys, np.uint32), order, spare)
    assert order.tolist() == sorted(range(len(keys)), key=lambda at: (keys[at], at))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [1, 8])
def test_each_seed_makes_a_tour_of_its_own(kind, count):
    instance = KINDS[kind]()
    cities, names = numbered(instance, min(count, instance.n - 1), 0, ThreadTeam(1))
    orders = [varied_greedy_tour(cities, seed) for seed in (1, 2, 1)]
    for order in orders:
        check_tour(instance.n, names[order])
    assert orders[0].tolist() == orders[2].tolist()
    assert orders[0].tolist() != orders[1].tolist()


@pytest.mark.parametrize("kind", ["EUC_2D", "EXPLICIT"])
def test_lengths_that_nothing_makes_longer_give_the_greedy_tour(kind):
    rng = np.random.default_rng(7)
    points = rng.permutation(1 << 20)[:80].reshape(40, 2).astype(np.float64)
    instance = assemble("few", "EUC_2D", "inline", coordinates=points)
    if kind == "EXPLICIT":
        instance = assemble("few", "EXPLICIT", "inline", weights=distance_matrix(instance))
    cities, _ = numbered(instance, 39, 0, ThreadTeam(1))
    order = np.empty(40, np.int32)
    varied_greedy(*cities, np.uint64(1), 0.0, order)
    assert order.tolist() == greedy_tour(cities, ThreadTeam(1)).tolist()


@pytest.mark.parametrize("kind", ["EUC_2D", "EXPLICIT"])
def test_ends_of_fragments_are_joined_to_near_ones(kind):
    """One candidate a city leaves hundreds of fragments; ends that were joined anyhow would make it several times as
    long.
    """
    instance = uniform(600, 3)
    if kind == "EXPLICIT":
        instance = assemble("many", "EXPLICIT", "inline", weights=distance_matrix(instance))
    cities, names = numbered(instance, 1, 0, ThreadTeam(1))
    greedy = tour_length(instance, names[greedy_tour(cities, ThreadTeam(1))])
    assert tour_length(instance, names[varied_greedy_tour(cities, 1)]) < 1.25 * greedy


def test_cities_in_one_place_and_negative_lengths_make_a_tour():
    alike = assemble("alike", "EUC_2D", "inline", coordinates=np.zeros((150, 2)))
    weights = np.random.default_rng(1).integers(-500, 500, (70, 70))
    negative = assemble(
        "negative", "EXPLICIT", "inline", weights=np.minimum(weights, weights.T) * (1 - np.eye(70, dtype=int))
    )
    for instance in (alike, negative):
        cities, names = numbered(instance, 5, 0, ThreadTeam(1))
        check_tour(instance.n, names[varied_greedy_tour(cities, 1)])
