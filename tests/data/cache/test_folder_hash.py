"""A folder's hash is cached, but never used for changed files."""

import os

import pytest

from data.cache import folder_hash as module
from data.cache.folder_hash import folder_hash


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TOURSCOPE_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "folder"
    (folder / "below").mkdir(parents=True)
    for name in ("a.py", "b.txt", "below/a.py"):
        (folder / name).write_text(name)
    return folder


@pytest.fixture
def reads(folder, monkeypatch):
    """The names of the files that were read."""
    found, read_bytes = [], module.Path.read_bytes

    def read(path):
        found.append(path.relative_to(folder).as_posix())
        return read_bytes(path)

    monkeypatch.setattr(module.Path, "read_bytes", read)
    return found


def test_files_are_read_once(folder, reads):
    first = folder_hash(folder)
    assert reads == ["a.py", "b.txt", "below/a.py"]
    reads.clear()
    assert folder_hash(folder) == first
    assert reads == []
    assert len(first) == 16


@pytest.mark.parametrize("change", [
    lambda folder: (folder / "a.py").write_text("A.py"),
    lambda folder: (folder / "below/a.py").write_text("longer than before"),
    lambda folder: (folder / "c.py").write_text(""),
    lambda folder: (folder / "below/a.py").unlink(),
    lambda folder: (folder / "a.py").rename(folder / "A.py"),
], ids=["content", "size", "more", "fewer", "name"])  # fmt: skip
def test_each_change_has_its_own_hash_and_undoing_restores_the_first(folder, tmp_path, change):
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    first = folder_hash(folder, ".py")
    change(folder)
    assert folder_hash(folder, ".py") != first
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        path.unlink()
    for path, content in before.items():
        path.write_bytes(content)
    assert folder_hash(folder, ".py") == first


@pytest.mark.skipif(os.name != "posix", reason="elsewhere the time of a change is that of the creation")
def test_reset_modification_time_hides_no_change(folder):
    first, file = folder_hash(folder), folder / "a.py"
    times = file.stat().st_atime_ns, file.stat().st_mtime_ns
    file.write_text("A.py")
    os.utime(file, ns=times)
    assert folder_hash(folder) != first


def test_only_files_with_the_suffix_count(folder):
    first = folder_hash(folder, ".py")
    (folder / "b.txt").write_text("other")
    assert folder_hash(folder, ".py") == first
    assert folder_hash(folder) not in (first, folder_hash(folder / "below"))


def test_only_files_in_folders_of_the_name_count(folder):
    first = folder_hash(folder, ".py", "below")
    (folder / "a.py").write_text("other")
    assert folder_hash(folder, ".py", "below") == first
    (folder / "below" / "a.py").write_text("other")
    assert folder_hash(folder, ".py", "below") not in (first, folder_hash(folder, ".py"))


@pytest.mark.parametrize("content", [b"", b"one", b"three words here", b"\xff\xfe \xff"], ids=range(4))
def test_damaged_file_is_recreated(folder, tmp_path, content):
    first = folder_hash(folder)
    (remembered,) = (tmp_path / "cache" / "hashes").iterdir()
    right = remembered.read_bytes()
    remembered.write_bytes(content)
    assert folder_hash(folder) == first
    assert remembered.read_bytes() == right


def test_files_are_read_each_time_if_nothing_can_be_written(folder, reads, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TOURSCOPE_CACHE", str(tmp_path / "file"))
    assert folder_hash(folder) == folder_hash(folder)
    assert len(reads) == 6
