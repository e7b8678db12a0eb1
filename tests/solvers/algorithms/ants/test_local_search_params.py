"""The local search of a run: its moves, times, number of neighbours and device."""

import numpy as np
import pytest

from data.collection.resolve import load
from data.distances import distance_matrix, tour_length
from data.generators import uniform
from solvers import find
from solvers.algorithms.ants.params import MOVES
from solvers.core.devices import Device
from solvers.core.events import Shortened, Started, Tour
from solvers.core.machine import Machine
from solvers.gpu.limits import H200
from solvers.plan import plan_stage
from tests.solver_runs import collect_events, make_spec
from tests.solvers.algorithms.ants.naive_three_opt import is_local_optimum

GPU = Machine([Device("cuda", "NVIDIA H200", limits=H200)])
ALGORITHMS = pytest.mark.parametrize("algorithm", ["max-min-ant-system", "ant-colony-system"])


def last_tour(events):
    return [event for event in events if isinstance(event, Tour)][-1].order


@ALGORITHMS
@pytest.mark.parametrize("moves", ["2-opt", "3-opt"])
@pytest.mark.parametrize("when", ["last", "every"])
def test_the_best_tour_is_a_local_optimum_of_the_neighbourhood(algorithm, moves, when):
    instance, params = load("burma14"), {"local_search": moves, "local_search_when": when}
    spec = make_spec(algorithm, 3, iterations=3, ants=4, variant="cpu", local_search_neighbours=0, **params)
    events = collect_events(instance, spec)
    tour = last_tour(events)
    assert is_local_optimum(distance_matrix(instance).tolist(), tour.tolist(), moves)
    assert events[-1].length == tour_length(instance, tour)
    shortened = [event for event in events if isinstance(event, Shortened)]
    assert {event.best for event in shortened} == {when == "last"}


@ALGORITHMS
def test_more_moves_leave_shorter_tours_and_threads_change_nothing(algorithm):
    """The first iteration's ants are the same for all moves."""
    means = {}
    for moves in MOVES:
        tours = []
        for variant in ("cpu", "sequential"):
            spec = make_spec(algorithm, 1, iterations=1, ants=40, local_search=moves, variant=variant)
            events = collect_events(load("kroA100"), spec)
            (shortened,) = (event for event in events if isinstance(event, Shortened))
            tours.append((shortened.after[0], last_tour(events).tolist()))
        assert tours[0] == tours[1]
        means[moves] = tours[0][0]
    assert means["3-opt"] < means["2-opt+or-opt"] < means["2-opt"]


def planned_stage(algorithm, device, instance=None, **params):
    solver = find(algorithm)
    return plan_stage(solver, solver.params(**params), device, instance or load("gr17"), GPU)


@ALGORITHMS
def test_3_opt_of_every_tour_is_refused_on_a_gpu_and_runs_on_cores(algorithm):
    solver, instance = find(algorithm), load("gr17")
    params = solver.params(local_search="3-opt")
    assert solver.refusal(instance, params, "cuda") == (
        "3-opt of every tour runs on a CPU alone: use 2-opt, or the device auto or cpu."
    )
    assert solver.refusal(instance, params, "cpu") == ""
    assert solver.refusal(instance, solver.params(local_search="3-opt", local_search_when="last"), "cuda") == ""
    assert solver.refusal(instance, solver.params(local_search="2-opt"), "cuda") == ""
    assert planned_stage(algorithm, "auto", local_search="3-opt").variant.name == "cpu"
    assert planned_stage(algorithm, "auto", local_search="2-opt").variant.name == "warp"
    assert "runs on a CPU alone" in str(planned_stage(algorithm, "cuda", local_search="3-opt").refusal)


@ALGORITHMS
def test_all_cities_as_neighbours_are_refused_if_a_slice_would_be_long(algorithm):
    solver = find(algorithm)
    two, both, three = (solver.params(local_search=moves, local_search_neighbours=0) for moves in MOVES)
    small, large = load("kroA100"), uniform(2392, 1)
    assert [solver.refusal(small, params, "cpu") for params in (two, three)] == ["", ""]
    assert "at most 1,000 cities" in solver.refusal(large, three, "cpu")
    assert solver.refusal(large, two, "cpu") == ""
    assert solver.refusal(large, two, "cuda") == ""
    assert solver.refusal(large, both, "cpu") == ""
    assert "at most 1,000 cities" in solver.refusal(large, both, "cuda")
    refused = planned_stage(algorithm, "cpu", uniform(2392, 1), local_search="3-opt", local_search_neighbours=0).refusal
    assert "at most 1,000 cities" in str(refused)


def test_lists_of_all_cities_count_as_memory():
    solver, instance = find("ant-colony-system"), uniform(2392, 1)
    few, whole = (solver.params(local_search="2-opt", local_search_neighbours=count) for count in (10, 0))
    assert whole.search_bytes(instance.n) - few.search_bytes(instance.n) == 8 * instance.n**2


@ALGORITHMS
def test_no_local_search_leaves_the_ants_tours(algorithm):
    events = collect_events(load("gr17"), make_spec(algorithm, 1, iterations=2, local_search="none", variant="cpu"))
    assert not [event for event in events if isinstance(event, Shortened)]
    assert np.isfinite(events[-1].length)
    assert any(isinstance(event, Started) for event in events)
