"""A server's background studies: started, cancelled, resumed, found again after a restart, and deleted."""

import csv
import io
import time
import zipfile
from types import SimpleNamespace

import fastapi
import pytest
from fastapi.testclient import TestClient

from runs.computing.computations import Computations
from runs.owners import Owners
from runs.study_jobs import queue
from runs.study_jobs.errors import NoSuchStudy
from runs.study_jobs.routes import add_study_routes
from runs.study_jobs.service import StudyService
from runs.visitors import Visitor, act_as
from solvers.core.devices import cpu_threads
from solvers.core.errors import InvalidParams
from studies.file.reader import StudyReader
from studies.pool import slot
from studies.spec.spec import StudySpec
from tests.clock import PATIENCE
from tests.sqlite_files import change
from tests.studies.made_up import write_study
from tests.studies.small_study import WorkerHere, finish_study, spec_json, tiny_study

pytestmark = pytest.mark.slow


class FakeRunService:
    """Replaces the run service of studies."""

    cores = cpu_threads()

    def __init__(self, incoming, engine):
        self.home, self.start_process = SimpleNamespace(incoming=incoming), engine.start_process
        self.owners = Owners(incoming.parent / "owners.sqlite", False)
        self.computations = Computations(incoming, engine.start_local_process)

    def check_storage(self, owner):
        return None

    def status(self):
        return {"devices": [{"kind": "cpu", "available": True}, {"kind": "cuda", "available": False}]}


@pytest.fixture
def work_here(monkeypatch):
    """Do the runs of studies in this process."""
    monkeypatch.setattr(slot, "Worker", WorkerHere)


@pytest.fixture
def studies(tmp_path, process_engine):
    (tmp_path / "incoming").mkdir()
    (tmp_path / "elsewhere").mkdir()
    result = StudyService(
        FakeRunService(tmp_path / "incoming", process_engine), tmp_path / "home", [tmp_path / "elsewhere"]
    )
    yield result
    result.close()


def wait(studies, study, states, seconds=PATIENCE):
    until = time.monotonic() + seconds
    while (standing := studies.status(study)).state not in states:
        assert time.monotonic() < until, standing
        time.sleep(0.05)
    return standing


def long_study(**changes):
    """A study that runs longer than any test."""
    entries = [{"label": "ants", "stages": [{"algorithm": "ant-system", "params": {"iterations": 100_000}}]}]
    return StudySpec.from_json(spec_json(**{"entries": entries, "budget": {"seconds": 0.4}, **changes}))


def test_study_runs_in_the_background(studies):
    study = studies.start(tiny_study())
    assert studies.status(study).active
    standing = wait(studies, study, ["finished"])
    assert (standing.total, standing.finished, standing.failed) == (8, 8, 0)
    seen = studies.snapshot(study)
    assert seen.table.runs.length.size == 8
    median, runs = seen.medians
    assert runs.tolist() == [[2, 2], [2, 2]]
    assert (median >= 0).all()
    assert [each.id for each in studies.recent(5)] == [study]


def test_invalid_study_leaves_nothing(studies):
    entries = [{"label": "none", "stages": [{"algorithm": "two-opt", "params": {"climbers": -1}}]}]
    with pytest.raises(InvalidParams):
        studies.start(StudySpec.from_json(spec_json(entries=entries)))
    assert studies.recent(5) == []


def test_study_is_cancelled_midway_and_resumed(work_here, studies):
    study = studies.start(long_study())
    other = studies.start(tiny_study())
    while not studies.status(study).finished:
        time.sleep(0.05)
    assert (studies.status(other).state, studies.status(other).before) == ("queued", 1)
    studies.cancel(study)
    stopped = wait(studies, study, ["stopped"])
    assert 0 < stopped.finished < stopped.total
    wait(studies, other, ["finished"])
    studies.resume(study)
    assert wait(studies, study, ["running"]).progress.total == stopped.total
    while studies.status(study).finished <= stopped.finished:
        time.sleep(0.05)
    studies.cancel(study)


def test_waiting_study_gives_up_its_turn(work_here, studies):
    first, second = studies.start(long_study()), studies.start(tiny_study())
    studies.cancel(second)
    assert studies.status(second).state == "stopped"
    studies.cancel(first)
    studies.resume(second)
    wait(studies, second, ["finished"])


def test_studies_of_a_stopped_server_are_resumed(work_here, studies, tmp_path):
    study = studies.start(long_study())
    while not studies.status(study).finished:
        time.sleep(0.05)
    studies.close()
    again = StudyService(studies.run_service, tmp_path / "home")
    wait(again, study, ["stopped"])
    again.resume(study)
    wait(again, study, ["running"])
    again.close()


def test_command_line_studies_are_found_and_others_have_no_id(studies, tmp_path):
    finish_study(tmp_path / "elsewhere" / "mine.tourstudy", tiny_study(title="Mine"))
    (tmp_path / "elsewhere" / "broken.tourstudy").write_bytes(b"no study")
    [found] = studies.recent(5)
    assert (found.title, found.state) == ("Mine", "finished")
    finish_study(tmp_path / "elsewhere" / "study-7a94916537.tourstudy", tiny_study(title=""))
    assert "2-opt and random on burma14, gr17; 2 seeds" in [each.title for each in studies.recent(5)]
    assert studies.snapshot(found.id).spec.title == "Mine"
    for wrong in ("", "../../etc/passwd", "abcdefghijkl"):
        with pytest.raises(NoSuchStudy):
            studies.path(wrong)


def test_changed_study_is_read_again(studies, tmp_path):
    path = write_study(tmp_path / "elsewhere" / "s.tourstudy", instances=1, seeds=2, improvements=5)
    [found] = studies.recent(5)
    before = studies.snapshot(found.id)
    assert studies.snapshot(found.id) is before
    change(path, "UPDATE cells SET state = 'failed', sentence = 'Because.' WHERE number = 0")
    time.sleep(1.1)
    after = studies.snapshot(found.id)
    assert after.failed == (("Because.", 1),)
    assert after.version != before.version


@pytest.fixture
def client(studies):
    app = fastapi.FastAPI()
    add_study_routes(app, studies, "/below/")
    return TestClient(app)


def test_downloads(studies, client, tmp_path):
    write_study(tmp_path / "elsewhere" / "s.tourstudy", instances=2, seeds=2, improvements=5, title="A, <b>")
    [found] = studies.recent(5)
    answers = {
        name: client.get(f"/below/studies/{found.id}/{name}")
        for name in ("runs.csv", "runs.parquet", "table.tex", "iohprofiler.zip", "study.tourstudy")
    }
    assert {answer.status_code for answer in answers.values()} == {200}
    rows = list(csv.DictReader(io.StringIO(answers["runs.csv"].text)))
    assert len(rows) == 20
    assert answers["runs.parquet"].content[:4] == b"PAR1"
    assert r"\begin{table}" in answers["table.tex"].text
    names = zipfile.ZipFile(io.BytesIO(answers["iohprofiler.zip"].content)).namelist()
    assert sum(name.endswith(".dat") for name in names) == 10
    (tmp_path / "copy.tourstudy").write_bytes(answers["study.tourstudy"].content)
    with StudyReader(tmp_path / "copy.tourstudy") as reader:
        assert reader.counts()["finished"] == 20
    assert 'filename="A-b-runs.csv"' in answers["runs.csv"].headers["content-disposition"]
    assert list(studies.run_service.home.incoming.iterdir()) == []


def test_missing_download_gives_404_with_a_sentence(client):
    for path in ("abcdefghijkl/runs.csv", "abcdefghijkl/passwd"):
        answer = client.get(f"/below/studies/{path}")
        assert (answer.status_code, answer.json()) == (404, {"sentence": "There is no such study."})


def test_waiting_studies_are_limited_in_total_and_per_owner(studies, monkeypatch):
    monkeypatch.setattr(queue, "MAX_WAITING", 5)
    monkeypatch.setattr(queue, "MAX_WAITING_EACH", 2)
    first = studies.start(long_study(), "greedy")
    wait(studies, first, ["running"])
    waiting = [studies.start(tiny_study(), "greedy") for _ in range(2)]
    saved = len(studies.files())
    with pytest.raises(queue.TooManyStudies):
        studies.start(tiny_study(), "greedy")
    assert len(studies.files()) == saved, "a refused study leaves a file"
    waiting += [studies.start(tiny_study(), other) for other in ("", "", "another")]
    with pytest.raises(queue.TooManyStudies):
        studies.start(tiny_study(), "one more")
    studies.cancel(waiting[0])
    with act_as(Visitor("greedy")):
        studies.resume(waiting[0])
        with pytest.raises(queue.TooManyStudies):
            studies.resume(waiting[1])
    for each in (*waiting, first):
        studies.cancel(each)
