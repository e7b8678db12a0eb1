"""Insertions against trying every city in every position, and their record against the run's own tour."""

from collections import Counter
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from data.distances import distance_matrix, edge_lengths
from data.generators import uniform
from data.tsplib.normal_form import assemble
from solvers.core.events import Edges, Steps
from tests import naive
from tests.matrices import draw_crowds, draw_weights
from tests.solver_runs import KINDS, collect_events, make_spec
from tests.tables import each_row

RULES = ("nearest", "farthest", "cheapest")


def assert_edges_of_steps(instance, steps, edges):
    """Assert that only existing edges are removed, the last edges form the tour, and the lengths are right."""
    there = Counter()
    for (a, b), leaves in zip(steps.changed.tolist(), steps.leaves.tolist(), strict=True):
        key = min(a, b), max(a, b)
        there[key] += -1 if leaves else 1
        assert there[key] >= 0
    assert +there == Counter((min(edge), max(edge)) for edge in edges.edges.tolist())
    assert steps.lengths.tolist() == edge_lengths(instance, *steps.changed.T).tolist()
    assert steps.ends[-1] == len(steps.changed)


def assert_as_naive(instance, rule, starts=3):
    matrix = distance_matrix(instance).tolist()
    events = collect_events(instance, make_spec(f"{rule}-insertion", starts=starts))
    steps = {event.climber: event for event in events if isinstance(event, Steps)}
    constructions = [event for event in events if isinstance(event, Edges)]
    assert len(constructions) == min(starts, instance.n)
    for edges in constructions if instance.n > 1 else ():
        own = steps[edges.climber]
        start = int(own.changed[0, 0])
        tour, result = naive.insertions(matrix, start, rule)
        assert edges.delta.sum() == naive.naive_length(matrix, tour)
        expected = sorted(tuple(sorted(edge)) for edge in pairwise([*tour, start]))
        assert sorted(tuple(sorted(edge)) for edge in edges.edges.tolist()) == expected
        first = np.concatenate(([0], own.ends[:-1]))
        answer = [
            (start, start, start),
            *((own.changed[k + 1, 1], *sorted(own.changed[k])) for k in first[1:].tolist()),
        ]
        answer[0] = (own.changed[0, 1], start, start)
        assert [tuple(map(int, each)) for each in answer] == result
        assert_edges_of_steps(instance, own, edges)


@settings(max_examples=140, deadline=None)
@given(draw_crowds() | draw_weights() | draw_weights(directed=True), st.sampled_from(RULES))
def test_insertions_match_the_naive_ones(instance, rule):
    assert_as_naive(instance, rule)


@each_row("rule", RULES)
@each_row("kind", KINDS)
def test_insertions_of_every_kind_match_the_naive_ones(kind, rule):
    assert_as_naive(KINDS[kind](), rule, starts=2)


@each_row("rule", ["nearest", "cheapest"])
def test_no_tour_is_twice_the_shortest(rule):
    for seed in range(30):
        matrix = distance_matrix(assemble("t", "CEIL_2D", "inline", coordinates=uniform(8, seed).coordinates))
        tour, _ = naive.insertions(matrix.tolist(), 0, rule)
        shortest = naive.held_karp(matrix.tolist())
        assert naive.naive_length(matrix.tolist(), tour) <= 2 * shortest
