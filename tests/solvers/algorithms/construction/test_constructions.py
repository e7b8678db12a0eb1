"""Greedy and nearest neighbour against plain Python."""

from pkgutil import resolve_name

import numpy as np
from hypothesis import given, settings

from data.distances import distance_matrix
from data.generators import directed, uniform
from solvers.core.events import Edges, Finished, Tour
from tests import naive
from tests.matrices import draw_crowds, draw_weights
from tests.solver_runs import KINDS, collect_events, make_spec
from tests.solvers.algorithms.construction.test_insertion import RULES
from tests.tables import each_row


def tour_edges(instance, algorithm, **params):
    events = collect_events(instance, make_spec(algorithm, **params))
    return [event for event in events if isinstance(event, Edges)]


def assert_greedy_as_naive(instance):
    matrix = distance_matrix(instance).tolist()
    (construction,) = tour_edges(instance, "greedy")
    assert [tuple(edge) for edge in construction.edges.tolist()] == naive.greedy_edges(matrix)


@settings(max_examples=120)
@given(draw_crowds(30) | draw_weights())
def test_greedy_matches_the_naive_edges(instance):
    assert_greedy_as_naive(instance)


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


@each_row(
    ("algorithm", "generate", "budget", "value"),
    [
        *((f"{rule}-insertion", generate, "insertion._BUDGET", 300)
          for rule in RULES for generate in (uniform, directed)),
        *(("savings", generate, "paths._BUDGET", 300) for generate in (uniform, directed)),
        ("greedy", directed, "paths._BUDGET", 40),
        ("space-filling-curve", uniform, "space_filling_curve._CITIES", 7),
    ],
)  # fmt: skip
def test_slices_do_not_matter(algorithm, generate, budget, value, monkeypatch):
    instance, spec = generate(200, 3), make_spec(algorithm)
    whole, place = collect_events(instance, spec)[-1].order, f"solvers.algorithms.construction.{budget}"
    assert resolve_name(place.replace("._", ":_")) > value
    monkeypatch.setattr(place, value)
    assert np.array_equal(collect_events(instance, spec)[-1].order, whole)


@each_row("algorithm", ["greedy", "nearest-neighbour"])
def test_interrupted_construction_is_completed_arbitrarily(algorithm):
    events = collect_events(uniform(20_000, 1), make_spec(algorithm, budget={"seconds": 0.02}))
    assert isinstance(events[-1], Finished)
    assert events[-1].stop_reason == "time"
    assert len([event for event in events if isinstance(event, Tour)]) == 1
