"""A run that loses its worker's machine is interrupted, and restarted once from its spec."""

import pytest

from runs.service import RunService
from runs.store.reader import RunReader
from runs.visitors import HOST, act_as
from solvers.worker.frames import decode
from tests.clock import wait_until
from tests.runs.scripted import ScriptedEngine

LOST = "The node ada was lost."


@pytest.fixture
def engine():
    return ScriptedEngine()


@pytest.fixture
def service(tmp_path, engine):
    service = RunService(tmp_path, lambda: engine, 1, shared=True)
    yield service
    service.close()


def states(service, run):
    with RunReader(service.path(run)) as reader:
        frames = [decode(frame) for frame in reader.read_frames("state")]
    return [(frame.values["state"], frame.values["reason"]) for frame in frames]


def running_runs(service):
    return [run for run in service.active_runs() if (at := service.active_run(run)) and at.state == "running"]


def test_lost_run_is_interrupted_and_restarted_once(service, engine, make_spec):
    spec = make_spec()
    first = service.start(spec, "ann")
    waiting = service.start(spec)
    engine.handles[0].lose(LOST)
    wait_until(lambda: len(engine.handles) == 2 and first not in service.active_runs())
    assert states(service, first)[-1] == ("interrupted", f"{LOST} The run was started again, as a new one.")
    (second,) = running_runs(service)
    assert second not in (first, waiting), "it has the place of the first, before whoever waits"
    assert states(service, second)[0] == ("running", f"{LOST} This is the second attempt.")
    with service.open_reader(second) as reader:
        assert reader.meta().spec == spec.to_json()
    assert sorted(service.owners.list_keys("ann")) == sorted([f"run:{first}", f"run:{second}"])
    engine.handles[1].finish(9_000, 52)
    wait_until(lambda: second not in service.active_runs())
    assert service.summary(second)["state"] == "finished"
    wait_until(lambda: running_runs(service) == [waiting])


def test_second_loss_is_final(service, engine, make_spec):
    service.start(make_spec())
    for number in range(2):
        wait_until(lambda number=number: len(engine.handles) == number + 1)
        (run,) = running_runs(service)
        engine.handles[number].lose(LOST)
        wait_until(lambda run=run: run not in service.active_runs())
    assert states(service, run)[-1] == ("interrupted", LOST)
    assert len(engine.handles) == 2
    assert not service.active_runs()


def test_cancelled_run_is_not_restarted(service, engine, make_spec):
    run = service.start(make_spec())
    engine.handles[0].loss_reason = LOST
    with act_as(HOST):
        service.command(run, "cancel")
    wait_until(lambda: run not in service.active_runs())
    assert states(service, run)[-1] == ("cancelled", "")
    assert len(engine.handles) == 1


def test_lanes_of_a_race_are_not_restarted(service, engine, make_spec):
    lane, other = service.start_lanes([make_spec(), make_spec()])
    engine.handles[0].lose(LOST)
    wait_until(lambda: lane not in service.active_runs())
    assert states(service, lane)[-1] == ("interrupted", LOST)
    assert len(engine.handles) == 2
    service.send_command(other, "cancel")


def test_joining_machine_adds_places(tmp_path, engine, make_spec):
    engine.places = lambda: 1
    service = RunService(tmp_path, lambda: engine)
    try:
        runs = [service.start(make_spec()) for _ in range(3)]
        assert len(engine.handles) == 1
        engine.places = lambda: 2
        service._on_engine_change()
        assert [service.active_run(run).state for run in runs] == ["running", "running", "queued"]
        engine.places = lambda: 1
        service._on_engine_change()
        engine.handles[0].finish(9_000, 52)
        wait_until(lambda: runs[0] not in service.active_runs())
        assert len(engine.handles) == 2, "one place, and one run goes on"
    finally:
        service.close()
