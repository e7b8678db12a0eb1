"""Kernels that the first run on a GPU compiles are loaded from disk by the next one, from their own files."""

import subprocess
import sys
from pathlib import Path

import pytest

from solvers import BUILT_IN

ROOT = Path(__file__).resolve().parents[3]
ON_GPU = [solver for solver in BUILT_IN if solver.listed and any(each.device == "cuda" for each in solver.variants)]
#: Prints how many kernels and device functions an algorithm's second run compiles.
SECOND = """
import cProfile, pstats, sys
from data.generators import uniform
from solvers.run import prepare, run
from solvers.spec import RunSpec, Stage
from solvers.core.stop import Budget

spec = RunSpec({"generate": "uniform", "n": 14, "seed": 2}, (Stage(sys.argv[1]),), device="cuda")
for _ in range(2):
    with cProfile.Profile() as profile:
        for _ in run(prepare(spec), uniform(14, 2), Budget(seconds=0.2).start()):
            continue
calls = pstats.Stats(profile).stats
print(sum(count for (_, _, name), (_, count, *_) in calls.items() if name == "compile_cuda"))
"""
#: Prints the names of the files of two kernels of one function.
FILES = """
from pathlib import Path
from numba import cuda
import solvers.kernels
from solvers.gpu.kernel_cache import cache_kernel

for number in (1, 2):
    @cuda.jit
    def kernel(out):
        out[0] = 1

    cache_kernel(kernel, ("test", number))
    print(Path(kernel._cache._cache_file._index_path).name)
"""


def run_program(folder: Path, program: str, *arguments: str) -> list[str]:
    """The words that a program prints on this machine's GPU; it is a file because Numba only caches kernels from
    files."""
    path = folder / "program.py"
    path.write_text(program)
    command = [sys.executable, "-c", "import runpy, sys; runpy.run_path(sys.argv.pop(1))", str(path), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.gpu
@pytest.mark.parametrize("solver", ON_GPU, ids=lambda solver: solver.name)
def test_run_compiles_nothing_compiled_before(solver, tmp_path):
    assert run_program(tmp_path, SECOND, solver.name) == ["0"]


@pytest.mark.gpu
def test_kernels_of_one_function_have_separate_files(tmp_path):
    first, second = run_program(tmp_path, FILES)
    assert first != second
