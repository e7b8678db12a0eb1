"""Real runs in real workers: pause, step, cancel, replay, and what is left of a worker that was killed."""

import os
import signal
import sqlite3
import time

import numpy as np
import pytest

from runs.engine import process
from runs.engine.process import ProcessEngine
from runs.service import Desk, NoSuchClimb, NoSuchRun
from runs.store.frames import decode, kind_of
from runs.store.reader import RunReader
from runs.store.run_file import FINAL
from solvers.errors import DeviceUnavailable, InvalidParams
from tests.clock import PATIENCE, children_worked, within, worked_by

pytestmark = pytest.mark.slow

ENDLESS = {"instance": "pr1002", "climbers": 1_000_000}


def state(desk, run):
    return desk.channel(run).state


def over(desk, run):
    return lambda: state(desk, run)[0] in FINAL and run not in desk._live


def frames(desk, run, kind):
    with RunReader(desk.path(run)) as reader:
        return [decode(raw) for raw in reader.each(kind)]


def worker_pid(desk, run):
    return desk._live[run][0]._handle._worker._process.pid


@pytest.fixture
def start_endless(desk, make_spec, until):
    """Starts a run that goes on and on, and waits until it is under way."""
    runs = []

    def start():
        runs.append(desk.start(make_spec(**ENDLESS)))
        until(lambda: desk.channel(runs[-1]).head is not None)
        return runs[-1]

    yield start
    for run in runs:
        desk.command(run, "cancel")
        until(over(desk, run))


@pytest.fixture
def endless(start_endless):
    return start_endless()


def test_a_run_goes_from_start_to_finish(desk, make_spec, until):
    run = desk.start(make_spec(climbers=60))
    until(over(desk, run))
    assert state(desk, run) == ("finished", "completed")
    summary = desk.summary(run)
    assert (summary["instance"]["name"], summary["recorded"], summary["state"]) == ("berlin52", 60, "finished")
    (end,) = frames(desk, run, "finished")
    assert summary["length"] == end.values["length"] >= 7542
    assert sum(len(rows.arrays["climber"]) for rows in frames(desk, run, "rows")) == 60
    assert [path.name for path in desk.path(run).parent.glob(f"{run}*")] == [f"{run}.tourscope"]
    assert desk.recent()[0]["id"] == run


def test_a_replay_is_the_climb_that_was_recorded(desk, make_spec, until):
    spec = make_spec(climbers=20)
    run = desk.start(spec)
    until(over(desk, run))
    recorded = decode(desk.climb(run, 7))
    from runs.store.climb import climb_frame

    again = decode(climb_frame(7, desk._engine.replay(spec, desk.run_instance(run), 7)))
    assert again.values == recorded.values
    for name in ("i", "j", "delta"):
        np.testing.assert_array_equal(again.arrays[name], recorded.arrays[name])
    np.testing.assert_array_equal(again.arrays["tours"][0], recorded.arrays["tours"][0])
    for climber in (20, 2**31):
        with pytest.raises(NoSuchClimb):
            desk.climb(run, climber)


def test_what_cannot_be_run_is_refused_in_one_sentence(desk, make_spec):
    with pytest.raises(InvalidParams):
        desk.start(make_spec(climbers=0))
    with pytest.raises(DeviceUnavailable):
        desk.start(make_spec(device="cuda"))
    for run in ("", "../../../etc", "abcdefghijkl", "a" * 13):
        with pytest.raises(NoSuchRun):
            desk.command(run, "pause")


def test_pause_stands_the_clock_and_step_makes_one_event(desk, start_endless, until):
    began = time.monotonic()
    run = start_endless()
    desk.command(run, "pause")
    until(lambda: state(desk, run)[0] == "paused")
    logged, head = desk.channel(run).logged, desk.channel(run).head
    stood = time.monotonic()
    time.sleep(1.5)
    stood = time.monotonic() - stood
    assert (desk.channel(run).logged, desk.channel(run).head) == (logged, head)
    desk.command(run, "step")
    until(lambda: desk.channel(run).head is not head)
    stepped = desk.channel(run).head
    time.sleep(0.3)
    assert (desk.channel(run).head, state(desk, run)[0]) == (stepped, "paused")
    desk.command(run, "resume")
    until(lambda: desk.channel(run).head is not stepped)
    desk.command(run, "cancel")
    until(over(desk, run))
    # Whatever else the machine did meanwhile: a clock that goes on while the run stands has this much more at least.
    assert frames(desk, run, "finished")[0].values["seconds"] <= time.monotonic() - began - stood


@pytest.mark.skipif(os.name != "posix", reason="asks the system what a child that is gone has done")
def test_a_cancelled_run_heeds_it_within_a_second_of_work(desk, endless, until, monkeypatch):
    monkeypatch.setattr(process, "CANCEL_GRACE", PATIENCE)  # on a busy machine that is more than 1.5 s of the clock
    pid = worker_pid(desk, endless)
    before = worked_by(pid) + children_worked()
    desk.command(endless, "cancel")
    until(over(desk, endless))
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert within(children_worked() - before, 1.0)
    assert state(desk, endless)[0] == "cancelled"
    assert [frame.values["stop_reason"] for frame in frames(desk, endless, "finished")] == ["cancelled"]


@pytest.mark.skipif(os.name != "posix", reason="stops a process by a signal")
def test_a_worker_that_does_not_heed_cancel_is_killed(desk, endless, until):
    os.kill(worker_pid(desk, endless), signal.SIGSTOP)
    desk.command(endless, "cancel")
    until(over(desk, endless))
    assert state(desk, endless)[0] == "cancelled"


def test_a_paused_run_can_be_cancelled(desk, endless, until):
    desk.command(endless, "pause")
    until(lambda: state(desk, endless)[0] == "paused")
    desk.command(endless, "cancel")
    until(over(desk, endless))
    assert [frame.values["state"] for frame in frames(desk, endless, "state")] == ["running", "paused", "cancelled"]


@pytest.mark.skipif(os.name != "posix", reason="kills a process by a signal")
def test_a_killed_worker_leaves_everything_that_was_published(desk, endless, until):
    channel, published = desk.channel(endless), 0

    class Listener:
        def notify(self):
            nonlocal published
            published = max(published, channel.logged)

    listener = Listener()
    channel.join(listener)
    until(lambda: published > 5)
    os.kill(worker_pid(desk, endless), signal.SIGKILL)
    until(over(desk, endless))
    assert channel.state == ("failed", "The worker process was killed (signal 9).")
    with RunReader(desk.path(endless)) as reader:
        assert reader.last_seq() == channel.logged >= published
        assert reader.meta().state == "failed"
        assert len(reader.log(0, 10**9)) > 0


def test_no_more_runs_than_there_are_places(desk, endless, make_spec, until, monkeypatch):
    monkeypatch.setattr(desk, "_places", 1)
    with pytest.raises(DeviceUnavailable, match="at work already"):
        desk.start(make_spec())


def test_a_run_whose_file_cannot_be_written_fails_and_frees_its_place(desk, endless, until, monkeypatch):
    def full(*_):
        raise sqlite3.OperationalError("database or disk is full")

    pid = worker_pid(desk, endless)
    channel = desk.channel(endless)
    monkeypatch.setattr(desk._live[endless][0]._writer, "append", full)
    until(lambda: endless not in desk._live)
    assert channel.state == ("failed", "The run file could not be written; is the disk full?")
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_climb_that_was_not_recorded_is_computed_again(desk, make_spec, until):
    run = desk.start(make_spec(climbers=20))
    until(over(desk, run))
    recorded = decode(desk.climb(run, 4))
    connection = sqlite3.connect(desk.path(run))
    connection.execute("DELETE FROM pieces")
    connection.commit()
    connection.close()
    again = decode(desk.climb(run, 4))
    assert again.values == recorded.values
    np.testing.assert_array_equal(again.arrays["j"], recorded.arrays["j"])


def test_the_spare_comes_back_after_it_was_killed(desk, make_spec, until):
    until(lambda: desk._engine._spare is not None)
    spare = desk._engine._spare
    spare.kill()
    until(lambda: desk._engine._spare is not spare)
    run = desk.start(make_spec(climbers=5))
    until(over(desk, run))
    assert state(desk, run)[0] == "finished"


def test_a_run_that_starts_before_its_worker_is_ready_says_that_it_compiles(tmp_path, make_spec, until):
    early = Desk(tmp_path / "early", ProcessEngine)
    try:
        run = early.start(make_spec(climbers=5))
        until(over(early, run))
        assert state(early, run)[0] == "finished"
        with RunReader(early.path(run)) as reader:
            kinds = [kind_of(raw) for _, _, raw in reader.log(0, 10**9)]
        assert kinds[:2] == ["state", "compiling"]
    finally:
        early.close()
