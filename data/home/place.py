"""Where the data folder is."""

import os
from pathlib import Path

#: The environment variable that names it.
VARIABLE = "TOURSCOPE_HOME"


def default_home() -> Path:
    """The data folder that `VARIABLE` names, else ``.tourscope`` in the user's home; it may not exist."""
    return Path(os.environ.get(VARIABLE) or Path.home() / ".tourscope")
