"""A real server, started as a user starts it, and a real Chromium looking at it."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from chromium import ARGUMENTS, executable

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Server:
    """A running TourScope: its address, its process and its home folder."""

    url: str
    port: int
    process: subprocess.Popen
    home: Path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start_server(home: Path, port: int | None = None, **environment: str) -> Server:
    """Start `app.py` on the loopback interface, and wait until it answers."""
    port = port or free_port()
    command = [sys.executable, "app.py", "--port", str(port), "--home", str(home)]
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **environment}, stderr=subprocess.DEVNULL)
    server = Server(f"http://127.0.0.1:{port}/", port, process, home)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(server.url, timeout=1):
                return server
        except OSError:
            if process.poll() is not None:
                break
            time.sleep(0.05)
    process.kill()
    raise RuntimeError("The server did not answer.")


def stop_server(server: Server) -> None:
    server.process.terminate()
    try:
        server.process.wait(10)
    except subprocess.TimeoutExpired:
        server.process.kill()
        server.process.wait()


@pytest.fixture(scope="session")
def server(tmp_path_factory) -> Iterator[Server]:
    running = start_server(tmp_path_factory.mktemp("home"))
    yield running
    stop_server(running)


@pytest.fixture(scope="session")
def chromium():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture
def page(chromium, server):
    """A page of a fresh visitor, 1440 x 860; fails the test if it asked another host, or logged an error."""
    context = chromium.new_context(viewport={"width": 1440, "height": 860})
    context.set_default_timeout(15_000)
    view = context.new_page()
    foreign, errors = [], []

    def watch(request) -> None:
        if not request.url.startswith((server.url, "data:", "blob:", server.url.replace("http", "ws"))):
            foreign.append(request.url)

    view.on("request", watch)
    view.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    view.on("pageerror", lambda error: errors.append(str(error)))
    yield view
    context.close()
    assert not foreign, f"asked another host: {foreign}"
    assert not errors, f"errors in the browser's console: {errors}"
