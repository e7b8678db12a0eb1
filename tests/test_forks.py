"""Tests in forks: all reports arrive, fixtures end with their fork, and a fork that dies is told."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere tests run by pytest-xdist"),
]
PASSING = """
import pytest
from pathlib import Path

@pytest.fixture(scope="session")
def folder():
    yield Path(__file__).parent
    (Path(__file__).parent / "ended").touch()

def test_a_row(folder):
    assert folder.exists()
"""
FAILING = """
import os

def test_fails():
    print("said")
    assert False, "on purpose"

def test_dies():
    os._exit(3)
"""


def test_forks_run_all_files(tmp_path):
    for name, text in (("passing", PASSING), ("again", PASSING), ("failing", FAILING)):
        (tmp_path / f"test_{name}.py").write_text(text)
    options = ["-q", "-p", "tests.forks", "--forks", "2", "-c", "/dev/null", "--rootdir", str(tmp_path), str(tmp_path)]
    root = Path(__file__).resolve().parents[1]
    done = subprocess.run([sys.executable, "-m", "pytest", *options], cwd=root, capture_output=True, text=True)
    assert done.returncode == 1
    for words in ("1 failed, 2 passed", "on purpose", "Captured stdout", "status 3 in test_failing.py::test_dies"):
        assert words in done.stdout
    assert (tmp_path / "ended").exists()
