"""What the first run on a GPU compiles is loaded from the disk by the next one.

Not collected with the other tests: see `simulated.run_cases`.
"""

import cProfile
import pstats
from pathlib import Path

import pytest

from data.generators import uniform
from solvers import BUILT_IN
from solvers.kernels.device_cuda import SIMULATED, cuda
from solvers.run import prepare, run
from solvers.spec import RunSpec, Stage
from solvers.stop import Budget

CARD = pytest.mark.skipif(SIMULATED, reason="the simulator compiles nothing")
ON_GPU = [solver for solver in BUILT_IN if solver.listed and any(each.device == "cuda" for each in solver.variants)]


def compiled_in(spec: RunSpec) -> int:
    """How many kernels and device functions a run compiles."""
    with cProfile.Profile() as profile:
        for _ in run(prepare(spec), uniform(14, 2), Budget(seconds=0.2).start()):
            continue
    calls = pstats.Stats(profile).stats
    return sum(count for (_, _, name), (_, count, *_) in calls.items() if name == "compile_cuda")


@CARD
@pytest.mark.parametrize("solver", ON_GPU, ids=lambda solver: solver.name)
def test_a_run_compiles_nothing_that_another_compiled_before(solver):
    spec = RunSpec({"generate": "uniform", "n": 14, "seed": 2}, (Stage(solver.name),), device="cuda")
    compiled_in(spec)
    assert compiled_in(spec) == 0


@CARD
def test_kernels_of_one_function_have_files_of_their_own():
    from solvers.gpu.kernel_cache import cache_kernel

    files = []
    for number in (1, 2):

        @cuda.jit
        def kernel(out):
            out[0] = 1

        cache_kernel(kernel, ("test", number))
        files.append(Path(kernel._cache._cache_file._index_path).name)
    assert files[0] != files[1]
