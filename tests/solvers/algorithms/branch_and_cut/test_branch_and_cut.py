"""Branch-and-cut against Held-Karp, and its bounds against wrong duals."""

from contextlib import closing

import numpy as np
import pytest

from data.distances import distance_matrix, tour_length
from data.generators import uniform
from data.tsplib.normal_form import assemble
from solvers.algorithms.branch_and_cut.cuts import make_comb_cut, make_subtour_cut
from solvers.algorithms.branch_and_cut.nodes import FREE, Node, find_fixed_edges
from solvers.algorithms.branch_and_cut.proof import SafeBound
from solvers.algorithms.branch_and_cut.relaxation import Relaxation
from solvers.algorithms.branch_and_cut.search import Search
from solvers.algorithms.branch_and_cut.separation import find_violated
from tests import naive
from tests.matrices import from_weights

CASES = 12


def search_optimum(instance, seed=1):
    with closing(Search(instance, seed, None)) as search:
        bounds = []
        for _ in search.steps():
            if search.bound not in bounds[-1:]:  # how often depends on the clock
                bounds.append(search.bound)
            assert search.length is None or search.bound <= search.length
        assert search.proven
        assert tour_length(instance, search.order) == search.length
        return search.length, bounds


def random_instance(draw):
    """Few cities: uniform, on a coarse grid with many ties, clustered, on the globe, or with arbitrary distances."""
    n, kind = int(draw.integers(5, 11)), int(draw.integers(5))
    if kind == 4:
        weights = draw.integers(1, 4 if draw.random() < 0.5 else 1000, (n, n)).astype(np.int32)
        weights = np.triu(weights, 1) + np.triu(weights, 1).T
        return from_weights(weights, "any")
    points = draw.integers(0, (1000, 3, 20, 60, 0)[kind], (n, 2)).astype(np.float64)
    if kind == 2:
        points += 500 * draw.integers(0, 2, (n, 1))
    return assemble("any", "GEO" if kind == 3 else "EUC_2D", "inline", coordinates=points)


@pytest.mark.parametrize("seed", [*range(CASES), *(pytest.param(k, marks=pytest.mark.long) for k in range(CASES, 400))])
def test_proven_length_is_the_optimum(seed):
    instance = random_instance(np.random.default_rng(seed))
    expected = naive.held_karp(distance_matrix(instance).tolist())
    length, bounds = search_optimum(instance)
    assert length == expected
    assert max(bounds) <= expected


def test_bound_starts_below_negative_tours():
    weights = np.random.default_rng(1).integers(-300, -1, (9, 9)).astype(np.int32)
    weights = np.triu(weights, 1) + np.triu(weights, 1).T
    length, bounds = search_optimum(from_weights(weights, "negative"))
    assert length == naive.held_karp(weights.tolist())
    assert bounds[0] == 9 * weights.min()
    assert max(bounds) == bounds[-1] == length


def test_safe_bound_is_below_the_optimum_for_any_duals():
    draw = np.random.default_rng(5)
    for seed in range(30):
        instance = uniform(8, seed)
        lengths = distance_matrix(instance).astype(np.int64)
        proof, optimum = SafeBound(lengths), naive.held_karp(lengths.tolist())
        handle = np.arange(8) < 3
        teeth = [np.isin(np.arange(8), [k, k + 3]) for k in range(3)]
        cuts = [make_subtour_cut(draw.random(8) < 0.4) or make_subtour_cut(handle), make_comb_cut(handle, teeth)]
        bound = proof.compute_bound(
            draw.normal(100, 200, 8), cuts, draw.normal(0, 100, 2), np.full((8, 8), FREE, np.int8)
        )
        assert proof.length(bound) <= optimum


def test_duals_that_are_too_large_prove_nothing():
    proof = SafeBound(np.ones((5, 5), np.int64))
    assert proof.compute_bound(np.full(5, 1e300), [], np.zeros(0), np.full((5, 5), FREE, np.int8)) is None


def test_smallest_fractional_solution_is_cut_by_a_comb():
    ends = np.array([[0, 1], [1, 2], [0, 2], [3, 4], [4, 5], [3, 5], [0, 3], [1, 4], [2, 5]], np.int32)
    x = np.array([0.5] * 6 + [1.0] * 3)
    found = find_violated(6, ends, x, [])
    assert [cut.minimum for cut in found] == [10] * len(found)
    assert all(cut.row(ends) @ x < cut.minimum - 0.5 for cut in found)


def test_invalid_teeth_make_no_comb():
    cities = np.arange(6)
    handle, teeth = cities < 3, [np.isin(cities, [k, k + 3]) for k in range(3)]
    assert make_comb_cut(handle, teeth) is not None
    assert make_comb_cut(handle, teeth[:2]) is None
    assert make_comb_cut(handle, [*teeth[:2], teeth[1]]) is None
    assert make_comb_cut(handle, [*teeth[:2], np.isin(cities, [2])]) is None


def test_consequences_of_fixed_edges():
    node = Node(0, 2, ((0, 1, 1), (0, 2, 1)))
    fixed = find_fixed_edges(node, np.full((5, 5), FREE, np.int8))
    assert fixed[0].tolist() == [FREE, 1, 1, 0, 0]
    assert find_fixed_edges(Node(0, 3, (*node.fixings, (0, 3, 1))), np.full((5, 5), FREE, np.int8)) is None


def test_relaxation_is_unchanged_after_trying_an_edge():
    ends, lengths = np.argwhere(np.triu(np.ones((12, 12)), 1)), distance_matrix(uniform(12, 4))
    tried, other = Relaxation(lengths), Relaxation(lengths)
    for each in (tried, other):
        each.add_edges(ends)
    assert tried.try_edge(0, maximum=50) != tried.try_edge(0, maximum=1)  # one step of the simplex method is not enough
    assert tried.solve().value == pytest.approx(other.solve().value)


def test_tree_of_many_nodes_is_deterministic():
    instance = uniform(40, 3)
    assert search_optimum(instance) == search_optimum(instance)
