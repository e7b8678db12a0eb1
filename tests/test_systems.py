"""Simulates Windows and macOS on Linux: what they lack is removed, what they refuse is refused."""

import os
import resource
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from runs.engine.kernel_builds import KernelBuilds
from runs.imports import sandbox
from runs.paper_jobs import process as measuring
from solvers.worker import process as worker
from tests.clock import PATIENCE, wait_until
from tests.tables import each_row
from tourscope import program

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="plays other systems on Linux")

#: Takes away what Windows has not, once packages of others are imported, and does with the program what a start does.
WINDOWS = """
import asyncio, ctypes, importlib, multiprocessing, os, pkgutil, signal, socket, subprocess, sys, tempfile, threading
import types
from pathlib import Path
import dash, dash_ag_grid, dash_bootstrap_components, fastapi, httptools, numba, numpy, orjson, PIL.Image, plotly
import prometheus_client, rich.console, scipy, tsplib95, uvicorn, websockets
import numba.runtests, psutil, fastapi.testclient
import uvicorn.protocols.http.httptools_impl, uvicorn.protocols.websockets.auto
import rich.progress, scipy.stats, scipy.spatial, highspy, markdown_it, mdit_py_plugins.anchors

locks = []
fake = type(sys)("msvcrt")
fake.LK_NBLCK = 2
fake.locking = lambda descriptor, mode, count: locks.append((descriptor, mode, count))
sys.modules["msvcrt"] = fake
for name in ("fcntl", "resource", "pwd", "grp", "termios"):
    sys.modules[name] = None  # an import fails
for name in ("fork", "nice", "killpg", "getuid", "geteuid", "setsid", "sched_getaffinity", "sched_yield", "pidfd_open",
             "setpriority", "getpriority", "getloadavg", "sysconf", "mkfifo", "statvfs"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGKILL", "SIGSTOP", "SIGCONT", "SIGHUP", "SIGALRM", "SIGUSR1", "SIGCHLD"):
    delattr(signal, name)
ctypes.WinDLL = ctypes.CDLL  # by which Numba looks for a driver
ctypes.windll = types.SimpleNamespace(kernel32=types.SimpleNamespace(SwitchToThread=ctypes.CDLL(None).getpid))
sys.platform = "win32"

for top in ("data", "solvers", "exports", "commands", "studies", "runs", "components", "tourscope"):
    for found in pkgutil.walk_packages([top], f"{top}."):
        parts = found.name.split(".")
        # another program's process on Linux alone, and what needs a GPU or MPI
        if "__main__" not in parts and not {"fork_server_main", "mpi"} & {*parts} and not parts[-1].endswith("cuda"):
            importlib.import_module(found.name)

from runs.imports import sandbox
from runs.limits import UNLIMITED
from runs.store.home import Home
from runs.web.listening import listen
from runs.web.options import parse_options
from solvers.core import devices, memory
from solvers.worker import fork_server, worker_io

assert not fork_server.AVAILABLE
sandbox.limit()
worker_io.lower_priority()
assert memory.available_bytes() >= 0 and devices.cpu_threads() >= 1
home = Path(sys.argv[1])
Home(home).close()
assert [lock[1:] for lock in locks] == [(2, 1)], locks
sys.argv = ["app.py"]
parse_options()
listen("127.0.0.1", 0).close()
"""


@pytest.mark.long
def test_program_is_imported_and_its_folder_opened_without_features_missing_on_windows(tmp_path):
    command = [sys.executable, "-c", WINDOWS, str(tmp_path / "home")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE * 3)
    assert done.returncode == 0, done.stderr


class Program:
    """A worker's process that records the calls to it."""

    def __init__(self):
        self.killed, self.pid = 0, -1

    def alive(self):
        return True

    def kill(self):
        self.killed += 1


def test_kernels_are_built_where_no_signal_suspends_a_process(monkeypatch):
    builds = KernelBuilds(lambda *_: pytest.fail("nothing is started"), print)
    builds._programs = [program := Program()]
    monkeypatch.setattr("runs.engine.kernel_builds.sys.platform", "win32")
    for name in ("SIGKILL", "SIGSTOP", "SIGCONT"):
        monkeypatch.delattr(f"signal.{name}")
    monkeypatch.setattr("os.kill", lambda *_: pytest.fail("Windows has no such signals"))
    builds.set_suspended(True)
    builds.set_suspended(False)
    assert program.killed == 0
    builds.close()
    assert program.killed == 1


@each_row(("name", "flags"), [("nt", 0x4200), ("posix", None)])
def test_workers_have_their_own_group_and_low_priority(monkeypatch, name, flags):
    monkeypatch.setattr(worker, "os", SimpleNamespace(name=name, environ=os.environ, pathsep=os.pathsep))
    values = worker.child_environment()
    assert values.get("creationflags") == flags
    assert values.get("start_new_session", False) == (flags is None)


def test_blas_has_one_thread_unless_the_user_wants_more(monkeypatch):
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    for given, found in ((None, "1"), ("3", "3")):
        if given:
            monkeypatch.setenv("OPENBLAS_NUM_THREADS", given)
        for values in (worker.child_environment()["env"], program.environment()):
            assert values["OPENBLAS_NUM_THREADS"] == found


def test_a_measurement_has_a_low_priority_on_windows(monkeypatch):
    started = {}
    monkeypatch.setattr(measuring, "os", SimpleNamespace(name="nt"))
    monkeypatch.setattr(measuring.subprocess, "Popen", lambda *_, **more: started.update(more))
    measuring.Measurement(["python"])
    assert started["creationflags"] == 0x4000
    assert "start_new_session" not in started


def test_commands_print_utf_8_on_windows(monkeypatch):
    monkeypatch.delenv("PYTHONUTF8", raising=False)
    assert "PYTHONUTF8" not in program.environment()
    monkeypatch.setattr("tourscope.program.sys.platform", "win32")
    assert program.environment()["PYTHONUTF8"] == "1"
    monkeypatch.setenv("PYTHONUTF8", "0")
    assert program.environment()["PYTHONUTF8"] == "0"


@pytest.fixture
def macos(monkeypatch):
    """A system that refuses to limit the address space, as macOS does; returns the limits that were set."""
    limits = {}

    def setrlimit(which, values):
        if which == resource.RLIMIT_AS:
            raise ValueError("current limit exceeds maximum limit")
        limits[which] = values

    monkeypatch.setattr(sandbox.sys, "platform", "darwin")
    monkeypatch.setattr(resource, "setrlimit", setrlimit)
    monkeypatch.setattr(sandbox.os, "nice", lambda _: 0)
    return limits


def test_uploads_on_macos_are_read_by_a_process_that_watches_its_memory(macos, monkeypatch):
    ended, used = threading.Event(), [0]
    monkeypatch.setattr(sandbox, "WATCH_SECONDS", 0.001)
    monkeypatch.setattr(resource, "getrusage", lambda _: SimpleNamespace(ru_maxrss=used[0]))
    monkeypatch.setattr(sandbox, "MEMORY", 1000)
    monkeypatch.setattr(sandbox.os, "_exit", lambda _: ended.set())
    assert sandbox.run_limited("run", lambda: None, (ValueError,)) == 0
    seconds, most = (sandbox.CPU_SECONDS,) * 2, (sandbox.FILE,) * 2
    assert macos == {resource.RLIMIT_CPU: seconds, resource.RLIMIT_FSIZE: most, resource.RLIMIT_CORE: (0, 0)}
    assert not ended.is_set()
    used[0] = 1001
    wait_until(ended.is_set)
    wait_until(lambda: not any(thread.name == "memory" for thread in threading.enumerate()))
