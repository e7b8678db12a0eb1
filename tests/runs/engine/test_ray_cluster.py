"""Real runs, studies and failures on a Ray cluster with several nodes on this machine."""

import importlib.util
import os
import subprocess
import sys
import time
from contextlib import closing

import pytest

from benchmarks.cluster.nodes import connect, start_nodes
from benchmarks.cluster.study import count_differences, make_cluster_start, run_study
from runs.engine.ray.engine import RayEngine
from runs.service import RunService
from runs.store.run_file import FINAL
from solvers.worker.frames import decode
from tests.clock import PATIENCE, wait_until
from tests.studies.small_study import tiny_study

#: Ray must not be imported yet: it reads then whether there is a token.
MISSING = importlib.util.find_spec("ray") is None
pytestmark = [pytest.mark.long, pytest.mark.slow, pytest.mark.skipif(MISSING, reason="needs the package ray")]

ENDLESS = {"instance": "pr1002", "climbers": 1_000_000}
#: Seconds that Ray may take to notice that a machine is gone, several times over.
LOSS = 4 * PATIENCE


@pytest.fixture(scope="module")
def nodes():
    with start_nodes(2) as result:
        yield result


@pytest.fixture(scope="module")
def joint(nodes):
    with connect(nodes) as (cluster, options):
        yield cluster, options


class Lent:
    """An object shared by all tests; none of them closes it."""

    def __init__(self, owned):
        self._owned = owned

    def __getattr__(self, name):
        return getattr(self._owned, name)

    def close(self):
        """Do nothing: the owner closes it."""


@pytest.fixture(scope="module")
def engine(joint, process_engine):
    cluster, options = joint
    with closing(RayEngine(Lent(cluster), options, Lent(process_engine))) as result:
        yield result


@pytest.fixture(scope="module")
def service(tmp_path_factory, engine):
    with closing(RunService(tmp_path_factory.mktemp("home"), lambda: Lent(engine))) as service:
        yield service


def is_over(service, run):
    return lambda: service.channel(run).state[0] in FINAL and run not in service.active_runs()


def result(service, run):
    with service.open_reader(run) as reader:
        (end,) = [decode(frame) for frame in reader.read_frames("finished")]
    return end.values["length"], end.values["evaluations"], end.arrays["order"].tolist()


def busy_nodes(engine):
    return {node for node, titles in engine.titles().items() if node and titles}


@pytest.fixture
def endless_run(service, make_spec):
    run = service.start(make_spec(**ENDLESS))
    wait_until(lambda: service.channel(run).head is not None, LOSS)
    yield run
    service.command(run, "cancel")
    wait_until(is_over(service, run), LOSS)


def test_run_on_a_node_equals_a_local_run(service, run_service, make_spec):
    runs = service.start(make_spec(climbers=60)), run_service.start(make_spec(climbers=60))
    wait_until(is_over(service, runs[0]), LOSS)
    wait_until(is_over(run_service, runs[1]))
    assert service.channel(runs[0]).state == ("finished", "completed")
    assert result(service, runs[0]) == result(run_service, runs[1])


def test_warm_workers_are_used_again(service, engine, make_spec):
    first = service.start(make_spec())
    wait_until(is_over(service, first), LOSS)
    wait_until(lambda: engine._pool.idle)
    pids = {worker.pid for worker in engine._pool.idle}
    second = service.start(make_spec())
    wait_until(is_over(service, second))
    wait_until(lambda: engine._pool.idle)
    assert {worker.pid for worker in engine._pool.idle} == pids


def test_run_on_a_node_is_paused_stepped_and_resumed(service, endless_run):
    service.command(endless_run, "pause")
    wait_until(lambda: service.channel(endless_run).state[0] == "paused")
    before = service.channel(endless_run).logged
    service.command(endless_run, "step")
    wait_until(lambda: service.channel(endless_run).logged > before)
    service.command(endless_run, "resume")
    wait_until(lambda: service.channel(endless_run).state[0] == "running")


def test_titles_of_runs_are_reported_with_the_devices(service, engine, endless_run):
    wait_until(lambda: all(node["devices"] for node in service.status()["nodes"]), LOSS)
    nodes = service.status()["nodes"]
    assert [(node["name"], node["cores"]) for node in nodes] == [("node-1", 1), ("node-2", 1)]
    assert [title for node in nodes for title in node["runs"]] == ["pr1002 · two-opt"]
    assert (engine.places(), service.cores) == (2, 2)


def test_cancel_takes_effect_at_once(service, make_spec):
    run = service.start(make_spec(**ENDLESS))
    wait_until(lambda: service.channel(run).head is not None, LOSS)
    began = time.monotonic()
    service.command(run, "cancel")
    wait_until(is_over(service, run))
    assert service.channel(run).state[0] == "cancelled"
    assert time.monotonic() - began < PATIENCE  # 0.1 s on a machine without other work; the benchmark says


def test_worker_with_unread_output_waits(joint, tmp_path):
    cluster, _ = joint
    process = cluster.start("tests.runs.engine.flood", {"FLOOD": str(tmp_path / "count")})
    try:
        assert process.stdout.read(4) == b"xxxx"
        before = -1
        while (now := int((tmp_path / "count").read_text())) != before:
            before = now
            time.sleep(0.5)
        assert now < 4 << 20, "it would write without end"
        assert len(process.stdout.read(8 << 20)) == 8 << 20, "and goes on when it is read"
    finally:
        process.kill()


def test_study_on_the_cluster_equals_a_local_one(joint, tmp_path):
    spec = tiny_study(seeds={"count": 8})
    here, there = tmp_path / "here.tourstudy", tmp_path / "there.tourstudy"
    assert run_study(here, spec, 2)["finished"] == 32
    assert run_study(there, spec, 2, make_cluster_start(joint[0]))["finished"] == 32
    assert count_differences(here, there) == 0


def test_a_node_with_another_version_runs_nothing(service, engine, joint, make_spec, monkeypatch):
    cluster, _ = joint
    for worker in list(engine._pool.idle):
        engine._pool._end(worker)
    monkeypatch.setattr(cluster, "_expected", "0123456789abcdef")
    run = service.start(make_spec())
    wait_until(is_over(service, run), LOSS)
    state, reason = service.channel(run).state
    assert state == "failed"
    assert reason.endswith("has another version of TourScope.")


def test_lost_node_interrupts_a_run_and_starts_a_second_attempt(service, engine, nodes, make_spec):
    nodes.add("node-3")
    wait_until(lambda: engine.places() == 3, LOSS)
    first = service.start(make_spec(**ENDLESS))
    wait_until(lambda: service.channel(first).head is not None, LOSS)
    (node,) = busy_nodes(engine)
    nodes.lose(node)
    wait_until(is_over(service, first), LOSS)
    state, reason = service.channel(first).state
    assert (state, reason.partition(" was lost. ")[2]) == ("interrupted", "The run was started again, as a new one.")
    (second,) = service.active_runs()
    wait_until(lambda: service.channel(second).head is not None, LOSS)
    assert busy_nodes(engine) - {node}
    service.command(second, "cancel")
    wait_until(is_over(service, second))
    wait_until(lambda: engine.places() == 2, LOSS)
    wait_until(lambda: [each["alive"] for each in service.status()["nodes"]].count(False) == 1, LOSS)


@pytest.mark.parametrize(
    ("variables", "status", "expected"),
    [
        ({}, 0, "finished"),
        ({"RAY_AUTH_MODE": "disabled"}, 2, "can be reached by other machines and asks for no token"),
        ({"RAY_AUTH_TOKEN": "another"}, 2, "There is no Ray cluster at"),
        ({"RAY_AUTH_TOKEN": "", "RAY_AUTH_TOKEN_PATH": os.devnull}, 2, "There is no Ray cluster at"),
        ({"RAY_AUTH_TOKEN": "", "RAY_AUTH_TOKEN_PATH": sys.executable}, 2, "must be one line"),
    ],
)
def test_command_line_runs_a_study_there_with_only_the_token(nodes, tmp_path, variables, status, expected):
    words = ["study", "--instances", "burma14", "--algorithms", "random", "--iterations", "2", "--seeds", "2", "--json"]
    words += ["--engine", "ray", "--ray-address", nodes.address, "--out", str(tmp_path / "s.tourstudy")]
    done = subprocess.run(
        [sys.executable, "-m", "solvers", *words],
        env={**os.environ, **variables}, capture_output=True, text=True, timeout=LOSS, check=False,
    )  # fmt: skip
    assert done.returncode == status, done.stderr
    assert expected in (done.stdout if status == 0 else done.stderr)
