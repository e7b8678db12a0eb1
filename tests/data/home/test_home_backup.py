"""A backup restores the data folder, including files that are being written; hostile backups are refused."""

import json
import os
import random
import shutil
import sqlite3
import stat
from collections import namedtuple
from contextlib import closing
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pytest

from data.__main__ import main
from data.home import restore as restoring
from data.home.backup import MANIFEST, back_up
from data.home.errors import HomeRefused
from data.home.restore import restore
from data.home.version import MARKER
from data.sqlite_files import open_database
from tests.tables import each_row


def data_folder(folder):
    """A data folder with a file of every kind as plain text, and one database."""
    for name in ("races/abc.json", "instances/x.tsp", "trash/token/manifest.json", "labels.json", "lessons/mine.md"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"this is {name}")
    (folder / "runs").mkdir()
    with closing(sqlite3.connect(folder / "runs" / "one.tourscope")) as connection:
        connection.executescript("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
    return folder


def files(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def values(path):
    with closing(sqlite3.connect(path)) as connection:
        return [value for (value,) in connection.execute("SELECT x FROM t ORDER BY x")]


def test_backup_restores_everything(tmp_path):
    home = data_folder(tmp_path / "home")
    os.utime(home / "labels.json", ns=(10**18, 10**18 + 7))
    packed = back_up(home, tmp_path / "backup.zip")
    assert restore(tmp_path / "backup.zip", tmp_path / "again") == packed
    then, now = files(home), files(tmp_path / "again")
    assert now.pop(MARKER)
    assert then.pop("runs/one.tourscope")[:16] == now.pop("runs/one.tourscope")[:16]
    assert then == now
    assert values(tmp_path / "again/runs/one.tourscope") == [1]
    assert (tmp_path / "again/labels.json").stat().st_mtime_ns == 10**18 + 7
    if os.name == "posix":
        modes = [stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "backup.zip", tmp_path / "again")]
        assert modes == [0o600, 0o700]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again", "backup.zip", "home"]


def test_open_database_is_copied_at_one_moment(tmp_path):
    home = data_folder(tmp_path / "home")
    with closing(open_database(home / "runs" / "one.tourscope")) as writer:
        writer.execute("INSERT INTO t VALUES (2)")  # in the write-ahead log alone
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("INSERT INTO t VALUES (3)")
        assert (home / "runs" / "one.tourscope-wal").stat().st_size > 0
        back_up(home, tmp_path / "backup.zip")
        writer.execute("COMMIT")
    restore(tmp_path / "backup.zip", tmp_path / "again")
    assert values(tmp_path / "again/runs/one.tourscope") == [1, 2]
    assert not list((tmp_path / "again/runs").glob("*-wal"))


def test_derived_and_temporary_files_are_omitted(tmp_path):
    home = data_folder(tmp_path / "home")
    for name in ("lock", "catalogue.sqlite", "runs/a.tourstudy.lock", "labels.json.12ab34cd.part", "incoming/x/upload"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("passing")
    before = {name for name, content in files(home).items() if content != b"passing"}
    assert back_up(home, tmp_path / "backup.zip").files.keys() == before


def test_damaged_file_is_copied_unchanged(tmp_path):
    home = data_folder(tmp_path / "home")
    damaged = b"SQLite format 3\0" + b"\xff" * 5000
    (home / "runs" / "bad.tourscope").write_bytes(damaged)
    back_up(home, tmp_path / "backup.zip")
    restore(tmp_path / "backup.zip", tmp_path / "again")
    assert (tmp_path / "again/runs/bad.tourscope").read_bytes() == damaged


def test_file_deleted_meanwhile_is_ignored(tmp_path, monkeypatch):
    home = data_folder(tmp_path / "home")
    gone = home / "races" / "abc.json"
    there = type(gone).stat

    def fake_stat(path, **more):
        found = there(path, **more)
        if path == gone:
            gone.unlink(missing_ok=True)
        return found

    monkeypatch.setattr(type(gone), "stat", fake_stat)
    assert "races/abc.json" not in back_up(home, tmp_path / "backup.zip").files
    monkeypatch.undo()
    restore(tmp_path / "backup.zip", tmp_path / "again")


def test_races_precede_their_runs(tmp_path):
    names = list(back_up(data_folder(tmp_path / "home"), tmp_path / "backup.zip").files)
    assert names[-1] == "runs/one.tourscope"


@pytest.mark.skipif(os.name != "posix", reason="links need rights on Windows")
def test_links_are_reported_rather_than_followed(tmp_path, capsys):
    home = data_folder(tmp_path / "home")
    (tmp_path / "secret").write_text("secret")
    (home / "library").symlink_to(tmp_path)
    (home / "races" / "link.json").symlink_to(tmp_path / "secret")
    assert main(["backup", str(tmp_path / "backup.zip"), "--home", str(home)]) == 0
    assert "Left out" in (output := capsys.readouterr().out)
    assert "library" in output
    assert "races/link.json" in output
    with ZipFile(tmp_path / "backup.zip") as archive:
        assert not [name for name in archive.namelist() if "library" in name or "link" in name]


def test_nothing_is_overwritten(tmp_path, capsys):
    home = data_folder(tmp_path / "home")
    target = tmp_path / "backup.zip"
    assert main(["backup", str(target), "--home", str(home)]) == 0
    assert main(["backup", str(target), "--home", str(home)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert main(["backup", str(home / "inside.zip"), "--home", str(home)]) == 2
    assert "outside the data folder" in capsys.readouterr().err
    before = files(home)
    assert main(["restore", str(target), "--home", str(home)]) == 2
    assert "nothing is overwritten" in capsys.readouterr().err
    assert files(home) == before
    (tmp_path / "empty").mkdir()
    assert main(["restore", str(target), "--home", str(tmp_path / "empty")]) == 0
    assert "has 6 files (0.0 MB) of" in capsys.readouterr().out
    assert main(["restore", str(tmp_path / "missing.zip"), "--home", str(tmp_path / "other")]) == 2
    assert capsys.readouterr().err == "It failed: No such file or directory.\n"


def test_folder_of_a_newer_release_is_not_packed(tmp_path):
    home = data_folder(tmp_path / "home")
    (home / MARKER).write_text('{"format": 1000}')
    with pytest.raises(HomeRefused, match="newer release"):
        back_up(home, tmp_path / "backup.zip")


def forge_backup(path, members, listed=None, **head):
    """A backup with these members, each a name or a `ZipInfo`; the manifest lists them or the given files."""
    facts = {getattr(name, "filename", name): [len(content), 0] for name, content in members}
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
        archive.writestr(MANIFEST, json.dumps({"format": 1, "home": 1, "files": facts, **(listed or {}), **head}))
    return path


def link(name):
    info = ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


@each_row(
    ("members", "expected"),
    [
        ([("../outside", "x")], "not below the data folder"),
        ([("/tmp/outside", "x")], "not below the data folder"),
        ([("runs/../../outside", "x")], "not below the data folder"),
        ([("runs//x", "x")], "not below the data folder"),
        ([("runs\\..\\..\\outside", "x")], "not below the data folder|damaged"),
        ([("runs/\x1b[31m", "x")], "not below the data folder"),
        ([(link("runs/link"), "/etc/passwd")], "no plain file"),
        ([("runs/", "")], "not below the data folder|no plain file"),
        ([("runs/a", "x"), ("runs/A", "y")], "damaged"),
        ([("runs", "x"), ("runs/a", "y")], "damaged"),
        ([(MARKER, '{"format": 1000}')], "damaged"),
    ],
)
def test_hostile_backup_is_refused_without_traces(tmp_path, members, expected):
    before = files(tmp_path)
    source = forge_backup(tmp_path / "hostile.zip", members)
    with pytest.raises(HomeRefused, match=expected):
        restore(source, tmp_path / "below" / "home")
    source.unlink()
    assert files(tmp_path) == before
    assert not list((tmp_path / "below").iterdir())


@each_row(
    ("head", "expected"),
    [
        ({"format": 2}, "The backup has version 2, of a newer release"),
        ({"home": 1000}, "The data folder in this backup has version 1000"),
        ({"format": None}, "damaged"),
        ({"files": {}}, "damaged"),
        ({"files": {"runs/x": [2, 0]}}, "damaged"),
        ({"files": {"runs/x": [1, -1]}}, "damaged"),
        ({"files": {"runs/x": [True, 0]}}, "damaged"),
        ({"files": []}, "damaged"),
    ],
)
def test_mismatched_manifest_is_refused(tmp_path, head, expected):
    source = forge_backup(tmp_path / "backup.zip", [("runs/x", "x")], **head)
    with pytest.raises(HomeRefused, match=expected):
        restore(source, tmp_path / "home")


def test_backup_larger_than_the_disk_is_refused_before_writing(tmp_path, monkeypatch):
    source = forge_backup(tmp_path / "backup.zip", [("runs/x", b"\0" * 10_000_000)])
    usage = namedtuple("usage", "free")
    monkeypatch.setattr(restoring.shutil, "disk_usage", lambda _: usage(restoring._MIN_FREE + 9_999_999))
    monkeypatch.setattr(restoring, "_unpack", lambda *_: pytest.fail("something was written"))
    with pytest.raises(HomeRefused, match="no room for the 10 MB"):
        restore(source, tmp_path / "home")


def test_damage_is_found_without_traces(tmp_path):
    back_up(data_folder(tmp_path / "home"), tmp_path / "backup.zip")
    sound, draws = (tmp_path / "backup.zip").read_bytes(), random.Random(1)
    folder = files(tmp_path / "home").keys() | {MARKER}
    for _ in range(150):
        damaged = bytearray(sound[: draws.choice([len(sound), draws.randrange(len(sound))])])
        for _ in range(draws.randrange(1, 4)):
            damaged[draws.randrange(len(damaged))] = draws.randrange(256)
        (tmp_path / "damaged.zip").write_bytes(damaged)
        try:
            restore(tmp_path / "damaged.zip", tmp_path / "again")
        except HomeRefused:
            assert not (tmp_path / "again").exists()
        else:  # what was changed is told nowhere, such as a member's time
            assert files(tmp_path / "again").keys() == folder
            shutil.rmtree(tmp_path / "again")
