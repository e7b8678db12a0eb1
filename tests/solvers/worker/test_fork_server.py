"""Forked workers: their preloaded modules, their end, and that they do not outlive their parents."""

import os
import signal
import socket
from pathlib import Path

import psutil
import pytest

from solvers.worker import fork_server_main
from solvers.worker.fork_server import AVAILABLE, ForkServer
from tests.clock import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not AVAILABLE, reason="this system has no forks of this kind")]
PRELOADED = "tests.solvers.worker.preloaded"


@pytest.fixture
def gate(tmp_path, monkeypatch):
    """The file that ends the second step."""
    monkeypatch.setenv("GATE", str(tmp_path / "gate"))
    return tmp_path / "gate"


@pytest.fixture
def stages():
    return []


@pytest.fixture
def server(gate, stages):
    server = ForkServer(PRELOADED, stages.append)
    yield server
    server.close()


@pytest.fixture
def ready(server, gate, stages):
    """A server that has loaded everything."""
    gate.touch()
    wait_until(lambda: stages[-1:] == ["ready"])
    return server


def facts(worker) -> list[str]:
    return worker.stdout.readline().decode().rstrip("\n").split(" ")


def write_and_read(worker, line: bytes) -> bytes:
    worker.stdin.write(line)
    worker.stdin.flush()
    return worker.stdout.readline()


def test_fork_has_everything_loaded_and_is_independent(ready):
    one, two = ready.fork(PRELOADED, {"MARK": "one"}), ready.fork(PRELOADED)
    assert facts(one) == ["one,two", "one", "True", str(ready.pid)]
    assert facts(two) == ["one,two", "", "True", str(ready.pid)]
    assert len({one.pid, two.pid, ready.pid}) == 3
    assert (write_and_read(one, b"a\n"), write_and_read(two, b"b\n"), write_and_read(one, b"c\n")) == (
        b"a\n",
        b"b\n",
        b"c\n",
    )
    assert one.poll() is None
    assert Path(f"/proc/{one.pid}/comm").read_text() == f"{PRELOADED[:15]}\n"


def test_forks_are_made_between_steps(server, gate, stages):
    early = server.fork(PRELOADED)
    assert facts(early)[0] in ("", "one"), "it waits for no step that has not begun"
    assert "ready" not in stages
    gate.touch()
    wait_until(lambda: stages[-1:] == ["ready"])
    assert facts(server.fork(PRELOADED))[0] == "one,two"


def test_end_of_a_fork_is_reported_with_its_status(ready):
    worker = ready.fork(PRELOADED)
    worker.stdin.write(b"exit 3\n")
    worker.stdin.close()
    assert worker.wait() == worker.poll() == 3
    worker = ready.fork(PRELOADED)
    worker.stdin.close()
    assert worker.wait() == 0
    worker = ready.fork(PRELOADED)
    worker.stdin.write(b"fail\n")
    worker.stdin.close()
    assert worker.wait() == 1
    assert worker.stderr.read().decode().splitlines()[-2:] == ["ValueError: fail", ""]


def test_only_the_addressed_fork_is_killed(ready):
    one, two = ready.fork(PRELOADED), ready.fork(PRELOADED)
    one.kill()  # it may not even have been forked
    assert one.wait() == -signal.SIGKILL
    one.kill()
    os.kill(two.pid, signal.SIGTERM)
    assert two.wait() == -signal.SIGTERM
    assert facts(ready.fork(PRELOADED))[0] == "one,two"


def test_forks_end_with_their_server(ready):
    workers = [ready.fork(PRELOADED) for _ in range(3)]
    pids = [worker.pid for worker in workers]
    os.kill(ready.pid, signal.SIGKILL)
    assert [worker.wait() for worker in workers] == [-signal.SIGKILL] * 3
    wait_until(lambda: not any(map(psutil.pid_exists, pids)))
    wait_until(lambda: not ready.alive())
    assert ready.fork(PRELOADED).wait() == -signal.SIGKILL


def test_failing_module_fails_the_server(gate):
    server = ForkServer("tests.solvers.worker.there_is_no_such_module")
    assert server.fork(PRELOADED).wait() in (1, -signal.SIGKILL)
    wait_until(lambda: not server.alive())
    server.close()


def test_no_step_begins_while_others_need_the_processor(server, gate, stages):
    server.hold(1000.0)
    facts(server.fork(PRELOADED))  # it has been told by then, between two steps
    gate.touch()
    facts(server.fork(PRELOADED))
    held = "ready" not in stages
    server.hold(0.0)
    wait_until(lambda: stages[-1:] == ["ready"])
    assert held


def test_compilation_stops_while_others_need_the_processor_and_restarts(gate, stages, monkeypatch):
    monkeypatch.setenv("COMPILES", "1")
    server = ForkServer(PRELOADED, stages.append)
    server.hold(1000.0)
    assert facts(server.fork(PRELOADED))[0] == "begun,ended"
    gate.touch()
    server.hold(0.0)
    wait_until(lambda: stages[-1:] == ["ready"])
    assert facts(server.fork(PRELOADED))[0] == "begun,ended,begun,ended,one,two"
    server.close()


def test_server_without_its_parent_ends_silently():
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.close()
    if not (child := os.fork()):
        try:
            server = object.__new__(fork_server_main._ForkLoop)
            server._parent = theirs
            server._tell(ended=1, status=0)
        finally:
            os._exit(3)
    theirs.close()
    assert os.waitpid(child, 0)[1] == 0
