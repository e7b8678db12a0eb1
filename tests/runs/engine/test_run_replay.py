"""Recomputed climbs: their worker is free afterwards, and ends if nobody waits any more."""

import contextlib
import queue
import threading

import pytest

from data.generators import uniform
from runs.engine import process
from runs.engine.process import ProcessEngine
from solvers.core.errors import RunFailed
from solvers.worker.frames import encode
from tests.solver_runs import make_spec


class IdleWorker:
    """A worker that answers at once, with a climb or an error, or never."""

    def __init__(self, answer=b""):
        self.answers = queue.Queue()
        if answer:
            self.answers.put(answer)
        self.replaying, self.killed = False, False

    def send(self, *frames):
        assert self.replaying, "a run could be given to it"

    def kill(self):
        self.killed = True


@pytest.fixture
def engine(monkeypatch):
    def make(worker):
        made = ProcessEngine.__new__(ProcessEngine)
        made._lock, made._replaying, made.idle = threading.RLock(), threading.Lock(), [worker]
        monkeypatch.setattr(made, "_get_idle_worker", lambda: worker)
        return made

    return make


@pytest.mark.parametrize(
    "answer", [encode("replayed", {}, {}), encode("failed", {"sentence": "It failed."}, {})], ids=["climb", "fault"]
)
def test_worker_is_free_after_recomputing_a_climb(engine, answer):
    worker = IdleWorker(answer)
    with contextlib.suppress(RunFailed):
        engine(worker).replay(make_spec("two-opt", climbers=1), uniform(4, 1), 0)
    assert worker.answers.empty()
    assert not worker.replaying


def test_abandoned_recomputation_stops_early(engine, monkeypatch):
    monkeypatch.setattr(process, "POLL_SECONDS", 0.01)
    worker, wanted = IdleWorker(), iter([True, True, False])
    with pytest.raises(RunFailed):
        engine(worker).replay(make_spec("two-opt", climbers=1), uniform(4, 1), 0, lambda: next(wanted))
    assert worker.killed
    with pytest.raises(RunFailed, match="Nobody waits"):
        engine(IdleWorker()).replay(make_spec("two-opt", climbers=1), uniform(4, 1), 0, lambda: False)
