"""The ants' heuristic values, against the formulas."""

import numpy as np

from data.distances import distance_matrix
from data.tsplib.normal_form import assemble
from solvers.algorithms.ants.heuristics import compute_eta, first_trail
from solvers.core.neighbours import neighbours
from tests import naive
from tests.solver_runs import KINDS
from tests.tables import each_row


@each_row("kind", KINDS)
def test_neighbours_are_the_nearest_cities(kind):
    matrix = distance_matrix(KINDS[kind]())
    found = neighbours(matrix, 7)
    for city, near in enumerate(found.tolist()):
        others = [other for other in range(len(matrix)) if other != city]
        assert near == sorted(others, key=lambda other: (matrix[city, other], other))[:7]


def test_neighbours_are_limited_to_all_cities():
    assert neighbours(np.zeros((1, 1), np.int32), 5).shape == (1, 0)
    assert neighbours(np.zeros((3, 3), np.int32), 5).tolist() == [[1, 2], [0, 2], [0, 1]]


@each_row("kind", KINDS)
@each_row("beta", [0.0, 2.0, 3.3])
def test_heuristic_keeps_the_ratios_of_a_row(kind, beta):
    matrix = distance_matrix(KINDS[kind]())
    eta, n = compute_eta(matrix, beta), len(matrix)
    assert eta.dtype == np.float32
    assert not eta.diagonal().any()
    for i in (0, n // 2, n - 1):
        row = [naive.fitness(1.0, int(matrix[i, j]), int(matrix.max()), 1.0, beta) if j != i else 0.0 for j in range(n)]
        np.testing.assert_allclose(eta[i], np.array(row) / max(row), rtol=1e-6, atol=1e-30)


def test_no_city_is_unreachable():
    matrix = distance_matrix(assemble("t", "EUC_2D", "inline", coordinates=np.array([[0, 0], [1, 0], [1e8, 0]])))
    assert compute_eta(matrix, 10.0)[0, 2] == np.float32(1e-30)


@each_row("kind", KINDS)
def test_first_trails_follow_the_nearest_neighbour_tour(kind):
    matrix = distance_matrix(KINDS[kind]())
    tour = naive.nearest_neighbour(matrix.tolist(), 0)
    assert first_trail(matrix, "nearest-neighbour") == len(matrix) / naive.naive_length(matrix.tolist(), tour)
    assert first_trail(matrix, "one") == 1.0
