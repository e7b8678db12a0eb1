"""Uploads of run and ``.tsp`` files: read by limited processes, and stored only if valid."""

import asyncio
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import psutil
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from data.collection import resolve
from data.collection.instance_reference import parse_generated
from data.collection.uploads import make_reference
from data.errors import InvalidInstance
from runs.imports import receive as imports_receive
from runs.imports import sandbox
from runs.imports.service import ImportService
from runs.service import RunService
from runs.store.climb import list_piece_keys
from runs.store.pheromone import find_iteration
from runs.store.run_file import Entry, RunWriter
from runs.web.guard import MAX_BODY
from runs.web.routes import add_routes
from solvers.core.errors import RunFailed
from solvers.run import prepare, run
from solvers.worker.frames import decode, encode, encode_event_frame, encode_instance_frame
from tests.runs.scripted import ScriptedEngine, ScriptedHandle
from tests.sqlite_files import change
from tests.tables import each_row

pytestmark = pytest.mark.slow

HEAD = b"TYPE: TSP\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n"
STATE = encode("state", {"state": "finished", "reason": "completed", "at": 1.7e9}, {})
SQUARE = HEAD + b"1 0 0\n2 0 9\n3 9 9\n4 9 0\nEOF\n"


@pytest.fixture
def visitor(run_service):
    app = FastAPI()
    add_routes(app, run_service, "/below/")
    return TestClient(app, base_url="http://127.0.0.1/below/")


@pytest.fixture
def stored_names(run_service):
    """The names of all files in the data folder."""
    return lambda: sorted(path.name for path in run_service.home.folder.rglob("*") if path.is_file())


@pytest.fixture(scope="module")
def run_service(tmp_path_factory):
    """A run service that only stores uploads."""
    run_service = RunService(tmp_path_factory.mktemp("home"), ScriptedEngine)
    yield run_service
    run_service.close()


@pytest.fixture
def large_file(run_service, make_spec):
    """A run file larger than the limit of all other requests."""
    spec, instance = make_spec(climbers=5), resolve.load("berlin52")
    copy = run_service.home.incoming / "saved"
    writer = RunWriter.create(copy, "abcdefghijkl", 1.7e9, json.dumps(spec.to_json()), encode_instance_frame(instance))
    for frame in [decode(encode_event_frame(event, 1.7e9)) for event in run(prepare(spec), instance)]:
        raw = encode(frame.kind, frame.values, frame.arrays)
        writer.append([Entry(1.7e9, frame.kind, raw, list_piece_keys(frame), find_iteration(frame))])
    writer.append([Entry(1.7e9, "state", STATE)], ("finished", "completed"))
    writer.finish()
    change(copy, f"CREATE TABLE more (filling); INSERT INTO more VALUES (zeroblob({MAX_BODY}))")
    yield copy
    copy.unlink()


def test_large_run_file_is_imported(visitor, run_service, large_file):
    assert large_file.stat().st_size > MAX_BODY
    taken = visitor.post("runs", content=large_file.read_bytes()).json()["id"]
    assert run_service.summary(taken)["recorded"] == 5
    assert list(run_service.home.incoming.iterdir()) == [large_file]


@pytest.mark.parametrize("raw", [b"", b"no run", b"SQLite format 3\0" + bytes(5000)])
def test_other_run_file_is_refused_in_one_sentence_and_not_stored(read_here, visitor, stored_names, raw):
    check_refused(visitor, stored_names, raw)


def test_other_run_file_is_refused_by_the_child_process(visitor, stored_names):
    check_refused(visitor, stored_names, b"SQLite format 3\0" + bytes(5000))


def check_refused(visitor, stored_names, raw):
    before = stored_names()
    answer = visitor.post("runs", content=raw)
    assert answer.status_code == 400
    assert answer.json()["sentence"].startswith("This run file cannot be imported: ")
    assert stored_names() == before


def test_endless_body_is_cut_off(visitor, stored_names, monkeypatch):
    monkeypatch.setattr(imports_receive, "MAX_RUN_BYTES", 1000)
    before = stored_names()
    answer = visitor.post("runs", content=iter([bytes(600), bytes(600)]))
    assert answer.status_code == 413
    assert "larger than" in answer.json()["sentence"]
    assert stored_names() == before


def test_interrupted_upload_leaves_nothing(visitor, run_service, stored_names, large_file):
    before, raw, answers = stored_names(), large_file.read_bytes(), []
    messages = [
        {"type": "http.request", "body": raw[: len(raw) // 2], "more_body": True},
        {"type": "http.disconnect"},
    ]
    path = {"path": "/below/runs", "raw_path": b"/below/runs", "query_string": b"", "headers": []}
    scope = {"type": "http", "http_version": "1.1", "method": "POST", "scheme": "http", **path}

    async def receive():
        assert any(upload.is_dir() for upload in run_service.home.incoming.iterdir())
        return messages.pop(0)

    async def send(message):
        answers.append(message)

    asyncio.run(visitor.app(scope, receive, send))
    assert messages == []
    assert answers[0]["status"] == 400
    assert stored_names() == before


def import_instance(run_service, raw, filename="mine.tsp"):
    return run_service.adopt_instance(raw, filename)


NAMES = {
    "mine.tsp": "mine", "Z\u00fcrich \ud800\0.tsp": "Z\u00fcrich", ".tsp": "unnamed", "": "unnamed", "CON": "CON",
    "../../../etc/passwd": "passwd", "C:\\x\\y.tsp": "y", "\u202egnp.tsp": "gnp", "a" * 500: "a" * 64,
    "<img onerror=x>.tsp": "<img onerror=x>", "=cmd().tsp": "=cmd()",
}  # fmt: skip


@pytest.mark.parametrize("filename", NAMES)
def test_instance_is_imported_stored_and_found(read_here, run_service, stored_names, filename):
    before = set(stored_names())
    instance = import_instance(run_service, SQUARE, filename)
    assert (instance.n, instance.source, instance.name) == (4, "uploaded", NAMES[filename])
    found = run_service.instance(make_reference(instance.sha256, instance.upload))
    assert (found.n, found.name) == (4, instance.name)
    assert all(name.startswith(instance.sha256) and len(name) <= 85 for name in set(stored_names()) - before)


def test_changed_instance_is_stored_unless_it_is_too_large(read_here, run_service, stored_names):
    path = run_service.change_instance({"name": "berlin52"}, start="7", fixed=[("3", "4")])
    assert (path.start, path.fixed) == (6, ((2, 3), (3, 2)))
    assert run_service.instance(make_reference(path.sha256, path.upload)).fixed == path.fixed
    before = stored_names()
    with pytest.raises(InvalidInstance, match="200,001 cities are too many"):
        run_service.change_instance({"generate": "uniform", "n": 200_001, "seed": 1}, start="7")
    assert stored_names() == before


def test_uploads_of_one_name_are_both_stored(read_here, visitor, run_service, large_file):
    first, second = (import_instance(run_service, raw, "mine.tsp") for raw in (SQUARE, SQUARE.replace(b"0 9", b"0 8")))
    assert first.name == second.name
    assert first.sha256 != second.sha256
    assert [run_service.instance({"sha256": one.sha256}).coordinates[1, 1] for one in (first, second)] == [9, 8]
    runs = {visitor.post("runs", content=large_file.read_bytes()).json()["id"] for _ in range(2)}
    assert len(runs) == 2
    assert all(run_service.summary(run)["state"] == "finished" for run in runs)


def test_the_optimum_of_a_known_instance_is_known(read_here, run_service):
    raw = (resolve.BUNDLED / "berlin52.tsp").read_bytes()
    assert import_instance(run_service, raw).optimum == 7542


def test_damaged_instance_is_refused_with_its_line_and_not_stored(run_service, stored_names):
    before = stored_names()
    with pytest.raises(InvalidInstance, match="asks for 5") as refusal:
        import_instance(run_service, SQUARE.replace(b"DIMENSION: 4", b"DIMENSION: 5"))
    assert (refusal.value.code, refusal.value.line) == ("COUNT", 4)
    assert stored_names() == before


def test_slow_instance_is_refused_and_not_stored(run_service, stored_names, monkeypatch):
    monkeypatch.setattr(sandbox, "MAX_POLLS", 0)
    before = stored_names()
    with pytest.raises(InvalidInstance, match="too much time"):
        import_instance(run_service, SQUARE)
    assert stored_names() == before


def replace_child(folder, monkeypatch, *lines):
    """Use a module with these lines as the child process, with one second of processor time; return its name."""
    (folder / "planted.py").write_text("\n".join(["from runs.imports.sandbox import limit", "limit(1)", *lines]))
    for package in ("runs", "data", "solvers"):
        (folder / package).symlink_to(Path(sandbox.__file__).parents[2] / package)
    monkeypatch.setattr(sandbox, "ROOT", folder)
    return "planted"


def test_modest_child_ends_by_itself(tmp_path, monkeypatch):
    assert sandbox.run(replace_child(tmp_path, monkeypatch, "bytes(1 << 20)")) is None


@pytest.mark.skipif(sys.platform == "win32", reason="there are no limits of a process")
@each_row("greed", ["bytes(2 << 30)", "while True: pass"])
def test_greedy_child_is_killed(tmp_path, monkeypatch, greed):
    name = replace_child(tmp_path, monkeypatch, greed)
    with pytest.raises(sandbox.Overrun):
        sandbox.run(name)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no limits of a process")
def test_child_cannot_fill_the_disk(tmp_path, monkeypatch):
    lines = [f"path = {str(tmp_path / 'large')!r}", "open(path, 'wb').truncate((512 << 20) + 1)"]
    with pytest.raises(sandbox.Overrun):
        sandbox.run(replace_child(tmp_path, monkeypatch, *lines))
    assert (tmp_path / "large").stat().st_size == 0


def has_namespaces():
    """Whether a process on this system can leave its network namespace."""
    code = "import ctypes, sys; sys.exit(ctypes.CDLL(None).unshare(0x50000000) != 0)"
    return sys.platform == "linux" and not subprocess.run([sys.executable, "-c", code], check=False).returncode


def test_a_child_reaches_no_network(tmp_path, monkeypatch):
    if not has_namespaces():
        pytest.skip("this system lets no process leave its network")
    with socket.create_server(("127.0.0.1", 0)) as server:
        connect = f"socket.create_connection({server.getsockname()!r}, timeout=10)"
        lines = ["import socket, sys", f"try: {connect}", "except OSError: sys.exit(0)", "sys.exit(1)"]
        assert sandbox.run(replace_child(tmp_path, monkeypatch, *lines)) is None


@pytest.mark.skipif(sys.platform != "linux", reason="no other system tells whether a process sleeps")
def test_sleeping_child_is_killed_early(tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "POLL_SECONDS", 0.02)
    monkeypatch.setattr(sandbox, "MAX_POLLS", 10**9)
    name = replace_child(tmp_path, monkeypatch, "import time", "time.sleep(3600)")
    before = set(psutil.Process().children())
    with pytest.raises(sandbox.Overrun):
        sandbox.run(name)
    assert set(psutil.Process().children()) <= before


def test_child_is_killed_after_the_last_poll(tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "POLL_SECONDS", 0.02)
    monkeypatch.setattr(sandbox, "MAX_POLLS", 5)
    monkeypatch.setattr(sandbox, "sleeping_processor_time", lambda _pid: None)
    before = set(psutil.Process().children())
    with pytest.raises(sandbox.Overrun):
        sandbox.run(replace_child(tmp_path, monkeypatch, "import time", "time.sleep(3600)"))
    assert set(psutil.Process().children()) <= before


@pytest.mark.skipif(sys.platform == "win32", reason="no process can be stopped")
def test_honest_file_may_wait_longer_for_a_processor_than_a_child_may_sleep(run_service, monkeypatch):
    looks = []

    def starved(pid):
        """Stop the child during the first checks, then let it continue."""
        looks.append(child_asleep_at(pid))
        os.kill(pid, signal.SIGSTOP if len(looks) < 3 * sandbox.ASLEEP_POLLS else signal.SIGCONT)
        return looks[-1]

    child_asleep_at = sandbox.sleeping_processor_time
    monkeypatch.setattr(sandbox, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(sandbox, "sleeping_processor_time", starved)
    assert import_instance(run_service, SQUARE).n == 4
    assert len(looks) >= 3 * sandbox.ASLEEP_POLLS
    assert looks[5 : 3 * sandbox.ASLEEP_POLLS - 5] == [None] * (3 * sandbox.ASLEEP_POLLS - 10)


def test_the_readers_of_uploads_do_not_import_numba(tmp_path):
    (tmp_path / "upload").write_bytes(SQUARE)
    (tmp_path / "given").write_text('{"name": "mine"}')
    script = (
        "import sys\n"
        "sys.argv = ['', 'instance', sys.argv[1]]\n"
        "import runs.imports.run, runs.imports.file\n"
        "assert runs.imports.file.main() == 0\n"
        "assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], cwd=sandbox.ROOT, check=True)


def test_remains_of_an_upload_are_removed_at_the_next_start(tmp_path):
    left = tmp_path / "incoming" / "folder"
    left.mkdir(parents=True)
    (left / "upload").write_bytes(b"half")
    (tmp_path / "incoming" / "copy").write_bytes(b"half")
    RunService(tmp_path, ScriptedEngine).close()
    assert list((tmp_path / "incoming").iterdir()) == []


def test_run_that_cannot_be_stored_is_reported_without_traces(tmp_path, make_spec, monkeypatch):
    run_service = RunService(tmp_path, ScriptedEngine)

    def raise_full(*_):
        raise sqlite3.OperationalError("database or disk is full")

    killed: list[ScriptedHandle] = []
    monkeypatch.setattr(ScriptedHandle, "kill", lambda self: killed.append(self))
    monkeypatch.setattr("runs.store.run_file.RunWriter.append", raise_full)
    with pytest.raises(RunFailed, match="is the disk"):
        run_service.start(make_spec())
    assert killed == run_service.engine.handles
    assert list((tmp_path / "runs").iterdir()) == []
    assert not run_service.active_runs()
    run_service.close()


def test_large_matrices_are_not_all_cached(run_service, monkeypatch):
    def load(_, reference):
        assert not service._recent, "it leaves the memory before another one is loaded"
        return replace(resolve.load("gr17"), weights=np.zeros((3000, 3000), np.int32))

    service = ImportService(run_service.home)
    monkeypatch.setattr(ImportService, "_load", load)
    for seed in (1, 1, 2):
        instance = service.instance({"generate": "directed", "n": 3000, "seed": seed})
        assert [*service._recent.values()] == [instance]


def test_a_page_refuses_instances_that_only_the_command_line_takes(run_service, monkeypatch):
    monkeypatch.setattr(ImportService, "_load", lambda *_: pytest.fail("it was generated"))
    for reference in ({"generate": "uniform", "n": 1_000_001, "seed": 1}, {"name": "uniform:1000001:1"}):
        with pytest.raises(InvalidInstance, match="at most 1,000,000 cities; the command line"):
            ImportService(run_service.home).instance(reference)
    assert parse_generated("uniform:10000000:1") == {"generate": "uniform", "n": 10_000_000, "seed": 1}
