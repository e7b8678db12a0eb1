"""The bound of a run's instance: requested by the route, computed by the program, and proof of an equal length."""

import json
from unittest.mock import Mock

import numpy as np
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from data.collection.bounds import KnownBound, save_bound
from data.collection.resolve import load
from data.distances import tour_length
from runs.bounds import program
from runs.bounds.board import BoundState
from runs.bounds.service import BoundService
from runs.store.reader import RunReader
from runs.web.routes import add_routes
from solvers.core.events import Tour
from solvers.spec import RunSpec, Stage
from solvers.worker.frames import decode
from tests.clock import wait_until
from tests.runs.bounds.scripted_process import ScriptedProcess

pytestmark = pytest.mark.slow

SPEC = RunSpec({"generate": "uniform", "n": 9, "seed": 4}, (Stage("two-opt", {"climbers": 5}),))


class Frames:
    """The frames sent by the program."""

    def __init__(self):
        self.frames = []

    def write(self, raw):
        self.frames.append(decode(raw))


def test_program_reports_the_rising_bound(monkeypatch):
    monkeypatch.setattr(program, "EVERY", 0.0)
    written = Frames()
    program.compute(load("kroA100"), written)
    last = written.frames[-1]
    assert last.values["length"] == 20_937
    assert last.values["ended"]
    assert last.values["trees"] == 1_196
    heights = last.arrays["bound"].tolist()
    assert heights == sorted(set(heights))
    lengths = [frame.values["length"] or 0 for frame in written.frames if frame.kind == "bound"]
    assert lengths == sorted(lengths)
    assert [frame.kind for frame in written.frames[-2:]] == ["ascent", "bound"]


def test_interrupted_bound_says_so():
    written = Frames()
    program.compute(load("kroA100"), written, 0.0)
    last = written.frames[-1]
    assert 0 < last.values["length"] <= 20_937
    assert not last.values["ended"]


def proofs(run_service):
    folder = run_service.home.folder / "proofs"
    return [json.loads(path.read_text()) for path in folder.iterdir()] if folder.is_dir() else []


def opened_run(run_service, engine):
    """A running run with an opened tour; returns its instance and the tour's length."""
    run = run_service.start(SPEC)
    instance = run_service.instance(SPEC.instance)
    order = np.arange(instance.n, dtype=np.int32)
    length = tour_length(instance, order)
    engine.handles[-1].say(Tour(order, length, 0))
    return run, instance, length


@pytest.mark.parametrize("above", [0, 1])
def test_run_with_a_tour_as_long_as_the_bound_has_proven_it(scripted, above):
    run_service, engine = scripted
    run, instance, length = opened_run(run_service, engine)
    bounds = run_service.home.folder / "bounds"
    save_bound(bounds, instance.sha256, KnownBound(((0.1, 1, length - above),), 0.2, 3, ended=True))
    engine.handles[0].finish(length, instance.n)
    wait_until(lambda: run_service.active_run(run) is None)
    assert [proof["length"] for proof in proofs(run_service)] == ([] if above else [length])


def test_every_open_run_on_the_instance_is_compared(scripted, monkeypatch):
    """Not only the requesting run, whose tour is longer."""
    run_service, engine = scripted
    run, instance, length = opened_run(run_service, engine)
    engine.handles[0].finish(length, instance.n)
    wait_until(lambda: run_service.active_run(run) is None)
    asking = run_service.start(SPEC)
    process = ScriptedProcess()
    monkeypatch.setattr(engine, "start_process", lambda module, environment: process)
    run_service.bounds = BoundService(
        run_service.home.folder / "bounds", engine.start_process, on_proof=run_service._save_proof
    )
    board = run_service.board(run, instance.sha256)
    assert run_service.request_bound(asking) == "waiting"
    assert board.runs == {run, asking}
    process.say(length)
    process.end()
    wait_until(lambda: not run_service.bounds.busy)
    assert [proof["run"] for proof in proofs(run_service)] == [run]


def test_run_opened_after_the_bound_is_compared(scripted):
    run_service, engine = scripted
    run, instance, length = opened_run(run_service, engine)
    engine.handles[0].finish(length, instance.n)
    wait_until(lambda: run_service.active_run(run) is None)
    bounds = run_service.home.folder / "bounds"
    save_bound(bounds, instance.sha256, KnownBound(((0.1, 1, length),), 0.2, 3, ended=True))
    assert proofs(run_service) == []
    assert run_service.board(run, instance.sha256).newest.state == "done"
    assert [proof["length"] for proof in proofs(run_service)] == [length]


def test_bound_requested_by_route_is_available_to_all(run_service, make_spec, monkeypatch):
    run = run_service.start(make_spec("burma14"))
    wait_until(lambda: run_service.active_run(run) is None)
    app = FastAPI()
    add_routes(app, run_service, "/")
    board = run_service.bounds.board(run_service.run_instance(run).sha256)
    board.join(Mock())  # what nobody watches is given up, however slow the machine is
    with TestClient(app) as client:
        assert client.post("/runs/abcdefghijkl/bound").status_code == 404
        answer = client.post(f"/runs/{run}/bound")
        assert (answer.status_code, answer.json()) == (200, {"state": "waiting"})
        wait_until(lambda: not run_service.bounds.busy)
        monkeypatch.delattr(RunReader, "instance")  # many ask for one bound, and an instance may be large
        assert client.post(f"/runs/{run}/bound").json() == {"state": "done"}
    assert (board.newest.known.length, board.newest.reason) == (3_323, "")
    assert BoundState("done", board.newest.known) == board.newest
