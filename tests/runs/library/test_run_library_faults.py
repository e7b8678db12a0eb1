"""Failures of the library: killed midway, a full disk, concurrent servers, and files of other kinds."""

import os
import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from runs.library.service import Library, NoSuchEntry
from runs.store.home import DataFolderGone
from runs.store.open_run import UnreadableRun
from runs.web.routes import add_routes
from solvers.core.errors import RunFailed
from solvers.worker.frames import decode
from tests.runs.library.library_place import Place, files
from tests.runs.made_up_runs import new_id
from tests.sqlite_files import change
from tests.tables import each_row


def test_removed_folder_is_reported_rather_than_shown_empty(tmp_path):
    place = Place(tmp_path / "home")
    place.run()
    assert place.library.search().total == 1
    shutil.rmtree(tmp_path / "home")
    with pytest.raises(DataFolderGone):
        place.library.search()


class Killed(BaseException):
    """An exception that no handler catches, like SIGKILL."""


@pytest.fixture
def place(tmp_path):
    result = Place(tmp_path / "home")
    yield result
    result.close()


@pytest.fixture
def race_entry(place):
    """A race of two lanes with a name and tags, and its key."""
    key = f"race:{place.race(place.run(), place.run())}"
    place.library.rename(key, "Mine")
    place.library.tag([key], add=["a", "b"])
    return key


def killed_at(monkeypatch, move: int, work) -> bool:
    """Call a function and interrupt it before the file with this number is moved; return whether that happened."""
    rename, moves = os.rename, []

    def rename_or_die(source, target):
        moves.append(source)
        if len(moves) > move:
            raise Killed
        rename(source, target)

    with monkeypatch.context() as patched:
        patched.setattr("runs.library.trash.os.rename", rename_or_die)
        try:
            work()
        except Killed:
            return True
    return False


def reopen_library(place) -> Library:
    """The library of the next server."""
    place.library.close()
    place.library = Library(place.home, place.run_service, place.races, place.studies)
    return place.library


@pytest.mark.parametrize("action", ["deletion", "undo"])
@pytest.mark.parametrize("move", range(4))
def test_kill_during_a_deletion_or_undo_loses_nothing(place, race_entry, monkeypatch, move, action):
    before, library = files(place.home), place.library
    token = library.delete([race_entry]).token if action == "undo" else ""
    assert killed_at(monkeypatch, move, lambda: library.undo(token) if token else library.delete([race_entry])) == (
        move < 3
    )
    library = reopen_library(place)
    for each in library.trash():
        library.undo(each.token)
    assert files(place.home) == before
    assert (library.get(race_entry).name, library.get(race_entry).tags) == ("Mine", ("a", "b"))
    assert library.trash() == []


def raise_full(*_):
    raise OSError(28, "No space left on device")


def test_full_disk_refuses_everything_without_loss(place, race_entry, monkeypatch):
    before = files(place.home)
    gone = f"run:{place.run()}"
    place.library.rename(gone, "Gone")
    token = place.library.delete([gone]).token
    with monkeypatch.context() as patched:
        patched.setattr("runs.library.labels.write_whole", raise_full)
        patched.setattr("runs.library.trash_manifest.write_whole", raise_full)
        for work in (
            lambda: place.library.rename(race_entry, "Other"),
            lambda: place.library.tag([race_entry], add=["c"]),
            lambda: place.library.delete([race_entry]),
            lambda: place.library.undo(token),
        ):
            with pytest.raises(RunFailed) as refused:
                work()
            assert "disk" in str(refused.value)
        assert files(place.home) == before
        assert [each.token for each in place.library.trash()] == [token]
    assert (place.library.get(race_entry).name, place.library.get(race_entry).tags) == ("Mine", ("a", "b"))
    assert [each.name for each in (place.home / "trash").iterdir()] == [token]
    place.library.undo(token)
    assert place.library.get(gone).name == "Gone"


def test_on_a_full_disk_the_trash_can_still_be_emptied(place, monkeypatch):
    place.library.delete([f"run:{place.run()}"])
    monkeypatch.setattr("runs.library.labels.write_whole", raise_full)
    monkeypatch.setattr("runs.library.trash_manifest.write_whole", raise_full)
    assert place.library.empty_trash() == 1


def test_one_of_many_identical_actions_takes_effect(place):
    keys = [f"run:{place.run()}" for _ in range(5)]
    before = files(place.home)

    def undone(token):
        try:
            return place.library.undo(token)
        except NoSuchEntry:
            return ()

    with ThreadPoolExecutor(8) as pool:
        for _ in range(5):
            all_gone = list(pool.map(place.library.delete, [keys] * 8))
            [gone] = [each for each in all_gone if each.keys]
            assert gone.keys == tuple(keys)
            assert all(len(each.refused) == 5 for each in all_gone if each is not gone)
            assert sorted(map(len, pool.map(undone, [gone.token] * 8))) == [0] * 7 + [5]
    assert files(place.home) == before


def test_names_given_during_a_deletion_are_kept_or_refused(place):
    key = f"run:{place.run()}"

    def named(number):
        try:
            return place.library.rename(key, f"name {number}").name
        except NoSuchEntry:
            return ""

    with ThreadPoolExecutor(8) as pool:
        answer = pool.map(named, range(40))
        token = pool.submit(place.library.delete, [key]).result().token
        assert any(answer)
    assert place.found() == []
    place.library.undo(token)
    assert place.library.get(key).name in {f"name {number}" for number in range(40)}


def test_restored_entries_are_not_read_again(place, monkeypatch):
    keys = [f"run:{place.run()}" for _ in range(3)]
    entries = [place.library.get(key) for key in keys]
    token = place.library.delete(keys).token
    monkeypatch.setattr("runs.library.scanner.read_facts", None)
    assert place.library.undo(token) == tuple(keys)
    assert [place.library.get(key) for key in keys] == entries


def test_folders_and_links_in_place_of_run_files_are_harmless(tmp_path):
    runs = tmp_path / "home" / "runs"
    runs.mkdir(parents=True)
    (runs / f"{new_id()}.tourscope").mkdir()
    (runs / f"{new_id()}.tourscope").symlink_to(tmp_path / "nowhere")
    (runs / f"{new_id()}.tourscope").symlink_to(tmp_path)
    os.mkfifo(runs / f"{new_id()}.tourscope")
    place = Place(tmp_path / "home")
    run = place.run()
    assert [row["id"] for row in place.run_service.recent()] == [run]
    assert place.found() == [f"run:{run}"]
    place.close()


@each_row("name", ["labels.json", "catalogue.sqlite", "trash"])
@each_row("folder", [True, False])
def test_garbage_in_place_of_library_files(tmp_path, name, folder):
    home = tmp_path / "home"
    home.mkdir()
    if folder and name != "trash":
        (home / name / "inner").mkdir(parents=True)
    else:
        (home / name).write_bytes(bytes(range(256)) * 99)
    place = Place(home)
    key = f"run:{place.run()}"
    assert place.found() == [key]
    assert place.library.trash() == []
    if name == "trash":
        with pytest.raises(RunFailed):
            place.library.delete([key])
    else:
        place.library.undo(place.library.delete([key]).token)
    assert place.library.rename(key, "x").name == "x"
    place.close()


@pytest.fixture
def damaged_run(place):
    run = new_id()
    whole = place.run_service.home.new_path(place.run()).read_bytes()
    place.run_service.home.new_path(run).write_bytes(whole[: len(whole) // 2])
    return run


def test_unreadable_run_is_refused_in_one_sentence(place, damaged_run):
    app = FastAPI()
    add_routes(app, place.run_service, "/")
    client = TestClient(app)
    for path in (
        "",
        "/result.json",
        "/best.tour",
        "/run.tourscope",
        "/climbers.csv",
        "/climbs/0",
        "/fields/0",
        "/film",
    ):
        answer = client.get(f"/runs/{damaged_run}{path}")
        assert (answer.status_code, answer.json()) == (404, {"sentence": str(UnreadableRun())})
    assert list(place.run_service.home.incoming.iterdir()) == []
    with client.websocket_connect("/stream") as socket:
        for _ in range(2):  # the stream outlives it
            socket.send_json({"op": "open", "run": damaged_run, "after": 0})
            while (frame := decode(socket.receive_bytes())).kind != "refused":
                assert frame.kind == "status"
            assert frame.values == {"run": damaged_run, "sentence": str(UnreadableRun())}
        socket.send_text("no message")  # by which the server closes it
        assert socket.receive()["type"] == "websocket.close"


def test_run_of_a_newer_release_is_named_as_such(place):
    run = place.run()
    change(place.run_service.home.new_path(run), "UPDATE run SET format = 2")
    with (
        pytest.raises(UnreadableRun, match="has format 2, of a newer release of TourScope; this release reads 1"),
        place.run_service.open_reader(run),
    ):
        pass


def test_unreadable_file_keeps_its_name(place, damaged_run):
    entry = place.library.get(f"run:{damaged_run}")
    assert (entry.name, entry.state) == (f"{damaged_run}.tourscope", "unreadable")
    assert place.found(text=damaged_run) == [entry.key]
    assert place.library.rename(entry.key, "Broken").name == "Broken"


@pytest.mark.parametrize("name", ["x" * 120, "\U0001f469\u200d\U0001f680" * 30, "<b>&amp;\"'", "\u05d0\u05d1", "="])
def test_odd_names_and_tags_are_kept(place, name):
    key = f"run:{place.run()}"
    assert place.library.rename(key, name).name == name
    place.library.tag([key], add=[name[:30]])
    assert reopen_library(place).get(key).tags == (name[:30],)
    assert place.found(text=name[:30]) == [key]
