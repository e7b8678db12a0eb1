"""Directed instances and missing edges: the algorithms that accept them, against brute force, and refusals."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from data.collection.resolve import load
from data.distances import distance_matrix, tour_length
from data.generators import directed
from data.instance import Instance
from data.tsplib.normal_form import assemble
from runs.imports.lengths import LengthChecker
from runs.store.tour_timeline import build_order
from solvers import find
from solvers.algorithms.annealing.cpu import ChainWorker
from solvers.algorithms.annealing.directed import DirectedChainWorker
from solvers.algorithms.annealing.kernels import anneal_cpu, insertion_cpu
from solvers.algorithms.held_karp.plan import Plan
from solvers.algorithms.lin_kernighan.directed_cpu import DirectedSearch, Pairs
from solvers.algorithms.lin_kernighan.kernels.assignment_cpu import assign
from solvers.algorithms.lin_kernighan.params import LinKernighanParams
from solvers.algorithms.tabu.cpu import DirectedSearchWorker, SearchWorker
from solvers.algorithms.tabu.kernels import insertions_cpu, tabu_cpu
from solvers.core.errors import DeviceUnavailable, InstanceTooLarge
from solvers.core.events import Edges, Finished, Front, Moves, Rows, Tour
from solvers.core.machine import Machine
from solvers.core.stop import Budget
from solvers.parallel.thread_team import ThreadTeam
from solvers.plan import plan, supports_directed
from solvers.run import prepare, recompute_start, run
from solvers.spec import RunSpec, Stage
from solvers.worker.frames import decode, decode_instance, encode_event_frame, encode_instance_frame
from tests import naive
from tests.solver_runs import OURS, collect_climbs, collect_events, make_spec, replay_events, small_params, story
from tests.tables import each_row

pytestmark = pytest.mark.slow

NAME = "simulated-annealing"
FEW = {"chains": 3, "moves_per_city": 30, "final_temperature_ratio": 0.2}


def instance_from(matrix: np.ndarray, missing: np.ndarray | None = None) -> Instance:
    """An instance of a matrix."""
    return assemble("m", "EXPLICIT", "inline", weights=matrix.astype(np.int32), missing=missing)


def random_instance(n: int, seed: int, most: int = 100) -> Instance:
    """An instance with random weights."""
    return instance_from(np.random.default_rng(seed).integers(0, most, (n, n)))


def brute_force(instance: Instance) -> int:
    """The length of the shortest tour, by brute force."""
    others = itertools.permutations(range(1, instance.n))
    return min(tour_length(instance, np.array([0, *order])) for order in others)


matrices = st.integers(2, 7).flatmap(lambda n: arrays.arrays(np.int32, (n, n), elements=st.integers(0, 20)))


@settings(max_examples=60, deadline=None)
@given(matrices, st.integers(0, 50))
def test_greedy_takes_the_shortest_feasible_edge(matrix, seed):
    instance = instance_from(matrix)
    if not instance.directed:
        return
    n, weights, chosen = instance.n, instance.weights, naive.greedy_directed_edges(instance.weights.tolist())
    (left,), (entered,) = (set(range(n)) - {edge[end] for edge in chosen} for end in (0, 1))
    events = collect_events(instance, make_spec("greedy", seed))
    edges = next(event for event in events if isinstance(event, Edges))
    assert [*map(tuple, edges.edges.tolist())] == [*chosen, (left, entered)]
    assert edges.delta.tolist() == [weights[a, b] for a, b in edges.edges]
    assert edges.delta.sum() == events[-1].length == tour_length(instance, events[-1].order)
    assert np.array_equal(
        build_order(edges.edges, n, directed=True), np.roll(events[-1].order, -int(np.argmin(events[-1].order)))
    )


@settings(max_examples=30, deadline=None)
@given(matrices, st.integers(0, 50))
def test_nearest_neighbour_follows_the_tours_direction(matrix, seed):
    instance = instance_from(matrix)
    order = collect_events(instance, make_spec("nearest-neighbour", seed, starts=1))[-1].order.tolist()
    for place in range(1, instance.n):
        here, left = order[place - 1], order[place:]
        assert order[place] == min(left, key=lambda city: (instance.weights[here, city], city))


@settings(max_examples=40, deadline=None)
@given(matrices, st.integers(0, 50))
def test_annealing_finds_the_shortest_tour_of_few_cities(matrix, seed):
    instance = instance_from(matrix)
    events = collect_events(instance, make_spec(NAME, seed, **FEW | {"variant": "sequential"}))
    assert events[-1].length >= brute_force(instance)
    if instance.n <= 5:
        assert events[-1].length == brute_force(instance)
    assert tour_length(instance, events[-1].order) == events[-1].length


@pytest.mark.long
@pytest.mark.parametrize("name", ["br17", "ftv33", "ft53"])
def test_annealing_finds_known_optima(name):
    instance = load(name)
    events = collect_events(instance, make_spec(NAME, 1, chains=4, variant="sequential"))
    assert events[-1].length == instance.optimum


def test_annealing_ends_without_improving_insertions():
    instance = directed(40, 5)
    events = collect_events(instance, make_spec(NAME, 3, **FEW | {"chains": 1, "variant": "sequential"}))
    order, length = events[-1].order.tolist(), events[-1].length
    n = instance.n
    for s in range(n):
        for many in range(1, insertion_cpu.MAX_PATH_CITIES + 1):
            turned = order[s:] + order[:s]
            path, rest = turned[:many], turned[many:]
            for at in range(1, len(rest)):
                other = rest[:at] + path + rest[at:]
                assert tour_length(instance, np.array(other)) >= length


@each_row("finish", ["none", "best", "2-opt"])
def test_the_record_of_annealing_is_exact(finish):
    """Each reversal is measured separately; three of them are an insertion, so directions are preserved."""
    instance = random_instance(25, 4)
    events = collect_events(instance, make_spec(NAME, 2, **FEW | {"variant": "sequential", "finish": finish}))
    measured, seen = LengthChecker(instance), 0
    for event in events:
        frame = decode(encode_event_frame(event, 0.0))
        measured.measure_climb(frame)
        if isinstance(event, Tour):
            measured.measure_tour(frame)
    for climb in collect_climbs(events).values():
        order, length = list(climb.start), climb.length
        assert tour_length(instance, np.array(order)) == length
        for number, (i, j, delta) in enumerate(climb.moves, 1):
            order[i + 1 : j + 1] = order[i + 1 : j + 1][::-1]
            length += delta
            if number % insertion_cpu.REVERSALS == 0:
                assert tour_length(instance, np.array(order)) == length
            seen += 1
        assert len(climb.moves) % insertion_cpu.REVERSALS == 0
    assert seen > 100


def test_imports_refuse_wrong_changes_of_directed_moves():
    instance = random_instance(12, 4)
    events = collect_events(instance, make_spec(NAME, 2, **FEW | {"chains": 1, "variant": "sequential"}))
    moves = next(event for event in events if isinstance(event, Moves) and event.i.size > 3)
    moves.delta[1] += 1
    moves.delta[2] -= 1
    with pytest.raises(ValueError, match="wrong"):
        LengthChecker(instance).measure_climb(decode(encode_event_frame(moves, 0.0)))


def test_replays_threads_and_slices_do_not_change_chains(monkeypatch):
    instance = directed(30, 1)
    one = collect_events(instance, make_spec(NAME, 9, **FEW | {"variant": "sequential"}))
    two = collect_events(instance, make_spec(NAME, 9, **FEW | {"variant": "cpu"}))
    assert story(one)["rows"] == story(two)["rows"]
    assert story(one)["climbs"] == story(two)["climbs"]
    monkeypatch.setattr("solvers.algorithms.annealing.cpu.SLICE_SECONDS", 1e-4)
    monkeypatch.setattr("solvers.algorithms.annealing.cpu.FIRST_SLICE_SECONDS", 1e-4)
    monkeypatch.setattr("solvers.algorithms.annealing.cpu._WORK_RATE", 1e6)
    three = collect_events(instance, make_spec(NAME, 9, **FEW | {"variant": "sequential"}))
    assert story(three)["climbs"] == story(one)["climbs"]
    again = collect_climbs(replay_events(instance, make_spec(NAME, 9, **FEW | {"variant": "sequential"}), 2))
    assert again == {2: story(one)["climbs"][2]}


@each_row(("algorithm", "params"), [(NAME, FEW), ("two-opt", {"climbers": 1})])
def test_too_long_distances_are_refused(algorithm, params):
    matrix = np.random.default_rng(1).integers(0, 2**29, (20, 20))
    with pytest.raises(InstanceTooLarge, match="32 bits"):
        collect_events(instance_from(matrix), make_spec(algorithm, 1, variant="sequential", **params))


LK = {"variant": "cpu", "rounds": 5}


@settings(max_examples=15, deadline=None)
@given(matrices, st.integers(0, 50))
def test_assignment_prices_prove_its_solution(matrix, seed):
    leave, enter = np.empty((2, len(matrix)), np.int64)
    assign(matrix, leave, enter)
    n = len(matrix)
    off_diagonal = ~np.eye(n, dtype=bool)
    assert (matrix - leave[:, None] - enter)[off_diagonal].min() >= 0
    orders = (order for order in itertools.permutations(range(n)) if all(a != b for a, b in enumerate(order)))
    assert leave.sum() + enter.sum() == min(sum(matrix[a, b] for a, b in enumerate(order)) for order in orders)


@settings(max_examples=15, deadline=None)
@given(matrices, st.integers(0, 50), st.sampled_from([1, -(10**6), 2**24]))
def test_lin_kernighan_finds_the_shortest_tour_of_few_cities(matrix, seed, unit):
    """Lengths that do not fit the doubled instance are divided; negative ones work too."""
    instance = instance_from(matrix.astype(np.int64) * unit)
    end = collect_events(instance, make_spec("lin-kernighan", seed, **LK))[-1]
    assert end.length == brute_force(instance) == tour_length(instance, end.order)


@pytest.mark.parametrize("tours", [0, 24])
def test_lin_kernighan_never_separates_a_pair(tours):
    instance, team = directed(40, 3), ThreadTeam(1)
    params = LinKernighanParams(tours=tours, kicks=30)
    pairs = Pairs(distance_matrix(instance), params, team)
    search = DirectedSearch(pairs, pairs.start, 1, params, None, team)
    for _ in range(8):
        while not search.round_over:
            search.advance(1 << 40)
        paired = search._search.order
        assert {*paired[::2] % 40} == {*paired[1::2] % 40} == {*range(40)}
        joined = {frozenset(each) for each in zip(paired.tolist(), np.roll(paired, -1).tolist(), strict=True)}
        assert all(frozenset((city, city + 40)) in joined for city in range(40))
        result = search.end_round()
        assert result.length == tour_length(instance, result.order)
        search.start_round()
    search.close()
    assert result.length < tour_length(instance, pairs.start)


def test_cities_at_equal_distances_have_different_candidates():
    pairs = Pairs(np.ones((40, 40), np.int32), LinKernighanParams(), ThreadTeam(1))
    assert np.bincount(pairs.cities.near.ravel()).max() < 20


@each_row("name", ["ry48p", "ftv170", "rbg323"])
def test_lin_kernighan_finds_known_optima(name):
    instance = load(name)
    spec = replace(make_spec("lin-kernighan", 1, variant="cpu", rounds=40), budget=Budget(target=instance.optimum))
    assert collect_events(instance, spec)[-1].length == instance.optimum


def test_the_record_of_lin_kernighan_is_exact_and_replayed(monkeypatch):
    instance = directed(30, 4)
    spec = make_spec("lin-kernighan", 3, **LK)
    events = collect_events(instance, spec)
    climbs = collect_climbs(events)
    insertions = []
    for climb in climbs.values():
        order, length = list(climb.start), climb.length
        insertions.append(len(climb.moves) / insertion_cpu.REVERSALS)
        for first in range(0, len(climb.moves), insertion_cpu.REVERSALS):
            assert tour_length(instance, np.array(order)) == length
            both, one, other = climb.moves[first : first + insertion_cpu.REVERSALS]
            assert (one[0], other[0], other[1]) == (both[0], one[1], both[1])
            for i, j, delta in (both, one, other):
                order[i + 1 : j + 1] = order[i + 1 : j + 1][::-1]
                length += delta
        assert tour_length(instance, np.array(order)) == length
    assert sum(insertions) > 10
    rows = [event for event in events if isinstance(event, Rows)]
    assert np.concatenate([row.moves for row in rows]).tolist() == insertions
    assert collect_climbs(replay_events(instance, spec, 3))[3].moves == climbs[3].moves
    monkeypatch.setattr("solvers.algorithms.lin_kernighan.run.ThreadTeam", lambda threads: ThreadTeam(1))
    monkeypatch.setattr("solvers.algorithms.lin_kernighan.cpu._PACE", 1e5)
    assert story(collect_events(instance, spec)) == story(events)


def test_random_and_given_tours_are_measured_in_their_direction():
    instance = random_instance(9, 1)
    end = collect_events(instance, make_spec("random", 1, samples=50))[-1]
    assert end.length == tour_length(instance, end.order)
    order = [3, 1, 0, 2, 8, 7, 5, 4, 6]
    forth, back = (collect_events(instance, make_spec("given", 1, tour=each))[-1] for each in (order, order[::-1]))
    assert forth.length == tour_length(instance, np.array(order)) != back.length


@pytest.mark.parametrize("solver", OURS, ids=lambda solver: solver.name)
def test_every_algorithm_accepts_a_directed_instance_or_suggests_another(solver):
    instance = random_instance(6, 2)
    if supports_directed(solver):
        end = collect_events(instance, RunSpec({"name": "t"}, (Stage(solver.name, small_params(solver)),)))[-1]
        assert isinstance(end, Finished)
        assert end.length == tour_length(instance, end.order)
        return
    with pytest.raises(DeviceUnavailable, match="for a directed instance use") as refused:
        collect_events(instance, make_spec(solver.name))
    assert str(refused.value).count(".") == 1


@each_row(
    ("algorithm", "variant"),
    [(solver.name, each.name) for solver in OURS for each in solver.variants if not each.directed],
)
def test_symmetric_variants_are_refused(algorithm, variant):
    instance = random_instance(6, 2)
    chosen = {"variant": variant} if len(find(algorithm).variants) > 1 else {}
    prepared = prepare(RunSpec({"name": "t"}, (Stage(algorithm, chosen),)))
    sentence = str(plan(prepared, instance, Machine(())).refusal)
    assert "for a directed instance use" in sentence
    assert sentence.count(".") == 1
    with pytest.raises(DeviceUnavailable, match="for a directed instance use"):
        next(run(prepared, instance))
    symmetric = instance_from(instance.weights + instance.weights.T)
    assert not isinstance(plan(prepared, symmetric, Machine(())).refusal, DeviceUnavailable)


def test_directed_kernels_are_separate():
    """A tabu search never anneals, although its worker extends that of a chain, and neither disturbs the other."""
    symmetric = load("burma14")
    specs = [make_spec("tabu-search", 2), make_spec(NAME, 2, **FEW | {"variant": "sequential"})]
    before = [story(collect_events(symmetric, spec))["rows"] for spec in specs]
    collect_events(random_instance(14, 1), specs[1])
    assert [story(collect_events(symmetric, spec))["rows"] for spec in specs] == before
    workers = (ChainWorker, DirectedChainWorker, SearchWorker, DirectedSearchWorker)
    assert [each._advance for each in workers] == [
        anneal_cpu.advance,
        insertion_cpu.advance_insertions,
        tabu_cpu.advance,
        insertions_cpu.advance_insertions,
    ]


def test_earlier_stage_is_refused_too_and_start_tours_are_kept():
    instance = random_instance(8, 3)
    stages = (Stage("christofides", {}), Stage(NAME, FEW))
    prepared = prepare(RunSpec({"name": "t"}, stages))
    assert str(plan(prepared, instance, Machine(())).refusal).startswith("Christofides")
    prepared = prepare(RunSpec({"name": "t"}, (Stage("greedy", {}), Stage(NAME, FEW | {"variant": "sequential"}))))
    events = list(run(prepared, instance))
    start = recompute_start(plan(prepared, instance, Machine()))
    first = next(event for event in events if isinstance(event, Moves))
    assert np.array_equal(first.tours[0], start)
    assert first.length[0] == tour_length(instance, start)


def test_frames_carry_directions_and_missing_edges():
    matrix = np.random.default_rng(2).integers(1, 9, (5, 5))
    missing = np.zeros((5, 5), bool)
    missing[1, 3] = True
    instance = instance_from(matrix, missing)
    again = decode_instance(decode(encode_instance_frame(instance)))
    assert (again.directed, again.missing, again.missing_weight) == (True, 1, instance.missing_weight)
    frame = decode(encode_instance_frame(instance))
    for name in ("directed", "missing", "missing_weight"):
        del frame.values[name]
    assert not decode_instance(frame).directed  # of an earlier release
    frame.values["missing_weight"] = 2**40
    with pytest.raises(ValueError, match="missing edges"):
        decode_instance(frame)


@each_row("variant", ["sequential", "cpu"])
@each_row("n", range(3, 13))
@each_row("most", [10, 2000, 200_000, 300_000_000])
def test_held_karp_matches_a_plain_implementation(n, most, variant):
    """For each size of a state, and both parities of the number of cities."""
    instance = random_instance(n, most % 97, most)
    *events, end = collect_events(instance, make_spec("held-karp", variant=variant))
    assert end.length == naive.held_karp(instance.weights.tolist()) == tour_length(instance, end.order)
    assert any(isinstance(event, Front) and event.proven for event in events)
    turned = instance_from(instance.weights.T.copy())
    assert collect_events(turned, make_spec("held-karp", variant="sequential"))[-1].length == end.length


def test_held_karp_agrees_with_annealing_on_more_cities():
    instance = load("br17")
    for variant in ("sequential", "cpu"):
        assert collect_events(instance, make_spec("held-karp", variant=variant))[-1].length == instance.optimum
    instance = directed(19, 8)
    proven = collect_events(instance, make_spec("held-karp", variant="cpu"))[-1].length
    assert collect_events(instance, make_spec(NAME, 1, chains=3, variant="sequential"))[-1].length == proven


def test_both_directions_are_counted():
    """Every layer has twice the work of a symmetric instance, and twice the memory."""
    for n in range(4, 25):
        for item in (2, 4, 8):
            one, both = Plan(n, item), Plan(n, item, directed=True)
            assert both.peak_bytes == 2 * one.peak_bytes
            for layer in range(one.layers):
                assert both.transitions(layer) == 2 * one.transitions(layer)
                assert both.states(layer) == 2 * one.states(layer)
                assert both.subsets(layer) == 2 * one.subsets(layer)
