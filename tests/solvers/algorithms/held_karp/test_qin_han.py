"""Held-Karp by Qin and Han on CPUs: the same optimum as TourScope's, with lists and maps, and their limits."""

import itertools
import math
import re

import numpy as np
import pytest

from data.collection.resolve import load
from data.distances import tour_length
from solvers.algorithms.held_karp.plan import SPARE, UNREACHED
from solvers.algorithms.held_karp.qin_han import cpu
from solvers.algorithms.held_karp.qin_han.kernels import maps_cpu, states
from solvers.algorithms.held_karp.qin_han.plan import MAX_CITIES, QinHanPlan, capacity, max_cities, too_large_reason
from solvers.algorithms.held_karp.solver import HeldKarp
from solvers.algorithms.held_karp.variants import VARIANTS, QinHanVariant
from solvers.core import machine
from solvers.core.devices import Device
from solvers.core.errors import InstanceTooLarge
from solvers.core.events import Front, Layers, Progress, Started
from solvers.gpu.limits import BOUNDLESS
from solvers.plan import plan_stage
from tests.solver_runs import collect_events, make_spec, planar, replay_events
from tests.solvers.algorithms.held_karp.layers import cpu_bests, draw_distances, explicit_instance
from tests.tables import each_row

ON_CORES = [variant.name for variant in VARIANTS if isinstance(variant, QinHanVariant) and variant.device == "cpu"]


def edges_sum(distances: np.ndarray, cities) -> int:
    return sum(int(distances[a, b]) for a, b in itertools.pairwise(cities))


@each_row("n", range(4, 10))
def test_no_order_of_few_cities_is_shorter(n):
    for seed in range(4):
        distances = draw_distances(n, 100 * n + seed, most=9 if seed == 0 else 300)
        best = cpu_bests(QinHanPlan(n, maps=True), distances)[-1]
        least = min(edges_sum(distances, (0, *order, 0)) for order in itertools.permutations(range(1, n)))
        assert best.length == least == edges_sum(distances, (*best.cities, 0))
        assert sorted(best.cities) == list(range(n))


@each_row("most", [2, 7, 300])
def test_path_of_each_layer_is_the_first_of_the_shortest(most):
    n = 7
    distances = draw_distances(n, most, most)
    for layer, best in enumerate(cpu_bests(QinHanPlan(n, maps=True), distances)[:-1]):
        paths = [(0, *path) for path in itertools.permutations(range(1, n), layer + 1)]
        lengths = [edges_sum(distances, path) for path in paths]
        assert best.length == min(lengths) == edges_sum(distances, best.cities)
        first = min(
            (path[-1], sum(1 << city for city in path[:-1]))
            for path, length in zip(paths, lengths, strict=True)
            if length == best.length
        )
        assert (best.cities[-1], sum(1 << city for city in best.cities[:-1])) == first


@each_row("threads", [2, 3, 7])
def test_threads_and_slices_change_nothing(threads, monkeypatch):
    distances, plan = draw_distances(13, 3, most=20), QinHanPlan(13, maps=True)
    one = cpu_bests(plan, distances)
    monkeypatch.setattr(cpu, "SLICE_SECONDS", 1e-4)
    monkeypatch.setattr(cpu, "_PIECE", 1 << 8)
    monkeypatch.setattr(cpu, "_BYTES", 1 << 8)
    assert cpu_bests(plan, distances, threads) == one


@each_row("kind", ["burma14", "ulysses16", "gr17", "euclidean", "explicit"])
@each_row("variant", [name for name in ON_CORES if name != "qin-han-mpi"])
def test_a_run_proves_its_tour_on_every_kind_of_instance(variant, kind):
    result = {
        "euclidean": lambda: planar("EUC_2D", 12, 1000, 3),
        "explicit": lambda: explicit_instance(draw_distances(12, 3, 5)),
    }
    instance = result.get(kind, lambda: load(kind))()
    events = collect_events(instance, make_spec("held-karp", variant=variant))
    end, ours = events[-1], collect_events(instance, make_spec("held-karp", variant="sequential"))[-1]
    assert end.length == ours.length == tour_length(instance, end.order)
    assert next(event for event in events if isinstance(event, Started)).variant == variant
    fronts = [event for event in events if isinstance(event, Front)]
    assert [event.proven for event in fronts] == [False] * (len(fronts) - 1) + [True]


def test_run_reports_its_layers():
    events = collect_events(load("burma14"), make_spec("held-karp", variant="qin-han-sequential"))
    answer, plan = next(event for event in events if isinstance(event, Layers)), QinHanPlan(14, maps=True)
    assert (answer.inner, answer.outer, len(answer.states)) == (0, 13, 14)
    assert answer.states.tolist() == [plan.states(layer) for layer in range(14)]
    fronts = [event for event in events if isinstance(event, Front)]
    for name in ("subsets", "states", "transitions"):
        column = np.concatenate([getattr(event, name) for event in fronts])
        assert np.all(np.diff(column) >= 0)
        assert column[-1] == getattr(answer, name).sum()
    assert events[-1].evaluations == plan.all_transitions
    assert events[-1].iterations == 14
    totals = np.concatenate([event.evaluations for event in events if isinstance(event, Progress)])
    assert totals[-1] == plan.all_transitions
    at = answer.cities.tolist().index(20)
    assert (answer.cities_transitions[at], answer.cities_bytes[at]) == (
        QinHanPlan(20, maps=True).all_transitions, QinHanPlan(20, maps=True).peak_bytes,
    )  # fmt: skip


def test_layer_is_replayed_and_a_run_may_be_cut_off():
    spec = make_spec("held-karp", variant="qin-han-openmp", budget={"iterations": 4})
    events = collect_events(load("burma14"), spec)
    assert events[-1].stop_reason == "iterations"
    assert not any(event.proven for event in events if isinstance(event, Front))
    again = replay_events(load("burma14"), make_spec("held-karp", variant="qin-han-openmp"), 3)[0]
    assert again.edges.shape == (14, 2)
    assert set(again.edges[:, 0].tolist()) == set(range(14))


@each_row("n", range(4, 13))
def test_plan_counts_match(n):
    plan = QinHanPlan(n)
    cities = range(1, n)
    for size in range(n - 1):
        sets = [set(chosen) for chosen in itertools.combinations(cities, size)]
        pairs = [(city, chosen) for chosen in sets for city in cities if city not in chosen]
        assert (plan.subsets(size), plan.states(size)) == (len(sets), len(pairs))
        assert plan.transitions(size) == sum(len(chosen) for _, chosen in pairs)
    assert (plan.subsets(n - 1), plan.states(n - 1), plan.transitions(n - 1)) == (1, 1, n - 1)
    assert plan.all_transitions == (n - 1) * (n - 2) * 2 ** (n - 3) + n - 1


@each_row("maps", [False, True])
def test_bytes_match_the_arrays(maps):
    n = 12
    plan, distances = QinHanPlan(n, maps), draw_distances(n, 1)
    if maps:
        tables, lists = cpu.allocate_maps(plan, distances), cpu.allocate_lists(plan)
        assert plan.peak_bytes == sum(array.nbytes for array in (tables.keys, tables.values, *lists))
    else:
        assert plan.peak_bytes == 4 * (n - 1) * 2 ** (n - 1)  # section 2.1.2: f[N-1][2^(N-1)]


@each_row("count", [1, 2, 3, 4, 7, 8, 48_620])
def test_maps_are_at_most_half_full(count):
    assert count / 4 <= capacity(count) / 4 <= count <= capacity(count) / 2
    assert capacity(count).bit_count() == 1


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@each_row(("bits", "size"), [(1, 0), (1, 1), (5, 2), (8, 4), (9, 3), (9, 9), (12, 6)])
def test_numbers_become_sets_in_order(bits, size):
    choose = np.array([[math.comb(p, k) for p in range(states.ROW)] for k in range(states.ROW)], np.uint64)
    choose = np.minimum(choose, 2**32 - 1).astype(np.uint32).reshape(-1)
    expected = sorted(sum(1 << city for city in chosen) for chosen in itertools.combinations(range(bits), size))
    found = [int(states.unrank(choose, 0, bits, size, rank)) for rank in range(len(expected))]
    assert found == expected


def test_states_are_compressed_as_in_the_paper():
    # section 2.1.2, for 5 cities: the city's own bit, counted from 1, is skipped
    for city, cities, state in ((1, 0b0110, 0b011), (3, 0b1000, 0b100), (2, 0, 0)):
        assert int(states.compress(np.uint32(cities), np.uint32(city - 1))) == state
        assert int(states.expand(np.uint32(state), np.uint32(city - 1))) == cities


@each_row(("cities", "size"), [(1, 0), (4, 1), (5, 3), (9, 4), (10, 9)])
def test_lists_match_itertools(cities, size):
    sets = np.empty((math.comb(cities, size), size), np.uint8)
    maps_cpu.list_sets(sets, cities, 0, len(sets) // 2)
    maps_cpu.list_sets(sets, cities, len(sets) // 2, len(sets))
    assert [tuple(each) for each in sets.tolist()] == list(itertools.combinations(range(cities), size))


def test_the_limits_of_the_paper_follow_from_memory():
    # section 3.2.7: 27 cities on an RTX 2080, which has 8 GB; 3.1.1: memory ends above 25 on a machine of its day
    assert max_cities(False, 8 << 30) == 27
    assert max_cities(True, 8 << 30) == 25
    for maps in (False, True):
        for memory in (10**7, 10**9, 10**10):
            most = max_cities(maps, memory)
            assert (1 + SPARE) * QinHanPlan(most, maps).peak_bytes <= memory
            assert memory < (1 + SPARE) * QinHanPlan(most + 1, maps).peak_bytes
            assert not too_large_reason(most, maps, memory)
            assert too_large_reason(most + 1, maps, memory).endswith(f"use at most {most}.")
    assert not too_large_reason(MAX_CITIES, True, 0)
    assert "not of 33" in too_large_reason(MAX_CITIES + 1, True, 0)


@each_row("variant", ["qin-han-openmp", "qin-han-mpi", "qin-han"])
def test_requirements_are_reported_before_the_start(variant, monkeypatch):
    solver = HeldKarp()
    monkeypatch.setattr(machine, "available_bytes", lambda: 10**10)
    monkeypatch.setattr(machine, "shared_bytes", lambda: 10**6)
    devices = [Device("cpu", "A CPU"), Device("cuda", "A GPU", memory=10**10)]
    stage = plan_stage(solver, solver.params(variant=variant), "auto", load("gr24"), machine.Machine(devices))
    row, sentence = stage.variant, stage.needs()
    plan = QinHanPlan(24, row.maps)
    assert re.match(r"24 cities need [\d.]+ [GM]B of memory", sentence)
    assert ("in each process" in sentence) == (variant == "qin-han-mpi")
    assert not row.unavailable_reason("EXPLICIT", 24, BOUNDLESS, int(1.04 * plan.peak_bytes))
    assert "use at most 23" in row.unavailable_reason("EXPLICIT", 24, BOUNDLESS, plan.peak_bytes)


def test_too_many_cities_are_refused_before_allocation(monkeypatch):
    with pytest.raises(InstanceTooLarge, match="not of 1,002"):
        collect_events(load("pr1002"), make_spec("held-karp", variant="qin-han-openmp"))
    monkeypatch.setattr("solvers.algorithms.held_karp.solver.available_bytes", lambda: 10**6)
    with pytest.raises(InstanceTooLarge, match=r"for 24 cities needs .* 1 MB are available: use at most"):
        collect_events(load("gr24"), make_spec("held-karp", variant="qin-han-openmp"))


def test_tours_beyond_four_bytes_are_refused():
    distances = draw_distances(8, 1) + UNREACHED[4] // 4
    np.fill_diagonal(distances, 0)
    with pytest.raises(InstanceTooLarge, match="4 bytes a length"):
        collect_events(explicit_instance(distances), make_spec("held-karp", variant="qin-han-openmp"))
