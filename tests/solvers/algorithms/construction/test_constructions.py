"""Greedy and nearest neighbour against plain Python."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from data.distances import distance_matrix
from data.generators import uniform
from data.tsplib.normal_form import assemble
from solvers.core.events import Edges, Finished, Tour
from tests import naive
from tests.matrices import from_weights
from tests.solver_runs import KINDS, collect_events, make_spec
from tests.tables import each_row

points = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=30)


def tour_edges(instance, algorithm, **params):
    events = collect_events(instance, make_spec(algorithm, **params))
    return [event for event in events if isinstance(event, Edges)]


def assert_greedy_as_naive(instance):
    matrix = distance_matrix(instance).tolist()
    (construction,) = tour_edges(instance, "greedy")
    assert [tuple(edge) for edge in construction.edges.tolist()] == naive.greedy_edges(matrix)


@settings(max_examples=80)
@given(points)
def test_greedy_matches_the_naive_edges(cities):
    assert_greedy_as_naive(assemble("t", "EUC_2D", "inline", coordinates=np.array(cities, np.float64)))


@settings(max_examples=40)
@given(st.integers(1, 12).flatmap(lambda n: st.lists(st.integers(-3, 3), min_size=n * n, max_size=n * n)))
def test_greedy_matches_the_naive_edges_of_a_matrix(flat):
    n = round(len(flat) ** 0.5)
    lower = np.tril(np.array(flat, np.int32).reshape(n, n), -1)
    assert_greedy_as_naive(from_weights(lower + lower.T))


@each_row("kind", KINDS)
def test_greedy_matches_the_naive_edges_of_every_kind(kind):
    assert_greedy_as_naive(KINDS[kind]())


@each_row("kind", KINDS)
def test_nearest_neighbour_matches_the_naive_tour_from_every_city(kind):
    instance = KINDS[kind]()
    matrix = distance_matrix(instance).tolist()
    constructions = tour_edges(instance, "nearest-neighbour", starts=200_000)
    starts = [int(construction.edges[0, 0]) for construction in constructions]
    assert sorted(starts) == list(range(instance.n))
    for start, construction in zip(starts, constructions, strict=True):
        assert construction.edges[:, 0].tolist() == naive.nearest_neighbour(matrix, start)


@each_row("algorithm", ["greedy", "nearest-neighbour"])
def test_interrupted_construction_is_completed_arbitrarily(algorithm):
    events = collect_events(uniform(20_000, 1), make_spec(algorithm, budget={"seconds": 0.02}))
    assert isinstance(events[-1], Finished)
    assert events[-1].stop_reason == "time"
    assert len([event for event in events if isinstance(event, Tour)]) == 1
