"""Starting a real server as a user starts it, and stopping it."""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: Milliseconds that anything may take on a machine that has other work to do.
PATIENCE = 180_000
#: What a server says of its faults.
LOG = "server.log"


@dataclass
class Server:
    """A running TourScope: its address, process and home folder, which also holds its log.

    A shared server also has the queries with which visitors and the host join.
    """

    url: str
    port: int
    process: subprocess.Popen
    home: Path
    join: str = ""
    host: str = ""


def start_server(
    home: Path, port: int = 0, options: Sequence[str] = (), program: Sequence[str] = ("app.py",), **environment: str
) -> Server:
    """Start `app.py` on the loopback interface at a free port; it listens before it prints its address."""
    folders = [*filter(None, (environment.pop("PYTHONPATH", ""), os.environ.get("PYTHONPATH")))]
    environment |= {"PYTHONPATH": os.pathsep.join(folders)} if folders else {}
    command = [sys.executable, *program, "--host", "127.0.0.1", "--port", str(port), "--home", str(home), *options]
    with (home / LOG).open("ab") as log:
        quiet = {"cwd": ROOT, "stdout": subprocess.PIPE, "stderr": log, "text": True}
        process = subprocess.Popen(command, env={**os.environ, **environment}, **quiet)
    output = re.fullmatch(r"TourScope: (http://127\.0\.0\.1:(\d+)/)(\?join=\S+)?", process.stdout.readline().strip())
    if not output:
        process.kill()
        raise RuntimeError("The server did not come up.")
    host = process.stdout.readline().strip().rpartition("/")[2] if output[3] and "--share" in options else ""
    return Server(output[1], int(output[2]), process, home, output[3] or "", host)


def stop_server(server: Server) -> None:
    server.process.terminate()
    try:
        server.process.wait(10)
    except subprocess.TimeoutExpired:
        server.process.kill()
        server.process.wait()
    server.process.stdout.close()
