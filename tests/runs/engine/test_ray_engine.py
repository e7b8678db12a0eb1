"""The Ray engine without a cluster: warm workers, released places, and nodes that come and go."""

import contextlib
import os
import threading
from types import SimpleNamespace

import pytest

from data.generators import uniform
from runs.engine.commands import FREE
from runs.engine.ray import pool as pool_module
from runs.engine.ray.engine import NodeWatch, RayEngine
from runs.engine.ray.pool import WorkerPool
from solvers.worker.frames import decode, encode, read_frame, read_kind
from solvers.worker.ray.nodes import Node
from solvers.worker.ray.options import ClusterOptions
from tests.clock import PATIENCE, wait_until
from tests.runs.scripted import ScriptedEngine

CPU = {"kind": "cpu", "name": "a CPU", "available": True}
GPU = {"kind": "cuda", "name": "a GPU", "available": True}
NO_GPU = {"kind": "cuda", "name": "CUDA", "available": False}


class Program:
    """A worker program on a node, run in a thread: it accepts runs and ends each on command."""

    def __init__(self, node="id-1", refusal=""):
        self.node, self.refusal, self.loss_reason, self.pid = node, refusal, "", 1
        self.status, self.runs, self.end_run = None, 0, threading.Event()
        (theirs, stdin), (stdout, self._out), (stderr, self._err) = os.pipe(), os.pipe(), os.pipe()
        self._in = os.fdopen(theirs, "rb")
        self.stdin, self.stdout, self.stderr = os.fdopen(stdin, "wb"), os.fdopen(stdout, "rb"), os.fdopen(stderr, "rb")
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        with contextlib.suppress(OSError):  # it was killed
            while not self.refusal and (frame := read_frame(self._in)):
                if read_kind(frame) == "start":
                    self.runs += 1
                    os.write(self._out, encode("taken", {}, {}))
                    self.end_run.wait(PATIENCE)
                    self.end_run.clear()
                    os.write(self._out, FREE)
        self.kill()

    def poll(self):
        return self.status

    def wait(self):
        return self.status

    def kill(self):
        if self.status is None:
            self.status = 0
            os.close(self._out)
            os.close(self._err)


class Programs:
    """Starts worker programs."""

    def __init__(self):
        self.all, self.environments, self.refusal, self.node = [], [], "", "id-1"

    def __call__(self, module, environment=None):
        self.all.append(Program(self.node, self.refusal))
        self.environments.append(environment)
        return self.all[-1]


@pytest.fixture
def programs():
    result = Programs()
    yield result
    for each in result.all:
        each.end_run.set()
        each.kill()


@pytest.fixture
def pool(programs, monkeypatch):
    monkeypatch.setattr(pool_module, "PATIENCE", PATIENCE)  # whoever has to wait longer is said in a test
    result = WorkerPool(programs, lambda: 2)
    yield result
    result.close()


def begin(pool, make_spec, gpu=False):
    """Start a run; a thread reads its frames."""
    handle = pool.run(make_spec(), uniform(8, 1), gpu, True)
    thread = threading.Thread(target=lambda: list(handle.frames()), daemon=True)
    thread.start()
    return handle, thread


def end(program, started):
    handle, thread = started
    program.end_run.set()
    thread.join(PATIENCE)
    assert not thread.is_alive()
    assert handle.wait() == 0


def test_a_warm_worker_is_used_again(programs, pool, make_spec):
    for number in range(3):
        started = begin(pool, make_spec)
        end(programs.all[0], started)
        assert programs.all[0].runs == number + 1
    assert len(programs.all) == 1


def test_concurrent_runs_have_their_own_workers_including_those_with_a_gpu(programs, pool, make_spec):
    one, two = begin(pool, make_spec), begin(pool, make_spec)
    wait_until(lambda: len(programs.all) == 2)
    end(programs.all[0], one)
    end(programs.all[1], two)
    three = begin(pool, make_spec, gpu=True)
    assert [bool((values or {}).get("CUDA_VISIBLE_DEVICES")) for values in programs.environments] == [
        False,
        False,
        True,
    ]
    end(programs.all[2], three)


def test_titles_of_runs_are_reported(programs, pool, make_spec):
    one = begin(pool, make_spec)
    assert pool.titles() == {"id-1": ["uniform-8-1 · two-opt"]}
    end(programs.all[0], one)
    assert pool.titles() == {}


def test_idle_workers_give_way_to_waiting_runs(programs, pool, make_spec, monkeypatch):
    started = [begin(pool, make_spec) for _ in range(2)]
    for program, each in zip(programs.all, started, strict=True):
        end(program, each)
    pool.trim(waiting=True)
    assert [each.status for each in programs.all] == [None, None], "one that has just become idle may be wanted again"
    monkeypatch.setattr(pool_module, "PATIENCE", -1.0)
    pool.trim(waiting=False)
    assert [each.status for each in programs.all] == [None, None]
    pool.trim(waiting=True)
    assert [each.status for each in programs.all] == [0, None], "the one that is idle for longest"


def test_waiting_run_gets_the_next_warm_worker(programs, pool, make_spec):
    first, second = begin(pool, make_spec), begin(pool, make_spec)
    third = begin(pool, make_spec)
    pool.trim(waiting=False)
    assert len(programs.all) == 2
    assert pool.titles()[""] == ["uniform-8-1 · two-opt"]
    end(programs.all[1], second)
    wait_until(lambda: programs.all[1].runs == 2)
    assert len(programs.all) == 2
    end(programs.all[1], third)
    end(programs.all[0], first)
    assert pool.titles() == {}


def test_long_waiting_run_asks_the_cluster(programs, pool, make_spec, monkeypatch):
    started = [begin(pool, make_spec) for _ in range(3)]
    monkeypatch.setattr(pool_module, "PATIENCE", -1.0)
    pool.trim(waiting=False)
    wait_until(lambda: len(programs.all) == 3 and programs.all[2].runs == 1)
    for program, each in zip(programs.all, started, strict=True):
        end(program, each)


def test_waiting_run_is_cancelled(programs, pool, make_spec):
    first, second = begin(pool, make_spec), begin(pool, make_spec)
    handle, thread = begin(pool, make_spec)
    handle.send("cancel")
    thread.join(PATIENCE)
    assert not thread.is_alive()
    assert handle.wait() < 0
    end(programs.all[0], first)
    end(programs.all[1], second)
    assert [each.runs for each in programs.all] == [1, 1]


def test_refusing_node_says_why(programs, pool, make_spec):
    programs.refusal = "The node ada lacks TourScope."
    handle = pool.run(make_spec(), uniform(8, 1), False, True)
    *_, last = handle.frames()
    assert (read_kind(last), decode(last).values["sentence"]) == ("failed", programs.refusal)


class Cluster:
    """Nodes that a test adds and removes."""

    def __init__(self, programs):
        self.start, self.found, self.told, self.closed = programs, [], {}, False

    def nodes(self):
        return tuple(self.found)

    def devices(self, node):
        return SimpleNamespace(answer=lambda: self.told.get(node.id))

    def close(self):
        self.closed = True


@pytest.fixture
def cluster(programs):
    result = Cluster(programs)
    result.found = [Node("id-1", "ada", True, 4, 0), Node("id-2", "bob", True, 2, 1)]
    result.told = {"id-1": ([CPU, NO_GPU], "")}
    return result


@pytest.fixture
def engine(cluster):
    result = RayEngine(cluster, ClusterOptions(cores=2), ScriptedEngine())
    yield result
    result.close()
    assert cluster.closed


def test_places_and_devices_are_those_of_the_nodes(engine, cluster):
    assert (engine.places(), engine.cores()) == (3, 6)
    engine._watch.poll()
    assert engine.status()["devices"] == [CPU, NO_GPU]
    cluster.told["id-2"] = [CPU, GPU], ""
    engine._watch.poll()
    status = engine.status()
    assert status["devices"] == [CPU, GPU]
    assert status["here"] == [], "those of the local engine"
    assert [(node["name"], node["devices"]) for node in status["nodes"]] == [
        ("ada", ["a CPU"]), ("bob", ["a CPU", "a GPU"]),
    ]  # fmt: skip


def test_lost_node_takes_its_places_along(engine, cluster):
    answer = []
    engine.listen(lambda: answer.append(engine.places()))
    cluster.found = [Node("id-1", "ada", False, 0, 0), cluster.found[1]]
    wait_until(lambda: answer and answer[-1] == 1)
    assert [(node["name"], node["alive"]) for node in engine.status()["nodes"]] == [("ada", False), ("bob", True)]


def test_previously_lost_node_is_not_shown(cluster):
    cluster.found.append(Node("id-0", "eve", False, 0, 0))
    watch = NodeWatch(cluster, lambda: None)
    assert [node.name for node in watch.nodes] == ["ada", "bob"]


def test_lanes_of_a_race_stay_on_this_machine(engine, programs, make_spec):
    handle = engine.start(make_spec(), uniform(8, 1), False)
    assert engine._local.handles == [handle]
    assert programs.all == []


def test_run_that_may_use_a_gpu_gets_one_if_available(engine, programs, cluster, make_spec):
    started = {"device": "auto"}
    spec = make_spec(**started)
    fits = spec.stages[0].params["variant"] == "sequential"
    assert fits, "of which there is no variant on GPUs"
    engine.start(spec, uniform(8, 1))
    stages = [{"algorithm": "two-opt", "params": {"climbers": 5}}]
    engine.start(type(spec).from_json({**spec.to_json(), "stages": stages}), uniform(8, 1))
    assert [bool(values) for values in programs.environments] == [False, True]


def test_study_workers_are_shown_at_their_nodes_and_end_with_the_engine(engine, programs):
    process = engine.start_process("studies.pool.worker", {"NUMBA_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""})
    assert [node["study"] for node in engine.status()["nodes"]] == [1, 0]
    engine.close()
    assert process.poll() == 0
