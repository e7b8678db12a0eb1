"""The installed packages of other projects find good tours, also of directed instances if they accept them."""

import numpy as np
import pytest

from data.collection.resolve import load
from data.distances import distance_matrix
from data.generators import uniform
from data.paths import ANY, open_order, with_path
from solvers import SOLVERS
from tests.matrices import from_weights
from tests.naive import held_karp, shortest_path
from tests.solver_runs import collect_events, make_spec

REFERENCE = [solver for solver in SOLVERS if solver.family == "reference"]
pytestmark = pytest.mark.slow


@pytest.fixture(params=REFERENCE, ids=lambda solver: solver.name)
def solver(request):
    if why := request.param.missing():
        pytest.skip(why)
    return request.param


def test_good_tour_is_found(solver):
    instance = load("berlin52")
    end = collect_events(instance, make_spec(solver.name, calls=1, first_seconds=0.5))[-1]
    assert end.length <= 1.1 * instance.optimum
    assert end.versions[solver.package.distribution]


@pytest.mark.parametrize("n", [3, 4, 5, 8])
def test_small_instances_are_solved(solver, n):
    directed = solver.variants[0].directed
    weights = np.random.default_rng(n).integers(1, 100, (n, n)).astype(np.int32)
    weights = weights if directed else np.minimum(weights, weights.T)
    instance = from_weights(weights, "small")
    end = collect_events(instance, make_spec(solver.name, calls=1, first_seconds=0.2))[-1]
    assert end.length == held_karp(weights.tolist())


@pytest.mark.parametrize("ends", [(2, 5), (2, None), (ANY, 5), (ANY, ANY)])
def test_paths_of_coordinates_are_solved(solver, ends):
    if not solver.variants[0].directed:
        pytest.skip("takes no paths")
    cities = uniform(7, 3)
    matrix, instance = distance_matrix(cities), with_path(cities, *ends)
    end = collect_events(instance, make_spec(solver.name, calls=1, first_seconds=0.2))[-1]
    order = open_order(instance, end.order)
    assert sorted(order) == list(range(7))
    assert end.length == matrix[order[:-1], order[1:]].sum() == shortest_path(matrix.tolist(), *ends)
