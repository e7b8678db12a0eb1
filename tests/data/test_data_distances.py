"""Distances against integer arithmetic and another package, and the known optima."""

from itertools import pairwise

import numpy as np
import pytest
import tsplib95
from hypothesis import given, settings
from hypothesis import strategies as st

from data.collection.resolve import instance_list, load
from data.distances import check_tour, distance_matrix, edge_lengths, tour_length
from data.errors import InvalidInstance
from data.generators import uniform
from data.tsplib.instances import write
from data.tsplib.normal_form import assemble
from tests import naive
from tests.tables import each_row

PLANAR = ("EUC_2D", "CEIL_2D", "ATT")
# Quarters, within what a float64 holds exactly through the square: there the rounded result must be exact too.
coordinate = st.one_of(st.integers(-40, 40), st.integers(-8_000_000, 8_000_000)).map(lambda k: k / 4)
degrees = st.tuples(st.integers(-8959, 8959), st.integers(-17959, 17959)).map(lambda p: (p[0] / 100, p[1] / 100))


def check_all_pairs(kind, points):
    instance = assemble("t", kind, "inline", coordinates=np.array(points, np.float64))
    expected = [
        [0 if a == b else naive.distance(kind, p, q) for b, q in enumerate(points)] for a, p in enumerate(points)
    ]
    matrix = distance_matrix(instance)
    assert matrix.dtype == np.int32
    assert matrix.tolist() == expected
    a, b = np.indices(matrix.shape)
    lengths = edge_lengths(instance, a, b)
    assert lengths.dtype == np.int64
    assert lengths.tolist() == expected


@pytest.mark.parametrize("kind", PLANAR)
@given(st.lists(st.tuples(coordinate, coordinate), min_size=1, max_size=6))
def test_planar_distances_round_as_tsplib_says(kind, points):
    check_all_pairs(kind, points)


@settings(derandomize=True)
@given(st.lists(degrees, min_size=1, max_size=6))
def test_geo_distances_round_as_tsplib_says(points):
    check_all_pairs("GEO", points)


@each_row("name", ["berlin52", "att48", "a280", "gr17", "dantzig42"])
def test_distances_match_another_package(name):
    """tsplib95 reads and measures the written file, except GEO, for which its pi differs from TSPLIB's."""
    instance = load(name)
    problem = tsplib95.parse(write(instance))
    first = min(problem.get_nodes())
    pairs = [(a, b) for a in range(0, instance.n, 3) for b in range(instance.n) if a != b]
    expected = [problem.get_weight(first + a, first + b) for a, b in pairs]
    assert edge_lengths(instance, *np.array(pairs).T).tolist() == expected


def test_halves_round_up_and_coincident_geo_places_are_one_apart():
    half = assemble("t", "EUC_2D", "inline", coordinates=np.array([[0.0, 0.0], [1.5, 2.0], [0.0, 0.5]]))
    assert distance_matrix(half)[0].tolist() == [0, 3, 1]
    place = assemble("t", "GEO", "inline", coordinates=np.array([[52.31, 13.24], [52.31, 13.24]]))
    assert distance_matrix(place).tolist() == [[0, 1], [1, 0]]


def test_matrix_is_the_same_in_blocks():
    instance = uniform(1500, 3)
    matrix = distance_matrix(instance)
    a, b = np.random.default_rng(1).integers(0, 1500, (2, 5000))
    assert (matrix[a, b] == edge_lengths(instance, a, b)).all()
    assert (matrix == matrix.T).all()


def test_explicit_distances_are_the_weights():
    instance = load("swiss42")
    matrix = distance_matrix(instance)
    assert matrix.flags.writeable
    assert (matrix == instance.weights).all()
    assert edge_lengths(instance, np.array([0, 5]), np.array([1, 5])).tolist() == [15, 0]


@pytest.mark.slow
@each_row("name", [card.name for card in instance_list() if card.source == "bundled"])
def test_optimal_tours_have_the_optimal_length(name):
    instance = load(name)
    assert tour_length(instance, instance.optimal_tour) == instance.optimum
    order = instance.optimal_tour.tolist()
    if instance.weights is None:
        points = [tuple(p) for p in instance.coordinates.tolist()]
        length = sum(naive.distance(instance.kind, points[a], points[b]) for a, b in pairwise([*order, order[0]]))
    else:
        length = naive.naive_length(instance.weights.tolist(), order)
    assert length == instance.optimum


@each_row("order", [[0, 1], [0, 1, 1], [0, 1, 3], [-1, 0, 1], [0.0, 1.0, 2.0], [[0, 1, 2]], []])
def test_invalid_tour_is_refused(order):
    with pytest.raises(InvalidInstance) as caught:
        check_tour(3, np.array(order))
    assert caught.value.code == "NOT_A_TOUR"


@each_row("n", [1, 2, 3])
def test_tiny_tours(n):
    instance = uniform(n, 0)
    assert tour_length(instance, np.arange(n)) == distance_matrix(instance)[np.arange(n), (np.arange(n) + 1) % n].sum()


def test_matrix_of_too_many_cities_is_refused():
    with pytest.raises(InvalidInstance) as caught:
        distance_matrix(uniform(20_001, 0))
    assert caught.value.code == "LIMIT"
