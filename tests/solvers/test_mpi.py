"""Ant Colony System in several processes: the tours of one, and ends without anybody left behind."""

import json
import os
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import psutil
import pytest

from data.generators import uniform
from runs.frames import decode
from runs.process import ProcessEngine
from solvers import mpi_launch
from solvers.ant_colony_system import AntColonySystemParams
from solvers.ant_colony_system_cpu import AntColonySystemColony
from solvers.colony import AntColony, Iterations, joined
from solvers.errors import InstanceTooLarge, RunFailed
from solvers.mpi_colony import MpiColony
from solvers.solver import Job
from solvers.spec import RunSpec
from solvers.stop import Budget

pytestmark = [
    pytest.mark.skipif(bool(mpi_launch.lacking()), reason=mpi_launch.lacking() or "MPI is there"),
    pytest.mark.slow,
    pytest.mark.timeout(300),
]
ROOT = Path(__file__).resolve().parent.parent.parent
ITERATIONS = 5
#: Seconds within which nobody may be left.
PROMPT = 3.0


def job_of(n: int = 60, **params) -> Job:
    chosen = AntColonySystemParams.from_mapping({"ants": 7, "iterations": ITERATIONS, **params})
    return Job(uniform(n, 3), chosen, 5, "cpu", Budget().start())


def told(colony: AntColony, iterations: int = ITERATIONS) -> Iterations:
    parts, done = [], 0
    while done < iterations:
        began = time.perf_counter()
        part = colony.advance(iterations)
        assert time.perf_counter() - began < 5, "a slice is far longer than any load explains"
        if part is not None:
            parts.append(part)
            done += part.best.size
    return joined(parts)


def assert_same(one: Iterations, other: Iterations) -> None:
    for name in ("best", "worst", "mean", "entropy", "branching", "order", "built", "lengths"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


def ranks_of(process: int) -> list[psutil.Process]:
    """The processes of a run that a process has started."""
    children = psutil.Process(process).children(recursive=True)
    return [child for child in children if "solvers.mpi_rank" in child.cmdline()[1:3]]


def wait_for_end(processes: list[psutil.Process]) -> None:
    _, alive = psutil.wait_procs(processes, PROMPT)
    assert not [one for one in alive if one.status() != psutil.STATUS_ZOMBIE]


@pytest.mark.parametrize(
    ("ranks", "windows", "params"),
    [
        (1, True, {"local_update": "deferred"}),
        (2, True, {"local_update": "deferred"}),
        (4, False, {"local_update": "deferred", "two_opt": "none", "candidates": 4}),
        (4, True, {"local_update": "deferred", "two_opt": "none", "candidates": 4}),
        (2, True, {"local_update": "lockstep", "candidates": 4}),
        (4, False, {"local_update": "lockstep", "two_opt": "none"}),
        (4, True, {"ants": 2}),
    ],
)
def test_any_number_of_processes_finds_the_tours_of_one(ranks, windows, params):
    job = job_of(**params)
    with closing(AntColonySystemColony(job, 1)) as alone, closing(MpiColony(job, ranks, windows)) as together:
        assert_same(told(together), told(alone))
        np.testing.assert_array_equal(together.trails(), alone.trails())


def test_the_racy_update_keeps_to_tours():
    job = job_of(local_update="racy", candidates=4)
    with closing(MpiColony(job, 2)) as colony:
        found = told(colony)
        trails = colony.trails()
    assert np.array_equal(np.sort(found.order), np.tile(np.arange(60), (ITERATIONS, 1)))
    assert np.isfinite(trails).all()
    np.testing.assert_array_equal(trails, trails.T)


def test_a_run_can_end_at_any_slice_and_leaves_nobody():
    colony = MpiColony(job_of(n=400, ants=64, iterations=10_000), 2)
    ranks = ranks_of(os.getpid())
    assert len(ranks) == 2
    colony.advance(10_000)
    assert sorted(colony.unfinished()) == list(range(400))
    colony.close()
    wait_for_end(ranks)


def test_a_process_that_is_killed_fails_the_run():
    with closing(MpiColony(job_of(iterations=10_000), 2)) as colony:
        ranks = ranks_of(os.getpid())
        told(colony, 1)
        ranks[-1].kill()
        began = time.monotonic()
        with pytest.raises(RunFailed, match="ended by themselves"):
            told(colony, 10_000)
        assert time.monotonic() - began < PROMPT + 2
        wait_for_end(ranks)


def test_nobody_outlives_who_started_them():
    script = (
        "from tests.solvers.test_mpi import *\n"
        "colony = MpiColony(job_of(iterations=100_000), 2)\n"
        "print('ready', flush=True)\n"
        "while True: colony.advance(100_000)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE)
    assert parent.stdout is not None
    assert parent.stdout.readline() == b"ready\n"
    ranks = ranks_of(parent.pid)
    assert len(ranks) == 2
    parent.kill()
    parent.wait()
    wait_for_end(ranks)


def test_what_all_processes_refuse_is_told_in_its_own_sentence():
    with pytest.raises(InstanceTooLarge, match="take fewer cities or ants"):
        MpiColony(job_of(n=9000, ants=65_536, local_update="lockstep"), 2)


def command_line(*arguments: str) -> subprocess.CompletedProcess:
    words = mpi_launch.command(2, ["-m", "solvers", "run", "burma14", *arguments], 1)
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=120, env=mpi_launch.environment({}))


def test_the_command_line_under_mpiexec_tells_one_result():
    asked = ("--engine", "mpi", "--iterations", "5", "--json")
    done = command_line("ant-colony-system", *asked)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    found = json.loads(done.stdout)
    alone = [sys.executable, "-m", "solvers", "run", "burma14", "ant-colony-system", "--variant", "sequential"]
    same = subprocess.run([*alone, *asked[2:]], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    assert found["length"] == json.loads(same.stdout)["length"]
    assert found["params"]["variant"] == "mpi"
    assert "2 processes" in found["device"]


def test_a_stop_rule_ends_all_processes_of_the_command_line():
    done = command_line("ant-colony-system", "--engine", "mpi", "--iterations", "100000", "--time", "0.5", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["stop_reason"] == "time"


def test_a_wrong_argument_is_told_once():
    done = command_line("two-opt", "--engine", "mpi")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("no variant mpi") == 1
    assert "Traceback" not in done.stderr


def test_without_mpiexec_the_engine_says_what_to_do():
    words = [sys.executable, "-m", "solvers", "run", "burma14", "ant-colony-system", "--engine", "mpi"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=60, env=mpi_launch.environment({}))
    assert done.returncode == 2
    assert "mpiexec -n" in done.stderr


def test_the_pages_engine_runs_it_as_any_other():
    engine, columns = ProcessEngine(), {}
    try:
        for variant, params in (("mpi", {"ranks": 2}), ("cpu", {})):
            stage = {"algorithm": "ant-colony-system", "params": {"iterations": 4, "variant": variant, **params}}
            spec = RunSpec.from_json({"v": 1, "instance": {"name": "burma14"}, "stages": [stage]})
            handle = engine.start(spec, uniform(14, 1))
            frames = [decode(frame) for frame in handle.frames()]
            assert frames[-1].kind == "finished", frames[-1].values
            told = [frame.arrays for frame in frames if frame.kind == "colony"]
            columns[variant] = {
                name: np.concatenate([one[name] for one in told]) for name in ("best", "mean", "entropy")
            }
    finally:
        engine.close()
    for name, values in columns["mpi"].items():
        np.testing.assert_array_equal(values, columns["cpu"][name], err_msg=name)
