"""Ant Colony System in several processes: the tours of one process, and a clean end of all processes."""

import json
import os
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import psutil
import pytest

from commands.arguments import UsageError, parse_command
from commands.main import main
from data.generators import uniform
from runs.engine.process import ProcessEngine
from solvers.algorithms.ants.acs.cpu import AntColonySystemColony
from solvers.algorithms.ants.acs.mpi_colony import MpiColony
from solvers.algorithms.ants.acs.params import AntColonySystemParams
from solvers.algorithms.ants.acs.variants import QIN_HAN_VARIANTS
from solvers.algorithms.ants.colony import AntColony, Iterations, concatenate
from solvers.core.errors import InstanceTooLarge, InvalidParams, RunFailed
from solvers.core.solver import Job
from solvers.core.stop import Budget
from solvers.mpi import launcher
from solvers.mpi.remote_run import max_ranks
from solvers.spec import RunSpec
from solvers.worker.frames import decode
from tests.clock import PATIENCE
from tests.solvers.algorithms.ants.dense_trails import dense
from tests.solvers.mpi.mpi_started import ROOT, change_ranks, command_line
from tests.tables import each_row

pytestmark = [
    pytest.mark.skipif(bool(launcher.unavailable_reason()), reason=launcher.unavailable_reason() or "MPI is there"),
    pytest.mark.slow,
    pytest.mark.timeout(600),
]
ITERATIONS = 5


def make_job(n: int = 60, **params) -> Job:
    chosen = AntColonySystemParams.from_mapping({"ants": 7, "iterations": ITERATIONS, **params})
    return Job(uniform(n, 3), chosen, 5, "cpu", Budget().start())


def advance_all(colony: AntColony, iterations: int = ITERATIONS) -> Iterations:
    parts, done = [], 0
    while done < iterations:
        began = time.perf_counter()
        part = colony.advance(iterations)
        assert time.perf_counter() - began < PATIENCE, "a slice is far longer than any load explains"
        if part is not None:
            parts.append(part)
            done += part.best.size
    return concatenate(parts)


def assert_same(one: Iterations, other: Iterations) -> None:
    for name in ("best", "worst", "mean", "entropy", "branching", "order", "built", "lengths"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


def list_processes(process: int) -> list[psutil.Process]:
    """The processes of a run started by a process, the launcher first, once it exists."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        found = [
            child for child in find_children(psutil.Process(process)) if "solvers.mpi.rank" in command_words(child)
        ]
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError("no launcher was started")


def find_ranks(process: int) -> list[psutil.Process]:
    return [one for one in list_processes(process) if "solvers.mpi.rank" in command_words(one)[1:3]]


def find_children(process: psutil.Process) -> list[psutil.Process]:
    try:
        return process.children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def command_words(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.NoSuchProcess:
        return []


def is_alive(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def wait_for_end(processes: list[psutil.Process]) -> None:
    """Assert that these processes end, including any that they start meanwhile."""
    deadline, seen = time.monotonic() + PATIENCE, set(processes)
    while any(map(is_alive, seen)):
        assert time.monotonic() < deadline, [command_words(one) for one in seen if is_alive(one)]
        seen |= {child for one in seen for child in find_children(one)}
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("ranks", "windows", "params"),
    [
        pytest.param(1, True, {"local_update": "deferred"}, marks=pytest.mark.long),
        pytest.param(2, True, {"lists": False, "candidates": 5}, marks=pytest.mark.long),
        pytest.param(
            4,
            True,
            {"local_update": "deferred", "local_search": "none", "candidates": 4, "ants": 3},
            marks=pytest.mark.long,
        ),
        (2, True, {"local_update": "lockstep", "candidates": 4}),
        pytest.param(2, False, {"local_update": "lockstep", "local_search": "none"}, marks=pytest.mark.long),
        pytest.param(3, False, {"local_update": "lockstep", "local_search": "none"}, marks=pytest.mark.long),
    ],
)
def test_any_number_of_processes_finds_the_same_tours(ranks, windows, params):
    job = make_job(**params)
    with closing(AntColonySystemColony(job, 1)) as alone, closing(MpiColony(job, ranks, windows)) as together:
        assert_same(advance_all(together), advance_all(alone))
        np.testing.assert_array_equal(dense(together.trails()), dense(alone.trails()))


@pytest.mark.long
def test_racy_update_keeps_valid_tours():
    job = make_job(local_update="racy", candidates=4)
    with closing(MpiColony(job, 2)) as colony:
        found = advance_all(colony)
        trails = dense(colony.trails())
    assert np.array_equal(np.sort(found.order), np.tile(np.arange(60), (ITERATIONS, 1)))
    assert np.isfinite(trails).all()
    np.testing.assert_array_equal(trails, trails.T)


@pytest.mark.long
def test_run_can_end_at_any_slice_and_leaves_no_process():
    with closing(MpiColony(make_job(n=400, ants=64, iterations=10_000), 2)) as colony:
        ranks = find_ranks(os.getpid())
        assert len(ranks) == 2
        colony.advance(10_000)
        assert sorted(colony.find_unfinished()) == list(range(400))
    wait_for_end(ranks)


@pytest.mark.long
def test_killed_process_fails_the_run():
    with closing(MpiColony(make_job(iterations=10_000), 2)) as colony:
        ranks = find_ranks(os.getpid())
        advance_all(colony, 1)
        ranks[-1].kill()
        began = time.monotonic()
        with pytest.raises(RunFailed, match="ended by themselves"):
            advance_all(colony, 10_000)
        assert time.monotonic() - began < PATIENCE
    wait_for_end(ranks)


@pytest.mark.long
@pytest.mark.parametrize("seconds", [0.2, 1.0, None])
def test_processes_end_with_their_parent(seconds):
    """Killed after this time since the launcher's start, or in the middle of the run."""
    script = (
        "from tests.solvers.mpi.test_mpi import *\n"
        "colony = MpiColony(make_job(iterations=100_000), 2)\n"
        "print('ready', flush=True)\n"
        "while True: colony.advance(100_000)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE)
    assert parent.stdout is not None
    with parent.stdout:
        started = list_processes(parent.pid)
        if seconds is None:
            assert parent.stdout.readline() == b"ready\n"
            started = list_processes(parent.pid)
            assert len(started) == 3
        else:
            time.sleep(seconds)
        parent.kill()
        parent.wait()
    wait_for_end(started)


FAILS = """
import os
if "1" in (os.environ.get("OMPI_COMM_WORLD_RANK"), os.environ.get("PMI_RANK"), os.environ.get("PMIX_RANK")):
    from solvers.core import neighbours
    def fails(distances):
        raise MemoryError("a secret of the machine")
    neighbours.nearest_neighbour_length = fails
"""


@pytest.mark.long
def test_process_failing_before_the_first_iteration_ends_the_run(monkeypatch, tmp_path, caplog):
    change_ranks(FAILS, monkeypatch, tmp_path)
    began = time.monotonic()
    with pytest.raises(RunFailed, match="see the log") as failure:
        MpiColony(make_job(), 2)
    assert time.monotonic() - began < PATIENCE
    assert "secret" not in str(failure.value)
    assert "MemoryError: a secret of the machine" in caplog.text


@pytest.mark.long
def test_failing_command_line_process_ends_the_run(monkeypatch, tmp_path):
    change_ranks(FAILS, monkeypatch, tmp_path)
    done = command_line("ant-colony-system", "--mpi", "--iterations", "5", "--json")
    assert done.returncode != 0
    assert done.stdout == ""
    assert "MemoryError: a secret of the machine" in done.stderr


@pytest.mark.long
def test_too_small_shared_memory_is_reported(monkeypatch, tmp_path):
    change_ranks(
        "import shutil\nshutil.disk_usage = lambda path: shutil._ntuple_diskusage(9, 0, 9)", monkeypatch, tmp_path
    )
    with pytest.raises(InstanceTooLarge, match="--shm-size"):
        MpiColony(make_job(), 2)


def test_too_many_processes_are_refused():
    with pytest.raises(InvalidParams, match="two for each core"):
        MpiColony(make_job(), max_ranks() + 1)


def test_unresponsive_launcher_is_reported(monkeypatch, tmp_path):
    monkeypatch.setattr(launcher, "find_launcher", lambda: str(tmp_path / "mpiexec"))
    with pytest.raises(RunFailed, match="does not say which version"):
        MpiColony(make_job(), 2)


@pytest.mark.long
def test_remains_of_a_killed_launcher_with_the_same_process_id_are_harmless(monkeypatch, tmp_path):
    name = subprocess.run(["hostname", "-s"], capture_output=True, text=True, check=True).stdout.strip()
    script = tmp_path / "mpiexec"
    script.write_text(f"""#!/bin/sh
mkdir -p "{tmp_path}/ompi.$$"
touch "{tmp_path}/ompi.$$/pmix.{name}.tool" "{tmp_path}/ompi.$$/pmix.{name}.tool.$$"
exec "{launcher.find_launcher()}" "$@"
""")
    script.chmod(0o700)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(launcher, "find_launcher", lambda: str(script))
    with closing(MpiColony(make_job(), 2)) as colony:
        folder = Path(colony.run.processes.folder)
        assert advance_all(colony).best.size == ITERATIONS
        assert list(folder.iterdir())
    assert not folder.exists()


@pytest.mark.long
def test_common_refusal_is_reported_in_its_own_sentence():
    with pytest.raises(InstanceTooLarge, match="use fewer cities or ants"):
        MpiColony(make_job(n=9000, ants=65_536, local_update="lockstep"), 2)


@pytest.mark.long
def test_command_line_under_mpiexec_reports_one_result(capsys):
    asked = ("--iterations", "5", "--json")
    done = command_line("ant-colony-system", "--mpi", *asked)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    found = json.loads(done.stdout)
    assert main(["run", "burma14", "ant-colony-system", "--variant", "sequential", *asked]) == 0
    assert found["length"] == json.loads(capsys.readouterr().out)["length"]
    assert found["params"]["variant"] == "mpi"
    assert "2 processes" in found["device"]


@pytest.mark.long
def test_help_is_printed_once():
    done = command_line("ant-colony-system", "--mpi", "--help")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("usage:") == 1


@pytest.mark.long
def test_common_refusal_of_the_command_line_is_reported_once():
    done = command_line(
        "ant-colony-system",
        "--engine",  # as older releases had it
        "mpi",
        "--ants",
        "65536",
        "--local-update",
        "lockstep",
        instance="uniform:9000:1",
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("use fewer cities or ants") == 1
    assert "Traceback" not in done.stderr


@each_row(("option", "value"), [("--variant", "cpu"), ("--ranks", "2")])
def test_contradicting_options_are_refused(option, value):
    with pytest.raises(UsageError, match=r"--mpi .* leave"):
        parse_command(["run", "burma14", "ant-colony-system", "--mpi", option, value])


@pytest.mark.long
def test_stop_rule_ends_all_processes_of_the_command_line():
    done = command_line("ant-colony-system", "--mpi", "--iterations", "100000", "--time", "0.5", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["stop_reason"] == "time"


@pytest.mark.long
def test_wrong_argument_is_reported_once():
    done = command_line("two-opt", "--mpi")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("no variant mpi") == 1
    assert "Traceback" not in done.stderr


def test_engine_without_mpiexec_says_what_to_do():
    words = [sys.executable, "-m", "solvers", "run", "burma14", "ant-colony-system", "--mpi"]
    done = subprocess.run(
        words, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, env=launcher.make_environment({})
    )
    assert done.returncode == 2
    assert "mpiexec -n" in done.stderr


@pytest.fixture(scope="module")
def engine():
    with closing(ProcessEngine()) as found:
        yield found


def make_spec(**params) -> RunSpec:
    stage = {"algorithm": "ant-colony-system", "params": params}
    return RunSpec.from_json({"v": 1, "instance": {"name": "burma14"}, "stages": [stage]})


@pytest.mark.long
def test_page_engine_runs_it_like_any_other(engine):
    columns = {}
    for variant, params in (("mpi", {"ranks": 2}), ("cpu", {})):
        handle = engine.start(make_spec(iterations=4, variant=variant, **params), uniform(14, 1))
        frames = [decode(frame) for frame in handle.frames()]
        assert frames[-1].kind == "finished", frames[-1].values
        colony = [frame.arrays for frame in frames if frame.kind == "colony"]
        columns[variant] = {name: np.concatenate([one[name] for one in colony]) for name in ("best", "mean", "entropy")}
    for name, values in columns["mpi"].items():
        np.testing.assert_array_equal(values, columns["cpu"][name], err_msg=name)


@pytest.mark.long
def test_cancel_during_startup_leaves_no_process(engine):
    handle = engine.start(make_spec(variant="mpi", ranks=2), uniform(14, 1))
    started = list_processes(os.getpid())
    handle.send("cancel")
    last = [decode(frame) for frame in handle.frames()][-1]
    assert (last.kind, last.values["state"]) == ("state", "cancelled")
    wait_for_end(started)


@pytest.mark.long
def test_cancel_keeps_the_result_so_far(engine):
    handle = engine.start(make_spec(variant="mpi", ranks=2, iterations=1_000_000), uniform(200, 1))
    kinds, started = [], []
    for frame in handle.frames():
        kinds.append(decode(frame).kind)
        if kinds[-1] == "colony" and not started:
            started = list_processes(os.getpid())
            handle.send("cancel")
    assert kinds[-1] == "finished"
    wait_for_end(started)


@pytest.mark.parametrize(
    ("ranks", "windows"),
    [
        (2, True),
        pytest.param(1, True, marks=pytest.mark.long),
        pytest.param(2, False, marks=pytest.mark.long),
        pytest.param(3, True, marks=pytest.mark.long),
    ],
)
def test_lockstep_ants_do_not_depend_on_the_number_of_processes(ranks, windows):
    rules = {"local_update": "lockstep", "candidates": 0, "lists": False, "local_search": "none"}
    job = replace(make_job(**rules), variant=QIN_HAN_VARIANTS[1])
    alone = make_job(**rules)
    with closing(AntColonySystemColony(alone, 1)) as one, closing(MpiColony(job, ranks, windows)) as together:
        assert_same(advance_all(together), advance_all(one))
        assert dense(together.trails()).tolist() == dense(one.trails()).tolist()
