"""Held-Karp on the CPU: exact on every accepted instance, independent of slices, and truthful when it is not exact."""

import itertools
import math
import threading
from functools import partial

import numpy as np
import pytest

from data.collection.resolve import load
from data.distances import distance_matrix, tour_length
from solvers.algorithms.held_karp import cpu, reconstruct
from solvers.algorithms.held_karp.cpu import CpuLayers
from solvers.algorithms.held_karp.kernels import directed_path_cpu, layer_cpu, path_cpu
from solvers.algorithms.held_karp.plan import (
    MAX_CITIES,
    MIN_CITIES,
    SPARE,
    UNREACHED,
    Plan,
    choose_item_size,
    format_bytes,
    max_cities,
    plan_for,
    too_large_reason,
)
from solvers.algorithms.held_karp.qin_han.plan import QinHanPlan
from solvers.algorithms.held_karp.reconstruct import rebuild_tour, shortest_path
from solvers.algorithms.held_karp.solver import HeldKarp, make_plan
from solvers.core import neighbours
from solvers.core.errors import InstanceTooLarge
from solvers.core.events import Edges, Front, Layers, Progress, Rows, Started, Tour
from solvers.run import prepare, run
from tests import exact, naive
from tests.solver_runs import collect_events, fit_instance, make_spec, planar, replay_events, return_value, story
from tests.solvers.algorithms.held_karp.layers import collect_bests, cpu_bests, draw_distances
from tests.tables import each_row

_ITEMS = sorted(UNREACHED)


#: Plans of n cities by the bytes of a state; the last as in the program of Qin and Han.
_PLANS = [*((partial(Plan, item=item), item) for item in _ITEMS), (partial(QinHanPlan, maps=True), 4)]


@pytest.mark.parametrize("item", _ITEMS)
@pytest.mark.parametrize("n", [*range(MIN_CITIES, 9), pytest.param(9, marks=pytest.mark.long)])
def test_no_order_of_few_cities_is_shorter(n, item):
    for seed in range(4):
        distances = draw_distances(n, 100 * n + seed, most=9 if seed == 0 else 300)
        plan = Plan(n, item)
        ends = cpu_bests(plan, distances)[-1]
        tour = return_value(rebuild_tour(plan, distances, ends))
        orders = ((0, *order) for order in itertools.permutations(range(1, n)))
        least = min(naive.naive_length(distances.tolist(), list(order)) for order in orders)
        assert ends.length == least == naive.naive_length(distances.tolist(), tour.tolist())
        assert sorted(tour.tolist()) == list(range(n))


@pytest.mark.slow
@each_row(("plan", "item"), _PLANS)
@each_row("n", [10, 11, 12, 13])
def test_textbook_implementation_agrees(n, plan, item):
    distances = draw_distances(n, n)
    assert cpu_bests(plan(n), distances, threads=2)[-1].length == naive.held_karp(distances.tolist())


@each_row("name", ["burma14", "ulysses16", "gr17", "gr21", "ulysses22", "gr24"])
def test_known_optima(name):
    instance = load(name)
    end = collect_events(instance, make_spec("held-karp"))[-1]
    assert end.length == instance.optimum == tour_length(instance, end.order)


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", ["fri26", pytest.param("bayg29", marks=pytest.mark.long)])
def test_known_optima_of_more_cities(name):
    instance = load(name)
    assert collect_events(instance, make_spec("held-karp"))[-1].length == instance.optimum


@each_row("n", [19, 22, 23])
def test_integer_programming_agrees(n):
    instance = fit_instance(HeldKarp(), load("att48"), n)
    assert collect_events(instance, make_spec("held-karp"))[-1].length == exact.optimum(distance_matrix(instance))


def test_integer_programming_is_correct():
    assert exact.optimum(distance_matrix(load("bayg29"))) == load("bayg29").optimum
    for seed in range(5):
        distances = draw_distances(9, seed)
        assert exact.optimum(distances) == naive.held_karp(distances.tolist())


@each_row(("plan", "item"), _PLANS)
def test_lengths_up_to_the_maximum_of_a_state(plan, item):
    n, longest = 9, UNREACHED[item] - 1
    each = min(longest // n, 2**31 - 1)
    distances = np.full((n, n), each, np.int64)
    np.fill_diagonal(distances, 0)
    assert cpu_bests(plan(n), distances)[-1].length == n * each
    assert choose_item_size(longest) == item
    assert item == _ITEMS[-1] or choose_item_size(longest + 1) > item


@each_row(("plan", "item"), _PLANS)
def test_edge_longer_than_any_tour_is_not_taken(plan, item):
    distances = draw_distances(10, 5) + 1
    distances[3, 7] = distances[7, 3] = 2**31 - 1
    assert cpu_bests(plan(10), distances)[-1].length == naive.held_karp(distances.tolist())


@each_row("threads", [2, 3, 5])
def test_threads_and_slices_change_nothing(threads, monkeypatch):
    distances = draw_distances(17, 3, most=40)
    plan = Plan(17, 4)
    one = cpu_bests(plan, distances)
    monkeypatch.setattr(cpu, "SLICE_SECONDS", 1e-4)
    monkeypatch.setattr(cpu, "_PIECE", 1 << 12)
    monkeypatch.setattr(cpu, "_SUMS_PER_THREAD", 1)
    assert cpu_bests(plan, distances, threads) == one


def test_shortest_paths_between_ends():
    distances = draw_distances(11, 8)
    for through in (np.array([], np.int64), np.array([4]), np.array([7, 2, 9]), np.array([1, 2, 3, 5, 6, 8, 9])):
        path = return_value(shortest_path(distances, 10, through, 4 if 4 not in through else 0))
        assert (path[0], path[-1]) == (10, 4 if 4 not in through else 0)
        assert sorted(path[1:-1].tolist()) == sorted(through.tolist())
        orders = ([10, *order, int(path[-1])] for order in itertools.permutations(through.tolist()))
        least = min(sum(distances[a, b] for a, b in itertools.pairwise(order)) for order in orders)
        assert sum(distances[a, b] for a, b in itertools.pairwise(path)) == least


@each_row("item", [2, 4])
@each_row("n", [4, 6, 9, 10, 12, 13])
def test_plan_counts_match(n, item):
    plan = Plan(n, item)
    for layer in range(plan.layers):
        last = layer == plan.layers - 1
        subsets = states = transitions = 0
        for outer in (s for s in range(1 << plan.outer_count) if s.bit_count() == layer):
            visited = not last or outer & 1
            for inner in range(plan.width):
                size = layer + inner.bit_count()
                states += layer + (inner.bit_count() if visited else 0)
                subsets += bool(visited)
                transitions += size * (n - 1 - size) if visited else 0
        assert (plan.subsets(layer), plan.states(layer), plan.transitions(layer)) == (subsets, states, transitions)
    rows = [layer * math.comb(plan.outer_count, layer) for layer in range(plan.layers)] + [0]
    assert plan.peak_bytes == max(map(sum, itertools.pairwise(rows))) * plan.row * item


def test_tables_have_the_planned_size():
    plan = Plan(21, 2)
    layers = CpuLayers(plan, draw_distances(21, 1), 1)
    assert sum(table.nbytes for table in layers._tables) <= plan.peak_bytes + plan.row * plan.item
    layers.close()


def test_run_reports_its_layers():
    instance = load("gr17")
    events = collect_events(instance, make_spec("held-karp"))
    kinds = [type(event) for event in events]
    assert kinds.index(Started) + 1 == kinds.index(Layers)
    answer = next(event for event in events if isinstance(event, Layers))
    plan = Plan(17, answer.item)
    assert (answer.inner, answer.outer) == (plan.inner_count, plan.outer_count)
    assert answer.states.tolist() == [plan.states(layer) for layer in range(plan.layers)]
    at = answer.cities.tolist().index(17)
    assert (answer.cities_transitions[at], answer.cities_bytes[at]) == (plan.all_transitions, plan.peak_bytes)
    fronts = [event for event in events if isinstance(event, Front)]
    for name in ("layer", "subsets", "states", "transitions", "elapsed"):
        column = np.concatenate([getattr(event, name) for event in fronts])
        assert np.all(np.diff(column) >= 0), name
    assert [event.proven for event in fronts] == [False] * (len(fronts) - 1) + [True]
    for name in ("subsets", "states"):
        assert getattr(fronts[-1], name)[0] == sum(map(getattr(plan, name), range(plan.layers))), name
    assert fronts[-1].transitions[0] == plan.all_transitions == events[-1].evaluations
    rows = [event for event in events if isinstance(event, Rows)]
    assert [row.climber[0] for row in rows] == list(range(plan.layers))
    assert rows[-1].length[0] == instance.optimum


def test_the_last_tour_is_drawn_from_both_ends():
    instance = load("burma14")
    edges = [event for event in collect_events(instance, make_spec("held-karp")) if isinstance(event, Edges)][-1].edges
    ends = [0, 0]
    for k, (a, b) in enumerate(edges.tolist()[:-1]):
        assert ends[k % 2] in (a, b)
        ends[k % 2] = a + b - ends[k % 2]
    assert sorted(edges[-1].tolist()) == sorted(ends)


def test_cut_off_run_has_its_best_tour_and_proves_nothing():
    instance = planar("EUC_2D", 22, 1000, 4)
    spec = make_spec("held-karp", budget={"iterations": 4})
    events = collect_events(instance, spec)
    assert events[-1].stop_reason == "iterations"
    assert not any(event.proven for event in events if isinstance(event, Front))
    assert events[-1].length == min(event.length for event in events if isinstance(event, Tour))
    assert story(events)["rows"]["climber"] == [0, 1, 2, 3]


def test_each_layers_tour_starts_with_its_shortest_path():
    instance = planar("EUC_2D", 14, 1000, 9)
    plan, distances = make_plan(instance, 0)
    layers = CpuLayers(plan, distances, 1)
    done = layers.advance()
    while done.best is None:
        done = layers.advance()
    layers.close()
    inner = list(range(1 + plan.outer_count, instance.n))
    paths = itertools.permutations(inner)
    assert done.best.length == min(sum(distances[a, b] for a, b in itertools.pairwise((0, *p))) for p in paths)
    event = replay_events(instance, make_spec("held-karp"), 0)[0]
    begun = event.edges[: len(inner), 1].tolist()
    assert sorted(begun) == inner
    assert event.delta[: len(inner)].sum() == done.best.length
    order = neighbours.nearest_neighbour_tour(distances, [0, *begun])
    assert event.edges[:, 0].tolist() == order.tolist()


def test_memory_limits_the_number_of_cities():
    for item in (2, 4):
        for memory in (10**6, 10**9, 20 * 10**9, 10**11):
            most = max_cities(item, memory)
            assert (1 + SPARE) * Plan(most, item).peak_bytes <= memory < (1 + SPARE) * Plan(most + 1, item).peak_bytes
            assert not too_large_reason(most, item, memory)
            assert f"at most {most}" in too_large_reason(most + 1, item, memory)
    assert not too_large_reason(MAX_CITIES, 2, 0)
    assert "1,002 cities" in too_large_reason(1002, 2, 0)


def test_too_many_cities_are_refused_before_allocation(monkeypatch):
    with pytest.raises(InstanceTooLarge, match="use at most"):
        collect_events(load("pr1002"), make_spec("held-karp"))
    monkeypatch.setattr("solvers.algorithms.held_karp.solver.available_bytes", lambda: 10**6)
    with pytest.raises(
        InstanceTooLarge, match=r"24 cities needs 46\.9 MB of memory; 1 MB are available: use at most 18"
    ):
        collect_events(load("gr24"), make_spec("held-karp"))


def test_requirements_are_reported_before_the_start():
    solver = HeldKarp()
    assert solver.needs(load("gr24"), "cpu", 10**9) == (
        "24 cities need 46.9 MB of memory; 1 GB are available: enough for up to 28 cities."
    )
    assert "use at most 28" in solver.needs(load("att48"), "cpu", 10**9)
    assert "1,002 cities" in solver.needs(load("pr1002"), "cpu", 10**9)


def test_progress_is_counted_in_transitions():
    events = collect_events(load("gr17"), make_spec("held-karp", variant="sequential"))
    progress = [event for event in events if isinstance(event, Progress)]
    totals = np.concatenate([event.evaluations for event in progress])
    plan = Plan(17, 2)
    assert totals.tolist() == np.cumsum([plan.transitions(layer) for layer in range(plan.layers)]).tolist()


def test_closing_a_run_within_a_layer_leaves_no_thread():
    before = threading.active_count()
    events = run(prepare(make_spec("held-karp")), planar("EUC_2D", 26, 1000, 2))
    while not isinstance(next(events), Front):
        continue
    events.close()
    assert threading.active_count() == before


def test_memory_taken_by_others_ends_the_run_with_a_message(monkeypatch):
    monkeypatch.setattr(cpu, "_MIN_CHECKED_BYTES", 1 << 16)
    layers = CpuLayers(Plan(21, 2), draw_distances(21, 4), 1)
    assert layers.advance().layer == 0
    monkeypatch.setattr(cpu, "available_bytes", lambda: 1000)
    with pytest.raises(InstanceTooLarge, match=r"1 kB are left"):
        collect_bests(layers, Plan(21, 2))


@each_row(
    ("allocate", "plan"),
    [("solvers.mpi.communicator.Communicator.table", Plan(6, 2)),
     ("solvers.algorithms.held_karp.qin_han.cpu.allocate_maps", QinHanPlan(6, maps=True))],
)  # fmt: skip
def test_refused_memory_is_reported(allocate, plan, monkeypatch):
    def refuse(*_):
        raise MemoryError

    monkeypatch.setattr(allocate, refuse)
    with pytest.raises(InstanceTooLarge, match="6 cities need"):
        cpu_bests(plan, draw_distances(6, 1))


@each_row(
    ("count", "words"),
    [(0, "0 bytes"), (999, "999 bytes"), (1000, "1 kB"), (46_900_000, "46.9 MB"), (999_700_000, "1 GB"),
     (3_640_000_000, "3.64 GB"), (999_999_999_999, "1 TB")],
)  # fmt: skip
def test_sizes_in_words(count, words):
    assert format_bytes(count) == words


@each_row("through", range(14))
@each_row("most", [2, 9, 2**31 - 1])
def test_path_found_in_one_call_equals_that_of_the_layers(through, most, monkeypatch):
    distances = draw_distances(through + 4, through, most)
    first, last, *others = np.random.default_rng(through).permutation(through + 4).tolist()
    cities = np.array(others[:through], np.int64)
    found = path_cpu.shortest_path(distances.astype(np.int64), first, cities, last)
    monkeypatch.setattr(reconstruct, "_MAX_DIRECT", 0)  # of equal paths both must take the same
    assert found.tolist() == return_value(shortest_path(distances, first, cities, last)).tolist()


@each_row("threads", [2, 16, 64])
def test_few_cities_use_one_thread(threads):
    for n, most in ((10, 1), (20, 1), (26, threads)):
        layers = CpuLayers(plan_for(draw_distances(n, n)), draw_distances(n, n), threads)
        assert layers._team.threads <= most
        assert (layers._team.threads > 1) == (n > 20)
        layers.close()


@each_row(("plan", "items", "finders"), [
    (Plan(17, 2), [2], [path_cpu.shortest_path]),
    (Plan(30, 4), [4, 8], [path_cpu.shortest_path]),
    (Plan(17, 8, True), [8], [directed_path_cpu.shortest_directed_path]),
])  # fmt: skip
def test_run_loads_only_the_kernels_of_its_plan(plan, items, finders, monkeypatch):
    loaded = []
    monkeypatch.setattr(reconstruct, "load_kernels", loaded.extend)
    reconstruct._load.cache_clear()
    reconstruct.load(plan)
    reconstruct._load.cache_clear()
    assert [call.args[0] for call in loaded if call.func is reconstruct._load_layers] == items
    others = (reconstruct._load_layers, layer_cpu.encode_set)
    assert [call.func for call in loaded if call.func not in others] == finders
