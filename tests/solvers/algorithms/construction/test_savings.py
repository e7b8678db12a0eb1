"""Savings against the greedy choice over all pairs, and their record against the run's own tour."""

import numpy as np
from hypothesis import given, settings

from data.distances import distance_matrix
from data.generators import uniform
from solvers.algorithms.construction.savings import JOINS
from solvers.core.events import Edges, Steps
from tests import naive
from tests.matrices import draw_crowds, draw_weights
from tests.solver_runs import KINDS, collect_events, make_spec
from tests.solvers.algorithms.construction.test_insertion import assert_edges_of_steps
from tests.tables import each_row


def naive_joins(matrix, hub):
    """The joined pairs in order of the largest saving, by naive code."""
    others = [city for city in range(len(matrix)) if city != hub]
    if len(others) < 2:
        return []
    costs = [[matrix[a][b] - matrix[a][hub] - matrix[hub][b] for b in others] for a in others]
    is_symmetric = all(matrix[a][b] == matrix[b][a] for a in others for b in [*others, hub])
    chosen = naive.greedy_edges(costs)[:-1] if is_symmetric else naive.greedy_directed_edges(costs)
    return [(others[a], others[b]) for a, b in chosen]


def assert_as_naive(instance, hubs=3):
    matrix = distance_matrix(instance).tolist()
    events = collect_events(instance, make_spec("savings", hubs=hubs))
    steps = {event.climber: event for event in events if isinstance(event, Steps)}
    constructions = [event for event in events if isinstance(event, Edges)]
    assert len(constructions) == min(hubs, instance.n)
    for edges in constructions if instance.n > 1 else ():
        own = steps[edges.climber]
        hub = int(own.changed[0, 0])
        joined = own.changed[2 * (instance.n - 1) :].reshape(-1, 3, 2)
        assert [tuple(pair) for pair in joined[:, 2].tolist()] == naive_joins(matrix, hub)
        for (one, to), (back, other), (a, b) in joined.tolist():
            assert (one, to, back, other) == (a, hub, hub, b)
        assert_edges_of_steps(instance, own, edges)
    assert len({int(each.changed[0, 0]) for each in steps.values()}) == len(steps)


@settings(max_examples=140, deadline=None)
@given(draw_crowds() | draw_weights() | draw_weights(directed=True))
def test_joins_match_the_naive_ones(instance):
    assert_as_naive(instance)


@each_row("kind", KINDS)
def test_joins_of_every_kind_match_the_naive_ones(kind):
    assert_as_naive(KINDS[kind](), hubs=2)


def test_first_step_visits_every_city_and_returns_and_each_join_saves():
    instance = uniform(50, 2)
    steps = next(event for event in collect_events(instance, make_spec("savings")) if isinstance(event, Steps))
    assert steps.ends[0] == 2 * 49
    assert steps.phase.tolist() == [0] + [JOINS] * 48
    saved = steps.lengths[98:].reshape(-1, 3) @ [1, 1, -1]
    assert (np.diff(saved) <= 0).all()
    assert saved[0] > 0
