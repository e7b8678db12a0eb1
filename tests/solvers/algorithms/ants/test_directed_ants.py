"""Ants on directed instances: trails have directions, and local search keeps those of the tours."""

import numpy as np
import pytest

from data.collection.resolve import load
from data.distances import tour_length
from data.generators import directed
from solvers.algorithms.ants.acs.kernels import trails_cpu
from solvers.algorithms.ants.acs.trails_cpu import compute_initial_weights, make_raised_edges
from solvers.algorithms.ants.ant_system.cpu import AntSystemColony
from solvers.algorithms.ants.ant_system.params import AntSystemParams
from solvers.algorithms.ants.ant_system.variants import CPU_VARIANTS
from solvers.algorithms.ants.kernels.edge_counts_cpu import count_edge_uses
from solvers.algorithms.ants.max_min.cpu import MaxMinColony
from solvers.algorithms.ants.max_min.params import MaxMinParams
from solvers.core.neighbours import neighbours
from solvers.core.solver import Job
from solvers.core.stop import Budget
from tests.solver_runs import collect_events, make_spec, replay_events, story
from tests.tables import each_row

COLONIES = ("ant-system", "max-min-ant-system", "ant-colony-system")


def arcs(tour: np.ndarray) -> list[tuple[int, int]]:
    return list(zip(tour.tolist(), np.roll(tour, -1).tolist(), strict=True))


def make_job(params, n: int = 12) -> Job:
    return Job(directed(n, 1), params, 1, "cpu", Budget().start(), pictures=False)


@each_row("rules", ["ant-system", "utne-hansen"])
def test_ant_system_deposits_in_the_direction_of_each_ant(rules):
    colony = AntSystemColony(make_job(AntSystemParams(ants=3, rules=rules)), CPU_VARIANTS[1], 1)
    while colony.advance(1) is None:
        continue
    trails, used = colony._trails, {arc for tour in colony.tours for arc in arcs(tour)}
    raised = {(a, b) for a, b in np.argwhere(trails > np.median(trails)).tolist()}
    assert raised == used
    assert any((b, a) not in used for a, b in used)
    assert (colony.trails() == colony.trails().T).all()  # of pictures
    colony.close()


def test_max_min_reinforces_one_direction():
    colony = MaxMinColony(make_job(MaxMinParams(ants=5, local_search="none")), 1)
    while colony.advance(1) is None:
        continue
    best = arcs(colony._deposit.order)
    raised = np.argwhere(colony._trails > np.median(colony._trails)).tolist()
    assert sorted(map(tuple, raised)) == sorted(best)
    colony.close()


@each_row("is_directed", [False, True])
def test_a_raised_edge_of_ant_colony_system_has_one_direction(is_directed):
    distances = directed(30, 3).weights
    lists = neighbours(distances, 6)
    edges = make_raised_edges(lists, *compute_initial_weights(distances, lists, 2.0), is_directed)
    first = {name: getattr(edges, name).copy() for name in ("near", "fitness")}
    order = np.random.default_rng(4).permutation(30).astype(np.int32)
    trails_cpu.reward(edges, order, 9.0, 0.5)
    trails_cpu.show_all(edges)
    changed = set()
    for slot in np.flatnonzero(edges.near != first["near"]).tolist():
        changed.add((slot // edges.reach, int(edges.neighbours[slot])))
    for at in np.flatnonzero(edges.fitness != first["fitness"]).tolist():
        changed.add((at // edges.stride, at % edges.stride))
    there = set(arcs(order))
    assert changed == (there if is_directed else there | {(b, a) for a, b in there})
    assert edges.records[0] == 30
    assert (trails_cpu.find_records(edges, order[::-1].copy()) < 0).all() == is_directed
    entropy, branching = np.zeros((2, 30))
    trails_cpu.describe(edges, entropy, branching)
    levels = np.ones((30, 30)) - np.eye(30)
    for a, b in changed:
        levels[a, b] = 5.0
    shares = levels / levels.sum(axis=1, keepdims=True)
    assert entropy == pytest.approx(-(shares * np.log2(np.where(shares > 0, shares, 1))).sum(axis=1))


def test_uses_of_an_edge_are_counted_in_its_direction():
    order = np.array([0, 1, 2, 3, 4], np.int32)
    tours, ones = np.array([order, order[::-1]]), np.ones(2, np.int64)
    assert count_edge_uses(order, tours, ones, False).tolist() == [2] * 5
    assert count_edge_uses(order, tours, ones, True).tolist() == [1] * 5


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", COLONIES)
@pytest.mark.parametrize("search", ["none", "every", "last"])
def test_runs_are_exact_replayed_and_the_same_for_all_threads(algorithm, search):
    instance = directed(25, 2)
    params = {"iterations": 6, "ants": 8, "variant": "sequential"}
    if algorithm != "ant-system":
        params |= {"local_search": "none"} if search == "none" else {"local_search_when": search}
    elif search != "none":
        pytest.skip("Ant System has no local search")
    events = collect_events(instance, make_spec(algorithm, 3, **params))
    assert tour_length(instance, events[-1].order) == events[-1].length
    again = collect_events(instance, make_spec(algorithm, 3, **params | {"variant": "cpu"}))
    assert story(again) == story(events)
    assert [*replay_events(instance, make_spec(algorithm, 3, **params), 4)]


@pytest.mark.slow
@each_row("algorithm", ["max-min-ant-system", "ant-colony-system"])
def test_known_optima_are_found(algorithm):
    instance = load("ry48p")
    end = collect_events(instance, make_spec(algorithm, 1, iterations=150, local_search="2-opt"))[-1]
    assert end.length <= instance.optimum * 1.01
