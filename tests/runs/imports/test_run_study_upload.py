"""An uploaded study file is copied row by row if it is valid, and refused in one sentence otherwise."""

import os
import shutil
import sqlite3
import subprocess
import sys
import zlib
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import fastapi
import numpy as np
import orjson
import pytest
from starlette.testclient import TestClient

from data.collection import resolve
from data.tsplib import instances
from runs.computing.computations import Computations
from runs.imports import receive, sandbox
from runs.imports import study as imports_study
from runs.owners import Owners
from runs.study_jobs.routes import add_study_routes
from runs.study_jobs.service import StudyService
from runs.web.routes import add_routes
from solvers.worker.process import spawn
from studies.file.reader import StudyReader
from studies.pool import slot
from studies.pool.run_log import ROW
from studies.stats.references import find_references
from tests.clock import wait_until
from tests.runs.scripted import start_program
from tests.sqlite_files import change
from tests.studies.small_study import WorkerHere, finish_study, spec_json, tiny_study

pytestmark = pytest.mark.slow


class FakeRunService:
    """Replaces the run service of studies."""

    cores = 2

    def __init__(self, incoming):
        self.home, self.owners = SimpleNamespace(incoming=incoming), Owners(incoming / "owners.sqlite", False)
        self.computations = Computations(incoming, start_program)

    def check_storage(self, owner):
        return None

    def status(self):
        return {"devices": [{"kind": "cpu", "available": True}]}

    def start_process(self, module, environment):
        return spawn([sys.executable, "-m", module], environment)

    def adopt_run(self, source, owner=""):
        raise AssertionError("no run comes here")


@pytest.fixture(scope="module")
def finished_study(tmp_path_factory):
    return finish_study(tmp_path_factory.mktemp("study") / "theirs.tourstudy", tiny_study())


@pytest.fixture
def uploaded_study(finished_study, tmp_path):
    return Path(shutil.copyfile(finished_study, tmp_path / "theirs.tourstudy"))


@pytest.fixture
def studies(tmp_path):
    (tmp_path / "incoming").mkdir()
    service = StudyService(FakeRunService(tmp_path / "incoming"), tmp_path / "home")
    yield service
    service.close()


@pytest.fixture
def visitor(studies):
    app = fastapi.FastAPI()
    add_routes(app, studies.run_service, "/below/")
    add_study_routes(app, studies, "/below/")
    return TestClient(app, base_url="http://127.0.0.1/below/")


def stored_names(studies):
    folders = (studies.run_service.home.incoming, studies.folders[0])
    return [path.name for folder in folders for path in folder.rglob("*")]


def read_all(path):
    with StudyReader(path) as reader:
        answer = (reader.spec, reader.created, reader.instances, list(reader.cells()), list(reader.results()))
        return answer, reader.table().logs, [reader.tour(k).tolist() for k in range(reader.total)]


def test_valid_study_is_restored(studies, visitor, uploaded_study):
    study = visitor.post("studies", content=uploaded_study.read_bytes()).json()["id"]
    ours = studies.path(study)
    assert ours.parent == studies.folders[0]
    before, after = read_all(uploaded_study), read_all(ours)
    assert (after[0], after[2]) == (before[0], before[2])
    assert after[1].length.tolist() == before[1].length.tolist()
    assert studies.status(study).state == "finished"
    assert list(studies.run_service.home.incoming.iterdir()) == []


def test_untrusted_runs_wait_for_a_resume(read_here, studies, visitor, uploaded_study, monkeypatch):
    monkeypatch.setattr(slot, "Worker", WorkerHere)
    change(
        uploaded_study, "UPDATE cells SET state = 'running', result = NULL, tour = NULL, log = NULL WHERE number = 3"
    )
    change(
        uploaded_study,
        "UPDATE cells SET state = 'failed', sentence = 'a' || char(10) || char(27) || 'b' WHERE number = 2",
    )
    study = visitor.post("studies", content=uploaded_study.read_bytes()).json()["id"]
    standing = studies.status(study)
    assert (standing.state, standing.finished, standing.failed, standing.total) == ("stopped", 6, 1, 8)
    with StudyReader(studies.path(study)) as reader:
        assert [(row.state, row.sentence) for row in reader.cells()][2:4] == [("failed", "a b"), ("waiting", "")]
    studies.resume(study)
    wait_until(lambda: not studies.status(study).active)
    assert studies.status(study).finished == 8


def test_parts_outside_the_contract_are_dropped(read_here, studies, visitor, uploaded_study):
    change(uploaded_study, "CREATE TABLE more (filling); INSERT INTO more VALUES (zeroblob(5000))")
    change(uploaded_study, "ALTER TABLE cells ADD COLUMN script; UPDATE cells SET script = '<script>'")
    change(uploaded_study, "UPDATE cells SET result = json_set(result, '$.script', '<script>', '$.spec.seed', 99)")
    ours = studies.path(visitor.post("studies", content=uploaded_study.read_bytes()).json()["id"])
    assert b"script" not in ours.read_bytes()
    with closing(sqlite3.connect(ours)) as connection:
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    assert names == {"study", "instances", "cells", "states"}
    with StudyReader(ours) as reader:
        assert next(reader.results())[1]["spec"]["seed"] == 1


def test_only_known_measurements_pass(read_here, studies, visitor, uploaded_study):
    change(uploaded_study, RESULT.format("measured", 'json(\'{"variant": "strip", "script": "<b>"}\')'))
    ours = studies.path(visitor.post("studies", content=uploaded_study.read_bytes()).json()["id"])
    with StudyReader(ours) as reader:
        assert all(result["measured"] == {"variant": "strip"} for _, result in reader.results())


def test_known_facts_of_an_instance_are_looked_up(read_here, studies, visitor, uploaded_study):
    change(uploaded_study, "UPDATE instances SET optimum = 7, proven = 1, name = 'other', n = 3, sha256 = 'none'")
    with StudyReader(studies.path(visitor.post("studies", content=uploaded_study.read_bytes()).json()["id"])) as reader:
        assert [(row.name, row.optimum) for row in reader.instances] == [("burma14", 3323), ("gr17", 2085)]


def test_proofs_in_a_file_are_not_believed(read_here, studies, visitor, uploaded_study):
    change(uploaded_study, "UPDATE cells SET result = json_set(result, '$.proven', json('true'))")
    with StudyReader(studies.path(visitor.post("studies", content=uploaded_study.read_bytes()).json()["id"])) as reader:
        assert not any(result["proven"] for _, result in reader.results())


@pytest.mark.long
def test_exact_solution_proves_here_what_the_file_does_not(read_here, studies, visitor, tmp_path):
    """The optimum of random cities is unknown: gaps refer to it once a run has proven it on this server."""
    exact = [{"label": "exact", "stages": [{"algorithm": "held-karp", "params": {"variant": "sequential"}}]}]
    cities = [{"generate": "uniform", "n": 9, "seed": 4}]
    uploaded_study = finish_study(
        tmp_path / "exact.tourstudy", tiny_study(entries=exact, instances=cities, seeds={"count": 2}, budget={})
    )
    with StudyReader(uploaded_study) as reader:
        assert [result["proven"] for _, result in reader.results()] == [True, True]
        assert find_references(reader.table()).kind == ("optimum",)
    change(
        uploaded_study, "UPDATE cells SET state = 'waiting', result = NULL, tour = NULL, log = NULL WHERE number = 1"
    )
    study = visitor.post("studies", content=uploaded_study.read_bytes()).json()["id"]
    with StudyReader(studies.path(study)) as reader:
        assert [result["proven"] for _, result in reader.results()] == [False]
        assert find_references(reader.table()).kind == ("best of this study",)
    studies.resume(study)
    wait_until(lambda: not studies.status(study).active)
    with StudyReader(studies.path(study)) as reader:
        assert [result["proven"] for _, result in reader.results()] == [False, True]
        assert find_references(reader.table()).kind == ("optimum",)


@pytest.mark.parametrize("length", [10**18, 2**62])
def test_log_of_impossible_lengths_is_refused(read_here, visitor, uploaded_study, length):
    with closing(sqlite3.connect(uploaded_study)) as connection:
        (raw,) = connection.execute("SELECT log FROM cells WHERE number = 0").fetchone()
    log = np.frombuffer(raw, ROW).copy()
    log["length"][0] = length
    change(uploaded_study, "UPDATE cells SET log = ? WHERE number = 0", log.tobytes())
    assert "exceeds that of any tour" in visitor.post("studies", content=uploaded_study.read_bytes()).json()["sentence"]


def instance_text(instance):
    return zlib.compress(instances.write(instance).encode())


def bomb():
    packer = zlib.compressobj(1)
    return b"".join([*(packer.compress(bytes(10**6)) for _ in range(200)), packer.flush()])


def spec_text(**changes):
    return orjson.dumps({**tiny_study().to_json(), **changes}).decode()


RESULT = "UPDATE cells SET result = json_set(result, '$.{}', {})"
DAMAGES = {
    "of another format": ("PRAGMA user_version = 9",),
    "of another program": ("PRAGMA application_id = 9",),
    "no table": ("DROP TABLE cells",),
    "no row": ("DELETE FROM study",),
    "a view": ("ALTER TABLE cells RENAME TO old; CREATE VIEW cells AS SELECT * FROM old",),
    "a trigger": ("CREATE TRIGGER more AFTER UPDATE ON cells BEGIN DELETE FROM cells; END",),
    "a virtual table": ("DROP TABLE instances; CREATE VIRTUAL TABLE instances USING fts5(number, text)",),
    "a generated column": ("ALTER TABLE cells ADD COLUMN more BLOB AS (zeroblob(60000000)) VIRTUAL",),
    "spec is a number": ("UPDATE study SET spec = 5",),
    "spec is deep": (f"UPDATE study SET spec = '{'[' * 5000}'",),
    "spec of an unknown algorithm": ("UPDATE study SET spec = replace(spec, 'two-opt', 'three-opt')",),
    "spec of a bad parameter": ("UPDATE study SET spec = replace(spec, '\"climbers\":5', '\"climbers\":-5')",),
    "spec of more runs": ("UPDATE study SET spec = ?", spec_text(seeds={"first": 1, "count": 3})),
    "spec of fewer runs": ("UPDATE study SET spec = ?", spec_text(seeds={"first": 1, "count": 1})),
    "spec of too many runs": ("UPDATE study SET spec = ?", spec_text(seeds={"first": 1, "count": 10**9})),
    "spec of another budget": ("UPDATE study SET spec = ?", spec_text(budget={"seconds": 1e9})),
    "a time that is none": ("UPDATE study SET created = 'noon'",),
    "endless time": ("UPDATE study SET created = 9e999",),
    "instance is a bomb": ("UPDATE instances SET text = ?", bomb),
    "instance is no file": ("UPDATE instances SET text = ?", zlib.compress(b"no file")),
    "instance is not compressed": ("UPDATE instances SET text = 'x'",),
    "instance is another one": (
        "UPDATE instances SET text = ? WHERE number = 0", instance_text(resolve.load("ulysses16")),
    ),
    "instance is missing": ("DELETE FROM instances WHERE number = 1",),
    "one instance more": ("INSERT INTO instances SELECT 9, name, n, optimum, proven, sha256, text FROM instances "
                          "WHERE number = 1",),
    "a run is missing": ("DELETE FROM cells WHERE number = 1",),
    "a run more": ("INSERT INTO cells SELECT 99, instance, entry, seed, state, sentence, took, result, tour, log "
                   "FROM cells WHERE number = 1",),
    "a run elsewhere": ("UPDATE cells SET entry = 1 WHERE number = 0",),
    "no such state": ("UPDATE cells SET state = 'asleep' WHERE number = 0",),
    "took is text": ("UPDATE cells SET took = 'long'",),
    "a result that is none": ("UPDATE cells SET result = '[]'",),
    "a length that is text": (RESULT.format("length", "'<b>'"),),
    "another length": (RESULT.format("length", 1),),
    "versions that are no texts": (RESULT.format("versions", "json('{\"numba\": [1]}')"),),
    "versions without end": (RESULT.format("versions", f"json_object('a', '{'b' * 5000}')"),),
    "a device that steers": (RESULT.format("device", "char(27)"),),
    "more climbers near the optimum than there were": (RESULT.format("climbs.within", "json('[0, 0, 99999]')"),),
    "climbers that are no counts": (RESULT.format("climbs.within", "json('[0, 0, null]')"),),
    "a short tour": ("UPDATE cells SET tour = x'00000000'",),
    "a tour of one city": ("UPDATE cells SET tour = zeroblob(length(tour))",),
    "another tour": ("UPDATE cells SET tour = ? WHERE instance = 0", np.arange(14, dtype="<i4").tobytes()),
    "a log that is text": ("UPDATE cells SET log = 'none'",),
    "a log that is cut": ("UPDATE cells SET log = substr(log, 1, 20)",),
    "a log that ends elsewhere": ("UPDATE cells SET log = ?", np.array([(0.0, 0, 0, 1)], ROW).tobytes()),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_or_hostile_study_is_refused(damage, uploaded_study, tmp_path, monkeypatch, capsys):
    statement, *values = damage
    change(uploaded_study, statement, *(value() if callable(value) else value for value in values))
    monkeypatch.setattr(sandbox, "limit", lambda: None)
    monkeypatch.setattr("sys.argv", ["adopt_study", str(uploaded_study), str(tmp_path / "new")])
    assert imports_study.main() == sandbox.REFUSED
    output = capsys.readouterr().out
    assert output.startswith("This study file cannot be imported: ")
    assert output.isprintable()
    assert "Traceback" not in output


#: Files that hold no study; None for one that is cut.
NO_STUDIES = (b"", b"no study", b"SQLite format 3\0" + bytes(5000), None)


def check_refused(studies, visitor, uploaded_study, raw):
    before = stored_names(studies)
    answer = visitor.post("studies", content=uploaded_study.read_bytes()[:-6000] if raw is None else raw)
    assert answer.status_code == 400
    assert answer.json()["sentence"].startswith("This study file cannot be imported: ")
    assert stored_names(studies) == before


@pytest.mark.parametrize("raw", NO_STUDIES)
def test_other_file_is_refused_in_one_sentence_and_not_stored(read_here, studies, visitor, uploaded_study, raw):
    check_refused(studies, visitor, uploaded_study, raw)


@pytest.mark.parametrize("raw", [*[pytest.param(raw, marks=pytest.mark.long) for raw in NO_STUDIES[:-1]], None])
def test_other_file_is_refused_by_the_child_process(studies, visitor, uploaded_study, raw):
    check_refused(studies, visitor, uploaded_study, raw)


@pytest.mark.parametrize("count", [2, pytest.param(8, marks=pytest.mark.long)])
def test_damaged_pages_are_refused_and_never_crash_the_server(studies, visitor, uploaded_study, count):
    raw, rng = bytearray(uploaded_study.read_bytes()), np.random.default_rng(1)
    answers = []
    for _ in range(count):
        damaged = bytearray(raw)
        for place in rng.integers(100, len(raw), 400):
            damaged[place] = rng.integers(256)
        answers.append(visitor.post("studies", content=bytes(damaged)))
    assert {answer.status_code for answer in answers} == {400}
    assert studies.files() == []


def test_killed_study_is_imported_without_its_log(read_here, studies, visitor, uploaded_study):
    change(uploaded_study, "PRAGMA journal_mode = WAL")
    assert visitor.post("studies", content=uploaded_study.read_bytes()).status_code == 200
    assert sorted(path.suffix for path in studies.folders[0].iterdir()) == [".tourstudy"]


def test_endless_body_is_cut_off(studies, visitor, monkeypatch):
    monkeypatch.setattr(receive, "MAX_RUN_BYTES", 1000)
    answer = visitor.post("studies", content=iter([bytes(600), bytes(600)]))
    assert answer.status_code == 413
    assert stored_names(studies) == []


def test_slow_study_is_refused_and_not_stored(studies, visitor, uploaded_study, monkeypatch):
    monkeypatch.setattr(sandbox, "MAX_POLLS", 0)
    answer = visitor.post("studies", content=uploaded_study.read_bytes())
    assert "too large to be checked" in answer.json()["sentence"]
    assert stored_names(studies) == []


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="there are no limits of a process")
def test_oversized_study_is_refused(studies, visitor, uploaded_study):
    value = orjson.dumps(spec_json(title="x" * 100))
    change(uploaded_study, "UPDATE study SET spec = ?", value.decode() + " " * (200 << 20))
    assert visitor.post("studies", content=uploaded_study.read_bytes()).status_code == 400
    assert stored_names(studies) == []


def test_the_reader_of_studies_does_not_import_numba(uploaded_study, tmp_path):
    script = (
        "import sys\nimport runs.imports.study as child\nassert child.main() == 0\nassert 'numba' not in sys.modules"
    )
    arguments = [sys.executable, "-c", script, str(uploaded_study), str(tmp_path / "new")]
    subprocess.run(arguments, cwd=sandbox.ROOT, check=True, env={**os.environ, "PYTHONPATH": str(sandbox.ROOT)})
