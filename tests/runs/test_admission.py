"""Slots for runs: limited, shared fairly between owners, and never lost."""

import random
import sqlite3

import pytest

from data.collection import resolve
from runs import admission
from runs.admission import Admission, QueueFull
from runs.service import RunService
from runs.store.reader import RunReader
from runs.store.run_file import RunWriter
from solvers.core import machine
from solvers.core.errors import DeviceUnavailable
from solvers.core.machine import Machine
from solvers.plan import Claim, plan
from solvers.run import prepare
from tests.clock import wait_until
from tests.runs.conftest import two_opt_spec
from tests.runs.scripted import ScriptedEngine


def test_runs_start_in_order_while_places_last():
    places = Admission(2)
    assert [places.enter(run) for run in "abcd"] == [True, True, False, False]
    assert places.queue() == ("c", "d")
    assert places.admit() is None
    places.leave("a")
    assert (places.admit(), places.admit()) == ("c", None)
    places.leave("d")
    places.leave("b")
    assert places.admit() is None
    assert places.enter("e")


def test_visitor_without_active_runs_is_first():
    places = Admission(1)
    for run, owner in [("a1", "a"), ("a2", "a"), ("a3", "a"), ("b1", "b"), ("c1", "c"), ("b2", "b")]:
        places.enter(run, owner)
    assert places.queue() == ("b1", "c1", "a2", "b2", "a3")


def test_new_run_does_not_overtake_waiting_ones():
    places = Admission(2)
    for run in "abc":
        places.enter(run)
    places.leave("a")  # c has not been admitted yet
    assert not places.enter("d")
    assert places.queue() == ("c", "d")


def test_only_memory_intensive_runs_wait_for_memory():
    places = Admission(4, {"cpu": 100, "cuda": 50}.__getitem__)
    assert places.enter("large", claim=Claim("cpu", 60))
    assert not places.enter("larger", claim=Claim("cpu", 80))
    assert not places.enter("small", claim=Claim("cpu", 10)), "it would fit, and hold up the larger one for ever"
    assert places.enter("on a GPU", claim=Claim("cuda", 50))
    assert places.enter("without")
    assert not places.enter("race", may_wait=False, claim=Claim("cpu", 80))
    assert places.queue() == ("larger", "small")
    assert places.admit() is None
    places.transfer("large", "again")
    assert places.admit() is None
    places.leave("again")
    assert (places.admit(), places.admit()) == ("larger", "small")


def test_oversized_run_starts_when_nothing_else_claims_memory():
    places = Admission(4, {"cpu": 100, "cuda": 0}.__getitem__)
    assert places.enter("too large", claim=Claim("cpu", 1000))
    assert not places.enter("other", claim=Claim("cpu", 1))
    places.leave("too large")
    assert places.admit() == "other"
    assert places.enter("of unknown memory", claim=Claim("cuda", 1000))
    assert places.enter("another", claim=Claim("cuda", 1000))


def test_run_claims_the_memory_of_its_largest_stage():
    stages = [{"algorithm": "held-karp", "params": {"variant": "cpu"}}, {"algorithm": "two-opt", "params": {}}]
    large, small, both = (
        plan(prepare(two_opt_spec("gr24", stages=part)), resolve.load("gr24"), Machine(())).claim().bytes
        for part in (stages[:1], stages[1:], stages[::-1])
    )
    assert both == large > small


def test_run_waits_for_memory(tmp_path, monkeypatch):
    engine = ScriptedEngine()
    solved = two_opt_spec("gr24", stages=[{"algorithm": "held-karp", "params": {"variant": "cpu"}}])
    wanted = plan(prepare(solved), resolve.load("gr24"), Machine(())).claim().bytes
    engine.status = lambda: {
        "devices": [{"kind": "cpu", "available": True, "memory": wanted * 3 // 2}],
        "spare": "ready",
    }
    service = RunService(tmp_path, lambda: engine, max_runs=4)
    try:
        first = service.start(solved)
        monkeypatch.setattr(machine, "available_bytes", lambda: wanted // 2)  # the other run has it by now
        second, beside = service.start(solved), service.start(two_opt_spec("berlin52"))
        assert service.channel(second).state == ("queued", "1")
        assert len(engine.handles) == 2
        engine.handles[0].finish(1272, 24)
        wait_until(lambda: len(engine.handles) == 3)
        assert service.channel(second).state[0] == "running"
        assert {second, beside} <= set(service.active_runs())
        assert first != second
    finally:
        service.close()


def test_run_that_may_not_wait_is_refused(monkeypatch):
    places = Admission(1)
    assert places.enter("race", may_wait=False)
    assert not places.enter("other", may_wait=False)
    assert places.queue() == ()


def test_queue_is_limited_in_total_and_per_owner(monkeypatch):
    monkeypatch.setattr(admission, "MAX_WAITING", 5)
    monkeypatch.setattr(admission, "MAX_WAITING_EACH", 2)
    places = Admission(1)
    for run in ("a0", "a1", "a2", "b1"):
        places.enter(run, run[0])
    with pytest.raises(QueueFull):
        places.enter("a3", "a")
    for run in ("n1", "n2"):
        places.enter(run)  # nobody in particular has no share of their own
    with pytest.raises(QueueFull):
        places.enter("c1", "c")
    assert len(places.queue()) == 5


def test_everybody_gets_a_place_and_the_limit_holds():
    chance = random.Random(3)
    for _ in range(200):
        places, going, began, wanted = Admission(chance.randint(1, 4)), set(), set(), 0
        for step in range(60):
            if chance.random() < 0.6:
                run = f"{chance.choice('abc')}{step}"
                wanted += 1
                if places.enter(run, run[0]):
                    going.add(run)
            elif going:
                run = chance.choice(sorted(going))
                going.remove(run)
                began.add(run)
                places.leave(run)
            while run := places.admit():
                assert run not in going | began
                going.add(run)
            assert len(going) <= places.places
        while going:
            run = going.pop()
            began.add(run)
            places.leave(run)
            while run := places.admit():
                going.add(run)
        assert len(began) == wanted


@pytest.fixture
def run_service(tmp_path):
    service = RunService(tmp_path, ScriptedEngine, 2)
    yield service
    service.close()


@pytest.fixture
def finish(run_service):
    def finish(number):
        run_service.engine.handles[number].finish(9_000, 52)

    return finish


def test_hundred_simultaneous_starts_are_queued_fairly_without_loss(run_service, make_spec, finish):
    spec = make_spec()
    runs = [run_service.start(spec, f"owner {k % 10}") for k in range(100)]
    assert run_service.status()["runs"] == 2
    assert run_service.status()["waiting"] == 98
    assert sorted(int(run_service.channel(run).state[1]) for run in runs[2:]) == list(range(1, 99))
    for number in range(100):
        wait_until(lambda number=number: len(run_service.engine.handles) > number)
        assert run_service.status()["runs"] <= 2
        finish(number)
    wait_until(lambda: not run_service.active_runs())
    assert {run_service.summary(run)["state"] for run in runs} == {"finished"}
    assert run_service.started == 100


def test_place_is_free_as_soon_as_a_run_reports_its_end(run_service, make_spec, finish):
    spec = make_spec()
    first = run_service.start(spec)
    run_service.engine.handles[0].gone.clear()  # its worker stays
    run_service.start(spec)
    waits = run_service.start(spec)
    finish(0)
    wait_until(lambda: run_service.channel(waits).state[0] == "running")
    assert first in run_service.active_runs()
    run_service.engine.handles[0].gone.set()


def test_waiting_run_can_be_cancelled_and_others_move_up(run_service, make_spec, finish):
    spec = make_spec()
    *_, one, two = (run_service.start(spec) for _ in range(4))
    run_service.command(one, "pause")
    assert run_service.channel(one).state == ("queued", "1")
    run_service.command(one, "cancel")
    assert run_service.summary(one)["state"] == "cancelled"
    assert run_service.channel(two).state == ("queued", "1")
    assert run_service.summary(two)["state"] == "queued"
    finish(0)
    wait_until(lambda: run_service.channel(two).state[0] == "running")
    assert len(run_service.engine.handles) == 3


def test_waiting_run_is_interrupted_by_a_stopped_or_killed_server(tmp_path, make_spec):
    spec, service = make_spec(), RunService(tmp_path, ScriptedEngine, 1)
    service.start(spec)
    waits = service.start(spec)
    path = service.path(waits)
    raw = path.read_bytes(), path.with_name(f"{path.name}-wal").read_bytes()
    service.close()
    with RunReader(path) as reader:
        assert (reader.meta().state, reader.meta().reason) == ("interrupted", "The server was stopped.")
    path.write_bytes(raw[0])
    path.with_name(f"{path.name}-wal").write_bytes(raw[1])
    again = RunService(tmp_path, ScriptedEngine, 1)
    assert again.summary(waits)["state"] == "interrupted"
    again.close()


def test_run_that_cannot_start_on_its_turn_fails_and_the_next_starts(run_service, make_spec, finish, monkeypatch):
    spec = make_spec()
    *_, one, two = (run_service.start(spec) for _ in range(4))
    start, failed = run_service.engine.start, []

    def fail_once(*job):
        if failed:
            return start(*job)
        failed.append(job)
        raise OSError("no more processes")

    monkeypatch.setattr(run_service.engine, "start", fail_once)
    finish(0)
    wait_until(lambda: run_service.channel(two).state[0] == "running")
    assert run_service.summary(one)["state"] == "failed"
    assert "could not be started" in run_service.summary(one)["reason"]


def test_run_with_an_unwritable_file_takes_no_place(run_service, make_spec, monkeypatch):
    spec = make_spec()
    for _ in range(2):
        run_service.start(spec)

    def raise_full(*_, **__):
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(RunWriter, "append", raise_full)
        with pytest.raises(RuntimeError, match="could not be started"):
            run_service.start(spec)
    assert run_service.status()["waiting"] == 0
    assert len(list(run_service.home.folder.glob("runs/*.tourscope"))) == 2


def test_a_race_takes_one_place_and_does_not_wait(run_service, make_spec, finish):
    spec = make_spec()
    lanes = run_service.start_lanes([spec, spec, spec])
    run_service.start(spec)
    with pytest.raises(DeviceUnavailable, match="2 runs go on already"):
        run_service.start_lanes([spec, spec])
    waits = run_service.start(spec)
    for number in range(2):
        finish(number)
        wait_until(lambda number=number: run_service.channel(lanes[number]).state[0] == "finished")
        assert run_service.channel(waits).state[0] == "queued"
    finish(2)
    wait_until(lambda: run_service.channel(waits).state[0] == "running")
