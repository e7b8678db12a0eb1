"""MAX-MIN Ant System on the CPU: limits, schedule, restarts, local search, lists, and several colonies reported as
one.
"""

import numpy as np
import pytest

from data.collection.resolve import load
from data.distances import check_tour, distance_matrix, tour_length
from data.generators import uniform
from solvers import find
from solvers.algorithms.ants import memory, multi_colony
from solvers.algorithms.ants.max_min.cpu import MaxMinColony
from solvers.algorithms.ants.max_min.deposit_schedule import DepositSchedule
from solvers.algorithms.ants.max_min.params import MaxMinParams
from solvers.algorithms.ants.max_min.variants import CPU_VARIANTS
from solvers.algorithms.ants.multi_colony import MultiColony
from solvers.algorithms.ants.params import COLONY_SEED_STEP
from solvers.core.errors import InstanceTooLarge
from solvers.core.events import Ants, Colony, Edges, Shortened
from solvers.core.neighbours import nearest_neighbour_length
from solvers.core.solver import Job
from solvers.core.stop import Budget
from solvers.gpu.limits import Limits
from tests import naive
from tests.naive import tour_edges
from tests.solver_runs import KINDS, collect_events, column, events_within, make_spec
from tests.solvers.algorithms.ants.ant_choices import draws, iterate, make_choice
from tests.tables import each_row

pytestmark = pytest.mark.slow

PLAIN = {"local_search": "none", "rho": 0.02}


def case_name(params):
    return "-".join(f"{name}={value}" for name, value in params.items()) or "default"


def run_solver(instance, seed=1, budget=None, **params):
    return collect_events(instance, make_spec("max-min-ant-system", seed, budget, **params))


def make_job(instance, seed=1, **params):
    return Job(instance, MaxMinParams(**params), seed, "cpu", Budget().start(), variant=CPU_VARIANTS[0])


def make_colony(instance, threads=1, **params):
    return MaxMinColony(make_job(instance, **params), threads)


def trail_limits(params, n, length):
    """The trail limits for the length of the best tour so far."""
    most = 1.0 / (params.rho * length)
    return most * params.min_share(n), most


@pytest.mark.parametrize("params", [{"rho": 0.1}, {**PLAIN, "rho": 0.1}], ids=case_name)
@pytest.mark.parametrize("iterations", [200, pytest.param(1000, marks=pytest.mark.long)])
def test_trails_stay_within_their_limits(params, iterations):
    instance, best = load("ulysses16"), np.inf
    colony = make_colony(instance, **params)
    off = ~np.eye(16, dtype=bool)
    for _ in range(iterations):
        (found,) = iterate(colony, 1)
        best = min(best, int(found.best[0]))
        trails = colony.trails()
        least, most = trail_limits(MaxMinParams(**params), 16, best)
        assert trails[off].min() >= least * (1 - 1e-6)
        assert trails[off].max() <= most * (1 + 1e-6)
        assert (trails == trails.T).all()
        assert not trails.diagonal().any()


def test_first_trails_are_the_upper_limit_for_the_nearest_neighbour_tour():
    instance = load("berlin52")
    trails = make_colony(instance).trails()
    length = nearest_neighbour_length(distance_matrix(instance))
    assert trails[~np.eye(52, dtype=bool)] == pytest.approx(1.0 / (0.5 * length))


def test_only_one_tour_deposits():
    instance, params, best = load("berlin52"), MaxMinParams(**PLAIN), np.inf
    colony, best_order = make_colony(instance, **PLAIN), None
    for iteration in range(1, 51):
        before = colony.trails().astype(np.float64)
        (found,) = iterate(colony, 1)
        if found.best[0] < best:
            best, best_order = int(found.best[0]), found.order[0]
        least, most = trail_limits(params, 52, best)
        faded = np.clip(before * 0.98, least, most)
        grown = np.argwhere(np.triu(colony.trails() > faded * (1 + 1e-5), 1))
        leaves = best_order if iteration % 25 == 0 else found.order[0]
        held = {edge for edge in tour_edges(leaves) if faded[tuple(edge)] > most * (1 - 1e-5)}
        assert {frozenset(edge) for edge in grown.tolist()} == tour_edges(leaves) - held


def test_deposit_is_1_over_the_length():
    instance = KINDS["crowded"]()
    matrix = distance_matrix(instance).tolist()
    params = MaxMinParams(local_search="none", rho=0.3)
    colony = make_colony(instance, local_search="none", rho=0.3)
    (found,) = iterate(colony, 1)
    best = int(found.best[0])
    for _ in range(5):
        before = colony.trails().tolist()
        (found,) = iterate(colony, 1)
        best = min(best, int(found.best[0]))
        expected = np.clip(naive.trails_after(before, [found.order[0].tolist()], matrix, 0.3, 1.0), 0.0, None)
        expected = np.clip(expected, *trail_limits(params, instance.n, best))
        np.fill_diagonal(expected, 0.0)
        np.testing.assert_allclose(colony.trails(), expected, rtol=1e-5)


def find_leavers(params, lengths, branches=9.0):
    """The colony whose pheromone remains after each iteration's election; each tour's first city is its iteration."""
    schedule, n = DepositSchedule(MaxMinParams(**params), 4), 4
    return [
        int(schedule.choose(t, np.array([t, 0, 0, 0], np.int32), length, branches * n).order[0])
        for t, length in enumerate(lengths, 1)
    ]


def test_schedule_moves_to_the_best_tour():
    answer = find_leavers({"patience": 0}, [90, 80, *[100] * 398])
    best = [t for t, best_ants in enumerate(answer, 1) if best_ants == 2]
    assert best == [2, *range(25, 75, 5), *range(75, 125, 3), *range(126, 250, 2), *range(250, 401)]
    assert all(best_ants in (2, t) for t, best_ants in enumerate(answer, 1))


def test_best_tour_deposits_every_25th_time_without_local_search():
    answer = find_leavers({**PLAIN, "patience": 0}, [90, 80, *[100] * 98])
    assert [t for t, best_ants in enumerate(answer, 1) if best_ants == 2] == [2, 25, 50, 75, 100]


def test_converged_colony_restarts_and_remembers_its_best_tour():
    # Restarts after iterations 12 and 22: the tour of iteration 2 is the best of all, that of 13 the best since.
    schedule = DepositSchedule(MaxMinParams(patience=10), 4)
    lengths = [90, 80, *[100] * 10, 85, *[100] * 400]
    deposits = [
        schedule.choose(t, np.array([t, 0, 0, 0], np.int32), length, 8.0 if t < 20 else 9.0)
        for t, length in enumerate(lengths, 1)
    ]
    assert [t for t, one in enumerate(deposits, 1) if one.minimum == one.maximum] == [12]
    assert schedule.restart == 12
    assert (schedule.best.length, schedule.best.found) == (80, 2)
    assert (schedule.best_since_restart.length, schedule.best_since_restart.found) == (85, 13)
    assert all(one.maximum == np.float32(1 / (0.5 * 80)) for one in deposits[1:])
    firsts = [int(one.order[0]) for one in deposits]
    assert 13 in firsts[37:87]
    assert 2 not in firsts[2:261]
    assert set(firsts[261:]) == {2}


@each_row("params", [{}, {**PLAIN, "rho": 0.1}])
def test_trails_are_equal_after_a_restart_and_the_best_tour_survives(params):
    instance = load("burma14")
    colony = make_colony(instance, patience=20, **params)
    answer = [iterate(colony, 1)[0]]
    while answer[-1].branching[0] < 13 or len(answer) < 3:
        assert len(answer) < 1000
        answer.append(iterate(colony, 1)[0])
    best = min(int(found.best[0]) for found in answer)
    off = ~np.eye(14, dtype=bool)
    assert answer[-2].branching[0] == 2.0
    assert colony.trails()[off] == pytest.approx(1.0 / (MaxMinParams(**params).rho * best))
    assert answer[-1].entropy[0] == pytest.approx(np.log2(13))


def test_patience_0_never_restarts():
    answer = run_solver(load("burma14"), iterations=400, patience=0)
    assert max(column(answer, Colony, "branching")[5:]) < 13


def test_local_search_shortens_the_ants_tours():
    instance = load("kroA100")
    ants, searched = (make_colony(instance, local_search=search) for search in ("none", "2-opt+or-opt"))
    (walked,), (shortened,) = iterate(ants, 1), iterate(searched, 1)
    assert (shortened.lengths < walked.lengths).all()
    assert shortened.mean[0] < 1.1 * instance.optimum < walked.mean[0]
    for tour, length in zip(searched.tours, shortened.lengths, strict=True):
        check_tour(100, tour)
        assert tour_length(instance, tour) == length


def test_candidates_have_their_probabilities():
    fitness = np.random.default_rng(3).uniform(0.1, 5.0, (30, 30)).astype(np.float32)
    np.fill_diagonal(fitness, 0.0)
    ranked = np.argsort(-fitness, axis=1, kind="stable").astype(np.int32)
    choice = make_choice(fitness, ranked[:, :8])
    visited = np.array([*ranked[4, :3].tolist(), 4], np.int32)
    observed, _ = draws("lists", choice, visited, 12_000)
    assert naive.chi_square(observed, naive.chances(fitness[4].tolist(), set(ranked[4, 3:8].tolist()))) > 1e-4


@each_row("count", [8, 11, 28])
def test_beyond_the_lists_an_ant_takes_the_greatest_weight(count):
    fitness = np.random.default_rng(3).integers(1, 6, (30, 30)).astype(np.float32)
    np.fill_diagonal(fitness, 0.0)
    ranked = np.argsort(-fitness, axis=1, kind="stable").astype(np.int32)
    choice = make_choice(fitness, ranked[:, :8])
    visited = np.array([*ranked[4, :count].tolist(), 4], np.int32)
    observed, _ = draws("lists", choice, visited, 20)
    assert list(observed) == [int(ranked[4, count])]


def test_three_colonies_are_three_runs_with_seeds_far_apart():
    instance, params = load("berlin52"), {"ants": 9, "iterations": 40, **PLAIN}
    together = run_solver(instance, seed=5, colonies=3, **params)
    solver = find("max-min-ant-system")
    alone = [list(solver.solve(make_job(instance, seed=5 + k * COLONY_SEED_STEP, **params))) for k in range(3)]
    best = np.array([column(one, Colony, "best") for one in alone])
    assert column(together, Colony, "best") == best.min(axis=0).tolist()
    assert len({tuple(row) for row in best.tolist()}) == 3
    worst = np.max([column(one, Colony, "worst") for one in alone], axis=0)
    assert column(together, Colony, "worst") == worst.tolist()
    for name in ("mean", "entropy", "branching"):
        expected = np.mean([column(one, Colony, name) for one in alone], axis=0)
        assert column(together, Colony, name) == pytest.approx(expected.tolist())
    lengths = [[event.lengths for event in one if isinstance(event, Ants)] for one in alone]
    whole = [event.lengths.tolist() for event in together if isinstance(event, Ants)]
    assert whole == [np.concatenate(each).tolist() for each in zip(*lengths, strict=True)]
    chosen = [[event.edges.tolist() for event in one if isinstance(event, Edges)] for one in alone]
    answer = [event.edges.tolist() for event in together if isinstance(event, Edges)]
    assert answer == [chosen[best_ants][t] for t, best_ants in enumerate(best.argmin(axis=0))]
    assert together[-1].length == best.min()


def test_trails_belong_to_the_colony_with_the_best_tour():
    job = make_job(load("ulysses16"), seed=2, ants=3, colonies=3, **PLAIN)
    alone = [MaxMinColony(job, 1, stream) for stream in range(3)]
    several = MultiColony([MaxMinColony(job, 1, stream) for stream in range(3)])
    assert several.ants == 9
    best, leaders = [np.inf] * 3, set()
    for iteration in range(1, 41):
        while several.advance(iteration) is None:
            continue
        best = [min(length, int(iterate(one, 1)[0].best[0])) for length, one in zip(best, alone, strict=True)]
        leaders.add(int(np.argmin(best)))
        assert (several.trails() == alone[int(np.argmin(best))].trails()).all()
    assert len(leaders) > 1
    several.close()


def test_first_finder_of_the_best_tour_leads_however_iterations_are_reported(monkeypatch):
    visible = []
    for seconds in (0.0, 10.0):
        monkeypatch.setattr(multi_colony, "_ROUND_SECONDS", seconds)
        job = make_job(load("berlin52"), seed=4, ants=4, colonies=3, **PLAIN)
        together = MultiColony([MaxMinColony(job, 1, k) for k in range(3)])
        found, answer, leaders = 0, [], []
        while found < 40:
            part = together.advance(40)
            if part is not None:
                found += part.best.size
                answer += part.best.tolist()
                leaders.append(together._leader)
        visible.append((answer, leaders[-1]))
        together.close()
    assert visible[0] == visible[1]


def test_colonies_stopped_in_their_first_iteration_have_a_tour():
    for seconds in (1e-9, 0.15):
        events = events_within(seconds, uniform(1200, 1), make_spec("max-min-ant-system", colonies=3))
        assert events[-1].stop_reason == "time"
        check_tour(1200, events[-1].order)
        assert not column(events, Colony, "best")


def test_colonies_must_fit_into_the_memory_together(monkeypatch):
    monkeypatch.setattr(memory, "MEMORY", 2 * (16 * 100**2 + 4 * 100**2))
    run_solver(load("kroA100"), iterations=1, colonies=2)
    with pytest.raises(InstanceTooLarge, match="300 ants"):
        run_solver(load("kroA100"), iterations=1, colonies=3)


def test_only_the_best_tour_can_be_shortened_at_the_end():
    spec = make_spec("max-min-ant-system", iterations=3, ants=5, local_search_when="last", variant="cpu")
    events = list(collect_events(load("kroA100"), spec))
    [shortened] = [event for event in events if isinstance(event, Shortened) and event.best]
    assert events[-1].length == shortened.after[0] < shortened.before[0]


@each_row("shared", [48 << 10, 232_448])
def test_block_per_colony_states_its_maximum_number_of_cities(shared):
    bai = next(each for each in find("max-min-ant-system").variants if each.name == "bai")
    limits = Limits(shared_per_block=shared)
    assert bai.unavailable_reason("EUC_2D", 512, limits) == ""
    assert bai.unavailable_reason("EUC_2D", 513, limits).startswith("bai takes at most 512 cities")
