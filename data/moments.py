"""Moments that clocks tell, in seconds since 1970: which there can be, and how they are written down.

Clocks go wrong, and so any moment of the years 1970 to 9999 is one; what a file says beyond them no clock has told.
"""

from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

#: The last one, a day before the year 9999 ends, so that it has a date in every time zone.
LATEST = 253_402_214_400.0


def is_moment(value: Any) -> bool:
    """Whether a value, which may be anything that a file holds, is a moment."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= LATEST


def moment(value: Any) -> float:
    """The moment that a value is.

    Raises
    ------
    ValueError
        If it is none.
    """
    if not is_moment(value):
        raise ValueError(f"the time {value!r:.40} is none that a clock can tell")
    return float(value)


def moment_of(value: Any, path: Path) -> float:
    """The moment that a file tells, or if it tells none, that at which the file was written last; 0 if that is gone."""
    if is_moment(value):
        return float(value)
    try:
        written = path.stat().st_mtime
    except OSError:
        return 0.0
    return written if is_moment(written) else 0.0


def told(value: Any, pattern: str, zone: tzinfo | None = None) -> str:
    """A moment as `datetime.strftime` writes it, in local time without a zone; empty for whatever is none."""
    if not is_moment(value):
        return ""
    try:
        return datetime.fromtimestamp(value, zone).strftime(pattern)
    except (ValueError, OverflowError, OSError):  # of this machine's clock or time zones
        return ""
