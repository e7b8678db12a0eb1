"""Tabu search against a simple search, and against itself with other slices and threads."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.collection.resolve import load
from data.distances import check_tour, distance_matrix, edge_lengths, tour_length
from data.generators import directed, uniform
from solvers.algorithms.annealing.kernels.chain_cpu import Log
from solvers.algorithms.annealing.neighbours import find_nearest
from solvers.algorithms.tabu.kernels import edge_lists_cpu as lists
from solvers.algorithms.tabu.kernels import insertions_cpu, scan_cpu, tabu_cpu
from solvers.algorithms.tabu.params import TabuParams
from solvers.core.events import Progress, Tabu, Tour
from solvers.core.kernel_distances import build_measure
from tests import naive
from tests.plain_kernels import interpret
from tests.shortened import shorten
from tests.solver_runs import KINDS, check_local_optima, collect_climbs, collect_events, make_spec, story
from tests.solvers.algorithms.tabu.naive_tabu import DirectedSearch, Search
from tests.tables import each_row

pytestmark = pytest.mark.slow

NAME = "tabu-search"
enter, holds, shrink = map(interpret, (lists.enter, lists.holds, lists.shrink))
FEW = {"searches": 3, "steps_per_city": 20}


def run_solver(instance, seed=1, budget=None, **params):
    return collect_events(instance, make_spec(NAME, seed, budget, **(FEW | params)))


def kernel_search(instance, near, steps, work, limit=10**9, **rules):
    """A search by the kernel only, in slices: its rows, one per step, and its state before it returns to the best
    tour."""
    n = instance.n
    order, place, best = np.zeros((3, n), np.int32)
    tabu = lists.allocate_lists(max(rules["high"], rules["held"]) + 1, 3 if instance.directed else 2)
    advance = insertions_cpu.advance_insertions if instance.directed else tabu_cpu.advance
    search = scan_cpu.Search(order, place, best, np.zeros(scan_cpu.STATE, np.int64), tabu)
    rule = rules["low"], rules["high"], rules["held"], rules["redraw"], bool(rules["both"])
    plan = tabu_cpu.Plan(near, steps, 1, *rule)
    i, j, delta = np.empty((3, 50), np.int32)
    log = Log(i, j, delta, np.empty((7, 3), np.int64), np.empty(i.size, np.int64), np.empty(i.size))
    rows, over = [], False
    words = np.uint64(5), np.uint64(2), np.empty(0, np.int32)
    while not over:
        _, over = advance(build_measure(instance), plan, search, log, *words, work, limit)
        rows += log.rows[: search.state[tabu_cpu.ROWS]].tolist()
    return rows, search


RULES = {
    "removed": {"low": 1, "high": 9, "held": 0, "redraw": 5, "both": 0},
    "both": {"low": 12, "high": 12, "held": 0, "redraw": 1, "both": 1},
    "added": {"low": 3, "high": 3, "held": 6, "redraw": 4, "both": 0},
    "long": {"low": 40, "high": 60, "held": 0, "redraw": 9, "both": 0},
}


STEP_INSTANCES = {kind: KINDS[kind] for kind in ("grid", "explicit", "crowded", "ceil", "att", "fractions")}
STEP_INSTANCES |= {f"directed-{n}": partial(directed, n, 3) for n in (5, 9, 14)}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("count", [0, 4])
@pytest.mark.parametrize("kind", shorten([*STEP_INSTANCES], ("grid", "explicit", "directed-9").__contains__))
def test_every_step_matches_the_naive_one(kind, count, rule):
    instance, rules, steps = STEP_INSTANCES[kind](), RULES[rule], 40
    near = find_nearest(instance, build_measure(instance), count) if count else np.empty((instance.n, 0), np.int32)
    naive_kind, edge_of = (DirectedSearch, tuple) if instance.directed else (Search, frozenset)
    naive_search = naive_kind(distance_matrix(instance).tolist(), near.tolist(), 5, 2, **rules)
    expected = [[0, naive_search.length, naive_search.best]]
    for _ in range(steps):
        naive_search.step()
        expected.append([naive_search.evaluations, naive_search.length, naive_search.best])
    for work, limit in ((1000, 10**9), (37, 100)):
        rows, search = kernel_search(instance, near, steps, work, limit, **rules)
        assert rows == expected
        for which, edges in ((lists.REMOVED, naive_search.removed), (lists.ADDED, naive_search.added)):
            first, size = search.lists.span[which]
            held = [int(search.lists.edge[which, (first + k) % search.lists.edge.shape[1]]) for k in range(size)]
            listed = [edge_of((edge >> 32, edge & 0xFFFFFFFF)) for edge in held]
            # The kernel lists the three edges of a directed move by position.
            order = sorted if instance.directed else list
            assert order(listed) == order(map(edge_of, edges))
        assert tour_length(instance, search.order) == naive_search.best


@pytest.mark.parametrize("n", [3, 4, 5, 7])
@pytest.mark.parametrize("neighbours", [0, 10])
def test_few_directed_cities(n, neighbours):
    instance = directed(n, 7)
    end = run_solver(instance, neighbours=neighbours, added_tenure=3)[-1]
    check_tour(n, end.order)
    assert end.length == tour_length(instance, end.order) == naive.held_karp(distance_matrix(instance).tolist())


def test_threads_and_slices_do_not_matter_to_directed_searches(monkeypatch):
    instance = directed(30, 2)
    usual_story = story(run_solver(instance))
    monkeypatch.setenv("NUMBA_NUM_THREADS", "3")
    monkeypatch.setattr("solvers.algorithms.annealing.cpu._WORK_RATE", 1e5)
    assert story(run_solver(instance)) == usual_story
    assert story(run_solver(instance, variant="sequential")) == usual_story


def test_aspiration_allows_a_tabu_move_and_if_all_are_tabu_the_oldest_expire():
    instance = uniform(12, 3)
    near = [[] for _ in range(12)]
    search = Search(distance_matrix(instance).tolist(), near, 5, 2, **RULES["long"])
    for _ in range(60):
        search.step()
    # So the parity above covers both; an unhindered search would do neither.
    assert search.stuck > 0
    search = Search(distance_matrix(load("berlin52")).tolist(), [[] for _ in range(52)], 5, 2, **RULES["long"])
    for _ in range(60):
        search.step()
    assert search.aspired > 0


edges = st.tuples(st.integers(0, 5), st.integers(6, 9))


@settings(max_examples=60)
@given(st.lists(edges, max_size=60), st.integers(1, 8))
def test_lists_hold_the_newest_edges(entered, moves):
    held = lists.allocate_lists(moves)
    for k, (a, b) in enumerate(entered):
        enter(held, lists.ADDED, *((a, b) if k % 2 else (b, a)))
        shrink(held, lists.ADDED, 2 * moves)
        newest = entered[max(0, k + 1 - 2 * moves) : k + 1]
        for edge in {*entered}:
            assert holds(held, lists.ADDED, *edge) == (edge in newest)
            assert not holds(held, lists.REMOVED, *edge)


@each_row("kind", KINDS)
def test_search_ends_at_its_best_and_at_a_local_optimum(kind):
    instance = KINDS[kind]()
    check_local_optima(instance, run_solver(instance))


@each_row("n", [3, 4, 5])
@each_row("neighbours", [0, 10])
def test_few_cities(n, neighbours):
    instance = uniform(n, 7)
    events = run_solver(instance, neighbours=neighbours, added_tenure=3)
    check_tour(n, events[-1].order)
    assert events[-1].length == tour_length(instance, events[-1].order)
    assert events[-1].length == naive.held_karp(distance_matrix(instance).tolist())


def test_no_edge_returns_within_the_tenure_unless_the_tour_is_a_new_best():
    instance, tenure = load("berlin52"), 12
    (climb,) = collect_climbs(run_solver(instance, searches=1, tenure=tenure, tenure_variation=0.0)).values()
    tour, length, best = climb.start, climb.length, climb.length
    removed, worsened, excused, steps = [], 0, 0, 20 * instance.n
    for i, j, delta in climb.moves[:steps]:
        a, b, c, d = tour[i], tour[i + 1], tour[j], tour[(j + 1) % len(tour)]
        length += delta
        barred = {*removed[-2 * tenure :]} & {frozenset((a, c)), frozenset((b, d))}
        assert not barred or length < best
        excused, worsened = excused + bool(barred), worsened + (delta > 0)
        removed += [frozenset((a, b)), frozenset((c, d))]
        tour, best = naive.reversed_between(tour, i, j), min(best, length)
    assert worsened > 100
    assert excused > 0


@pytest.fixture(scope="module")
def usual_story():
    return story(run_solver(load("kroA100")))


@each_row("threads", ["1", "3"])
def test_threads_do_not_matter(usual_story, threads, monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
    assert story(run_solver(load("kroA100"))) == usual_story


def test_variants_do_not_matter(usual_story):
    assert story(run_solver(load("kroA100"), variant="sequential")) == usual_story


def test_limit_of_evaluations_cuts_at_the_same_place():
    ends = [run_solver(load("berlin52"), budget={"evaluations": 150_000})[-1] for _ in range(2)]
    assert ends[0].order.tolist() == ends[1].order.tolist()
    assert ends[0].evaluations == ends[1].evaluations < 155_000


def test_pictures_show_the_current_tour_and_its_tabu_edges():
    instance = load("kroA100")
    events = run_solver(instance, searches=1, steps_per_city=200, added_tenure=4)
    # After the last step, the search returns to its best tour.
    pictures = [event for event in events if isinstance(event, Tabu) and event.step < 200 * instance.n]
    assert pictures
    for picture in pictures:
        check_tour(instance.n, picture.order)
        assert picture.length == tour_length(instance, picture.order)
        pairs = np.stack([picture.order, np.roll(picture.order, -1)], axis=1)
        edges = {frozenset(pair) for pair in pairs.tolist()}
        latest = [frozenset(edge) for edge in picture.removed.tolist()[-2:]]
        assert not edges & {*latest}
        assert {frozenset(edge) for edge in picture.added.tolist()[-2:]} <= edges
        assert (picture.removed[:, 0] < picture.removed[:, 1]).all()
        assert len(picture.added) <= 8
        edge_lengths(instance, *picture.removed.T)


def test_rows_inside_the_first_search_show_longer_tours():
    progress = [event for event in run_solver(load("kroA100"), searches=1) if isinstance(event, Progress)]
    current, best = (np.concatenate([getattr(event, name) for event in progress]) for name in ("current", "best"))
    assert (np.diff(current) > 0).sum() > 100
    assert (current > best).sum() > 100


def test_tenures_depend_on_the_number_of_cities():
    assert TabuParams().tenures(3) == (1, 10)
    assert TabuParams().tenures(100) == (1, 50)
    assert TabuParams().tenures(10_000) == (1, 120)
    assert TabuParams(tenure=20, tenure_variation=0.5).tenures(9) == (10, 30)
    assert TabuParams(tenure=7, tenure_variation=0.0).tenures(9) == (7, 7)


def test_result_is_better_than_two_opt_from_the_same_tour():
    instance = load("kroA100")
    tours = [event.length for event in run_solver(instance, searches=1) if isinstance(event, Tour)]
    climb = collect_events(instance, make_spec("two-opt", 1, climbers=1))[-1].length
    assert tours[-1] < climb


@each_row("variation", [0.0, 1.0])
def test_moves_are_recorded_with_their_step_and_tenure(variation):
    instance, seed = KINDS["grid"](), 9
    params = TabuParams(**FEW, tenure=7, tenure_variation=variation)
    low, high = params.tenures(instance.n)
    events = run_solver(instance, seed, tenure=7, tenure_variation=variation)
    for climber, climb in collect_climbs(events).items():
        search = [(step, tenure) for step, tenure in climb.steps if step > 0]
        assert [step for step, _ in search] == list(range(1, FEW["steps_per_city"] * instance.n + 1))
        for step, tenure in search:
            drawn = (step - 1) // (2 * high) * (2 * high)  # the step after which it was drawn
            bits = naive.random_bits(seed, climber, (1 << 32) + drawn)
            assert tenure == low + ((bits >> 32) * (high - low + 1) >> 32)
        after = [step for step, _ in climb.steps[len(search) :]]
        assert after == sorted(after, reverse=True)
        assert set(after) <= {0, -1}
