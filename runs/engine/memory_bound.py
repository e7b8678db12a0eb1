"""Bounds the memory of a worker, so that a run that wants too much fails by itself."""

from pathlib import Path

from solvers.memory import available_bytes

#: Share of the available memory that a worker may take: others need some.
_SHARE = 0.9
_STATUS = Path("/proc/self/status")


def bound_memory(share: float = _SHARE) -> None:
    """Limit this process's memory to a share of the available memory, on Linux.

    Without it the system would end whichever process it likes. It may be called again: then what is available at that
    time counts.
    """
    free, used = available_bytes(), _data_bytes()
    if not free or not used:
        return
    import resource  # which Windows lacks

    soft, hard = used + int(free * share), resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _data_bytes() -> int:
    """The bytes of this process that count against the limit; 0 if unknown."""
    try:
        found = _STATUS.read_text().partition("VmData:")[2].split()
    except OSError:
        return 0
    return int(found[0]) << 10 if found else 0
