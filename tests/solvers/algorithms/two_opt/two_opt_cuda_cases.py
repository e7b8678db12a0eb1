"""The 2-opt kernels on CUDA, on instances small enough for Numba's simulator.

Not collected with the other tests: see `simulated.run_cases`.
"""

import numpy as np
import pytest
from numba import uint32

from data.distances import distance_matrix
from data.instance import Instance
from data.tsplib.normal_form import assemble
from solvers import find
from solvers.algorithms.two_opt import climbs_cuda, cpu, layout_cuda
from solvers.algorithms.two_opt.climbs_cuda import make_climbs
from solvers.algorithms.two_opt.kernels.block_pairs_cuda import pair_from_root
from solvers.algorithms.two_opt.kernels.metric_cuda import build_matrix_filler, build_single_metric
from solvers.algorithms.two_opt.kernels.strip_scan_cuda import build_metric
from solvers.algorithms.two_opt.reporter_cuda import CudaReporter
from solvers.algorithms.two_opt.variant import TwoOptVariant
from solvers.algorithms.two_opt.variants import CUDA_VARIANTS as ALL_ROWS
from solvers.algorithms.two_opt.variants import STRIP_VARIANTS
from solvers.core.errors import DeviceUnavailable, InstanceTooLarge
from solvers.core.solver import Job
from solvers.core.stop import Budget
from solvers.kernels.device_cuda import SIMULATED, cuda
from solvers.reporting import climbs
from tests import naive
from tests.matrices import from_weights
from tests.solver_runs import collect_climbs as recorded_climbs
from tests.solver_runs import collect_events, make_spec, planar, replay_events, story

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::numba.core.errors.NumbaWarning")
#: Rows that make the best move, and what runs where two rows of moves are scanned at once.
BEST = [row for row in ALL_ROWS if row.name != "multi-move"]
BEST += [row.two_rows for row in BEST if row.two_rows is not None]
BEST += [row.published["paper"] for row in BEST if row.published]
ROWS = pytest.mark.parametrize("row", BEST, ids=lambda row: row.kernel.partition(":")[2])
PROGRAM = [row.published["program"] for row in ALL_ROWS if row.published]
SEED = 3


def row_distances(instance: Instance, row: TwoOptVariant) -> list[list[int]]:
    """The distances used by a row."""
    if row.reads_matrix:
        return distance_matrix(instance).tolist()
    out = cuda.to_device(np.zeros((instance.n, instance.n), np.int32))
    own = build_metric(instance.kind, True) if row.switch else build_single_metric(instance.kind)
    build_matrix_filler(own)[instance.n, 4](cuda.to_device(instance.coordinates), out)
    return out.copy_to_host().tolist()


def run_climbers(climbs, budget=1):
    """Lengths, moves and scans of all climbers, the recorded moves, the best tour, and the number of launches."""
    rows, moves, batches = [], [], list(climbs.batches(budget) if budget > 1 else climbs.batches())
    for batch in batches:
        assert batch.first == len(rows)
        rows += zip(batch.length.tolist(), batch.moves.tolist(), batch.scans.tolist(), strict=True)
        moves += zip(batch.i.tolist(), batch.j.tolist(), batch.delta.tolist(), strict=True)
    last = batches[-1]
    assert last.scan_count == sum(scans for _, _, scans in rows)
    return rows, moves, (last.best_length, last.best_climber, last.best_order.tolist()), len(batches)


def assert_naive(instance: Instance, row: TwoOptVariant, start, climbers: int, recorded: int, found) -> None:
    exact, metric = distance_matrix(instance).tolist(), row_distances(instance, row)
    rows, moves, best, _ = found
    tops = []
    for climber in range(climbers):
        values = climber == 0 and start is not None
        top, result = naive.climb(metric, start.tolist() if values else naive.random_tour(SEED, climber, instance.n))
        length = naive.naive_length(exact, top)
        tops.append((length, climber, top))
        assert rows[climber] == (length, len(result), len(result) + 1)
        if climber == recorded:
            assert moves == result
    assert best == min(tops)


@ROWS
def test_each_one_scan_launch_continues_the_previous_one(row, monkeypatch):
    monkeypatch.setattr(climbs_cuda, "LAUNCH_SECONDS", 0)
    monkeypatch.setattr(climbs_cuda, "FIRST_LAUNCH_SECONDS", 0)
    instance = planar("EUC_2D", max(8, row.min_n), 30, 5)
    found = run_climbers(make_climbs(instance, row, SEED, None, 3, slots=2, recorded=1))
    assert_naive(instance, row, None, 3, 1, found)
    assert found[3] > 2 or row.per == "host"


@pytest.mark.smoke
@ROWS
def test_one_launch_chooses_the_naive_moves(row):
    if "EXPLICIT" in row.kinds:
        weights = np.tril(np.random.default_rng(1).integers(-9, 20, (9, 9)), -1).astype(np.int32)
        instance = from_weights(weights + weights.T)
    else:
        instance = planar("CEIL_2D", max(9, row.min_n), 20, 2, whole=False)
    start = np.random.default_rng(4).permutation(instance.n).astype(np.int32)
    found = run_climbers(make_climbs(instance, row, SEED, start, 2, slots=1, recorded=0))
    assert_naive(instance, row, start, 2, 0, found)


@pytest.mark.smoke
@ROWS
@pytest.mark.parametrize("n", [1, 3])
def test_tours_without_moves(row, n):
    if n < row.min_n:
        with pytest.raises(InstanceTooLarge, match="or more"):
            make_climbs(planar("EUC_2D", n, 30, 1), row, SEED, None, 1)
        return
    found = run_climbers(make_climbs(planar("EUC_2D", n, 30, 1), row, SEED, None, 1))
    assert [result[1:] for result in found[0]] == [(0, 1)]


@pytest.mark.smoke
@pytest.mark.parametrize("row", STRIP_VARIANTS, ids=lambda row: row.name)
def test_another_climber_is_recorded_after_one_has_finished(row, monkeypatch):
    """With its start tour and all of its moves."""
    monkeypatch.setattr(climbs_cuda, "LAUNCH_SECONDS", 0.0)  # short launches, so that some climber begins after one
    instance, spec = planar("EUC_2D", 20, 60, 5), make_spec("two-opt", SEED, climbers=4, variant=row.name)
    walk = make_climbs(instance, row, SEED, None, 4, slots=2, recorded=0)
    walk.records_more = True
    job = Job(instance, find("two-opt").params(climbers=4), SEED, "cuda", Budget().start())
    reporter = CudaReporter(job, 4, exact=True)
    found = recorded_climbs(event for batch in walk.batches(1) for event in reporter.report(batch))
    assert len(found) > 1
    for climber, climb in found.items():
        assert climb == recorded_climbs(replay_events(instance, spec, climber))[climber]


@pytest.mark.smoke
@pytest.mark.parametrize("row", PROGRAM, ids=lambda row: row.name)
def test_published_program_climbs_as_on_cores(row, monkeypatch):
    if SIMULATED:  # whose blocks have four threads
        monkeypatch.setattr(cpu, "paper_threads", lambda n: 4)
        monkeypatch.setattr(climbs, "paper_threads", lambda n: 4)
    instance = planar("EUC_2D", 12, 6, 4)
    found = run_climbers(make_climbs(instance, row, SEED, None, 6, recorded=0))
    events = collect_events(instance, make_spec("two-opt", SEED, climbers=6, published="program", variant="sequential"))
    answer = story(events)["rows"]
    assert [result[:2] for result in found[0]] == [*zip(answer["length"], answer["moves"], strict=True)]
    assert found[1] == recorded_climbs(events)[0].moves


@pytest.mark.parametrize(
    ("row", "kind"), [*zip(STRIP_VARIANTS, ("ATT", "EUC_2D"), strict=True)], ids=["strip", "multi-move"]
)
def test_climber_in_global_memory_climbs_alike(row, kind, monkeypatch):
    instance, found = planar(kind, 20, 60, 3), []
    for memory in (
        layout_cuda.choose_memory,
        lambda row, n, threads, limits: layout_cuda.Memory(0, 4 * row.scratch_words(n)),
    ):
        monkeypatch.setattr(climbs_cuda, "choose_memory", memory)
        found.append(run_climbers(make_climbs(instance, row, SEED, None, 1, recorded=0))[:3])
    assert found[0] == found[1]


def test_replayed_climb_matches_its_run_if_threads_decide(monkeypatch):
    asked = []

    def choose_threads(row, n, limits, climbers, *registers):
        asked.append((row.name, climbers))
        return 4

    monkeypatch.setattr(climbs_cuda, "choose_threads", choose_threads)
    for row in STRIP_VARIANTS:
        make_climbs(planar("EUC_2D", 20, 60, 3), row, SEED, None, (3, 4), of_run=500).close()
        make_climbs(planar("EUC_2D", 20, 60, 3), row, SEED, None, 7).close()
    assert asked == [("strip", 1), ("strip", 7), ("multi-move", 500), ("multi-move", 7)]


def test_several_moves_per_scan_reach_a_local_optimum():
    (row,) = [row for row in ALL_ROWS if row.name == "multi-move"]
    instance = planar("EUC_2D", 26, 100, 6)
    matrix = distance_matrix(instance).tolist()
    rows, moves, best, _ = run_climbers(make_climbs(instance, row, SEED, None, 2, recorded=1))
    tour = naive.random_tour(SEED, 1, instance.n)
    for i, j, delta in moves:
        after = naive.reversed_between(tour, i, j)
        assert naive.naive_length(matrix, after) - naive.naive_length(matrix, tour) == delta < 0
        tour = after
    assert naive.best_move(matrix, tour) is None
    assert rows[1] == (naive.naive_length(matrix, tour), len(moves), rows[1][2])
    assert rows[1][2] < len(moves)
    assert best[0] == min(length for length, _, _ in rows)


def test_move_numbers_are_decoded_exactly():
    @cuda.jit(fastmath=True)
    def take_apart(ks, n, total, i, j):
        for k in range(ks.size):
            i[k], j[k] = pair_from_root(ks, uint32(ks[k]), uint32(n), uint32(total))

    for n in (4, 5, 100, 20_000, 65_535):
        rows = np.unique(np.concatenate([np.arange(min(n - 2, 40)), n - 3 - np.arange(min(n - 2, 40))]))
        first = rows * (n - 2) - rows * (rows - 1) // 2
        ks = np.concatenate([first, first + (n - 3 - rows)]).astype(np.uint32)
        i, j = (cuda.to_device(np.zeros(ks.size, np.int64)) for _ in range(2))
        take_apart[1, 1](cuda.to_device(ks), n, (n - 1) * (n - 2) // 2, i, j)
        assert i.copy_to_host().tolist() == [*rows, *rows]
        assert j.copy_to_host().tolist() == [*(rows + 2), *([n - 1] * rows.size)]


def test_pairs_with_imprecise_single_precision_are_counted():
    instance = assemble("t", "EUC_2D", "inline", coordinates=np.array([[0, 0], [3e5, 1.4999999], [0.5, 0], [7, 7]]))
    (tile,) = [row for row in ALL_ROWS if row.name == "tile"]
    climbs = make_climbs(instance, tile, SEED, None, 1)
    different = np.array(row_distances(instance, tile)) != distance_matrix(instance)
    assert climbs.differing_pairs() == different.sum() // 2 > 0
    climbs.close()


@pytest.mark.smoke
def test_unsupported_options_of_a_variant_are_refused():
    explicit = assemble("t", "EXPLICIT", "inline", weights=np.zeros((5, 5), np.int32))
    rows = {row.name: row for row in ALL_ROWS}
    with pytest.raises(DeviceUnavailable, match="EXPLICIT"):
        make_climbs(explicit, rows["calc"], SEED, None, 1)
    with pytest.raises(InstanceTooLarge, match="at most"):
        make_climbs(planar("EUC_2D", 300, 100, 1), rows["matr_s"], SEED, None, 1)
    with pytest.raises(InstanceTooLarge, match="single precision"):
        make_climbs(planar("EUC_2D", 10, 1e8, 1), rows["tile"], SEED, None, 1)
