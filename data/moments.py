"""Time stamps in seconds since 1970: validation and formatting.

Clocks may be wrong, so all times in the years 1970 to 9999 are valid, and all others are invalid.
"""

from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

#: Latest valid timestamp, a day before the end of the year 9999, so that it has a date in every time zone.
LATEST = 253_402_214_400.0


def is_moment(value: Any) -> bool:
    """Return whether an untrusted value is a valid time stamp."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= LATEST


def check_moment(value: Any) -> float:
    """Validate a time stamp.

    Raises
    ------
    ValueError
        If the timestamp is invalid.
    """
    if not is_moment(value):
        raise ValueError(f"the time {value!r:.40} is invalid")
    return float(value)


def read_moment(value: Any, path: Path) -> float:
    """Return the time stamp in a file, or its modification time if that is invalid.

    Return 0 if the file no longer exists.
    """
    if is_moment(value):
        return float(value)
    try:
        written = path.stat().st_mtime
    except OSError:
        return 0.0
    return written if is_moment(written) else 0.0


def format_moment(value: Any, pattern: str, zone: tzinfo | None = None) -> str:
    """Format a time stamp by `datetime.strftime`, in local time unless a zone is given; empty if invalid."""
    if not is_moment(value):
        return ""
    try:
        return datetime.fromtimestamp(value, zone).strftime(pattern)
    except (ValueError, OverflowError, OSError):  # outside the range supported by this system
        return ""
