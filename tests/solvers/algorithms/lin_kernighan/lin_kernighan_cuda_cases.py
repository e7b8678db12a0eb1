"""Lin-Kernighan on CUDA matches the CPU kick by kick, with a shorter tour in every result.

Not collected with the other tests: see `simulated.run_cases`.
"""

from dataclasses import replace

import numpy as np
import pytest

from data.collection.resolve import load
from data.distances import check_tour, tour_length
from data.generators import uniform
from data.tsplib.normal_form import assemble
from solvers import find
from solvers.algorithms.lin_kernighan import cuda as gpu
from solvers.algorithms.lin_kernighan import large_cuda, merged_cuda, regions_cpu
from solvers.algorithms.lin_kernighan.candidates_cpu import number_cities
from solvers.algorithms.lin_kernighan.cpu import allocate
from solvers.algorithms.lin_kernighan.cuda import GpuKicks, GpuSearch
from solvers.algorithms.lin_kernighan.islands_cuda import Island, IslandSearch
from solvers.algorithms.lin_kernighan.kernels import chain_cpu, search_cpu, tour_cpu
from solvers.algorithms.lin_kernighan.kernels.apply_cpu import HEADER
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import CUT, EDGES, ENDS, ENTRIES
from solvers.algorithms.lin_kernighan.large_cuda import LargeSearch
from solvers.algorithms.lin_kernighan.merged_cuda import GpuMergedSearch
from solvers.algorithms.lin_kernighan.params import LinKernighanParams
from solvers.algorithms.lin_kernighan.schedule import Schedule
from solvers.algorithms.lin_kernighan.start_cpu import build_greedy_tour
from solvers.core.devices import cuda_devices
from solvers.core.errors import InstanceTooLarge
from solvers.core.events import Rows, Started, Tour
from solvers.kernels.device_cuda import SIMULATED
from solvers.parallel.thread_team import ThreadTeam
from tests.plain_kernels import interpret
from tests.solver_runs import KINDS, check_replays, collect_events, fit_instance, make_spec, story
from tests.solvers.simulated import cases

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::numba.core.errors.NumbaWarning")
NAME = "lin-kernighan"
#: What improving in pieces came to with the first number of threads.
DESCENTS: dict[str, list[int]] = {}
CARD = pytest.mark.skipif(SIMULATED, reason="takes too long without a card")
CARDS = 1 if SIMULATED else len(cuda_devices())
CITIES, KICKS = (14, 6) if SIMULATED else (400, 3000)
forget, kick, undo = (
    interpret(each) if SIMULATED else each for each in (chain_cpu.reset_chain, chain_cpu.kick, tour_cpu.undo)
)
EACH = cases(KINDS, ("fractions", "explicit").__contains__)


def make_cities(kind):
    return fit_instance(find("held-karp"), KINDS[kind](), CITIES) if SIMULATED else KINDS[kind]()


def make_start(instance, seed=1, optimum=True, **params):
    """A start tour on the GPU, a local optimum or a greedy one; also its cities, order and parameters."""
    chosen = LinKernighanParams(**{"kicks": KICKS, **params})
    team = ThreadTeam(1)
    cities, names = number_cities(instance, chosen.neighbours, chosen.quadrants, team)
    order = build_greedy_tour(cities, team)
    search = GpuSearch(cities, order, tour_length(instance, names[order]), seed, chosen, None)
    while optimum and search.descending:
        search.advance(1 << 40)
        search.start_round()
    return search, names, chosen


def read_results(kicks, count, first=0):
    """All results of a batch, by kick, and the number of abandoned kicks."""
    found, begin, given_up = {}, 0, 0
    while begin < count:
        begin, results, _ = kicks.launch(first, begin, count)
        given_up += kicks.abandoned
        found |= {int(row[0]): row[: HEADER + row[2]].tolist() for row in results}
    return found, given_up


def read_exchanges(row):
    """The exchanges in a result, each with its cities t_1, t_2, ...."""
    at, end = HEADER, HEADER + row[2]
    while at < end:
        yield row[at + 1 : at + 1 + 2 * row[at]]
        at += 1 + 2 * row[at]


def on_the_cpu(search, chosen, seed, at, count):
    """The exchanges of kick `at` of `count` as sets of edges, and the change in length, by the CPU kernels."""
    order, n = search.order, search.order.size
    tour, plans, chain = allocate(order, search.length, chosen.depth, 0, False)
    tour = tour._replace(saved=np.empty(300 * n, np.int32))
    forget(chain)
    bits = np.uint64(int(chain_cpu._random_bits(np.uint64(seed), np.uint64(0), np.uint64(at))))
    city = (at * n + int(chain_cpu._random_below(bits, np.uint64(n)))) // count
    change = kick(search.cities, tour, plans, chain, bits, city, chosen.walk)
    cuts = plans.plan[CUT, :4].tolist()
    change += search_cpu.descend(search.cities, tour, plans, chain, True, 1 << 60)
    rows = tour.log[: tour.marks[ENTRIES]]
    edges = [{frozenset(row[ENDS + 2 * i : ENDS + 2 * i + 2].tolist()) for i in range(row[EDGES])} for row in rows]
    undo(tour)
    return edges, int(change), [int(order[cut]) for cut in cuts]


def apply_exchanges(order, row):
    """The tour after a result's exchanges, each any set of edges, as neighbours of cities."""
    may_fork = {int(c): [int(a), int(b)] for c, a, b in zip(order, np.roll(order, 1), np.roll(order, -1), strict=True)}
    for number, cities in enumerate(read_exchanges(row)):
        pairs = list(zip(cities[::2], cities[1::2], strict=True))
        if number == 0:
            added = [(pairs[(i + 2) % 4][0], pairs[i][1]) for i in range(4)]
        else:
            added = [(pairs[i][1], pairs[(i + 1) % len(pairs)][0]) for i in range(len(pairs))]
        for a, b in pairs:
            may_fork[a].remove(b)
            may_fork[b].remove(a)
        for a, b in added:
            may_fork[a].append(b)
            may_fork[b].append(a)
    tour, before, here = [], None, 0
    while not tour or here != 0:
        tour.append(here)
        one, other = may_fork[here]
        before, here = here, other if one == before else one
        assert len(tour) <= len(order)
    return tour


@pytest.fixture
def every_kick_may_lengthen(monkeypatch):
    monkeypatch.setattr(gpu, "LONGER_STRIDE", 1)


@pytest.mark.usefixtures("every_kick_may_lengthen")
@pytest.mark.parametrize("kind", EACH)
def test_every_kick_equals_the_cpus(kind):
    search, _, chosen = make_start(make_cities(kind), seed=3)
    kicks = GpuKicks(search.cities, 3, chosen)
    kicks.take(search.order, np.full(KICKS, 1 << 29, np.int32))
    found, given_up = read_results(kicks, KICKS)
    missed = 0
    for at in range(KICKS):
        edges, change, _ = on_the_cpu(search, chosen, 3, at, KICKS)
        row = found.pop(at, None)
        if row is None:
            missed += change != 0
            continue
        assert row[1] == change != 0
        answer = [
            {frozenset(cities[2 * i : 2 * i + 2]) for i in range(len(cities) // 2)} for cities in read_exchanges(row)
        ]
        assert answer == edges
    assert not found
    assert missed <= given_up < max(2, KICKS // 4)


@pytest.mark.usefixtures("every_kick_may_lengthen")
def test_kicks_of_several_tours_equal_those_of_each():
    """Any of the tours may be the first: they differ in the number of the kick, which selects its random numbers."""
    search, names, chosen = make_start(make_cities("grid"), optimum=False)
    instance = make_cities("grid")
    first, n = search.order.copy(), search.order.size
    rng = np.random.default_rng(3)
    second = np.roll(first[::-1], rng.integers(n)).copy()
    second[2:5] = second[2:5][::-1].copy()
    both = GpuKicks(search.cities, 7, chosen, 2)
    both.take(np.concatenate([first, second]), np.full(2 * KICKS, 1 << 29, np.int32))
    found, _ = read_results(both, 2 * KICKS)
    for tour, begin in ((first, 0), (second, KICKS)):
        alone = GpuKicks(search.cities, 7, chosen)
        alone.take(tour, np.full(KICKS, 1 << 29, np.int32))
        wanted, _ = read_results(alone, KICKS, begin)
        here = {at - begin: row[1:] for at, row in found.items() if begin <= at < begin + KICKS}
        assert here == {at: row[1:] for at, row in wanted.items()}
        for row in wanted.values():
            assert (
                tour_length(instance, names[apply_exchanges(tour, row)]) == tour_length(instance, names[tour]) + row[1]
            )
    assert found


@pytest.mark.usefixtures("every_kick_may_lengthen")
@pytest.mark.parametrize("depth", [2, pytest.param(3, marks=pytest.mark.smoke), 6])
def test_every_result_is_a_tour_with_its_stated_change(depth):
    instance = make_cities("grid")
    search, names, chosen = make_start(instance, depth=depth, optimum=False)
    kicks = GpuKicks(search.cities, 1, chosen)
    kicks.take(search.order, np.full(KICKS, 1 << 29, np.int32))
    found, _ = read_results(kicks, KICKS)
    assert any(row[1] < 0 for row in found.values())
    for row in found.values():
        tour = names[apply_exchanges(search.order, row)]
        check_tour(instance.n, tour)
        assert tour_length(instance, tour) == tour_length(instance, names[search.order]) + row[1]


def test_launches_change_nothing(monkeypatch):
    search, _, chosen = make_start(make_cities("grid"), optimum=False)
    ends = []
    for most in (2, 5) if SIMULATED else (700, 1 << 16):
        monkeypatch.setattr(gpu, "FIRST_KICKS", most)
        monkeypatch.setattr(gpu, "LAUNCH_SECONDS", 1e-9)
        kicks = GpuKicks(search.cities, 1, chosen)
        kicks.take(search.order, np.zeros(1, np.int32))
        ends.append(read_results(kicks, KICKS))
    assert ends[0] == ends[1]
    assert ends[0][0]


@pytest.mark.parametrize("temperature", [0.0, 0.5])
def test_slices_change_nothing(monkeypatch, temperature):
    spec = make_spec(NAME, variant="cuda", rounds=4, kicks=KICKS, temperature=temperature)
    monkeypatch.setattr(gpu, "LONGER_STRIDE", 2)
    whole = story(collect_events(make_cities("grid"), spec))
    monkeypatch.setattr(gpu, "FIRST_KICKS", 2 if SIMULATED else 500)
    monkeypatch.setattr(gpu, "LAUNCH_SECONDS", 1e-9)
    monkeypatch.setattr(gpu, "_FIRST_RESULTS", 1)
    monkeypatch.setattr(gpu, "_SLICE_SECONDS", 0.0)
    assert story(collect_events(make_cities("grid"), spec)) == whole


@pytest.mark.parametrize("kind", cases(KINDS, "explicit".__eq__))
def test_tours_of_a_run_have_their_stated_length(kind):
    instance = make_cities(kind)
    events = collect_events(instance, make_spec(NAME, variant="cuda", rounds=4, kicks=KICKS))
    # a second one follows kernels that are compiled after the start tour
    assert {event.variant for event in events if isinstance(event, Started)} == {"cuda"}
    for event in events:
        if isinstance(event, Tour):
            check_tour(instance.n, event.order)
            assert event.length == tour_length(instance, event.order)
    assert sum(event.climber.size for event in events if isinstance(event, Rows)) == 4


def test_round_can_be_repeated():
    check_replays(make_cities("grid"), make_spec(NAME, 5, variant="cuda", rounds=3, kicks=KICKS))


@pytest.mark.parametrize("n", range(1, 8))
def test_few_cities(n):
    instance = uniform(n, 3)
    events = collect_events(instance, make_spec(NAME, variant="cuda", rounds=3, kicks=3))
    check_tour(n, events[-1].order)


@pytest.mark.parametrize("kind", ["few cities", "table", "many cities", "one by one"])
def test_populations_are_crossed(monkeypatch, kind):
    """In one call or in slices, with a table of distances, or without one and with one initial tour, or one by one.

    Slices and threads change nothing.
    """
    if SIMULATED:
        monkeypatch.setattr(merged_cuda, "POPULATION_KICKS", 1)
    instance = make_cities("grid")
    team = ThreadTeam(1)
    chosen = LinKernighanParams(tours=3, kicks=KICKS)
    few = Schedule.for_cities(chosen, instance.n, gpu=True)
    schedule = {
        "few cities": few,
        "table": replace(few, builds_in_one_call=False),
        "many cities": replace(few, builds_in_one_call=False, uses_matrix=False, chained_rounds=2, gpu_kicks=2.0),
        "one by one": replace(
            few, builds_in_one_call=False, uses_matrix=False, chained_rounds=1, gpu_kicks=0.1, one_by_one=True
        ),
    }[kind]
    stories = []
    for threads, most in ((1, 1 << 14), (2, 3)):
        monkeypatch.setattr(gpu, "FIRST_KICKS", most)
        monkeypatch.setattr(gpu, "LAUNCH_SECONDS", 1e-9)
        cities, names = number_cities(instance, chosen.neighbours, chosen.quadrants, team)
        order = build_greedy_tour(cities, team)
        values = cities, order, tour_length(instance, names[order]), 1, chosen, None, ThreadTeam(threads)
        search = GpuMergedSearch(*values, schedule)
        lengths = follow_rounds_open(instance, search, names, 5)  # to a batch of kicks and behind it
        # Cores have fewer candidates, which are found while the first tour is kicked.
        assert search.cities.near.shape[1] == min(chosen.alpha, search._all_cities.near.shape[1])
        search.close()
        stories.append(lengths)
    assert stories[0] == stories[1]


@pytest.mark.parametrize("threads", [1, 3])
def test_many_cities_descend_in_regions(monkeypatch, threads):
    monkeypatch.setattr(regions_cpu, "_REGION", 60)
    instance = uniform(400, 2)
    team, chosen = ThreadTeam(threads), LinKernighanParams(kicks=KICKS)
    cities, names = number_cities(instance, chosen.neighbours, chosen.quadrants, team)
    order = build_greedy_tour(cities, team)
    search = LargeSearch(cities, order, tour_length(instance, names[order]), 1, chosen, None, team, [0])
    lengths = []
    while search.descending:
        while not search.round_over:
            search.advance(1 << 40)
        result = search.end_round()
        check_tour(instance.n, result.order)
        assert result.length == tour_length(instance, names[result.order])
        lengths.append(result.length)
        search.start_round()
    search.close()
    assert lengths == sorted(lengths, reverse=True)
    assert len(lengths) == 2  # a descent, then at long edges
    assert lengths[0] < 0.97 * tour_length(instance, names[order])
    assert lengths == DESCENTS.setdefault("lengths", lengths)


def start_search(instance, kind, threads=1, seed=1, **params):
    """A search on GPUs from a greedy tour, and the instance's names of its cities."""
    chosen, team = LinKernighanParams(**{"kicks": KICKS, **params}), ThreadTeam(threads)
    cities, names = number_cities(instance, chosen.neighbours, chosen.quadrants, team)
    order = build_greedy_tour(cities, team)
    return kind(cities, order, tour_length(instance, names[order]), seed, chosen, None, team), names


def follow_rounds(instance, search, names, count):
    """Length and tour after each of some rounds, the last ones of a search."""
    rounds = follow_rounds_open(instance, search, names, count)
    search.close()
    return rounds


def follow_rounds_open(instance, search, names, count):
    rounds = []
    for _ in range(count):
        while not search.round_over:
            search.advance(1 << 40)
        result = search.end_round()
        check_tour(instance.n, result.order)
        assert result.length == search.length == tour_length(instance, names[result.order])
        rounds.append((result.length, result.order.tolist()))
        search.start_round()
    return rounds


@pytest.mark.parametrize("halved", [1, 1 << 30], ids=["halves of the cities", "all cities"])
def test_sharing_a_batch_between_gpus_changes_nothing(monkeypatch, halved):
    """Neither do launches and slices."""
    instance = uniform(40 if SIMULATED else 2000, 4)
    monkeypatch.setattr(large_cuda, "MIN_HALVED_CITIES", halved)
    stories = []
    for devices, most in ((1, 1 << 14), (2, 2 if SIMULATED else 700), (3, 1 << 14)):
        monkeypatch.setattr(gpu, "FIRST_KICKS", most)
        if devices > 1:  # a result a slice
            monkeypatch.setattr(gpu, "_FIRST_RESULTS", 1)
            monkeypatch.setattr(gpu, "_SLICE_SECONDS", 0.0)
        numbers = range(devices) if devices <= CARDS else [0] * devices
        search, names = start_search(instance, lambda *values, on=numbers: LargeSearch(*values, on), kicks=KICKS)
        search._state[search_cpu.QUEUED], search._regions = 0, None  # kicks shorten the greedy tour
        search.start_round()
        greedy = search.length
        stories.append(follow_rounds(instance, search, names, 3))
    assert stories[0] == stories[1] == stories[2]
    assert stories[0][-1][0] < greedy


@pytest.fixture
def islands(monkeypatch):
    """An instance, and a function that makes a search with few kicks on some GPUs."""
    monkeypatch.setattr(merged_cuda, "POPULATION_KICKS", 1)
    instance = uniform(9, 3) if SIMULATED else KINDS["grid"]()
    few = Schedule.for_cities(LinKernighanParams(tours=2, kicks=KICKS), instance.n, gpu=True)
    schedule = replace(few, uses_matrix=False, gpu_kicks=1.0)

    def make(devices, threads):
        numbers = range(devices) if devices <= CARDS else [0] * devices
        return start_search(instance, lambda *values: IslandSearch(*values, schedule, numbers), threads, tours=2)

    return instance, make


@pytest.mark.parametrize("devices", [2, 3])
def test_populations_of_several_gpus_exchange_their_best_tours(monkeypatch, islands, devices):
    """Launches and threads change no round."""
    instance, make = islands
    taken, receive = [], Island.receive
    monkeypatch.setattr(Island, "receive", lambda self, tours: (taken.append(tours), receive(self, tours))[1])
    stories = []
    for threads, most in ((devices, 1 << 14), (2 * devices, 3 if SIMULATED else 700)):
        monkeypatch.setattr(gpu, "FIRST_KICKS", most)
        monkeypatch.setattr(gpu, "LAUNCH_SECONDS", 1e-9)
        search, names = make(devices, threads)
        rounds = []
        while len(taken) < devices:
            rounds += follow_rounds_open(instance, search, names, 1)
        rounds += follow_rounds_open(instance, search, names, 1)
        search.close()
        assert {len(tours) for tours in taken} == {devices - 1}
        stories.append((rounds, [[(length, order.tolist()) for order, length in tours] for tours in taken]))
        taken.clear()
    assert stories[0] == stories[1]


def test_failing_gpu_leaves_the_run_to_the_others(monkeypatch, islands):
    instance, make = islands
    search, names = make(2, 2)

    def fail(limit):
        raise RuntimeError("CUDA_ERROR_ECC_UNCORRECTABLE")

    follow_rounds_open(instance, search, names, 2)
    monkeypatch.setattr(search._gpus[1].island, "advance", fail)
    rounds = follow_rounds_open(instance, search, names, 8)
    assert search.lost_devices == [search._gpus[1].device]
    assert rounds[-1][0] <= rounds[0][0]
    monkeypatch.setattr(search._gpus[0].island, "advance", fail)
    with pytest.raises(RuntimeError, match="ECC"):
        follow_rounds_open(instance, search, names, 9)
    search.close()


@pytest.mark.smoke
@pytest.mark.skipif(not SIMULATED and CARDS < 2, reason="needs two cards")
def test_failing_gpu_leaves_the_batches_to_the_others(monkeypatch):
    instance = uniform(20, 2)
    search, names = start_search(instance, lambda *values: LargeSearch(*values, [0, 1]))
    follow_rounds_open(instance, search, names, 3)
    assert not search.descending
    (_, first), (_, second) = search._gpus

    def fail(*_):
        raise RuntimeError("CUDA_ERROR_ECC_UNCORRECTABLE")

    monkeypatch.setattr(second, "launch", fail)
    follow_rounds_open(instance, search, names, 3)
    assert search.lost_devices == [1]
    monkeypatch.setattr(first, "launch", fail)
    with pytest.raises(RuntimeError, match="ECC"):
        follow_rounds_open(instance, search, names, 3)
    search.close()


def test_too_long_distances_are_refused():
    points = np.array([[0, 0], [2e8, 5], [3, 2e8], [7, 9], [11, 4], [1e8, 1e8]])
    instance = assemble("long", "EUC_2D", "inline", coordinates=points)
    with pytest.raises(InstanceTooLarge, match="too long"):
        collect_events(instance, make_spec(NAME, variant="cuda"))
    *_, started = (e for e in collect_events(instance, make_spec(NAME, rounds=2)) if isinstance(e, Started))
    assert started.variant == "cpu"


@pytest.mark.skipif(CARDS < 2, reason="needs two cards")
@CARD
@pytest.mark.parametrize("cities", [3000, 60_000])
def test_two_gpus_are_deterministic(cities):
    instance, stories = uniform(cities, 5), []
    for _ in range(2):
        events = collect_events(instance, make_spec(NAME, variant="cuda", gpus="all", rounds=40, seed=9))
        *_, started = (event for event in events if isinstance(event, Started))
        assert started.device.startswith(f"{CARDS} x ")
        assert tour_length(instance, events[-1].order) == events[-1].length
        stories.append([(event.length, event.order.tolist()) for event in events if isinstance(event, Tour)])
    assert stories[0] == stories[1]
    if cities > 50_000:
        events = collect_events(instance, make_spec(NAME, variant="cuda", rounds=40, seed=9))
        assert stories[0] == [(event.length, event.order.tolist()) for event in events if isinstance(event, Tour)]


@CARD
@pytest.mark.parametrize(("name", "length"), [("kroA100", 21282), ("lin318", 42029), ("att532", 27686)])
def test_optima_are_found(name, length):
    events = collect_events(load(name), make_spec(NAME, variant="cuda", budget={"target": length, "seconds": 10}))
    assert events[-1].length <= length * 1.001


@CARD
def test_batch_on_many_cities_makes_many_results():
    instance = uniform(20_000, 1)
    search, names, _ = make_start(instance, kicks=0)
    before = search.length
    search.advance(1 << 40)
    while not search.round_over:
        search.advance(1 << 40)
    assert search.length == tour_length(instance, names[search.order]) < 0.997 * before
