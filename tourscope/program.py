"""Locates the program, and the environment of its processes.

An installed package has the program in a folder of its own, so that nothing but `tourscope` is among the names of the
environment; in a checkout it is beside this package.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_INSIDE = _PACKAGE / "_program"
#: The folder with ``app.py`` and the program's packages.
PROGRAM = _INSIDE if _INSIDE.is_dir() else _PACKAGE.parent


def environment(more: Sequence[str] = ()) -> dict[str, str]:
    """The environment of a process of the program: its packages come before those of others with the same names.

    Parameters
    ----------
    more : sequence of str, optional
        Folders whose modules it finds as well, after the program's.
    """
    path = os.pathsep.join(filter(None, [str(PROGRAM), os.environ.get("PYTHONPATH"), *more]))
    # Windows' own encodings lack letters and symbols that commands print, where their output is not a terminal
    utf8 = {"PYTHONUTF8": os.environ.get("PYTHONUTF8", "1")} if sys.platform == "win32" else {}
    # without the last variable, the working directory and its modules would come first
    return {**os.environ, **utf8, "PYTHONPATH": path, "PYTHONSAFEPATH": "1"}
