"""The budget of processor seconds: machines may be slow, tests may not become slower."""

import json
import subprocess
import sys
from collections import Counter

import pytest

from tests.processor_seconds import BUDGET, ROOT, compare

FAST = Counter({"tests/a.py::one": 2.0, "tests/a.py::two": 1.0, "tests/b.py::one": 1.0, "tests/c.py::one": 3.0})
BUDGET_OF_FAST = {"parts": {"checks": 10, "tests": 7}, "files": {"tests/a.py": 3, "tests/b.py": 1, "tests/c.py": 3}}


def test_a_slow_machine_keeps_within_the_budget():
    slow = Counter({name: 3 * seconds for name, seconds in FAST.items()})
    stored, table = compare(BUDGET_OF_FAST, {"checks": 30, "tests": 21}, slow)
    assert stored
    assert "3.00 times as slow" in table


def test_slowed_test_is_named():
    folder, table = compare(BUDGET_OF_FAST, {"checks": 10, "tests": 12}, FAST + Counter({"tests/b.py::one": 5.0}))
    assert not folder
    assert table.splitlines()[-4].endswith("6.0 s  tests/b.py::one")


def test_budget_has_all_parts_and_enough_files_to_measure_a_machine():
    budget = json.loads(BUDGET.read_text())
    assert set(budget["parts"]) == {"checks", "tests", "browser"}
    assert len(budget["files"]) > 20


@pytest.mark.skipif(sys.platform != "linux", reason="Elsewhere such processes are not found again.")
def test_unawaited_child_process_counts(tmp_path):
    worker = "import time\nwhile time.process_time() < 0.5: pass"
    parent = (
        "import os, subprocess, sys\n"
        f"ended = subprocess.Popen([sys.executable, '-c', {worker!r}])\n"
        "os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)\n"
        "os._exit(3)"
    )
    program = (
        "import sys\nfrom pathlib import Path\nfrom tests import processor_seconds as counted\n"
        f"counted.FOLDER = Path({str(tmp_path)!r})\n"
        f"sys.exit(counted.count('tests', [sys.executable, '-c', {parent!r}]))"
    )
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 3
    assert json.loads((tmp_path / "tests" / "part.json").read_text()) >= 0.5
