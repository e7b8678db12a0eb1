"""Sentences on insertions and on Christofides' construction match the run's record: oracles recompute them."""

import numpy as np
import pytest

from data.collection.resolve import load
from data.distances import distance_matrix
from data.generators import uniform
from data.tsplib.normal_form import assemble
from solvers.algorithms.construction.christofides import MATCHING, TREE
from solvers.algorithms.construction.kernels.curve_cpu import HALVINGS, curve_keys
from solvers.core.events import Steps
from tests import naive
from tests.assets.explaining import numbers
from tests.assets.test_assets_explain_choices import explain_construction, find_record
from tests.solver_runs import collect_events, make_spec
from tests.tables import each_row


@each_row("rule", ["nearest", "farthest", "cheapest"])
def test_insertion_is_explained_with_the_choice_of_city_and_its_cost(rule):
    instance, spec = load("berlin52"), make_spec(f"{rule}-insertion", starts=2)
    events = collect_events(instance, spec)
    explanations, _ = explain_construction("insertion_steps.js", instance, events, spec, climber=1)
    matrix = distance_matrix(instance).tolist()
    start = int(find_record(events, Steps, 1).changed[0, 0])
    assert numbers(explanations[0]["sentence"]) == [start + 1]
    inside, length = [start], 0
    for at, ((city, low, high), each) in enumerate(
        zip(naive.insertions(matrix, start, rule)[1], explanations[1:], strict=False)
    ):
        near = min(matrix[city][other] for other in inside)
        cost = matrix[city][low] + matrix[city][high] - matrix[low][high]
        found = numbers(each["sentence"])
        assert found[0] == city + 1
        assert at == 50 or 52 - 1 - at in found
        assert near in found or rule == "cheapest"
        assert cost in [abs(number) for number in found]
        assert each["line"] == "insert"
        inside.append(city)
        length += cost
    assert numbers(explanations[51]["sentence"])[-1] == length


def test_christofides_is_explained_with_the_bounds_of_tree_and_matching():
    points = uniform(40, 5).coordinates / 50  # so near that rounding breaks the triangle inequality
    spec = make_spec("christofides")
    for kind in ("CEIL_2D", "EUC_2D"):
        instance = assemble("t", kind, "inline", coordinates=points)
        events = collect_events(instance, spec)
        explanations, edges = explain_construction("christofides.js", instance, events, spec)
        steps = find_record(events, Steps, 0)
        tree, matching = (
            int(steps.lengths[: steps.ends.size][steps.phase == phase].sum()) for phase in (TREE, MATCHING)
        )
        odd, length = 2 * int((steps.phase == MATCHING).sum()), int(edges.delta.sum())
        bound = max(tree, 2 * matching - steps.excess * (40 - odd))
        found = numbers(explanations[-1]["sentence"])
        assert found[:4] == [length, tree, matching, bound]
        assert found[4] == round(length / bound, 3)
        assert (
            ("The triangle inequality holds" in explanations[-1]["sentence"])
            == (steps.excess == 0)
            == (kind == "CEIL_2D")
        )
        lines = [each["line"] for each in explanations[1:-2]]
        assert lines == [("join", "pair", "skip")[phase] for phase in steps.phase[:-1]]
        assert numbers(explanations[39]["sentence"])[-1] == tree
        assert f"{odd} cities" in explanations[40]["sentence"]
        assert explanations[39]["shades"] == []
        assert len(explanations[40]["shades"]) == 1


def test_proof_requires_nonnegative_distances():
    lower = np.tril(np.random.default_rng(1).integers(-5, 9, (9, 9)), -1)
    instance = assemble("t", "EXPLICIT", "inline", weights=(lower + lower.T).astype(np.int32))
    spec = make_spec("christofides")
    explanations, _ = explain_construction("christofides.js", instance, collect_events(instance, spec), spec)
    assert "proves nothing" in explanations[-1]["sentence"]


def test_join_is_explained_with_its_saving_and_the_remaining_tours():
    instance, spec = load("berlin52"), make_spec("savings", hubs=2)
    events = collect_events(instance, spec)
    explanations, edges = explain_construction("savings.js", instance, events, spec, climber=1)
    matrix = distance_matrix(instance).tolist()
    steps = find_record(events, Steps, 1)
    hub = int(steps.changed[0, 0])
    length = 2 * sum(matrix[hub])
    assert numbers(explanations[0]["sentence"]) == [hub + 1]
    assert numbers(explanations[1]["sentence"]) == [hub + 1, 51, length]
    for at, (a, b) in enumerate(steps.changed[2 * 51 + 2 :: 3].tolist()):
        each = explanations[2 + at]
        saved = matrix[a][hub] + matrix[hub][b] - matrix[a][b]
        values = [a + 1, b + 1, a + 1, b + 1, matrix[a][b], matrix[a][hub], matrix[hub][b], saved]
        assert numbers(each["sentence"])[:8] == values
        assert numbers(each["sentence"])[8:] == ([50 - at] if at < 49 else [int(edges.delta.sum())])
        assert (each["line"], set(each["cities"])) == ("join", {a, b, hub})
        length -= saved
    assert length == int(edges.delta.sum())


def test_step_along_the_curve_gives_its_progress():
    instance, spec = load("berlin52"), make_spec("space-filling-curve")
    explanations, edges = explain_construction("curve.js", instance, collect_events(instance, spec), spec)
    points = np.ascontiguousarray(instance.display, np.float64)
    keys = np.empty(52, np.int64)
    curve_keys(points, points.min(axis=0), float(np.ptp(points, axis=0).max()), 0, 52, keys)
    for (a, b), each in list(zip(edges.edges.tolist(), explanations[1:], strict=False))[:-1]:
        share, city, delta, start = numbers(each["sentence"])
        assert (city, start) == (b + 1, a + 1)
        assert delta == int(edges.delta[edges.edges.tolist().index([a, b])])
        assert share == pytest.approx(100 * keys[b] / 2 ** (HALVINGS + 1), abs=0.051)
        assert each["shades"] == [0.3, 0.25]
    assert [each["line"] for each in explanations[:3]] == ["sort", "go", "go"]
    assert numbers(explanations[52]["sentence"])[-1] == int(edges.delta.sum())
