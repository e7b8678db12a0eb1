"""Runs of all ants: independent of threads and slices, replayed as recorded, and close to the shortest tour."""

from functools import partial

import numpy as np
import pytest

from data.collection.resolve import load
from data.distances import check_tour, tour_length
from data.generators import uniform
from data.tsplib.normal_form import assemble
from solvers.algorithms.ants import cpu, multi_colony
from solvers.algorithms.ants.acs import walks_cpu
from solvers.algorithms.ants.variants import SELECTIONS
from solvers.core.events import Ants, Colony, Phases, Rows
from solvers.parallel import tour_search
from tests.matrices import from_weights
from tests.solver_runs import collect_events, column, make_spec, replay_events, story
from tests.tables import each_row

pytestmark = pytest.mark.slow

ANT_SYSTEM, MAX_MIN, COLONY_SYSTEM = "ant-system", "max-min-ant-system", "ant-colony-system"
PLAIN = {"local_search": "none"}
FADING = {**PLAIN, "rho": 0.02}
CASES = [
    *((ANT_SYSTEM, {"selection": selection}) for selection in SELECTIONS),
    *((ANT_SYSTEM, {"depositors": rule}) for rule in ("elitist", "rank-based")),
    *((MAX_MIN, way) for way in ({}, FADING, {"lists": False}, {**FADING, "lists": False}, {"colonies": 2})),
    *((COLONY_SYSTEM, way) for way in ({}, PLAIN, {"local_update": "lockstep"}, {"candidates": 0, "ants": 12})),
    (COLONY_SYSTEM, {"candidates": 5, "lists": False}),
]
#: Whose threads race, but which repeats on one of them.
RACY = (COLONY_SYSTEM, {"local_update": "racy", "variant": "sequential"})


def each_algorithm(cases):
    ids = ["-".join([name, *(f"{key}={value}" for key, value in params.items())]) for name, params in cases]
    return pytest.mark.parametrize(("name", "params"), cases, ids=ids)


def run_ants(instance, name, budget=None, **params):
    return collect_events(instance, make_spec(name, 1, budget, **params))


@each_algorithm(CASES)
def test_threads_and_variants_do_not_matter(name, params, monkeypatch):
    monkeypatch.setattr(walks_cpu, "_FEW_READS", 0)
    instance, params = uniform(100, 3), {"ants": 20, "iterations": 2, **params}
    alone = story(run_ants(instance, name, variant="sequential", **params))
    for threads in ("1", "2"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        assert story(run_ants(instance, name, **params)) == alone


@each_algorithm([*CASES, RACY])
def test_slices_do_not_matter(name, params, monkeypatch):
    instance, params = load("berlin52"), {"iterations": 2, **params}
    whole = story(run_ants(instance, name, **params))
    monkeypatch.setattr(cpu, "SLICE_SECONDS", 2e-4)
    monkeypatch.setattr(cpu, "READS", 700)
    monkeypatch.setattr(cpu, "ENTRIES", 300)
    monkeypatch.setattr(cpu, "EDGES", 500)
    monkeypatch.setattr(tour_search, "WORK", 500)
    monkeypatch.setattr(multi_colony, "SLICE_SECONDS", 1e-4)
    assert story(run_ants(instance, name, **params)) == whole


@each_row(("name", "colonies"), [(ANT_SYSTEM, {}), (MAX_MIN, {"colonies": 2})])
def test_reported_values_are_consistent(name, colonies):
    events = run_ants(load("berlin52"), name, iterations=70, **colonies)
    ants, values = 52 * colonies.get("colonies", 1), partial(column, events)
    assert values(Colony, "iteration") == values(Phases, "iteration") == list(range(1, 71))
    assert values(Colony, "best") == values(Rows, "length")
    for phase in ("choice", "construction", "update", "best"):
        assert min(values(Phases, phase)) > 0
    pictures = [event for event in events if isinstance(event, Ants)]
    assert [event.iteration for event in pictures] == [*range(1, 64), 64, 66, 68, 70]
    for event in pictures:
        assert event.lengths.min() == values(Colony, "best")[event.iteration - 1]
        assert event.lengths.mean() == pytest.approx(values(Colony, "mean")[event.iteration - 1])
    assert values(Rows, "evaluations") == [ants] * 70
    assert events[-1].evaluations == 70 * ants


@each_algorithm([*CASES, RACY])
def test_replay_equals_the_record(name, params):
    instance, params = load("ulysses16"), {"iterations": 9, **params}
    answer = story(run_ants(instance, name, **params))
    for iteration in (0, 4, 8):
        *explanations, again = replay_events(instance, make_spec(name, **params), iteration)
        assert (again.climber, again.edges.tolist(), again.delta.tolist()) == answer["edges"][iteration]
        expected = [one for one in answer["explanations"] if one[0] == iteration]
        assert story(explanations)["explanations"] == expected
        assert len(expected) == 2 or name != ANT_SYSTEM


@each_row(("name", "params"), CASES)
@pytest.mark.parametrize("n", [1, 3, 65, *(pytest.param(n, marks=pytest.mark.long) for n in (2, 4, 5, 7, 8))])
def test_coincident_cities(name, params, n):
    instance = assemble("t", "EUC_2D", "inline", coordinates=np.ones((n, 2)))
    assert_valid_tours(instance, run_ants(instance, name, iterations=5, **params))


@each_row(("name", "params"), CASES)
def test_negative_weights_are_supported(name, params):
    weights = np.tril(np.random.default_rng(1).integers(-50, 50, (12, 12)), -1).astype(np.int32)
    instance = from_weights(weights + weights.T)
    assert_valid_tours(instance, run_ants(instance, name, iterations=30, **params))


def assert_valid_tours(instance, events):
    check_tour(instance.n, events[-1].order)
    assert events[-1].length == tour_length(instance, events[-1].order)
    assert all(np.isfinite(event.entropy).all() for event in events if isinstance(event, Colony))


@each_row("algorithm", [MAX_MIN, COLONY_SYSTEM])
@each_row("name", ["burma14", "ulysses16", "swiss42", "berlin52", "kroA100"])
def test_optimum_is_found_within_a_hundred_iterations(name, algorithm):
    instance = load(name)
    end = run_ants(instance, algorithm, {"target": instance.optimum})[-1]
    assert end.length == instance.optimum
    assert end.iterations <= 100


@pytest.mark.long
@pytest.mark.parametrize(("name", "params", "bound"), [(MAX_MIN, FADING, 1.02), (COLONY_SYSTEM, PLAIN, 1.05)])
def test_ants_alone_come_close(name, params, bound):
    instance = load("kroA100")
    assert run_ants(instance, name, iterations=500, **params)[-1].length < bound * instance.optimum
