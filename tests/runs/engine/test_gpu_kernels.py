"""GPU kernels compiled in the background: which ones, and that this never disturbs a run."""

import sys
import time

import pytest

from data.collection.resolve import resolve
from runs.engine import gpu_kernels, kernel_builds
from runs.engine.kernel_builds import KernelBuilds
from runs.engine.process import ProcessEngine
from solvers import SOLVERS
from solvers.run import prepare
from solvers.worker.process import spawn
from tests.runs.engine.counting import OF

COUNTING = "tests.runs.engine.counting"


@pytest.fixture
def marks(tmp_path, monkeypatch):
    """The folder in which each program reports its progress."""
    monkeypatch.setenv("MARKS", str(tmp_path))
    monkeypatch.setattr(kernel_builds, "PROGRAM", COUNTING)
    return tmp_path


@pytest.fixture
def builds(marks, monkeypatch):
    monkeypatch.setattr(kernel_builds, "cpu_threads", lambda: 2 * kernel_builds.THREADS)
    answer = []
    builds = KernelBuilds(lambda module, environment: spawn([sys.executable, "-m", module], environment), answer.append)
    builds.told = answer
    yield builds
    builds.close()


def test_every_gpu_variant_runs_with_defaults_first():
    runs = gpu_kernels.list_runs()
    of_gpu = {(s.name, v.name) for s in SOLVERS if s.listed for v in s.variants if v.device == "cuda"}
    stages = [spec.stages[0] for spec in runs]
    assert {(stage.algorithm, stage.params.get("variant")) for stage in stages} >= of_gpu
    algorithms = {name for name, _ in of_gpu}
    assert {stage.algorithm for stage in stages[: len(algorithms)]} == algorithms, "one of each comes first"
    for spec in runs:
        prepare(spec)
        resolve(spec.instance, None)


@pytest.mark.slow
def test_programs_share_the_work_and_report_progress(builds, until):
    builds.begin()
    builds.begin()
    until(lambda: builds.told and builds.told[-1] == {"done": 2 * OF, "of": 2 * OF})
    assert len(builds._programs) == 2
    assert all(each["of"] == 2 * OF for each in builds.told), "no sum before all have reported"


@pytest.mark.slow
def test_suspended_programs_stop(builds, marks, until):
    builds.begin()
    until(lambda: len(list(marks.iterdir())) == 2)
    builds.set_suspended(True)
    time.sleep(0.2)
    before = [path.read_text() for path in sorted(marks.iterdir())]
    time.sleep(0.5)
    assert [path.read_text() for path in sorted(marks.iterdir())] == before
    builds.set_suspended(False)
    until(lambda: builds.told[-1]["done"] == 2 * OF)


@pytest.mark.slow
def test_suspended_programs_end_with_the_server(builds, marks, until):
    builds.set_suspended(True)
    builds.begin()
    builds.close()
    until(lambda: not any(program.alive() for program in builds._programs))
    assert not builds.told or builds.told[-1]["done"] < 2 * OF
    builds.begin()
    assert not any(program.alive() for program in builds._programs)


@pytest.mark.long
def test_engine_starts_them_if_there_is_a_gpu(marks, until, monkeypatch):
    engine = ProcessEngine()
    try:
        until(lambda: engine.status()["spare"] == "ready")
        assert "kernels" not in engine.status()
        engine._update({"devices": [{"kind": "cuda", "available": True}]})
        until(lambda: engine.status().get("kernels", {}).get("done") == OF * len(engine._builds._programs))
    finally:
        engine.close()


@pytest.mark.long
def test_killed_worker_no_longer_suspends_them(until):
    engine = ProcessEngine()
    try:
        until(lambda: engine.status()["spare"] == "ready" and not engine.is_busy())
        engine._builds.set_suspended(True)  # as by a worker that had not exited yet
        with engine._lock:
            worker = engine.idle[0]
        worker.kill()
        until(lambda: not engine._builds._is_suspended)
    finally:
        engine.close()
