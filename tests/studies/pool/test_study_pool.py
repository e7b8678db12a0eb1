"""The pool: workers that serve many runs and are replaced, cancellation, leftovers, and the order of runs."""

import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from data.collection.resolve import load
from solvers.core.errors import DeviceUnavailable
from solvers.worker.process import spawn
from studies.file.reader import StudyReader
from studies.file.writer import StudyFile
from studies.pool import process, slot
from studies.pool.dispatch import Claim, Dispatch
from studies.pool.pool import Estimate, Pool
from studies.pool.process import NoWorker, Worker, WorkerGone
from studies.pool.worker import compute_outcome
from studies.spec.matrix import Cell, list_cells, make_run_spec
from tests.clock import PATIENCE
from tests.studies.small_study import ENTRIES, WorkerHere, tiny_study
from tests.tables import each_row

pytestmark = pytest.mark.slow

PLANTED = str(Path(__file__).with_name("planted_worker.py"))
ONE = {"instances": [{"name": "burma14"}], "entries": [{"label": "2-opt", "stages": ENTRIES["2-opt"]}]}


@pytest.fixture
def mark_folder(tmp_path, monkeypatch):
    marks = tmp_path / "marks"
    marks.mkdir()
    monkeypatch.setattr(process, "COMMAND", [sys.executable, PLANTED, str(marks)])
    return marks


def pids(marks):
    return {int(mark.name.removeprefix("pid-")) for mark in marks.glob("pid-*")}


def rows(path):
    with StudyReader(path) as reader:
        return list(reader.cells())


def is_gone(pid, patience=PATIENCE):
    until = time.monotonic() + patience
    while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


@pytest.mark.long
def test_faults_and_kills_cost_at_most_one_run(tmp_path, mark_folder):
    """One worker has runs of five seeds: one fails once, one always fails, one kills it, one is refused."""
    path = tmp_path / "faults.tourstudy"
    with StudyFile(path, tiny_study(**ONE, seeds={"count": 5})) as file:
        pool = Pool(file, 1)
        pool.start()
        answer = pool.join()
    assert (answer.state, answer.finished, answer.failed, answer.total) == ("finished", 3, 2, 5)
    found = rows(path)
    assert [row.state for row in found] == ["finished", "finished", "failed", "finished", "failed"]
    assert found[2].sentence == (
        "The solver stopped by a fault: ZeroDivisionError. A second attempt in a new worker ended the same way."
    )
    assert found[4].sentence == "It does not fit."
    assert len(pids(mark_folder)) == 5, "ended by seed 2, twice by seed 3 and by seed 4; the fifth goes on after seed 5"
    assert all(is_gone(pid) for pid in pids(mark_folder))


@pytest.mark.long
def test_failed_run_is_retried_at_the_next_start(tmp_path, mark_folder, monkeypatch):
    path = tmp_path / "again.tourstudy"
    spec = tiny_study(**ONE, seeds={"first": 3, "count": 1})
    with StudyFile(path, spec) as file:
        pool = Pool(file, 1)
        pool.start()
        assert pool.join().failed == 1
    monkeypatch.setattr(slot, "Worker", WorkerHere)
    with StudyFile(path, spec) as file:
        pool = Pool(file, 1)
        pool.start()
        assert (pool.join().finished, rows(path)[0].sentence) == (1, "")


def test_twice_killed_worker_is_reported_by_its_signal(tmp_path, mark_folder):
    path = tmp_path / "killed.tourstudy"
    with StudyFile(path, tiny_study(**ONE, seeds={"first": 6, "count": 1})) as file:
        pool = Pool(file, 1)
        pool.start()
        killed = set()
        while not pool.wait():
            for pid in pids(mark_folder) - killed:
                killed.add(pid)
                psutil.Process(pid).kill()
            time.sleep(0.02)
        assert pool.join().failed == 1
    assert rows(path)[0].sentence.startswith("The worker process was ended by SIGKILL.")


def test_cancelling_waits_for_no_run_and_loses_only_those_in_progress(tmp_path, mark_folder):
    path = tmp_path / "cancel.tourstudy"
    both = [{"label": label, "stages": ENTRIES[label]} for label in ("2-opt", "random")]
    with StudyFile(path, tiny_study(**{**ONE, "entries": both}, seeds={"first": 5, "count": 4}), None) as file:
        pool = Pool(file, 2)
        pool.start()
        while len(pool.progress().running) < 2 or pool.progress().failed < 2:
            time.sleep(0.02)
        began = time.monotonic()
        pool.cancel()
        answer = pool.join()
        took = time.monotonic() - began
    assert took < PATIENCE  # the runs themselves have ten minutes
    assert (answer.state, answer.failed, answer.running, answer.seconds_left) == ("cancelled", 2, (), None)
    assert [row.state for row in rows(path)] == ["failed"] * 2 + ["waiting"] * 6
    assert all(is_gone(pid) for pid in pids(mark_folder))


def test_study_without_workers_ends_and_its_runs_wait(tmp_path, monkeypatch):
    monkeypatch.setattr(process, "COMMAND", [sys.executable, "-c", "raise SystemExit('Numba is broken')"])
    path = tmp_path / "none.tourstudy"
    with StudyFile(path, tiny_study()) as file:
        pool = Pool(file, 2)
        pool.start()
        with pytest.raises(process.NoWorker, match=r"No worker starts: Numba is broken"):
            pool.join()
        assert pool.progress().state == "broken"
    with StudyFile(path, tiny_study()) as file:
        file.requeue()
    assert [row.state for row in rows(path)] == ["waiting"] * 8


def test_runs_of_a_killed_study_wait_again(tmp_path):
    path = tmp_path / "killed.tourstudy"
    with StudyFile(path, tiny_study()) as file:
        file.begin(3)
        Pool(file, 2)
    assert [row.state for row in rows(path)] == ["waiting"] * 8


def test_a_cancelled_pool_starts_no_worker(tmp_path, mark_folder):
    with StudyFile(tmp_path / "never.tourstudy", tiny_study()) as file:
        pool = Pool(file, 2)
        pool.cancel()
        pool.start()
        assert pool.join().state == "cancelled"
    assert not pids(mark_folder)


def test_unwritable_file_ends_the_pool(work_here, tmp_path, monkeypatch):
    def raise_full(*_):
        raise OSError(28, "No space left on device")

    with StudyFile(tmp_path / "full.tourstudy", tiny_study()) as file:
        monkeypatch.setattr(file, "finish", raise_full)
        pool = Pool(file, 2)
        pool.start()
        with pytest.raises(OSError, match="No space"):
            pool.join()
        assert pool.progress().state == "broken"


def test_worker_gets_each_instance_once_and_runs_like_this_process(tmp_path):
    path, spec = tmp_path / "turns.tourstudy", tiny_study(threads=2)
    StudyFile(path, spec).close()
    with StudyReader(path) as reader:
        texts, shas = [reader.instance_text(k) for k in range(2)], [row.sha256 for row in reader.instances]
    worker, answer = Worker(spec.threads, None, process.start_interpreter), 0
    try:
        for cell in list_cells(spec):
            known = worker.has_instance(shas[cell.instance])
            answer += not known
            run = make_run_spec(spec, cell)
            found, _ = worker.run(run, shas[cell.instance], b"" if known else texts[cell.instance])
            expected = compute_outcome(run, load(["burma14", "gr17"][cell.instance]))
            assert found.tour == expected.tour
            for name in ("length", "evaluations", "iterations", "stop_reason", "instance_sha256", "optimum", "spec"):
                assert found.result[name] == expected.result[name]
            threads = 2 if run.stages[0].algorithm == "two-opt" else 1
            assert found.result["threads"] == threads
    finally:
        worker.close()
    assert answer == 2


def test_worker_ends_with_its_parent(tmp_path, mark_folder):
    def ask():
        with pytest.raises(process.WorkerGone):
            worker.run(run, sha256, text)

    worker = Worker(1, None, process.start_interpreter)
    run = make_run_spec(tiny_study(**ONE), Cell(0, 0, 0, 6))
    path = tmp_path / "orphan.tourstudy"
    StudyFile(path, tiny_study(**ONE)).close()
    with StudyReader(path) as reader:
        text, sha256 = reader.instance_text(0), reader.instances[0].sha256
    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    while not pids(mark_folder):
        time.sleep(0.02)
    worker._outbox.put(None)  # closes its input
    asking.join()
    assert is_gone(worker.pid)
    worker.close()


def test_missing_gpus_are_required(tmp_path):
    entries = [{"label": "a card", "stages": [{"algorithm": "two-opt", "params": {"variant": "strip"}}]}]
    with (
        StudyFile(tmp_path / "card.tourstudy", tiny_study(entries=entries, device="auto")) as file,
        pytest.raises(DeviceUnavailable, match="CUDA"),
    ):
        Pool(file, 2)


def test_each_gpu_slot_sees_one_gpu(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "4,GPU-7")
    assert [process._make_environment(1, gpu)["CUDA_VISIBLE_DEVICES"] for gpu in (0, 1)] == ["4", "GPU-7"]
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES")
    assert process._make_environment(3, 1)["CUDA_VISIBLE_DEVICES"] == "1"
    assert process._make_environment(3, None)["NUMBA_NUM_THREADS"] == "3"
    assert process._make_environment(3, None)["CUDA_VISIBLE_DEVICES"] == "", "runs on cores see none"


def four(entries=(0, 0, 0, 0)):
    return [Cell(number, 0, entry, 1) for number, entry in enumerate(entries)]


def test_runs_are_assigned_in_order_cores_and_gpus_separately():
    dispatch = Dispatch(four((0, 1, 0, 1)), [Claim(False, 1), Claim(True, 1)], 2)
    assert [cell.number for cell in dispatch.waiting(gpu=True)] == [1, 3]
    assert [dispatch.take(gpu).number for gpu in (True, False, True, False)] == [1, 0, 3, 2]
    assert dispatch.take(gpu=True) is None


def test_wide_run_waits_for_its_cores():
    dispatch = Dispatch(four((0, 1, 0)), [Claim(False, 1), Claim(False, 8)], 2)
    first = dispatch.take(gpu=False)
    got = []
    waiting = threading.Thread(target=lambda: got.append(dispatch.take(gpu=False)), daemon=True)
    waiting.start()
    waiting.join(0.2)
    assert not got
    dispatch.release(first)
    waiting.join(5)
    assert got[0].number == 1, "it has all the cores there are, and nothing goes before it"
    third = threading.Thread(target=lambda: got.append(dispatch.take(gpu=False)), daemon=True)
    third.start()
    dispatch.release(got[0])
    third.join(5)
    assert got[1].number == 2


def test_waiting_slot_ends_on_stop():
    dispatch = Dispatch(four((0, 0)), [Claim(False, 2)], 2)
    dispatch.take(gpu=False)
    got = []
    waiting = threading.Thread(target=lambda: got.append(dispatch.take(gpu=False)), daemon=True)
    waiting.start()
    dispatch.stop()
    waiting.join(5)
    assert got == [None]


def test_estimate_uses_entry_and_instance_if_known():
    estimate = Estimate()
    assert estimate.estimate_seconds(four()) is None
    estimate.add(Cell(0, 0, 0, 1), 4.0)
    assert estimate.estimate_seconds([Cell(1, 5, 5, 1)]) == 4.0, "of all runs"
    estimate.add(Cell(2, 1, 1, 1), 1.0)
    estimate.add(Cell(3, 1, 1, 2), 3.0)
    estimate.add(Cell(4, 1, 1, 3), 100.0)
    assert estimate.estimate_seconds([Cell(5, 1, 1, 9), Cell(6, 1, 1, 8)]) == 6.0, (
        "the median of the same entry and instance"
    )
    estimate.add(Cell(7, 2, 1, 1), 9.0)
    assert estimate.estimate_seconds([Cell(5, 1, 1, 9)]) == 3.0
    assert estimate.estimate_seconds([Cell(8, 3, 1, 1)]) == 6.0, "the median of the entry: 1, 3, 9, 100"


def test_time_left_is_divided_by_the_slots(tmp_path):
    path = tmp_path / "left.tourstudy"
    with StudyFile(path, tiny_study()) as file:
        assert Pool(file, 2).progress().seconds_left is None
        result = compute_outcome(make_run_spec(tiny_study(), Cell(0, 0, 0, 1)), load("burma14"))
        file.finish(0, result, 6.0)
        pool = Pool(file, 2)
        assert pool.progress().seconds_left == pytest.approx(7 * 6.0 / 2)
        assert (pool.progress().finished, pool.progress().total) == (1, 8)


@pytest.mark.long
def test_gpu_has_one_run_at_a_time_while_cores_continue(tmp_path, monkeypatch):
    """In Numba's simulator of CUDA, where a GPU worker behaves as on a GPU."""
    monkeypatch.setenv("NUMBA_ENABLE_CUDASIM", "1")
    climb = {"algorithm": "two-opt", "params": {"variant": "calculated", "climbers": 1}}
    entries = [{"label": "card", "stages": [climb]}, {"label": "cores", "stages": ENTRIES["random"]}]
    instances = [{"generate": "uniform", "n": 7, "seed": 1}]
    path = tmp_path / "simulated.tourstudy"
    at_once = []
    with StudyFile(path, tiny_study(instances=instances, entries=entries, device="auto")) as file:
        pool = Pool(file, 1, 1, lambda: at_once.append([cell.entry for cell, _ in pool.progress().running]))
        pool.start()
        assert pool.join().finished == 4
    assert max(entries.count(0) for entries in at_once) == 1
    assert [0, 1] in [sorted(entries) for entries in at_once]
    with StudyReader(path) as reader:
        devices = {result["spec"]["stages"][0]["algorithm"]: result["device"] for _, result in reader.results()}
    assert "simulator" in devices["two-opt"]
    assert "thread" in devices["random"]


@each_row(("lost", "raised"), [("The node ada was lost.", WorkerGone), ("", NoWorker)])
def test_worker_lost_before_ready_is_no_fault_of_the_installation(lost, raised):
    def start(environment):
        process = spawn([sys.executable, "-c", "pass"], environment)
        process.loss_reason = lost
        return process

    worker = Worker(1, None, start)
    with pytest.raises(raised, match=lost or "No worker starts"):
        worker.run(make_run_spec(tiny_study(), Cell(0, 0, 0, 1)), "sha", b"")
