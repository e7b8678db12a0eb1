"""Real runs in real workers: pause, step, cancel, replay, and the cleanup after a killed worker."""

import os
import re
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from data.generators import uniform
from runs.engine import process, worker
from runs.engine.commands import FREE, CommandReader, Start
from runs.engine.process import ProcessEngine
from runs.service import RunService
from runs.store.open_run import NoSuchClimb, NoSuchRun
from runs.store.reader import RunReader
from runs.store.run_file import FINAL, RunWriter
from runs.stream.collector import END_MISSING
from solvers.core.errors import DeviceUnavailable, InvalidParams, RunFailed
from solvers.spec import RunSpec
from solvers.worker.fork_server import AVAILABLE
from solvers.worker.frames import decode, read_kind
from tests.clock import PATIENCE, child_seconds, is_within_bound, process_seconds, wait_until
from tests.runs.climbs import read_climb
from tests.sqlite_files import change

pytestmark = pytest.mark.slow

ENDLESS = {"instance": "pr1002", "climbers": 1_000_000}


def state(run_service, run):
    return run_service.channel(run).state


def is_over(run_service, run):
    return lambda: state(run_service, run)[0] in FINAL and run_service.active_run(run) is None


def frames(run_service, run, kind):
    with RunReader(run_service.path(run)) as reader:
        return [decode(raw) for raw in reader.read_frames(kind)]


def worker_pid(run_service, run):
    return run_service._active._live[run][0]._handle.worker._process.pid


@pytest.fixture
def start_endless(run_service, make_spec, until):
    """Start an endless run, and wait until it is running."""
    runs = []

    def start():
        runs.append(run_service.start(make_spec(**ENDLESS)))
        until(lambda: run_service.channel(runs[-1]).head is not None)
        return runs[-1]

    yield start
    for run in runs:
        run_service.command(run, "cancel")
        until(is_over(run_service, run))


@pytest.fixture
def endless_run(start_endless):
    return start_endless()


def test_a_run_goes_from_start_to_finish(run_service, make_spec, until):
    run = run_service.start(make_spec(climbers=60))
    until(is_over(run_service, run))
    assert state(run_service, run) == ("finished", "completed")
    summary = run_service.summary(run)
    assert (summary["instance"]["name"], summary["recorded"], summary["state"]) == ("berlin52", 60, "finished")
    (end,) = frames(run_service, run, "finished")
    assert summary["length"] == end.values["length"] >= 7542
    assert sum(len(rows.arrays["climber"]) for rows in frames(run_service, run, "rows")) == 60
    assert [path.name for path in run_service.path(run).parent.glob(f"{run}*")] == [f"{run}.tourscope"]
    assert run_service.recent()[0]["id"] == run


def test_replay_equals_the_recorded_climb(run_service, make_spec, until):
    spec = make_spec(climbers=20)
    run = run_service.start(spec)
    until(is_over(run_service, run))
    recorded = decode(read_climb(run_service, run, 7))
    from runs.store.climb import build_climb_frame

    again = decode(build_climb_frame(7, run_service.engine.replay(spec, run_service.run_instance(run), 7)))
    assert again.values == recorded.values
    for name in ("i", "j", "delta"):
        np.testing.assert_array_equal(again.arrays[name], recorded.arrays[name])
    np.testing.assert_array_equal(again.arrays["tours"][0], recorded.arrays["tours"][0])
    for climber in (20, 2**31):
        with pytest.raises(NoSuchClimb):
            read_climb(run_service, run, climber)


def test_impossible_run_is_refused_in_one_sentence(run_service, make_spec):
    with pytest.raises(InvalidParams):
        run_service.start(make_spec(climbers=0))
    with pytest.raises(DeviceUnavailable):
        run_service.start(make_spec(device="cuda"))
    for run in ("", "../../../etc", "abcdefghijkl", "a" * 13):
        with pytest.raises(NoSuchRun):
            run_service.command(run, "pause")


def test_pause_stops_the_clock_and_step_makes_one_event(run_service, start_endless, until):
    began = time.monotonic()
    run = start_endless()
    run_service.command(run, "pause")
    until(lambda: state(run_service, run)[0] == "paused")
    logged, head = run_service.channel(run).logged, run_service.channel(run).head
    stood = time.monotonic()
    time.sleep(1.5)
    stood = time.monotonic() - stood
    assert (run_service.channel(run).logged, run_service.channel(run).head) == (logged, head)
    run_service.command(run, "step")
    until(lambda: run_service.channel(run).head is not head)
    finish_step = run_service.channel(run).head
    time.sleep(0.3)
    assert (run_service.channel(run).head, state(run_service, run)[0]) == (finish_step, "paused")
    run_service.command(run, "resume")
    until(lambda: run_service.channel(run).head is not finish_step)
    run_service.command(run, "cancel")
    until(is_over(run_service, run))
    # Whatever else the machine did meanwhile: a clock that goes on while the run stands has this much more at least.
    assert frames(run_service, run, "finished")[0].values["seconds"] <= time.monotonic() - began - stood


def test_worker_of_a_finished_run_does_the_next_one(run_service, make_spec, until):
    """Its tours are the same as in a separate worker; late commands to the first run do not reach the second."""
    specs = [make_spec(climbers=20), make_spec("eil51", climbers=30), make_spec(climbers=20)]
    runs, workers = [], []
    for spec in specs:
        until(lambda: run_service.status()["spare"] == "ready")
        run = run_service.start(spec)
        collector = run_service._active._live[run][0]
        workers.append(collector._handle.worker.pid)
        until(is_over(run_service, run))
        collector.command("cancel")
        runs.append(run)
    assert len(set(workers)) == 1
    ends = [frames(run_service, run, "finished")[0] for run in runs]
    assert [state(run_service, run) for run in runs] == [("finished", "completed")] * 3
    assert ends[0].values["length"] == ends[2].values["length"]
    np.testing.assert_array_equal(ends[0].arrays["order"], ends[2].arrays["order"])


def test_few_idle_workers_are_kept_and_a_matching_one_is_chosen(until, monkeypatch):
    monkeypatch.setattr(process, "MAX_IDLE", 2)

    def run_side_by_side(*algorithms: str) -> list[int]:
        stages = [[{"algorithm": name, "params": {}}] for name in algorithms]
        specs = [RunSpec.from_json({"v": 1, "instance": {"name": "burma14"}, "stages": stage}) for stage in stages]
        handles = [engine.start(spec, uniform(14, 1)) for spec in specs]
        for handle in handles:
            assert [read_kind(frame) for frame in handle.frames()][-1] == "finished"
        return [handle.worker.pid for handle in handles]

    with closing(ProcessEngine()) as engine:
        greedy, random, _ = run_side_by_side("greedy", "random", "nearest-neighbour")
        assert len(engine.idle) == 2
        assert greedy not in [worker.pid for worker in engine.idle], "the oldest is ended"
        assert run_side_by_side("random") == [random]
        engine._end_idle(1)
        assert [worker.pid for worker in engine.idle] == [random]
        until(lambda: engine.status()["spare"] == "ready")


@pytest.fixture(scope="module")
def own_engine():
    """A separate engine for this file, whose fork server has loaded all kernels."""
    with closing(ProcessEngine()) as engine:
        wait_until(lambda: engine.status()["spare"] == "ready")
        yield engine


@pytest.fixture
def ready_engine(own_engine, until):
    """An engine with one idle, unused worker."""
    for each in list(own_engine.idle):
        each.kill()
    until(lambda: not own_engine.idle and not own_engine.is_busy())
    own_engine._get_idle_worker()
    until(lambda: own_engine.status()["spare"] == "ready")
    return own_engine


def build_spec(algorithm: str, **params) -> RunSpec:
    stages = [{"algorithm": algorithm, "params": params}]
    return RunSpec.from_json({"v": 1, "instance": {"name": "burma14"}, "stages": stages})


def worker_of_finished(handle) -> int:
    assert [read_kind(frame) for frame in handle.frames()][-1] == "finished"
    return handle.worker.pid


def test_worker_is_prepared_for_the_anticipated_run(ready_engine, until):
    cities, specs = (
        uniform(14, 1),
        [build_spec("two-opt", climbers=5), build_spec("held-karp"), build_spec("two-opt", climbers=7)],
    )
    for spec in specs:  # the last one counts of those that come while a worker is at the first
        ready_engine.anticipate(spec, cities)
    keys = [process.make_kernel_key(spec, cities) for spec in specs]
    until(lambda: any(keys[2] in worker.prepared for worker in ready_engine.idle))
    (ready,) = [worker for worker in ready_engine.idle if keys[2] in worker.prepared]
    assert ready.prepared == {keys[0], keys[2]}
    newer = process.RunWorker(ready_engine.start_process(process.WORKER), "ready")
    ready_engine._add_idle(newer)
    assert worker_of_finished(ready_engine.start(specs[2], cities)) == ready.pid, (
        "it is not the newest, but knows the run"
    )


@pytest.mark.skipif(not AVAILABLE, reason="this system has no forks of this kind")
def test_fork_server_has_neither_large_packages_nor_unneeded_pages(ready_engine):
    process_maps = Path(f"/proc/{ready_engine._fork_server.pid}")
    libraries = process_maps.joinpath("maps").read_text()
    assert "llvmlite" in libraries
    assert not [name for name in ("highspy", "_ckdtree", "_flapack") if name in libraries]
    of_files = re.search(r"^RssFile:\s+(\d+) kB", process_maps.joinpath("status").read_text(), re.MULTILINE)
    assert int(of_files[1]) < 40_000, "8,000 to 9,000; more than 100,000 without `return_memory`"
    assert worker_of_finished(ready_engine.start(build_spec("branch-and-cut"), uniform(14, 1)))


def test_run_does_not_wait_for_another_runs_kernels(ready_engine):
    (busy,) = ready_engine.idle
    busy.preparing = process.make_kernel_key(build_spec("two-opt"), uniform(14, 1))
    assert worker_of_finished(ready_engine.start(build_spec("greedy"), uniform(14, 1))) != busy.pid
    assert worker_of_finished(ready_engine.start(build_spec("two-opt"), uniform(14, 1))) == busy.pid, (
        "this is what it is prepared for"
    )


@pytest.mark.skipif(not AVAILABLE, reason="this system has no forks of this kind")
def test_the_fork_server_compiles_nothing_until_all_runs_have_started(ready_engine, monkeypatch):
    holds = []
    monkeypatch.setattr(ready_engine._fork_server, "hold", holds.append)
    first, second = (ready_engine.start(build_spec("greedy"), uniform(14, 1)) for _ in range(2))
    worker_of_finished(first)
    assert holds == [process.MAX_HOLD] * 3
    worker_of_finished(second)
    assert holds[3:] == [process.SPARE_DELAY]


@pytest.mark.long
def test_run_does_not_wait_for_a_recomputed_climb(ready_engine):
    (busy,) = ready_engine.idle
    busy.replaying = True
    assert worker_of_finished(ready_engine.start(build_spec("greedy"), uniform(14, 1))) != busy.pid
    busy.replaying = False
    assert busy in ready_engine.idle


@pytest.mark.long
def test_slow_recomputation_ends_with_its_worker(ready_engine, monkeypatch):
    for name in ("REPLAY_TIMEOUT", "POLL_SECONDS"):  # no worker answers at once
        monkeypatch.setattr(process, name, 0.0)
    (busy,) = ready_engine.idle
    with pytest.raises(RunFailed, match="took too long"):
        ready_engine.replay(build_spec("two-opt", climbers=2_000_000), uniform(200, 1), 1_999_999)
    busy.wait()
    assert busy not in ready_engine.idle
    assert worker_of_finished(ready_engine.start(build_spec("greedy"), uniform(14, 1))) != busy.pid


@pytest.mark.long
def test_nothing_is_prepared_during_a_run(ready_engine, until):
    cities = uniform(200, 1)
    handle = ready_engine.start(build_spec("two-opt", climbers=1_000_000), cities)
    frames = handle.frames()
    next(frames)
    ready_engine.anticipate(build_spec("two-opt", climbers=5), cities)
    assert not any(worker.preparing or len(worker.prepared) > 1 for worker in ready_engine._workers)
    handle.send("cancel")
    for _ in frames:
        continue
    key = process.make_kernel_key(build_spec("two-opt", climbers=5), cities)
    until(lambda: any(key in worker.prepared for worker in ready_engine.idle))


@pytest.mark.long
def test_failed_preparation_ends_its_worker_and_is_not_repeated(ready_engine, until):
    failing = build_spec("two-opt", gpus="all", variant="calc")  # there is no GPU
    key = process.make_kernel_key(failing, uniform(14, 1))
    (worker,) = ready_engine.idle
    ready_engine.anticipate(failing, uniform(14, 1))
    until(lambda: key in ready_engine._refused_keys and not worker.alive())
    ready_engine.anticipate(failing, uniform(14, 1))
    assert not any(each.preparing for each in ready_engine._workers if each.alive())
    assert worker_of_finished(ready_engine.start(build_spec("greedy"), uniform(14, 1))) != worker.pid


def test_large_runs_are_prepared_and_gpu_runs_only_with_a_gpu(run_service, make_spec, monkeypatch):
    wished, devices = [], [{"kind": "cpu", "available": True}, {"kind": "cuda", "available": False}]
    engine = SimpleNamespace(
        status=lambda: {"devices": devices}, anticipate=lambda spec, instance: wished.append((spec, instance.name))
    )
    monkeypatch.setattr(run_service, "engine", engine)
    run_service.anticipate(make_spec())
    run_service.anticipate(build_spec("branch-and-cut"))
    assert wished == [(build_spec("branch-and-cut"), "burma14")]
    wished.clear()
    devices[1]["available"] = True
    for spec in (
        build_spec("greedy"),
        build_spec("two-opt", variant="sequential"),
        build_spec("two-opt", climbers=-1),
        build_spec("nothing"),
    ):
        run_service.anticipate(spec)
    assert wished == []
    run_service.anticipate(build_spec("two-opt"))
    assert wished == [(build_spec("two-opt"), "burma14")]
    devices[:] = []
    engine.status = lambda: {"devices": None}  # they are not known yet
    run_service.anticipate(build_spec("two-opt"))
    assert len(wished) == 1


def test_oversized_worker_ends_with_its_run(monkeypatch):
    sentence = []
    writer = SimpleNamespace(send=lambda kind, **_: sentence.append(kind), write=sentence.append)
    reader = CommandReader()
    monkeypatch.setattr(worker, "_handle_job", lambda *_: True)
    for size, goes_on in ((worker._LARGE + 1, False), (0, True)):
        reader.jobs.put(object.__new__(Start))
        monkeypatch.setattr(worker, "resident_bytes", lambda size=size: size)
        assert worker._handle_next_job(writer, reader) == goes_on
    assert sentence == [FREE, "status"]


@pytest.mark.skipif(os.name != "posix", reason="asks the system what a child that is gone has done")
def test_cancelled_run_ends_within_a_second_of_work(run_service, endless_run, until, monkeypatch):
    monkeypatch.setattr(process, "CANCEL_GRACE", PATIENCE)  # on a busy machine that is more than 1.5 s of the clock
    pid = worker_pid(run_service, endless_run)
    before = process_seconds(pid) + child_seconds()
    run_service.command(endless_run, "cancel")
    until(is_over(run_service, endless_run))
    assert pid in [worker.pid for worker in run_service.engine.idle], "it is kept for the next run"
    assert is_within_bound(process_seconds(pid) + child_seconds() - before, 1.0)
    assert state(run_service, endless_run)[0] == "cancelled"
    assert [frame.values["stop_reason"] for frame in frames(run_service, endless_run, "finished")] == ["cancelled"]


@pytest.mark.skipif(os.name != "posix", reason="stops a process by a signal")
def test_worker_that_ignores_cancel_is_killed(run_service, endless_run, until):
    os.kill(worker_pid(run_service, endless_run), signal.SIGSTOP)
    run_service.command(endless_run, "cancel")
    until(is_over(run_service, endless_run))
    assert state(run_service, endless_run)[0] == "cancelled"


def test_a_paused_run_can_be_cancelled(run_service, endless_run, until):
    run_service.command(endless_run, "pause")
    until(lambda: state(run_service, endless_run)[0] == "paused")
    run_service.command(endless_run, "cancel")
    until(is_over(run_service, endless_run))
    assert [frame.values["state"] for frame in frames(run_service, endless_run, "state")] == [
        "running",
        "paused",
        "cancelled",
    ]


@pytest.mark.skipif(os.name != "posix", reason="kills a process by a signal")
def test_killed_worker_leaves_everything_published(run_service, endless_run, until):
    channel, published = run_service.channel(endless_run), 0

    class Listener:
        def notify(self):
            nonlocal published
            published = max(published, channel.logged)

    listener = Listener()
    channel.join(listener)
    until(lambda: published > 5)
    os.kill(worker_pid(run_service, endless_run), signal.SIGKILL)
    until(is_over(run_service, endless_run))
    assert channel.state == ("failed", "The worker process was killed (signal 9).")
    with RunReader(run_service.path(endless_run)) as reader:
        assert reader.last_seq() == channel.logged >= published
        assert reader.meta().state == "failed"
        assert len(reader.log(0, 10**9)) > 0


def test_run_waits_for_a_place(run_service, endless_run, make_spec, until, monkeypatch):
    monkeypatch.setattr(run_service._active._admission, "places", 1)
    waits = run_service.start(make_spec(climbers=20))
    assert (run_service.active_run(waits).state, run_service.channel(waits).state) == ("queued", ("queued", "1"))
    run_service.command(endless_run, "cancel")
    until(is_over(run_service, waits))
    with RunReader(run_service.path(waits)) as reader:
        assert reader.meta().state == "finished"
        states = [decode(raw).values["state"] for raw in reader.read_frames("state")]
    assert states[:2] == ["queued", "running"]


def test_run_with_an_unwritable_file_fails_and_frees_its_place(run_service, endless_run, until, monkeypatch):
    def raise_full(*_):
        raise sqlite3.OperationalError("database or disk is full")

    pid = worker_pid(run_service, endless_run)
    channel = run_service.channel(endless_run)
    monkeypatch.setattr(RunWriter, "append", raise_full)
    until(lambda: run_service.active_run(endless_run) is None)
    assert channel.state == ("interrupted", END_MISSING)
    assert (run_service.summary(endless_run)["state"], run_service.channel(endless_run).state) == (
        "interrupted",
        channel.state,
    )
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_unrecorded_climb_is_recomputed(run_service, make_spec, until):
    run = run_service.start(make_spec(climbers=20))
    until(is_over(run_service, run))
    recorded = decode(read_climb(run_service, run, 4))
    change(run_service.path(run), "DELETE FROM pieces")
    again = decode(read_climb(run_service, run, 4))
    assert again.values == recorded.values
    np.testing.assert_array_equal(again.arrays["j"], recorded.arrays["j"])


def test_spare_worker_is_replaced_after_a_kill(run_service, make_spec, until):
    until(lambda: run_service.engine.idle)
    idle = list(run_service.engine.idle)
    for each in idle:
        each.kill()
    until(lambda: not set(idle) & set(run_service.engine.idle))
    run = run_service.start(make_spec(climbers=5))
    until(is_over(run_service, run))
    assert state(run_service, run)[0] == "finished"


def test_run_that_starts_before_its_worker_is_ready_reports_compiling(tmp_path, make_spec, until):
    early = RunService(tmp_path / "early", ProcessEngine)
    try:
        run = early.start(make_spec(climbers=5))
        until(is_over(early, run))
        assert state(early, run)[0] == "finished"
        with RunReader(early.path(run)) as reader:
            kinds = [read_kind(raw) for _, _, raw in reader.log(0, 10**9)]
        assert kinds[:2] == ["state", "compiling"]
    finally:
        early.close()
