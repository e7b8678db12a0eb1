"""Finds the cache folder, for data that is slow to compute and can be computed again."""

import os
import sys
from pathlib import Path

#: Environment variable with the path of the cache folder.
VARIABLE = "TOURSCOPE_CACHE"


def cache_home() -> Path:
    """Return the cache folder, from `VARIABLE` or the system's usual location; it may not exist."""
    if named := os.environ.get(VARIABLE):
        return Path(named)
    base = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME")
    return Path(base) / "tourscope" if base else Path.home() / ".cache" / "tourscope"
