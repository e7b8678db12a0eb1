"""Starting a real server as a user starts it, and stopping it."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: Milliseconds that anything may take on a machine that has other work to do.
PATIENCE = 30_000


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
