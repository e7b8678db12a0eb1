"""Deleting a run's file, or the whole data folder, while the server runs."""

import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from runs.owners import NotOwner
from runs.service import RunService
from runs.store import run_file
from runs.store.home import DataFolderGone
from runs.store.open_run import NoSuchRun
from runs.visitors import Visitor, act_as
from runs.web.faults import answer_faults
from runs.web.routes import add_routes
from solvers.core.events import Tour
from tests.clock import wait_until
from tests.runs.conftest import two_opt_spec
from tests.runs.scripted import ScriptedEngine

pytestmark = pytest.mark.skipif(os.name != "posix", reason="files that are open cannot be deleted")
TOUR = Tour(np.arange(52, dtype=np.int32), 9_999, 1)


@pytest.fixture
def running_service(scripted):
    """A service with a running run, its id and its worker."""
    service, engine = scripted
    run = service.start(two_opt_spec("berlin52"))
    wait_until(lambda: service.channel(run).logged > 2)
    return service, run, engine.handles[-1]


def delete_file(service, run, what) -> None:
    if what == "folder":
        shutil.rmtree(service.home.folder)
    else:
        Path(service.path(run)).unlink()


@pytest.mark.parametrize("what", ["file", "folder"])
def test_run_with_a_deleted_file_ends_and_frees_its_place(running_service, monkeypatch, what, caplog):
    service, run, worker = running_service
    channel = service.channel(run)
    delete_file(service, run, what)
    monkeypatch.setattr(run_file, "CHECKPOINT_EVERY", 0)
    worker.say(TOUR)
    wait_until(lambda: run not in service.active_runs())
    assert channel.state == ("failed", "The run file was deleted while the run went on.")
    assert service._active.active_count == 0
    assert not worker._frames.qsize(), "its worker was not told to end"
    assert not [record for record in caplog.records if record.exc_info]
    with pytest.raises(NoSuchRun):
        service.channel(run)


@pytest.mark.parametrize("what", ["file", "folder"])
def test_run_with_a_deleted_file_can_be_cancelled(running_service, what):
    service, run, worker = running_service
    delete_file(service, run, what)
    service.command(run, "cancel")
    assert worker.commands == ["cancel"]
    wait_until(lambda: run not in service.active_runs())
    with pytest.raises(NoSuchRun):
        service.command(run, "cancel")


def test_ownership_is_still_checked(tmp_path):
    service = RunService(tmp_path, ScriptedEngine, shared=True)
    try:
        with act_as(Visitor("owner")):
            run = service.start(two_opt_spec("berlin52"), "owner")
        delete_file(service, run, "file")
        with act_as(Visitor("somebody")), pytest.raises(NotOwner):
            service.command(run, "cancel")
        assert run in service.active_runs()
    finally:
        service.close()


def test_server_without_its_folder_refuses_files_and_says_so(scripted):
    service, _ = scripted
    server = FastAPI()
    answer_faults(server)
    add_routes(server, service, "/")
    shutil.rmtree(service.home.folder)
    with TestClient(server, raise_server_exceptions=False) as client:
        answer = client.post("/runs", content=b"NAME: x")
        others = [client.get(f"/runs/abcdefghijkl{rest}") for rest in ("", "/run.tourscope")]
    assert answer.json() == {"sentence": "The data folder of this server is gone: restart the server."}
    assert [(each.status_code, each.json()) for each in (answer, *others)] == [(503, answer.json())] * 3
    with pytest.raises(DataFolderGone):
        service.adopt_instance(b"NAME: x", "x.tsp")
    with pytest.raises(DataFolderGone):
        service.start(two_opt_spec("berlin52"))
