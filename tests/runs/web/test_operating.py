"""The operator's view of a server: its health, metrics and log."""

import json
import logging
import re
import socket
import sys
from contextlib import nullcontext
from types import SimpleNamespace

import httpx
import pytest
from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from runs.service import RunService
from runs.web import health, metrics
from runs.web import options as options_module
from runs.web.listening import listen
from runs.web.log import set_up_log
from runs.web.network.own_host import find_network_host
from tests.clock import PATIENCE, wait_until
from tests.runs.scripted import ScriptedEngine
from tests.tables import each_row


@pytest.fixture
def run_service(tmp_path):
    service = RunService(tmp_path, ScriptedEngine)
    yield service
    service.close()


@pytest.fixture
def answer(run_service):
    server = FastAPI()
    health.add_health_route(server, run_service, "/tours/")
    client = TestClient(server)
    return lambda: client.get("/tours/healthz")


def test_healthy_server(answer):
    assert (answer().status_code, answer().json()) == (200, {"state": "ok"})


def test_full_disk_is_reported(answer, monkeypatch):
    monkeypatch.setattr(health.shutil, "disk_usage", lambda _: SimpleNamespace(free=health.MIN_FREE - 1))
    assert answer().status_code == 503
    assert answer().json()["sentence"] == "The disk of the data folder is nearly full."


def test_read_only_folder_is_reported_without_its_path(answer, monkeypatch, tmp_path):
    monkeypatch.setattr(health.os, "access", lambda *_: False)
    assert answer().status_code == 503
    assert str(tmp_path) not in answer().text


@pytest.fixture
def free_port():
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return bound.getsockname()[1]


def numbers(port):
    text = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE).text
    return {name: float(value) for name, value in re.findall(r"^([a-z][^ ]*) ([^ ]+)$", text, re.MULTILINE)}


def test_metrics_match_the_service(run_service, make_spec, free_port):
    def page(_):
        return PlainTextResponse("hello")

    app = metrics.serve_metrics(Starlette(routes=[Route("/", page)]), run_service, free_port)
    client = TestClient(app)
    for path in ("/", "/", "/none"):
        client.get(path)
    run_service.start(make_spec())
    found = numbers(free_port)
    assert found["tourscope_runs_active"] == 1
    assert found["tourscope_runs_started_total"] == 1
    assert found["tourscope_viewers"] == 0
    assert found['tourscope_answer_seconds_count{method="GET",status="200"}'] == 2
    assert found['tourscope_answer_seconds_count{method="GET",status="404"}'] == 1
    assert found["process_resident_memory_bytes"] > 1e6
    run_service.engine.handles[-1].finish(9_000, 52)
    wait_until(lambda: not run_service.active_runs())
    assert numbers(free_port)["tourscope_runs_active"] == 0


@pytest.mark.parametrize("headers", [{"host": "evil.example"}, {"sec-fetch-site": "cross-site"}])
def test_metrics_are_refused_to_other_sites(run_service, free_port, headers):
    metrics.serve_metrics(Starlette(), run_service, free_port)
    answer = httpx.get(f"http://127.0.0.1:{free_port}/metrics", headers=headers, timeout=PATIENCE)
    assert (answer.status_code, "tourscope" in answer.text) == (403, False)


def test_cluster_nodes_are_counted(run_service, monkeypatch, free_port):
    metrics.serve_metrics(Starlette(), run_service, free_port)
    assert not [name for name in numbers(free_port) if name.startswith("tourscope_nodes")]
    nodes = [{"alive": True}, {"alive": True}, {"alive": False}]
    answer = {**run_service.engine.status(), "nodes": nodes}
    monkeypatch.setattr(run_service.engine, "status", lambda: answer)
    found = numbers(free_port)
    assert found['tourscope_nodes{state="alive"}'] == 2
    assert found['tourscope_nodes{state="lost"}'] == 1


@pytest.fixture
def configure_log():
    """Configures the log and returns its handler."""
    root, before = logging.getLogger(), list(logging.getLogger().handlers)

    def write(*how):
        set_up_log(*how)
        return root.handlers[-1]

    yield write
    for handler in [each for each in root.handlers if each not in before]:
        root.removeHandler(handler)
        handler.close()


def test_log_is_json_lines_in_a_rotated_file(tmp_path, configure_log):
    path = tmp_path / "server.log"
    handler = configure_log(path, True)
    try:
        raise ValueError("no\nsuch thing")
    except ValueError:
        logging.getLogger("a.b").exception("It failed: %s", "ü")
    (line,) = path.read_text(encoding="utf-8").splitlines()
    values = json.loads(line)
    assert (values["level"], values["logger"]) == ("ERROR", "a.b")
    assert values["message"].startswith("It failed: ü\nTraceback")
    handler.maxBytes = 2_000
    for _ in range(100):
        logging.getLogger().error("once more")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["server.log", *(f"server.log.{k}" for k in range(1, 6))]


def test_unwritable_log_is_refused(tmp_path, configure_log):
    with pytest.raises(FileNotFoundError):
        configure_log(tmp_path / "none" / "server.log")


def started_with(monkeypatch, *words, network="127.0.0.2"):
    """The options of a command line on a machine with the network address `network`."""
    monkeypatch.setattr(options_module, "find_network_host", lambda: network)
    monkeypatch.setattr(sys, "argv", ["app.py", *words])
    return options_module.parse_options()


@each_row(
    ("words", "host", "network"),
    [
        ((), "127.0.0.1", ""),
        (("--code",), "127.0.0.1", ""),
        (("--share",), "0.0.0.0", "127.0.0.2"),
        (("--share", "--host", "127.0.0.1"), "127.0.0.1", ""),
        (("--share", "--host", "0.0.0.0"), "0.0.0.0", ""),  # as in a container, whose own address nobody reaches
    ],
)
def test_shared_server_listens_on_the_network_unless_a_host_is_given(words, host, network, monkeypatch):
    options = started_with(monkeypatch, *words)
    assert (options.host, options.network) == (host, network)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere 127.0.0.2 is no address of the machine")
@each_row(("words", "reached"), [(("--share",), True), ((), False)])
def test_other_addresses_of_the_machine_reach_only_a_shared_server(words, reached, monkeypatch):
    options = started_with(monkeypatch, *words)
    with listen(options.host, 0) as listener:
        other = ("127.0.0.2", listener.getsockname()[1])
        with nullcontext() if reached else pytest.raises(ConnectionRefusedError):
            socket.create_connection(other, PATIENCE).close()


def test_network_address_of_the_machine_is_found_else_its_name(monkeypatch):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind((find_network_host(), 0))  # of an address of another machine it fails

    class Unconnected(socket.socket):
        def connect(self, _):
            raise OSError("Network is unreachable")

    monkeypatch.setattr(socket, "socket", Unconnected)
    assert find_network_host() == socket.gethostname()


@each_row("proxy", ["*", "proxy.example", "10.0.0.1/8"])
def test_proxy_is_given_by_its_address(proxy, monkeypatch, capsys):
    named = ["10.0.0.0/8", "::1"]
    assert started_with(monkeypatch, "--proxy", named[0], "--proxy", named[1]).proxy == named
    with pytest.raises(SystemExit):
        started_with(monkeypatch, "--proxy", proxy)
    assert f"--proxy '{proxy}' is not an address or a network" in capsys.readouterr().err
