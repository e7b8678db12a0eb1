"""Small grids are launched on purpose and host arrays never, so Numba has no reason to warn."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from solvers import SOLVERS

ROOT = Path(__file__).resolve().parents[3]
#: Every module that launches kernels, or has some.
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in (ROOT / "solvers").rglob("*_cuda.py")
)
#: A function is compiled between, for Numba reads its settings again then; and each kernel is given one block.
PROGRAM = f"""
import importlib, sys, warnings
MODULES = {MODULES}
FIRST
for name in MODULES:
    importlib.import_module(name)
import numba
from numba.cuda.dispatcher import CUDADispatcher
numba.njit(lambda x: x + 1)(1)
mine = [module for name, module in list(sys.modules.items()) if name in MODULES]
found = [each for module in mine for each in vars(module).values() if isinstance(each, CUDADispatcher)]
kernels = [each for each in found if not each.targetoptions.get("device")]
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    for kernel in kernels:
        kernel[1, 32]
print(len(kernels), "kernels,", len(told), "warnings", *(one.message for one in told[:1]))
"""
WITH_CARD = [solver for solver in SOLVERS if any(variant.device == "cuda" for variant in solver.variants)]


def run_and_read(command: list[str], **variables: str) -> subprocess.CompletedProcess:
    """The output of a process with only these Numba variables."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    return subprocess.run(
        [sys.executable, *command], env={**bare, **variables}, capture_output=True, text=True, cwd=ROOT, timeout=600
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "first",
    ["import numba", *(pytest.param(first, marks=pytest.mark.long) for first in ("", "from numba import cuda"))],
    ids=str,
)
def test_one_block_grid_gives_no_warning_in_any_import_order(first):
    done = run_and_read(["-c", PROGRAM.replace("FIRST", first)])
    count, _, rest = done.stdout.partition(" ")
    assert rest == "kernels, 0 warnings\n", done.stdout + done.stderr[-2000:]
    assert int(count) > 5


@pytest.mark.long
def test_warning_appears_on_request():
    done = run_and_read(["-c", PROGRAM.replace("FIRST", "")], NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS="1")
    assert "Grid size 1 will likely" in done.stdout, done.stdout + done.stderr[-2000:]


@pytest.mark.gpu
@pytest.mark.parametrize("solver", WITH_CARD, ids=lambda solver: solver.name)
def test_command_line_runs_on_a_gpu_without_a_warning(solver):
    done = run_and_read(["-m", "solvers", "run", "burma14", solver.name, "--device", "cuda", "--time", "1"])
    assert done.returncode == 0, done.stderr[-2000:]
    assert "Warning" not in done.stderr, done.stderr[-2000:]
