"""Runs of the genetic algorithm: independent of threads and slices, on instances of every size and kind."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.collection.resolve import load
from data.distances import check_tour, tour_length
from data.generators import directed
from solvers import find
from solvers.algorithms.genetic.edge_assembly_cpu import EdgeAssemblyPopulation
from solvers.algorithms.genetic.kernels import edge_assembly_cpu
from solvers.algorithms.genetic.memory import too_large_reason
from solvers.algorithms.genetic.order_cpu import OrderPopulation
from solvers.algorithms.genetic.params import GeneticParams
from solvers.algorithms.lin_kernighan.directed_cpu import rotate_to
from solvers.core.doubled_cities import pair, unpair, unpair_links
from solvers.core.errors import InstanceTooLarge
from solvers.core.events import Crossover, Edges, Individuals, Population, Rows
from solvers.core.solver import Job
from solvers.core.stop import Budget
from solvers.reporting.populations import find_tour_neighbours
from solvers.spec import RunSpec
from solvers.worker.frames import encode_event_frame
from tests import naive
from tests.matrices import from_weights
from tests.solver_runs import KINDS, collect_events, events_within, make_spec, planar, replay_events, story
from tests.tables import each_row

pytestmark = pytest.mark.slow

NAME = "genetic-algorithm"
FEW = {"population": 12, "offspring": 6, "generations": 15}
WAYS = [
    {}, {"selection": "entropy"}, {"e_set": "random"}, {"initial": "random"}, {"crossover": "order"},
    {"crossover": "order", "initial": "random", "mutation": 0.0},
]  # fmt: skip
IDS = [" ".join(map(str, way.values())) or "usual" for way in WAYS]


def run_solver(instance, seed=1, budget=None, **params):
    return collect_events(instance, make_spec(NAME, seed, budget, **(FEW | params)))


def of_kind(events, kind):
    return [event for event in events if isinstance(event, kind)]


@pytest.mark.parametrize("way", WAYS, ids=IDS)
@pytest.mark.parametrize("instance", [planar("EUC_2D", 90, 1000, 5), directed(40, 5)], ids=["planar", "directed"])
def test_threads_and_slices_do_not_matter(instance, way, monkeypatch):
    expected = story(run_solver(instance, variant="sequential", **way))
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        assert story(run_solver(instance, **way)) == expected
    monkeypatch.setattr("solvers.parallel.population.SLICE_SECONDS", 1e-5)
    for module in ("solvers.algorithms.genetic.edge_assembly_cpu", "solvers.algorithms.genetic.order_cpu"):
        monkeypatch.setattr(f"{module}.WORK", 1)
    for name in ("_WORKER_EDGES", "_PIECE_EDGES"):
        monkeypatch.setattr(f"solvers.algorithms.genetic.frequencies_cpu.{name}", 30)
    assert story(run_solver(instance, **way)) == expected


@each_row("way", WAYS)
@each_row("n", [1, 2, 3, 4, 5, 6, 7, 9])
def test_few_cities(n, way):
    instance = planar("EUC_2D", n, 100, n)
    end = run_solver(instance, **way)[-1]
    check_tour(n, end.order)
    if n <= 7 and "order" not in way.values():
        matrix = [[naive.distance("EUC_2D", p, q) for q in instance.coordinates] for p in instance.coordinates]
        assert end.length == (naive.held_karp(matrix) if n > 2 else naive.naive_length(matrix, list(range(n))))


@each_row("way", WAYS)
@each_row("n", [2, 3, 4, 5, 6, 7, 9])
def test_few_directed_cities(n, way):
    instance = from_weights(np.random.default_rng(n).integers(-50, 50, (n, n)))
    end = run_solver(instance, **way)[-1]
    check_tour(n, end.order)
    least = naive.held_karp(instance.weights.tolist())
    assert end.length == tour_length(instance, end.order) >= least
    assert end.length == least or n > 7 or "order" in way.values()


@settings(max_examples=50)
@given(st.integers(2, 9).flatmap(lambda n: st.lists(st.permutations(range(n)), min_size=1, max_size=4)))
def test_directed_tours_are_those_of_pairs(tours):
    orders = np.array(tours, np.int32)
    n, paired = orders.shape[1], pair(orders)
    before_and_after = np.empty((*orders.shape, 2), np.int32)
    for order, links, tour in zip(orders, before_and_after, paired, strict=True):
        links[order] = np.stack([np.roll(order, 1), np.roll(order, -1)], axis=1)
        for turned in (tour, tour[::-1], np.roll(tour, 1)):
            assert np.array_equal(rotate_to(unpair(turned), 0), rotate_to(order, 0))
    assert np.array_equal(unpair_links(find_tour_neighbours(paired)), before_and_after)
    assert np.array_equal(unpair_links(find_tour_neighbours(paired)[..., ::-1]), before_and_after)
    assert n == before_and_after.shape[1]


def test_distances_too_large_for_fixed_edges_are_refused():
    far = from_weights(np.array([[0, 2**28, 1], [1, 0, 1], [1, 1, 0]]))
    with pytest.raises(InstanceTooLarge, match="order crossover"):
        run_solver(far)
    assert run_solver(far, crossover="order", initial="random")[-1].length == 3


@each_row("way", WAYS)
@each_row("kind", KINDS)
def test_children_with_all_kinds_of_distances(kind, way):
    instance = KINDS[kind]()
    events = run_solver(instance, **way)
    assert events[-1].length == tour_length(instance, events[-1].order)
    best = [int(event.best[0]) for event in of_kind(events, Population)]
    assert best == sorted(best, reverse=True), "the best tour of a population survives"
    assert best[-1] == events[-1].length


def tour_edges(order, kind=frozenset):
    return {kind(pair) for pair in zip(order.tolist(), np.roll(order, -1).tolist(), strict=True)}


@each_row("way", WAYS)
@each_row("instance", [planar("EUC_2D", 60, 1000, 8), directed(40, 8)])
def test_parents_of_the_best_child_and_the_origin_of_its_edges_are_reported(instance, way):
    spec, kind = make_spec(NAME, 4, **(FEW | {"initial": "random"} | way)), tuple if instance.directed else frozenset
    crossovers = {event.climber: event for event in of_kind(collect_events(instance, spec), Crossover)}
    answer, inherited, made, params = 0, 0, 0, GeneticParams.from_mapping(spec.stages[0].params)
    job = Job(instance, params, spec.seed, "cpu", spec.budget.start())
    population = (OrderPopulation if way.get("crossover") else EdgeAssemblyPopulation)(job, 1)
    before: list[np.ndarray] = []
    while (number := population._number) < FEW["generations"]:
        while (generation := population.advance()) is None:
            pass
        after = [population.tour(index) for index in range(FEW["population"])]
        lengths = [tour_length(instance, tour) for tour in before]
        child, event = tour_edges(generation.order, kind), crossovers.get(number)
        is_new = bool(before) and generation.lengths.min() < lengths[int(generation.lengths.argmin())]
        assert (event is not None) == is_new
        if event is not None:
            one, other = tour_edges(before[event.first], kind), tour_edges(before[event.second], kind)
            assert (event.first_length, event.second_length) == (lengths[event.first], lengths[event.second])
            assert tour_edges(after[event.first], kind) == child  # whose place it takes
            if "crossover" not in way:  # edges of edge assembly are the parents', but where subtours were merged
                new = child - one
                inherited += len(new & other)
                made += len(new - other)
            walked = zip(generation.order.tolist(), np.roll(generation.order, -1).tolist(), strict=True)
            origin = [(edge in one) + 2 * (edge in other) for edge in map(kind, walked)]
            assert event.origin.tolist() == origin
            assert {kind(edge) for edge in event.removed.tolist()} == one - child
            assert 1 <= event.children <= FEW["offspring"]
            answer += 1
        before = after
        if generation.over:
            break
    population.close()
    assert answer == len(crossovers) > 1
    assert inherited > made or "crossover" in way


def test_population_is_reported():
    instance = load("berlin52")
    events = run_solver(instance, initial="random")
    rows, answer = of_kind(events, Population), of_kind(events, Individuals)
    assert [int(row.iteration[0]) for row in rows] == [event.iteration for event in answer]
    for row, event in zip(rows, answer, strict=True):
        assert event.size == event.lengths.size == 12
        assert (row.best[0], row.worst[0]) == (event.lengths[0], event.lengths[-1])
        assert row.mean[0] == pytest.approx(event.lengths.mean())
        assert instance.n <= row.edges[0] <= 12 * instance.n
        assert 0 <= row.shared[0] <= 1
    best = np.concatenate([event.length for event in of_kind(events, Rows)])
    assert [event.lengths[0] for event in answer] == best.tolist()
    assert [event.climber for event in of_kind(events, Edges)] == list(range(best.size))


def test_population_of_one_tour_is_finished():
    events = run_solver(load("ulysses16"), generations=1000)
    assert events[-1].stop_reason == "completed"
    assert events[-1].iterations < 100
    last = of_kind(events, Population)[-1]
    assert last.best[0] == last.worst[0]
    assert (last.edges[0], last.shared[0]) == (16, 1.0)


def test_two_tours_are_a_population():
    instance = planar("EUC_2D", 40, 1000, 3)
    for way in WAYS:
        assert run_solver(instance, population=2, **way)[-1].length > 0


def test_generation_is_recomputed():
    instance = planar("EUC_2D", 60, 1000, 7)
    for way in ({}, {"crossover": "order"}):
        spec = make_spec(NAME, 3, None, **(FEW | way))
        climbs = [event for event in collect_events(instance, spec) if isinstance(event, Crossover | Edges)]
        for number in (0, 1, climbs[-1].climber):
            recorded = [event for event in climbs if event.climber == number]
            assert [encode_event_frame(each, 0.0) for each in replay_events(instance, spec, number)] == [
                encode_event_frame(each, 0.0) for each in recorded
            ]


def test_run_starts_with_the_previous_stages_tour():
    instance = planar("EUC_2D", 60, 1000, 7)
    stages = [{"algorithm": "greedy", "params": {}}, {"algorithm": NAME, "params": FEW | {"initial": "random"}}]
    spec = RunSpec.from_json({"v": 1, "instance": {"name": "t"}, "stages": stages, "seed": 1, "budget": {}})
    greedy = collect_events(instance, make_spec("greedy"))[-1].length
    first = of_kind(collect_events(instance, spec), Population)[0]
    assert first.best[0] <= greedy


def test_run_stopped_early_has_a_tour():
    instance = planar("EUC_2D", 400, 1000, 7)
    for way in WAYS:
        end = events_within(1e-6, instance, make_spec(NAME, **(way | {"population": 2000})))[-1]
        assert end.stop_reason == "time"
        check_tour(instance.n, end.order)


def test_edge_assembly_finds_optimal_tours_and_order_crossover_improves():
    for name in ("berlin52", "kroA100", "ry48p", "kro124p"):
        instance = load(name)
        assert run_solver(instance, population=100, offspring=30, generations=60)[-1].length == instance.optimum
    instance = load("berlin52")
    usual = {"crossover": "order", "initial": "random", "population": 60, "offspring": 10}
    few, many = (run_solver(instance, generations=count, **usual)[-1].length for count in (5, 300))
    assert instance.optimum <= many < 1.2 * instance.optimum < few


@pytest.mark.long
def test_mutation_continues_where_order_crossover_alone_stops():
    instance = planar("EUC_2D", 30, 1000, 4)
    usual = {"crossover": "order", "initial": "random", "population": 4, "generations": 200}
    with_it, without = (
        sum(run_solver(instance, seed, mutation=share, **usual)[-1].length for seed in range(5)) for share in (0.5, 0.0)
    )
    assert with_it < 0.9 * without


def test_too_large_populations_are_refused_before_they_start():
    instance = planar("EUC_2D", 1000, 1000, 1)
    sentence = find(NAME).refusal(instance, GeneticParams(), "cpu")
    assert sentence == ""
    assert "GB" in too_large_reason("x", 19_000, 10_000)
    assert "20,000" in too_large_reason("x", 20_001, 2)
    assert "GB" in too_large_reason("x", 15_000, 300, doubled=True)
    assert too_large_reason("x", 15_000, 300) == ""
    job = Job(planar("EUC_2D", 3, 10, 1), GeneticParams(), 1, "cpu", Budget().start())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("solvers.algorithms.genetic.cpu.too_large_reason", lambda name, n, size, _: f"{name}: {size}")
        with pytest.raises(InstanceTooLarge, match="EUC_2D-3: 300"):
            OrderPopulation(job, 1)


def test_pairs_draw_from_their_own_streams():
    """The keys of 300 pairs in 100 generations, and those of the cycles and of the children, are different draws."""
    keys = {int(edge_assembly_cpu.stream_key.py_func(np.uint64(1), stream)) for stream in range(300, 30_300)}
    assert len(keys) == 30_000
