"""Ant Colony System on the CPU: choices, three ways to update trails, raised edges, threads, slices and limits."""

from concurrent.futures import ThreadPoolExecutor, wait

import numpy as np
import pytest

from data.collection.resolve import load
from data.distances import check_tour, distance_matrix, tour_length
from data.generators import uniform
from solvers.algorithms.ants import memory
from solvers.algorithms.ants.acs.cpu import AntColonySystemColony
from solvers.algorithms.ants.acs.kernels import lockstep_cpu
from solvers.algorithms.ants.acs.kernels.choice_cpu import Rule
from solvers.algorithms.ants.acs.params import RAISED, AntColonySystemParams, max_raised_edges
from solvers.algorithms.ants.acs.solver import AntColonySystem
from solvers.algorithms.ants.acs.variants import CPU_VARIANTS, QIN_HAN_VARIANTS
from solvers.core.errors import InstanceTooLarge
from solvers.core.events import Colony, Edges
from solvers.core.neighbours import nearest_neighbour_length, neighbours
from solvers.core.solver import ONE_THREAD, Job
from solvers.core.stop import Budget
from solvers.kernels.threads_cpu import SHARED
from tests import naive
from tests.clock import wait_until
from tests.solver_runs import collect_events, column, make_spec, planar
from tests.solvers.algorithms.ants.ant_choices import iterate
from tests.solvers.algorithms.ants.choice_shares import choice_shares
from tests.solvers.algorithms.ants.dense_trails import dense
from tests.tables import each_row

pytestmark = pytest.mark.slow

MODES = ("deferred", "lockstep", "racy")
PLAIN = {"local_search": "none"}


def run_solver(instance, seed=1, budget=None, **params):
    return collect_events(instance, make_spec("ant-colony-system", seed, budget, **params))


def make_colony(instance, threads=1, seed=1, variant=ONE_THREAD, **params):
    chosen = AntColonySystemParams(**{"lists": False, **params})
    job = Job(instance, chosen, seed, "cpu", Budget().start(), variant=variant)
    return AntColonySystemColony(job, threads)


def trail_levels(edges):
    """The trails of the records only, in units of tau_0, (n, n)."""
    u = np.ones((edges.n, edges.n), np.float32)
    for record in range(edges.records[0]):
        a, b = edges.ends[record]
        u[a, b] = u[b, a] = edges.level[record]
    return u


def read_weights(edges):
    """The ants' weights, (n, n): slots and rows combined; asserts that no edge is in both."""
    weights = edges.fitness.reshape(edges.n, edges.stride)[:, : edges.n].copy()
    assert not edges.fitness.reshape(edges.n, edges.stride)[:, edges.n :].any()
    for slot, (city, near) in enumerate(zip(edges.neighbours.tolist(), edges.near.tolist(), strict=True)):
        row = slot // edges.reach
        assert (near == 0.0) == (city == row)
        if city != row:
            assert weights[row, city] == 0.0
            weights[row, city] = near
    return weights


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in (2, 3))])
@pytest.mark.parametrize(
    ("candidates", "lists"), [(0, False), (3, False), (8, False), (32, False), (3, True), (8, True)]
)
@pytest.mark.parametrize("mode", MODES)
def test_whole_runs_match_the_plain_algorithm(mode, candidates, lists, seed):
    instance = planar("EUC_2D", 12, 10_000, seed)
    rules = {"beta": 2.0, "q0": 0.6, "rho": 0.2, "alpha": 0.3, "candidates": candidates, "local_update": mode}
    rules["lists"] = lists
    colony = make_colony(instance, ants=7, seed=seed, **rules, **PLAIN)
    oracle = naive.AntColonySystem(distance_matrix(instance).tolist(), seed, 7, **rules)
    raised = 0
    for _ in range(12):
        (found,) = iterate(colony, 1)
        tours = oracle.iterate()
        assert colony.tours.tolist() == tours
        lengths = [naive.naive_length(oracle.matrix, tour) for tour in tours]
        assert found.lengths.tolist() == lengths
        assert (found.best[0], found.worst[0], found.mean[0]) == (min(lengths), max(lengths), np.mean(lengths))
        assert found.order[0].tolist() == tours[int(np.argmin(lengths))]
        first = 1.0 / (12 * oracle.first)
        expected = np.array(oracle.u) * first
        np.fill_diagonal(expected, 0.0)
        np.testing.assert_allclose(dense(colony.trails()), expected, rtol=2e-5)
        rows = [[u for j, u in enumerate(row) if j != i] for i, row in enumerate(oracle.u)]
        assert found.entropy[0] == pytest.approx(np.mean([naive.entropy(row) for row in rows]), rel=1e-5)
        assert found.branching[0] == pytest.approx(np.mean([naive.branching(row) for row in rows]))
        raised += int((np.array(oracle.u) > 1.01).sum())
    assert raised > 12


@each_row("threads", [1, 2, 3])
def test_lockstep_threads_match_the_plain_algorithm(threads):
    """Requested candidates and lists have no effect: these ants consider every city."""
    instance = planar("EUC_2D", 12, 10_000, 1)
    rules = {"beta": 2.0, "q0": 0.6, "rho": 0.2, "alpha": 0.3, "local_update": "lockstep"}
    asked = {"candidates": 3, "lists": True, "ants": 7}
    colony = make_colony(instance, threads, variant=QIN_HAN_VARIANTS[0], **rules, **asked, **PLAIN)
    oracle = naive.AntColonySystem(distance_matrix(instance).tolist(), 1, 7, **rules, candidates=0)
    for _ in range(12):
        iterate(colony, 1)
        assert colony.tours.tolist() == oracle.iterate()
        expected = np.array(oracle.u) / (12 * oracle.first)
        np.fill_diagonal(expected, 0.0)
        np.testing.assert_allclose(dense(colony.trails()), expected, rtol=2e-5)
    colony.close()


def test_critical_section_loses_no_update():
    """All ants are in the last city of their tours and return to the first, along the same edge."""
    colony, ants = make_colony(load("burma14"), candidates=0, **PLAIN), 200_000
    iterate(colony, 1)
    a, b = colony.edges.ends[0]
    tours, gone, shared = np.full((ants, 14), a, np.int32), np.zeros(ants, np.int32), np.zeros(SHARED, np.int64)
    tours[:, 13], visits = b, colony._walking.visits
    walks = lockstep_cpu.Walks(np.zeros((0, 0), np.float32), tours, gone, visits)
    rule = Rule(False, np.uint64(1), np.uint64(0), np.float32(0.9), np.float32(0.9), False)
    shared[16] = 1  # as if another thread were in the section
    with ThreadPoolExecutor(2) as pool:
        done = [
            pool.submit(
                lockstep_cpu.walk_in_step, colony.edges, walks, 14, 15, rule, shared, 2, start, start + ants // 2
            )
            for start in (0, ants // 2)
        ]
        try:
            wait_until(lambda: shared[8] == 1)
            early = wait(done, timeout=0.1).done, int(visits[0])
        finally:
            shared[16] = 0
    assert early == (set(), 0)
    assert [each.result() for each in done] == [None, None]
    assert visits[0] == ants
    assert shared[[0, 8, 16]].tolist() == [0, 2, 0], "nobody waits or is in the section"


def test_modes_differ_in_the_trails_that_ants_see():
    instance = planar("EUC_2D", 40, 10_000, 1)
    answer = []
    for mode in MODES:
        colony = make_colony(instance, ants=20, local_update=mode, **PLAIN)
        iterate(colony, 8)
        answer.append(colony.tours.tolist())
    assert answer[0] != answer[1] != answer[2] != answer[0]


@each_row("mode", MODES)
def test_modes_agree_without_local_evaporation(mode):
    instance = planar("EUC_2D", 40, 10_000, 1)
    colonies = [make_colony(instance, ants=20, local_update=each, rho=0.0, **PLAIN) for each in ("deferred", mode)]
    for colony in colonies:
        iterate(colony, 8)
    assert colonies[0].tours.tolist() == colonies[1].tours.tolist()


def build_tours_on(colony, edges, iteration=0):
    """The tours of a colony's ants on another colony's trails."""
    colony._walking._edges, colony._team.deadline = edges, np.inf
    assert list(colony._walking.walk(iteration)) == []
    return colony.tours


def count_greatest(weights, tours):
    """The number of choices of the greatest weight among all unvisited cities; ties are broken by the lowest city."""
    right = 0
    for tour in tours.tolist():
        for place in range(1, len(tour)):
            row = weights[tour[place - 1]].copy()
            row[tour[:place]] = -1.0
            right += tour[place] == int(row.argmax())
    return right


@each_row("candidates", [0, 3, 8, 32])
@each_row("instance", [load("kroA100"), planar("EUC_2D", 90, 12, 2)])
def test_exploitation_takes_the_greatest_weight_of_all_cities(instance, candidates):
    colony = make_colony(instance, candidates=candidates, ants=30, q0=0.5, **PLAIN)
    iterate(colony, 15)
    edges = colony.edges
    far = read_weights(edges) * (edges.fitness.reshape(edges.n, -1)[:, : edges.n] > 0)
    assert candidates > 3 or (far.max(axis=1) > edges.near.reshape(edges.n, -1).max(axis=1)).any()
    greedy = make_colony(instance, candidates=candidates, ants=30, q0=1.0, **PLAIN)
    assert count_greatest(read_weights(edges), build_tours_on(greedy, edges)) == 30 * (instance.n - 1)


def test_list_length_does_not_matter_to_exploitation():
    instance, answer = planar("EUC_2D", 150, 10_000, 4), []
    for candidates in (0, 8, 32):
        colony = make_colony(instance, candidates=candidates, q0=1.0, ants=10, **PLAIN)
        answer.append([(one.best[0], colony.tours.tolist()) for _ in range(10) for one in iterate(colony, 1)])
    assert answer[0] == answer[1] == answer[2]


def find_choice_shares(params):
    """The ranks of an iteration's choices among all possible ones, on trails of 20 iterations."""
    colony = make_colony(load("kroA100"), ants=200, q0=0.9, **PLAIN, **params)
    iterate(colony, 20)
    weights = read_weights(colony.edges).astype(np.float64)
    walk = make_colony(load("kroA100"), seed=7, ants=200, q0=0.0, **PLAIN, **params)
    return choice_shares(weights, build_tours_on(walk, colony.edges), np.random.default_rng(1))


def test_ants_keep_to_their_lists():
    instance = load("kroA100")
    colony = make_colony(instance, lists=True, candidates=6, q0=0.2, ants=30, **PLAIN)
    iterate(colony, 5)
    near = neighbours(distance_matrix(instance), 6)
    outside = 0
    for tour in colony.tours.tolist():
        for place in range(1, len(tour)):
            listed = set(near[tour[place - 1]].tolist()) - set(tour[:place])
            assert not listed or tour[place] in listed
            outside += not listed
    assert outside


def test_empty_candidate_lists_mean_no_lists():
    tours = [make_colony(load("ulysses16"), candidates=0, lists=lists, q0=0.5, **PLAIN) for lists in (False, True)]
    for colony in tours:
        iterate(colony, 3)
    assert tours[0].tours.tolist() == tours[1].tours.tolist()


@each_row("candidates", [0, 8, 32])
def test_exploration_draws_by_weight(candidates):
    shares = find_choice_shares({"candidates": candidates})
    observed = np.bincount((shares.ravel() * 20).astype(int).clip(0, 19), minlength=20)
    assert naive.chi_square(dict(enumerate(observed.tolist())), dict.fromkeys(range(20), 0.05)) > 1e-4


@each_row("q0", [0.0, 0.3, 0.9, 1.0])
def test_exploitation_rate(q0):
    colony = make_colony(load("kroA100"), ants=300, q0=q0, beta=0.0, **PLAIN)
    (found,) = iterate(colony, 1)
    assert found.trials.shape == (1, 0)
    # All cities weigh the same: who exploits goes to the lowest that is left, who draws hardly ever does.
    share = count_greatest(1.0 - np.eye(100), colony.tours) / (300 * 99)
    drawn = np.mean(1.0 / np.arange(1, 100))
    assert share == pytest.approx(q0 + (1.0 - q0) * drawn, abs=0.01)


@each_row("mode", MODES)
@each_row("candidates", [0, 4, 32])
def test_records_of_raised_edges_are_consistent(candidates, mode):
    instance = load("kroA100")
    colony = make_colony(instance, ants=20, candidates=candidates, local_update=mode, **PLAIN)
    iterate(colony, 50)
    edges, u = colony.edges, trail_levels(colony.edges)
    count = int(edges.records[0])
    pairs = {frozenset(ends) for ends in edges.ends[:count].tolist()}
    assert len(pairs) == count > 100
    start = make_colony(instance, ants=20, candidates=candidates, local_update=mode, **PLAIN)
    np.testing.assert_array_equal(read_weights(edges), read_weights(start.edges) * u)
    rows = edges.fitness.reshape(100, -1)
    np.testing.assert_allclose(edges.others, rows.sum(axis=1, dtype=np.float64), rtol=1e-6)
    np.testing.assert_array_equal(edges.greatest, rows.max(axis=1))
    for city in range(100):
        slots = slice(city * edges.reach, (city + 1) * edges.reach)
        order = sorted(range(slots.start, slots.stop), key=lambda s: (-edges.near[s], edges.neighbours[s]))
        assert edges.ranked[slots].tolist() == order
        np.testing.assert_array_equal(edges.bound[slots], edges.near[order])
    for slot in np.flatnonzero(edges.raised >= 0).tolist():
        record, side = edges.raised[slot], int(edges.slots[edges.raised[slot], 1] == slot)
        assert edges.ends[record].tolist()[:: 1 - 2 * side] == [slot // edges.reach, edges.neighbours[slot]]
    assert (edges.slots[:count] >= 0).sum() == (edges.raised >= 0).sum()
    assert (dense(colony.trails()) == dense(colony.trails()).T).all()
    assert u.min() == 1.0
    assert not colony._walking.visits.any()


def test_first_trails_are_1_over_n_and_the_nearest_neighbour_tour():
    instance = load("berlin52")
    trails = dense(make_colony(instance).trails())
    first = 1.0 / (52 * nearest_neighbour_length(distance_matrix(instance)))
    assert trails[~np.eye(52, dtype=bool)] == pytest.approx(first)
    assert not trails.diagonal().any()


def test_edges_without_a_record_stay_at_the_first_trail(monkeypatch):
    monkeypatch.setattr("solvers.algorithms.ants.acs.params.RAISED", 1)
    colony = make_colony(load("kroA100"), ants=10, **PLAIN)
    iterate(colony, 60)
    assert colony.edges.records[0] == 100
    trails = dense(colony.trails())
    assert 100 < (trails > trails[~np.eye(100, dtype=bool)].min()).sum() <= 200


def test_number_of_records():
    assert [max_raised_edges(n) for n in (1, 2, 3, 100, 1000)] == [1, 1, 3, 4950, RAISED * 1000]


def test_racing_threads_still_build_tours_and_keep_trails_bounded():
    instance = uniform(400, 3)
    colony = make_colony(instance, 2, ants=60, local_update="racy", **PLAIN)
    best = min(int(found.best.min()) for found in iterate(colony, 20))
    edges, u = colony.edges, trail_levels(colony.edges)
    for tour, length in zip(colony.tours, colony._lengths, strict=True):
        check_tour(400, tour)
        assert tour_length(instance, tour) == length >= best
    most = 400 * nearest_neighbour_length(distance_matrix(instance)) / best
    assert 1.0 <= u.min() < u.max() <= most
    np.testing.assert_array_equal(edges.trail[: edges.records[0]], edges.level[: edges.records[0]])
    colony.close()


@each_row("variant", ["auto", "cpu", "sequential"])
def test_compare_and_swap_is_refused_on_cores(variant):
    params = AntColonySystemParams(local_update="compare-and-swap", variant=variant)
    why = "compare-and-swap needs a GPU; on the CPU use lockstep, deferred or racy."
    assert AntColonySystem().refusal(load("burma14"), params, "cpu") == why
    with pytest.raises(InstanceTooLarge, match="compare-and-swap"):
        run_solver(load("burma14"), local_update="compare-and-swap", variant=variant)


def test_lockstep_ants_accept_no_other_update():
    for variant in QIN_HAN_VARIANTS:
        params = AntColonySystemParams(variant=variant.name)
        why = AntColonySystem().refusal(load("burma14"), params, "cpu")
        assert why == "deferred needs the variant cpu or sequential or mpi."
    events = run_solver(load("burma14"), iterations=2, local_update="lockstep", variant="qin-han-openmp")
    assert events[-1].length >= load("burma14").optimum


def test_the_2_opt_of_the_best_ant_is_refused_on_cores():
    for variant in ("auto", *(each.name for each in CPU_VARIANTS)):
        params = AntColonySystemParams(local_search="2-opt-of-best", local_update="lockstep", variant=variant)
        assert "2-opt" in AntColonySystem().refusal(load("burma14"), params, "cpu")
    assert not AntColonySystem().refusal(load("burma14"), AntColonySystemParams(local_search="2-opt-of-best"), "cuda")


def test_unsupported_local_updates_are_refused_before_the_start():
    def why(variant, update):
        params = AntColonySystemParams(local_update=update, variant=variant)
        return AntColonySystem().refusal(load("burma14"), params, "cuda")

    assert why("warp", "compare-and-swap") == "compare-and-swap needs the variant block."
    assert why("block", "lockstep") == "lockstep needs the variant warp."
    assert not why("auto", "compare-and-swap")
    assert not why("block", "compare-and-swap")
    assert not why("auto", "racy")


@each_row("variant", ["cpu", "sequential"])
@each_row("mode", MODES)
def test_run_reports_whether_it_repeats(mode, variant):
    events = run_solver(load("burma14"), iterations=2, local_update=mode, variant=variant)
    started = next(event for event in events if type(event).__name__ == "Started")
    assert started.repeatable == (mode != "racy" or variant == "sequential")


@each_row("mode", MODES)
def test_2_opt_of_every_tour_shortens_all_of_them(mode):
    instance = load("kroA100")
    colony = make_colony(instance, local_search="2-opt+or-opt", local_update=mode)
    (found,) = iterate(colony, 1)
    (walked,) = iterate(make_colony(instance, local_update=mode, **PLAIN), 1)
    assert found.built[0] == walked.mean[0]
    assert found.mean[0] < 1.1 * instance.optimum < found.built[0]
    assert found.shortening[0] > 0
    assert np.isnan([walked.built[0], walked.shortening[0]]).all()
    for tour, length in zip(colony.tours, found.lengths, strict=True):
        check_tour(100, tour)
        assert tour_length(instance, tour) == length


def test_trails_evaporate_along_the_built_tours():
    # With alpha at its least the trails of the second iteration are those of the first, worn by what its ants walked.
    instance = load("berlin52")
    colony = make_colony(instance, ants=5, local_search="2-opt+or-opt", alpha=0.001, rho=0.5, seed=3)
    iterate(colony, 1)
    edges, before = colony.edges, trail_levels(colony.edges)
    walk = make_colony(instance, ants=5, **PLAIN, seed=3, rho=0.5)
    built = build_tours_on(walk, edges, 1)
    iterate(colony, 1)
    count = np.zeros((52, 52), int)
    for tour in built:
        np.add.at(count, (tour, np.roll(tour, -1)), 1)
    worn = 1.0 + (before - 1.0) * 0.5 ** (count + count.T)
    target = 52 * nearest_neighbour_length(distance_matrix(instance)) / colony._best_length
    best = np.zeros((52, 52), bool)
    best[colony._best, np.roll(colony._best, -1)] = True
    expected = np.where(best | best.T, 0.999 * worn + 0.001 * target, worn)
    np.testing.assert_allclose(trail_levels(edges), expected, rtol=1e-6)


def test_matrices_and_tours_must_fit_into_the_memory(monkeypatch):
    monkeypatch.setattr(memory, "MEMORY", 4 * 100 * (100 + 128) + 4 * 100 * 50)
    run_solver(load("kroA100"), iterations=1, ants=50)
    with pytest.raises(InstanceTooLarge, match="51 ants"):
        run_solver(load("kroA100"), iterations=1, ants=51)


def test_every_iteration_has_its_tour_and_its_numbers():
    events = run_solver(load("berlin52"), iterations=20, ants=6)
    assert column(events, Colony, "iteration") == list(range(1, 21))
    assert [event.climber for event in events if isinstance(event, Edges)] == list(range(20))
