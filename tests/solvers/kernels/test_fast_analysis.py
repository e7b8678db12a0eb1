"""The replaced parts of Numba's compiler produce the same machine code as Numba's own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
#: Prints the machine code of one kernel or two, without the names of functions, in which Numba numbers them and encodes
#: their flags; with a second argument it is Numba's own compiler. Then prints whether its parts are replaced.
PROGRAM = """
import re, sys
import numba, numpy as np
if sys.argv[2:]:
    numba.version_info = numba.version_info._replace(short=())
from numba import float64, int32, int64
from numba.core.postproc import PostProcessor
from solvers.algorithms.lin_kernighan.kernels.spatial_cpu import find_candidates
from solvers.algorithms.lin_kernighan.kernels.tour_cpu import undo, Tour

points, numbers, names = float64[:, ::1], int64[::1], int32[:, ::1]
tour = numba.types.NamedTuple((int32[::1], int32[::1], names, int32[::1], numbers), Tour)
kinds = {undo: (tour,), find_candidates: (points, numbers, points, int64, int64, int64, names)}
for kernel in list(kinds)[: int(sys.argv[1])]:
    kernel.compile(kinds[kernel])
    (compiled,) = kernel.overloads.values()
    print(re.sub(r"_ZN[0-9A-Za-z_]+", "symbol", compiled.library.get_asm_str()))
print(PostProcessor.run.__module__)
"""


def compile_kernels(folder: Path, *words: str) -> tuple[str, str]:
    """The machine code, and the module of the part that is replaced."""
    variables = os.environ | {"NUMBA_CACHE_DIR": str(folder / "-".join(words))}
    command = [sys.executable, "-c", PROGRAM, *words]
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=True)
    code, _, module = done.stdout.strip().rpartition("\n")
    return code, module


@pytest.mark.parametrize("count", ["1", pytest.param("2", marks=pytest.mark.long)])
def test_machine_code_equals_that_of_numbas_compiler(tmp_path, count):
    code, module = compile_kernels(tmp_path, count)
    assert (code, "numba.core.postproc") == compile_kernels(tmp_path, count, "numba")
    assert len(code) > 4_000
    assert module == "solvers.kernels.fast_analysis"
