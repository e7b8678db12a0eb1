"""The free memory for a run: from the system, and from this process's control groups."""

from types import SimpleNamespace

import pytest

from solvers.core.devices import probe
from solvers.core.memory import available_bytes, shared_bytes
from tests.tables import each_row

MEMINFO = "MemTotal: 8000 kB\nMemFree: 1000 kB\nMemAvailable:    6000 kB\nSwapFree: 9 kB\n"


@pytest.fixture
def machine(tmp_path):
    """Folders as on Linux: 6,000 KiB available, and a process in a group of version 2."""
    proc, groups = tmp_path / "proc", tmp_path / "cgroup"
    (proc / "self").mkdir(parents=True)
    (proc / "meminfo").write_text(MEMINFO)
    (proc / "self" / "cgroup").write_text("0::/user/inner\n")
    (groups / "user" / "inner").mkdir(parents=True)
    return proc, groups


def write_limits(folder, most, used: int, cached: int) -> None:
    (folder / "memory.max").write_text(f"{most}\n")
    (folder / "memory.current").write_text(f"{used}\n")
    (folder / "memory.stat").write_text(f"anon 5\ninactive_file {cached}\nfile 7\n")


def test_without_limits_it_is_the_systems_memory(machine):
    write_limits(machine[1] / "user", "max", 500, 100)
    assert available_bytes(*machine) == 6000 << 10


def test_narrowest_group_decides_without_cached_files(machine):
    write_limits(machine[1] / "user" / "inner", 4_000_000, 1_000_000, 200_000)
    write_limits(machine[1] / "user", 3_000_000, 1_500_000, 300_000)
    assert available_bytes(*machine) == 1_800_000


def test_full_group_leaves_nothing_rather_than_unknown(machine):
    write_limits(machine[1] / "user", 1000, 5000, 10)
    assert available_bytes(*machine) == 1


def test_missing_information_is_unknown(tmp_path, monkeypatch):
    monkeypatch.delattr("os.sysconf")
    assert available_bytes(tmp_path, tmp_path) == 0


@each_row(("free", "left"), [(64 << 20, 63_913_203), (0, 1)])
def test_shared_memory_is_divided_between_processes(free, left, tmp_path, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda place: SimpleNamespace(free=free if place == tmp_path else None))
    assert shared_bytes(tmp_path) == left


def test_missing_shared_memory_is_unknown(tmp_path):
    assert shared_bytes(tmp_path / "none") == 0


@pytest.mark.parametrize(("limit", "left"), [(2_000_000, 1_500_300), (9_223_372_036_854_771_712, 6000 << 10)])
def test_first_version_of_groups_has_other_names(machine, limit, left):
    proc, groups = machine
    (proc / "self" / "cgroup").write_text("5:cpu:/user\n4:hugetlb,memory:/user/../user\n0::/\n")
    group = groups / "memory" / "user" / "user"
    group.mkdir(parents=True)
    (group / "memory.limit_in_bytes").write_text(f"{limit}\n")
    (group / "memory.usage_in_bytes").write_text("500000\n")
    (group / "memory.stat").write_text("total_inactive_file 300\n")
    assert available_bytes(proc, groups) == left


def test_devices_report_it():
    cpu, *_ = probe()
    assert 1 << 20 < cpu.memory < 1 << 50
