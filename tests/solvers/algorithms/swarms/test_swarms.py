"""Particles and bees against simple code, and against themselves with other threads and slices."""

from contextlib import closing

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.collection.resolve import load
from data.distances import check_tour, distance_matrix, tour_length
from data.generators import directed, uniform
from solvers.algorithms.swarms import swarm as shared
from solvers.algorithms.swarms.bees.colony import BeeColony
from solvers.algorithms.swarms.bees.params import CHANGES, BeeParams
from solvers.algorithms.swarms.kernels import bees_cpu, particles_cpu, swaps_cpu
from solvers.algorithms.swarms.particles.params import ParticleParams
from solvers.algorithms.swarms.particles.swarm import ParticleSwarm
from solvers.core.errors import InstanceTooLarge
from solvers.core.events import Edges, Individuals, Population, Rows
from solvers.core.solver import Job
from solvers.core.stop import Budget
from solvers.parallel import population
from tests import naive
from tests.plain_kernels import interpret
from tests.solver_runs import KINDS, collect_events, events_within, make_spec, story
from tests.solvers.algorithms.swarms import naive_swarms
from tests.tables import each_row

pytestmark = pytest.mark.slow

NAMES = ("particle-swarm", "artificial-bee-colony")
add, subtract, compress = map(interpret, (swaps_cpu.add, swaps_cpu.subtract, swaps_cpu.compress))
scale, length_change, make = map(interpret, (particles_cpu.scale, bees_cpu.length_change, bees_cpu.make))


def make_job(instance, params, seed=5):
    return Job(instance, params, seed, "cpu", Budget().start())


def run_on(swarm):
    while swarm.advance() is None:
        pass


@st.composite
def velocities(draw):
    """Two tours of the same cities, and two sequences of swaps."""
    n = draw(st.integers(1, 12))
    tours = [draw(st.permutations(range(n))) for _ in range(2)]
    place = st.integers(0, n - 1)
    return *tours, *(draw(st.lists(st.tuples(place, place), max_size=30)) for _ in range(2))


def make_arrays(n, swaps=()):
    rows = np.zeros((max(60, 3 * n), 2), np.int32)
    rows[: len(swaps)] = np.array(swaps, np.int32).reshape(-1, 2)
    return rows, [np.zeros(n, np.int32) for _ in range(3)]


def add_velocity(tour, rows, count):
    order = np.array(tour, np.int32)
    add(order, rows, count)
    return order.tolist()


@settings(max_examples=60)
@given(velocities())
def test_positions_and_velocities_form_an_algebra(drawn):
    tour, goal, one, other = drawn
    n = len(tour)
    rows, (place, _, _) = make_arrays(n)
    reached = np.array(tour, np.int32)
    count = subtract(np.array(goal, np.int32), reached, place, rows, 0)
    assert count <= max(0, n - 1)
    assert reached.tolist() == list(goal)
    assert add_velocity(tour, rows, count) == list(goal), "x + (y - x) = y"
    assert [tuple(row) for row in rows[:count].tolist()] == naive_swarms.minus(list(goal), list(tour))
    there = add_velocity(tour, make_arrays(n, one)[0], len(one))
    both = make_arrays(n, one + other)[0]
    assert add_velocity(tour, both, len(one + other)) == add_velocity(there, make_arrays(n, other)[0], len(other)), (
        "v + w is v, then w"
    )
    back = make_arrays(n, one[::-1])[0]
    assert add_velocity(there, back, len(one)) == list(tour), "(x + v) - v = x"
    short, scratch = make_arrays(n, one)
    count = compress(short, len(one), *scratch)
    assert count <= max(0, n - 1)
    assert add_velocity(tour, short, count) == there, "a shorter sequence does the same"


@settings(max_examples=50)
@given(st.integers(0, 20), st.floats(0.0, 2.0), st.booleans(), st.integers(0, 9))
def test_share_of_a_velocity_keeps_swaps_in_order(count, weight, by_chance, step):
    rows = np.stack([np.arange(30), np.arange(30)], axis=1).astype(np.int32)
    words = np.uint64(7), np.uint64(3), np.uint64(step)
    end = scale(rows, 4, 4 + count, weight, by_chance, *words)
    stored = rows[4:end, 0].tolist()
    if by_chance:
        assert stored == [4 + k for k in range(count) if naive_swarms.uniform(7, 3, step + k) < weight]
    else:
        assert stored == [4 + k for k in range(int(min(1.0, weight) * count))]
    assert rows[:4, 0].tolist() == [0, 1, 2, 3]


DIRECTED = {"directed": lambda: directed(12, 3)}
WEIGHTS = {"usual": (0.3, 2.0, 0.1), "fast": (1.0, 1.5, 1.5), "still": (0.0, 0.0, 0.0)}


@each_row("share", ["first", "random"])
@each_row("weights", WEIGHTS)
@each_row("kind", ["grid", "explicit", "crowded", "ceil", "att", "fractions", "directed"])
def test_particles_match_the_naive_ones(kind, weights, share):
    instance = (KINDS | DIRECTED)[kind]()
    inertia, cognitive, social = WEIGHTS[weights]
    params = ParticleParams(particles=6, inertia=inertia, cognitive=cognitive, social=social, share=share)
    swarm = ParticleSwarm(make_job(instance, params), 1)
    matrix = distance_matrix(instance).tolist()
    expected = naive_swarms.Particles(matrix, 6, 5, WEIGHTS[weights], share == "random")
    for _ in range(12):
        run_on(swarm)
        expected.iterate()
        assert swarm.tours.tolist() == expected.tours
        assert swarm.lengths.tolist() == [expected.length(tour) for tour in expected.tours]
        assert swarm.best_length == min(swarm.lengths)
    swarm.close()


@each_row("change", CHANGES)
@each_row("kind", ["grid", "explicit", "crowded", "ceil", "att", "fractions", "directed"])
def test_bees_match_the_naive_ones(kind, change):
    instance, limit = (KINDS | DIRECTED)[kind](), 5
    colony = BeeColony(make_job(instance, BeeParams(sources=6, change=change, limit=limit)), 1)
    expected = naive_swarms.Bees(distance_matrix(instance).tolist(), 6, 5, CHANGES.index(change), limit)
    for _ in range(40):
        run_on(colony)
        expected.iterate()
        assert colony.tours.tolist() == expected.tours
        assert colony.lengths.tolist() == [expected.length(tour) for tour in expected.tours]
    assert colony.scouts == expected.scouts > 0
    colony.close()


@settings(max_examples=80)
@given(st.integers(4, 9), st.integers(0, 10**6), st.booleans(), st.data())
def test_changes_of_length_are_exact(n, seed, is_directed, data):
    matrix = distance_matrix((directed if is_directed else uniform)(n, seed)).tolist()
    tour = data.draw(st.permutations(range(n)))
    i, j = (data.draw(st.integers(0, n - 1)) for _ in range(2))
    distance, length = np.array(matrix, np.int32).reshape(-1), naive.naive_length(matrix, tour)
    for kind in range(3):
        if i == j or (kind != bees_cpu.INSERTION and i > j):
            continue
        order = np.array(tour, np.int32)
        change = length_change(distance, order, kind, i, j, is_directed)
        make(order, kind, i, j)
        assert order.tolist() == naive_swarms.apply_change(tour, kind, i, j)
        assert naive.naive_length(matrix, order.tolist()) == length + change


def test_onlookers_prefer_shorter_tours_in_proportion_to_their_fitness():
    lengths, bees = np.array([1, 3, 7, 1], np.int64), np.zeros(4, np.int32)
    sources = bees_cpu.Sources(np.zeros((4, 4), np.int32), lengths, *np.zeros((2, 4), np.int64), bees)
    bees_cpu.choose(sources, 40_000, np.uint64(3), 1 << 40, np.uint64(0), np.empty(4))
    assert bees.sum() == 40_000
    fitness = [1 / (1 + length) for length in lengths.tolist()]
    expected = {k: 40_000 * value / sum(fitness) for k, value in enumerate(fitness)}
    assert naive.chi_square(dict(enumerate(bees.tolist())), expected) < 16.3  # one in a thousand, three degrees


def test_source_is_abandoned_after_too_many_failed_trials():
    colony = BeeColony(make_job(load("burma14"), BeeParams(sources=1, limit=30)), 1)
    failed, before = colony._sources.failed, colony.tours[0].tolist()
    for _ in range(400):
        last, before = int(failed[0]), colony.tours[0].tolist()
        run_on(colony)
        if colony.scouts:
            break
        assert failed[0] <= 30
    assert last > 28
    assert failed[0] == 0
    assert sorted(colony.tours[0].tolist()) == [*range(14)]
    assert colony.tours[0].tolist() != before
    assert colony.best_length <= colony.lengths[0]
    colony.close()


@each_row("name", NAMES)
@each_row("n", [1, 2, 3, 4, 5])
@each_row("local", ["none", "every"])
@each_row("generate", [uniform, directed])
def test_few_cities(generate, name, n, local):
    instance = generate(n, 7)
    end = collect_events(instance, make_spec(name, 1, None, iterations=40, local_search=local))[-1]
    check_tour(n, end.order)
    assert end.length == tour_length(instance, end.order)
    if n > 2:
        assert end.length == naive.held_karp(distance_matrix(instance).tolist())


@each_row("name", NAMES)
@each_row("local", ["none", "every"])
@each_row("instance", ["berlin52", "ry48p"])
def test_threads_slices_and_variants_do_not_matter(instance, name, local, monkeypatch):
    params, instance = {"iterations": 12, "local_search": local}, load(instance)
    usual = story(collect_events(instance, make_spec(name, 1, None, **params)))
    monkeypatch.setenv("NUMBA_NUM_THREADS", "3")
    monkeypatch.setattr(shared, "_SHARED", 0)
    assert story(collect_events(instance, make_spec(name, 1, None, **params))) == usual
    monkeypatch.setattr("solvers.algorithms.swarms.particles.swarm.WORK", 700)
    monkeypatch.setattr("solvers.algorithms.swarms.bees.colony.WORK", 20)
    monkeypatch.setattr(population, "SLICE_SECONDS", 0.0005)
    assert story(collect_events(instance, make_spec(name, 1, None, variant="sequential", **params))) == usual


@each_row("name", NAMES)
def test_local_search_makes_better_tours(name):
    for instance in map(load, ("kroA100", "kro124p")):
        with_it, without = (
            collect_events(instance, make_spec(name, 1, None, iterations=5, local_search=local))[-1].length
            for local in ("every", "none")
        )
        assert with_it < 1.1 * instance.optimum < without


@each_row("name", NAMES)
def test_each_iteration_is_reported_with_its_population(name):
    events = collect_events(load("berlin52"), make_spec(name, 1, None, iterations=9))
    lengths = np.concatenate([event.length for event in events if isinstance(event, Rows)])
    edges = {event.climber: event for event in events if isinstance(event, Edges)}
    columns = [event for event in events if isinstance(event, Population)]
    assert [int(event.iteration[0]) for event in columns] == [*range(1, 10)]
    assert len([event for event in events if isinstance(event, Individuals)]) == 9
    for at, event in enumerate(columns):
        assert event.best[0] >= lengths[at] == edges[at].delta.sum()
        assert event.best[0] <= event.mean[0] <= event.worst[0]


@each_row("name", NAMES)
def test_run_cut_in_its_first_iteration_has_a_tour(name, monkeypatch):
    monkeypatch.setattr(population, "SLICE_SECONDS", 0.0)
    monkeypatch.setattr("solvers.algorithms.swarms.particles.swarm.WORK", 1)
    monkeypatch.setattr("solvers.algorithms.swarms.bees.colony.WORK", 1)
    end = events_within(1e-9, load("berlin52"), make_spec(name))[-1]
    assert end.stop_reason == "time"
    assert end.iterations == 1
    assert end.length == tour_length(load("berlin52"), end.order)


def test_too_many_cities_are_refused():
    from solvers import find

    instance = uniform(20_001, 1)
    for name in NAMES:
        solver = find(name)
        why = solver.refusal(instance, solver.params(), "cpu")
        assert why.startswith(f"{instance.name} has 20,001 cities")
        with pytest.raises(InstanceTooLarge, match="at most 20,000"):
            collect_events(instance, make_spec(name))


@pytest.mark.parametrize("local", ["none", "every"])
def test_local_search_is_compiled_only_for_runs_that_use_it(local, monkeypatch):
    calls = []
    monkeypatch.setattr(particles_cpu, "move", lambda *arguments: calls.append(arguments))
    monkeypatch.setattr(bees_cpu, "visit", lambda *arguments: calls.append(arguments))
    for kind, params in ((ParticleSwarm, ParticleParams), (BeeColony, BeeParams)):
        job = Job(uniform(6, 1), params(local_search=local), 1, "cpu", Budget().start())
        with closing(kind(job, 1)) as swarm:
            swarm.make_loaders()[-1]()
    assert [shortens for _, _, _, shortens, *_ in calls] == 2 * [True if local == "every" else None]
