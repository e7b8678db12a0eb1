"""Finds the data folder."""

import os
from pathlib import Path

#: Environment variable with the path of the data folder.
VARIABLE = "TOURSCOPE_HOME"


def default_home() -> Path:
    """Return the data folder, from `VARIABLE` or ``.tourscope`` in the user's home; it may not exist."""
    return Path(os.environ.get(VARIABLE) or Path.home() / ".tourscope")
