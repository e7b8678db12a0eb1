"""Timestamps in seconds since 1970: which are valid, and how they are formatted.

Clocks may be wrong, so any time in the years 1970 to 9999 is valid; everything else is invalid.
"""

from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

#: Latest valid timestamp, a day before the end of the year 9999, so that it has a date in every time zone.
LATEST = 253_402_214_400.0


def is_moment(value: Any) -> bool:
    """Whether an untrusted value is a valid timestamp."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= LATEST


def moment(value: Any) -> float:
    """The timestamp of a value.

    Raises
    ------
    ValueError
        If it is invalid.
    """
    if not is_moment(value):
        raise ValueError(f"the time {value!r:.40} is invalid")
    return float(value)


def file_moment(value: Any, path: Path) -> float:
    """The timestamp in a file, or if it is invalid, the file's modification time; 0 if the file is gone."""
    if is_moment(value):
        return float(value)
    try:
        written = path.stat().st_mtime
    except OSError:
        return 0.0
    return written if is_moment(written) else 0.0


def formatted(value: Any, pattern: str, zone: tzinfo | None = None) -> str:
    """A timestamp formatted by `datetime.strftime`, in local time without a zone; empty if invalid."""
    if not is_moment(value):
        return ""
    try:
        return datetime.fromtimestamp(value, zone).strftime(pattern)
    except (ValueError, OverflowError, OSError):  # outside the range of this system
        return ""
