"""Sentences on constructions, ants and Held-Karp match the run's record: oracles recompute the numbers."""

import re
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise

import numpy as np
import pytest

from data.collection.resolve import load
from data.distances import distance_matrix
from data.generators import uniform
from runs.store.climb import build_climb_frame
from solvers.core.events import CHOICE_MODES, Choices, Deposits, Edges, Explanation, Layers
from solvers.worker.frames import encode_event_frame, encode_instance_frame
from tests import naive
from tests.assets.explaining import MODULES, numbers
from tests.assets.node import evaluate
from tests.solver_runs import collect_events, make_spec, planar
from tests.tables import each_row

pytestmark = pytest.mark.slow

_LAYERS = """async (module, instance, frames, layers) => {
  const map = module.makeMap(module.frames.decode(instance));
  const all = frames.map((frame) => module.decodeClimb(module.frames.decode(frame)));
  module.climbs.find = async (climber) => all[climber] || null;
  module.emit("layers", module.frames.decode(layers));
  const explain = module.findExplainer("iteration", "held-karp");
  const views = all.map((_, climber) => ({ climber, walk: "iteration", position: -1 }));
  return await Promise.all(views.map((view) => explain({ view, map, climb: null })));
}"""
_EXPLAINED = """async (module, instance, climb, layers, spec, variant) => {
  const map = module.makeMap(module.frames.decode(instance));
  const known = module.decodeClimb(module.frames.decode(climb));
  Object.assign(module.run, { spec, started: { variant }, instance: { n: map.n } });
  if (layers) module.emit("layers", module.frames.decode(layers));
  const explain = module.findExplainer("edges", spec.stages.at(-1).algorithm);
  const told = [];
  for (let position = 0; position <= known.count; position += 1) {
    told.push(await explain({ view: { climber: known.climber, walk: "edges", position }, map, climb: known }));
  }
  told.push(await explain({ view: { walk: "edges", position: known.count, resting: true }, map, climb: known }));
  return told.map((each) => each && { ...each, shades: (each.shades || []).map(({ alpha }) => alpha) });
}"""


def explain_construction(explainer, instance, events, spec, variant="sequential", climber=0):
    """Explanations of a construction: of its start, of each edge, and of its end."""
    own = [each for each in events if isinstance(each, Edges | Explanation) and each.climber == climber]
    climb = build_climb_frame(climber, [encode_event_frame(event, 0.0) for event in own])
    layers = [encode_event_frame(event, 0.0) for event in events if isinstance(event, Layers)]
    modules = (*MODULES, "assets/common/events.js", f"assets/watch/explain/{explainer}")
    answer = evaluate(
        modules,
        _EXPLAINED,
        encode_instance_frame(instance),
        climb,
        layers[0] if layers else None,
        spec.to_json(),
        variant,
    )
    return answer, own[-1]


def find_record(events, kind, climber):
    return next(each for each in events if isinstance(each, kind) and each.climber == climber)


def test_each_step_of_nearest_neighbour_gives_the_number_of_candidates():
    instance, spec = load("berlin52"), make_spec("nearest-neighbour", starts=2)
    explanations, edges = explain_construction(
        "constructions.js", instance, collect_events(instance, spec), spec, climber=1
    )
    matrix, seen = distance_matrix(instance), {int(edges.edges[0, 0])}
    assert numbers(explanations[0]["sentence"]) == [edges.edges[0, 0] + 1]
    for (a, b), each in list(zip(edges.edges.tolist(), explanations[1:], strict=False))[:-2]:
        free = [city for city in range(52) if city not in seen]
        assert matrix[a, b] == min(matrix[a, city] for city in free)
        assert numbers(each["sentence"]) == [len(free), a + 1, b + 1, matrix[a, b]]
        assert each["line"] == "go"
        seen.add(b)
    assert explanations[51]["sentence"].startswith("The only unvisited city is ")
    assert numbers(explanations[52]["sentence"])[-1] == edges.delta.sum()


def test_each_step_of_greedy_gives_the_number_of_refused_shorter_edges():
    instance, spec = planar("EUC_2D", 35, 100, 3), make_spec("greedy")
    explanations, edges = explain_construction("constructions.js", instance, collect_events(instance, spec), spec)
    matrix = distance_matrix(instance)
    lengths = [int(matrix[a, b]) for a in range(35) for b in range(a + 1, 35)]
    seen = 0
    for at, ((a, b), each) in enumerate(list(zip(edges.edges.tolist(), explanations[1:], strict=False))[:-1]):
        chosen = edges.delta[:at].tolist()
        refused = sum(length < matrix[a, b] for length in lengths) - sum(length < matrix[a, b] for length in chosen)
        expected = [a + 1, b + 1, matrix[a, b]] + ([refused] if refused else [])
        assert [abs(each) for each in numbers(each["sentence"])] == expected
        assert each["line"] == "join"
        seen += refused > 0
    assert seen > 10
    assert explanations[35]["line"] == "close"


def test_random_and_given_tours_are_named_as_such():
    instance, spec = load("ulysses16"), make_spec("random", samples=1)
    explanations, edges = explain_construction("constructions.js", instance, collect_events(instance, spec), spec)
    a, b = edges.edges[3]
    assert numbers(explanations[4]["sentence"]) == [a + 1, b + 1, edges.delta[3], 12]
    spec = make_spec("given", tour=list(range(16)))
    explanations, edges = explain_construction("constructions.js", instance, collect_events(instance, spec), spec)
    assert numbers(explanations[2]["sentence"]) == [2, 3, edges.delta[1]]


ANTS = [
    ("ant-system", {"selection": "without-compression", "alpha": 1.5, "beta": 3.0}),
    ("ant-system", {"selection": "stochastic-trial", "trials": 2}),
    ("ant-system", {"selection": "i-roulette"}),
    ("ant-system", {}),
    ("max-min-ant-system", {"local_search": "none", "candidates": 5}),
    ("max-min-ant-system", {"local_search": "none", "lists": False}),
    ("ant-colony-system", {"local_search": "none", "q0": 0.4, "candidates": 5}),
    ("ant-colony-system", {"local_search": "none", "q0": 0.4, "local_update": "lockstep", "beta": 4.0}),
]


def check_weight(sentence, algorithm, params, trail, length, there):
    """Check the origin of the chosen edge's share in a sentence."""
    phrase = sentence.split("Its weight: pheromone", 1)[1]
    acs = algorithm == "ant-colony-system"
    alpha = [] if acs else [params.get("alpha", 1.0)]
    expected = [*alpha, 1, length, params.get("beta", 2.0)]
    assert numbers(phrase)[0] == pytest.approx(trail, rel=0.005)
    assert numbers(phrase)[1:-1] == expected
    chance = re.search(rf"(<?\d\.\d\d) for {there}\b", sentence)
    if chance:  # the same number in the same scale: a chance is not told as 0.61 and as 61 %
        assert f", {chance[1]} of all weights." in phrase
    assert ("at the start of the iteration and less" in phrase) == (params.get("local_update") == "lockstep")


@each_row(("algorithm", "params"), ANTS)
def test_choice_is_explained_with_probabilities_and_draw(algorithm, params):
    instance = load("berlin52")
    spec = make_spec(algorithm, seed=5, ants=12, iterations=3, variant="sequential", **params)
    events = collect_events(instance, spec)
    explanations, edges = explain_construction("ants.js", instance, events, spec, climber=2)
    choices, deposits = find_record(events, Choices, 2), find_record(events, Deposits, 2)
    assert numbers(explanations[0]["sentence"]) == [choices.ant + 1, choices.order[0] + 1, 3]
    for step, each in enumerate(explanations[1:51]):
        sentence, mode = each["sentence"], CHOICE_MODES[choices.mode[step]]
        here, there = choices.order[step : step + 2] + 1
        assert edges.edges[step].tolist() == [here - 1, there - 1]
        assert f"Ant {choices.ant + 1} at city {here}" in sentence
        numbers_in = numbers(sentence)
        if mode == "fallback":
            assert "candidates are visited" in sentence
            assert numbers_in[:3] == [choices.ant + 1, here, there]
            continue
        share = dict(zip(choices.city[step].tolist(), choices.share[step].tolist(), strict=True))
        named = re.findall(r"(\d\.\d\d) for (\d+)", sentence)
        named = [(float(value), int(city)) for value, city in named]
        assert there in [city for _, city in named]
        assert len(named) <= 3
        for value, city in named:
            assert abs(share[city - 1] - value) <= 0.00501 or (value == 0.01 and share[city - 1] < 0.005)
        if mode in ("wheel", "list", "trial", "after-trials"):
            drawn = r"([\d.]+),? f(?:alls|ell) in city (\d+)'s slice(?:, | \(| of 0–1 \()([\d.]+)–(\d\.\d+)"
            draw, city, *slice_ = re.search(drawn, sentence).groups()
            found = (draw, *slice_)
            assert int(city) == there
            for value, one in zip((choices.draw, choices.low, choices.high), found, strict=True):
                assert abs(value[step] - float(one)) <= 0.5001 * 10.0 ** -len(one.partition(".")[2])
            assert float(found[1]) <= float(found[0]) <= float(found[2])
            if mode in ("wheel", "list"):
                assert ("hit a visited city" in sentence) == (choices.draws[step] > 1)
        check_weight(sentence, algorithm, spec.stages[0].params, deposits.before[step], edges.delta[step], there)
        assert numbers(sentence)[-1] == pytest.approx(choices.chosen[step], abs=0.0101)
        assert ("exploits" in sentence) == (mode == "exploit")
        assert ("explores" in sentence) == (algorithm == "ant-colony-system" and mode != "exploit")
        assert len(each["shades"]) == (choices.city[step] >= 0).sum()
    assert "is the only one left" in explanations[51]["sentence"]
    assert "returns to" in explanations[52]["sentence"]


def test_race_is_explained_with_its_quotients():
    """For ants on a GPU; the test puts their numbers into a record of ants on a CPU."""
    instance, spec = load("berlin52"), make_spec("ant-system", seed=5, ants=12, iterations=3, variant="sequential")
    events = collect_events(instance, spec)
    known = find_record(events, Choices, 2)
    luck = np.random.default_rng(3).exponential(size=known.city.shape).astype(np.float32)
    luck[:, -1] = 0.0  # one of the others
    mode, draws = np.full(51, CHOICE_MODES.index("race"), np.uint8), np.ones(51, np.uint8)
    mode[1::3], draws[::2] = CHOICE_MODES.index("race-others"), 2
    changed = replace(known, luck=luck, mode=mode, draws=draws)
    explanations, _ = explain_construction(
        "ants.js", instance, [changed if each is known else each for each in events], spec, climber=2
    )
    for step, each in enumerate(explanations[1:51]):
        sentence, to = each["sentence"], known.order[step + 1] + 1
        again = draws[step] > 1
        if mode[step] == mode[1]:
            assert f"in city {to}'s slice" in sentence
            assert ("won twice" in sentence) == again
            continue
        numbers_of = dict(zip((known.city[step] + 1).tolist(), luck[step].tolist(), strict=True))
        named = [int(city) for city in re.findall(r"\d\.\d\d for (\d+)", sentence)]
        quotients = re.findall(r"(\d+) \S+ / ([\d.]+) = ", sentence)
        assert [int(city) for city, _ in quotients] == [city for city in named if numbers_of[city] > 0]
        for city, divisor in quotients:
            assert float(divisor) == pytest.approx(numbers_of[int(city)], rel=0.01)
        assert f"wins: city {to}." in sentence
        assert ("In the second" in sentence) == again


@each_row("algorithm", ["max-min-ant-system", "ant-colony-system"])
def test_edges_of_local_search_are_named_as_such(algorithm):
    instance = load("berlin52")
    spec = make_spec(algorithm, ants=5, iterations=2, variant="sequential")
    events = collect_events(instance, spec)
    explanations, edges = explain_construction("ants.js", instance, events, spec, climber=1)
    order = find_record(events, Choices, 1).order.tolist()
    own = {frozenset(pair) for pair in pairwise([*order, order[0]])}
    lines = ["search" if frozenset(pair) not in own else "" for pair in edges.edges.tolist()]
    assert "search" in lines
    for (a, _), each, line in zip(edges.edges.tolist(), explanations[1:], lines, strict=False):
        assert (each["line"] == "search") == (line == "search")
        if line:
            following = order[(order.index(a) + 1) % 52]
            assert numbers(each["sentence"])[-2:] == [a + 1, following + 1]


@each_row(("algorithm", "params"), [("ant-system", {}), ("max-min-ant-system", {"local_search": "none"})])
def test_update_is_explained_with_its_numbers(algorithm, params):
    instance = load("ulysses16")
    spec = make_spec(algorithm, ants=4, iterations=4, variant="sequential", **params)
    events = collect_events(instance, spec)
    for climber in range(4):
        explanations, edges = explain_construction("ants.js", instance, events, spec, climber=climber)
        deposits = find_record(events, Deposits, climber)
        sentence, at = explanations[-1]["sentence"], int(np.argmax(np.abs(deposits.after - deposits.before)))
        numbers_in = numbers(sentence)
        a, b = edges.edges[at] + 1
        assert sentence.startswith(f"Pheromone update after iteration {climber + 1}, edge {a}\u2013{b}: ")
        for value in (deposits.before[at], deposits.kept[at], deposits.after[at]):
            assert any(abs(float(f"{value:.3g}") - one) < 1e-9 for one in numbers_in), sentence
        if "evaporation" in sentence:
            percent = float(re.search(r"leaves ([\d.]+) %", sentence)[1])
            assert percent == pytest.approx(100 * deposits.kept[at] / deposits.before[at], rel=0.005)
        if algorithm == "max-min-ant-system" and deposits.added[at]:
            assert float(deposits.length) in numbers_in
        if algorithm == "ant-system":
            own = deposits.ants[at] == 1
            assert (edges.delta.sum() if own else deposits.ants[at]) in numbers_in


@cache
def held_karp_table(seed, n):
    """Held and Karp's table of random cities, computed in the simplest way."""
    matrix = distance_matrix(uniform(n, seed)).tolist()
    table = {}
    for size in range(1, n):
        for members in combinations(range(1, n), size):
            for last in members:
                rest = tuple(city for city in members if city != last)
                table[members, last] = (
                    min(table[rest, via] + matrix[via][last] for via in rest) if rest else matrix[0][last]
                )
    return table


@pytest.mark.parametrize("seed", [1, pytest.param(3, marks=pytest.mark.long)])
@pytest.mark.parametrize("variant", ["sequential", "qin-han-sequential"])
def test_state_of_held_karp_matches_the_table(variant, seed):
    n = 10
    instance, spec = uniform(n, seed), make_spec("held-karp", variant=variant)
    events, table = collect_events(instance, spec), held_karp_table(seed, n)
    matrix = distance_matrix(instance)
    layers = [event.climber for event in events if isinstance(event, Edges)]
    states = 0
    for layer in layers:
        explanations, edges = explain_construction("held_karp.js", instance, events, spec, variant, layer)
        sides = [[0], [0]]
        both = layer == layers[-1] and variant == "sequential"
        for at, ((a, b), each) in enumerate(zip(edges.edges.tolist(), explanations[1:], strict=False)):
            path = sides[at % 2 if both else 0]
            path.append(b if path[-1] == a else a)
            if each["line"] not in ("first", "least"):
                continue
            states += 1
            numbers_in = numbers(each["sentence"])
            members = tuple(sorted(path[1:]))
            assert table[members, path[-1]] == sum(matrix[x, y] for x, y in pairwise(path))
            assert table[members, path[-1]] in numbers_in
            if each["line"] == "least" and len(path) > 3:
                rest = tuple(city for city in members if city != path[-1])
                others = [table[rest, via] + matrix[via, path[-1]] for via in rest if via != path[-2]]
                assert numbers_in[-1] == min(others)
    assert states > 3 * len(layers)
    if variant == "sequential":
        assert numbers(explanations[n]["sentence"])[-1] == naive.held_karp(matrix.tolist())


def explain_layers(instance, variant):
    """The sentences and tours of the layers view."""
    events = collect_events(instance, make_spec("held-karp", variant=variant))
    edges = [event for event in events if isinstance(event, Edges)]
    climbs = [build_climb_frame(event.climber, [encode_event_frame(event, 0.0)]) for event in edges]
    plan = next(event for event in events if isinstance(event, Layers))
    modules = (
        *MODULES, "assets/common/events.js", "assets/watch/climbs/climbs.js", "assets/watch/explain/held_karp_layer.js",
    )  # fmt: skip
    answer = evaluate(modules, _LAYERS, encode_instance_frame(instance), climbs, encode_event_frame(plan, 0.0))
    return [each["sentence"] for each in answer], edges, plan


@each_row("seed", [1, 3])
def test_a_layer_names_its_inner_cities_and_the_set_and_last_city_of_its_path(seed):
    instance = uniform(11, seed)
    table, matrix = held_karp_table(seed, 11), distance_matrix(instance)
    answer, edges, plan = explain_layers(instance, "sequential")
    outer, inner = range(1, plan.outer + 1), range(plan.outer + 1, 11)
    assert len(answer) == plan.outer // 2 + 1
    for layer, (sentence, event) in enumerate(zip(answer[:-1], edges, strict=False)):
        path = [0, *event.edges[: plan.inner + layer, 1].tolist()]
        assert len(set(path) & set(outer)) == layer
        assert set(inner) < set(path)
        sets, best = sentence.split(". ", 1)
        assert numbers(sets)[:3] == [layer, layer, plan.outer]
        assert sets.endswith(f", with any of the inner ones, {inner[0] + 1} to {inner[-1] + 1}")
        own = sorted(set(path) & set(outer))
        length = table[tuple(sorted(path[1:])), path[-1]]
        assert length == sum(matrix[x, y] for x, y in pairwise(path))
        assert numbers(best) == [*(city + 1 for city in own), path[-1] + 1, length]
        assert length == min(
            table[tuple(sorted((*some, *inner))), last]
            for some in combinations(outer, layer)
            for last in (*some, *inner)
        )


@each_row("seed", [1, 3])
def test_the_last_layer_names_the_city_in_which_two_paths_meet(seed):
    instance = uniform(11, seed)
    answer, edges, plan = explain_layers(instance, "sequential")
    best = numbers(answer[-1].split(". ", 1)[1])
    length, middle = best[0], int(best[1])
    sides = [[int(city) for city in numbers(part)] for part in re.findall(r"by outer cit\S+ ([\d, and]+)", answer[-1])]
    half = plan.outer // 2
    assert [len(side) for side in sides] == [half, half - 1]
    assert sorted([*sides[0], *sides[1], middle]) == list(range(2, plan.outer + 2))
    assert length == edges[-1].delta.sum()
    table, matrix = held_karp_table(seed, 11), distance_matrix(instance)
    inner, c = set(range(plan.outer + 1, 11)), middle - 1
    assert length == min(
        table[tuple(sorted((*(city - 1 for city in sides[0]), *some, c))), c]
        + table[tuple(sorted((*(city - 1 for city in sides[1]), *(inner - set(some)), c))), c]
        for size in range(len(inner) + 1)
        for some in combinations(sorted(inner), size)
    )
    assert matrix.sum() > length


def test_layers_of_all_cities_name_the_set_and_the_last_city():
    instance = uniform(8, 3)
    answer, edges, plan = explain_layers(instance, "qin-han-sequential")
    assert len(answer) == 8
    assert numbers(answer[0].split(". ", 1)[1]) == [1, edges[0].edges[0, 1] + 1, edges[0].delta[0]]
    for layer in range(1, 7):
        path = edges[layer].edges[: layer + 1, 1] + 1
        length = edges[layer].delta[: layer + 1].sum()
        assert numbers(answer[layer].split(". ", 1)[1]) == [*sorted(path[:-1]), path[-1], length]
    assert "the shortest tour" in answer[7]
    assert plan.inner == 0
