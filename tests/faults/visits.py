"""A server as users start it, and a browser's requests to it: start a run, press a button, read."""

import contextlib
import json
import os
import signal
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import psutil

from tests.browser.serving import Server, start_server, stop_server
from tests.clock import PATIENCE
from tests.viewer import watch

#: Whether processes can be killed and stopped by signals.
POSIX = os.name == "posix"


@contextlib.contextmanager
def serving(home: Path, *options: str, planted: str = "", **environment: str) -> Iterator[Server]:
    """A server on loopback during the block; with a defect of `planted` if named."""
    home.mkdir(parents=True, exist_ok=True)
    program = ("-m", "tests.faults.planted", planted) if planted else ("app.py",)
    server = start_server(home, 0, ["--max-runs", "2", *options], program, **environment)
    try:
        yield server
    finally:
        stop_server(server)


def ready(server: Server) -> None:
    """Wait until a started run has a worker with all kernels."""
    watch(server.url, "abcdefghijkl", lambda seen: seen.status.get("spare") == "ready")


def form(instance: str = "pr1002", climbers: int = 100_000, seconds: float = 60.0, seed: int = 1) -> dict[str, Any]:
    """The values of the Watch page's form for 2-opt on one core."""
    params = {"climbers": climbers, "variant": "sequential"}
    return {
        "instance": instance, "algorithm": "two-opt", "params": params, "seed": seed, "seconds": seconds,
        "device": "cpu", "threads": None,
    }  # fmt: skip


def start_run(url: str, client: httpx.Client | None = None, **fields: Any) -> str:
    """Press Start; return the run's id."""
    answer = (client or httpx).post(f"{url}start", json=form(**fields), timeout=PATIENCE)
    assert answer.status_code == 200, answer.text
    return answer.json()["run"]


BUTTONS = ("run-pause", "run-resume", "run-step", "run-cancel")


def callback_body(declared: dict[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """The request of a page's script to a callback; values by element and property, and none for all others."""

    def fill(each: dict[str, str]) -> Any:
        element = {"id": each["id"], "property": each["property"]}
        return [] if each["id"].startswith("{") else {**element, "value": values.get(".".join(element.values()))}

    outputs = [each.rpartition(".") for each in declared["output"].strip(".").split("...")]
    named = [{"id": name, "property": prop} for name, _, prop in outputs]
    inputs = [fill(each) for each in declared["inputs"]]
    changed = [each for each in inputs if each and each["value"]] or inputs
    return {
        "output": declared["output"],
        "outputs": named if declared["output"].startswith("..") else named[0],
        "inputs": inputs,
        "state": [fill(each) for each in declared["state"]],
        "changedPropIds": [f"{changed[0]['id']}.{changed[0]['property']}"],
    }


def press_body(declared: list[dict[str, Any]], button: str, run: str) -> dict[str, Any]:
    """The request of the page's script for a button of the shown run; `declared` are the callbacks of the page."""
    [each] = [each for each in declared if [one["id"] for one in each["inputs"]] == [*BUTTONS]]
    return callback_body(each, {f"{button}.n_clicks": 1, "run.data": {"run": run}})


def press(url: str, button: str, run: str, client: httpx.Client | None = None) -> httpx.Response:
    """Press a button of the Watch page, with its script's request."""
    client = client or httpx.Client(timeout=PATIENCE)
    declared = client.get(f"{url}_dash-dependencies").json()
    return client.post(f"{url}_dash-update-component", json=press_body(declared, button, run))


def forks(server: Server) -> list[psutil.Process]:
    """Every running process that the server has started."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return psutil.Process(server.process.pid).children(recursive=True)
    return []


def kill(server: Server, *others: psutil.Process) -> None:
    """Kill the server and other processes at once, without warning."""
    for each in (server.process, *others):
        with contextlib.suppress(psutil.NoSuchProcess, ProcessLookupError):
            each.send_signal(signal.SIGKILL)
    server.process.wait(PATIENCE)
    server.process.stdout.close()


def summary(server: Server, run: str) -> dict[str, Any]:
    """The server's record of the run."""
    return httpx.get(f"{server.url}runs/{run}", timeout=PATIENCE).json()


def run_path(server: Server, run: str) -> Path:
    """The run's file."""
    return server.home / "runs" / f"{run}.tourscope"


def cookies(server: Server) -> Mapping[str, str]:
    """The cookies of a new visitor of a shared server."""
    with httpx.Client(timeout=PATIENCE) as client:
        answer = client.get(server.url + server.join, headers={"accept": "text/html"})
        assert answer.status_code == 200
        return dict(client.cookies)


def error_text(response: httpx.Response) -> str:
    """The sentence of a refusal."""
    with contextlib.suppress(json.JSONDecodeError, AttributeError):
        return response.json().get("sentence", "")
    return response.text
