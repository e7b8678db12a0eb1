"""Locates the program, and builds the environment of its processes.

An installed package has the program in a folder of its own, so that it adds no name but `tourscope` to the environment;
in a checkout it is beside this package.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_INSIDE = _PACKAGE / "_program"
#: Folder with ``app.py`` and the program's packages.
PROGRAM = _INSIDE if _INSIDE.is_dir() else _PACKAGE.parent


def environment(more: Sequence[str] = ()) -> dict[str, str]:
    """Return the environment of a process of the program, in which the program's packages come first.

    Parameters
    ----------
    more : sequence of str, optional
        Further folders with modules, after the program's.
    """
    path = os.pathsep.join(filter(None, [str(PROGRAM), os.environ.get("PYTHONPATH"), *more]))
    # Windows' own encodings lack letters and symbols that commands print when their output is not a terminal
    utf8 = {"PYTHONUTF8": os.environ.get("PYTHONUTF8", "1")} if sys.platform == "win32" else {}
    # without the last variable, modules in the working directory would come first; BLAS as in `solvers.worker.process`
    return {"OPENBLAS_NUM_THREADS": "1", **os.environ, **utf8, "PYTHONPATH": path, "PYTHONSAFEPATH": "1"}
