"""Malicious visitors, files and proxies, and an interrupted restore and measurement: F31 to F42."""

import asyncio
import contextlib
import errno
import itertools
import json
import os
import random
import shutil
import socket
import sqlite3
import subprocess
import sys
import time

import httpx
import numpy as np
import psutil
import pytest
from starlette.testclient import TestClient

from commands.check import TEMPLATE
from components.document.opening import open_pages
from data import recognition
from data.city_names import shorten_names
from data.collection.uploads import reference
from data.errors import InvalidInstance
from data.home.backup import back_up
from data.tsplib.normal_form import assemble
from exports.itinerary.files import ROUTE_FILES, route_file
from runs.imports import sandbox
from runs.imports import study as imports_study
from runs.imports.service import ImportService
from runs.store.home import Home
from runs.web import connections
from solvers import BUILT_IN, SOLVERS
from solvers.core.errors import InvalidParams
from solvers.presets.preset_file import OwnPreset, parse
from solvers.user_files import watching
from solvers.worker.process import WorkerProcess, spawn
from studies.file.reader import StudyReader
from tests.browser.serving import ROOT
from tests.clock import PATIENCE, wait_until
from tests.faults.counts import count
from tests.faults.nothing_lost import digests
from tests.faults.visits import POSIX, cookies, error_text, kill, serving
from tests.saved.releases import RELEASES, data_folder
from tests.solvers.user_files.mine import changed_template, empty_registry, join_and_bequeath
from tests.studies.tuning.small_tuning import run_tuning, trial_results, tuning, tuning_json

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]
posix = pytest.mark.skipif(not POSIX, reason="ends processes by signals")

#: Names that a page, a spreadsheet, a terminal or a path might take for something else.
NAMES = (
    "<img src=x onerror=1>", "&amp;&lt;]]>", "=cmd()", "\u202egnp", "a\0b", "a\x07b", "\ud800", "\ufffe\uffff", "\"'",
    "--><script>", "x" * 5000, "\r\n,;\t", "&#0;", "\u2028\u2029", "\ufeffBOM", "{{7*7}}", "../../x", "CON",
    "\\input{x}", "😀" * 100, "",
)  # fmt: skip
#: Values that no field of a file means.
ODD = (None, True, 0, -1, 1e308, 10**400, "", "x" * 100_000, "\ud800", "\0", [], [[]], {}, [1] * 1000, float("inf"))


def test_f31_uploading_the_same_cities_changes_no_names(tmp_path):
    home = Home(tmp_path)
    try:
        service = ImportService(home)
        files = [f"name,lat,lon\n{a},1.5,2\n{b},3,4\n{c},5,6.5\n".encode() for a, b, c in ("ABC", "XYZ", "ABC")]
        made = [service.adopt_instance(file, f"{k % 2}.csv") for k, file in enumerate(files)]
        assert len({each.sha256 for each in made}) == 1
        for reader in (service, ImportService(home)):  # also one that has nothing in memory
            for each in made:
                found = reader.instance(reference(each.sha256, each.upload))
                assert (found.name, found.names) == (each.name, each.names)
        assert made[0].upload == made[2].upload == ""
        assert made[1].names == ("X", "Y", "Z")
        own = reference(made[1].sha256, made[1].upload)
        assert service.find_reference({"sha256": made[0].sha256}, made[1]) == own
    finally:
        home.close()


@pytest.mark.long
def test_f32_wrong_codes_and_silent_connections_keep_other_visitors_in(tmp_path):
    with serving(tmp_path / "home", "--share") as server, contextlib.ExitStack() as open_ones:
        inside = open_ones.enter_context(httpx.Client(timeout=PATIENCE, cookies=cookies(server)))
        with httpx.Client(timeout=PATIENCE) as guesser:
            guesses = [guesser.get(server.url, params={"join": str(k)}).status_code for k in range(150)]
        assert set(guesses) == {403, 429}
        for _ in range(600):
            open_ones.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE))
        assert connections.MAX_SILENT < 600
        for _ in range(20):
            assert inside.get(server.url).status_code == 200
            assert cookies(server)


@posix
@pytest.mark.long
def test_f33_measurement_ends_with_its_killed_server(tmp_path):
    for _ in range(count(1, 20)):
        line = [sys.executable, "-c", SERVER, sys.executable, "-c", ENDLESS]
        with subprocess.Popen(line, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
            process = psutil.Process(int(server.stdout.readline()))
            wait_until(process.children)
            both = [process, *process.children()]
            server.kill()
            assert not psutil.wait_procs(both, PATIENCE)[1], "a measurement outlives its server"


#: Has what its arguments name measured.
SERVER = """
import sys, time
from runs.paper_jobs.process import Measurement
measurement = Measurement(sys.argv[1:])
print(measurement._process.pid, flush=True)
time.sleep(600)
"""
#: A measurement that never ends, and what it has started.
ENDLESS = """
import subprocess, sys, time
from papers import background
background._watch_server()
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
time.sleep(600)
"""


@posix
@pytest.mark.long
def test_f34_killed_restore_leaves_no_folder_and_the_next_one_cleans_up(tmp_path):
    (tmp_path / "old" / "runs").mkdir(parents=True)
    for number in range(100):
        (tmp_path / "old" / "runs" / f"{number:012}.tourscope").write_bytes(random.Random(number).randbytes(100_000))
    backup, new, chance = tmp_path / "backup.zip", tmp_path / "new", random.Random(34)
    back_up(tmp_path / "old", backup)
    command = [sys.executable, "-m", "data", "restore", str(backup), "--home", str(new)]
    for _ in range(count(3, 100)):
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as process:
            wait_until(lambda process=process: (tmp_path / ".new.part").exists() or process.poll() is not None)
            time.sleep(chance.uniform(0, 0.05))
            process.kill()
        if new.exists():  # it was whole before the kill
            assert len(list((new / "runs").iterdir())) == 100
            for path in sorted(new.rglob("*"), reverse=True):
                path.rmdir() if path.is_dir() else path.unlink()
            new.rmdir()
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup.zip", "new", "old"]
    assert digests(new / "runs") == digests(tmp_path / "old" / "runs")


def test_f35_user_file_that_prints_or_crashes_stays_watched(tmp_path, monkeypatch, caplog):
    empty_registry(monkeypatch)
    monkeypatch.setattr(watching, "INTERVAL", 0.01)
    path, good = changed_template(tmp_path), TEMPLATE.read_text()
    join_and_bequeath(path)
    watcher = watching.Watcher()
    try:
        for text in (f'{good}\nprint("declared: hello")\nprint("x" * 10_000_000)\n', "import os; os._exit(0)\n", "def"):
            before = len(caplog.records)
            path.write_text(text)
            if not text.startswith(good):
                wait_until(lambda before=before: len(caplog.records) > before)
        path.write_text(good.replace("my-solver", "other-solver"))
        wait_until(lambda: any(solver.name == "other-solver" for solver in SOLVERS))
    finally:
        watcher.close()


def test_f35_worker_output_takes_bounded_memory():
    lines = []
    code = "import sys; sys.stderr.write('x' * 20_000_000 + '\\nend\\n')"
    worker = WorkerProcess(spawn([sys.executable, "-c", code]), lines.append)
    assert worker.wait() == 0
    wait_until(lambda: lines[-1:] == ["end"])
    assert len(lines) == 2
    assert len(lines[0]) < 10_000


def test_f36_no_name_breaks_an_exported_or_imported_file():
    names = shorten_names(NAMES)
    points = np.array([[10 + k / 2, 20 + k / 3] for k in range(len(names))])
    instance = assemble('<b>&"=x', "GEO", "uploaded", coordinates=points, names=names)
    for kind in ROUTE_FILES:
        file = route_file(kind, instance, np.arange(len(names)), 9)
        assert all(character not in file for character in (b"<img", b"<script", b"\0", b"\x07")) or kind in (
            "csv",
            "geojson",
        )
        if kind != "csv":
            back = recognition.read(file, f"x.{kind}")
            assert [
                (given, name) for given, name in zip(names, back.names, strict=True) if given and given != name
            ] == []
    for name in NAMES:
        features = [
            {"type": "Feature", "properties": {"name": name}, "geometry": {"type": "Point", "coordinates": [k, k]}}
            for k in range(3)
        ]
        file = json.dumps({"type": "FeatureCollection", "features": features}).encode()
        with contextlib.suppress(InvalidInstance):
            assert all(each.isprintable() for each in recognition.read(file, "x.geojson").names)


def test_f37_preset_with_odd_values_is_refused_with_a_message():
    whole = {"v": 1, "preset": "a", "algorithm": "two-opt", "params": {}, "source": ""}
    odd = [{**whole, key: value} for key in whole for value in ODD]
    for solver in BUILT_IN:
        fields = [param.name for param in solver.params.schema()]
        values = itertools.product(fields, ODD)
        odd += [{**whole, "algorithm": solver.name, "params": {name: value}} for name, value in values]
    for value in (*odd, *ODD):
        with contextlib.suppress(InvalidParams):
            OwnPreset.from_json(value)
    for raw in (b"[", b'{"a":' * 50_000, b"\xff\xfe", b"1" * 70_000):
        with pytest.raises(InvalidParams):
            parse(raw)


async def pass_on(reader, writer, head: bytes) -> None:
    """Forward a connection; `head` is inserted into the first request."""
    with contextlib.suppress(OSError, asyncio.IncompleteReadError):
        first = await reader.readuntil(b"\r\n")
        writer.write(first + head)
        while piece := await reader.read(1 << 16):
            writer.write(piece)
            await writer.drain()
    writer.close()


@contextlib.asynccontextmanager
async def proxy(port: int, head: bytes):
    """The port of a proxy in front of a server."""

    async def serve(reader, writer) -> None:
        try:
            behind = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            writer.close()
            return
        await asyncio.gather(pass_on(reader, behind[1], head), pass_on(behind[0], writer, b""))

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


@pytest.mark.long
def test_f38_guesser_behind_a_proxy_locks_nobody_out_and_forged_hosts_are_ignored(tmp_path):
    async def talk(server) -> None:
        join = dict(httpx.QueryParams(server.join.lstrip("?")))
        head = b"X-Forwarded-For: 10.1.2.3\r\nX-Forwarded-Host: tours.example\r\n"
        once = {"timeout": PATIENCE, "headers": {"connection": "close", "accept": "text/html"}}
        async with proxy(server.port, head) as port, httpx.AsyncClient(**once) as client:
            url = f"http://127.0.0.1:{port}/"
            wrong = [(await client.get(url, params={"join": str(k)})).status_code for k in range(120)]
            right = await client.get(url, params=join)
        assert (set(wrong), right.status_code) == ({403, 429}, 200)
        async with (
            proxy(server.port, b"X-Forwarded-Host: evil.example\r\n") as port,
            httpx.AsyncClient(**once) as client,
        ):
            made_up = await client.get(f"http://127.0.0.1:{port}/", params=join)
        assert (made_up.status_code, error_text(made_up)) == (400, "Unknown host name.")

    options = ("--share", "--name", "tours.example", "--proxy", "127.0.0.1")
    with serving(tmp_path / "home", *options) as server:
        asyncio.run(talk(server))


def test_f40_page_that_cannot_be_built_on_a_read_only_disk_says_so(caplog):
    class Unwritable:
        def make(self) -> None:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), "/home/x")

    opened = open_pages("/")
    opened.on_demand["/study/"] = [Unwritable()]
    opened.ready.set_result(True)
    answer = TestClient(opened.server, raise_server_exceptions=False).get("/study/")
    assert (answer.status_code, error_text(answer)) == (
        503,
        "This could not be done: the data folder cannot be written.",
    )


@posix
@pytest.mark.long
@pytest.mark.parametrize("release", RELEASES)
def test_f41_folder_of_an_earlier_release_survives_killed_servers(release, tmp_path):
    data_folder(release, home := tmp_path / "home")
    before = digests(home / "runs")
    for _ in range(count(2, 20)):
        with serving(home) as server:
            pages = [httpx.get(server.url + page, timeout=PATIENCE).status_code for page in ("", "library/", "study/")]
            entries = httpx.get(f"{server.url}library/entries", timeout=PATIENCE)
            assert [*pages, entries.status_code] == [200] * 4
            kill(server)
    assert digests(home / "runs") == before


#: What a tuning study's file has of its trials: table and columns.
TRIALS = {
    "trials": ("number", "params", "state", "counted", "sentence"),
    "trial_runs": ("trial", "step", "length", "sentence", "took", "result", "tour"),
    "importances": ("parameter", "share", "trials"),
}


def spoil_row(path, table: str, column: str, value) -> None:
    """Write a value into the last row of a table in a tuning study's file."""
    if isinstance(value, list | dict) or (isinstance(value, int) and value > 2**63):
        value = json.dumps(value)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("INSERT OR REPLACE INTO importances VALUES ('cooling', 0.5, 3)")
        if table == "spec":
            (spec,) = file.execute("SELECT spec FROM study").fetchone()
            spec = json.loads(spec)
            spec["tune"][column] = value
            file.execute("UPDATE study SET spec = ?", [json.dumps(spec)])
        else:
            value = value.encode("utf-8", "surrogatepass") if value == "\ud800" else value
            last = f"(SELECT max(rowid) FROM {table})"
            with contextlib.suppress(sqlite3.IntegrityError):  # a key that the database itself refuses
                file.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = {last}", [value])


def test_f42_odd_values_of_a_tuning_are_ignored(tmp_path, monkeypatch, capsys):
    """The study is refused in a sentence, or keeps its trials."""
    whole, path, new = (tmp_path / f"{name}.tourstudy" for name in ("whole", "odd", "new"))
    assert run_tuning(whole, tuning(trials=3, batch=3)).state == "finished"
    before = trial_results(whole)
    fields = [(table, column) for table, columns in TRIALS.items() for column in columns]
    fields += [("spec", name) for name in tuning_json()["tune"]]
    cases = [(*field, value) for field in fields for value in ODD]
    cases = random.Random(42).sample(cases, count(40, len(cases)))
    monkeypatch.setattr(sandbox, "limit", lambda: None)
    monkeypatch.setattr(sys, "argv", ["import", str(path), str(new)])
    refused = 0
    for case in cases:
        shutil.copyfile(whole, path)
        spoil_row(path, *case)
        new.unlink(missing_ok=True)
        if imports_study.main() == sandbox.REFUSED:
            refused += 1
            told = capsys.readouterr().out
            assert told.startswith("This study file cannot be imported: "), (case, told)
            assert len(told) <= 300
            continue
        assert trial_results(new) == before, case
        with StudyReader(new) as reader:
            assert set(reader.importances()[0]) <= {"cooling"}, case
            assert not any("\0" in each.sentence or len(each.sentence) > 1000 for each in reader.trials()), case
            assert reader.table().runs.length.min() > 0
    assert len(cases) / 3 < refused < len(cases)
