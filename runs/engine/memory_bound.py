"""Limits a worker's memory, so that an oversized run fails without affecting others."""

from pathlib import Path

from solvers.core.memory import available_bytes

#: Share of the available memory that a worker may take; the rest is for other processes.
_SHARE = 0.9
_STATUS = Path("/proc/self/status")


def limit_memory() -> None:
    """Limit this process's memory to a share of the available memory, on Linux.

    Without a limit the system would kill an arbitrary process. Each call measures the available memory again.
    """
    free, used = available_bytes(), _measure_data_bytes()
    if not free or not used:
        return
    import resource  # Windows lacks this module

    soft, hard = used + int(free * _SHARE), resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _measure_data_bytes() -> int:
    """Return the bytes of this process that count towards the limit; 0 if unknown."""
    try:
        fields = _STATUS.read_text().partition("VmData:")[2].split()
    except OSError:
        return 0
    return int(fields[0]) << 10 if fields else 0
