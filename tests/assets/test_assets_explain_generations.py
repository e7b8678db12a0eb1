"""Sentences on populations: an oracle compares the recorded tours of successive iterations."""

import dataclasses

import pytest

from data.generators import uniform
from solvers.core.events import Crossover, Edges, Population
from tests.assets.explaining import explained_population, explained_tours, numbers
from tests.solver_runs import collect_events, make_spec
from tests.tables import each_row

pytestmark = pytest.mark.slow

FEW = {
    "genetic-algorithm": {
        "population": 12,
        "offspring": 4,
        "generations": 6,
        "crossover": "order",
        "initial": "random",
    },
    "particle-swarm": {"particles": 8, "iterations": 6},
    "artificial-bee-colony": {"sources": 8, "iterations": 6},
}
UNIT = {"genetic-algorithm": "generation"}


def run_solver(algorithm, seed):
    instance, spec = uniform(23, seed), make_spec(algorithm, seed, **FEW[algorithm], variant="sequential")
    return instance, spec, collect_events(instance, spec)


@each_row("algorithm", FEW)
def test_best_tour_of_an_iteration_is_compared_edge_by_edge_with_the_previous_one(algorithm):
    instance, spec, events = run_solver(algorithm, 7)
    unit = UNIT.get(algorithm, "iteration")
    recorded = [event for event in events if isinstance(event, Edges)]
    explanations, former, changes = explained_tours(instance, events, spec.to_json(), unit), set(), 0
    assert len(explanations) == len(recorded) > 1
    for number, (event, (start, *steps, end)) in enumerate(zip(recorded, explanations, strict=True), 1):
        pairs = [frozenset(edge) for edge in event.edges.tolist()]
        new = [bool(former) and edge not in former for edge in pairs]
        changes += sum(new)
        for edge, length, fresh, each in zip(event.edges.tolist(), event.delta.tolist(), new, steps, strict=True):
            sentence = each["sentence"]
            assert numbers(sentence)[:4] == [number, edge[0] + 1, edge[1] + 1, length]
            assert ("does not have it" in sentence) == fresh
            assert ("has it too" in sentence) == (bool(former) and not fresh)
            assert each["line"] == "best"
        assert sum(x is not None for x in end["shades"][0]["line"]["x"]) == 2 * sum(new)
        assert start["sentence"] == end["sentence"]
        told_end = numbers(end["sentence"].split(" It is the ")[0])
        assert told_end[:2] == [number, event.delta.sum()]
        assert len(told_end) == 2 or told_end[-2:] == [sum(new), instance.n]
        assert (len(told_end) == 2) == (number == 1)
        assert f"{unit} {number}" in end["sentence"]
        former = set(pairs)
    assert changes > 0


@each_row("crossover", ["order", "edge-assembly"])
def test_child_is_explained_with_its_parents_and_the_origin_of_each_edge(crossover):
    few = FEW["genetic-algorithm"] | {"crossover": crossover}
    instance, spec = uniform(23, 7), make_spec("genetic-algorithm", 7, **few, variant="sequential")
    events = collect_events(instance, spec)
    children = {event.climber: event for event in events if isinstance(event, Crossover)}
    assert children
    lengths = [int(event.delta.sum()) for event in events if isinstance(event, Edges)]
    words = ["Neither parent has it", "", "", "Both parents have it"]
    for climber, (_, *steps, end) in enumerate(explained_tours(instance, events, spec.to_json(), "generation")):
        event = children.get(climber)
        if event is None:
            assert all("parent" not in each["sentence"] for each in (*steps, end))
            continue
        first, second = event.first + 1, event.second + 1
        words[1:3] = [f"Only the parent tour {parent} has it" for parent in (first, second)]
        for origin, each in zip(event.origin.tolist(), steps, strict=True):
            assert [sentence in each["sentence"] for sentence in words].index(True) == origin
        counts = [int((event.origin == origin).sum()) for origin in (3, 1, 2, 0)]
        answer = numbers(end["sentence"].split(" It is the ")[1])
        known = [first, event.first_length, second, event.second_length, event.first_length - lengths[climber], first]
        children_told = [event.children] * (event.children > 1)
        both, one, other, neither = counts
        assert answer == [*children_told, *known, both, one, first, other, second, neither]
        drawn = [sum(x is not None for x in shade["line"]["x"]) // 2 for shade in end["shades"]]
        assert drawn[1] == len(event.removed) == instance.n - both - one


def test_population_is_explained_with_the_numbers_of_its_iteration():
    _, _, events = run_solver("genetic-algorithm", 3)
    event = next(event for event in events if isinstance(event, Population))
    row = {field.name: getattr(event, field.name).tolist() for field in dataclasses.fields(event)}
    explanations = explained_population(row, "generation", "genetic-algorithm")
    values = [row[name][0] for name in ("iteration", "best", "mean", "worst", "edges")]
    assert numbers(explanations["sentence"])[:5] == [round(value) for value in values]
    assert numbers(explanations["sentence"])[5] == pytest.approx(100 * row["shared"][0], rel=0.01)
    assert explanations["line"] == "iterate"
