"""The server as a separate process: starting, a conflict with another server, a graceful end, and being killed."""

import asyncio
import json
import os
import platform
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import psutil
import pytest
import websockets

from runs.service import RunService
from solvers.worker.frames import decode, split
from tests.clock import PATIENCE, child_seconds, is_within_bound, measure_fastest, process_seconds
from tests.runs.served import IdleEngine

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
#: The server with a run that somebody has just started; tells the run's id, and last whether it has seen Numba.
GOING = """
import argparse, signal, sys
from pathlib import Path
import app
from components.document import services
from solvers.spec import RunSpec
create = services.create
def create_and_start(*arguments):
    made, behind = create(*arguments)
    stage = {"algorithm": "two-opt", "params": {"climbers": 1000000}}
    spec = {"v": 1, "instance": {"name": "pr1002"}, "stages": [stage]}
    print("run", behind[-1].start(RunSpec.from_json(spec)), flush=True)
    return made, behind
services.create = create_and_start
app.main()
"""

#: The server, which also prints what it has imported once it is there, and whether it has Numba at its end.
TELLING = """
import app, atexit, builtins, json, sys
atexit.register(lambda: tell("numba", "numba" in sys.modules))
tell = print
def tell_all(*arguments, **options):
    tell(*arguments, **options)
    tell(json.dumps(list(sys.modules)), flush=True)
print("run none", flush=True)
builtins.print = tell_all
app.main()
"""

posix = pytest.mark.skipif(os.name != "posix", reason="ends a process by a signal")


class Server:
    """A server process and the first lines that it printed."""

    def __init__(self, home: Path, *arguments: str, script: str | None = None) -> None:
        command = [sys.executable, "-c", script] if script else [sys.executable, "app.py"]
        began = time.monotonic()
        self.process = subprocess.Popen(
            [*command, "--port", "0", "--home", str(home), *arguments], cwd=ROOT, text=True, stdout=subprocess.PIPE
        )
        self.run = self._line(r"run (\S+)") if script else ""
        self.url = self._line(r"TourScope: (http://\S+)")
        self.seconds_to_start = time.monotonic() - began

    def _line(self, pattern: str) -> str:
        assert self.process.stdout is not None
        found = re.fullmatch(pattern, self.process.stdout.readline().strip())
        assert found, "the server did not come up"
        return found[1]

    def end(self, sign: int) -> float:
        """Send a signal; return the seconds until the server exits."""
        began = time.monotonic()
        self.process.send_signal(sign)
        self.process.wait(PATIENCE)
        return time.monotonic() - began


@pytest.fixture
def serve(tmp_path):
    servers = []

    def start(*arguments, script=None):
        servers.append(Server(tmp_path / "home", *arguments, script=script))
        return servers[-1]

    yield start
    for server in servers:
        server.process.kill()
        server.process.wait(PATIENCE)


async def read_log(url, run, events):
    """Log events of a run, as (seq, frame), until there are `events` of them."""
    got = []
    async with websockets.connect(url.replace("http", "ws") + "stream", max_size=None) as stream:
        await stream.send(json.dumps({"op": "open", "run": run, "after": 0}))
        while len(got) < events:
            message, *frames = [bytes(part) for part in split(await asyncio.wait_for(stream.recv(), PATIENCE))]
            values = decode(message).values
            if "message" in values:
                await stream.send(json.dumps({"op": "ack", "message": values["message"]}))
            if values.get("what") == "log":
                got += zip(values["seqs"], frames, strict=True)
    return got


def test_page_starts_fast_below_its_path_with_its_folder_and_without_numba(serve, tmp_path, monkeypatch):
    monkeypatch.delenv("TOURSCOPE_DATA", raising=False)
    (tmp_path / "home" / "library").mkdir(parents=True)
    shutil.copy(ROOT / "data" / "instances" / "burma14.tsp", tmp_path / "home" / "library" / "mine.tsp")
    server = serve("--base-path", "/proxy/8050", script=TELLING)
    modules = set(json.loads(server.process.stdout.readline()))
    assert {"dash", "fastapi", "numpy", "components.watch.page"} <= modules
    assert not {"numba", "scipy", "numpy.ma", "components.race.page"} & modules
    page = httpx.get(server.url, timeout=PATIENCE)
    assert page.status_code == 200
    assert is_within_bound(process_seconds(server.process.pid), 6)  # 1.4 s
    layout = httpx.get(server.url + "_dash-layout", timeout=PATIENCE)
    assert layout.status_code == 200
    for name in ("berlin52", "mine"):
        assert (
            httpx.get(server.url + "instance", params={"ref": json.dumps({"name": name})}, timeout=PATIENCE).status_code
            == 200
        )
    check_policy(page)
    check_base_path(server)
    check_no_second(tmp_path / "home")
    if os.name == "posix":
        server.end(signal.SIGTERM)
        assert server.process.stdout.read() == "numba False\n"


def check_policy(page):
    """The policy allows only the page's own scripts."""
    from runs.web.guard import hash_scripts

    policy = page.headers["content-security-policy"]
    assert all(found in policy for found in hash_scripts(page.text))
    assert "unsafe-inline" not in policy.split("script-src")[1].split(";")[0]


def check_base_path(server):
    """All addresses begin with the base path."""
    assert server.url.endswith("/proxy/8050/")
    assert httpx.get(server.url, timeout=PATIENCE).status_code == 200
    assert httpx.get(server.url + "runs/abcdefghijkl", timeout=PATIENCE).status_code == 404


def test_occupied_port_is_reported_in_one_sentence_without_traces(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        home = tmp_path / "home"
        before = child_seconds()
        done = subprocess.run(
            [sys.executable, "app.py", "--port", port, "--home", str(home)], cwd=ROOT, capture_output=True, text=True
        )
    assert is_within_bound(child_seconds() - before, 0.5)  # 0.06 s: it has not begun to load the page
    assert done.returncode == 1
    assert port in done.stderr
    assert "--port" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not home.exists()


def check_no_second(home):
    """A second server refuses to start on the same folder."""
    second = subprocess.run(
        [sys.executable, "app.py", "--port", "0", "--home", str(home)],
        cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert second.returncode == 1
    assert "--home" in second.stderr
    assert len(second.stderr.splitlines()) == 1


def test_foreign_address_requires_sharing():
    done = subprocess.run([sys.executable, "app.py", "--host", "0.0.0.0"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert "--share" in done.stderr


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere 127.0.0.2 is no address of the machine")
def test_shared_server_prints_its_address_and_the_host_finds_it_on_the_class_page(serve):
    patch = "from runs.web import options\noptions.network_host = lambda: '127.0.0.2'\n"
    script = f"import app\nprint('run none', flush=True)\n{patch}app.main()"
    server = serve("--share", "--name", "tours.example", "--proxy", "127.0.0.0/8", script=script)
    address, code = server.url.split("?join=")
    assert re.fullmatch(r"http://127\.0\.0\.2:\d+/", address)
    host = server._line(re.escape(f"For you alone, the host: {address}?join=") + r"(\S+)")
    with httpx.Client(timeout=PATIENCE) as visitor:
        assert visitor.get(address, params={"join": code}).text.endswith("Joining.")
        assert visitor.get(address).status_code == 200
    with httpx.Client(base_url=address.replace("127.0.0.2", "localhost"), timeout=PATIENCE) as own:
        own.get("", params={"join": host})
        proxy = {"x-forwarded-host": "tours.example", "x-forwarded-proto": "https"}
        here, behind = (re.sub("<.*?>", "", own.get("class/", headers=text).text) for text in ({}, proxy))
    assert f"{address}?join={code}" in here
    assert f"https://tours.example/?join={code}" in behind
    assert "Only this computer" not in here + behind


@posix
@pytest.mark.parametrize("sign", [pytest.param(signal.SIGTERM, marks=pytest.mark.long), signal.SIGINT])
def test_server_stops_within_two_seconds_and_a_killed_one_leaves_what_it_published(serve, tmp_path, sign):
    """On a machine with other load, within twice the server's start time; otherwise within two seconds."""
    published = {}

    def running_server() -> Server:
        server = serve(script=GOING)
        published[server.run] = asyncio.run(read_log(server.url, server.run, 12))
        return server

    def end() -> float:
        server = running_server()
        took = server.end(sign)
        assert server.process.returncode == 0
        left = (tmp_path / "home" / "runs").glob(f"{server.run}*")
        assert [path.name for path in left] == [f"{server.run}.tourscope"]
        return took / max(1.0, server.seconds_to_start)

    assert measure_fastest(end, 2) < 2
    (ended,) = list(published)[-1:]
    killed = running_server()
    workers = psutil.Process(killed.process.pid).children(recursive=True)
    killed.end(signal.SIGKILL)
    assert workers
    assert psutil.wait_procs(workers, PATIENCE)[1] == []
    service = RunService(tmp_path / "home", IdleEngine)
    try:
        for run, reason in ((ended, "The server was stopped."), (killed.run, "")):
            summary = service.summary(run)
            assert summary["state"] == "interrupted"
            assert summary["reason"].startswith(reason)
            with service.open_reader(run) as reader:
                events = [(seq, bytes(frame)) for seq, _, frame in reader.log(0, 1_000_000)]
            assert events[: len(published[run])] == published[run]
            assert decode(events[-1][1]).values["state"] == "interrupted"
    finally:
        service.close()


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library's memory")
def test_memory_of_large_uploads_is_returned():
    script = """
import psutil
from runs.web.memory import configure_malloc
configure_malloc()
del [bytearray(8 << 20)][:]
before = psutil.Process().memory_info().rss
large, small = [], []
for _ in range(20):
    large.append(bytearray(b"x") * (4 << 20))
    small.append(bytes(60_000))
large.clear()
print((psutil.Process().memory_info().rss - before) >> 20)
"""
    output = subprocess.run([sys.executable, "-c", script], cwd=ROOT, text=True, capture_output=True, check=True).stdout
    assert int(output) < 10
