"""What `solvers.kernels.compiler` stores and shares, seen in processes of their own with an empty cache."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from solvers.worker.fork_server import AVAILABLE

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
BEGIN = """
import sys, time
from pathlib import Path

import numpy as np
from solvers.worker.worker_io import import_numba

import_numba()
from solvers.kernels.compiling import progress
from solvers.worker.kernel_loading import load_kernels
from tests.solvers.kernels.sample_kernels import double, fill, quadruple

folder, values = Path(sys.argv[1]), np.array([1, 5])

def wait_for(name):
    end = time.monotonic() + 60
    while not (folder / name).exists() and time.monotonic() < end:
        time.sleep(0.01)
"""
#: Prints how many kernels were compiled, and the results.
CALLS = """
quadruple(values)
try:
    quadruple(values * 20)
except ValueError as error:
    print(progress.count, *values, error)
"""
#: As soon as two processes are here, each needs the same kernel; prints how many this one has compiled.
RACES = """
(folder / sys.argv[2]).touch()
wait_for(sys.argv[3])
double(values)
print(progress.count)
"""
#: A process and its fork have three kernels to compile; the former waits until the latter has compiled the last.
FORKS = """
def middle():
    wait_for("last")
    fill(values, values[:1])

def last():
    fill(values, 6)
    (folder / "last").touch()

load_kernels([lambda: double(values), middle, last])
print(progress.count, *values)
"""

#: Prints how many functions have been called at the pause, if there is one, and at the end.
PARTS = """
from solvers.worker.kernel_loading import load_in_two_parts
called = []
calls = [lambda: called.append(0), lambda: fill(values, 6), lambda: called.append(1), lambda: double(values)]
print(*[len(called) for _ in load_in_two_parts(calls, 1)], len(called))
"""

#: Prints how many kernels were compiled for another CPU, and for how many types.
FASTER = """
from runs.engine.kernel_package import compile_faster
compile_faster(["tests.solvers.kernels.sample_kernels:fill"])
print(progress.count, len(fill.signatures))
"""

#: Like `FORKS`; the last function touches a GPU, and prints in which process it is called.
FORKS_BESIDE_GPU = """
def on_gpu():
    print(os.getpid() == own)

import os
own = os.getpid()
load_kernels([lambda: double(values), lambda: fill(values, 6), on_gpu], [on_gpu])
"""


def start(program: str, *words: object, **more: str) -> subprocess.Popen:
    """A process whose cache and first argument are a folder, with more environment variables."""
    variables = os.environ | {"NUMBA_CACHE_DIR": str(words[0])} | more
    return subprocess.Popen(
        [sys.executable, "-c", BEGIN + program, *map(str, words)], cwd=ROOT, env=variables, stdout=-1, text=True
    )


def output(process: subprocess.Popen) -> str:
    out, _ = process.communicate()
    assert process.returncode == 0
    return out.strip()


def test_stored_code_finds_the_shared_kernel_that_it_calls(tmp_path):
    assert output(start(CALLS, tmp_path)) == "2 4 20 too much"
    assert output(start(CALLS, tmp_path)) == "0 4 20 too much"


@pytest.mark.skipif(sys.platform == "win32", reason="its locks do not wait")
def test_of_two_processes_that_need_a_kernel_one_compiles_it(tmp_path):
    both = [start(RACES, tmp_path, "one", "two"), start(RACES, tmp_path, "two", "one")]
    assert sorted(map(output, both)) == ["0", "1"]


@pytest.mark.long
@pytest.mark.skipif(not AVAILABLE, reason="this system has no forks of this kind")
def test_a_fork_compiles_the_last_kernels(tmp_path):
    compiled, *values = output(start(FORKS, tmp_path)).split()
    assert values == ["6", "6"]
    assert (os.cpu_count() or 1) == 1 or int(compiled) < 3
    assert output(start("load_kernels([lambda: double(values)] * 2)\nprint(progress.count)", tmp_path)) == "0"


def test_kernels_are_compiled_for_a_second_cpu_with_the_types_of_the_first(tmp_path):
    output(start("fill(values, 6); fill(values, 6.0)", tmp_path))
    other = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    assert output(start(FASTER, tmp_path, **other)) == "2 2"
    assert output(start(FASTER, tmp_path, **other)) == "0 2"


@pytest.mark.skipif(not AVAILABLE, reason="this system has no forks of this kind")
def test_a_fork_leaves_the_gpu_alone(tmp_path):
    assert output(start(FORKS_BESIDE_GPU, tmp_path)) == "True"


def test_loading_pauses_as_soon_as_a_kernel_was_compiled(tmp_path):
    assert output(start(PARTS, tmp_path / "empty")) == "1 2"
    assert output(start(PARTS, tmp_path / "empty")) == "2"
    output(start("fill(values, 6)", tmp_path / "half"))
    assert output(start(PARTS, tmp_path / "half")) == "2 2"
