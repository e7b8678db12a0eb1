"""Ant System on the CPU against simple formulas, and against itself with other slices and threads."""

import math

import numpy as np
import pytest

from data.collection.resolve import load
from data.distances import check_tour, distance_matrix, tour_length
from data.generators import uniform
from data.tsplib.normal_form import assemble
from solvers.algorithms.ants import memory
from solvers.algorithms.ants.heatmap import HeatmapRenderer
from solvers.algorithms.ants.heuristics import FLOOR, first_trail
from solvers.algorithms.ants.kernels.trail_statistics_cpu import describe
from solvers.algorithms.ants.variants import SELECTIONS
from solvers.core.errors import InstanceTooLarge, InvalidParams
from solvers.core.events import Ants, Colony, Edges, Field, Rows, Tour
from solvers.reporting.pictures import find_next_picture
from solvers.run import prepare, run
from solvers.spec import RunSpec
from tests import naive
from tests.solver_runs import KINDS, collect_events, column, events_within, make_spec, story
from tests.solvers.algorithms.ants.ant_choices import iterate, make_colony
from tests.tables import each_row

pytestmark = pytest.mark.slow


def ants_run(instance, seed=1, **params):
    return collect_events(instance, make_spec("ant-system", seed, **params))


@each_row("selection", SELECTIONS)
def test_ants_visit_every_city_once(selection):
    colony = make_colony(load("kroA100"), selection=selection, trials=1, switch=40.0)
    (found,) = iterate(colony, 1)
    tours = colony.tours.copy()
    for tour in tours:
        check_tour(100, tour)
    lengths = [tour_length(load("kroA100"), tour) for tour in tours]
    assert found.lengths.tolist() == lengths
    assert (found.best[0], found.worst[0], found.mean[0]) == (
        min(lengths),
        max(lengths),
        pytest.approx(np.mean(lengths)),
    )
    assert found.order[0].tolist() == tours[int(np.argmin(lengths))].tolist()
    counted = selection in ("stochastic-trial", "hybrid")
    assert found.trials.shape == (1, 2 if counted else 0)
    assert found.trials.sum() == (0, 100 * 99, 100 * 39)[counted + (selection == "hybrid")]


def test_each_ant_of_each_iteration_has_its_own_stream():
    colony = make_colony(load("berlin52"), seed=9, ants=11)
    for iteration in range(3):
        iterate(colony, 1)
        streams = range(iteration * 11, iteration * 11 + 11)
        starts = [((naive.random_bits(9, stream, 0) >> 32) * 52) >> 32 for stream in streams]
        assert colony.tours[:, 0].tolist() == starts


def test_trails_follow_the_formula():
    instance = KINDS["crowded"]()
    matrix = distance_matrix(instance).tolist()
    colony = make_colony(instance, ants=7, q=30.0, rho=0.3)
    trails = colony.trails().tolist()
    for _ in range(3):
        iterate(colony, 1)
        trails = naive.trails_after(trails, colony.tours.tolist(), matrix, 0.3, 30.0)
        np.testing.assert_allclose(colony.trails(), trails, rtol=1e-5)


@each_row(("rule", "weight"), [("elitist", 1), ("elitist", 9), ("rank-based", 6), ("rank-based", 20)])
def test_trails_come_from_the_depositing_tours(rule, weight):
    # With weight 20 there are more ranks than ants.
    instance, best = KINDS["crowded"](), None
    matrix = distance_matrix(instance).tolist()
    weights = {"elitists": weight} if rule == "elitist" else {"rank_weights": weight}
    colony = make_colony(instance, ants=7, q=30.0, rho=0.3, depositors=rule, **weights)
    trails = colony.trails().tolist()
    for _ in range(6):
        iterate(colony, 1)
        weighted, best = naive.weighted_tours(rule, colony.tours.tolist(), best, matrix, weight)
        trails = naive.trails_after_some(trails, weighted, matrix, 0.3, 30.0)
        np.testing.assert_allclose(colony.trails(), trails, rtol=1e-5)


def test_rank_one_deposits_only_the_best_tour():
    colony = make_colony(load("burma14"), ants=5, rho=1.0, depositors="rank-based", rank_weights=1)
    (found,) = iterate(colony, 1)
    raised = np.argwhere(np.triu(colony.trails() > 1e-6))
    ends = zip(found.order[0], np.roll(found.order[0], -1), strict=True)
    assert {frozenset(pair) for pair in raised.tolist()} == {frozenset(map(int, edge)) for edge in ends}


def test_no_trail_falls_below_its_minimum():
    colony = make_colony(load("burma14"), ants=1, rho=1.0)
    floor = np.float32(FLOOR * first_trail(distance_matrix(load("burma14")), "nearest-neighbour"))
    iterate(colony, 5)
    trails = colony.trails()
    assert np.isfinite(trails).all()
    assert (trails == trails.T).all()
    assert not trails.diagonal().any()
    off = trails[~np.eye(14, dtype=bool)]
    assert off.min() == floor
    assert (off > floor).sum() == 28


def test_trails_are_a_copy_for_the_caller():
    colony = make_colony(load("burma14"))
    colony.trails()[:] = 7.0
    assert colony.trails().max() < 1.0


@each_row("iterations", [1, 4])
def test_entropy_and_branching_follow_their_formulas(iterations):
    colony = make_colony(load("ulysses16"), rho=0.9)
    answer = iterate(colony, iterations)
    trails = colony.trails().tolist()
    rows = [[trail for j, trail in enumerate(row) if j != i] for i, row in enumerate(trails)]
    assert answer[-1].entropy[-1] == pytest.approx(np.mean([naive.entropy(row) for row in rows]), rel=1e-6)
    assert answer[-1].branching[-1] == np.mean([naive.branching(row) for row in rows])


@each_row("n", [1, 2, 3, 50])
def test_equal_trails_have_maximum_entropy(n):
    trails = np.full((n, n), 0.3, np.float32)
    np.fill_diagonal(trails, 0.0)
    entropy, branching = np.empty(n), np.empty(n)
    describe(trails, trails.view(np.int32), entropy, branching, 0, n)
    assert entropy == pytest.approx(math.log2(max(1, n - 1)), abs=1e-9)
    assert (branching == n - 1).all()


@each_row("exponent", [-30, -3, 0, 4, 30])
def test_entropy_is_independent_of_scale(exponent):
    trails = np.triu(np.random.default_rng(2).uniform(1, 9, (20, 20)) * 10.0**exponent, 1).astype(np.float32)
    trails = np.ascontiguousarray(trails + trails.T)
    entropy, branching = np.empty(20), np.empty(20)
    describe(trails, trails.view(np.int32), entropy, branching, 0, 20)
    for i, row in enumerate(trails.tolist()):
        others = row[:i] + row[i + 1 :]
        assert entropy[i] == pytest.approx(naive.entropy(others), rel=1e-6)
        assert branching[i] == naive.branching(others)


@pytest.fixture(scope="module")
def usual_story():
    return story(ants_run(load("kroA100"), iterations=6))


@each_row("budget", [{"iterations": 4}, {"evaluations": 350}, {"without_improvement": 1}, {"target": 10**9}])
def test_counting_limits_cut_between_iterations(usual_story, budget):
    cut = collect_events(load("kroA100"), make_spec("ant-system", budget=budget, iterations=6))
    k = cut[-1].iterations
    assert 0 < k < 6 or budget == {"without_improvement": 1}
    assert story(cut)["rows"]["length"] == usual_story["rows"]["length"][:k]
    assert len(column(cut, Colony, "best")) == k


def test_run_stopped_in_its_first_iteration_has_a_tour():
    for seconds in (1e-9, 0.15):
        events = events_within(seconds, uniform(1500, 1), make_spec("ant-system"))
        assert events[-1].stop_reason == "time"
        (tour,) = [event for event in events if isinstance(event, Tour)]
        check_tour(1500, tour.order)
        assert not column(events, Colony, "best")


def test_pictures_become_rarer():
    at, pictured = 0, []
    while at < 5000:
        at = find_next_picture(at)
        pictured.append(at)
    assert pictured[:64] == list(range(1, 65))
    assert all(step == 2 for step in np.diff([at for at in pictured if 64 <= at <= 128]))
    assert all(len([at for at in pictured if low <= at < 2 * low]) == 32 for low in (64, 128, 1024, 2048))


@each_row("params", [{"alpha": 5.0, "q": 10_000.0}, {"alpha": 5.0, "beta": 10.0, "rho": 1.0}, {"beta": 0.0}])
def test_extreme_parameters_give_finite_numbers(params):
    events = ants_run(load("burma14"), iterations=60, **params)
    assert np.isfinite(column(events, Colony, "entropy")).all()
    check_tour(14, events[-1].order)


def test_ants_find_better_tours_than_nearest_neighbour():
    instance = load("berlin52")
    greedy = naive.naive_length(
        distance_matrix(instance).tolist(), naive.nearest_neighbour(distance_matrix(instance).tolist(), 0)
    )
    end = ants_run(instance, iterations=100)[-1]
    assert instance.optimum <= end.length < greedy


def test_unsupported_selection_is_refused():
    with pytest.raises(InvalidParams, match="selection"):
        ants_run(load("burma14"), selection="roulette")


def test_matrices_too_large_for_memory_are_refused(monkeypatch):
    monkeypatch.setattr(memory, "MEMORY", 16 * 100**2 + 4 * 100**2)
    ants_run(load("kroA100"), iterations=1)
    for params in ({"selection": "hybrid"}, {"ants": 101}):
        with pytest.raises(InstanceTooLarge, match="100 cities"):
            ants_run(load("kroA100"), iterations=1, **params)
    with pytest.raises(InstanceTooLarge, match="trails"):
        ants_run(uniform(25_000, 1), iterations=1)


def test_the_record_has_edges_of_each_iterations_best_ant():
    events = ants_run(load("ulysses16"), iterations=5)
    assert column(events, Rows, "length") == [int(event.delta.sum()) for event in events if isinstance(event, Edges)]


@pytest.mark.long
def test_many_iterations_stay_valid():
    instance = load("burma14")
    colony = make_colony(instance)
    answer = iterate(colony, 10_000)
    trails = colony.trails()
    assert np.isfinite(trails).all()
    assert (trails == trails.T).all()
    assert min(int(found.best.min()) for found in answer) >= instance.optimum
    assert sum(found.best.size for found in answer) == 10_000


def test_run_without_pictures_has_the_same_tours():
    spec, instance = make_spec("ant-system", 3, iterations=70), load("berlin52")
    visible, plain = collect_events(instance, spec), list(run(prepare(spec), instance, pictures=False))
    assert any(isinstance(event, Ants) for event in visible)
    assert not any(isinstance(event, Ants | Field) for event in plain)
    assert column(plain, Rows, "length") == column(visible, Rows, "length")
    assert column(plain, Colony, "entropy") == column(visible, Colony, "entropy")


@each_row("algorithm", ["ant-system", "max-min-ant-system"])
def test_larger_scale_changes_no_choice_for_any_power(algorithm):
    weights = np.random.default_rng(5).integers(10, 1000, (40, 40))
    weights = np.triu(weights, 1) + np.triu(weights, 1).T
    lengths = []
    for scale in (1, 100_000):
        instance = assemble("scaled", "EXPLICIT", "inline", weights=(weights * scale).astype(np.int32))
        search = {} if algorithm == "ant-system" else {"local_search": "none"}
        events = collect_events(instance, make_spec(algorithm, 2, iterations=3, alpha=5.0, **search))
        lengths.append(np.array([event.lengths for event in events if isinstance(event, Ants)]) // scale)
    # A trail that is rounded otherwise may turn a choice that falls on the border of two cities.
    assert (lengths[0] == lengths[1]).mean() > 0.9


def test_only_the_last_stage_draws_pictures(monkeypatch):
    drawn = []
    monkeypatch.setattr(HeatmapRenderer, "draw", lambda *arguments: drawn.append(arguments))
    stages = [{"algorithm": name, "params": {"iterations": 3}} for name in ("ant-system", "max-min-ant-system")]
    spec = RunSpec.from_json({**make_spec("ant-system").to_json(), "stages": stages})
    collect_events(load("berlin52"), spec)
    assert len(drawn) == 4
