"""A run service with a real engine, its spare warm, shared by the tests of one file."""

import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import uvicorn
from fastapi import FastAPI

from runs.engine.process import ProcessEngine
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
