"""How much memory is free for a run on this machine: of what the system has, and of what a container may take."""

import os
import shutil
from pathlib import Path

#: A group of processes without a limit has one that no machine reaches.
_NO_LIMIT = 1 << 60
_PROC, _GROUPS = Path("/proc"), Path("/sys/fs/cgroup")
#: Where Linux keeps memory that processes share; elsewhere nobody knows how much they may take.
SHARED = Path("/dev/shm")
#: Room that Open MPI wants for a window, for each byte of it: without, it ends one process and leaves the others.
_ROOM = 1.05


def available_bytes(proc: Path = _PROC, groups: Path = _GROUPS) -> int:
    """Bytes that this process can still have without swapping, at least 1; 0 where that cannot be told.

    Parameters
    ----------
    proc, groups : Path
        Where Linux tells of processes, and of the groups by which containers are kept within their limits.
    """
    found = [_of_system(proc), *_of_groups(proc, groups)]
    known = [free for free in found if free is not None]
    return max(1, min(known)) if known else 0


def resident_bytes(proc: Path = _PROC) -> int:
    """Bytes of memory that this process has; 0 where that cannot be told."""
    pages = _text(proc / "self" / "statm").split()
    return int(pages[1]) * os.sysconf("SC_PAGE_SIZE") if len(pages) > 1 else 0


def shared_bytes(place: Path = SHARED) -> int:
    """Bytes of tables that processes can still share by MPI, at least 1; 0 where that cannot be told.

    Parameters
    ----------
    place : Path
        Where shared memory lies: a container has 64 MB there if it is not given more.
    """
    try:
        return max(1, int(shutil.disk_usage(place).free / _ROOM))
    except OSError:
        return 0


def _of_system(proc: Path) -> int | None:
    """What the system has: on Linux what it could give away, elsewhere all of its memory."""
    for line in _text(proc / "meminfo").splitlines():
        name, _, value = line.partition(":")
        if name == "MemAvailable":
            return int(value.split()[0]) << 10
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # as on Windows
        return None


def _of_groups(proc: Path, groups: Path) -> list[int]:
    """What is left to each group that this process is in: its own, and those around it."""
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
    """A group's limit less what it uses; files that it has read and nobody needs do not count."""
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
