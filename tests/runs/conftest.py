"""A run service with a real engine, its spare warm, shared by the tests of one file."""

import importlib
import io
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path

import pytest
import uvicorn
from fastapi import FastAPI

from runs.engine.process import ProcessEngine
from runs.imports import file as imports_file
from runs.imports import sandbox
from runs.service import RunService
from runs.web.routes import add_routes
from solvers.spec import RunSpec
from tests.clock import PATIENCE, wait_until


def spec_of(instance: str = "berlin52", climbers: int = 50, **fields) -> RunSpec:
    """A spec of 2-opt on one thread, whose events are the same each time."""
    stage = {"algorithm": "two-opt", "params": {"climbers": climbers, "variant": "sequential"}}
    return RunSpec.from_json({"v": 1, "instance": {"name": instance}, "stages": [stage], **fields})


@pytest.fixture(scope="module")
def run_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunService]:
    home: Path = tmp_path_factory.mktemp("home")
    run_service = RunService(home, ProcessEngine)
    wait_until(lambda: run_service.status()["spare"] == "ready")
    yield run_service
    run_service.close()


@pytest.fixture(scope="module")
def address(run_service: RunService) -> Iterator[str]:
    """Host and port of a server of the run service's routes."""
    app = FastAPI()
    add_routes(app, run_service, "/")
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", ws_per_message_deflate=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield f"127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join(PATIENCE)


@pytest.fixture
def make_spec() -> Callable[..., RunSpec]:
    return spec_of


@pytest.fixture(scope="session")
def until() -> Callable[..., None]:
    return wait_until


@pytest.fixture
def read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Strangers' files are read in this process by the `main` of the children, which have no limits then."""

    def run(module: str, *arguments: str) -> str | None:
        said = io.StringIO()
        with monkeypatch.context() as patch, redirect_stdout(said):
            patch.setattr(sys, "argv", [module, *arguments])
            try:
                status = importlib.import_module(module).main()
            except Exception as error:
                raise sandbox.Overrun from error
        return said.getvalue() if status == sandbox.REFUSED else None

    for module in (sandbox, imports_file):
        monkeypatch.setattr(module, "limit", lambda: None)
    monkeypatch.setattr(sandbox, "run", run)
