"""Bounds are computed one at a time and stored when proven; a failure gives its reason and the next one starts."""

import math
import signal
import threading
import time
from unittest.mock import Mock

import pytest

from data.collection.bounds import load_bound
from data.generators import GENERATORS
from runs.bounds import service as bound_service
from runs.bounds.board import BoundState
from runs.bounds.program import TOO_LARGE
from runs.bounds.service import BROKEN, TOO_LONG, TOO_MANY, BoundService
from solvers.core.errors import DeviceUnavailable, RunFailed
from solvers.worker.frames import encode, encode_instance_frame
from solvers.worker.process import WorkerProcess
from tests.clock import wait_until
from tests.runs.bounds.scripted_process import ScriptedProcess

ONE, TWO, THREE = (GENERATORS["uniform"](9, seed) for seed in (1, 2, 3))


class Bench:
    """A service with scripted processes."""

    def __init__(self, folder):
        self.processes, self.held, self.proven, self.refusal = [], False, [], None
        self.service = BoundService(folder, self.start, lambda: self.held, lambda *run: self.proven.append(run))

    def start(self, module, environment):
        assert module == "runs.bounds.program"
        if self.refusal:
            raise self.refusal
        self.processes.append(ScriptedProcess())
        return self.processes[-1]

    def ask(self, instance, run="", owner=""):
        """Request the bound; return its state."""
        return self.service.request(instance.sha256, lambda: encode_instance_frame(instance), run, owner)

    def ask_and_wait(self, instance, count, run="", owner=""):
        """Request a bound and wait for process number `count`; return the board."""
        board = self.service.board(instance.sha256)
        self.ask(instance, run, owner)
        wait_until(lambda: len(self.processes) >= count)
        return board


@pytest.fixture
def bench(tmp_path, monkeypatch):
    monkeypatch.setattr(bound_service, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(bound_service, "UNWATCHED_SECONDS", math.inf)  # no process has the number of a scripted one
    bench = Bench(tmp_path)
    yield bench
    bench.service.close()


def wait_until_over(bench, board):
    wait_until(lambda: not bench.service.busy)
    return board.newest


def test_rising_bound_is_reported_and_stored_at_its_end(bench, tmp_path):
    board = bench.ask_and_wait(ONE, 1, "run-one")
    other = bench.service.board(ONE.sha256)
    assert other is board, "one board for all who look"
    other.runs.add("run-two")
    bench.processes[0].say(5, 7)
    wait_until(lambda: board.newest.known.length == 7)
    assert board.newest.state == "computing"
    assert load_bound(tmp_path, ONE.sha256) is None
    bench.processes[0].say(5, 7, 9, ended=True)
    bench.processes[0].end()
    assert wait_until_over(bench, board).state == "done"
    assert bench.service.find_length(ONE.sha256) == 9
    assert load_bound(tmp_path, ONE.sha256) == board.newest.known
    assert sorted(bench.proven) == [("run-one", ONE.sha256), ("run-two", ONE.sha256)]
    assert bench.ask(ONE) == "done"
    assert len(bench.processes) == 1, "what is known is not computed again"


def test_bounds_are_computed_one_at_a_time(bench):
    first, second = bench.ask_and_wait(ONE, 1), bench.service.board(TWO.sha256)
    assert bench.ask(TWO) == "waiting"
    assert bench.ask(TWO) == "waiting"
    bench.processes[0].say(4)
    wait_until(lambda: first.newest.state == "computing")
    assert (len(bench.processes), second.newest.state) == (1, "waiting")
    bench.processes[0].end()
    wait_until(lambda: len(bench.processes) == 2)
    bench.processes[1].say(6)
    bench.processes[1].end()
    assert wait_until_over(bench, second).known.length == 6
    assert len(bench.processes) == 2


def refuse_distances(process):
    process.write(encode("refused", {"sentence": "These distances are too long."}, {}))


@pytest.mark.parametrize(
    ("end", "why"),
    [
        (refuse_distances, "These distances are too long."),
        (lambda process: process.end(1), BROKEN),
        (lambda process: process.end(-signal.SIGKILL), TOO_LARGE),
        (lambda process: process.end(-signal.SIGXCPU), TOO_LONG),
        (lambda process: (process.write(b"\1" * 64), process.end()), BROKEN),
        (lambda process: process.write(encode("bound", {}, {})), BROKEN),
    ],
    ids=["refused", "crashed", "killed", "out of time", "no frame", "another frame"],
)
def test_failing_bound_says_why_and_frees_its_place(bench, end, why):
    board = bench.ask_and_wait(ONE, 1)
    end(bench.processes[0])
    assert wait_until_over(bench, board) == BoundState("failed", reason=why)
    after = bench.ask_and_wait(TWO, 2)
    bench.processes[1].say(3)
    bench.processes[1].end()
    assert wait_until_over(bench, after).state == "done"
    assert bench.ask(ONE) == "waiting", "what failed may be asked for again"


def test_bound_that_cannot_start_frees_its_place(bench):
    bench.refusal = RunFailed("no")
    board = bench.service.board(ONE.sha256)
    bench.ask(ONE)
    assert wait_until_over(bench, board) == BoundState("failed", reason=BROKEN)
    bench.refusal = None
    bench.ask_and_wait(ONE, 1)


def test_unexpected_error_frees_the_place(bench, monkeypatch):
    monkeypatch.setattr(threading, "excepthook", lambda hook: None)
    bench.refusal = ZeroDivisionError()
    board = bench.service.board(ONE.sha256)
    bench.ask(ONE)
    assert wait_until_over(bench, board).state == "failed"
    bench.refusal = None
    bench.ask_and_wait(TWO, 1)


def test_slow_bound_is_killed(bench, monkeypatch):
    monkeypatch.setattr(bound_service, "MAX_POLLS", 3)
    board = bench.ask_and_wait(ONE, 1)
    assert wait_until_over(bench, board) == BoundState("failed", reason=TOO_LONG)
    assert bench.processes[0].killed
    board = bench.ask_and_wait(TWO, 2)
    bench.processes[1].say(8)
    assert wait_until_over(bench, board).known.length == 8, "what was proven by then holds"
    assert not board.newest.known.ended


def test_nothing_is_computed_during_a_race(bench):
    bench.held = True
    board = bench.service.board(ONE.sha256)
    bench.ask(ONE)
    time.sleep(0.05)
    assert (bench.processes, board.newest.state) == ([], "waiting")
    bench.held = False
    wait_until(lambda: bench.processes)


def test_unwatched_bound_is_suspended_and_ends(bench, monkeypatch, tmp_path):
    suspended, viewer = [], Mock()
    monkeypatch.setattr(WorkerProcess, "set_suspended", lambda _, held: suspended.append(held))
    monkeypatch.setattr(bound_service, "UNWATCHED_SECONDS", 0.0)
    board = bench.ask_and_wait(ONE, 1)
    wait_until(lambda: suspended == [True])
    board.join(viewer)
    wait_until(lambda: suspended == [True, False])
    monkeypatch.setattr(bound_service, "ABANDONED_SECONDS", 0.0)
    bench.processes[0].say(5)
    board.leave(viewer)
    assert wait_until_over(bench, board) == BoundState()
    assert (bench.processes[0].killed > 0, load_bound(tmp_path, ONE.sha256)) == (True, None)


def test_closing_ends_the_bound_without_storing_it(bench, tmp_path):
    board = bench.ask_and_wait(ONE, 1)
    bench.ask(TWO)
    bench.processes[0].say(5)
    wait_until(lambda: board.newest.state == "computing")
    bench.service.close()
    assert bench.processes[0].killed
    assert not any(thread.name in ("bound", "bound-watch") for thread in threading.enumerate())
    assert board.newest.state == "none"
    assert load_bound(tmp_path, ONE.sha256) is None
    assert len(bench.processes) == 1, "what waited does not begin"
    assert bench.ask(THREE) == "none"


def test_closing_ends_a_bound_waiting_for_a_race(bench):
    bench.held = True
    bench.ask(ONE)
    bench.service.close()
    assert (bench.processes, bench.ask(ONE)) == ([], "none")


def test_excess_requests_are_refused_without_traces(bench, monkeypatch):
    monkeypatch.setattr("runs.admission.MAX_WAITING_EACH", 1)
    bench.ask_and_wait(ONE, 1, owner="her")
    bench.ask(TWO, owner="her")
    board = bench.service.board(THREE.sha256)
    with pytest.raises(DeviceUnavailable, match=TOO_MANY):
        bench.ask(THREE, owner="her")
    assert board.newest.state == "none"
    assert bench.ask(THREE, owner="him") == "waiting"
