"""Caching a kernel also works in Numba's simulator, which compiles nothing."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
#: Caches a kernel in the simulator, and runs it.
PROGRAM = """
import numpy as np
import solvers.kernels
from numba import cuda
from solvers.gpu.kernel_cache import cache_kernel

@cuda.jit
def kernel(out):
    out[0] = 7

cache_kernel(kernel, ("test",))
out = np.zeros(1)
kernel[1, 1](out)
print(out[0])
"""


def test_simulator_kernel_is_unchanged():
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    command = [sys.executable, "-c", PROGRAM]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, cwd=ROOT)
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == ["7.0"]
