"""The bound of Held and Karp: never above the shortest tour, as high as in theory, and independent of slices."""

import itertools

import numpy as np
import pytest

from data.collection.resolve import load
from data.distances import distance_matrix
from data.generators import directed
from data.instance import Instance
from data.tsplib.normal_form import assemble
from solvers.bounds import ascent, full_tree
from solvers.bounds.candidates import build_graph
from solvers.bounds.lower_bound import compute_lower_bound, compute_lower_bounds
from solvers.bounds.problem import build_problem
from solvers.core.errors import InstanceTooLarge
from tests.matrices import from_weights
from tests.solver_runs import KINDS, return_value
from tests.solvers.bounds.one_trees import kruskal
from tests.tables import each_row

pytestmark = pytest.mark.slow

#: The bounds of the subtour relaxation, to which the bound of Held and Karp converges.
SUBTOUR = {"kroA100": 20_936.5, "pr1002": 256_766}
_EXPLICIT = ("explicit", "negative", "directed", "constant")
_PLANAR = ("EUC_2D", "CEIL_2D", "ATT", "GEO")
_PLACES = ("fractions", "crowded", "line", "clusters")


def draw_instance(kind: str, places: str, n: int, seed: int) -> Instance:
    """A random instance with this kind of distance."""
    rng = np.random.default_rng([seed, n])
    if kind in _EXPLICIT:
        weights = rng.integers(-200 if kind == "negative" else 1, 300, (n, n))
        if kind != "directed":
            weights = np.full((n, n), 7) if kind == "constant" else np.triu(weights, 1) + np.triu(weights, 1).T
        np.fill_diagonal(weights, 0)
        return assemble("drawn", "EXPLICIT", "inline", weights=weights.astype(np.int32))
    side = 60 if kind == "GEO" else 1000
    points = rng.uniform(0, side, (n, 2))
    if places == "crowded":
        points = rng.integers(0, 3, (n, 2)).astype(float)
    elif places == "line":
        points[:, 1] = 7.0
    elif places == "clusters":
        points = np.rint(points[rng.integers(0, min(n, 3), n)] + rng.integers(0, 2, (n, 2)))
    return assemble("drawn", kind, "inline", coordinates=points)


def shortest(instance: Instance) -> int:
    """The length of the shortest tour, by dynamic programming over sets of cities."""
    d = distance_matrix(instance).astype(np.int64)
    n = instance.n - 1
    paths = np.full((1 << n, n), 2**40)
    paths[1 << np.arange(n), np.arange(n)] = d[0, 1:]
    for cities in range(1, 1 << n):
        members = [k for k in range(n) if cities >> k & 1]
        others = [k for k in range(n) if not cities >> k & 1]
        if others:
            further = (paths[cities, members][:, None] + d[1:, 1:][np.ix_(members, others)]).min(axis=0)
            places = np.array([cities | 1 << k for k in others]), np.array(others)
            paths[places] = np.minimum(paths[places], further)
    return int((paths[-1] + d[1:, 0]).min())


CASES = [*itertools.product(_PLANAR, _PLACES), *((kind, "") for kind in _EXPLICIT)]


def check(cases: int, first_seed: int) -> None:
    """Compare bounds with shortest tours, cycling through all kinds."""
    gaps = []
    for seed, (kind, places) in zip(range(first_seed, first_seed + cases), itertools.cycle(CASES)):
        instance = draw_instance(kind, places, 5 + seed * 7 % 8, seed)
        bound, optimum = compute_lower_bound(instance).length, shortest(instance)
        assert bound <= optimum, (kind, places, instance.n, seed)
        gaps.append(bound < optimum)
    assert np.mean(gaps) < 0.5, "with few cities most bounds are the optimum"


def test_no_bound_exceeds_a_shortest_tour():
    check(50, 0)


@pytest.mark.long
def test_no_bound_exceeds_a_shortest_tour_in_ten_thousand_cases():
    check(10_000, 1_000)


def test_reference_tours_match_brute_force():
    for kind, places in CASES:
        instance = draw_instance(kind, places, 7, 5)
        d = distance_matrix(instance).tolist()
        tours = ([0, *rest] for rest in itertools.permutations(range(1, 7)))
        assert shortest(instance) == min(sum(d[a][b] for a, b in itertools.pairwise([*t, 0])) for t in tours)


@each_row("n", [1, 2, 3, 4])
@each_row(("kind", "places"), CASES)
def test_bound_of_up_to_three_cities_is_their_shortest_tour(kind, places, n):
    instance = draw_instance(kind, places, n, 3)
    best = 0 if n == 1 else shortest(instance)
    found = compute_lower_bound(instance)
    assert found.length == best if n <= 3 and not instance.directed else found.length <= best


@each_row("cities", [5, 40])
def test_coincident_cities_have_a_zero_bound(cities):
    for kind in ("EUC_2D", "CEIL_2D", "ATT"):
        instance = assemble("alike", kind, "inline", coordinates=np.ones((cities, 2)))
        assert compute_lower_bound(instance).length == 0


def test_bound_of_collinear_cities_approaches_twice_its_length():
    """Slowly: a spanning tree has only its length, and prices move along it one edge at a time."""
    points = np.stack((np.random.default_rng(4).permutation(50) * 10.0, np.zeros(50)), axis=1)
    assert 1.7 * 490 <= compute_lower_bound(assemble("line", "EUC_2D", "inline", coordinates=points)).length <= 2 * 490


@each_row("name", ["kroA100", "pr1002"])
def test_bound_converges_to_the_subtour_bound(name):
    found = compute_lower_bound(load(name)).length
    assert 0.999 * SUBTOUR[name] <= found <= np.ceil(SUBTOUR[name])


def test_directed_bound_is_far_above_that_of_its_shorter_directions():
    instance = load("ftv33")
    weights = distance_matrix(instance)
    both = from_weights(np.minimum(weights, weights.T), "shorter")
    assert compute_lower_bound(both).length < compute_lower_bound(instance).length <= instance.optimum
    assert compute_lower_bound(instance).length >= 0.99 * instance.optimum


def test_directed_edges_are_counted_by_direction():
    found = compute_lower_bound(directed(20, 1))
    assert found.edges.shape[1] == 2
    assert 0 <= found.edges.min() <= found.edges.max() < 20
    assert (found.edges[:, 0] != found.edges[:, 1]).all()


def test_distances_too_large_for_doubling_are_refused_with_a_message():
    weights = np.array([[0, 2**30, 5], [1, 0, 5], [1, 5, 0]], np.int32)
    with pytest.raises(InstanceTooLarge, match="needs them below"):
        compute_lower_bound(from_weights(weights, "far"))


@each_row("kind", KINDS)
def test_1_tree_is_minimal_over_all_edges(kind):
    """The proof uses another algorithm, Kruskal's, on all reduced lengths."""
    problem = build_problem(KINDS[kind]())
    prices = np.random.default_rng(1).integers(-50, 50, problem.n) * problem.scale // 3
    tree = return_value(full_tree.find_full_tree(problem, prices))
    d = distance_matrix(problem.instance).astype(np.int64) * problem.scale + prices[:, None] + prices
    special, to = tree.edges[-1]
    others = np.delete(np.arange(problem.n), special)
    at_special = np.sort(d[special, others])[:2].sum()
    assert tree.weight.sum() == kruskal(d[np.ix_(others, others)]) + at_special
    assert (d[tree.edges[:, 0], tree.edges[:, 1]] == tree.weight).all()
    assert special in np.flatnonzero(tree.degrees == 2)
    assert tree.bound == tree.weight.sum() - 2 * prices.sum()
    assert to != special


def test_bounds_only_rise_and_do_not_depend_on_slices(monkeypatch):
    instance = load("pr439")
    lengths = [found.length for found in compute_lower_bounds(instance) if found]
    assert lengths == sorted(lengths)
    for module in (ascent, full_tree):
        monkeypatch.setattr(module, "SLICE_SECONDS", 1e-9)
    monkeypatch.setattr(full_tree, "_INITIAL_WORK", 16)
    *_, last = compute_lower_bounds(instance)
    assert last.length == lengths[-1]


def test_prices_and_degrees_belong_to_the_1_tree():
    instance = load("berlin52")
    found = compute_lower_bound(instance)
    d = distance_matrix(instance)
    tree = d[found.edges[:, 0], found.edges[:, 1]].sum()
    assert found.degrees.sum() == 2 * 52
    assert np.ceil(tree + ((found.degrees - 2) * found.prices).sum() - 1e-6) == found.length


def test_proof_finds_edges_outside_the_candidates(monkeypatch):
    """With two nearest cities as candidates, only edges found by a proof connect clusters."""
    monkeypatch.setattr("solvers.bounds.candidates.NEAREST", 2)
    for seed in range(5):
        instance = draw_instance("EUC_2D", "clusters", 12, seed)
        assert compute_lower_bound(instance).length <= shortest(instance)
    assert compute_lower_bound(load("kroA100")).length >= 0.999 * SUBTOUR["kroA100"]


def test_candidate_graph_has_each_edge_once_at_both_cities():
    problem = build_problem(load("burma14"))
    graph = build_graph(problem, np.array([[0, 1], [1, 0], [3, 2], [2, 3], [2, 2]]))
    assert graph.city.tolist() == [1, 0, 3, 2]
    assert graph.start.tolist() == [0, 1, 2, 3, 4, *[4] * 10]
    assert (graph.length // problem.scale == distance_matrix(problem.instance)[[0, 1, 2, 3], [1, 0, 3, 2]]).all()
