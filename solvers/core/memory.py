"""How much memory a run may use on this machine, within the limits of the system and the container."""

import os
import shutil
from pathlib import Path

#: Bytes of memory that must be available before another process compiles kernels; this takes 0.9 GB.
COMPILER_BYTES = 3 << 29
#: Values above this mean no limit: Linux reports a huge number for a group without a limit.
_NO_LIMIT = 1 << 60
_PROC, _GROUPS = Path("/proc"), Path("/sys/fs/cgroup")
#: Linux's folder of shared memory; on other systems its size is unknown.
SHARED = Path("/dev/shm")
#: Bytes of free space that Open MPI needs per byte of a window; with less, it ends one process and leaves the others
#: running.
_WINDOW_OVERHEAD = 1.05


def available_bytes(proc: Path = _PROC, groups: Path = _GROUPS) -> int:
    """Return how many bytes this process can allocate without swapping, at least 1; 0 if unknown.

    Parameters
    ----------
    proc, groups : Path
        Linux's folders of processes (``/proc``) and of control groups, which set a container's limits.
    """
    limits = [_read_system_memory(proc), *_group_memory(proc, groups)]
    bounds = [free for free in limits if free is not None]
    return max(1, min(bounds)) if bounds else 0


def resident_bytes() -> int:
    """Return how many bytes of memory this process uses; 0 if unknown."""
    pages = _read_text(_PROC / "self" / "statm").split()
    return int(pages[1]) * os.sysconf("SC_PAGE_SIZE") if len(pages) > 1 else 0


def shared_bytes(folder: Path = SHARED) -> int:
    """Return how many bytes MPI processes can still share, at least 1; 0 if unknown.

    Parameters
    ----------
    folder : Path
        The folder of shared memory; by default, a container has 64 MB there.
    """
    try:
        return max(1, int(shutil.disk_usage(folder).free / _WINDOW_OVERHEAD))
    except OSError:
        return 0


def _read_system_memory(proc: Path) -> int | None:
    """Return the system's available memory on Linux, and all of its memory elsewhere."""
    for line in _read_text(proc / "meminfo").splitlines():
        name, _, value = line.partition(":")
        if name == "MemAvailable":
            return int(value.split()[0]) << 10
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not available on Windows
        return None


def _group_memory(proc: Path, groups: Path) -> list[int]:
    """Return the remaining memory of this process's control group and of each parent group."""
    limits = []
    for line in _read_text(proc / "self" / "cgroup").splitlines():
        number, controllers, path = line.split(":", 2)
        if number == "0":
            root, names = groups, ("memory.max", "memory.current", "inactive_file")
        elif "memory" in controllers.split(","):
            root, names = groups / "memory", ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
        else:
            continue
        parts = [part for part in path.split("/") if part not in ("", "..")]
        limits += [_read_remaining_memory(root.joinpath(*parts[:k]), *names) for k in range(len(parts) + 1)]
    return [limit for limit in limits if limit is not None]


def _read_remaining_memory(group: Path, limit: str, used: str, cached: str) -> int | None:
    """Return a group's limit minus its usage, in which cached files that can be dropped do not count."""
    maximum, now = _read_text(group / limit).strip(), _read_text(group / used).strip()
    if not maximum.isdecimal() or not now.isdecimal() or int(maximum) >= _NO_LIMIT:
        return None
    stat = dict(line.split(" ", 1) for line in _read_text(group / "memory.stat").splitlines() if " " in line)
    return max(0, int(maximum) - int(now) + int(stat.get(cached, "0")))


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except (OSError, ValueError):
        return ""
