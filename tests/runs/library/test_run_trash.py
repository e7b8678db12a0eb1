"""Deleting from the library and undoing it: everything is restored unchanged, and nothing outside is touched."""

import json
import os

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from runs.library import trash
from runs.library.service import Library, NoSuchEntry
from runs.races.errors import NoSuchRace
from runs.service import ActiveRun
from runs.store.open_run import NoSuchRun
from runs.study_jobs.errors import NoSuchStudy
from runs.web.routes import add_routes
from solvers.worker.frames import decode
from studies.file.lock import StudyLock
from tests.runs.library.library_place import files
from tests.runs.made_up_runs import new_id, write_run


def test_deleted_run_is_missing_until_restored(place):
    run = place.run()
    key, before = f"run:{run}", files(place.home)
    place.library.rename(key, "Mine")
    place.library.tag([key], add=["a"])
    entry, summary = place.library.get(key), place.run_service.summary(run)
    gone = place.library.delete([key])
    assert (gone.keys, gone.refused) == ((key,), {})
    assert place.run_service.summary(run) is None
    assert place.run_service.recent() == []
    with pytest.raises(NoSuchRun):
        place.run_service.channel(run)
    assert place.found() == []
    assert files(place.home) == {}
    [trashed] = place.library.trash()
    assert (trashed.token, trashed.names, trashed.keys) == (gone.token, ("Mine",), (key,))
    assert place.library.undo(gone.token) == (key,)
    assert place.library.get(key) == entry
    assert place.found() == [key]
    assert place.run_service.summary(run) == summary
    assert files(place.home) == before
    assert place.library.trash() == []
    with pytest.raises(NoSuchEntry):
        place.library.undo(gone.token)


def test_deleted_run_is_restored_after_a_restart(place):
    run = place.run()
    token = place.library.delete([f"run:{run}"]).token
    again = Library(place.home, place.run_service, place.races, place.studies)
    assert again.undo(token) == (f"run:{run}",)
    again.close()


def test_race_is_deleted_and_restored_with_its_lanes(place):
    lanes, alone = (place.run(), place.run()), place.run()
    race = place.race(*lanes)
    before = files(place.home)
    place.library.tag([f"run:{lanes[0]}"], add=["lane"])
    gone = place.library.delete([f"run:{lanes[0]}", f"race:{race}"])
    assert (gone.keys, gone.refused) == ((f"run:{lanes[0]}", f"race:{race}"), {})
    assert place.found(lanes=True) == [f"run:{alone}"]
    with pytest.raises(NoSuchRace):
        place.races.find(race)
    assert place.races.recent(5) == []
    assert [place.run_service.summary(lane) for lane in lanes] == [None, None]
    assert place.library.undo(gone.token) == (f"race:{race}",)
    assert place.races.find(race).runs == lanes
    assert place.library.get(f"run:{lanes[0]}").tags == ("lane",)
    assert files(place.home) == before


def test_lane_alone_is_kept_and_names_its_race(place):
    lane = place.run()
    race = place.race(lane, place.run())
    place.library.rename(f"race:{race}", "The great race")
    gone = place.library.delete([f"run:{lane}"])
    assert gone.keys == ()
    assert "The great race" in gone.refused[f"run:{lane}"]
    assert place.library.get(f"run:{lane}").deletion_refusal == gone.refused[f"run:{lane}"]


def test_run_of_two_races_is_deleted_with_the_last(place):
    both = place.run()
    first, second = place.race(both, place.run()), place.race(both, place.run())
    place.library.delete([f"race:{first}"])
    assert place.run_service.summary(both) is not None
    gone = place.library.delete([f"race:{second}"])
    assert place.run_service.summary(both) is None
    place.library.undo(gone.token)
    assert place.run_service.summary(both) is not None


def test_running_entry_is_kept(place, monkeypatch):
    run, lane, other = place.run(), place.run(), place.run()
    race = place.race(lane, place.run())
    live = {run: ActiveRun("paused", True, 1.0), lane: ActiveRun("running", True, 1.0)}
    monkeypatch.setattr(place.run_service, "active_run", live.get)
    monkeypatch.setattr(place.run_service, "active_runs", lambda: tuple(live))
    keys = [f"run:{run}", f"race:{race}", f"run:{other}"]
    gone = place.library.delete(keys)
    assert gone.keys == (f"run:{other}",)
    assert {key: why[-16:] for key, why in gone.refused.items()} == dict.fromkeys(keys[:2], "Cancel it first.")
    assert place.library.get(f"run:{run}").state == "paused"
    live.clear()
    assert place.library.get(f"run:{run}").state == "finished"
    assert place.found(states=["paused"]) == []


def test_study_is_deleted_and_restored_with_its_id(place):
    study = place.study(title="Mine")
    seen, path = place.studies.snapshot(study), place.studies.path(study)
    gone = place.library.delete([f"study:{study}"])
    assert gone.keys == (f"study:{study}",)
    with pytest.raises(NoSuchStudy):
        place.studies.snapshot(study)
    assert place.studies.recent(5) == []
    assert not list(place.studies.folders[0].iterdir())
    assert place.library.undo(gone.token) == (f"study:{study}",)
    assert place.studies.path(study) == path
    assert place.studies.snapshot(study).spec == seen.spec


def test_studies_elsewhere_are_kept_with_their_folder_named(place, tmp_path):
    study = place.study(folder=tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / "broken.tourstudy").write_bytes(b"no study")
    gone = place.library.delete(place.found())
    assert gone.keys == ()
    assert str(tmp_path / "elsewhere" / "mine.tourstudy") in gone.refused[f"study:{study}"]
    assert len(gone.refused) == 2


def test_study_in_use_is_kept(place):
    study = place.study()
    lock = StudyLock(place.studies.path(study))
    assert place.library.get(f"study:{study}").state == "elsewhere"
    assert "Another process" in place.library.delete([f"study:{study}"]).refused[f"study:{study}"]
    lock.close()
    assert place.library.delete([f"study:{study}"]).refused == {}


ODD = ["a b", "a\nb", "-rf", "'; DROP TABLE files; --", "%2e%2e", "\u202egnp", "a" * 200]


@pytest.mark.parametrize("name", ODD)
def test_studies_with_odd_names_are_deleted_and_restored(place, name):
    study = place.study(name)
    before = files(place.home)
    gone = place.library.delete([f"study:{study}"])
    assert gone.refused == {}
    place.library.undo(gone.token)
    assert files(place.home) == before
    assert place.found() == [f"study:{study}"]


@pytest.mark.skipif(os.name == "nt", reason="names are no bytes there")
def test_study_with_an_undecodable_name_is_harmless(place):
    other = place.study()
    odd = os.fsencode(place.studies.folders[0]) + b"/\xff.tourstudy"
    os.rename(os.fsencode(place.studies.path(place.study("second"))), odd)
    assert len(place.found()) == 2
    key = next(key for key in place.found() if key != f"study:{other}")
    gone = place.library.delete([key])
    assert not os.path.exists(odd)
    assert place.library.undo(gone.token) == (key,)
    assert os.path.exists(odd)


def outside_folder(tmp_path):
    folder = tmp_path / "outside"
    folder.mkdir()
    return folder


def test_deleting_a_link_keeps_its_target(place, tmp_path):
    target = write_run(outside_folder(tmp_path) / "kept.tourscope")
    run = new_id()
    place.run_service.home.new_path(run).symlink_to(target)
    before = target.read_bytes()
    gone = place.library.delete([f"run:{run}"])
    assert gone.keys == (f"run:{run}",)
    place.library.empty_trash()
    assert target.read_bytes() == before
    assert place.run_service.summary(run) is None


def test_folder_that_is_an_outside_link_is_left_alone(place, tmp_path):
    runs = place.home / "runs"
    runs.rmdir()
    runs.symlink_to(outside_folder(tmp_path))
    run = place.run()
    before = files(tmp_path / "outside")
    gone = place.library.delete([f"run:{run}"])
    assert "is a link" in gone.refused[f"run:{run}"]
    assert files(tmp_path / "outside") == before
    assert place.library.trash() == []


def test_trash_that_is_a_link_takes_and_loses_nothing(place, tmp_path):
    token = outside_folder(tmp_path) / ("a" * 16)
    token.mkdir()
    (token / "kept").write_text("kept")
    (place.home / "trash").symlink_to(tmp_path / "outside")
    run = place.run()
    assert place.library.delete([f"run:{run}"]).refused
    assert place.library.empty_trash() == 0
    assert (token / "kept").read_text() == "kept"


def test_emptying_the_trash_follows_no_link(place, tmp_path):
    (outside_folder(tmp_path) / "kept").write_text("kept")
    token = place.library.delete([f"run:{place.run()}"]).token
    (place.home / "trash" / token / "more").symlink_to(tmp_path / "outside")
    (place.home / "trash" / ("b" * 16)).symlink_to(tmp_path / "outside")
    (place.home / "trash" / "not ours").mkdir()
    assert place.library.empty_trash() == 1
    assert (tmp_path / "outside" / "kept").read_text() == "kept"
    assert (place.home / "trash" / "not ours").is_dir()


@pytest.mark.parametrize(
    "file",
    [["..", "outside"], ["runs", "../../outside"], ["runs", ".."], ["/etc", "x"], ["runs", ""], ["runs"], "x", 5],
)
def test_manifest_pointing_elsewhere_restores_nothing(place, tmp_path, file):
    token = place.library.delete([f"run:{place.run()}"]).token
    manifest = place.home / "trash" / token / "manifest.json"
    value = json.loads(manifest.read_text())
    value["entries"][0]["files"] = [file]
    manifest.write_text(json.dumps(value))
    assert place.library.trash() == []
    with pytest.raises(NoSuchEntry):
        place.library.undo(token)
    assert place.found() == []


@pytest.mark.parametrize("token", ["", "..", "../runs", "a" * 16, "x" * 5000, "\0"])
def test_invalid_token_restores_nothing(place, token):
    with pytest.raises(NoSuchEntry):
        place.library.undo(token)


def test_restoring_overwrites_nothing(place):
    run = place.run(length=8000)
    token = place.library.delete([f"run:{run}"]).token
    write_run(place.run_service.home.new_path(run), length=9999)
    with pytest.raises(NoSuchEntry):
        place.library.undo(token)
    assert place.run_service.summary(run)["length"] == 9999


def test_entry_with_an_immovable_file_stays_complete(place, monkeypatch):
    lanes = place.run(), place.run()
    race, alone = place.race(*lanes), place.run()
    before, move = files(place.home), os.rename

    def fail_to_move(source, target):
        if lanes[1] in str(source):
            raise PermissionError(13, "in use")
        move(source, target)

    monkeypatch.setattr("runs.library.trash.os.rename", fail_to_move)
    gone = place.library.delete([f"race:{race}", f"run:{alone}"])
    assert gone.keys == (f"run:{alone}",)
    assert "try again" in gone.refused[f"race:{race}"]
    place.library.undo(gone.token)
    assert files(place.home) == before


def test_trash_is_emptied_at_startup_after_seven_days(place, monkeypatch):
    old, new = (place.library.delete([f"run:{place.run()}"]).token for _ in range(2))
    manifest = place.home / "trash" / old / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"when": ', '"when": 1e3, "was": '))
    again = Library(place.home, place.run_service, place.races, place.studies)
    assert [each.token for each in again.trash()] == [new]
    again.close()
    assert trash.RETENTION_SECONDS == 7 * 24 * 3600


def test_viewer_of_a_deleted_run_is_notified(place):
    app = FastAPI()
    add_routes(app, place.run_service, "/")
    run = place.run()
    with TestClient(app).websocket_connect("/stream") as socket:
        socket.send_json({"op": "open", "run": run, "after": 0})
        message, answer = 0, ""
        while answer != "log":
            frame = decode_first(socket.receive_bytes())
            answer, message = frame.values.get("what", ""), frame.values.get("message", message)
            socket.send_json({"op": "ack", "message": message})
        place.library.delete([f"run:{run}"])
        while (frame := decode_first(socket.receive_bytes())).kind != "refused":
            assert frame.kind in ("status", "message")
        assert frame.values == {"run": run, "sentence": "There is no such run."}
        socket.send_text("no message")  # by which the server closes it
        assert socket.receive()["type"] == "websocket.close"


def decode_first(raw):
    return decode(raw[: int.from_bytes(raw[:4], "little")])
