"""Study files of every release: displayed, exported, imported, and resumed."""

import json

import pytest

from tests.saved import house
from tests.saved.releases import OLDEST, RELEASES, SPECS, read_answers, release_files, unpack
from tests.saved.told import normal, study_answers, without_times
from tests.shortened import shorten
from tests.tables import each_row

pytestmark = pytest.mark.slow

STUDIES = release_files("studies")
#: Each release; of what takes seconds, all but the oldest are `long`.
OLDEST_FIRST = pytest.mark.parametrize("release", shorten(RELEASES, OLDEST.__eq__))


@each_row(("release", "name"), STUDIES)
def test_study_keeps_its_answers(tmp_path, release, name):
    path = unpack(release, f"studies/{name}.tourstudy", tmp_path / "study.tourstudy")
    assert normal(study_answers(path)) == normal(read_answers(release, "studies", f"{name}.json"), SPECS[release])


@OLDEST_FIRST
def test_imported_study_keeps_its_answers(tmp_path, release):
    path = unpack(release, "studies/finished.tourstudy", tmp_path / "upload")
    with house.opened(tmp_path / "home") as opened:
        study = opened.client.post("/studies", content=path.read_bytes()).json()["id"]
        assert opened.client.get(f"/studies/{study}/runs.csv").status_code == 200
        (tmp_path / "saved.tourstudy").write_bytes(opened.client.get(f"/studies/{study}/study.tourstudy").content)
    then, now = read_answers(release, "studies", "finished.json"), study_answers(tmp_path / "saved.tourstudy")
    assert normal(now) == normal(then, SPECS[release])


@OLDEST_FIRST
def test_killed_study_resumes_to_the_same_end(tmp_path, release):
    path = unpack(release, "studies/half.tourstudy", tmp_path / "half.tourstudy")
    status, printed = house.program(["solvers", "study", str(path), "--cores", "1", "--json"])
    assert status == 0
    then, now = read_answers(release, "studies", "finished.json")["told"], json.loads(printed)
    assert now["cells"] == then["cells"]
    assert normal(without_times(now["runs"])) == normal(without_times(then["runs"]), SPECS[release])
    assert now["median_gaps"] == then["median_gaps"]


@each_row("release", RELEASES)
def test_study_spec_keeps_its_meaning(release):
    then = read_answers(release, "studies", "means.json")
    assert normal(house.study_meaning(then)) == normal(then, SPECS[release])
