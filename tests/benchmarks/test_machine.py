"""The description of the machine in results."""

import subprocess
import tarfile
from io import BytesIO
from pathlib import Path

from benchmarks.machine import find_commit


def test_commit_is_that_of_the_checkout(tmp_path):
    def git(*words):
        subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@b", *words], cwd=tmp_path, check=True)

    assert find_commit(tmp_path) is None
    git("init", "--quiet")
    (tmp_path / "file").write_text("1")
    (tmp_path / "folder").mkdir()
    git("add", ".")
    git("commit", "--quiet", "-m", "first")
    name = find_commit(tmp_path)
    assert name is not None
    assert len(name) == 12
    assert find_commit(tmp_path / "folder") is None  # a program that is installed within another's checkout
    (tmp_path / "file").write_text("2")
    assert find_commit(tmp_path) == f"{name}+"


def test_archive_names_its_commit(tmp_path):
    git = ["git", "-C", str(Path(__file__).parents[2])]
    whole = subprocess.run([*git, "archive", "HEAD", "benchmarks"], capture_output=True, check=True).stdout
    with tarfile.open(fileobj=BytesIO(whole)) as files:
        files.extractall(tmp_path, filter="data")
    head = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    assert find_commit(tmp_path) == head[:12]
