"""Power failures, processes killed during a write, and full disks: F3, F4 and F5."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from data.collection import resolve
from data.files import write_whole
from runs.computing.computations import Computations
from runs.store import run_file
from runs.store.home import Home
from runs.store.reader import RunReader
from runs.store.recovery import recover
from runs.store.run_file import CHECKPOINT_EVERY, FINAL, Entry, RunWriter
from runs.stream import collector
from solvers.worker.frames import encode, encode_instance_frame
from tests.browser.serving import ROOT
from tests.clock import PATIENCE, wait_until
from tests.faults.counts import SHARE
from tests.faults.figures import store_samples
from tests.faults.nothing_lost import lost_events
from tests.viewer import watch

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]
posix = pytest.mark.skipif(os.name != "posix", reason="forks, and kills by signals")

ID = "abcdefghijkl"
FRAME = encode("rows", {"at": 1.0}, {})
INSTANCE = encode_instance_frame(resolve.load("burma14"))


def test_f3_power_cut_loses_at_most_the_last_second(tmp_path, monkeypatch):
    """The write-ahead log may be lost completely; the file is what the last checkpoint synchronised."""
    now = SimpleNamespace(seconds=0.0)
    monkeypatch.setattr(run_file, "time", SimpleNamespace(monotonic=lambda: now.seconds, time=time.time))
    (tmp_path / "runs").mkdir()
    path, written = tmp_path / "runs" / f"{ID}.tourscope", []
    writer = RunWriter.create(path, ID, 1.0, "{}", INSTANCE)
    synchronous = writer._connection.execute("PRAGMA synchronous").fetchone()[0]
    assert synchronous >= 1, "a checkpoint does not wait for the disk"
    for _ in range(60):
        now.seconds += 0.1
        writer.append([Entry(1.0, "rows", FRAME)])
        written.append(now.seconds)
        folder = count_left(path, tmp_path / "cut")
        before = [at for at in written if at <= now.seconds - CHECKPOINT_EVERY - 0.15]
        assert folder >= len(before), f"{len(written) - folder} events are lost after {now.seconds:.1f} s"
    writer.append([run_file.make_state_entry("finished", "completed")], ("finished", "completed"))
    writer.finish()
    assert count_left(path, tmp_path / "cut") == 61
    with RunReader(tmp_path / "cut" / path.name) as reader:
        assert reader.meta().state == "finished"


def count_left(path: Path, folder: Path) -> int:
    """The number of events that would survive a power failure now."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    shutil.copy(path, folder / path.name)
    with RunReader(folder / path.name) as reader:
        return reader.last_seq()


def make_and_write(home: Path, done, create=RunWriter.create) -> None:
    """The server's writes for a run and a race; calls `done` with everything that is durable by then."""
    opened = Home(home)
    writer = create(opened.new_path(ID), ID, 1.0, "{}", INSTANCE)
    done("made")
    for _ in range(3):
        writer.append([Entry(1.0, "rows", FRAME)])
        done("appended")
        writer._checkpointed -= CHECKPOINT_EVERY
    writer.append([run_file.make_state_entry("finished", "completed")], ("finished", "completed"))
    done("ended")
    writer.finish()
    done("folded")
    write_whole(opened.races / f"{ID}.json", b'{"whole": true}')
    done("saved")
    opened.close()


def touch_first(path: Path, *arguments) -> RunWriter:
    """The planted defect: the run gets its name before it is complete."""
    path.open("xb").close()
    path.unlink()
    return RunWriter.create(path, *arguments)


def fault_after(home: Path, done: list[str]) -> str:
    """The faults after a server has reopened the folder; empty if there are none."""
    opened = Home(home)
    try:
        for run in opened.newest():
            recover(path := opened.new_path(run))
            try:
                with RunReader(path) as reader:
                    meta, last, log = reader.meta(), reader.last_seq(), reader.log(0, 1 << 40)
            except Exception as error:  # noqa: BLE001 - whatever is wrong with the file
                return f"a run cannot be read: {error}"
            if meta.state not in FINAL or [row[0] for row in log] != list(range(1, last + 1)):
                return f"a run is called {meta.state}, and has {len(log)} of {last} events"
            if last < done.count("appended") or ("ended" in done and meta.state != "finished"):
                return f"{last} events are left, {meta.state}, after {done}"
        if "made" in done and not opened.newest():
            return "a run is lost"
        if left := [path.name for path in opened.runs.iterdir() if path.name != f"{ID}.tourscope"]:
            return f"there is {left}"
        race = opened.races / f"{ID}.json"
        if "saved" in done and not race.exists():
            return "a race is lost"
        return "" if not race.exists() or race.read_bytes() == b'{"whole": true}' else "a race is half there"
    finally:
        opened.close()


def killed_at(home: Path, point: int, create) -> tuple[bool, list[str]]:
    """Write in a fork that kills itself at step n: whether it reached the step, and what was durable before."""
    answer, tell = os.pipe()
    if not (child := os.fork()):
        step = 0

        def next_step(*_) -> None:
            nonlocal step
            step += 1
            if step == point:
                os.kill(os.getpid(), signal.SIGKILL)

        def audit(event: str, arguments: tuple) -> None:
            if event in ("open", "os.rename", "os.remove", "os.mkdir", "sqlite3.connect"):
                next_step()

        def connect(*values, **more) -> sqlite3.Connection:
            connection = connected(*values, **more)
            connection.set_trace_callback(next_step)  # each of its statements is a step
            return connection

        connected, sqlite3.connect = sqlite3.connect, connect
        sys.addaudithook(audit)
        try:
            make_and_write(home, lambda what: os.write(tell, f"{what}\n".encode()), create)
        except BaseException:  # noqa: BLE001 - a fork tells its fault itself
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(tell)
    with os.fdopen(answer) as lines:
        done = lines.read().split()
    return os.waitpid(child, 0)[1] != 0, done


def sweep(folder: Path, create=RunWriter.create) -> tuple[int, list[str]]:
    """Kill a process at every step; return the number of steps and the faults."""
    point, faults = 0, []
    while True:
        point += 1
        home = folder / str(point)
        cut, done = killed_at(home, point, create)
        if not cut:
            assert done[-1] == "saved", done
            return point - 1, faults
        if why := fault_after(home, done):
            faults.append(f"step {point}: {why}")
        shutil.rmtree(home)


@posix
def test_f4_kill_at_any_write_step_leaves_a_clean_folder(tmp_path):
    points, faults = sweep(tmp_path)
    assert points > 30
    assert not faults
    store_samples("F4", "steps at which a write was cut", [], points)


@pytest.mark.long
@posix
def test_f4_finds_a_run_that_is_named_before_it_is_complete(tmp_path):
    _, faults = sweep(tmp_path, touch_first)
    assert len(faults) == 1
    assert "a run cannot be read" in faults[0]


#: What changes files, of all that the system is asked for.
CALLS = ("pwrite64", "fdatasync", "fsync", "ftruncate", "unlink", "rename", "mkdir")


@pytest.mark.long
@pytest.mark.skipif(not SHARE, reason="takes a process for each call: `make soak`")
def test_f4_kill_at_any_system_call_leaves_a_clean_folder(tmp_path):
    if not (strace := shutil.which("strace")):
        pytest.fail("strace is missing: install it (apt-get install strace).")
    points, faults = 0, []
    for call in CALLS:
        for number in range(1, 1000):
            home = tmp_path / f"{call}-{number}"
            inject = [f"--trace={call}", f"--inject={call}:signal=KILL:when={number}", "--output=/dev/null"]
            command = [strace, "-f", *inject, sys.executable, "-B", "-m", "tests.faults.test_faults_disk", str(home)]
            ended = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
            done = ended.stdout.split()
            if done[-1:] == ["over"]:
                break
            points += 1
            if home.exists() and (why := fault_after(home, done)):
                faults.append(f"{call} {number}: {why}")
            shutil.rmtree(home, ignore_errors=True)
    store_samples("F4", "calls of the system at which a write was cut", [], points)
    assert points > 30
    assert not faults


def bound(run_service, run: str, pages: str) -> None:
    """Limit the disk space of the run's file to this many pages by SQLite's own limit."""
    connection = run_service._active._live[run][0]._writer._connection
    now = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages.format(now)}")


@pytest.mark.long
def test_f5_full_disk_pauses_a_run_until_there_is_space(run_service, address, make_spec, monkeypatch):
    monkeypatch.setattr(collector, "FULL_SECONDS", 0.05)
    url = f"http://{address}/"
    with ThreadPoolExecutor() as threads:
        run = run_service.start(make_spec("pr1002", 1_000_000))
        watching = threads.submit(watch, url, run)
        wait_until(lambda: run_service.channel(run).logged > 5)
        bound(run_service, run, "{}")
        wait_until(lambda: run_service.channel(run).state == ("paused", collector._FULL))
        other = watch(url, run, lambda seen: bool(seen.seqs) and seen.reason == collector._FULL)
        stood = run_service.channel(run).logged
        time.sleep(0.3)
        assert run_service.channel(run).logged == stood
        bound(run_service, run, "1000000")
        wait_until(lambda: run_service.channel(run).logged > stood)
        wait_until(lambda: run_service.channel(run).state == ("running", ""))
        run_service.command(run, "cancel")
        seen = watching.result()
        wait_until(lambda: run not in run_service.active_runs())
    assert [state[1:] for state in seen.states][-3:-1] == [("paused", collector._FULL), ("running", "")]
    assert (seen.state, lost_events(run_service.path(run), seen, other)) == ("cancelled", "")


def test_f5_full_disk_allows_cancel_but_no_start(run_service, make_spec, monkeypatch):
    monkeypatch.setattr(collector, "FULL_SECONDS", 0.05)
    run = run_service.start(make_spec("pr1002", 1_000_000))
    wait_until(lambda: run_service.channel(run).logged > 5)
    bound(run_service, run, "{}")
    wait_until(lambda: run_service.channel(run).state == ("paused", collector._FULL))
    run_service.command(run, "cancel")
    wait_until(lambda: run not in run_service.active_runs())
    assert run_service.summary(run)["state"] == "interrupted"
    assert not lost_events(run_service.path(run))


def test_f30_full_disk_does_not_mark_a_complete_run_damaged(run_service, address, make_spec, monkeypatch):
    url = f"http://{address}/"
    monkeypatch.setattr(collector, "FULL_SECONDS", 0.05)
    whole = run_service.start(make_spec(climbers=20))
    wait_until(lambda: whole not in run_service.active_runs())
    answer_by = Computations.answer
    full = lambda self, function, *rest, **more: answer_by(  # noqa: E731
        self, "tests.faults.full_disk:fill" if function.endswith(":run_file") else function, *rest, **more
    )
    monkeypatch.setattr(Computations, "answer", full)
    answer = httpx.get(f"{url}runs/{whole}/run.tourscope", timeout=PATIENCE)
    assert (answer.status_code, answer.json()["sentence"]) == (503, "This could not be done: the disk is full.")
    assert httpx.get(f"{url}runs/{whole}/best.tour", timeout=PATIENCE).status_code == 200
    assert not list(run_service.home.incoming.iterdir())
    run = run_service.start(make_spec("pr1002", 1_000_000))
    wait_until(lambda: run_service.channel(run).logged > 5)
    bound(run_service, run, "{}")
    wait_until(lambda: run_service.channel(run).state == ("paused", collector._FULL))
    told = httpx.get(f"{url}runs/{run}", timeout=PATIENCE).json()
    assert (told["state"], told["reason"]) == ("paused", collector._FULL)
    with ThreadPoolExecutor() as threads:
        watching = threads.submit(watch, url, run)
        wait_until(lambda: run_service.active_run(run) is not None)
        run_service.command(run, "cancel")
        seen = watching.result()
    wait_until(lambda: run not in run_service.active_runs())
    told = httpx.get(f"{url}runs/{run}", timeout=PATIENCE).json()
    assert (seen.state, seen.reason) == (told["state"], told["reason"]) == ("interrupted", collector.END_MISSING)


if __name__ == "__main__":
    make_and_write(Path(sys.argv[1]), lambda what: print(what, flush=True))
    print("over", flush=True)
