"""Small studies for the tests: quick runs that end by their iterations, with the same results everywhere."""

import threading
from pathlib import Path
from typing import Any

import pytest

from solvers.spec import VERSION
from solvers.worker.worker_io import USER_ERRORS
from studies.file.instances import parse_instance
from studies.file.writer import StudyFile
from studies.pool import slot
from studies.pool.pool import Pool
from studies.pool.process import ImpossibleRun, WorkerGone
from studies.pool.worker import compute_outcome
from studies.spec.spec import StudySpec

INSTANCES = ["burma14", "ulysses16", "gr17", "fri26", "bays29", "berlin52"]
ENTRIES = {
    "2-opt": [{"algorithm": "two-opt", "params": {"climbers": 5}}],
    "ants": [{"algorithm": "ant-system", "params": {"ants": 8}}],
    "nearest": [{"algorithm": "nearest-neighbour"}],
    "nearest, 2-opt": [{"algorithm": "nearest-neighbour"}, {"algorithm": "two-opt", "params": {"climbers": 2}}],
    "random": [{"algorithm": "random", "params": {"samples": 20}}],
}


def spec_json(**changes: Any) -> dict[str, Any]:
    """A study of five entries on six instances with ten seeds, modified by `changes`."""
    value: dict[str, Any] = {
        "v": VERSION,
        "title": "Five on six",
        "instances": [{"name": name} for name in INSTANCES],
        "entries": [{"label": label, "stages": stages} for label, stages in ENTRIES.items()],
        "seeds": {"first": 1, "count": 10},
        "budget": {"iterations": 10},
        "device": "cpu",
        "threads": 1,
    }
    return {**value, **changes}


def tiny_study(**changes: Any) -> StudySpec:
    """Two entries on two instances with two seeds, modified by `changes`."""
    labels = ["2-opt", "random"]
    entries = [{"label": label, "stages": ENTRIES[label]} for label in labels]
    few = {"instances": [{"name": "burma14"}, {"name": "gr17"}], "entries": entries, "seeds": {"count": 2}}
    return StudySpec.from_json(spec_json(**{**few, **changes}))


class WorkerHere:
    """A `studies.pool.process.Worker` without a separate process; only one of several works at a time."""

    pid = 0
    _turn = threading.Lock()

    def __init__(self, threads: int, card: int | None, start: object) -> None:
        self._instances: dict[str, Any] = {}
        self._killed = False

    def has_instance(self, sha256):
        return sha256 in self._instances

    def run(self, spec, sha256, text):
        if text:
            self._instances[sha256] = parse_instance(text)
        with self._turn:
            try:
                found = compute_outcome(spec, self._instances[sha256])
            except USER_ERRORS as error:
                raise ImpossibleRun(str(error)) from error
        if self._killed:
            raise WorkerGone
        return found, 0.01

    def kill(self):
        self._killed = True

    def close(self):
        return None


def finish_study(path: Path, spec: StudySpec, cores: int = 1) -> Path:
    """A study file whose runs are all finished."""
    with pytest.MonkeyPatch.context() as patch, StudyFile(path, spec) as file:
        patch.setattr(slot, "Worker", WorkerHere)
        pool = Pool(file, cores)
        pool.start()
        assert pool.join().state == "finished"
    return path
