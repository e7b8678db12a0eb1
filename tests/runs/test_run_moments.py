"""Impossible timestamps in uploaded files are refused in one sentence."""

import json
import shutil
import zipfile

import pytest

from data.moments import LATEST
from runs.imports import run as run_child
from runs.imports import sandbox
from runs.imports import study as study_child
from runs.imports.untrusted_files import InvalidUpload
from runs.races.file import MANIFEST, pack_race
from runs.store.reader import RunReader
from runs.store.run_file import Entry, RunWriter
from solvers.worker.frames import decode, encode
from studies.file.reader import StudyReader
from tests.runs.library.library_place import Place
from tests.runs.made_up_runs import write_run
from tests.sqlite_files import change
from tests.studies.made_up import write_study
from tests.tables import each_row

RUN = "ABCDEFGHIJKL"
#: As SQL has them; what it has for NaN is NULL.
NO_TIMES = ["1e300", "-1e300", "9e999", "-9e999", "NULL", "'noon'", "-1", "253402300800", "9223372036854775807"]
#: Of clocks that were never set, and of one that is a century ahead.
WRONG_CLOCKS = [0.0, 315_532_800.0, 4_900_000_000.0, LATEST]


def refusal(child, monkeypatch, capsys, *arguments):
    monkeypatch.setattr(sandbox, "limit", lambda: None)
    monkeypatch.setattr("sys.argv", ["child", *map(str, arguments)])
    assert child.main() == sandbox.REFUSED
    return capsys.readouterr().out


@pytest.fixture
def uploaded_run(tmp_path):
    return write_run(tmp_path / "theirs", length=22_205)


@pytest.fixture(scope="module")
def a_study(tmp_path_factory):
    return write_study(tmp_path_factory.mktemp("study") / "theirs.tourstudy", instances=1, seeds=1, improvements=2)


@pytest.mark.parametrize("time", NO_TIMES)
@pytest.mark.parametrize("place", ["UPDATE run SET created", "UPDATE events SET at"])
def test_run_file_with_an_invalid_time_is_refused(uploaded_run, tmp_path, monkeypatch, capsys, place, time):
    change(uploaded_run, f"{place} = {time}")
    output = refusal(run_child, monkeypatch, capsys, uploaded_run, tmp_path / "new", RUN)
    assert output.startswith("This run file cannot be imported: the time ")
    assert output.endswith(" is invalid")


@pytest.mark.parametrize("at", [1e300, -5.0, "noon", None, True])
def test_event_without_a_time_is_refused(uploaded_run, tmp_path, monkeypatch, capsys, at):
    writer = RunWriter(uploaded_run)
    writer.append([Entry(1.0, "state", encode("state", {"state": "finished", "reason": "", "at": at}, {}))])
    writer.finish()
    output = refusal(run_child, monkeypatch, capsys, uploaded_run, tmp_path / "new", RUN)
    assert output.endswith(" is invalid")


@each_row("seconds", [1e300, -1e300, -1.0])
def test_impossible_seconds_are_refused(tmp_path, monkeypatch, capsys, seconds):
    uploaded_run = write_run(tmp_path / "theirs", length=22_205, seconds=seconds)
    output = refusal(run_child, monkeypatch, capsys, uploaded_run, tmp_path / "new", RUN)
    assert "are out of range" in output


@pytest.mark.parametrize("time", WRONG_CLOCKS)
def test_files_of_machines_with_wrong_clocks_are_imported(uploaded_run, a_study, tmp_path, time):
    change(uploaded_run, f"UPDATE run SET created = {time}")
    run_child.import_run(uploaded_run, tmp_path / "run", RUN)
    with RunReader(tmp_path / "run") as reader:
        assert reader.meta().created == time
    other = shutil.copyfile(a_study, tmp_path / "other.tourstudy")
    change(other, f"UPDATE study SET created = {time}")
    with StudyReader(other) as reader:
        assert reader.created == time


@each_row("time", NO_TIMES)
def test_study_file_with_an_invalid_time_is_refused(a_study, tmp_path, monkeypatch, capsys, time):
    uploaded_run = shutil.copyfile(a_study, tmp_path / "theirs.tourstudy")
    change(uploaded_run, f"UPDATE study SET created = {time}")
    output = refusal(study_child, monkeypatch, capsys, uploaded_run, tmp_path / "new")
    assert output.startswith("This study file cannot be imported: the time ")


@each_row("time", ["1e300", '"noon"', "-1", "NaN", "Infinity", "1e999", "1" * 400, "null", "[]"])
def test_race_file_with_an_invalid_time_is_refused_without_traces(tmp_path, read_here, time):
    place = Place(tmp_path / "home")
    upload = tmp_path / "home" / "incoming" / "folder" / "upload"
    upload.parent.mkdir()
    stored = place.races.find(place.race(place.run(length=22_205), place.run(length=22_205)))
    race = tmp_path / "race"
    pack_race(stored.to_json(), [str(place.races.run_service.path(run)) for run in stored.runs]).content(race)
    with zipfile.ZipFile(race) as packed, zipfile.ZipFile(upload, "w") as damaged:
        for name in packed.namelist():
            raw = packed.read(name)
            if name == MANIFEST:
                raw = json.dumps({**json.loads(raw), "created": "TIME"}).replace('"TIME"', time).encode()
            damaged.writestr(name, raw)
    before = sorted(path.name for path in place.home.rglob("*") if path.suffix in (".json", ".tourscope"))
    with pytest.raises(InvalidUpload, match=r"^This race file cannot be imported: "):
        place.races.adopt(upload)
    shutil.rmtree(upload.parent)
    assert sorted(path.name for path in place.home.rglob("*") if path.suffix in (".json", ".tourscope")) == before
    place.close()


def test_imported_times_equal_those_of_the_file(uploaded_run, tmp_path):
    run_child.import_run(uploaded_run, tmp_path / "run", RUN)
    with RunReader(uploaded_run) as old, RunReader(tmp_path / "run") as new:
        assert [at for _, at, _ in new.log(0, 1 << 20)] == [at for _, at, _ in old.log(0, 1 << 20)]
        assert decode(new.last("finished")).values["at"] == decode(old.last("finished")).values["at"]
