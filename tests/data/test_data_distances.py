"""Distances against plain Python written from Reinelt's formulas, and the known optima."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.distances import check_tour, distance_matrix, edge_lengths, tour_length
from data.errors import InvalidInstance
from data.generators import uniform
from data.library import load, shelf
from data.normal_form import assemble

PLANAR = ("EUC_2D", "CEIL_2D", "ATT")
coordinate = st.one_of(st.integers(-2000, 2000).map(float), st.floats(-5e8, 5e8, allow_nan=False))
degrees = st.tuples(st.integers(-8999, 8999), st.integers(-17999, 17999)).map(lambda p: (p[0] / 100, p[1] / 100))


def obvious(kind, p, q):
    """One distance, slowly, in the words of the TSPLIB 95 report."""
    if p is q:
        return 0
    if kind == "GEO":
        lat1, lon1, lat2, lon2 = (3.141592 * (int(x) + 5.0 * (x - int(x)) / 3.0) / 180.0 for x in (*p, *q))
        q1, q2, q3 = math.cos(lon1 - lon2), math.cos(lat1 - lat2), math.cos(lat1 + lat2)
        inner = min(1.0, max(-1.0, 0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3)))
        return int(6378.388 * math.acos(inner) + 1.0)
    squares = (p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1])
    if kind == "ATT":
        exact = math.sqrt(squares / 10.0)
        rounded = int(exact + 0.5)
        return rounded + 1 if rounded < exact else rounded
    root = math.sqrt(squares)
    return math.ceil(root) if kind == "CEIL_2D" else int(root + 0.5)


def check_all_pairs(kind, points):
    instance = assemble("t", kind, "inline", coordinates=np.array(points, np.float64))
    expected = [[obvious(kind, p, q) for q in points] for p in points]
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
    check_all_pairs(kind, [tuple(p) for p in points])


@given(st.lists(degrees, min_size=1, max_size=6))
def test_geo_distances_round_as_tsplib_says(points):
    check_all_pairs("GEO", [tuple(p) for p in points])


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


@pytest.mark.parametrize("name", [card.name for card in shelf() if card.has_optimal_tour])
def test_optimal_tours_have_the_optimal_length(name):
    instance = load(name)
    assert tour_length(instance, instance.optimal_tour) == instance.optimum


def test_burma14_comes_to_its_optimum():
    """No tour file is known for it; dynamic programming over subsets (Held and Karp, 1962) gives one's length."""
    matrix = distance_matrix(load("burma14")).astype(np.int64)
    n = len(matrix) - 1
    best = np.full((1 << n, n), 10**9)
    best[1 << np.arange(n), np.arange(n)] = matrix[n, :n]
    for subset in range(1, 1 << n):
        for last in range(n):
            if subset >> last & 1 and subset != 1 << last:
                best[subset, last] = (best[subset ^ 1 << last] + matrix[:n, last]).min()
    assert (best[-1] + matrix[:n, n]).min() == 3323


@pytest.mark.parametrize("order", [[0, 1], [0, 1, 1], [0, 1, 3], [-1, 0, 1], [0.0, 1.0, 2.0], [[0, 1, 2]], []])
def test_what_is_no_tour_is_refused(order):
    with pytest.raises(InvalidInstance) as caught:
        check_tour(3, np.array(order))
    assert caught.value.code == "NOT_A_TOUR"


@pytest.mark.parametrize("n", [1, 2, 3])
def test_tiny_tours(n):
    instance = uniform(n, 0)
    assert tour_length(instance, np.arange(n)) == distance_matrix(instance)[np.arange(n), (np.arange(n) + 1) % n].sum()


def test_matrix_of_too_many_cities_is_refused():
    with pytest.raises(InvalidInstance) as caught:
        distance_matrix(uniform(20_001, 0))
    assert caught.value.code == "LIMIT"
