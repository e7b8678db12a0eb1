"""A run service with real workers for the tests of one file; all files of a process share the workers."""

import importlib
import io
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from fastapi import FastAPI

from runs.engine import process
from runs.engine.process import ProcessEngine
from runs.imports import file as imports_file
from runs.imports import sandbox
from runs.service import RunService
from runs.web.routes import add_routes
from solvers.spec import RunSpec
from tests.clock import PATIENCE, wait_until
from tests.runs import light_worker
from tests.runs.scripted import ScriptedEngine


def two_opt_spec(instance: str = "berlin52", climbers: int = 50, **fields) -> RunSpec:
    """A spec of 2-opt on one thread, whose events are always the same."""
    stage = {"algorithm": "two-opt", "params": {"climbers": climbers, "variant": "sequential"}}
    return RunSpec.from_json({"v": 1, "instance": {"name": instance}, "stages": [stage], **fields})


class LentEngine:
    """An engine for one service, whose workers are those of all services of this process: each takes seconds to start.

    Closing it kills what still runs for this service; idle workers stay.
    """

    def __init__(self, engine: ProcessEngine) -> None:
        self._engine = engine
        self._handles: list[Any] = []
        self._listeners: list[Callable[[], None]] = []
        engine.listen(lambda: [listener() for listener in self._listeners])

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def start(self, *job: Any) -> Any:
        self._handles.append(self._engine.start(*job))
        return self._handles[-1]

    def listen(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    def close(self) -> None:
        self._listeners.clear()
        for handle in self._handles:
            handle.kill()


@pytest.fixture(scope="session")
def process_engine() -> Iterator[ProcessEngine]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(process, "WORKER", light_worker.__name__)
        engine = ProcessEngine()
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def run_service(tmp_path_factory: pytest.TempPathFactory, process_engine: ProcessEngine) -> Iterator[RunService]:
    home: Path = tmp_path_factory.mktemp("home")
    run_service = RunService(home, lambda: LentEngine(process_engine))
    wait_until(lambda: run_service.status()["spare"] == "ready")
    yield run_service
    run_service.close()


@pytest.fixture(scope="module")
def address(run_service: RunService) -> Iterator[str]:
    """Host and port of a server with the run service's routes."""
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
    return two_opt_spec


@pytest.fixture(scope="session")
def until() -> Callable[..., None]:
    return wait_until


@pytest.fixture
def read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read uploads in this process with the `main` of the child processes, without their limits."""

    def run(module: str, *arguments: str) -> str | None:
        sentence = io.StringIO()
        with monkeypatch.context() as patch, redirect_stdout(sentence):
            patch.setattr(sys, "argv", [module, *arguments])
            try:
                status = importlib.import_module(module).main()
            except Exception as error:
                raise sandbox.Overrun from error
        return sentence.getvalue() if status == sandbox.REFUSED else None

    for module in (sandbox, imports_file):
        monkeypatch.setattr(module, "limit", lambda *_: None)
    monkeypatch.setattr(sandbox, "run", run)


@pytest.fixture
def scripted(tmp_path) -> Iterator[tuple[RunService, ScriptedEngine]]:
    """A service with scripted workers, and its engine."""
    engine = ScriptedEngine()
    service = RunService(tmp_path, lambda: engine)
    yield service, engine
    service.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """The whole server for one file; see `tests.runs.served.serving`."""
    from tests.runs.served import serving  # few files need the pages

    with pytest.MonkeyPatch.context() as patch, serving(tmp_path_factory.mktemp("home"), patch) as found:
        yield found
