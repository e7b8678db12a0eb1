"""Two processes compile a function for different types at once: the folder of compiled kernels has both."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from data.lock import open_locked
from solvers.worker import numba_cache

ROOT = Path(__file__).resolve().parents[3]
FUNCTION = """
from numba import njit

@njit(cache=True)
def twice(x):
    return x + x
"""
#: Compiles the function for the type of its last argument. Before it writes the index that it has read, it waits for
#: the other process to have read it too, which one that takes its turn does not.
COMPILES = """
import sys, time
from pathlib import Path
from solvers.worker.worker_io import import_numba

import_numba()
from numba.core import caching

folder, own, other, number = Path(sys.argv[1]), *sys.argv[2:]
write = caching.IndexDataCacheFile._save_index

def write_late(self, overloads):
    (folder / own).touch()
    end = time.monotonic() + 1
    while not (folder / other).exists() and time.monotonic() < end:
        time.sleep(0.01)
    write(self, overloads)

caching.IndexDataCacheFile._save_index = write_late
sys.path.insert(0, sys.argv[1])
import tiny

tiny.twice(eval(number))
"""
#: Calls it with both types, and prints how many were compiled before and how many only now, and the results.
LOADS = """
import sys
import solvers.kernels

sys.path.insert(0, sys.argv[1])
import tiny

answers = tiny.twice(3), tiny.twice(1.25)
print(sum(tiny.twice.stats.cache_hits.values()), sum(tiny.twice.stats.cache_misses.values()), *answers)
"""


@pytest.mark.long
def test_two_processes_compiling_one_function_both_cache_it(tmp_path):
    (tmp_path / "tiny.py").write_text(FUNCTION)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def started(program: str, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", program, str(tmp_path), *arguments]
        return subprocess.Popen(command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, text=True)

    both = started(COMPILES, "a", "b", "3"), started(COMPILES, "b", "a", "1.25")
    assert [each.wait(timeout=300) for each in both] == [0, 0]
    answer, _ = started(LOADS).communicate(timeout=300)
    assert answer.split() == ["2", "0", "6", "2.5"]


def test_missing_lock_is_awaited_once(tmp_path, monkeypatch):
    monkeypatch.setattr(numba_cache, "_PATIENCE", 0.2)
    monkeypatch.setattr(numba_cache._SharedIndex, "waits", True)
    taken = open_locked(tmp_path / "lock")
    began = time.monotonic()
    for _ in range(20):
        with numba_cache._turn(tmp_path / "lock"):
            continue
    assert numba_cache._PATIENCE <= time.monotonic() - began < 2
    os.close(taken)
