"""The papers' 2-opt variants on CUDA: the same climbs as on the CPU, if there is a GPU, and their numbers of
threads."""

import numpy as np
import pytest

from data.collection.resolve import load
from data.distances import distance_matrix
from data.generators import uniform
from data.instance import Instance
from solvers.algorithms.two_opt.variant import TwoOptVariant
from solvers.algorithms.two_opt.variants import CUDA_VARIANTS as ALL_ROWS
from tests.matrices import from_weights
from tests.solver_runs import collect_climbs, collect_events, make_spec, replay_events, story

#: The rows that make the best move, as the CPU does.
BEST = [row for row in ALL_ROWS if row.name != "multi-move"]
BEST += [row.two_rows for row in BEST if row.two_rows is not None]
BEST += [row.published["paper"] for row in BEST if row.published]
SEED = 5


def kernel_metric(instance: Instance, row: TwoOptVariant) -> Instance:
    """The instance whose exact distances a float32 kernel uses."""
    from numba import cuda

    from solvers.algorithms.two_opt.kernels.metric_cuda import build_matrix_filler, build_single_metric
    from solvers.algorithms.two_opt.kernels.strip_scan_cuda import build_metric

    out = cuda.to_device(np.zeros((instance.n, instance.n), np.int32))
    own = build_metric(instance.kind, True) if row.switch else build_single_metric(instance.kind)
    build_matrix_filler(own)[instance.n, 128](cuda.to_device(instance.coordinates), out)
    return from_weights(out.copy_to_host(), "d32")


@pytest.mark.gpu
@pytest.mark.parametrize("row", BEST, ids=lambda row: row.kernel.partition(":")[2])
@pytest.mark.parametrize("case", ["kroA100", "berlin52", "uniform"])
def test_gpu_climbs_like_the_cpu(row, case):
    from solvers.algorithms.two_opt import climbs_cuda

    instance, climbers = (uniform(150, 7), 40) if case == "uniform" else (load(case), 300)
    climbs = climbs_cuda.make_climbs(instance, row, SEED, None, climbers, recorded=7)
    batches = list(climbs.batches())
    same = instance if row.reads_matrix else kernel_metric(instance, row)
    events = collect_events(same, make_spec("two-opt", SEED, climbers=climbers, variant="cpu"))
    rows = story(events)["rows"]
    moves = [move for b in batches for move in zip(b.i.tolist(), b.j.tolist(), b.delta.tolist(), strict=True)]
    assert moves == collect_climbs(events)[7].moves
    assert np.concatenate([batch.moves for batch in batches]).tolist() == rows["moves"]
    if row.reads_matrix:
        assert np.concatenate([batch.length for batch in batches]).tolist() == rows["length"]
    best = batches[-1].best_order
    assert np.array_equal(np.sort(best), np.arange(instance.n))
    assert distance_matrix(instance)[best, np.roll(best, -1)].sum() == batches[-1].best_length


@pytest.mark.gpu
@pytest.mark.parametrize("name", ["original", "hundred-cities", "calculated"])
@pytest.mark.parametrize("case", ["swiss42", "kroA100"])
def test_published_program_climbs_alike_on_gpu_and_cores(name, case):
    params = {"climbers": 3000, "published": "program"}
    card, cores = (
        story(collect_events(load(case), make_spec("two-opt", 1, variant=variant, **params)))["rows"]
        for variant in (name, "cpu")
    )
    assert (card["length"], card["moves"]) == (cores["length"], cores["moves"])


@pytest.mark.gpu
@pytest.mark.parametrize("name", ["strip", "multi-move", "tuned"])
def test_replayed_climb_makes_the_moves_of_its_run(name):
    spec = make_spec("two-opt", SEED, climbers=20_000, variant=name)
    rows = story(collect_events(load("kroA100"), spec))["rows"]
    for climber in (0, 1, 19_999):
        climb = collect_climbs(replay_events(load("kroA100"), spec, climber))[climber]
        assert len(climb.moves) == rows["moves"][climber]
