"""Distances of tours and random walks, against simple computations and theory."""

import numpy as np
import pytest

from data.collection.resolve import load
from data.distances import tour_length
from data.generators import GENERATORS
from studies.stats.landscape import (
    MIN_CITIES,
    compute_autocorrelation,
    count_steps,
    expected_decay,
    has_walk,
    measure_distances,
    random_walk,
)
from tests.tables import each_row

EIL51 = load("eil51")


def neighbours(order):
    """All tours that can be reached by one 2-opt move."""
    n = len(order)
    for i in range(n):
        for j in range(i + 2, n if i else n - 1):
            yield np.concatenate((order[: i + 1], order[i + 1 : j + 1][::-1], order[j + 1 :]))


def test_walk_goes_from_neighbour_to_neighbour_with_its_lengths():
    for n in (MIN_CITIES, 6, 9):
        instance = GENERATORS["uniform"](n, 3)
        random = np.random.default_rng(7)
        order = random.permutation(n)
        first = random.integers(n, size=60)
        second = (first + random.integers(2, n - 1, size=60)) % n
        lengths = random_walk(instance, 60, 7)
        assert lengths[0] == tour_length(instance, order)
        for step in range(60):
            i, j = sorted((int(first[step]), int(second[step])))
            assert any(
                np.array_equal(order_after, moved)
                for moved in neighbours(order)
                for order_after in [_apply_move(order, i, j)]
            )
            order = _apply_move(order, i, j)
            assert lengths[step + 1] == tour_length(instance, order)


def _apply_move(order, i, j):
    return np.concatenate((order[: i + 1], order[i + 1 : j + 1][::-1], order[j + 1 :]))


def test_same_seed_gives_the_same_walk():
    assert np.array_equal(random_walk(EIL51, 500, 1), random_walk(EIL51, 500, 1))
    assert not np.array_equal(random_walk(EIL51, 500, 1), random_walk(EIL51, 500, 2))


@each_row("instance", [GENERATORS["uniform"](7, 1), load("gr17"), load("burma14")])
def test_mean_of_all_neighbours_decays_as_expected(instance):
    random = np.random.default_rng(0)
    first, second = random.permutation(instance.n), random.permutation(instance.n)
    means = [np.mean([tour_length(instance, each) for each in neighbours(order)]) for order in (first, second)]
    lengths = [tour_length(instance, order) for order in (first, second)]
    slope = (means[0] - means[1]) / (lengths[0] - lengths[1])
    assert slope == pytest.approx(expected_decay(instance.n))


def test_long_walk_has_nearly_the_expected_autocorrelation():
    found = compute_autocorrelation(random_walk(EIL51, 100_000, 1), 51)
    assert found.measured[0] == pytest.approx(1)
    assert found.measured[1] == pytest.approx(found.expected[1], abs=0.005)
    assert np.abs(found.measured - found.expected).max() < 0.15
    assert found.length == pytest.approx(-1 / np.log(expected_decay(51)), rel=0.15)


def test_autocorrelation_follows_its_definition():
    lengths = np.random.default_rng(3).integers(100, 900, 400).cumsum()
    found = compute_autocorrelation(lengths, 40)
    centred = lengths - lengths.mean()
    for lag, measured in zip(found.lag.tolist(), found.measured.tolist(), strict=True):
        pairs = [centred[k] * centred[k + lag] for k in range(len(centred) - lag)]
        assert measured == pytest.approx(np.mean(pairs) / np.mean(centred**2))
    assert found.lag.max() <= 40, "a tenth of the walk"
    same = compute_autocorrelation(np.full(400, 7), 40)
    assert np.isnan(same.length)


def test_distances_count_edges_missing_in_the_optimal_tour():
    optimal = EIL51.optimal_tour
    moved = _apply_move(optimal, 3, 20)
    found = measure_distances(EIL51, [optimal, moved, optimal[::-1]])
    assert found.distance.tolist() == [0, 2, 0]
    assert (found.reference, found.known) == (426, True)
    assert found.length.tolist() == [426, tour_length(EIL51, moved), 426]
    assert found.correlation == pytest.approx(1)


def test_shortest_tour_is_the_reference_if_none_is_known_and_does_not_count():
    instance = GENERATORS["uniform"](30, 2)
    random = np.random.default_rng(5)
    orders = [random.permutation(30).astype(np.int32) for _ in range(12)]
    found = measure_distances(instance, orders)
    best = int(found.length.argmin())
    assert (found.known, found.reference, found.distance[best]) == (False, found.length.min(), 0)
    others = np.arange(12) != best
    assert found.correlation == pytest.approx(np.corrcoef(found.length[others], found.distance[others])[0, 1])
    assert np.isnan(measure_distances(instance, orders[:1]).correlation)


def test_instances_with_a_walk():
    assert has_walk(EIL51)
    assert not has_walk(load("br17")), "edges have directions"
    assert not has_walk(GENERATORS["uniform"](4, 1))
    assert [count_steps(n) for n in (10, 1000, 10**6)] == [20_000, 200_000, 400_000]
