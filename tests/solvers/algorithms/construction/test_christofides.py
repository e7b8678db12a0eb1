"""Christofides against other code: the lengths of the tree and the matching, the walk, and the bound."""

from collections import Counter
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.distances import distance_matrix
from data.generators import directed, uniform
from data.instance import Instance
from data.tsplib.normal_form import assemble
from solvers.algorithms.construction import christofides
from solvers.algorithms.construction.christofides import MATCHING, MAX_CITIES, TREE, euler_tour
from solvers.algorithms.construction.kernels.matching_cpu import match_pair, new_matching
from solvers.algorithms.construction.kernels.tree_cpu import max_excess
from solvers.core.errors import DeviceUnavailable, InstanceTooLarge
from solvers.core.events import Edges, Steps
from tests import naive
from tests.matrices import draw_weights, from_weights
from tests.solver_runs import KINDS, collect_events, make_spec
from tests.solvers.algorithms.construction.test_insertion import assert_edges_of_steps
from tests.tables import each_row

SPEC = make_spec("christofides")


def read_record(instance: Instance) -> tuple[Steps, Edges]:
    """The recorded steps and edges of a run."""
    events = collect_events(instance, SPEC)
    return tuple(next(event for event in events if isinstance(event, kind)) for kind in (Steps, Edges))


def part(steps: Steps, phase: int) -> np.ndarray:
    """The changes of a phase, as a mask."""
    return np.repeat(steps.phase, np.diff(steps.ends, prepend=0)) == phase


def make_graph(matrix: np.ndarray) -> nx.Graph:
    """The complete graph of a matrix."""
    graph = nx.Graph()
    graph.add_weighted_edges_from((a, b, int(matrix[a, b])) for a in range(len(matrix)) for b in range(a))
    return graph


def matching_length(matrix: np.ndarray) -> int:
    """The length of the kernel's matching; asserts that it is perfect."""
    matching, k = new_matching(matrix), len(matrix)
    while match_pair(matching):
        continue
    mate = matching.mate[1 : k + 1] - 1
    assert (mate[mate] == np.arange(k)).all()
    assert (mate != np.arange(k)).all()
    return int(matrix[np.arange(k), mate].sum()) // 2


def assert_parts(instance: Instance) -> None:
    steps, edges = read_record(instance)
    matrix = distance_matrix(instance)
    tree = steps.changed[part(steps, TREE)]
    shortest = nx.minimum_spanning_tree(make_graph(matrix)).size("weight")
    assert nx.is_tree(nx.Graph(tree.tolist()))
    assert steps.lengths[part(steps, TREE)].sum() == shortest
    odd = [city for city, count in Counter(tree.ravel().tolist()).items() if count % 2]
    pairs = steps.changed[part(steps, MATCHING)]
    assert sorted(pairs.ravel().tolist()) == sorted(odd)
    least = sum(matrix[odd[a], odd[b]] for a, b in nx.min_weight_matching(make_graph(matrix[np.ix_(odd, odd)])))
    assert steps.lengths[part(steps, MATCHING)].sum() == least
    assert_edges_of_steps(instance, steps, edges)
    cities = range(instance.n)
    excess = max(
        (int(matrix[a, b] - matrix[a, c] - matrix[c, b]) for a in cities for b in cities for c in cities
         if len({a, b, c}) == 3), default=0,
    )  # fmt: skip
    assert steps.excess == max(0, excess)


@each_row("kind", KINDS)
def test_tree_and_matching_match_other_code(kind):
    assert_parts(KINDS[kind]())


@settings(max_examples=60, deadline=None)
@given(draw_weights(2, 14, 9))
def test_tree_and_matching_of_a_matrix(instance):
    assert_parts(instance)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 9), st.sampled_from([1, 3, 50, 10**6]), st.integers(0, 10**6))
def test_matching_is_as_short_as_other_codes(half, most, seed):
    lower = np.tril(np.random.default_rng(seed).integers(0, most + 1, (2 * half, 2 * half)), -1)
    matrix = (lower + lower.T).astype(np.int32)
    assert matching_length(matrix) == sum(matrix[a, b] for a, b in nx.min_weight_matching(make_graph(matrix)))


@pytest.mark.long
def test_large_matching_is_as_short_as_other_codes():
    matrix = distance_matrix(uniform(120, 4))
    assert matching_length(matrix) == sum(matrix[a, b] for a, b in nx.min_weight_matching(make_graph(matrix)))


def test_a_walk_takes_every_edge_once():
    edges = np.array([[0, 1], [1, 2], [2, 0], [2, 3], [3, 2]])
    walk = euler_tour(edges, 4)
    assert walk[0] == walk[-1] == 0
    taken = Counter(tuple(sorted(edge)) for edge in pairwise(walk))
    assert taken == Counter(tuple(sorted(edge)) for edge in edges.tolist())


def assert_below_three_halves(count: int, first: int) -> None:
    """Test random metric instances of 4 to 10 cities: points with distances rounded up, and shortest paths in
    graphs."""
    checked = 0
    for seed in range(first, first + count):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(4, 11))
        if seed % 2:
            instance = assemble("t", "CEIL_2D", "inline", coordinates=rng.integers(0, 30, (n, 2)).astype(float))
        else:
            lower = np.tril(rng.integers(1, 40, (n, n)), -1)
            ways = lower + lower.T
            for c in range(n):
                ways = np.minimum(ways, ways[:, [c]] + ways[[c], :])
            instance = assemble("t", "EXPLICIT", "inline", weights=ways.astype(np.int32))
        steps, edges = read_record(instance)
        shortest = naive.held_karp(distance_matrix(instance).tolist())
        tree, matching = (int(steps.lengths[part(steps, phase)].sum()) for phase in (TREE, MATCHING))
        assert steps.excess == 0
        assert tree <= shortest
        assert 2 * matching <= shortest
        assert 2 * int(edges.delta.sum()) <= 3 * shortest
        checked += int(edges.delta.sum()) > shortest
    assert checked > count // 10, "most tours are the shortest: the cases say little"


def test_no_tour_exceeds_three_halves_of_the_shortest():
    assert_below_three_halves(60, 0)


@pytest.mark.long
def test_no_large_tour_exceeds_three_halves_of_the_shortest():
    assert_below_three_halves(10_000, 1000)


def test_triangle_inequality_is_checked():
    matrix = np.array([[0, 9, 2], [9, 0, 3], [2, 3, 0]], np.int32)
    assert max_excess(matrix, 0, 3) == 4


def test_triangle_inequality_is_checked_in_parts(monkeypatch):
    monkeypatch.setattr(christofides, "_TRIPLES", 1)  # a city at a time
    weights = np.full((5, 5), 3, np.int32)
    weights[0, 1] = weights[1, 0] = 9
    steps, _ = read_record(from_weights(weights - np.diag(np.diag(weights))))
    assert steps.excess == 3


def test_unsupported_instance_is_refused_with_a_message():
    with pytest.raises(
        InstanceTooLarge,
        match=r"at most 2,000 cities on this device: the matching's time grows as the cube of the odd cities\.$",
    ):
        collect_events(uniform(MAX_CITIES + 1, 1), SPEC)
    with pytest.raises(DeviceUnavailable, match="needs the same distance in both directions"):
        collect_events(directed(8, 1), SPEC)
