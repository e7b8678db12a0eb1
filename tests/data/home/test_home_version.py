"""A data folder of a newer release is refused unchanged, in one sentence."""

import json
import sys

import pytest

import app
from data.home import version
from data.home.errors import HomeRefused
from data.home.version import MARKER, VERSION, check_version, mark_version
from runs.store.home import Home
from tests.tables import each_row


def contents(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def test_folder_without_a_version_is_of_the_first(tmp_path):
    assert check_version(tmp_path) == 1
    assert check_version(tmp_path / "missing") == 1
    assert not contents(tmp_path)


def test_an_opened_folder_is_marked(tmp_path):
    Home(tmp_path / "home").close()
    assert json.loads((tmp_path / "home" / MARKER).read_text()) == {"format": VERSION}
    Home(tmp_path / "home").close()


def test_older_version_is_readable_and_keeps_its_mark(tmp_path, monkeypatch):
    mark_version(tmp_path)
    monkeypatch.setattr(version, "VERSION", VERSION + 1)
    assert check_version(tmp_path) == VERSION
    mark_version(tmp_path)
    assert json.loads((tmp_path / MARKER).read_text()) == {"format": VERSION}


def test_newer_folder_is_refused_untouched(tmp_path):
    (tmp_path / MARKER).write_text(json.dumps({"format": VERSION + 1, "more": "of a newer release"}))
    with pytest.raises(HomeRefused, match=f"has version {VERSION + 1}, of a newer release of TourScope"):
        Home(tmp_path)
    assert contents(tmp_path) == [MARKER]


@each_row("text", ["", "{", "[]", '{"format": "1"}', '{"format": 0}', '{"format": true}'])
def test_unreadable_version_is_refused(tmp_path, text):
    (tmp_path / MARKER).write_text(text)
    with pytest.raises(HomeRefused, match="cannot be read"):
        check_version(tmp_path)


def test_a_full_disk_does_not_keep_a_server_from_starting(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(version, "write_whole", full)
    mark_version(tmp_path)
    assert not contents(tmp_path)


def test_server_reports_it_in_one_sentence(tmp_path, monkeypatch):
    (tmp_path / MARKER).write_text('{"format": 1000}')
    monkeypatch.setattr(sys, "argv", ["app.py", "--port", "0", "--home", str(tmp_path)])
    with pytest.raises(SystemExit) as ended:
        app.make_services(app.parse_options(), (), None)
    assert ended.value.code == f"The data folder {tmp_path} has version 1000, of a newer release of TourScope; " \
        "this release reads version 1."  # fmt: skip
    assert contents(tmp_path) == [MARKER]
