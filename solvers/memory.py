"""Free memory for a run on this machine: of the system's memory and of a container's limit."""

import os
import shutil
from pathlib import Path

#: Bytes of available memory for a process that compiles kernels, which needs 0.9 GB.
COMPILER_BYTES = 3 << 29
#: Limits above this mean no limit: Linux gives a group without a limit a huge one.
_NO_LIMIT = 1 << 60
_PROC, _GROUPS = Path("/proc"), Path("/sys/fs/cgroup")
#: Where Linux keeps shared memory; on other systems its limit is unknown.
SHARED = Path("/dev/shm")
#: Free space that Open MPI needs for each byte of a window: with less, it ends one process and leaves the others.
_ROOM = 1.05


def available_bytes(proc: Path = _PROC, groups: Path = _GROUPS) -> int:
    """Return the bytes that this process can still allocate without swapping, at least 1; 0 if unknown.

    Parameters
    ----------
    proc, groups : Path
        Linux's folders of processes (``/proc``) and of control groups, which set a container's limits.
    """
    found = [_of_system(proc), *_of_groups(proc, groups)]
    known = [free for free in found if free is not None]
    return max(1, min(known)) if known else 0


def resident_bytes(proc: Path = _PROC) -> int:
    """Return the bytes of memory that this process uses; 0 if unknown."""
    pages = _text(proc / "self" / "statm").split()
    return int(pages[1]) * os.sysconf("SC_PAGE_SIZE") if len(pages) > 1 else 0


def shared_bytes(place: Path = SHARED) -> int:
    """Return the bytes of tables that processes can still share by MPI, at least 1; 0 if unknown.

    Parameters
    ----------
    place : Path
        The folder of shared memory: a container has 64 MB there by default.
    """
    try:
        return max(1, int(shutil.disk_usage(place).free / _ROOM))
    except OSError:
        return 0


def _of_system(proc: Path) -> int | None:
    """The system's memory: on Linux the available part, elsewhere all of it."""
    for line in _text(proc / "meminfo").splitlines():
        name, _, value = line.partition(":")
        if name == "MemAvailable":
            return int(value.split()[0]) << 10
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # as on Windows
        return None


def _of_groups(proc: Path, groups: Path) -> list[int]:
    """The remainder of the limit of each control group of this process: its own, and its parents."""
    found = []
    for line in _text(proc / "self" / "cgroup").splitlines():
        number, controllers, path = line.split(":", 2)
        if number == "0":
            root, names = groups, ("memory.max", "memory.current", "inactive_file")
        elif "memory" in controllers.split(","):
            root, names = groups / "memory", ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
        else:
            continue
        parts = [part for part in path.split("/") if part not in ("", "..")]
        found += [_left(root.joinpath(*parts[:k]), *names) for k in range(len(parts) + 1)]
    return [left for left in found if left is not None]


def _left(group: Path, limit: str, used: str, cached: str) -> int | None:
    """A group's limit minus its use; cached files that can be dropped do not count as use."""
    most, now = _text(group / limit).strip(), _text(group / used).strip()
    if not most.isdecimal() or not now.isdecimal() or int(most) >= _NO_LIMIT:
        return None
    stat = dict(line.split(" ", 1) for line in _text(group / "memory.stat").splitlines() if " " in line)
    return max(0, int(most) - int(now) + int(stat.get(cached, "0")))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except (OSError, ValueError):
        return ""
