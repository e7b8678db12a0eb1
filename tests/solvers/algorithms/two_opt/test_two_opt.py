"""2-opt against a simple scan, and against itself with other slices, threads and budgets."""

import platform

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from data.collection.resolve import load
from data.distances import distance_matrix
from data.generators import uniform
from data.tsplib.normal_form import assemble
from solvers.algorithms.two_opt import cpu, reporter
from solvers.algorithms.two_opt.kernels import climb_cpu
from solvers.core.errors import InstanceTooLarge
from solvers.core.events import Moves, Progress, Tour
from solvers.reporting.climbs import TOUR_EVERY
from tests import naive
from tests.matrices import from_weights
from tests.solver_runs import KINDS, collect_climbs, collect_events, make_spec, planar, replay_events, story
from tests.tables import each_row

points = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=9)
seeds = st.integers(0, 10**9)


def weights(n: int):
    """Symmetric matrices, including negative weights and violations of the triangle inequality."""
    return st.lists(st.integers(-50, 50), min_size=n * n, max_size=n * n).map(
        lambda flat: np.tril(np.array(flat, np.int32).reshape(n, n), -1)
    )


def assert_climbs_as_naive(instance, seed):
    matrix = distance_matrix(instance).tolist()
    for climber, climb in collect_climbs(collect_events(instance, make_spec("two-opt", seed, climbers=3))).items():
        assert climb.start == naive.random_tour(seed, climber, instance.n)
        assert climb.moves == naive.climb(matrix, climb.start)[1]


@pytest.mark.parametrize("examples", [10, pytest.param(40, marks=pytest.mark.long)])
def test_every_move_matches_the_naive_one(examples):
    @settings(max_examples=examples)
    @given(points, st.sampled_from(["EUC_2D", "CEIL_2D", "ATT"]), st.sampled_from([1.0, 0.3, 1e5]), seeds)
    def climb(cities, kind, scale, seed):
        coordinates = np.array(cities, np.float64) * scale
        assert_climbs_as_naive(assemble("t", kind, "inline", coordinates=coordinates), seed)

    climb()


@pytest.mark.parametrize("examples", [10, pytest.param(30, marks=pytest.mark.long)])
def test_every_move_matches_the_naive_one_on_a_matrix(examples):
    @settings(max_examples=examples)
    @given(st.integers(1, 9).flatmap(weights), seeds)
    def climb(lower, seed):
        assert_climbs_as_naive(from_weights(lower + lower.T), seed)

    climb()


def test_larger_climb_matches_the_naive_one():
    instance = planar("EUC_2D", 26, 100, 5)
    assert_climbs_as_naive(instance, 3)


def test_result_is_a_local_optimum_of_every_kind():
    for kind in KINDS.values():
        instance = kind()
        matrix = distance_matrix(instance).tolist()
        tour = collect_events(instance, make_spec("two-opt", climbers=2))[-1].order.tolist()
        assert naive.best_move(matrix, tour) is None


@pytest.fixture(scope="module")
def usual_story():
    return story(collect_events(load("kroA100"), make_spec("two-opt", climbers=60)))


@each_row("threads", ["1", "2", "5"])
def test_threads_do_not_matter(usual_story, threads, monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
    assert story(collect_events(load("kroA100"), make_spec("two-opt", climbers=60))) == usual_story


def test_variants_do_not_matter(usual_story):
    assert (
        story(collect_events(load("kroA100"), make_spec("two-opt", climbers=60, variant="sequential"))) == usual_story
    )


@pytest.mark.slow
@each_row(("seconds", "moves", "climbers"), [(1e-9, 3, 4), (1e-4, 100, 60), (1.0, 50, 60)])
def test_slices_do_not_matter(seconds, moves, climbers, monkeypatch):
    instance, spec = load("berlin52"), make_spec("two-opt", climbers=climbers)
    usual_story = story(collect_events(instance, spec))
    monkeypatch.setattr(cpu, "SLICE_SECONDS", seconds)
    monkeypatch.setattr(cpu, "FIRST_SLICE_SECONDS", seconds)
    monkeypatch.setattr(cpu, "MOVES", moves)
    assert story(collect_events(instance, spec)) == usual_story


def test_full_record_keeps_only_new_bests(usual_story, monkeypatch):
    monkeypatch.setattr(reporter, "RECORD_BYTES", 5000)
    answer = story(collect_events(load("kroA100"), make_spec("two-opt", climbers=60)))
    assert {name: answer[name] for name in ("tours", "rows", "progress")} == {
        name: usual_story[name] for name in ("tours", "rows", "progress")
    }
    stored = set(answer["climbs"])
    assert {climber for climber, _, _ in usual_story["tours"]} <= stored
    assert len(stored) < 20
    assert all(usual_story["climbs"][climber] == climb for climber, climb in answer["climbs"].items())
    missing = min(set(usual_story["climbs"]) - stored)
    again = collect_climbs(replay_events(load("kroA100"), make_spec("two-opt", climbers=60), missing))
    assert again == {missing: usual_story["climbs"][missing]}


def test_long_climbs_contain_whole_tours():
    climb = collect_climbs(collect_events(load("pr439"), make_spec("two-opt", climbers=1)))[0]
    assert len(climb.moves) > TOUR_EVERY
    assert {0, TOUR_EVERY} <= set(climb.tours)
    assert climb.tours[TOUR_EVERY] == tour_after(climb.start, climb.moves[:TOUR_EVERY])


def tour_after(tour, moves):
    for i, j, _ in moves:
        tour = naive.reversed_between(tour, i, j)
    return tour


@each_row("budget", [{"iterations": 7}, {"evaluations": 2_000_000}, {"without_improvement": 4}])
def test_counting_limits_cut_between_climbers(usual_story, budget):
    cut = collect_events(load("kroA100"), make_spec("two-opt", budget=budget, climbers=60))
    k = cut[-1].iterations
    assert 0 < k < 60
    assert story(cut)["rows"]["length"] == usual_story["rows"]["length"][:k]
    assert cut[-1].stop_reason == next(iter(budget)).replace("_", "-").replace("without-", "no-")
    if "iterations" in budget:
        assert k == 7


def test_evaluation_budget_cuts_the_first_climb_at_the_same_row():
    budget = {"evaluations": 30_000_000}
    first, second = (collect_events(uniform(1500, 2), make_spec("two-opt", budget=budget)) for _ in range(2))
    assert first[-1].iterations == 0
    assert first[-1].stop_reason == "evaluations"
    assert first[-1].evaluations == second[-1].evaluations
    assert 30_000_000 <= first[-1].evaluations < 30_000_000 + 1500
    assert first[-1].order.tolist() == second[-1].order.tolist()


@pytest.mark.slow
@pytest.mark.usefixtures("processor_clock")
def test_climb_cut_by_time_counts_with_its_progress():
    events = collect_events(uniform(9000, 1), make_spec("two-opt", budget={"seconds": 0.8}))
    (tour,) = [event for event in events if isinstance(event, Tour)]
    climb = collect_climbs(events)[0]
    assert not climb.last
    assert climb.length + sum(move[2] for move in climb.moves) == tour.length
    assert events[-1].stop_reason == "time"
    assert events[-1].iterations == 0
    assert len(climb.moves) > 0
    assert np.concatenate([event.best for event in events if isinstance(event, Progress)]).size > 1


@pytest.mark.usefixtures("processor_clock")
def test_first_climb_is_reported_while_it_runs():
    events = collect_events(uniform(2000, 1), make_spec("two-opt", budget={"seconds": 0.3}))
    assert len([event for event in events if isinstance(event, Moves)]) > 3


def test_progress_of_very_many_climbers_is_thinned():
    events = collect_events(uniform(5, 1), make_spec("two-opt", climbers=50_000))
    rows = np.concatenate([event.iteration for event in events if isinstance(event, Progress)])
    assert 16_000 < rows.size < 20_100
    assert rows[-1] == 50_000


def test_distances_beyond_32_bits_are_refused():
    heavy = np.full((4, 4), 2**30, np.int32)
    with pytest.raises(InstanceTooLarge, match="32 bits"):
        collect_events(from_weights(heavy), make_spec("two-opt"))
    wide = np.array([[-5e8, -5e8], [5e8, 5e8], [0, 0]])
    with pytest.raises(InstanceTooLarge, match="32 bits"):
        collect_events(assemble("t", "EUC_2D", "inline", coordinates=wide), make_spec("two-opt"))


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="looks for x86 instructions")
def test_inner_loop_is_vectorised():
    row = np.zeros(100, np.int32)
    compiled = njit(climb_cpu.min_change.py_func)
    compiled(row, row, row, 0, 99)
    assert any("pminsd" in text for text in compiled.inspect_asm().values())


#: The shortest of the first climbers, as Utne and Hansen (2023) published it: sections 7.4 and 7.5, and their data of
#: tables 2 to 4 (CUDA_tests/GPU_test/opt_1000_test.csv).
PUBLISHED = {
    "swiss42": {1: 1581}, "berlin52": {1: 8401, 2: 8401, 5: 8118, 10: 7713, 20: 7542, 50: 7542, 100: 7542, 200: 7542},
    "kroA100": {1: 22805, 10: 22236, 100: 21601}, "kroB100": {1: 23402}, "kroA200": {1: 46062}, "pr439": {1: 187603},
}  # fmt: skip
LATER = {
    "swiss42": {10: 1307, 1000: 1273}, "berlin52": {1000: 7542}, "kroA100": {1000: 21450}, "kroB100": {1000: 22334},
    "kroA200": {100: 31119, 1000: 30346},
}  # fmt: skip


#: Scans of a climb in table 4, the mean of 1,000 climbers rounded down.
SCANS = {"swiss42": 29, "berlin52": 43, "kroA100": 92, "kroB100": 92, "kroA200": 147}


def program_results(instance, climbers):
    """The minimum length of the first climbers in Utne and Hansen's program, and the mean number of scans."""
    rows = story(collect_events(load(instance), make_spec("two-opt", 1, climbers=climbers, published="program")))[
        "rows"
    ]
    return np.minimum.accumulate(rows["length"]), np.mean(rows["moves"]) + 1


@pytest.mark.slow
def test_program_of_utne_and_hansen_climbs_as_published():
    for instance, lengths in PUBLISHED.items():
        best, _ = program_results(instance, max(lengths))
        assert {count: best[count - 1] for count in lengths} == lengths, instance


@pytest.mark.long
@pytest.mark.parametrize("instance", SCANS)
def test_thousand_climbs_of_the_program_are_as_published(instance):
    best, scans = program_results(instance, 1000)
    assert {count: best[count - 1] for count in LATER[instance]} == LATER[instance]
    assert int(scans) == SCANS[instance]


def test_programs_climbs_can_end_before_a_local_optimum():
    """A tie loses the best move: most climbs of kroA200 end before a local optimum."""
    instance = load("kroA200")
    events = collect_events(instance, make_spec("two-opt", 1, climbers=4, published="program"))
    climbs = collect_climbs(events)
    assert len(climbs) == 4
    tops = [tour_after(climb.start, climb.moves) for climb in climbs.values()]
    matrix = distance_matrix(instance)
    lengths = [naive.naive_length(matrix.tolist(), top) for top in tops]
    assert lengths == [climb.length + sum(move[2] for move in climb.moves) for climb in climbs.values()]
    left = [is_improving(matrix, np.array(top)) for top in tops]
    assert sum(left) >= 3


@pytest.mark.long
@pytest.mark.parametrize(("name", "share"), [("berlin52", 25), ("kroA100", 46), ("kroA200", 95)])
def test_share_of_the_programs_first_thousand_climbs_end_early(name, share):
    """The shares stated in `papers.findings.utne_hansen`."""
    instance = load(name)
    climbs = collect_climbs(collect_events(instance, make_spec("two-opt", 1, climbers=1000, published="program")))
    matrix = distance_matrix(instance)
    left = [is_improving(matrix, np.array(tour_after(climb.start, climb.moves))) for climb in climbs.values()]
    assert len(left) == 1000
    assert round(sum(left) / 10) == share


def is_improving(matrix, tour):
    """Whether a move improves the tour."""
    edge = np.r_[tour, tour[0]]
    near, far, step = matrix[tour][:, tour], matrix[edge[1:]][:, edge[1:]], matrix[edge[:-1], edge[1:]]
    return bool((near + far - step[:, None] - step[None, :])[np.triu_indices(tour.size, 2)].min() < 0)
