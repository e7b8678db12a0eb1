"""Annealing against a simple chain, and against itself with other slices, threads and limits."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.collection.resolve import load
from data.distances import distance_matrix, tour_length
from data.generators import uniform
from data.tsplib.normal_form import assemble
from solvers.algorithms.annealing import cpu, reporter
from solvers.algorithms.annealing.kernels import chain_cpu as kernel
from solvers.algorithms.annealing.kernels.acceptance import HOPELESS, boltzmann
from solvers.algorithms.annealing.kernels.anneal_cpu import advance
from solvers.algorithms.annealing.kernels.insertion_cpu import REVERSALS
from solvers.algorithms.annealing.neighbours import find_nearest
from solvers.algorithms.annealing.params import AnnealingParams
from solvers.algorithms.annealing.schedules import SCHEDULES
from solvers.algorithms.annealing.solver import SimulatedAnnealing
from solvers.algorithms.annealing.variants import ROUNDS
from solvers.core.events import Moves, Progress, Rows, Tour
from solvers.core.kernel_distances import build_measure
from solvers.core.solver import Job
from solvers.core.stop import Budget
from solvers.reporting.climbs import STEP_BYTES, count_climb_bytes
from tests import naive
from tests.shortened import shorten
from tests.solver_runs import (
    KINDS,
    check_local_optima,
    collect_climbs,
    collect_events,
    make_spec,
    planar,
    replay_events,
    story,
)
from tests.solvers.algorithms.annealing import naive_annealing
from tests.tables import each_row

pytestmark = pytest.mark.slow

NAME = "simulated-annealing"
FEW = {"chains": 3, "moves_per_city": 20, "final_temperature_ratio": 0.2}


def run_solver(instance, seed=1, budget=None, **params):
    return collect_events(instance, make_spec(NAME, seed, budget, **(FEW | params)))


@given(st.floats(0.0, HOPELESS))
def test_acceptance_is_the_exponential(x):
    assert boltzmann(x) == pytest.approx(math.exp(-x), rel=4e-15)
    assert boltzmann(0.0) == 1.0


places = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=30)


@settings(max_examples=60)
@given(places, st.integers(1, 12), st.sampled_from(["EUC_2D", "CEIL_2D", "ATT"]))
def test_nearest_cities_match_the_naive_search(cities, count, kind):
    instance = assemble("t", kind, "inline", coordinates=np.array(cities, np.float64))
    squares = [[(a - c) ** 2 + (b - d) ** 2 for c, d in cities] for a, b in cities]
    assert find_nearest(instance, build_measure(instance), count).tolist() == naive_annealing.nearest(squares, count)


def test_nearest_cities_of_a_matrix_use_the_matrix():
    instance = load("swiss42")
    expected = naive_annealing.nearest(distance_matrix(instance).tolist(), 7)
    assert find_nearest(instance, build_measure(instance), 7).tolist() == expected


def kernel_rows(instance, plan, seed, climber):
    """A chain's rows and its final tour, computed by the kernel only, in slices of 1,000."""
    n = instance.n
    order, place, best = np.zeros((3, n), np.int32)
    chain = kernel.Chain(order, place, best, np.zeros(kernel.STATE, np.int64), np.zeros(1))
    i, j, delta = np.empty((3, 500), np.int32)
    log = kernel.Log(i, j, delta, np.empty((2, 3), np.int64), np.empty(i.size, np.int64), np.empty(i.size))
    rows, cold, moves = [], False, 0
    while not cold:
        _, cold = advance(
            build_measure(instance), plan, chain, log, np.uint64(seed), np.uint64(climber), np.empty(0, np.int32), 1000,
            10**9,
        )  # fmt: skip
        rows += log.rows[: chain.state[kernel.ROWS]].tolist()
        moves += int(chain.state[kernel.RECORDED])
    assert moves == chain.state[kernel.MOVES]
    return rows, chain


@each_row("far", [0.0, 0.5, 1.0])
@each_row("kind", ["grid", "explicit", "crowded", "ceil", "att", "fractions"])
def test_every_draw_matches_the_naive_one(kind, far):
    instance = KINDS[kind]()
    n, near = instance.n, find_nearest(instance, build_measure(instance), 6)
    numbers = 3 * n, 20 * n, 8, np.full(8, 0.7), 0.0, -math.log(0.1)
    plan = kernel.Plan(near, np.uint64(round(far * 2**32)), np.uint64(0), *numbers, 9, True, 1)
    rows, chain = kernel_rows(instance, plan, 5, 2)
    expected = naive_annealing.Chain(distance_matrix(instance).tolist(), near.tolist(), 5, 2, far)
    shares = naive_annealing.temperatures("geometric", 1.0, 8, 0.7, 0.0)
    assert rows == naive_annealing.anneal_naively(expected, sweep=3 * n, still=20 * n, shares=shares, acceptance=0.1)
    assert expected.best >= chain.state[kernel.BEST] == tour_length(instance, chain.order)


@pytest.mark.parametrize("finish", shorten(["none", "best", "2-opt"], "2-opt".__eq__))
@pytest.mark.parametrize("cool_after", ["draw", "moves-per-city"])
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_every_schedule_follows_its_formula(schedule, cool_after, finish):
    instance, near = load("swiss42"), find_nearest(load("swiss42"), build_measure(load("swiss42")), 5)
    for first in ("acceptance", "cities-cubed"):
        params = AnnealingParams(
            schedule=schedule, cool_after=cool_after, finish=finish, first_temperature=first, moves_per_city=3,
            cooling=0.9, final_temperature_ratio=0.1, neighbours=5, acceptance=0.2, far_move_rate=0.3,
        )  # fmt: skip
        plan = cpu.make_plan(params, near)
        rows, chain = kernel_rows(instance, plan, 5, 2)
        expected = naive_annealing.Chain(distance_matrix(instance).tolist(), near.tolist(), 5, 2, 0.3)
        shares = naive_annealing.temperatures(schedule, 1.0, 22, 0.9, 0.1)
        assert rows == naive_annealing.anneal_naively(
            expected, sweep=1 if cool_after == "draw" else 3 * 42, still=2 * 8 * 5 * 42, shares=shares,
            acceptance=0.2, first=0.0 if first == "acceptance" else 42.0**3, freezes=finish == "2-opt",
        )  # fmt: skip
        length = int(tour_length(instance, chain.order))
        assert length == (expected.length if finish == "none" else chain.state[kernel.BEST])


def test_first_temperatures_depend_on_the_number_of_cities():
    assert AnnealingParams().start_temperature(42) == 0.0
    assert AnnealingParams(first_temperature="cities-cubed").start_temperature(42) == 42**3
    # T0 and the draws of figure 9, of swiss42: what the authors' program printed
    figure_9 = AnnealingParams(**SimulatedAnnealing.presets[0].params)
    assert figure_9.start_temperature(42) == 638_277_381
    assert (figure_9.levels, figure_9.draws_per_temperature(42)) == (246, 1)
    assert AnnealingParams(first_temperature="edges-cubed", temperature=7.0).start_temperature(42) == 7.0


def ends(instance, **params):
    """The run, its first climb, and the length after each of its moves."""
    events = run_solver(instance, **params)
    climb = collect_climbs(events)[0]
    return events, climb, climb.length + np.cumsum([0, *(delta for _, _, delta in climb.moves)])


@each_row("kind", ["grid", "explicit"])
def test_chain_ends_with_the_requested_finish(kind):
    instance = KINDS[kind]()
    hot = {"chains": 2, "acceptance": 0.5, "final_temperature_ratio": 0.9}
    events, climb, lengths = ends(instance, finish="none", **hot)
    rows = np.concatenate([event.length for event in events if isinstance(event, Rows)])
    assert climb.last
    assert lengths[-1] == rows[0] > lengths.min()
    assert events[-1].length == rows.min()
    events, _, lengths = ends(instance, finish="best", **hot)
    rows = np.concatenate([event.length for event in events if isinstance(event, Rows)])
    assert lengths[-1] == rows[0] == lengths.min()
    assert events[-1].length == rows.min() == tour_length(instance, events[-1].order)


def test_best_length_without_finish_is_that_of_reported_tours():
    events, climb, _ = ends(load("berlin52"), chains=2, finish="none", first_temperature="cities-cubed")
    best = np.concatenate([event.best for event in events if isinstance(event, Progress)])
    answer = [event.length for event in events if isinstance(event, Tour)]
    assert answer[0] == climb.length
    assert np.all(np.diff(best) <= 0)
    assert set(best.tolist()) == set(answer)
    assert best[-1] == events[-1].length


@each_row("finish", ["none", "best"])
def test_variants_and_slices_do_not_matter_for_any_finish(finish, monkeypatch):
    params = {"chains": 4, "finish": finish, "cool_after": "draw", "cooling": 0.999}
    expected = story(run_solver(load("kroA100"), variant="sequential", **params))
    monkeypatch.setattr(cpu, "MOVES", 77)
    monkeypatch.setattr(cpu, "_ROWS", 5)
    assert story(run_solver(load("kroA100"), variant="cpu", **params)) == expected
    spec = make_spec(NAME, **(FEW | params))
    assert collect_climbs(replay_events(load("kroA100"), spec, 3)) == {3: expected["climbs"][3]}


@pytest.mark.long
@pytest.mark.parametrize("name", ["swiss42", "berlin52", "kroA100"])
def test_figure_9_ends_worse_than_the_first_2_opt_optimum(name):
    # J. Utne and H. N. W. Hansen (2023), sections 3.4.3 and 7.3
    instance, preset = load(name), SimulatedAnnealing.presets[0].params
    annealed = [collect_events(instance, make_spec(NAME, seed, **preset))[-1] for seed in range(1, 6)]
    optima = [collect_events(instance, make_spec("two-opt", seed, climbers=1))[-1].length for seed in range(1, 6)]
    assert {end.evaluations for end in annealed} == {246}
    assert np.median([end.length for end in annealed]) > 1.5 * np.median(optima)
    # Ours, with the defaults, does not.
    ours = [collect_events(instance, make_spec(NAME, seed, chains=1))[-1].length for seed in range(1, 4)]
    assert np.median(ours) < np.median(optima)


@pytest.mark.parametrize("kind", shorten(KINDS, ("grid", "explicit").__contains__))
def test_a_chain_ends_at_its_best_and_at_a_local_optimum(kind):
    instance = KINDS[kind]()
    # Hot to the end: the way back to the best tour is long.
    for final in (0.2, 1.0):
        check_local_optima(instance, run_solver(instance, acceptance=0.5, final_temperature_ratio=final))


def test_longer_tours_are_accepted_and_recorded():
    (climb,) = collect_climbs(run_solver(load("berlin52"), chains=1)).values()
    assert sum(delta > 0 for _, _, delta in climb.moves) > 100


@pytest.fixture(scope="module")
def usual_story():
    return story(run_solver(load("kroA100"), chains=8))


@each_row("threads", ["1", "3"])
def test_threads_do_not_matter(usual_story, threads, monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
    assert story(run_solver(load("kroA100"), chains=8)) == usual_story


def test_variants_do_not_matter(usual_story):
    assert story(run_solver(load("kroA100"), chains=8, variant="sequential")) == usual_story


@each_row(("seconds", "moves", "rows"), [(1e-4, 1 << 15, 256), (1.0, 77, 256), (1.0, 1 << 15, 1)])
def test_slices_do_not_matter(usual_story, seconds, moves, rows, monkeypatch):
    monkeypatch.setattr(cpu, "SLICE_SECONDS", seconds)
    monkeypatch.setattr(cpu, "FIRST_SLICE_SECONDS", seconds)
    monkeypatch.setattr(cpu, "MOVES", moves)
    monkeypatch.setattr(cpu, "_ROWS", rows)
    assert story(run_solver(load("kroA100"), chains=8)) == usual_story


def test_a_long_chain_is_recorded_only_if_it_is_the_first(usual_story, monkeypatch):
    monkeypatch.setattr(reporter, "CHAIN_BYTES", 5000)
    answer = story(run_solver(load("kroA100"), chains=8))
    assert set(answer["climbs"]) == {0}
    assert answer["climbs"][0] == usual_story["climbs"][0]
    assert (answer["tours"], answer["rows"]) == (usual_story["tours"], usual_story["rows"])


def test_a_full_record_ends_the_first_chain_at_the_same_move(usual_story, monkeypatch):
    room = 30_000
    monkeypatch.setattr(reporter, "RECORD_BYTES", room)
    answer = story(run_solver(load("kroA100"), chains=8))
    first, whole = answer["climbs"][0], usual_story["climbs"][0]
    assert not first.last
    assert first.moves == whole.moves[: len(first.moves)]
    sizes = count_climb_bytes(np.array([len(first.moves), len(first.moves) + REVERSALS]), 100, STEP_BYTES)
    assert sizes[0] <= room < sizes[1]
    assert {climber for climber, _, _ in answer["tours"]} <= set(answer["climbs"])
    assert collect_climbs(replay_events(load("kroA100"), make_spec(NAME, **FEW), 0)) == {0: first}


@pytest.mark.usefixtures("processor_clock")
def test_a_run_whose_record_is_full_still_yields(monkeypatch):
    monkeypatch.setattr(reporter, "RECORD_BYTES", 1000)
    events = run_solver(uniform(1000, 1), budget={"seconds": 0.3}, moves_per_city=100_000)
    assert not collect_climbs(events)[0].moves
    assert len([event for event in events if isinstance(event, Progress | Moves)]) > 5


def test_progress_inside_the_first_chain_has_a_row_per_temperature():
    events = run_solver(load("kroA100"), chains=1)
    rows = np.concatenate([event.current for event in events if isinstance(event, Progress)])
    # The start, quench, sample, 32 temperatures from 1 down to 0.95**31 > 0.2, the last draws, and the chain's end.
    assert rows.size == 1 + 2 + 32 + 1 + 1


def test_very_many_temperatures_are_thinned():
    events = run_solver(uniform(8, 1), chains=1, moves_per_city=1, cooling=0.999, final_temperature_ratio=0.01)
    rows = np.concatenate([event.current for event in events if isinstance(event, Progress)])
    assert 900 <= rows.size <= 1003


def test_given_first_temperature_needs_no_sample():
    instance = uniform(50, 1)
    answer = [
        event
        for event in run_solver(instance, temperature=1e9, final_temperature_ratio=1.0)
        if isinstance(event, Progress)
    ]
    current, evaluations = (np.concatenate([getattr(e, name) for e in answer]) for name in ("current", "evaluations"))
    start = tour_length(instance, np.array(naive.random_tour(1, 0, 50)))
    assert current[0] == start
    assert evaluations[:2].tolist() == [0, 20 * 50]
    assert current[1] > 0.5 * start, "it is far too hot for anything but random tours"


@each_row("budget", [{"iterations": 3}, {"evaluations": 500_000}, {"without_improvement": 2}])
def test_counting_limits_cut_between_chains(usual_story, budget):
    cut = run_solver(load("kroA100"), budget=budget, chains=8)
    k = cut[-1].iterations
    assert 0 < k < 8
    assert story(cut)["rows"]["length"] == usual_story["rows"]["length"][:k]


def test_an_evaluation_budget_cuts_the_first_chain_at_the_same_draw():
    ends = [run_solver(uniform(500, 2), budget={"evaluations": 200_001}, moves_per_city=500)[-1] for _ in range(2)]
    assert [(end.iterations, end.evaluations) for end in ends] == [(0, 200_001)] * 2
    assert ends[0].order.tolist() == ends[1].order.tolist()


def test_chain_cut_by_time_counts_with_its_best_tour():
    for seconds in (0.3, 3.0, 12.0):  # a busy machine has less done
        events = run_solver(
            uniform(1000, 1), budget={"seconds": seconds}, chains=1, acceptance=0.9, moves_per_city=100_000
        )
        if len([event for event in events if isinstance(event, Moves)]) > 5:
            break
    (tour,) = [event for event in events if isinstance(event, Tour)]
    (climb,) = collect_climbs(events).values()
    lengths = climb.length + np.cumsum([0, *(delta for _, _, delta in climb.moves)])
    assert tour.length == lengths.min()
    assert events[-1].stop_reason == "time"
    assert len([event for event in events if isinstance(event, Moves)]) > 5


def test_slower_cooling_is_better():
    quick, slow = (
        np.concatenate(
            [e.length for e in run_solver(load("kroA100"), chains=8, moves_per_city=steps) if isinstance(e, Rows)]
        )
        for steps in (2, 60)
    )
    assert slow.mean() < quick.mean()


@pytest.mark.long
def test_result_is_within_one_per_cent_of_the_optimum():
    instance = load("kroA100")
    lengths = [collect_events(instance, make_spec(NAME, seed, chains=2))[-1].length for seed in range(1, 6)]
    assert sorted(lengths)[2] <= 1.01 * instance.optimum
    assert min(lengths) >= instance.optimum


def test_collinear_cities_terminate_without_worsening_moves():
    instance = planar("EUC_2D", 40, 0, 1)
    assert run_solver(instance)[-1].length == 0


def test_rounds_are_compiled_only_for_runs_that_use_them():
    instance = uniform(6, 1)
    for params, kind in (
        (AnnealingParams(), cpu.ChainWorker),
        (AnnealingParams(variant=ROUNDS.name), cpu.RoundsWorker),
    ):
        (worker,) = cpu.make_chain_workers(Job(instance, params, 1, "cpu", Budget().start()), 1)
        assert type(worker) is kind
