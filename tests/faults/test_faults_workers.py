"""Workers that are killed, stopped or use too much memory: F1, F17 and F18."""

import os
import random
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from runs.engine import process
from runs.engine.process import ProcessEngine
from runs.engine.worker import MEMORY
from runs.service import RunService
from runs.store.reader import RunReader
from runs.store.run_file import FINAL
from runs.store.summary import build_result
from runs.stream import collector
from solvers.spec import RunSpec
from solvers.worker.frames import decode
from tests.clock import wait_until
from tests.faults.counts import count
from tests.faults.figures import is_within, store_samples
from tests.faults.nothing_lost import lost_events
from tests.runs.conftest import two_opt_spec
from tests.solvers.user_files.mine import changed_template, empty_registry, join_and_bequeath
from tests.viewer import is_over, watch

pytestmark = [
    pytest.mark.slow,
    pytest.mark.long,
    pytest.mark.skipif(os.name != "posix", reason="kills and stops processes by signals"),
]

ENDLESS = {"instance": "pr1002", "climbers": 1_000_000}
KILLED = ("failed", "The worker process was killed (signal 9).")


def worker_pid(run_service, run):
    return run_service._active._live[run][0]._handle.worker.pid


def is_gone(run_service, run):
    return lambda: run not in run_service.active_runs()


def test_f1_a_worker_is_killed_at_any_moment(run_service, address, make_spec):
    chance, took, names = random.Random(15), [], ("berlin52", "kroA100", "pr1002")
    with ThreadPoolExecutor() as threads:
        for number in range(count(5, 200)):
            run = run_service.start(make_spec(names[number % 3], 1_000_000))
            watching = threads.submit(watch, f"http://{address}/", run)
            time.sleep(chance.uniform(0, 0.6))
            os.kill(worker_pid(run_service, run), signal.SIGKILL)
            killed = time.monotonic()
            seen = watching.result()
            assert (seen.state, seen.reason) == KILLED
            took.append(seen.states[-1][0] - killed)
            wait_until(is_gone(run_service, run))
            assert not lost_events(run_service.path(run), seen)
    store_samples("F1", "seconds from the kill to the cause at the viewer", took)
    assert is_within(took, 3)
    assert assert_continues(run_service, make_spec)


def assert_continues(run_service, make_spec) -> bool:
    """A run that starts from the best tour of a killed run ends with a tour at least as short."""
    run, best = run_service.start(make_spec("kroA100", 1_000_000)), []

    def has_tour() -> bool:
        with RunReader(run_service.path(run)) as reader:
            best[:] = reader.read_frames("tour")
        return bool(best)

    wait_until(has_tour)
    os.kill(worker_pid(run_service, run), signal.SIGKILL)
    wait_until(is_gone(run_service, run))
    with RunReader(run_service.path(run)) as reader:
        best = decode(reader.last("tour"))
    values = {"tour": best.arrays["order"].tolist()}
    stages = [{"algorithm": "given", "params": values}, {"algorithm": "two-opt", "params": {"climbers": 1}}]
    budget = {"iterations": 1}
    spec = {"v": 1, "instance": {"name": "kroA100"}, "stages": stages, "budget": budget, "device": "cpu"}
    again = run_service.start(RunSpec.from_json(spec))
    wait_until(is_gone(run_service, again))
    with RunReader(run_service.path(again)) as reader:
        return build_result(reader)["length"] <= best.values["length"]


def test_f17_hanging_worker_is_reported_and_ends_on_cancel(run_service, address, make_spec):
    silent, ended = [], []
    with ThreadPoolExecutor() as threads:
        for _ in range(count(1, 10)):
            run = run_service.start(make_spec(**ENDLESS))
            wait_until(lambda run=run: run_service.channel(run).head is not None)
            pid = worker_pid(run_service, run)
            watching = threads.submit(watch, f"http://{address}/", run, lambda seen: seen.reason == collector._QUIET)
            os.kill(pid, signal.SIGSTOP)
            stopped = time.monotonic()
            silent.append(watching.result().states[-1][0] - stopped)
            run_service.command(run, "cancel")
            cancelled = time.monotonic()
            wait_until(is_gone(run_service, run))
            ended.append(time.monotonic() - cancelled)
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)
            assert not lost_events(run_service.path(run), watching.result())
    store_samples("F17", "seconds from the stop to its sentence at the viewer", silent)
    store_samples("F17", "seconds from Cancel to the end of the process", ended)
    assert is_within(silent, 5)
    assert is_within(ended, 2)


def test_f17_recovered_worker_is_no_longer_reported(run_service, address, make_spec, monkeypatch):
    monkeypatch.setattr(collector, "QUIET_SECONDS", 0.5)
    run = run_service.start(make_spec(**ENDLESS))
    wait_until(lambda: run_service.channel(run).head is not None)
    os.kill(pid := worker_pid(run_service, run), signal.SIGSTOP)
    wait_until(lambda: run_service.channel(run).state == ("running", collector._QUIET))
    os.kill(pid, signal.SIGCONT)
    wait_until(lambda: run_service.channel(run).state == ("running", ""))
    run_service.command(run, "pause")
    wait_until(lambda: run_service.channel(run).state[0] == "paused")
    time.sleep(1.2)  # silent by right
    assert run_service.channel(run).state == ("paused", "")
    run_service.command(run, "cancel")
    seen = watch(f"http://{address}/", run)
    assert (seen.state, lost_events(run_service.path(run), seen)) == ("cancelled", "")


#: Asks for memory until there is none, touches none of it, and fails otherwise if nothing bounds it.
BOMB = (
    '__import__("resource").getrlimit(__import__("resource").RLIMIT_DATA)[0] > 0 or 1 / 0; '
    "hoard = [np.empty(1 << 27) for _ in range(1 << 20)]"
)


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="bounds memory where Linux tells of it")
def test_f18_memory_hungry_worker_ends_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(process, "AVAILABLE", False)
    empty_registry(monkeypatch)
    file = changed_template(tmp_path, ("yield from climb.end(evaluations)", BOMB))
    join_and_bequeath(file)
    service = RunService(tmp_path / "home", ProcessEngine, 2)
    try:
        beside = service.start(two_opt_spec("berlin52", 1_000_000))
        wait_until(lambda: service.channel(beside).head is not None)
        greedy = service.start(two_opt_spec("burma14", stages=[{"algorithm": "my-solver", "params": {"climbers": 3}}]))
        wait_until(lambda: service.channel(greedy).state[0] in FINAL)
        assert service.channel(greedy).state == ("failed", MEMORY)
        before = service.channel(beside).logged
        wait_until(lambda: service.channel(beside).logged > before)
        assert service.channel(beside).state == ("running", "")
    finally:
        service.close()


def test_f1_end_is_recognised(run_service, address, make_spec):
    """The viewer in these tests receives the end of a run, and loses none of its events."""
    run = run_service.start(make_spec(climbers=50))
    seen = watch(f"http://{address}/", run)
    wait_until(is_gone(run_service, run))
    assert is_over(seen)
    assert (seen.state, lost_events(run_service.path(run), seen)) == ("finished", "")
