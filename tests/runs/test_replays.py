"""Climbs that are computed again: once for all who ask at a time."""

import contextlib
import queue
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from data.generators import uniform
from runs.engine.process import ProcessEngine
from runs.replays import MOST, Replays
from solvers.errors import RunFailed
from solvers.worker.frames import encode
from tests.clock import PATIENCE
from tests.solver_runs import make_spec


def test_all_who_ask_at_once_get_one_computation():
    replays, asked, go = Replays(), [], threading.Event()

    def compute():
        asked.append(1)
        assert go.wait(PATIENCE)
        return b"climb"

    with ThreadPoolExecutor(5) as pool:
        waiting = [pool.submit(replays.get, "run", 3, compute) for _ in range(5)]
        go.set()
        assert [each.result(PATIENCE) for each in waiting] == [b"climb"] * 5
    assert replays.get("run", 3, compute) == b"climb"
    assert asked == [1]


def test_each_climb_of_each_run_is_its_own_and_the_newest_are_kept():
    replays, asked = Replays(), []

    def ask(run, climber):
        def compute():
            asked.append((run, climber))
            return f"{run} {climber}".encode()

        assert replays.get(run, climber, compute) == f"{run} {climber}".encode()

    keys = [(run, climber) for climber in range(MOST // 2 + 1) for run in ("a", "b")]
    for key in (*keys, *keys[-MOST:], keys[0]):
        ask(*key)
    assert asked == [*keys, keys[0]]


def test_a_failure_is_told_and_the_next_one_tries_anew():
    replays = Replays()

    def fail():
        raise LookupError("no such climb")

    with pytest.raises(LookupError, match="no such climb"):
        replays.get("run", 0, fail)
    assert replays.get("run", 0, lambda: b"there") == b"there"


class IdleWorker:
    """A worker that answers at once: with a climb, or with a fault."""

    def __init__(self, answer):
        self.answers = queue.Queue()
        self.answers.put(answer)
        self.replaying = False

    def send(self, *frames):
        assert self.replaying, "a run could be given to it"


@pytest.mark.parametrize(
    "answer", [encode("replayed", {}, {}), encode("failed", {"sentence": "It failed."}, {})], ids=["climb", "fault"]
)
def test_a_worker_that_has_computed_a_climb_again_is_free_for_the_next_run(monkeypatch, answer):
    engine, worker = ProcessEngine.__new__(ProcessEngine), IdleWorker(answer)
    engine._lock, engine._replaying = threading.RLock(), threading.Lock()
    monkeypatch.setattr(engine, "_idle_worker", lambda: worker)
    with contextlib.suppress(RunFailed):
        engine.replay(make_spec("two-opt", climbers=1), uniform(4, 1), 0)
    assert worker.answers.empty()
    assert not worker.replaying
