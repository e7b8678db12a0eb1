"""Where the program is, and what its processes need to find it.

An installed package has the program in a folder of its own, so that nothing but `tourscope` is among the names of the
environment; in a checkout it is beside this package.
"""

import os
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
    # without the second variable, the working directory and its modules would come first
    return {**os.environ, "PYTHONPATH": path, "PYTHONSAFEPATH": "1"}
