"""A desk with a real engine, its spare warm, shared by the tests of one file."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import uvicorn
from fastapi import FastAPI

from runs.desk import Desk
from runs.process import ProcessEngine
from runs.web import add_routes
from solvers.spec import RunSpec


def spec_of(instance: str = "berlin52", climbers: int = 50, **fields) -> RunSpec:
    """A spec of 2-opt on one thread, whose events are the same each time."""
    stage = {"algorithm": "two-opt", "params": {"climbers": climbers, "variant": "sequential"}}
    return RunSpec.from_json({"v": 1, "instance": {"name": instance}, "stages": [stage], **fields})


def wait_until(true: Callable[[], bool], seconds: float) -> float:
    """Wait until the condition holds; the seconds that it took."""
    began = time.monotonic()
    while not true():
        assert time.monotonic() - began < seconds, "this took too long"
        time.sleep(0.01)
    return time.monotonic() - began


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    home: Path = tmp_path_factory.mktemp("home")
    desk = Desk(home, ProcessEngine)
    wait_until(lambda: desk.status()["spare"] == "ready", 60)
    yield desk
    desk.close()


@pytest.fixture(scope="module")
def address(desk: Desk) -> Iterator[str]:
    """Host and port of a server of the desk's routes."""
    app = FastAPI()
    add_routes(app, desk, "/")
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", ws_per_message_deflate=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield f"127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join(5)


@pytest.fixture
def make_spec() -> Callable[..., RunSpec]:
    return spec_of


@pytest.fixture(scope="session")
def until() -> Callable[[Callable[[], bool], float], float]:
    return wait_until
