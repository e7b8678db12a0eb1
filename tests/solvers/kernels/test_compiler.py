"""Kernels stored and shared by `solvers.kernels.compiler`, in separate processes with an empty cache."""

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from solvers.worker.fork_server import AVAILABLE
from tests.clock import wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked here"),
]

ROOT = Path(__file__).resolve().parents[3]
#: Forks a process for each program, which has a folder for its cache and first argument, and a file for its output.
FORKING = """
import json, os, sys, time, traceback
from pathlib import Path

import numpy as np
from solvers.worker.worker_io import import_numba

import_numba()
import numba
from solvers.kernels.compiling import progress
from solvers.worker.kernel_loading import load_in_two_parts, load_kernels

def wait_for(name):
    end = time.monotonic() + 60
    while not (folder / name).exists() and time.monotonic() < end:
        time.sleep(0.01)

for line in sys.stdin:
    program, output, *sys.argv[1:] = json.loads(line)
    if os.fork():
        continue
    numba.config.CACHE_DIR = sys.argv[1]
    from tests.solvers.kernels.sample_kernels import double, fill, quadruple

    folder, values = Path(sys.argv[1]), np.array([1, 5])
    with open(f"{output}-", "w") as sys.stdout:
        try:
            exec(program)
        except BaseException:
            print(traceback.format_exc())
    os.rename(f"{output}-", output)
    os._exit(0)
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
called = []
calls = [lambda: called.append(0), lambda: fill(values, 6), lambda: called.append(1), lambda: double(values)]
print(*[len(called) for _ in load_in_two_parts(calls, 1)], len(called))
"""

#: Like `FORKS`; the last function touches a GPU, and prints in which process it is called.
FORKS_BESIDE_GPU = """
def on_gpu():
    print(os.getpid() == own)

import os
own = os.getpid()
load_kernels([lambda: double(values), lambda: fill(values, 6), on_gpu], [on_gpu])
"""


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    """Start a program in a fork of a process that has imported Numba; returns a function that waits for its output."""
    variables = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path_factory.mktemp("cache"))}
    command = [sys.executable, "-c", FORKING]
    outputs, count = tmp_path_factory.mktemp("outputs"), itertools.count()
    with subprocess.Popen(command, cwd=ROOT, env=variables, stdin=subprocess.PIPE, text=True) as process:

        def start_fork(program, *words):
            path = outputs / str(next(count))
            print(json.dumps([program, str(path), *map(str, words)]), file=process.stdin, flush=True)

            def wait():
                wait_until(path.exists)
                return path.read_text().strip()

            return wait

        yield start_fork


def test_stored_code_finds_its_shared_kernel(start, tmp_path):
    assert start(CALLS, tmp_path)() == "2 4 20 too much"
    assert start(CALLS, tmp_path)() == "0 4 20 too much"


def test_one_of_two_processes_compiles_a_shared_kernel(start, tmp_path):
    both = [start(RACES, tmp_path, "one", "two"), start(RACES, tmp_path, "two", "one")]
    assert sorted(wait() for wait in both) == ["0", "1"]


@pytest.mark.long
@pytest.mark.skipif(not AVAILABLE, reason="this system has no forks of this kind")
def test_fork_compiles_the_last_kernels(start, tmp_path):
    compiled, *values = start(FORKS, tmp_path)().split()
    assert values == ["6", "6"]
    assert (os.cpu_count() or 1) == 1 or int(compiled) < 3
    assert start("load_kernels([lambda: double(values)] * 2)\nprint(progress.count)", tmp_path)() == "0"


@pytest.mark.skipif(not AVAILABLE, reason="this system has no forks of this kind")
def test_fork_does_not_touch_the_gpu(start, tmp_path):
    assert start(FORKS_BESIDE_GPU, tmp_path)() == "True"


def test_loading_pauses_after_a_compilation(start, tmp_path):
    assert start(PARTS, tmp_path / "empty")() == "1 2"
    assert start(PARTS, tmp_path / "empty")() == "2"
    start("fill(values, 6)", tmp_path / "half")()
    assert start(PARTS, tmp_path / "half")() == "2 2"
